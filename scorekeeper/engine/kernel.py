"""Very many random hands fast: dealt, trump turned up, legal cards played at random, tricks counted.

Cards follow suit; who cannot may owe a trump. One pack of plain cards, any number of players and cards that it has.
With numba the loops are machine code that threads run side by side; without it they are Python. Either way the same
seed gives the same hands, whatever the number of threads: hands come in chunks, each with random words of its own.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from scorekeeper.engine.bits import FRACTION, FRACTION_BITS, after, lowest, nth, portable_nth, stream, word
from scorekeeper.engine.cards import LANE, ONE_SUIT, PLAIN, CardError, Pack, as_set, lane, members
from scorekeeper.engine.compiled import AVAILABLE, compiled, numbers
from scorekeeper.engine.events import TRUMPS

TURN_UP = "turn_up"
CHUNK = 8192  # hands that come out of one stream of random words
DRAWS = 5  # out of one word while dealing: 52 ** 5 is below 2 ** 30; the choices of a trick need one word as well
_OF_SUIT = -LANE  # what is left of a card's number without its rank


@dataclass(frozen=True, slots=True)
class Hands:
    """What many hands came to. Places count in the order of play: 0 leads first; where there is a dealer, the last.

    `tricks[place][t]` is the number of hands in which that place took `t` tricks. Where a record was asked for,
    `plays` has for each hand its cards in the order they were played, and `deals` its cards in the order they were
    dealt, one to each place in turn, then the card turned up if one was; nothing where the deal was given.
    """

    tricks: tuple[tuple[int, ...], ...]
    deals: tuple[tuple[int, ...], ...] = ()
    plays: tuple[tuple[int, ...], ...] = ()


def random_hands(
    pack: Pack,
    players: int,
    cards: int,
    trump: str,
    count: int,
    seed: int,
    *,
    must_trump: bool = False,
    record: bool = False,
    threads: int = 1,
    portable: bool = False,
) -> Hands:
    """Deals and plays `count` hands at random.

    `trump` is C, D, H, S, NT or "turn_up"; `seed` is 0 to 2 ** 62 - 1. `portable` does without the processor's own
    instruction for choosing a card, with the same result. Raises CardError where the pack has too few cards, or cards
    that are not played here.
    """
    drawn = players * cards + (trump == TURN_UP)
    if as_set(pack.cards) & ~PLAIN:
        raise CardError("hands are played at random with one pack of plain cards only")
    if players < 1 or cards < 1 or drawn > len(pack.cards):
        raise CardError(f"{len(pack.cards)} cards are not enough for {players} times {cards} and the trump")
    return _many(pack.cards, players, cards, drawn, trump, count, seed, must_trump, record, threads, portable)


def random_play(
    holdings: Sequence[int],
    trump: str,
    count: int,
    seed: int,
    *,
    must_trump: bool = False,
    record: bool = False,
    threads: int = 1,
    portable: bool = False,
) -> Hands:
    """Plays one deal `count` times at random; `holdings` are by place the sets of cards, the rest is `random_hands`'.

    Raises CardError where the places do not hold equally many plain cards of one pack.
    """
    dealt = [list(members(holding)) for holding in holdings]
    cards = len(dealt[0]) if dealt else 0
    deck = [card for in_turn in zip(*dealt, strict=False) for card in in_turn]
    if (
        not cards
        or as_set(set(deck)) & ~PLAIN
        or any(len(held) != cards for held in dealt)
        or len(set(deck)) < len(deck)
    ):
        raise CardError("each place must hold as many plain cards of one pack as the others")
    return _many(deck, len(dealt), cards, 0, trump, count, seed, must_trump, record, threads, portable)


def _many(
    deck: Sequence[int],
    players: int,
    cards: int,
    drawn: int,
    trump: str,
    count: int,
    seed: int,
    must_trump: bool,
    record: bool,
    threads: int,
    portable: bool,
) -> Hands:
    known = (*TRUMPS, TURN_UP) if drawn else TRUMPS
    if trump not in known:
        raise CardError(f"{trump!r} is no trump here; known are {', '.join(known)}")
    in_hands = players * cards
    deals = numbers([0] * (count * drawn)) if record else None
    plays = numbers([0] * (count * in_hands)) if record else None
    chunks = range(0, count, CHUNK)

    def played(firsts: range) -> list[int]:
        tally = numbers([0] * players * (cards + 1))
        for first in firsts:
            _chunk(
                numbers(deck), cards, drawn, trump == TURN_UP, lane(trump), must_trump, portable and AVAILABLE,
                first, min(CHUNK, count - first), stream(seed, first),
                numbers([0] * players), numbers([0] * players), numbers([0] * 64), numbers([0] * players),
                tally, deals, plays,
            )  # fmt: skip
        return tally

    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            tallies = list(pool.map(played, [chunks[thread::threads] for thread in range(threads)]))
    else:
        tallies = [played(chunks)]
    total = [int(sum(hands)) for hands in zip(*tallies, strict=True)]
    return Hands(_rows(total, cards + 1), _rows(deals, drawn), _rows(plays, in_hands))


def _rows(values: Sequence[int] | None, length: int) -> tuple[tuple[int, ...], ...]:
    if values is None or not length:
        return ()
    return tuple(tuple(map(int, values[start : start + length])) for start in range(0, len(values), length))


@compiled
def _chunk(
    deck: list[int],
    cards: int,
    drawn: int,
    turned: bool,
    trumps: int,
    must_trump: bool,
    portable: bool,
    first: int,
    count: int,
    state: int,
    dealt: list[int],
    hands: list[int],
    owner: list[int],
    tricks: list[int],
    tally: list[int],
    deals: list[int] | None,
    plays: list[int] | None,
) -> None:
    """Plays `count` hands, of which `first` is the number of the first one.

    Before each, `drawn` cards come to the front of the deck, which is not sorted again between hands; where none are
    drawn, the deck is the deal. The lists from `dealt` to `tricks` are scratch paper; the last three are filled.
    """
    players = len(hands)
    for number in range(first, first + count):
        if drawn or number == first:
            state = _deal(deck, cards, drawn, state, dealt, owner)
            if turned:
                trumps = ONE_SUIT << (deck[players * cards] & _OF_SUIT)
        if deals is not None:
            for place in range(drawn):
                deals[number * drawn + place] = deck[place]
        for place in range(players):
            hands[place] = dealt[place]
            tricks[place] = 0
        owed = trumps if must_trump else 0
        state = _play(hands, owner, cards, trumps, owed, portable, state, tricks, plays, number * players * cards)
        for place in range(players):
            tally[place * (cards + 1) + tricks[place]] += 1


@compiled
def _deal(deck: list[int], cards: int, drawn: int, state: int, dealt: list[int], owner: list[int]) -> int:
    """Draws cards to the front of the deck and gives them out; returns the state of the random words."""
    size = len(deck)
    fraction = 0
    for place in range(drawn):
        if place % DRAWS == 0:
            state = after(state)
            fraction = word(state)
        fraction *= size - place
        other = place + (fraction >> FRACTION_BITS)
        fraction &= FRACTION
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
    players = len(dealt)
    for place in range(players):
        held = 0
        for at in range(place, players * cards, players):
            card = deck[at]
            held |= 1 << card
            owner[card] = place
        dealt[place] = held
    return state


@compiled
def _play(
    hands: list[int],
    owner: list[int],
    cards: int,
    trumps: int,
    owed: int,
    portable: bool,
    state: int,
    tricks: list[int],
    plays: list[int] | None,
    played: int,
) -> int:
    """Plays the hands out; returns the state of the random words.

    `owed` are the cards that whoever cannot follow must play if they can; `played` is where this hand's record begins.
    """
    players = len(hands)
    leader = 0
    for _ in range(cards - 1):
        state = after(state)
        fraction = word(state)
        held = hands[leader]
        fraction *= held.bit_count()
        r = fraction >> FRACTION_BITS
        fraction &= FRACTION
        card = portable_nth(held, r) if portable else nth(held, r)
        hands[leader] = held ^ card
        table = card
        suit = ONE_SUIT << (lowest(card) & _OF_SUIT)
        if plays is not None:
            plays[played] = lowest(card)
            played += 1
        place = leader
        for _ in range(players - 1):
            place += 1
            if place == players:
                place = 0
            held = hands[place]
            legal = held & suit or held & owed or held
            fraction *= legal.bit_count()
            r = fraction >> FRACTION_BITS
            fraction &= FRACTION
            card = portable_nth(legal, r) if portable else nth(legal, r)
            hands[place] = held ^ card
            table |= card
            if plays is not None:
                plays[played] = lowest(card)
                played += 1
        best = table & trumps or table & suit
        leader = owner[best.bit_length() - 1]
        tricks[leader] += 1
    table = 0  # in the last trick nobody has a choice
    for place in range(players):
        table |= hands[place]
    suit = ONE_SUIT << (lowest(hands[leader]) & _OF_SUIT)
    if plays is not None:
        for turn in range(players):
            plays[played + turn] = lowest(hands[(leader + turn) % players])
    best = table & trumps or table & suit
    tricks[owner[best.bit_length() - 1]] += 1
    return state
