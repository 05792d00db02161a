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
    """Hands of `cards` cards between `players` players."""

    players: int
    cards: int
    hands: Sequence[Played] = field(repr=False)

    def tricks(self, bid: int, over: int) -> Sequence[float]:
        """How likely each number of tricks is for who bid so, where all bids exceed the tricks by `over`."""
        over = _clipped(over)
        very, general = self._results.get((bid, over), Counter()), self._misses[over]
        prior = {tricks: general[tricks - bid] + 1e-3 for tricks in range(self.cards + 1)}
        weight = PRIOR / sum(prior.values())
        counts = [very[tricks] + weight * prior[tricks] for tricks in range(self.cards + 1)]
        return [count / sum(counts) for count in counts]

    @cached_property
    def _results(self) -> Mapping[tuple[int, int], Counter[int]]:
        """By bid and by how much all bids exceed the tricks, how often each number of tricks was won."""
        results: dict[tuple[int, int], Counter[int]] = {}
        for bids, tricks in self.hands:
            over = _clipped(sum(bids) - self.cards)
            for bid, won in zip(bids, tricks, strict=True):
                results.setdefault((bid, over), Counter())[won] += 1
        return results

    @cached_property
    def _misses(self) -> Mapping[int, Counter[int]]:
        """By how much all bids exceed the tricks, how often they were missed by how much."""
        misses = {over: Counter[int]() for over in range(-OVER_AT_MOST, OVER_AT_MOST + 1)}
        for (bid, over), results in self._results.items():
            for tricks, count in results.items():
                misses[over][tricks - bid] += count
        return misses


def _clipped(over: int) -> int:
    return max(-OVER_AT_MOST, min(OVER_AT_MOST, over))


def bank(players: int, cards: int, *, hook: bool) -> Bank | None:
    """The bank of such hands; None where there is none."""
    if players not in PLAYERS or not 1 <= cards <= most_cards(players):
        return None
    return _banks(players)[hook, cards]


@cache
def _banks(players: int) -> Mapping[tuple[bool, int], Bank]:
    data = decompress(files("scorekeeper.engine.tables").joinpath(file_name(players)).read_bytes())
    banks, at, size = {}, 0, HANDS * players
    for hook in (False, True):
        for cards in range(1, most_cards(players) + 1):
            bids, tricks = data[at : at + size], data[at + size : at + 2 * size]
            rows = range(0, size, players)
            hands = [(bids[row : row + players], tricks[row : row + players]) for row in rows]
            banks[hook, cards] = Bank(players, cards, hands)
            at += 2 * size
    return banks


def file_name(players: int) -> str:
    """What the file with the banks of so many players is called."""
    return f"hands-{players}.z"


def packed(banks: Iterable[Sequence[Played]]) -> bytes:
    """The content of a file: the hands without the hook from one card up, then those with it."""
    parts = (b"".join(bids for bids, _ in hands) + b"".join(tricks for _, tricks in hands) for hands in banks)
    return compress(b"".join(parts), 9)
