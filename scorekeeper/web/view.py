"""What the screens of a hand show, put together from the sheet. No rule is worked out here, only asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext
from markupsafe import Markup, escape

from scorekeeper.engine import scoring
from scorekeeper.engine.events import Cell, Entry, HandWritten
from scorekeeper.engine.faults import Fault, RuleError, say
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.scoring import Facts, Formula, Number
from scorekeeper.store import Game, Seat
from scorekeeper.web.languages import per_language, translations

# Facts that hang on more than the plan: a table of points drawn in advance cannot have them.
UNPLANNED = frozenset({"trump", "bids_total", "blind", "wager", "side", "total_before", "streak"})


def digits(number: Number) -> str:
    """A number as it is read, with a true minus; halves as decimals."""
    text = str(abs(number)) if isinstance(number, int) else f"{float(abs(number)):g}"
    return f"−{text}" if number < 0 else text


@lru_cache(maxsize=1024)  # a page has dozens, and the same ones again and again
def number(value: Number | None) -> Markup:
    """The digits of a number, kept from turning round in right-to-left text; an en dash for "not written"."""
    return _NUMBER.format("–" if value is None else digits(value))


@lru_cache(maxsize=1024)
def signed(value: Number | None) -> Markup:
    """Points won or lost: always with a sign, but for 0."""
    return _NUMBER.format(f"+{digits(value)}") if value is not None and value > 0 else number(value)


_NUMBER = Markup('<bdi class="num" dir="ltr">{}</bdi>')


def fill(pattern: str, **values: object) -> Markup:
    """A translated pattern with its values: names and numbers each keep the direction they are written in."""
    safe = {name: _isolated(value) for name, value in values.items()}
    return Markup(str.format(escape(pattern), **safe))  # noqa: S704 - the pattern and every value are escaped


def _isolated(value: object) -> Markup:
    if isinstance(value, Markup):
        return value
    if isinstance(value, int | Fraction):
        return number(value)
    return Markup("<bdi>") + str(value) + Markup("</bdi>")


def sentence(fault: Fault) -> str:
    """What a fault says, in the reader's language."""
    return say(fault, translations())


@per_language
def patterns() -> Mapping[str, str]:
    """The texts of a hand's screens that the server and the script fill in alike."""
    return {
        "ask": _("{name} — bid?"),
        "bids": _("Bids {bids} · tricks {tricks}"),
        "won": _("Tricks {won} of {tricks}"),
        "over": _("Over by {n}"),
        "under": _("Under by {n}"),
        "even": _("Bids are even"),
        "leads": _("Bids {bids} · tricks {tricks} · leads: {name}"),
        "total": _("Total {n}"),
        "bid": _("Bid {n}"),
        "now": _("bids now"),
        "first": _("bids first"),
        "dealer_last": _("dealer bids last"),
        "save": _("Save hand {n}"),
        "noted": _("{name} — bid {n}."),
        "stepped": _("{name} — tricks {n}."),
        "next": _("Next: {name}."),
        "kept": _("Hand {n} noted."),
        "saved": _("Hand {n} saved."),
        "undone": _("Undone."),
        "counted": _("{name} — counted {n}."),
        "needs": _("{won} of {bid} · needs {n} more"),
        "level": _("{won} of {bid} · made so far"),
        "beyond": _("{won} of {bid} · over by {n}"),
        "unsent": _("Not saved yet: no answer. Trying again …"),
        "stay": _("There is no network: this page stays open, so that you can go on writing."),
    }


@per_language
def cards_text(cards: int) -> str:
    """What stands behind the number of cards: "card" or "cards"."""
    return ngettext("card", "cards", cards)


@per_language
def off_texts(most: int, least: int) -> tuple[Sequence[str], Sequence[str]]:
    """What is said of 0 to `most` tricks too many, and of 0 to `least` too few."""
    many = [ngettext("%(num)d trick too many", "%(num)d tricks too many", n) for n in range(most + 1)]
    few = [ngettext("%(num)d trick is missing", "%(num)d tricks are missing", n) for n in range(least + 1)]
    return many, few


def over_text(hand: Hand) -> Markup:
    """By how much the bids of a hand are over or under its tricks; empty until all are in."""
    words, over = patterns(), hand.over_by
    if over is None:
        return Markup()
    return fill(words["over"] if over > 0 else words["under"] if over < 0 else words["even"], n=abs(over))


def counted_text(hand: Hand, seat: int) -> Markup:
    """How a seat stands by the tricks counted so far: "2 of 3 · needs 1 more"; empty where nobody counts."""
    needs = hand.needs(seat)
    if not hand.counting or needs is None:
        return Markup()
    words = patterns()
    pattern = words["needs"] if needs > 0 else words["beyond"] if needs < 0 else words["level"]
    return fill(pattern, won=hand.won[seat] or 0, bid=hand.bids[seat], n=abs(needs))


def hand_title(game: Game, number: int) -> str:
    return _hand_title(number, game.sheet.planned)


@per_language
def _hand_title(number: int, planned: int | None) -> str:
    if planned is None or number > planned:
        return _("Hand %(number)s", number=number)
    return _("Hand %(number)s of %(planned)s", number=number, planned=planned)


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
        hands = game.sheet.hands[number - 1 :] if not self.correcting else (self.hand,)
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
            "undo": last.key if last else None,
            "hands": {hand.number: _planned(game, hand, _table(hand) if planned else None, tables) for hand in hands},
            "zero": self._no_zero,
            "tables": tables,
            "written": {
                f"{name}-{seat}" if seat is not None else name: value
                for (name, seat), value in self.hand.cells.items()
                if name in ("bids", "tricks", "won", "trump")
            },
            "totals": {seat: _plain(total) for seat, total in self.hand.totals_before.items()},
            "names": {seat.number: seat.name for seat in game.seats},
            "words": {
                **self.words,
                "cards": {cards: cards_text(cards) for cards in sorted({hand.cards for hand in hands})},
                "many": many,
                "few": few,
            },
        }


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


def last_text(game: Game) -> Markup:
    """What the entry that Undo takes back says: "Tomas — bid 2."."""
    last = game.sheet.last
    match last.event if last else None:
        case HandWritten(number, cells) as written:
            kinds = {name for (name, _seat), value in cells if value is not None}
            if kinds == {"bids"} and len(cells) == 1:
                (((_name, seat), bid),) = cells
                assert seat is not None
                if game.sheet.hand(number).hidden:
                    return fill(_("{name} has bid."), name=game.seats[seat].name)
                return fill(patterns()["noted"], name=game.seats[seat].name, n=bid)
            if "tricks" in kinds:
                return fill(patterns()["saved"], n=number)
            if kinds == {"won"} and len(cells) == 1:
                (((_name, seat), won),) = cells
                assert seat is not None
                return fill(patterns()["counted"], name=game.seats[seat].name, n=won)
            return fill(_("Hand {n} changed."), n=written.hand)
        case None:
            return Markup()
    return fill(_("The game changed."))


@per_language
def outcomes() -> Mapping[str, str]:
    """What became of a hand that was not simply played."""
    return {"void": _("Void, dealt again"), "bomb": _("One trick won by nobody"), "skipped": _("Skipped")}


def about(game: Game, seat: int | None, text: Markup) -> Markup:
    """A sentence, with the name of the seat it is about."""
    if seat is None or seat >= len(game.seats):
        return text
    return fill(_("{name} — {text}"), name=game.seats[seat].name, text=text)


@per_language
def trumps() -> Mapping[str, str]:
    """What each trump is called."""
    return {"C": _("Clubs"), "D": _("Diamonds"), "H": _("Hearts"), "S": _("Spades"), "NT": _("No trump")}


def trump_name(trump: str) -> str:
    """What a trump is called: "Hearts", "No trump"."""
    return trumps()[trump]


@per_language
def labels() -> Mapping[str, str]:
    """What each field of a hand is called."""
    return {
        "bids": _("bid"),
        "tricks": _("tricks"),
        "won": _("tricks counted"),
        "adjust": _("points beside the formula"),
        "adjust_note": _("why"),
        "absent": _("sits out"),
        "blind": _("bid before looking"),
        "wager": _("stake"),
        "side": _("tricks counted beside"),
        "as_bid": _("scored as if made"),
        "dealer": _("Dealer"),
        "first_bidder": _("Bids first"),
        "cards": _("Cards"),
        "trump": _("Trump suit"),
        "outcome": _("What became of it"),
        "override": _("Bids that the rules forbid"),
        "note": _("Note"),
    }


def cell_label(game: Game, cell: Cell) -> Markup:
    """What is written in a cell: "Ann — bid", "Dealer"."""
    name, seat = cell
    return about(game, seat, escape(labels().get(name, name)))


def cell_text(game: Game, cell: Cell, value: object) -> str:
    """What stands in a cell, in words; a dash where nothing does."""
    name, _seat = cell
    if value is None:
        return "–"
    if name in ("dealer", "first_bidder") and isinstance(value, int) and value < len(game.seats):
        return game.seats[value].name
    if value is True:
        return _("yes")
    return {**trumps(), **outcomes()}.get(str(value), str(value))


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
