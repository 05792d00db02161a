"""Compiles inner loops with numba where the extra `lab` has brought it; without it the same functions run in Python.

What is compiled computes with numbers and arrays alone, so that both give the same results. Whole numbers are signed
64-bit ones there: nothing may grow past 63 bits. Compiled code has `bit_count` and `bit_length` of whole numbers as
Python has them, an instruction each.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

try:
    import numba
except ImportError:  # the extra is not installed
    numba = None  # type: ignore[assignment]

AVAILABLE = numba is not None
P = ParamSpec("P")
R = TypeVar("R")
Ints = list[int]  # what `numbers` gives
Octets = Sequence[int]  # what `octets` gives


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, which other threads may run beside; as it is without numba."""
    if numba is None:
        return function
    fast: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
    return fast


def numbers(values: Iterable[int]) -> Ints:
    """An array of whole numbers that compiled code may write in; a list without numba."""
    if numba is None:
        return list(values)
    import numpy as np

    array: Any = np.array(list(values), dtype=np.int64)
    as_list: Ints = array
    return as_list


def octets(data: bytes) -> Octets:
    """Read-only numbers from 0 to 255 for compiled code; the bytes themselves without numba."""
    if numba is None:
        return data
    import numpy as np

    array: Any = np.frombuffer(data, dtype=np.uint8)
    as_sequence: Octets = array
    return as_sequence


if numba is not None:
    from llvmlite import ir
    from numba.extending import intrinsic, overload_method

    # numba calls these with its own arguments by name, hence the unused ones.
    @intrinsic
    def _ones(typingctx: Any, number: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
            return builder.ctpop(given[0])

        return numba.types.int64(numba.types.int64), code

    @intrinsic
    def _width(typingctx: Any, number: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
            zeros = builder.ctlz(given[0], ir.Constant(ir.IntType(1), 0))
            return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

        return numba.types.int64(numba.types.int64), code

    ones: Any = _ones  # with numba's first argument filled in by numba
    width: Any = _width

    @overload_method(numba.types.Integer, "bit_count")
    def _bit_count(number: Any) -> Any:  # noqa: ARG001
        def code(number: Any) -> Any:
            return ones(number)

        return code

    @overload_method(numba.types.Integer, "bit_length")
    def _bit_length(number: Any) -> Any:  # noqa: ARG001
        def code(number: Any) -> Any:
            return width(number)

        return code
