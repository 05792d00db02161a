"""A game of four in a book, and two phones with its pen: what most tests of the store begin with."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from scorekeeper import books, models, pens, store
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import Event, HandWritten

NAMES = ("Ann", "Bob", "Cy", "Di")


def new_game(players: tuple[str, ...] = NAMES, preset: str = "oh_hell", **more: Any) -> books.NewGame:
    rules = presets()[preset].rules
    return books.NewGame(players=players, rules=rules, preset=preset, first_dealer=len(players) - 1, **more)


def with_pen(session: Session, book: int, secret: str) -> int:
    """A phone with this secret that has taken a pen for the book."""
    return pens.accept(session, pens.invitation(session, book), phone := pens.phone_with(session, secret)) and phone


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What the calls give, all begun at the same moment, each in a thread; an exception in place of what it broke."""
    begin = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        begin.wait()
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


@dataclass(frozen=True)
class Evening:
    """Ann, Bob, Cy and Di play Oh Hell on seats 0 to 3, Di deals first; `left` and `right` are phones with the pen."""

    engine: Engine
    book: int
    code: str
    left: int
    right: int

    @classmethod
    def begin(cls, engine: Engine, **more: Any) -> "Evening":
        with Session(engine) as session:
            left = pens.phone_with(session, "left")
            code = books.start_game(session, left, new_game(**more), house=False)
            book = store.load(session, code).book
            return cls(engine, book, code, left, with_pen(session, book, "right"))

    def write(self, phone: int | None, key: str, event: Event, base: int) -> store.Game:
        with Session(self.engine) as session:
            return store.write(session, self.code, phone, event, key, base)

    def hand(self, phone: int | None, key: str, number: int, base: int, **cells: Any) -> store.Game:
        return self.write(phone, key, HandWritten.of(number, **cells), base)

    def undo(self, phone: int, entry: str, key: str, base: int) -> store.Game:
        with Session(self.engine) as session:
            return store.undo(session, self.code, phone, entry, key, base)

    def load(self) -> store.Game:
        with Session(self.engine) as session:
            return store.load(session, self.code)

    def bids(self, hand: int = 1) -> dict[int, int | None]:
        return dict(self.load().sheet.hand(hand).bids)

    def play(self, made: int = 0) -> store.Game:
        """Plays all hands to the end: everyone bids 0, and seat `made` takes every trick."""
        game = self.load()
        while hand := game.sheet.current:
            tricks = {seat: hand.cards if seat == made else 0 for seat in range(4)}
            game = self.hand(
                self.left,
                f"played-{hand.number}",
                hand.number,
                game.seq,
                bids=dict.fromkeys(range(4), 0),
                tricks=tricks,
            )
        return game

    def count(self, table: type[models.Base]) -> int:
        with Session(self.engine) as session:
            return session.scalar(select(func.count()).select_from(table)) or 0
