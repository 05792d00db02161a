"""How fast hands are played at random, beside open_spiel, as ratios of hands in a second of CPU time.

Play only: one deal again and again, against the rollouts inside open_spiel's search, which are C++ from end to end and
the fastest way from Python to play its hands. Whole hands in pure Python: dealt, trump turned up and played, against a
loop over open_spiel's `apply_action`, whose hands are bid too.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from scorekeeper.bench.contenders import SPIEL, our_hands, our_play, rates, spiel_loop, spiel_search
from scorekeeper.bench.table import Row
from scorekeeper.engine.compiled import AVAILABLE
from scorekeeper.engine.kernel import CHUNK

SHAPES = ((4, 10), (7, 7), (3, 15))  # players, cards
IN_PYTHON = SHAPES[:2]
BARS = {"PDEP": 30.0, "portable": 18.0}  # times open_spiel's rollouts
PYTHON_BAR = 1.5  # times open_spiel's loop
# Another process, for which numba is not installed.
WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None; from scorekeeper.bench import cards; cards.tell_in_python()"


@dataclass(frozen=True)
class Load:
    """How long is measured; what stands here is the bench."""

    rounds: int = 7
    seconds: float = 0.3  # of each contender in a round
    hands: int = 16 * CHUNK  # of a call of the kernel
    slow_hands: int = 300  # of a call in Python


def rows(load: Load | None = None) -> Iterator[Row]:
    """The figures, each shape's when it is measured; what is not installed is named in the row that it is for."""
    load = load or Load()
    if AVAILABLE:
        yield from _compiled(load)
    else:
        yield Row("cards in machine code: numba is not installed (extra lab)", None)
    for (players, cards), measured in zip(IN_PYTHON, _in_python(load), strict=True):
        name = f"{players}×{cards} whole hands, pure Python"
        yield Row(name, median(measured["ours"]) / 1000, unit="k/s")
        yield _ratio(name, measured["ours"], measured.get("open_spiel"), "loop", PYTHON_BAR)


def _compiled(load: Load) -> Iterator[Row]:
    ways = _ways()
    for players, cards in SHAPES:
        contenders = {way: our_play(players, cards, load.hands, portable=way != "PDEP") for way in ways}
        if SPIEL:
            contenders["open_spiel"] = spiel_search(players, cards)
        measured = rates(contenders, load.rounds, load.seconds)
        for way in ways:
            name = f"{players}×{cards} play only, {way}"
            yield Row(name, median(measured[way]) / 1000, unit="k/s")
            yield _ratio(name, measured[way], measured.get("open_spiel"), "rollouts", BARS[way])
    for players, cards in SHAPES:
        hands = {way: our_hands(players, cards, load.hands, portable=way != "PDEP") for way in ways}
        for way, of_way in rates(hands, load.rounds, load.seconds).items():
            yield Row(f"{players}×{cards} whole hands, {way}", median(of_way) / 1000, unit="k/s")
    threads = {str(count): our_hands(4, 10, load.hands, threads=count) for count in (1, 2)}
    by_the_clock = rates(threads, load.rounds, load.seconds, time.perf_counter)
    yield Row(
        "4×10 whole hands by the clock: two threads / one", _median(by_the_clock["2"], by_the_clock["1"]), unit="×"
    )


def _ways() -> list[str]:
    """With the processor's own choice of a bit where it has that, and without."""
    from scorekeeper.engine.machine import HAS_PDEP

    return list(BARS) if HAS_PDEP else ["portable"]


def _median(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def _ratio(name: str, ours: Sequence[float], theirs: Sequence[float] | None, what: str, bar: float) -> Row:
    if theirs is None:
        return Row(f"{name} / open_spiel: it is not installed (extra bench)", None, bar, "at least", "×")
    return Row(f"{name} / open_spiel's {what}", _median(ours, theirs), bar, "at least", "×")


def _in_python(load: Load) -> list[Mapping[str, list[float]]]:
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    told = subprocess.run(  # noqa: S603 - Python itself, with arguments of ours
        [sys.executable, "-c", WITHOUT_NUMBA],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        input=json.dumps(asdict(load)),
        capture_output=True,
        text=True,
        check=True,
    )
    measured: list[Mapping[str, list[float]]] = json.loads(told.stdout)
    return measured


def tell_in_python() -> None:
    """Measures the whole hands of this process, and writes its rates for the one that asked."""
    load = Load(**json.load(sys.stdin))
    measured = []
    for players, cards in IN_PYTHON:
        contenders = {"ours": our_hands(players, cards, load.slow_hands)}
        if SPIEL:
            contenders["open_spiel"] = spiel_loop(players, cards, load.slow_hands)
        measured.append(rates(contenders, load.rounds, load.seconds))
    sys.stdout.write(json.dumps(measured))
