"""What is compiled where numba is installed, where it is not, and where nothing can be written."""

from pathlib import Path
from random import Random

from scorekeeper.engine.compiled import compiled, numbers
from tests.lab import without_numba

SOURCE = """
def doubled(numbers):
    total = 0
    for number in numbers:
        total += number << 1
    return total
"""


def test_a_folder_that_cannot_be_written_is_no_reason_not_to_compile(tmp_path: Path) -> None:
    # numba looks for a place to keep machine code beside the source, and raises where there is none.
    space: dict[str, object] = {}
    exec(compile(SOURCE, str(tmp_path / "gone" / "source.py"), "exec"), space)  # noqa: S102 - ours
    doubled = space["doubled"]
    assert callable(doubled)

    assert compiled(doubled)(numbers(range(10))) == 90


def test_without_numba_the_function_itself_runs() -> None:
    python = without_numba("compiled")

    assert python.AVAILABLE is False
    assert python.compiled(len) is len
    assert python.numbers(range(3)) == [0, 1, 2]
    assert not hasattr(without_numba("kernel")._chunk, "py_func")


def test_numbers_keep_what_a_set_of_cards_needs() -> None:
    values = [Random(1).getrandbits(62), (1 << 62) - 1, 0]

    assert list(map(int, numbers(values))) == values
