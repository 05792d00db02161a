"""Very many random hands: each replayed by the slow reference, the same by every kernel, and fair."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt
from typing import Any

import pytest

from scorekeeper.engine.cards import CardError, Pack, as_set, pack_of
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.kernel import CHUNK, Hands, random_hands, random_play
from scorekeeper.engine.rules import Rules
from tests.lab import without_numba
from tests.reference import FRENCH, SUITS, Duties, replay, winner

PACK = pack_of(Rules(), 4)
SPANISH = pack_of(presets()["pocha"].rules, 4)
# Players, cards, trump.
SHAPES = [
    (4, 10, "turn_up"),
    (4, 13, "NT"),
    (7, 7, "turn_up"),
    (3, 15, "turn_up"),
    (5, 1, "turn_up"),
    (6, 8, "turn_up"),
    (3, 17, "turn_up"),
    (4, 5, "NT"),
    (4, 10, "H"),
]
python: Any = without_numba("kernel")


def portable(*arguments: Any, **options: Any) -> Hands:
    return random_hands(*arguments, portable=True, **options)


# The loops in machine code with the processor's own choice of a bit, without it, and in Python.
KERNELS: dict[str, Callable[..., Hands]] = {
    "compiled": random_hands,
    "portable": portable,
    "python": python.random_hands,
}


def replayed(
    hands: Hands, pack: Pack, players: int, cards: int, trump: str, *, must_trump: bool = False
) -> list[tuple[list[str], str]]:
    """Every hand by the reference, whose count of tricks must be the kernel's; gives back all choices of a card."""
    counted = [[0] * (cards + 1) for _ in range(players)]
    choices: list[tuple[list[str], str]] = []
    for deal, played in zip(hands.deals, hands.plays, strict=True):
        names = [pack.name(card) for card in deal]
        assert len(set(names)) == len(names) == players * cards + (trump == "turn_up")
        held = [names[place : players * cards : players] for place in range(players)]
        suit = names[-1][1] if trump == "turn_up" else trump
        tricks, chosen = replay(held, list(map(pack.name, played)), suit, pack.ranks, Duties(must_trump=must_trump))
        for place, taken in enumerate(tricks):
            counted[place][taken] += 1
        choices += chosen
    assert hands.tricks == tuple(map(tuple, counted))
    return choices


@pytest.mark.parametrize("must_trump", [False, True])
@pytest.mark.parametrize(("players", "cards", "trump"), SHAPES)
@pytest.mark.parametrize("name", KERNELS)
def test_the_reference_finds_nothing_wrong(name: str, players: int, cards: int, trump: str, must_trump: bool) -> None:
    hands = KERNELS[name](PACK, players, cards, trump, 150, 11, must_trump=must_trump, record=True)

    assert len(hands.plays) == 150
    replayed(hands, PACK, players, cards, trump, must_trump=must_trump)


def test_the_reference_finds_what_is_wrong() -> None:
    hands = random_hands(PACK, 4, 10, "turn_up", 50, 11, record=True)

    with pytest.raises(AssertionError, match="legal are"):
        replayed(hands, PACK, 4, 10, "turn_up", must_trump=True)


@pytest.mark.parametrize("must_trump", [False, True])
@pytest.mark.parametrize(("players", "cards", "trump"), SHAPES)
def test_the_same_hands_by_every_kernel(players: int, cards: int, trump: str, must_trump: bool) -> None:
    first, *others = [
        astuple(hands(PACK, players, cards, trump, 500, 12, must_trump=must_trump, record=True))
        for hands in KERNELS.values()
    ]

    assert all(other == first for other in others)


def test_the_same_hands_on_every_machine() -> None:
    hands = KERNELS["python"](PACK, 3, 2, "turn_up", 2, 2026, record=True)

    assert [" ".join(map(PACK.name, deal)) for deal in hands.deals] == ["JS 6C JD JH 5C 3H 6D", "8H 9S KD JH KS QD 4C"]
    assert [" ".join(map(PACK.name, played)) for played in hands.plays] == ["JS 5C JD 3H JH 6C", "8H KS QD JH 9S KD"]


def test_other_packs() -> None:
    hands = random_hands(SPANISH, 4, 9, "turn_up", 100, 13, must_trump=True, record=True)

    replayed(hands, SPANISH, 4, 9, "turn_up", must_trump=True)
    assert {card for deal in hands.deals for card in deal} == set(SPANISH.cards)


@pytest.mark.parametrize("count", [CHUNK, 3 * CHUNK + 5])
def test_threads_and_chunks_change_nothing(count: int) -> None:
    alone = random_hands(PACK, 5, 1, "turn_up", count, 14, record=True)

    assert random_hands(PACK, 5, 1, "turn_up", count, 14, record=True, threads=2) == alone
    assert astuple(python.random_hands(PACK, 5, 1, "turn_up", count, 14, record=True)) == astuple(alone)
    assert sum(alone.tricks[0]) == len(alone.deals) == count
    chunks = range(0, count, CHUNK)
    assert len({alone.deals[start : start + 5] for start in chunks}) == len(chunks)


def test_a_record_changes_nothing() -> None:
    told = random_hands(PACK, 4, 10, "turn_up", 1000, 15, record=True)
    untold = random_hands(PACK, 4, 10, "turn_up", 1000, 15)

    assert untold == Hands(told.tricks)


@pytest.mark.parametrize("must_trump", [False, True])
def test_one_deal_played_often(must_trump: bool) -> None:
    deal = random_hands(PACK, 4, 10, "S", 1, 16, record=True).deals[0]
    holdings = [as_set(deal[place::4]) for place in range(4)]

    plays = random_play(holdings, "S", 200, 17, must_trump=must_trump, record=True)

    assert plays.deals == ()
    dealt = tuple(deal for _ in range(200))
    replayed(Hands(plays.tricks, dealt, plays.plays), PACK, 4, 10, "S", must_trump=must_trump)
    assert len(set(plays.plays)) == 200
    for options in ({"portable": True}, {"threads": 2}):
        assert random_play(holdings, "S", 200, 17, must_trump=must_trump, record=True, **options) == plays
    again = python.random_play(holdings, "S", 200, 17, must_trump=must_trump, record=True)
    assert astuple(again) == astuple(plays)


@pytest.mark.parametrize(
    ("players", "cards", "trump", "words"),
    [
        (4, 13, "turn_up", "52 cards are not enough"),
        (0, 5, "S", "not enough"),
        (4, 0, "S", "not enough"),
        (53, 1, "NT", "not enough"),
        (4, 5, "X", "known are C, D, H, S, NT, turn_up"),
    ],
)
def test_hands_that_cannot_be(players: int, cards: int, trump: str, words: str) -> None:
    with pytest.raises(CardError, match=words):
        random_hands(PACK, players, cards, trump, 1, 1)


@pytest.mark.parametrize("name", ["wizard", "stiche_raten"])
def test_packs_that_are_not_played_at_random(name: str) -> None:
    with pytest.raises(CardError, match="one pack of plain cards"):
        random_hands(pack_of(presets()[name].rules, 4), 4, 5, "S", 1, 1)


@pytest.mark.parametrize("holdings", [[], [0, 0], [0b110, 0b1000], [0b110, 0b1010], [1, 2], [1 << 66, 2], [1 << 15, 2]])
def test_deals_that_cannot_be(holdings: list[int]) -> None:
    with pytest.raises(CardError, match="as many plain cards"):
        random_play(holdings, "S", 1, 1)


def test_a_given_deal_has_its_trump() -> None:
    with pytest.raises(CardError, match="known are C, D, H, S, NT"):
        random_play([2, 4], "turn_up", 1, 1)


# Fairness. A chi-square of f degrees of freedom is below this limit in all but one of 10,000 cases (Wilson, Hilferty).


def limit(freedom: int) -> float:
    return freedom * (1 - 2 / (9 * freedom) + 3.719 * sqrt(2 / (9 * freedom))) ** 3


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def assert_even(values: Iterable[Any], kinds: int) -> None:
    counts = Counter(values)
    each = counts.total() / kinds

    assert each >= 20
    assert chi_square(counts.values(), each) + (kinds - len(counts)) * each < limit(kinds - 1)


FAIR = random_hands(PACK, 4, 10, "turn_up", 20_000, 18, record=True)


def test_what_is_not_fair_is_found() -> None:
    with pytest.raises(AssertionError):
        assert_even([0, 1, 2] * 1000 + [0] * 200, 3)


@pytest.mark.parametrize("place", range(4))
def test_every_card_comes_to_every_place_as_often(place: int) -> None:
    # Ten cards of one deal hang together: one of each deal is counted.
    assert_even((deal[4 * (number % 10) + place] for number, deal in enumerate(FAIR.deals)), 52)


def test_cards_of_a_deal_come_in_any_order() -> None:
    assert_even((tuple(sorted(range(3), key=(deal[0], deal[19], deal[39]).__getitem__)) for deal in FAIR.deals), 6)


def test_one_deal_tells_nothing_of_the_next() -> None:
    # The deck is not sorted between two hands.
    assert_even(((before[3] // 16, after[3] // 16) for before, after in pairwise(FAIR.deals)), 16)


def test_every_suit_is_trump_as_often() -> None:
    assert_even((deal[-1] // 16 for deal in FAIR.deals), 4)


def test_the_first_lead_is_any_of_the_leaders_cards() -> None:
    assert_even(
        (sorted(deal[0:40:4]).index(played[0]) for deal, played in zip(FAIR.deals, FAIR.plays, strict=True)), 10
    )


def test_every_legal_card_is_played_as_often() -> None:
    choices = replayed(random_hands(PACK, 4, 10, "turn_up", 2500, 21, record=True), PACK, 4, 10, "turn_up")
    by_number: dict[int, list[int]] = {}
    for legal, chosen in choices:
        by_number.setdefault(len(legal), []).append(sorted(legal, key=PACK.card).index(chosen))

    assert set(by_number) == set(range(1, 11))
    for number in range(2, 11):
        assert_even(by_number[number], number)


# The chance that whoever leads wins a hand of one card, with a card turned up.
ONE_CARD = {3: 0.501048, 4: 0.369700, 5: 0.281239, 6: 0.220662, 7: 0.178380}


def one_card_chance(players: int) -> Fraction:
    """Exactly: every lead and turn-up, and none of the others' cards out of those that the reference says beat it."""
    cards = [rank + suit for suit in SUITS for rank in FRENCH]
    ways = Fraction(0)
    for lead in cards:
        for turned in (rank + "S" for rank in FRENCH):  # every suit is the same
            others = [card for card in cards if card not in (lead, turned)]
            beaten = sum(winner([lead, card], "S") for card in others)
            if lead != turned:
                ways += Fraction(comb(50 - beaten, players - 1), comb(50, players - 1))
    return ways / (51 * 13)


@pytest.mark.parametrize("players", ONE_CARD)
def test_the_leaders_chance_with_one_card(players: int) -> None:
    count = 200_000
    exact = ONE_CARD[players]
    assert abs(float(one_card_chance(players)) - exact) < 5e-7

    won = random_hands(PACK, players, 1, "turn_up", count, 19).tricks[0][1]

    assert abs(won / count - exact) < 5 * sqrt(exact * (1 - exact) / count)


def test_the_tricks_of_a_hand_are_all_taken() -> None:
    tricks: Sequence[Sequence[int]] = random_hands(PACK, 4, 10, "turn_up", 1000, 20).tricks

    assert sum(number * hands for place in tricks for number, hands in enumerate(place)) == 10_000
    assert [sum(place) for place in tricks] == [1000] * 4
