"""Games between bots: a hand from the deal to its tricks as one value, written on the sheet as people write theirs."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from scorekeeper.engine import heuristics
from scorekeeper.engine.bots import BOTS, Bot, TableBot, value_of
from scorekeeper.engine.cards import COPY, pack_of
from scorekeeper.engine.compiled import Ints
from scorekeeper.engine.deal import Deal, deal, trump_source
from scorekeeper.engine.events import MOST_HANDS, Entry, HandWritten
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.play import CardPlay, duties
from scorekeeper.engine.positions import Work, set_up
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Facts
from scorekeeper.engine.seen import Seen, places
from scorekeeper.engine.selfplay import ANY_TRUMP, NO_TRUMP, TURN_UP, self_play
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.tables import learned


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
    points = [value_of(hand, seat) for seat in seats]
    if all(
        isinstance(bots[seat], TableBot) and values is points[0] for seat, values in zip(seats, points, strict=True)
    ):
        _play_by_table(hand, views[0], dealt.holdings, play, points[0])
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


def _play_by_table(hand: Hand, view: Seen, holdings: Sequence[int], play: CardPlay, values: Ints) -> None:
    """Plays a hand between table bots to whom results are worth the same: their very cards, in one position."""
    seats = view.seats
    position = set_up(hand, seats, view.in_play, view.pack, play.trump, play.leader, holdings)
    work = Work.on(position)
    for left in range(hand.cards, 0, -1):
        heuristics.take_needs(position, left, values, work.needs)
        for _ in seats:
            turn = play.place
            assert turn is not None
            heuristics.next_card(position, left, learned(), work.needs, work.facts, work.log)
            one = int(position[heuristics.at(position, heuristics.ONE, turn)])
            two = int(position[heuristics.at(position, heuristics.TWO, turn)])
            play.play((play.holdings[turn] & ~(one | two << COPY)).bit_length() - 1)


def _bid(
    hand: Hand, dealt: Deal, seats: tuple[int, ...], bots: Mapping[int, Bot]
) -> tuple[Hand, str, tuple[Seen, ...]]:
    """The hand with its bids, its trump, and by place what each seat sees."""
    rules, trump = hand.rules, dealt.trump
    views = tuple(_view(hand, dealt, seats, place) for place in range(len(seats)))
    if trump is None and rules.trump.method != "highest_bidder":
        unseen = trump_source(rules, len(seats), hand.cards) == "dealer_chooses_unseen"
        trump = bots[seats[-1]].name_trump(replace(views[-1], holding=0) if unseen else views[-1])
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


# ---- very many games between table bots ----

HANDS = 500  # of a kind that are played at once
NO_FORESIGHT = frozenset({"trump", "bids_total", "total_before", "streak"})  # these change points from hand to hand
Kind = tuple[int, bool, Facts]  # where the trump comes from, the hook, what the points hang on


def play_games(rules: Rules, players: int, games: int, seed: str) -> Iterator[Sheet]:
    """Games between table bots, as `play_game` plays them, with compiled code where the rules allow it.

    The last seat deals first, `seed` says all that chance decides. Raises CardError.
    """
    supply = _Supply(rules, players, seed)
    first = Sheet(rules, tuple(range(players)), players - 1)
    # Where dealers and sizes are known from the start, a whole game goes on the sheet at once.
    known = first.hands if rules.end.kind == "schedule" and rules.deal_passes != "worst_miss" else ()
    foreseen = known if not (rules.scoring.needs & NO_FORESIGHT or _hangs_on_standings(rules, players)) else ()
    most = len(first.first_plan) if rules.end.kind == "open" else MOST_HANDS
    for _ in range(games):
        sheet = replace(first, entries=tuple(Entry(str(hand.number), supply.play(hand)) for hand in foreseen))
        while (hand := sheet.current) is not None and hand.number <= most:
            sheet = sheet.apply(Entry(str(hand.number), supply.play(hand)))
        yield sheet


def is_fast(rules: Rules, players: int) -> bool:
    """Whether `play_games` has compiled code for most hands of these rules. Raises CardError."""
    supply = _Supply(rules, players, "")
    hands = Sheet(rules, tuple(range(players)), players - 1).hands
    return 2 * sum(supply.kind(hand) is not None for hand in hands) > len(hands)


def _hangs_on_standings(rules: Rules, players: int) -> bool:
    """Whether what may be bid hangs on the hands before."""
    limit = rules.bidding.zero_bids_in_a_row_max
    return rules.bidding.hook == "dealer_leading_and_nonzero" or (limit is not None and players > limit.if_players_over)


@dataclass
class _Supply:
    """Hands between table bots, of most kinds many at once."""

    rules: Rules
    players: int
    seed: str
    ready: dict[Kind, deque[tuple[Sequence[int], ...]]] = field(default_factory=dict)
    rng: Random = field(init=False)
    bots: Mapping[int, Bot] = field(init=False)

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.seed} deal")
        self.bots = {seat: BOTS["table"](Random(f"{self.seed} {seat}")) for seat in range(self.players)}

    def play(self, hand: Hand) -> HandWritten:
        """What a person would write of the next such hand."""
        kind = self.kind(hand)
        if kind is None:
            return play_hand(hand, self.bots, self.rng).event
        ready = self.ready.setdefault(kind, deque())
        if not ready:
            hands = self_play(
                self.players, hand.cards, HANDS, self.rng.getrandbits(31), trump=kind[0], hook=hand.hook,
                duty=duties(self.rules.play), pack=pack_of(self.rules, self.players).cards,
                values=value_of(hand, hand.order[0]),
            )  # fmt: skip
            size = self.players
            ready.extend(tuple(row[at : at + size] for row in hands) for at in range(0, HANDS * size, size))
        bids, tricks = (dict(zip(hand.order, map(int, row), strict=True)) for row in ready.popleft())
        return HandWritten.of(hand.number, bids=bids, tricks=tricks)

    def kind(self, hand: Hand) -> Kind | None:
        """The kind of a hand, if `self_play` knows it."""
        turn = self._trump(hand)
        return (turn, hand.hook, hand.facts) if turn is not None and self._is_plain(hand) else None

    def _is_plain(self, hand: Hand) -> bool:
        """Whether `self_play` knows such hands: place 0 bids first and leads, and only the hook forbids a bid."""
        bidding, order = self.rules.bidding, hand.order
        return not (
            self.rules.scoring.needs & NO_FORESIGHT
            or _hangs_on_standings(self.rules, self.players)
            or hand.simultaneous
            or bidding.total_must_equal
            or (bidding.one_card_blind and hand.cards == 1)
            or not order
            or order != places(hand)
            or hand.leader != order[0]
        )

    def _trump(self, hand: Hand) -> int | None:
        """Where the trump comes from, as `self_play` knows it; None where it does not."""
        if hand.fixed_trump is not None:
            return NO_TRUMP if hand.no_trump else ANY_TRUMP
        by_chance = {"turn_up": TURN_UP, "cut_before_deal": ANY_TRUMP, "second_pack": ANY_TRUMP}
        return by_chance.get(trump_source(self.rules, self.players, hand.cards))
