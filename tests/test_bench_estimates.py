"""The bench of the chances to win: its measures, and a small run."""

import pytest

from scorekeeper.bench.estimates import Load, Told, calibration_error, rows


def test_the_calibration_error_is_how_far_each_bins_mean_is_from_what_came() -> None:
    sure = [Told(0.95, 1, 1)] * 3 + [Told(0.95, 1, 0)]  # said 95 of 100, came 75
    even = [Told(0.5, 1, 0.5)] * 4  # a shared win
    certain = [Told(1.0, 1, 1)]

    assert calibration_error(sure) == pytest.approx(0.2)
    assert calibration_error(even) == 0
    assert calibration_error(certain) == 0
    assert calibration_error([*sure, *even]) == pytest.approx(0.1)


def test_a_small_run_has_every_row() -> None:
    measured = list(rows(Load(players=(6, 7), games=3)))

    names = [row.name for row in measured]
    # Six players have 15 hands up and down, seven 13: nothing is told after the last.
    assert sum("6 players" in name for name in names) == sum("7 players" in name for name in names) == 4
    assert names[-1] == "chance to win: CPU of the slowest"
    assert all(row.value is not None and row.value >= 0 for row in measured)
