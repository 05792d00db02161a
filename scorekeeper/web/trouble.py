"""Why a write was refused, for the page that it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask_babel import gettext as _
from markupsafe import Markup, escape

from scorekeeper.engine.events import Cell, EventError, Value
from scorekeeper.engine.faults import RuleError
from scorekeeper.store import ConflictError, Game, KeyReusedError, LimitError
from scorekeeper.web.hand_form import Form, UnreadableError
from scorekeeper.web.texts import about, cell_label, cell_text, fill, sentence


@dataclass(frozen=True)
class Trouble:
    """What is said, and what was to be written.

    `code` is that of the rule, "settle" where bids made all at once came out even. `compared` holds for each cell
    that two phones wrote what it is, what stands now, and what was to be written.
    """

    text: Markup
    cells: Mapping[Cell, Value] = field(default_factory=dict)
    code: str = ""
    compared: tuple[tuple[Markup, str, str], ...] = ()
    typed: Form = field(default_factory=Form)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What was to be written, as a form's fields."""
        return [
            (name if seat is None else f"{name}-{seat}", _text(value)) for (name, seat), value in self.cells.items()
        ]

    @property
    def bid_seat(self) -> int | None:
        """Whose bid it was, if it was one bid."""
        seats = [seat for name, seat in self.cells if name == "bids"]
        return seats[0] if len(seats) == 1 else None

    @property
    def tricks(self) -> dict[int, int]:
        """The tricks among it, by seat."""
        return {
            seat: value
            for (name, seat), value in self.cells.items()
            if name == "tricks" and seat is not None and isinstance(value, int)
        }


# What a write may be refused with, beside a conflict.
REFUSALS = (UnreadableError, EventError, RuleError, KeyReusedError, LimitError)


def refusal(game: Game, error: Exception, cells: Mapping[Cell, Value], typed: Form) -> Trouble:
    """Why a write was refused with one of REFUSALS."""
    match error:
        case UnreadableError():
            return Trouble(error.text, cells)
        case RuleError(fault=fault):
            code = "settle" if fault.numbers.get("said") == "hook_all" else fault.code
            return Trouble(about(game, fault.seat, escape(sentence(fault))), cells, code, typed=typed)
        case KeyReusedError():
            said = _("Something else was sent from this form before. Look at the sheet, then write again.")
            return Trouble(fill(said), cells)
        case LimitError(code="players", limit=limit):
            return Trouble(fill(_("This book is full: it holds {n} players."), n=limit), cells)
        case LimitError(limit=limit):
            return Trouble(fill(_("This sheet is full: it holds {n} entries."), n=limit), cells)
    return Trouble(fill(_("This form was not complete. Please try again.")), cells)


def conflict(error: ConflictError, cells: Mapping[Cell, Value]) -> Trouble:
    """What two phones wrote differently."""
    game = error.game
    compared = tuple(
        (
            cell_label(game, clash.cell),
            cell_text(game, clash.cell, clash.now),
            cell_text(game, clash.cell, clash.mine),
        )
        for clash in error.clashes
    )
    return Trouble(fill(_("Another phone wrote something else here.")), cells, compared=compared)


def _text(value: object) -> str:
    return "" if value is None else "1" if value is True else str(value)
