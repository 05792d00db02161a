"""What pages say of a sheet, in the reader's language: numbers, names in sentences, hands, cells, trumps."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _
from markupsafe import Markup, escape

from scorekeeper.engine.events import Cell, HandWritten, PlanChanged, TableChanged
from scorekeeper.engine.faults import Fault, say
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.scoring import Number
from scorekeeper.store import Game
from scorekeeper.web.languages import per_language, translations


def digits(number: Number) -> str:
    """A number as it is read, with a true minus; halves as decimals."""
    text = str(abs(number)) if isinstance(number, int) else f"{float(abs(number)):g}"
    return f"−{text}" if number < 0 else text


@lru_cache(maxsize=1024)  # a page has dozens, and the same ones again and again
def number(value: Number | None) -> Markup:
    """The digits of a number, kept from turning round in right-to-left text; an en dash for "not written"."""
    return numeral("–" if value is None else digits(value))


@lru_cache(maxsize=1024)
def signed(value: Number | None) -> Markup:
    """Points won or lost: always with a sign, but for 0."""
    return numeral(f"+{digits(value)}") if value is not None and value > 0 else number(value)


def decimal(value: float) -> Markup:
    """A number with one decimal; no minus before nothing."""
    return numeral(format_decimal(round(value, 1) + 0, "0.0").replace("-", "−"))


def numeral(text: str) -> Markup:
    """Digits with their signs, kept from turning round in right-to-left text."""
    return Markup('<bdi class="num" dir="ltr">{}</bdi>').format(text)


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
        case TableChanged(number):
            return fill(_("The table changed from hand {n} on."), n=number)
        case PlanChanged(number):
            return fill(_("The cards changed from hand {n} on."), n=number)
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
