"""Banks of hands that bots played among themselves: what was bid and won at each place, in bidding order.

There is one for each number of players and cards, with the hook and without it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from zlib import compress, decompress

PLAYERS = range(2, 8)
HANDS = 1000  # in each bank
OVER_AT_MOST = 2  # bids that exceed the tricks by more, or fall short by more, go on like these
PRIOR = 8.0  # how many hands' worth the misses of all bids count beside those of the very bid

Played = tuple[bytes, bytes]  # the bids and the tricks of a hand, by place


def most_cards(players: int) -> int:
    """The cards of the largest hand that is kept for so many players: Wizard's whole pack."""
    return min(20, 60 // players)


@dataclass(frozen=True, eq=False)
class Bank:
    """Hands of `cards` cards between `players` players; a byte for each bid and its tricks, hand by hand."""

    players: int
    cards: int
    bids: bytes = field(repr=False)
    tricks: bytes = field(repr=False)

    @cached_property
    def hands(self) -> Sequence[Played]:
        """The bids and the tricks of every hand, by place."""
        starts = range(0, len(self.bids), self.players)
        ends = (slice(start, start + self.players) for start in starts)
        return [(self.bids[where], self.tricks[where]) for where in ends]

    @cached_property
    def results(self) -> Counter[tuple[int, int]]:
        """How often which bid came to how many tricks."""
        return Counter(zip(self.bids, self.tricks, strict=True))

    @cached_property
    def results_by_total(self) -> Mapping[int, Counter[tuple[int, int]]]:
        """The same by how much all bids exceed the tricks, from -OVER_AT_MOST to OVER_AT_MOST."""
        results = {over: Counter[tuple[int, int]]() for over in range(-OVER_AT_MOST, OVER_AT_MOST + 1)}
        for bids, tricks in self.hands:
            results[_clipped(sum(bids) - self.cards)].update(zip(bids, tricks, strict=True))
        return results

    def tricks_after(self, bid: int, over: int) -> Sequence[float]:
        """How likely each number of tricks is for who bid so, where all bids exceed the tricks by `over`."""
        results = self.results_by_total[_clipped(over)]
        misses = Counter[int]()
        for (said, won), count in results.items():
            misses[won - said] += count
        general = [misses[won - bid] + 1e-3 for won in range(self.cards + 1)]
        weight = PRIOR / sum(general)
        counts = [results[bid, won] + weight * likely for won, likely in enumerate(general)]
        return [count / sum(counts) for count in counts]


def _clipped(over: int) -> int:
    return max(-OVER_AT_MOST, min(OVER_AT_MOST, over))


@cache
def bank(players: int, cards: int, *, hook: bool) -> Bank | None:
    """The bank of such hands; None where there is none."""
    if players not in PLAYERS or not 1 <= cards <= most_cards(players):
        return None
    size = HANDS * players
    at = 2 * size * (hook * most_cards(players) + cards - 1)
    bids, tricks = (_content(players)[start : start + size] for start in (at, at + size))
    return Bank(players, cards, bids, tricks)


@cache
def _content(players: int) -> bytes:
    return decompress(files("scorekeeper.engine").joinpath("tables", file_name(players)).read_bytes())


def file_name(players: int) -> str:
    """What the file with the banks of so many players is called."""
    return f"hands-{players}.z"


def packed(banks: Iterable[Bank]) -> bytes:
    """The content of a file: the banks without the hook from one card up, then those with it."""
    return compress(b"".join(one.bids + one.tricks for one in banks), 9)
