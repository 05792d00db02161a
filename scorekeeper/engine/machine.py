"""What numba does not know of itself: counting bits, taking the r-th one, products that overflow.

Imported only where numba is.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic, overload, overload_method

_WORD = ir.IntType(64)
_SLOW = ("znver1", "znver2")  # processors that have PDEP, but take it apart into hundreds of steps


def _has_pdep() -> bool:
    """Whether compiled code may use this processor's PDEP: not where numba was told to compile for another one."""
    try:
        features = binding.get_host_cpu_features()
    except RuntimeError:  # llvmlite does not know them here
        return False
    told = getattr(config, "CPU_NAME", None) or getattr(config, "CPU_FEATURES", None)
    return not told and bool(features.get("bmi2")) and binding.get_host_cpu_name() not in _SLOW


HAS_PDEP = _has_pdep()


def _instruction(arguments: int, build: Callable[[Any, list[Any]], Any]) -> Any:
    """A function of compiled code that `build` writes in the machine's own words."""

    def generate(_context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return build(builder, values)

    signature = types.int64(*[types.int64] * arguments)
    if arguments == 1:
        return intrinsic(lambda typing, number: (signature, generate))
    return intrinsic(lambda typing, left, right: (signature, generate))


def _pdep(builder: Any, values: list[Any]) -> Any:
    name = "llvm.x86.bmi.pdep.64"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(_WORD, [_WORD, _WORD]), name
    )
    return builder.call(function, values)


_bit_count = _instruction(1, lambda builder, values: builder.ctpop(*values))
_leading_zeros = _instruction(1, lambda builder, values: builder.ctlz(*values, ir.Constant(ir.IntType(1), 0)))
_trailing_zeros = _instruction(1, lambda builder, values: builder.cttz(*values, ir.Constant(ir.IntType(1), 0)))
_deposit = _instruction(2, _pdep)
# Plain `*` of compiled code may not overflow; this one wraps round.
_times = _instruction(2, lambda builder, values: builder.and_(builder.mul(*values), ir.Constant(_WORD, (1 << 63) - 1)))

overload_method(types.Integer, "bit_count")(lambda number: lambda number: _bit_count(number))
overload_method(types.Integer, "bit_length")(lambda number: lambda number: 64 - _leading_zeros(number))


def teach(
    lowest: Callable[[int], int],
    nth: Callable[[int, int], int],
    portable_nth: Callable[[int, int], int],
    times: Callable[[int, int], int],
) -> None:
    """Makes these functions of `bits` known to compiled code."""
    overload(lowest)(lambda cards: lambda cards: _trailing_zeros(cards))
    overload(times)(lambda left, right: lambda left, right: _times(left, right))
    if HAS_PDEP:
        overload(nth)(lambda cards, r: lambda cards, r: _deposit(1 << r, cards))
    else:
        overload(nth)(lambda cards, r: lambda cards, r: portable_nth(cards, r))
