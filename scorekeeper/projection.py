"""The projection of games that are over, which statistics read: derived from the log, and never the truth itself."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import delete, insert, update
from sqlalchemy.orm import Session

from scorekeeper.engine.scoring import Number
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import standings
from scorekeeper.models import Game, Line, Result


def project(session: Session, game: int, sheet: Sheet, ended: datetime | None) -> None:
    """Makes the projection of a game agree with its sheet, which is over since `ended`, or on where that is None."""
    for table in (Line, Result):
        session.execute(delete(table).where(table.game_id == game))
    session.execute(update(Game).where(Game.id == game).values(ended=ended))
    if ended is None:
        return
    lines = [
        {
            "game_id": game,
            "hand": hand.number,
            "seat": seat,
            "cards": hand.cards,
            "bid": hand.bids.get(seat),
            "tricks": hand.tricks.get(seat),
            "points_doubled": _doubled(points),
        }
        for hand in sheet.played
        for seat, points in hand.points.items()
        if points is not None
    ]
    if lines:
        session.execute(insert(Line), lines)
    results = [
        {
            "game_id": game,
            "seat": one.seat,
            "total_doubled": _doubled(one.total),
            "place": one.place,
            "made": one.made,
            "hands": one.hands,
        }
        for one in standings(sheet)
    ]
    session.execute(insert(Result), results)


def over_since(sheet: Sheet, times: Sequence[datetime]) -> datetime | None:
    """When the entry was written that ended the game; corrections after it leave it over and change nothing.

    `times` are those of the sheet's entries. None while the game is on.
    """
    since = None
    for length in range(len(times), 0, -1):
        if not replace(sheet, entries=sheet.entries[:length]).over:
            break
        since = times[length - 1]
    return since


def _doubled(points: Number) -> int:
    """Formulas give whole and half points; only an adjustment can be typed as a third, and statistics round that."""
    return round(2 * points)
