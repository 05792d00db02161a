"""Games between bots: a hand from the deal to its tricks as one value, written on the sheet as people write theirs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from scorekeeper.engine.bots import BOTS, Bot, Seen, places
from scorekeeper.engine.deal import Deal, deal
from scorekeeper.engine.events import MOST_HANDS, Entry, HandWritten
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.play import CardPlay, duties
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Number
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import winners


@dataclass(frozen=True)
class PlayedHand:
    """A hand from its deal to its tricks. `seats` are by place, `played` the cards as (place, card) in order."""

    number: int
    deal: Deal
    seats: tuple[int, ...]
    trump: str
    bids: Mapping[int, int]  # by seat, in bidding order
    leader: int  # the place that led first
    played: tuple[tuple[int, int], ...]
    tricks: Mapping[int, int]  # by seat

    @property
    def event(self) -> HandWritten:
        """What a person would write of it."""
        return HandWritten.of(self.number, bids=self.bids, tricks=self.tricks, trump=self.trump)


def play_hand(hand: Hand, bots: Mapping[int, Bot], rng: Random) -> PlayedHand:
    """Deals, bids and plays a hand that nothing is written on and whose dealer is known.

    `bots` are by seat, `rng` deals. Raises CardError where the rules need cards, or a way to find the trump, that are
    not modelled.
    """
    dealt = deal(hand.rules, len(hand.present), hand.cards, rng, hand.fixed_trump)
    return play_deal(hand, dealt, bots)


def play_deal(hand: Hand, dealt: Deal, bots: Mapping[int, Bot]) -> PlayedHand:
    """Bids and plays a hand whose cards are dealt."""
    seats = places(hand)
    hand, trump, views = _bid(hand, dealt, seats, bots)
    assert hand.leader is not None
    leader = seats.index(hand.leader)
    play = CardPlay(dealt.pack, list(dealt.holdings), trump, duties(hand.rules.play), leader)
    while (place := play.place) is not None:
        view = views[place]
        seen = replace(
            view,
            hand=hand,
            trump=trump,
            holding=0 if view.others else play.holdings[place],
            leader=leader,
            played=tuple(play.played),
        )
        play.play(bots[seats[place]].play(seen, play.legal))
    bids = {seat: bid for seat, bid in hand.bids.items() if bid is not None}
    tricks = {seat: play.tricks[place] for place, seat in enumerate(seats)}
    return PlayedHand(hand.number, dealt, seats, trump, bids, leader, tuple(play.played), tricks)


def _bid(
    hand: Hand, dealt: Deal, seats: tuple[int, ...], bots: Mapping[int, Bot]
) -> tuple[Hand, str, tuple[Seen, ...]]:
    """The hand with its bids, its trump, and by place what each seat sees."""
    rules, trump = hand.rules, dealt.trump
    views = tuple(_view(hand, dealt, seats, place) for place in range(len(seats)))
    if trump is None and rules.trump.method != "highest_bidder":
        trump = bots[seats[-1]].name_trump(_unseen(views[-1], rules))
    bids: dict[int, int] = {}
    for seat in hand.order:
        open_bids = {} if hand.simultaneous else bids
        seen = replace(views[seats.index(seat)], hand=with_bids(hand, open_bids, trump), trump=trump)
        bids[seat] = bots[seat].bid(seen, _legal(hand, bids, seat))
    if hand.simultaneous and hand.hook and sum(bids.values()) == hand.cards:
        # A table settles it somehow; here whoever would have bid last bids again.
        seat = hand.order[-1]
        seen = replace(views[seats.index(seat)], hand=with_bids(hand, bids, trump), trump=trump)
        bids[seat] = bots[seat].bid(seen, [bid for bid in _legal(hand, {}, seat) if bid != bids[seat]])
    if trump is None:
        highest = max(bids.values())
        order = hand.order if rules.trump.bid_tie == "first_to_bid" else seats
        seat = next(one for one in order if bids[one] == highest)
        trump = bots[seat].name_trump(replace(views[seats.index(seat)], hand=with_bids(hand, bids, None)))
    return with_bids(hand, bids, trump), trump, views


def _view(hand: Hand, dealt: Deal, seats: tuple[int, ...], place: int) -> Seen:
    holdings = dealt.holdings
    others: tuple[int, ...] = ()
    if hand.rules.bidding.one_card_blind and hand.cards == 1:
        others = tuple(0 if one == place else holding for one, holding in enumerate(holdings))
    return Seen(hand, seats[place], seats, dealt.pack, 0 if others else holdings[place], dealt.turned, None, others)


def _unseen(seen: Seen, rules: Rules) -> Seen:
    """What a dealer sees who names the trump, before looking where the rules say so."""
    before = seen.turned is None and rules.trump.when_no_card_left == "dealer_chooses_unseen"
    return replace(seen, holding=0) if before and rules.trump.method in ("turn_up", "wizard_turn_up") else seen


def with_bids(hand: Hand, bids: Mapping[int, int], trump: str | None) -> Hand:
    """The hand with these bids and this trump written on it."""
    cells = dict(hand.cells) | {("bids", seat): bid for seat, bid in bids.items()}
    return replace(hand, cells=cells | {("trump", None): trump} if trump else cells)


def _legal(hand: Hand, bids: Mapping[int, int], seat: int) -> tuple[int, ...]:
    """The bids that a seat may make; where the bids must add up to the tricks, those that leave this possible."""
    legal = with_bids(hand, {} if hand.simultaneous else bids, None).legal_bids(seat)
    if hand.rules.bidding.total_must_equal:
        return tuple(bid for bid in legal if sum(bids.values()) + bid <= hand.cards) or legal
    return legal


def play_game(rules: Rules, players: int, names: Sequence[str], seed: str) -> Sheet:
    """A whole game as the sheet that people would have written; the last seat deals first.

    `names` are the bots' by seat, `seed` says all that chance decides. A game without an end is one pass of its
    schedule. Raises CardError.
    """
    sheet = Sheet(rules, tuple(range(players)), players - 1)
    bots = {seat: BOTS[name](Random(f"{seed} {seat}")) for seat, name in enumerate(names)}
    rng = Random(f"{seed} deal")
    most = len(sheet.first_plan) if rules.end.kind == "open" else MOST_HANDS
    while (hand := sheet.current) is not None and hand.number <= most:
        sheet = sheet.apply(Entry(str(hand.number), play_hand(hand, bots, rng).event))
    return sheet


@dataclass(frozen=True)
class GameResult:
    """What a finished game adds to a tally: by seat its total and share of the win, by cards bids made and bids."""

    totals: tuple[Number, ...]
    wins: tuple[Fraction, ...]
    bids: Mapping[int, tuple[int, int]]


def result_of(sheet: Sheet) -> GameResult:
    """The result of a game; who ties for the first place, after what the rules say about ties, shares the win."""
    first = winners(sheet)
    made: Counter[int] = Counter()
    bids: Counter[int] = Counter()
    for hand in sheet.played:
        for seat in hand.present:
            made[hand.cards] += bool(hand.made(seat))
            bids[hand.cards] += 1
    return GameResult(
        tuple(sheet.totals[seat] for seat in sheet.seats),
        tuple(Fraction(seat in first, len(first)) for seat in sheet.seats),
        {cards: (made[cards], count) for cards, count in bids.items()},
    )


@dataclass(frozen=True)
class Tally:
    """Games added up: by seat the sums of totals, of their squares and of wins, by cards bids made and bids."""

    games: int
    totals: tuple[Number, ...]
    squares: tuple[Number, ...]
    wins: tuple[Fraction, ...]
    bids: Mapping[int, tuple[int, int]]

    @classmethod
    def empty(cls, players: int) -> "Tally":
        return cls(0, (0,) * players, (0,) * players, (Fraction(0),) * players, {})

    def add(self, result: GameResult) -> "Tally":
        bids = dict(self.bids)
        for cards, (made, count) in result.bids.items():
            before = bids.get(cards, (0, 0))
            bids[cards] = (before[0] + made, before[1] + count)
        return Tally(
            self.games + 1,
            tuple(total + one for total, one in zip(self.totals, result.totals, strict=True)),
            tuple(square + one**2 for square, one in zip(self.squares, result.totals, strict=True)),
            tuple(wins + one for wins, one in zip(self.wins, result.wins, strict=True)),
            bids,
        )

    @property
    def exact(self) -> float:
        """The share of all bids that were made."""
        return sum(made for made, _ in self.bids.values()) / max(sum(count for _, count in self.bids.values()), 1)

    def to_data(self, names: Sequence[str]) -> dict[str, Any]:
        """Plain data; shares are from 0 to 1, `spread` is the standard deviation of a seat's final total."""
        games = max(self.games, 1)
        means = [float(total) / games for total in self.totals]
        return {
            "games": self.games,
            "exact": round(self.exact, 4),
            "hands": [
                {"cards": cards, "bids": count, "exact": round(made / count, 4)}
                for cards, (made, count) in sorted(self.bids.items())
            ],
            "seats": [
                {
                    "seat": seat,
                    "bot": name,
                    "points": round(mean, 2),
                    "spread": round(max(float(square) / games - mean**2, 0) ** 0.5, 2),
                    "wins": round(float(wins) / games, 4),
                }
                for seat, (name, mean, square, wins) in enumerate(
                    zip(names, means, self.squares, self.wins, strict=True)
                )
            ],
        }
