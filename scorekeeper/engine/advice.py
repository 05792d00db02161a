"""What a hand is worth before it is played: the chance of each number of tricks, and what each bid may bring.

For every legal bid the hand is played out many times, the hidden cards dealt anew each time and the others bidding and
playing as the heuristic player does. It is an estimate of how such players do, not of this table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random

from scorekeeper.engine.bots import bid_counts, value_of
from scorekeeper.engine.cards import Pack, as_set, pack_of
from scorekeeper.engine.compiled import AVAILABLE
from scorekeeper.engine.deal import TURNS_UP, made_trump
from scorekeeper.engine.events import TRUMPS
from scorekeeper.engine.faults import N_, Fault, RuleError
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.heuristics import SCALE
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.seen import Seen, places
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.simulate import with_bids

# Cards played in all playouts of one piece of advice: under half a second of CPU where numba compiles them, else two.
WORK = 1_000_000 if AVAILABLE else 24_000
MOST_PLAYOUTS = 5_000  # of one bid in a round: the standard error of its chance is 0.007 at the most


class AdviceError(ValueError):
    """What was told about the hand cannot be; `text` is the English pattern, marked for translation."""

    def __init__(self, text: str, **numbers: object) -> None:
        super().__init__(text % numbers)
        self.text = text
        self.numbers = numbers


@dataclass(frozen=True, slots=True)
class Choice:
    """A bid: by number of tricks, 0 to the cards of the hand, how often its playouts came to it, from 0 to 1.

    `points` are the mean over the playouts as the rules count them, `error` is the standard error of that mean.
    """

    bid: int
    playouts: int
    chances: tuple[float, ...]
    points: float
    error: float

    @property
    def made(self) -> float:
        """The chance to make the bid."""
        return self.chances[self.bid]


@dataclass(frozen=True, slots=True)
class Advice:
    """What each bid may bring. `choices` are the legal bids from the lowest, `best` is one of them.

    `place` is this player's in the bidding, from 0; `forbidden` is the bid that the hook takes, None where it takes
    none.
    """

    cards: int
    place: int
    trump: str
    forbidden: int | None
    choices: tuple[Choice, ...]
    best: Choice

    @property
    def playouts(self) -> int:
        """All playouts together."""
        return sum(choice.playouts for choice in self.choices)


def advise(
    rules: Rules,
    players: int,
    held: int,
    rng: Random,
    *,
    trump: str | None = None,
    turned: int | None = None,
    earlier: Sequence[int] = (),
    place: int | None = None,
    work: int = WORK,
) -> Advice:
    """Advice on the bid of who holds the set of cards `held`, in the first hand of so many cards of a new game.

    `trump` is C, D, H, S or NT; without it the card `turned` up says it, or the rules do. `earlier` are the bids made
    before; `place` in the bidding, from 0, is needed only where all bid at once. `work` is how many cards are played in
    all. A trump that these rules would not give the hand is taken as told. Raises RuleError, AdviceError or CardError
    for what cannot be.
    """
    pack, cards = pack_of(rules, players), held.bit_count()
    hand = _hand(rules, players, held, pack)
    trump = _trump(hand, players, held, pack, trump, turned)
    place = _place(rules, players, cards, earlier, place)
    bids = dict(zip(hand.order, earlier, strict=False))
    hand = with_bids(hand, bids, trump)
    seat, seats = hand.order[place], places(hand)
    seen = Seen(hand, seat, seats, pack, held, turned, trump)
    seen = replace(seen, leader=seen.first)
    choices, best = _choices(seen, work // (players * cards), rng)
    return Advice(cards, place, trump, hand.banned(seat), choices, best)


def _hand(rules: Rules, players: int, held: int, pack: Pack) -> Hand:
    """The hand that the advice is about. Raises what `advise` does."""
    low, high = max(rules.players[0], 2), rules.players[1]
    if not low <= players <= high:
        raise RuleError(Fault("players", None, None, {"low": low, "high": high, "players": players}))
    cards = held.bit_count()
    if not cards:
        raise AdviceError(N_("Say which cards are held."))
    if held & ~as_set(pack.cards):
        raise AdviceError(N_("A card that is held is not in this pack."))
    if players * cards > len(pack.cards):
        raise RuleError(Fault("deck", None, None, {"players": players, "cards": cards, "deck": len(pack.cards)}))
    if cards == 1 and rules.bidding.one_card_blind:
        raise AdviceError(N_("With these rules nobody sees their own single card."))
    return first_hand(rules, players, cards)


def first_hand(rules: Rules, players: int, cards: int) -> Hand:
    """The first hand of this size in the plan of a new game, else its first hand with so many cards.

    The last seat deals: who else would may hang on the hands before, and only places count here.
    """
    hands = Sheet(rules, tuple(range(players)), players - 1).hands
    hand = next((hand for hand in hands if hand.cards == cards), hands[0])
    return replace(hand, dealer=hand.table[-1], cells={("cards", None): cards})


def _trump(hand: Hand, players: int, held: int, pack: Pack, trump: str | None, turned: int | None) -> str:
    method = hand.rules.trump.method
    if turned is not None:
        if method not in TURNS_UP:
            raise AdviceError(N_("These rules turn no card up."))
        if players * hand.cards == len(pack.cards):
            raise AdviceError(N_("The whole pack is dealt: no card is left to turn up."))
        if turned not in pack.cards:
            raise AdviceError(N_("The card turned up is not in this pack."))
        if held >> turned & 1:
            raise AdviceError(N_("The card turned up is among those held."))
        made = made_trump(turned)
        if trump is not None and made not in (trump, None):
            raise AdviceError(N_("The card turned up makes another trump."))
        trump = trump or made
    trump = trump or hand.fixed_trump
    if trump not in TRUMPS:
        raise AdviceError(N_("Say which suit is trump, or that none is."))
    return trump


def _place(rules: Rules, players: int, cards: int, earlier: Sequence[int], place: int | None) -> int:
    for bid in earlier:
        if not 0 <= bid <= cards:
            raise RuleError(Fault("bid_range", None, None, {"bid": bid, "cards": cards}))
    if rules.bidding.mode == "simultaneous":
        if earlier:
            raise AdviceError(N_("With these rules all bid at once: no bid is known before."))
        place = place or 0
    elif place is not None and place != len(earlier):
        raise AdviceError(N_("Bids before this place: %(place)s, not %(bids)s."), place=place, bids=len(earlier))
    else:
        place = len(earlier)
    if not 0 <= place < players:
        raise AdviceError(N_("There are %(players)s players: nobody bids after the last."), players=players)
    return place


def _choices(seen: Seen, playouts: int, rng: Random) -> tuple[tuple[Choice, ...], Choice]:
    """Every legal bid, played out, and the best one: in rounds of equal work, each among the better half of the last.

    Source: sequential halving (Karnin, Koren, Somekh 2013).
    """
    hand, size = seen.hand, seen.hand.cards + 1
    values, sign = value_of(hand, seen.seat), -1 if hand.rules.scoring.direction == "low" else 1
    legal = hand.legal_bids(seen.seat)
    counts = {bid: [0] * size for bid in legal}
    choices: dict[int, Choice] = {}
    rounds = max((len(legal) - 1).bit_length() - 1, 1)
    last = list(legal)
    for number in range(rounds):
        if number:
            last = sorted(last, key=lambda bid: -sign * choices[bid].points)[: (len(last) + 1) // 2]
        each = min(max(playouts // rounds // len(last), 1), MOST_PLAYOUTS)
        for bid, more in bid_counts(seen, last, each, rng).items():
            counts[bid] = [one + other for one, other in zip(counts[bid], more, strict=True)]
            worth = [sign * int(values[bid * size + tricks]) / SCALE for tricks in range(size)]
            choices[bid] = _choice(bid, counts[bid], worth)
    best = max(last, key=lambda bid: (sign * choices[bid].points, -bid))
    return tuple(choices[bid] for bid in legal), choices[best]


def _choice(bid: int, counts: Sequence[int], points: Sequence[float]) -> Choice:
    playouts = sum(counts)
    chances = tuple(count / playouts for count in counts)
    mean = sum(chance * worth for chance, worth in zip(chances, points, strict=True))
    spread = sum(chance * (worth - mean) ** 2 for chance, worth in zip(chances, points, strict=True))
    return Choice(bid, playouts, chances, mean, sqrt(spread / playouts))
