"""Many hands of the heuristic player against itself: banks of bids and tricks, and what its tables learn from."""

from collections.abc import Callable, Iterator, Sequence
from math import exp
from random import Random

from scorekeeper.engine.banks import HANDS as BANK
from scorekeeper.engine.banks import Bank, most_cards
from scorekeeper.engine.cards import JESTER, JESTERS, LANE, ONE_SUIT, PLAIN, WIZARDS, members
from scorekeeper.engine.compiled import Ints, Octets, compiled, numbers, octets
from scorekeeper.engine.heuristics import (
    A_BID,
    A_RATE,
    A_TRICK,
    BID,
    BIDDING,
    BIDDING_AT,
    CELLS,
    FACTS,
    FULL,
    GROUPS,
    LATER,
    LATER_AT,
    LOG,
    MISSING,
    MOST_LEFT,
    MOST_NEED,
    ONE,
    POSITION,
    PRESSURES,
    RATES,
    REST,
    REST_TWO,
    SCALE,
    SEATS,
    SIZE,
    STEPS,
    TRUMP_SET,
    TWO,
    WINNERS,
    WINNING,
    WON,
    allowed_bids,
    at,
    below,
    bid_of,
    dealt_worth,
    group_of,
    later_cell,
    making_cell,
    missing_cell,
    part_of,
    play_out,
    set_up,
    share_of,
)
from scorekeeper.engine.tables import learned

TURN_UP, NO_TRUMP, ANY_TRUMP = 1, 0, 2  # a card is turned up; none; a suit drawn beside the pack
FRENCH_PACK = tuple(members(PLAIN))
WIZARD_PACK = tuple(members(PLAIN | WIZARDS | JESTERS))


def exact_values(cards: int) -> list[int]:
    """The points of the base game, 10 and the tricks for a bid made, as `heuristics.need_of` reads them."""
    size = cards + 1
    rows = [SCALE * (10 + bid) * (bid == tricks) for bid in range(size) for tricks in range(size)]
    return [*rows, *[1] * size]


def self_play(
    players: int,
    cards: int,
    hands: int,
    seed: int,
    *,
    trump: int = TURN_UP,
    hook: bool = True,
    duty: int = 0,
    pack: Sequence[int] = FRENCH_PACK,
    values: Ints | None = None,
    tables: Octets | None = None,
) -> tuple[list[int], list[int]]:
    """Bids and tricks of `hands` hands, each at `hand * players + place`; place 0 bids and leads first.

    `trump` is one of the three above, `duty` a sum of duties of play, `values` as `need_of` reads them (default: the
    base game's), `tables` what the player has learned (default: what is shipped). The same seed gives the same hands
    with numba and without.
    """
    work = _Work(players, cards, seed, pack, values)
    work.run(hands, trump, duty, int(hook), learned() if tables is None else tables, 0)
    return work.bids, work.tricks


class _Work:
    """The arrays that `self_hands` works in."""

    def __init__(self, players: int, cards: int, seed: int, pack: Sequence[int], values: Ints | None) -> None:
        self.players, self.cards = players, cards
        self.deck = numbers(pack)
        self.special = sum(1 << card for card in pack if WIZARDS >> card & 1)
        self.values = numbers(exact_values(cards)) if values is None else values
        self.state = numbers([1 + Random(seed).getrandbits(61)])
        self.position = numbers([0] * (POSITION + 5 * players))
        self.needs, self.facts = numbers([0] * players), numbers([0] * FACTS)
        self.points = numbers([0] * (cards + 1 + players))
        self.log = numbers([-1])
        self.seen = self.hits = numbers([0])
        self.bids = self.tricks = numbers([0])

    def run(self, hands: int, trump: int, duty: int, hook: int, tables: Octets, noise: int) -> None:
        self.bids, self.tricks = numbers([0] * hands * self.players), numbers([0] * hands * self.players)
        self_hands(
            hands, self.players, self.cards, self.deck, trump, duty, self.special, hook, self.values, tables,
            self.state, noise, self.position, self.needs, self.facts, self.points, self.log, self.seen, self.hits,
            self.bids, self.tricks,
        )  # fmt: skip


ROUNDS, HANDS, SEED = 6, 2500, 1  # of the tables shipped


def play_banks(players: int) -> Iterator[Bank]:
    """The banks of hands of so many players, as `banks.packed` wants them.

    Hands that one pack does not reach to are Wizard's.
    """
    for hook in (False, True):
        for cards in range(1, most_cards(players) + 1):
            in_hands = players * cards
            pack = FRENCH_PACK if in_hands <= len(FRENCH_PACK) else WIZARD_PACK
            trump = NO_TRUMP if in_hands == len(pack) else TURN_UP
            seed = 1000 * players + cards
            bids, tricks = self_play(players, cards, BANK, seed, trump=trump, hook=hook, pack=pack)
            yield Bank(players, cards, bytes(map(int, bids)), bytes(map(int, tricks)))


NOISE, STRAY = 8, 25  # one bid in eight, one card in twenty-five is drawn at random, so that other ways are learned too
TRUST = 64 * 8  # sixty-fourths of results that what was thought before counts like, so that few results change little
KEEP = 2  # a round's results count half in the next one


def learn_tables(rounds: int, hands: int, seed: int, tell: Callable[[int], None]) -> bytes:
    """The tables from scratch: `rounds` of self-play, about `hands` hands of each kind, each with what was learned.

    `tell` is told the rounds done.
    """
    first = list(_first_thoughts())
    thoughts = first
    seen, hits = numbers([0] * CELLS), numbers([0] * CELLS)
    for number in range(rounds):
        tables = octets(as_bytes(thoughts))
        for index in range(CELLS):
            seen[index] //= KEEP
            hits[index] //= KEEP
        for turn, (players, cards, pack, trump, hook, share) in enumerate(_kinds_of_hands()):
            work = _Work(players, cards, (seed * 1000 + number) * 10_000 + turn, pack, None)
            work.seen, work.hits = seen, hits
            work.log = numbers([0] * (LOG + 5 * players * cards * (cards + 3)))
            work.log[1], work.log[2] = STRAY, 1 + Random(turn + 10_000 * number).getrandbits(61)
            work.run(max(hands * share // 100, 1), trump, 0, hook, tables, NOISE)
        thoughts = [
            (int(hit) + before * trust) / (int(saw) + trust)
            for hit, saw, before, trust in zip(hits, seen, first, _trust(), strict=True)
        ]
        tell(number + 1)
    return as_bytes(thoughts)


def _trust() -> Iterator[int]:
    for cell in range(CELLS):
        yield TRUST if cell < LATER_AT else 20


def as_bytes(thoughts: Sequence[float]) -> bytes:
    """Chances as bytes, 255 for certain."""
    return bytes(min(max(round(chance * FULL), 0), FULL) for chance in thoughts)


def _kinds_of_hands() -> Iterator[tuple[int, int, Sequence[int], int, int, int]]:
    """Players, cards, pack, trump, hook, and how many hands in a hundred."""
    for players in range(2, 9):
        for cards in range(1, min(52 // players, MOST_LEFT) + 1):
            all_dealt = players * cards == 52
            for trump, share in ((ANY_TRUMP if all_dealt else TURN_UP, 100), (NO_TRUMP, 35)):
                yield players, cards, FRENCH_PACK, trump, 1, share
                yield players, cards, FRENCH_PACK, trump, 0, share * 2 // 5
        if 3 <= players <= 6:
            for cards in range(1, 60 // players + 1):
                yield players, cards, WIZARD_PACK, ANY_TRUMP if players * cards == 60 else TURN_UP, 0, 35


def _first_thoughts() -> Iterator[float]:
    """What the tables hold before anything is learned: rough shapes that play sensibly."""
    for _ in range(GROUPS):
        for cell in range(RATES // (5 * 7 * 3)):
            kind, above, share, own = cell // 96, cell // 12 % 8, cell // 3 % 4, cell % 3
            higher = above * (share + 0.7) / 4
            side = 0.9 * 0.85**own / (1 + 1.3 * higher)
            yield from [(side, 0.9 / (1 + 0.6 * higher), side, 0.97, 0.02)[kind]] * (5 * 7 * 3)
    for cell in range(WINNING // (4 * 3 * 2)):
        after, want, above, share = cell // 96 % 5, cell // 24 % 4, cell // 4 % 6, cell % 4
        yield from [(0.95 - 0.1 * want) / (1 + above * (share + 1) / 4 * (after + 1) / 3)] * (4 * 3 * 2)
    for _ in range(4 * GROUPS):
        for left in range(MOST_LEFT):
            spread = 0.35 + 0.22 * (left + 1) ** 0.5
            for _ in range((MOST_NEED + 1) * PRESSURES):
                yield from (0.7 * _bell((step - STEPS // 2) / 4, spread) for step in range(STEPS))
    nine = [_bell(index - 4, 2**0.5) for index in range(9)]
    yield from [weight / sum(nine) for weight in nine] * (GROUPS * LATER // 9)
    yield from [0.03, 0.12, 0.35, 0, 0.35, 0.12, 0.03] * (MISSING // 7)


def _bell(distance: float, spread: float) -> float:
    return exp(-(distance**2) / (2 * spread**2))


@compiled
def deal_out(
    players: int, cards: int, deck: Ints, turn: int, duty: int, special: int, state: Ints, position: Ints
) -> None:
    """Shuffles `deck` as far as it goes out and sets up the position of a new hand."""
    in_hands = players * cards
    for index in range(in_hands + (1 if turn == TURN_UP else 0)):
        other = index + below(state, 0, len(deck) - index)
        deck[index], deck[other] = deck[other], deck[index]
    trumps = 0
    if turn == TURN_UP:
        turned = deck[in_hands] % 64
        trumps = 0 if turned % LANE == JESTER else ONE_SUIT << (turned // LANE * LANE)
    elif turn == ANY_TRUMP:
        trumps = ONE_SUIT << LANE * below(state, 0, 4)
    set_up(position, players, cards, 0, trumps, duty, special)
    for index in range(len(deck)):
        card = deck[index]
        first = card < 64
        if index != in_hands or turn != TURN_UP:
            position[REST if first else REST_TWO] |= 1 << card % 64
        if index < in_hands:
            position[at(position, ONE if first else TWO, index % players)] |= 1 << card % 64


@compiled
def self_hands(
    hands: int, players: int, cards: int, deck: Ints, turn: int, duty: int, special: int, hook: int, value: Ints,
    tables: Octets, state: Ints, noise: int, position: Ints, needs: Ints, facts: Ints, points: Ints, log: Ints,
    seen: Ints, hits: Ints, bids: Ints, tricks: Ints,
) -> None:  # fmt: skip
    """Plays whole hands of this player against itself and writes `bids` and `tricks`, `hand * players + place`.

    `turn` is TURN_UP, NO_TRUMP or ANY_TRUMP; a wizard turned up makes its own suit trump.
    One bid in `noise` is another one, none where it is 0. With a log that is on, what it says is added to `seen`
    and `hits`.
    """
    for hand in range(hands):
        deal_out(players, cards, deck, turn, duty, special, state, position)
        total = 0
        for place in range(players):
            worth = dealt_worth(position, place, tables)
            bid = bid_of(position, worth, place, total, hook, value, tables, points)
            if noise and below(state, 0, noise) == 0:
                other = bid + (1, -1, 2, -2)[below(state, 0, 4)]
                allowed = allowed_bids(players, cards, place, total, hook)
                bid = other if 0 <= other <= cards and allowed >> other & 1 else bid
            position[at(position, BID, place)] = bid
            bids[hand * players + place] = bid
            points[cards + 1 + place] = worth
            total += bid
        log[0] = min(log[0], 0)
        play_out(position, cards, value, tables, needs, facts, log)
        for place in range(players):
            tricks[hand * players + place] = position[at(position, WON, place)]
        if log[0] >= 0:
            learn(log, position, total, points, seen, hits)


@compiled
def learn(log: Ints, position: Ints, total: int, points: Ints, seen: Ints, hits: Ints) -> None:
    """Adds what a finished hand shows to `seen` and `hits`, in 64ths, by cell of the tables."""
    players, cards = position[SEATS], position[SIZE]
    for index in range(log[0]):
        entry = LOG + 5 * index
        what, cell, key, part, target = log[entry], log[entry + 1], log[entry + 2], log[entry + 3], log[entry + 4]
        if what in (A_RATE, A_TRICK):
            seen[cell] += 64
            hits[cell] += 64 * (position[WINNERS] >> key & 1)
        elif what == A_BID:
            made = 1 if position[at(position, WON, key)] == target else 0
            seen[cell] += 64 - part
            hits[cell] += (64 - part) * made
            seen[cell + 1] += part
            hits[cell + 1] += part * made
    no_trump = 0 if position[TRUMP_SET] else 1
    said = 0
    for place in range(players):
        bid, won, worth = (
            position[at(position, BID, place)],
            position[at(position, WON, place)],
            points[cards + 1 + place],
        )
        cell = BIDDING_AT + group_of(players) * BIDDING + making_cell(no_trump, cards, bid, total - cards, worth)
        part, made = part_of(worth, bid), 1 if won == bid else 0
        seen[cell] += 64 - part
        hits[cell] += (64 - part) * made
        seen[cell + 1] += part
        hits[cell + 1] += part * made
        if not made:
            cell = missing_cell(total - cards, worth, bid)
            for off in range(7):
                seen[cell + off] += 1
            hits[cell + min(max(won - bid, -3), 3) + 3] += 1
        rest = players - 1 - place
        if rest:
            cell = later_cell(players, cards, rest, place, said)
            for off in range(9):
                seen[cell + off] += 1
            hits[cell + min(max(total - said - bid - share_of(players, cards, rest), -4), 4) + 4] += 1
        said += bid
