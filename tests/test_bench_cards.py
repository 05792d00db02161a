"""The bench of the cards: its contenders play what they say, and what is missing is said."""

from collections.abc import Callable

import pytest

from scorekeeper.bench import cards, contenders
from scorekeeper.bench.cards import Load
from scorekeeper.bench.table import Row
from scorekeeper.engine import kernel
from scorekeeper.engine.compiled import AVAILABLE

TINY = Load(rounds=1, seconds=0.0001, hands=5, slow_hands=2)


class Clock:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_contenders_take_turns_and_are_counted_by_the_clock() -> None:
    turns: list[tuple[str, int]] = []

    def contender(name: str, hands: int) -> contenders.Contender:
        def ready(number: int) -> contenders.Play:
            turns.append((name, number))
            return lambda: hands

        return ready

    rates = contenders.rates({"slow": contender("slow", 10), "fast": contender("fast", 40)}, 2, 3, Clock())

    # Read at 1 before and at 2, 3 and 4 after: two plays in three seconds.
    assert rates == {"slow": [20 / 3] * 2, "fast": [80 / 3] * 2}
    assert turns == [("slow", 0), ("fast", 0), ("slow", 1), ("fast", 1)]


@pytest.mark.parametrize("make", [contenders.our_play, contenders.our_hands])
def test_ours_plays_the_hands_that_it_counts(
    make: Callable[..., contenders.Contender], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []
    for name in ("random_hands", "random_play"):
        real = getattr(kernel, name)

        def watched(*arguments: object, real: object = real, **options: object) -> kernel.Hands:
            assert callable(real)
            hands: kernel.Hands = real(*arguments, **options)
            played.append(sum(hands.tricks[0]))
            return hands

        monkeypatch.setattr(contenders, name, watched)

    assert make(4, 10, 7)(3)() == 7
    assert played[-1] == 7


@pytest.mark.parametrize("spiel", [True, False])
def test_the_figures_with_their_bars(monkeypatch: pytest.MonkeyPatch, spiel: bool) -> None:
    """A stand-in plays for open_spiel, which need not be installed."""

    def another(players: int, cards: int) -> contenders.Contender:
        return contenders.our_hands(players, cards, 1)

    monkeypatch.setattr(cards, "SPIEL", spiel)
    monkeypatch.setattr(cards, "spiel_search", another)
    rows = list(cards.rows(TINY))

    compared = [row for row in rows if (row.bar and "rollouts" in row.name) or "not installed" in row.name]
    assert len(compared) >= 3 * (1 + AVAILABLE)
    for row in rows:
        missing = "not installed" in row.name
        assert (row.value is None) is missing
        assert row.value is None or row.value > 0
    ways = cards._ways() if AVAILABLE else []
    assert {row.bar for row in rows if row.bar} == {1.5, *(cards.BARS[way] for way in ways)}


def test_a_figure_that_cannot_be_measured_misses_no_bar() -> None:
    row = Row("x / open_spiel: it is not installed", None, 30, "at least", "×")

    assert row.met
    assert str(row).split() == ["x", "/", "open_spiel:", "it", "is", "not", "installed", "–", "×", "at", "least", "30"]


def test_open_spiel_is_driven_to_the_first_lead() -> None:
    pytest.importorskip("pyspiel")

    assert contenders.spiel_search(3, 2)(1)() == 1000
    assert contenders.spiel_loop(3, 2, 4)(1)() == 4
