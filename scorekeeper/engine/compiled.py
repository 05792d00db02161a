"""Compiles inner loops with numba where the extra `lab` has brought it; without it the same functions run in Python.

What is compiled computes with whole numbers and arrays alone, so that both give the same results. The numbers are
signed 64-bit ones there, and the machine code takes it for granted that sums and products stay below 2 ** 63.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, ParamSpec, TypeVar

AVAILABLE = find_spec("numba") is not None
P = ParamSpec("P")
R = TypeVar("R")
Ints = list[int]  # what `numbers` gives
Octets = Sequence[int]  # what `octets` gives


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, which other threads may run beside; as it is without numba."""
    if not AVAILABLE:
        return function
    from numba import config, njit

    from scorekeeper.engine import machine  # noqa: F401 - what compiled code knows beside numba's own

    config.CACHE_DIR = _place_of_code()  # type: ignore[attr-defined] # numba makes its settings as it starts
    fast: Callable[P, R]
    try:
        fast = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is nowhere to write: compiled anew in each process
        fast = njit(nogil=True)(function)
    return fast


@cache
def _place_of_code() -> str:
    """The folder for machine code of the sources as they are: what is compiled holds functions of several files."""
    folder = files("scorekeeper.engine")
    sources = sorted((file.name, file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".py"))
    return str(folder.joinpath("__pycache__", sha256(repr(sources).encode()).hexdigest()[:10]))


def numbers(values: Iterable[int]) -> Ints:
    """A list of whole numbers that compiled code can read and write: an array of 64-bit ones with numba."""
    if not AVAILABLE:
        return list(values)
    import numpy

    array: Any = numpy.array(list(values), dtype=numpy.int64)
    as_list: Ints = array
    return as_list


def octets(data: bytes) -> Octets:
    """Numbers from 0 to 255 that compiled code can read; the bytes themselves without numba."""
    if not AVAILABLE:
        return data
    import numpy

    array: Any = numpy.frombuffer(data, dtype=numpy.uint8)
    as_sequence: Octets = array
    return as_sequence
