"""Frozen values out of plain data (what JSON and TOML hold) and back, with a list of what is wrong.

A value is a frozen dataclass whose fields are declared with the functions below. Each says how one key is read;
`read` goes through them, fills in defaults and notes every problem with the path of its field.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol, TypeVar


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with plain data: `path` as in `schedule.segments[0].from`, and a sentence."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


Reader = Callable[[object, str, list[Problem]], Any]


class Plain(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=Plain)


def axis(reader: Reader, default: Any = MISSING, *, key: str | None = None) -> Any:
    """A dataclass field read by `reader`, from `key` where the data's name differs from the field's."""
    return field(default=default, metadata={"reader": reader, "key": key})


def flag() -> Any:
    """False unless the data say true."""
    return axis(boolean, False)


def choice(default: str, *others: str) -> Any:
    """One of some words, the first of which is the default."""
    return axis(one_of(default, *others), default)


def boolean(value: object, path: str, problems: list[Problem]) -> bool:
    if not isinstance(value, bool):
        problems.append(Problem(path, "must be true or false"))
    return value is True


def text(value: object, path: str, problems: list[Problem]) -> str:
    if not isinstance(value, str):
        problems.append(Problem(path, "must be a text"))
        return ""
    return value


def one_of(*words: str) -> Reader:
    def reader(value: object, path: str, problems: list[Problem]) -> str:
        if isinstance(value, str) and value in words:
            return value
        problems.append(Problem(path, f"must be one of {', '.join(words)}"))
        return words[0]

    return reader


def whole(low: int, high: int) -> Reader:
    """A whole number from `low` to `high`; a true or false is none."""

    def reader(value: object, path: str, problems: list[Problem]) -> int:
        if type(value) is int and low <= value <= high:
            return value
        problems.append(Problem(path, f"must be a whole number from {low} to {high}"))
        return low

    return reader


def number(limit: int) -> Reader:
    """An exact number of at most `limit` in size: 3, or "1/2" as a text."""

    def reader(value: object, path: str, problems: list[Problem]) -> int | Fraction:
        exact = exact_number(value)
        if exact is None or not -limit <= exact <= limit:
            problems.append(Problem(path, f'must be a number such as 3 or "1/2", at most {limit} in size'))
            return 0
        return exact

    return reader


# No exponent: the digits of "1e999999999" would be written out.
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|\.[0-9]+)?")


def exact_number(value: object) -> int | Fraction | None:
    """`value` as an exact number, whole where it can be; None if it is no number of up to 30 characters.

    A decimal such as 0.5 is taken by its digits, not by its bits.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        return None
    if isinstance(value, int):
        return value
    digits = str(value)
    if len(digits) > 30 or not _NUMBER.fullmatch(digits):
        return None
    try:
        exact = Fraction(digits)
    except ZeroDivisionError:
        return None
    return exact.numerator if exact.denominator == 1 else exact


def optional(reader: Reader) -> Reader:
    """None where the data say null, else as `reader` has it."""

    def reads(value: object, path: str, problems: list[Problem]) -> Any:
        return None if value is None else reader(value, path, problems)

    return reads


def each(reader: Reader, most: int) -> Reader:
    """A list of up to `most` things as a tuple."""

    def reads(value: object, path: str, problems: list[Problem]) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            problems.append(Problem(path, "must be a list"))
            return ()
        if len(value) > most:
            problems.append(Problem(path, f"must be a list of at most {most}"))
            return ()
        return tuple(reader(one, f"{path}[{index}]", problems) for index, one in enumerate(value))

    return reads


def part(cls: type[Plain]) -> Reader:
    """A table that is a dataclass of its own."""

    def reads(value: object, path: str, problems: list[Problem]) -> Any:
        return read(cls, value, path, problems)

    return reads


def read(cls: type[T], data: object, path: str, problems: list[Problem], ignore: Collection[str] = ()) -> T:
    """A `cls` out of a mapping. Missing keys take their defaults; unknown ones, but for `ignore`, are problems."""
    if not isinstance(data, Mapping):
        problems.append(Problem(path, "must be a table of keys and values"))
        data = {}
    values: dict[str, Any] = {}
    known = {one.metadata["key"] or one.name: one for one in fields(cls)}
    for key, one in known.items():
        where = f"{path}.{key}" if path else key
        if key in data:
            values[one.name] = one.metadata["reader"](data[key], where, problems)
        elif one.default is MISSING:
            problems.append(Problem(where, "is missing"))
            values[one.name] = one.metadata["reader"](None, where, [])
    problems += [
        Problem(f"{path}.{key}" if path else str(key), "is not a known key")
        for key in data
        if key not in known and key not in ignore
    ]
    return cls(**values)


def plain(value: object) -> Any:
    """`value` as plain data that JSON can hold; keys that are None are left out."""
    if is_dataclass(value):
        pairs = ((one.metadata["key"] or one.name, getattr(value, one.name)) for one in fields(value))
        return {key: plain(part) for key, part in pairs if part is not None}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    return value
