"""What the screens of a hand show, put together from the sheet. No rule is worked out here, only asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from flask_babel import gettext as _
from markupsafe import Markup, escape

from scorekeeper.engine import scoring
from scorekeeper.engine.events import Cell, Entry, HandWritten, Value
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.scoring import Facts, Formula, Number
from scorekeeper.store import Game, Seat
from scorekeeper.web.texts import (
    cards_text,
    counted_text,
    fill,
    hand_title,
    labels,
    last_text,
    off_texts,
    outcomes,
    over_text,
    patterns,
    sentence,
    trumps,
)

# Facts that hang on more than the plan: a table of points drawn in advance cannot have them.
UNPLANNED = frozenset({"trump", "bids_total", "blind", "wager", "side", "total_before", "streak"})


# Fields of a hand that the script shows by itself.
BY_SCRIPT = frozenset({"bids", "tricks", "won", "trump"})


@dataclass(frozen=True)
class Row:
    """A seat's line on a hand's screens. `tricks` is what its stepper shows, `points` what they would give.

    `counted` says how it stands trick by trick, `next_count` is what its next trick makes of the count.
    """

    seat: Seat
    bid: int | None
    tricks: int
    points: Number | None
    now: bool
    dealer: bool
    about: list[Markup]  # what stands under the name while bids are made
    counted: Markup
    next_count: int

    @property
    def made(self) -> bool:
        return self.bid == self.tricks


@dataclass(frozen=True)
class Screen:
    """The screen on which a hand is written: bids one after another, then tricks.

    `open_seat` is whose bid was tapped to be changed, `drafts` are tricks stepped to but not saved.
    """

    game: Game
    hand: Hand
    open_seat: int | None = None
    drafts: Mapping[int, int] | None = None

    @cached_property
    def words(self) -> Mapping[str, str]:
        return patterns()

    @property
    def title(self) -> str:
        return hand_title(self.game, self.hand.number)

    @property
    def correcting(self) -> bool:
        current = self.game.sheet.current
        return current is None or current.number != self.hand.number

    @cached_property
    def seat(self) -> int | None:
        """Whose bid the pad takes; None on the tricks' screen."""
        if self.open_seat in self.hand.bids:
            return self.open_seat
        if self.hand.outcome in ("void", "skipped"):
            return None
        return next((seat for seat, bid in self.hand.bids.items() if bid is None), None)

    @property
    def phase(self) -> str:
        return "playing" if self.seat is None else "bidding"

    @cached_property
    def stepped(self) -> dict[int, int]:
        """What each stepper shows: the draft, else what is written, else the whole count of tricks, else the bid."""
        hand, drafts = self.hand, self.drafts or {}
        start = hand.won if hand.all_counted else hand.bids
        return {
            seat: drafts.get(seat, (start[seat] or 0) if tricks is None else tricks)
            for seat, tricks in hand.tricks.items()
        }

    @property
    def won(self) -> int:
        return sum(self.stepped.values())

    @property
    def off_by(self) -> int:
        """By how much the steppers show too many tricks; below 0 too few."""
        return self.won - self.hand.tricks_to_win

    @property
    def off_text(self) -> str:
        many, few = off_texts(max(self.off_by, 0), max(-self.off_by, 0))
        return many[-1] if self.off_by > 0 else few[-1] if self.off_by < 0 else ""

    @cached_property
    def rows(self) -> list[Row]:
        """One per seat that plays, in bidding order."""
        hand, seats = self.hand, self.game.seats
        tried = HandWritten.of(hand.number, tricks=self.stepped)
        points = self.game.sheet.apply(Entry("", tried)).hand(hand.number).points if self.phase == "playing" else {}
        return [
            Row(
                seat=seats[seat],
                bid=bid,
                tricks=self.stepped[seat],
                points=points.get(seat),
                now=seat == self.seat,
                dealer=seat == hand.dealer,
                about=self._about(seat),
                counted=counted_text(hand, seat),
                next_count=(hand.won[seat] or 0) + 1,
            )
            for seat, bid in hand.bids.items()
        ]

    def _about(self, seat: int) -> list[Markup]:
        hand, words = self.hand, self.words
        if seat == self.seat:
            last = seat == hand.dealer == hand.last_bidder
            return [escape(words["now"]), *([escape(words["dealer_last"])] if last else [])]
        first = [escape(words["first"])] if seat == hand.first_bidder else []
        return [fill(words["total"], n=hand.totals_before.get(seat, 0)), *first]

    @cached_property
    def refusals(self) -> dict[int, str]:
        """By bid that the open seat may not make now, what the rules say to it."""
        if self.seat is None or self.hand.override:
            return {}
        legal = self.hand.legal_bids(self.seat)
        reasons = {bid: self._refusal(bid) for bid in range(self.hand.cards + 1) if bid not in legal}
        return {bid: reason for bid, reason in reasons.items() if reason}

    def _refusal(self, bid: int) -> str | None:
        assert self.seat is not None
        try:
            self.game.sheet.check(HandWritten.of(self.hand.number, bids={self.seat: bid}))
        except RuleError as refusal:
            fault = refusal.fault
            # The sheet names the last bidder's bid; the pad is about the one that is struck out.
            return sentence(replace(fault, numbers={**fault.numbers, "bid": bid}))
        return None

    @property
    def _no_zero(self) -> dict[int, str]:
        """By seat that may not bid zero now, whatever the others bid, what the rules say to it."""
        hand = self.hand
        if hand.override or hand.rules.bidding.total_must_equal:
            return {}
        seats = [seat for seat in hand.bids if 0 not in hand.legal_bids(seat) and hand.banned(seat) != 0]
        reasons = {seat: replace(self, open_seat=seat).refusals.get(0) for seat in seats}
        return {seat: reason for seat, reason in reasons.items() if reason}

    @property
    def why(self) -> str:
        """The sentence or sentences about the bids that are struck out."""
        return " ".join(dict.fromkeys(self.refusals.values()))

    @property
    def over(self) -> Markup:
        return over_text(self.hand)

    @property
    def pips(self) -> list[str]:
        """One mark per trick: filled, empty, or too many."""
        count = self.won if self.phase == "playing" else self.hand.bids_total
        tricks = self.hand.cards
        return ["on"] * min(count, tricks) + [""] * (tricks - count) + ["over"] * min(count - tricks, tricks)

    @property
    def all_bids_out(self) -> list[tuple[str, str]]:
        """The fields of a form that rubs out all bids of the hand."""
        return [(f"bids-{seat}", "") for seat in self.hand.bids]

    @property
    def status(self) -> Markup:
        """One sentence on where the sheet stands, for who does not see it change."""
        words = self.words
        parts = [last_text(self.game)] if self.game.sheet.last else []
        if self.seat is not None:
            parts.append(fill(words["next"], name=self.game.seats[self.seat].name))
            parts += [escape(self.why)] if self.why else []
        return Markup(" ").join(parts)

    def data(self) -> dict[str, Any]:
        """What the script looks up: the plan from this hand on, tables of points, texts."""
        game, number = self.game, self.hand.number
        near = self._near
        hands = (*near[:-1], *game.sheet.hands[number - 1 :]) if not self.correcting else near
        tables: list[Any] = []
        most = max(hand.cards for hand in hands)
        planned = not game.rules.scoring.needs & UNPLANNED
        last = game.sheet.last
        many, few = off_texts(most * max(len(hand.present) for hand in hands), most)
        return {
            "base": game.seq,
            "at": number,
            "correcting": self.correcting,
            "seat": self.open_seat if self.open_seat in self.hand.bids else None,
            "undo": self._undoable or ([{"key": last.key}] if last else []),
            "hands": {hand.number: _planned(game, hand, _table(hand) if planned else None, tables) for hand in hands},
            "zero": self._no_zero,
            "tables": tables,
            "written": {
                hand.number: {_field(cell): value for cell, value in hand.cells.items() if cell[0] in BY_SCRIPT}
                for hand in near
            },
            "totals": {
                hand.number: {seat: _plain(total) for seat, total in hand.totals_before.items()} for hand in near
            },
            "names": {seat.number: seat.name for seat in game.seats},
            "words": {
                **self.words,
                "cards": {cards: cards_text(cards) for cards in sorted({hand.cards for hand in hands})},
                "many": many,
                "few": few,
            },
        }

    @cached_property
    def _near(self) -> tuple[Hand, ...]:
        """The hand, and before it the one that Undo may go back to without an answer."""
        number = self.hand.number
        before = self.game.sheet.hands[number - 2] if number > 1 and not self.correcting else None
        if before and before.bids.keys() == self.hand.bids.keys() and {name for name, _ in before.cells} <= BY_SCRIPT:
            return before, self.hand
        return (self.hand,)

    @property
    def _undoable(self) -> list[dict[str, Any]]:
        """The last entries, the newest first, as far as the script can take them back: what stood in their cells."""
        cells: dict[int, dict[Cell, Value]] = {hand.number: {} for hand in self._near}
        back: list[dict[str, Any]] = []
        for entry in self.game.sheet.counting:
            match entry.event:
                case HandWritten(hand, written) if hand in cells and {name for (name, _), _ in written} <= BY_SCRIPT:
                    was = {_field(cell): cells[hand].get(cell) for cell, _ in written}
                    back.append({"key": entry.key, "hand": hand, "was": was})
                    cells[hand] |= dict(written)
                case _:
                    back.clear()
        return back[::-1]


def _field(cell: Cell) -> str:
    """What a cell is called in forms."""
    name, seat = cell
    return name if seat is None else f"{name}-{seat}"


def _planned(game: Game, hand: Hand, table: Any, tables: list[Any]) -> dict[str, Any]:
    """What the script has to know of one hand; `table` goes into `tables`, which hands share."""
    # Where the hook hangs on who leads, only the server can say whom it binds.
    certain = game.rules.bidding.hook != "dealer_leading_and_nonzero"
    hook = hand.cards if hand.hook and certain and not hand.override else None
    if table not in tables:
        tables.append(table)
    return {
        "title": hand_title(game, hand.number),
        "cards": hand.cards,
        "win": hand.tricks_to_win,
        "dealer": hand.dealer,
        "order": list(hand.order or hand.present),
        "known": bool(hand.order),
        "leader": hand.leader,
        "not": None if hand.simultaneous else hook,
        "settle": hook if hand.simultaneous else None,
        "why": sentence(Fault("hook", numbers={"bid": "{n}", "cards": hand.cards})) if hook else None,
        "trump": hand.fixed_trump,
        "table": tables.index(table),
    }


def _table(hand: Hand) -> tuple[tuple[int | float, ...], ...]:
    """`table[bid][tricks]` of a hand to come, where points hang on no more than these two."""
    return _plain_table(hand.rules.scoring, replace(hand.facts, trump=None, bids_total=None))


@lru_cache(maxsize=1024)
def _plain_table(formula: Formula, facts: Facts) -> tuple[tuple[int | float, ...], ...]:
    return tuple(tuple(_plain(points) for points in row) for row in scoring.table(formula, facts))


def _plain(value: Number) -> int | float:
    return value if isinstance(value, int) else float(value)


@dataclass(frozen=True)
class Field:
    """A field of "more about this hand": a list to choose from, or a text where `options` are empty."""

    name: str
    label: str
    value: str
    options: list[tuple[str, str]]


def more_fields(screen: Screen, typed: Mapping[str, str]) -> list[Field]:
    """What can be said of a hand beside bids and tricks; as typed, else as written. Empty leaves it to the rules."""
    hand, seats = screen.hand, [(str(seat), screen.game.seats[seat].name) for seat in screen.hand.table]
    choices = {
        "dealer": [("", _("As the deal passes")), *seats],
        "first_bidder": [("", _("By the rules")), *seats],
        "cards": [],
        "trump": [("", _("Not written")), *trumps().items()],
        "outcome": [("", _("Played")), *outcomes().items()],
        "override": [("", _("Not allowed")), ("1", _("The table allows them"))],
        "note": [],
    }
    written = {name: hand.cells.get((name, None)) for name in choices}
    shown = {name: "" if value is None else "1" if value is True else str(value) for name, value in written.items()}
    called = labels()
    return [Field(name, called[name], typed.get(name, shown[name]), options) for name, options in choices.items()]
