"""What the heuristic player learned from playing against itself, and how it is read."""

import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from scorekeeper.engine.compiled import octets


@cache
def learned() -> Sequence[int]:
    """The chances, 0 to 255 of 255, by the cells that `heuristics` names."""
    return octets(zlib.decompress(files(__package__).joinpath("play.bin").read_bytes()))


def packed(tables: bytes) -> bytes:
    """Tables as their file keeps them."""
    return zlib.compress(tables, 9)
