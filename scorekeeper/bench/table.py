"""What a bench gives: figures, each beside its bar, as a table that grows while it runs or as JSON."""

import json
import os
import platform
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

NAME_WIDTH = 76


@dataclass(frozen=True)
class Row:
    """A figure: `value` in `unit`, "×" for a ratio; None where it cannot be measured here, which `name` explains.

    `bar` is None where the figure is only told.
    """

    name: str
    value: float | None
    bar: float | None = None
    better: Literal["at most", "at least"] = "at most"
    unit: str = ""

    @property
    def met(self) -> bool:
        if self.bar is None or self.value is None:
            return True
        return self.value <= self.bar if self.better == "at most" else self.value >= self.bar

    def __str__(self) -> str:
        bar = "" if self.bar is None else f"{self.better} {self.bar:g}"
        value = "–" if self.value is None else f"{self.value:.4g}"
        return f"{self.name:{NAME_WIDTH}}{value:>9} {self.unit:3} {bar:13}{'' if self.met else 'missed'}".rstrip()


def report(rows: Iterable[Row], *, as_json: bool) -> bool:
    """Prints the rows, in a table each as it comes; True if every bar is met."""
    met = True
    if not as_json:
        print(machine(), flush=True)
    kept = []
    for row in rows:
        met = met and row.met
        kept.append(row)
        if not as_json:
            print(row, flush=True)
    if as_json:
        figures = [asdict(row) | {"met": row.met} for row in kept]
        print(json.dumps({"machine": machine(), "rows": figures}, ensure_ascii=False, indent=1))
    return met


def machine() -> str:
    """What the figures were measured on: "AMD EPYC, 2 cores, Linux, Python 3.11.7, SQLite 3.40.1"."""
    return ", ".join(
        (
            _processor(),
            f"{os.cpu_count()} cores",
            platform.system(),
            f"Python {platform.python_version()}",
            f"SQLite {sqlite3.sqlite_version}",
        )
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
