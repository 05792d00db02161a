"""Sets of cards as bits, and random words: what every compiled loop is made of.

Each function gives the same in Python and in machine code; there, `int.bit_count` and `int.bit_length` work too. Sets
have at most 62 bits and are never negative.
"""

from scorekeeper.engine.compiled import AVAILABLE, compiled, numbers

# A random word is a fraction of 57 bits: times a number up to 60 it stays below 2 ** 63.
FRACTION_BITS = 57
FRACTION = (1 << FRACTION_BITS) - 1
_STATES = (1 << 62) - 1
_WORDS = (1 << 63) - 1

# SplitMix64's increment and multipliers (Steele, Lea, Flood 2014; Stafford's mix 13), cut to 61 and 63 bits.
_STEP = 0x1E3779B97F4A7C15
_MIX_1 = 0x3F58476D1CE4E5B9
_MIX_2 = 0x14D049BB133111EB

# The bit of each place in a byte: `_IN_BYTE[byte * 8 + r]` is the byte's r-th set bit.
_IN_BYTE = numbers(
    sum(1 << place for place in range(8) if number >> place & 1 and (number & (1 << place) - 1).bit_count() == r)
    for number in range(256)
    for r in range(8)
)


def lowest(cards: int) -> int:
    """The number of the lowest card of a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def nth(cards: int, r: int) -> int:
    """The `r`-th lowest card of a set as a set of its own; `r` counts from 0 and is below the number of cards."""
    while r:
        cards &= cards - 1
        r -= 1
    return cards & -cards


@compiled
def portable_nth(cards: int, r: int) -> int:
    """What `nth` gives, without a loop and without the processor's own instruction for it."""
    two = (cards & 0xFFFF_FFFF).bit_count()
    base = 16 * (
        (r >= (cards & 0xFFFF).bit_count()) + (r >= two) + (r >= (cards & 0xFFFF_FFFF_FFFF).bit_count())
    )  # the lane it is in
    r -= (cards & ((1 << base) - 1)).bit_count()
    cards >>= base
    low = (cards & 0xFF).bit_count()
    upper = (low - 1 - r) >> 63  # -1 where it is in the lane's upper half, else 0
    r -= low & upper
    half = 8 & upper
    return _IN_BYTE[((cards >> half & 0xFF) * 8 + r) & 0x7FF] << base + half  # never negative: the compiler sees it


def times(left: int, right: int) -> int:
    """The lower 63 bits of a product that may be larger."""
    return left * right & _WORDS


@compiled
def stream(seed: int, number: int) -> int:
    """Where the random words of one of many independent streams start; `seed` and `number` are 0 to 2 ** 62 - 1.

    Both are hashed: neighbouring seeds and neighbouring streams have nothing in common.
    """
    return mixed(mixed(seed) ^ number) >> 1


@compiled
def after(state: int) -> int:
    """The state that follows."""
    return (state + _STEP) & _STATES


@compiled
def word(state: int) -> int:
    """The random word of a state, 0 to `FRACTION`.

    A number below `end` from it is `word * end >> FRACTION_BITS`; `word * end & FRACTION` is then as good as a word
    for the next number, until the product of all `end` reaches 2 ** 30.
    """
    return mixed(state) >> 63 - FRACTION_BITS


@compiled
def mixed(number: int) -> int:
    """A hash of 63 bits; no two numbers below 2 ** 63 have the same."""
    number = times(number ^ number >> 30, _MIX_1)
    number = times(number ^ number >> 27, _MIX_2)
    return number ^ number >> 31


if AVAILABLE:
    from scorekeeper.engine import machine

    machine.teach(lowest, nth, portable_nth, times)
