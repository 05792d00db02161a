"""Sets of cards as bits and random words, the same in Python and in machine code."""

from random import Random

import pytest

from scorekeeper.engine import bits, play
from scorekeeper.engine.bits import FRACTION, FRACTION_BITS, after, lowest, nth, portable_nth, stream, word
from scorekeeper.engine.cards import lane
from scorekeeper.engine.compiled import compiled
from scorekeeper.engine.rules import SUITS
from tests.lab import without_numba

python = without_numba("bits")
compiled_legal_cards = compiled(play.legal_cards)
compiled_beats = compiled(play.beats)


@compiled
def compiled_nth(cards: int, r: int) -> int:
    return nth(cards, r)


@compiled
def compiled_times(left: int, right: int) -> int:
    return bits.times(left, right)


@compiled
def size_length_lowest(cards: int) -> tuple[int, int, int]:
    return cards.bit_count(), cards.bit_length(), lowest(cards)


def sets(seed: int, count: int) -> list[int]:
    """Sets of all sizes from 1 to 62 cards."""
    rng = Random(seed)
    return [sum(1 << card for card in rng.sample(range(62), 1 + number % 62)) for number in range(count)]


def test_the_nth_card_of_a_set_by_every_way() -> None:
    for cards in sets(1, 248):
        places = [place for place in range(62) if cards >> place & 1]

        for r, place in enumerate(places):
            assert (nth(cards, r), compiled_nth(cards, r)) == (1 << place, 1 << place)
            assert (portable_nth(cards, r), python.portable_nth(cards, r)) == (1 << place, 1 << place)


def test_counting_in_machine_code() -> None:
    for cards in sets(2, 248):
        first = min(place for place in range(62) if cards >> place & 1)
        assert size_length_lowest(cards) == (cards.bit_count(), cards.bit_length(), first)
        assert lowest(cards) == first
    assert size_length_lowest(0)[:2] == (0, 0)


def test_random_words_are_the_same_in_python_and_in_machine_code() -> None:
    rng = Random(3)
    states = [0, 1, (1 << 62) - 1, *(rng.getrandbits(62) for _ in range(500))]

    for state in states:
        assert (word(state), after(state), stream(state, 7)) == (
            python.word(state),
            python.after(state),
            python.stream(state, 7),
        )
        assert 0 <= word(state) <= FRACTION
        assert 0 <= after(state) < 1 << 62 > stream(7, state) >= 0


@pytest.mark.parametrize("bit", range(FRACTION_BITS))
def test_each_bit_of_a_word_is_set_as_often_as_not(bit: int) -> None:
    state = stream(5, bit)
    ones = 0
    for _ in range(4000):
        state = after(state)
        ones += word(state) >> bit & 1

    assert abs(ones - 2000) < 4 * 4000**0.5 / 2


def test_neighbouring_seeds_and_streams_share_no_words() -> None:
    # A seed that were only multiplied by the step would give its neighbour's words, moved by one.
    words = set()
    for seed in range(20):
        for number in range(20):
            state = stream(seed, number)
            for _ in range(10):
                state = after(state)
                words.add(word(state))

    assert len(words) == 20 * 20 * 10


def test_a_change_of_one_bit_changes_half_of_a_word() -> None:
    rng = Random(6)
    changed = [
        (word(state) ^ word(state ^ 1 << bit)).bit_count() / FRACTION_BITS
        for state in (rng.getrandbits(62) for _ in range(200))
        for bit in range(62)
    ]

    assert 0.49 < sum(changed) / len(changed) < 0.51


def test_the_rules_of_play_are_the_same_in_machine_code() -> None:
    rng = Random(7)
    cards = [suit * 16 + rank for suit in range(4) for rank in range(15)]
    for _ in range(3000):
        holding = sum(1 << card for card in rng.sample(cards, rng.randint(1, 12)))
        led, best = rng.choice(cards), rng.choice([-1, *cards])
        to_follow = play.asked(led, 0) if best >= 0 else 0
        trump = rng.choice([0, *(lane(suit) for suit in SUITS)])
        position = (holding, to_follow, best, trump, rng.randrange(32), rng.random() < 0.5)

        assert compiled_legal_cards(*position) == play.legal_cards(*position)
        assert compiled_beats(led, best, trump) == play.beats(led, best, trump)


def test_products_wrap_round_at_63_bits() -> None:
    rng = Random(8)
    for left, right in [(rng.getrandbits(63), rng.getrandbits(63)) for _ in range(500)]:
        assert compiled_times(left, right) == bits.times(left, right) == left * right % (1 << 63)
