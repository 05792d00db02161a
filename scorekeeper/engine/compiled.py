"""Compiles inner loops with numba where the extra `lab` has brought it; without it the same functions run in Python.

What is compiled computes with numbers and arrays alone, so that both give the same results. Whole numbers are signed
64-bit ones there: nothing may grow past 63 bits.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

try:
    import numba
except ImportError:  # the extra is not installed
    numba = None  # type: ignore[assignment]

AVAILABLE = numba is not None
P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, which other threads may run beside; as it is without numba."""
    if numba is None:
        return function
    fast: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
    return fast
