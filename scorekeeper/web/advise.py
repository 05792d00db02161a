"""`/advise`: what a hand is worth, for practice and apart from the games: its tricks and its bids, by playouts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from threading import Lock, Semaphore, Thread
from typing import TYPE_CHECKING

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_percent, get_translations, pgettext
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.engine.cards import COPY, JESTER, LANE, WIZARD, CardError, Pack, decks, pack_of, suit_of
from scorekeeper.engine.catalog import Preset, presets
from scorekeeper.engine.events import TRUMPS
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.rules import SUITS
from scorekeeper.web import doors, home
from scorekeeper.web.new_game_form import BASE_PRESET
from scorekeeper.web.texts import decimal, numeral, sentence

if TYPE_CHECKING:
    from scorekeeper.engine.advice import Advice

pages = Blueprint("advise", __name__)

PLAYERS = 4  # where the rules allow it and nothing else is said
LONGEST_BIDS = 100  # characters of all bids before
SEED = 1  # the same question has the same answer, today and on another phone
KEPT = 256  # answers that are kept, a few kilobytes each

# One question is worked on and one waits: the other threads are for those who write a score.
places = Semaphore(2)
turn = Lock()


@dataclass(frozen=True)
class Question:
    """The form as it was sent. `cards` and `turned` are names, `bids` a text, `place` counts from 1."""

    preset: Preset
    players: int
    cards: tuple[str, ...]
    trump: str | None
    turned: str
    bids: str
    place: int

    @property
    def pack(self) -> Pack:
        """All cards that the rules may bring, with however many players."""
        return pack_of(self.preset.rules, self.preset.rules.players[1])

    @property
    def at_once(self) -> bool:
        return self.preset.rules.bidding.mode == "simultaneous"


@dataclass(frozen=True)
class Mark:
    """A card of the grid: `value` is its name, `rank` what stands on it, `called` its name in words."""

    value: str
    suit: str | None
    rank: str
    called: str
    held: bool


@dataclass(frozen=True)
class Line:
    """A number of tricks, or a bid: its chance in words and from 0 to 100, and a bid's points or why it may not be."""

    number: int
    chance: Markup = Markup()
    percent: float = 0
    points: Markup = Markup()
    error: Markup = Markup()
    why: str = ""


@pages.get("/advise")
def advise() -> ResponseReturnValue:
    """The form; with `?ask=` the advice too."""
    question = _read(request.args)
    advice, why = None, ""
    if "ask" in request.args:
        advice, why = _answer(question)
    else:
        _get_ready()
    page = render_template(
        "advise.html",
        question=question,
        offered=_offered(),
        marks=_marks(question),
        why=why,
        in_progress=home.game_in_progress(),
        advice=advice,
        tricks=_tricks(advice) if advice else [],
        bids=_bids(advice) if advice else [],
        best=_line(advice.best.bid, advice) if advice else None,
    )
    return page, 422 if why else 200


def _read(given: "MultiDict[str, str]") -> Question:
    """The question as far as it can be read; what cannot is as if it were not said."""
    offered = _offered()
    preset = offered.get(given.get("rules", ""), offered[BASE_PRESET])
    low, high = preset.rules.players
    players = given.get("players", PLAYERS, type=int)
    trump = given.get("trump")
    return Question(
        preset,
        min(max(players, low), high),
        tuple(given.getlist("cards")),
        trump if trump in TRUMPS else None,
        given.get("turned", "").strip(),
        given.get("bids", "").strip()[:LONGEST_BIDS],
        min(max(given.get("place", 1, type=int), 1), high),
    )


@cache
def _offered() -> Mapping[str, Preset]:
    """The presets whose cards are known."""
    return {key: preset for key, preset in presets().items() if preset.rules.deck in decks()}


# ---- the answer ----


def _answer(question: Question) -> "tuple[Advice | None, str]":
    """The advice, or why there is none. Raises TooManyRequests, ServiceUnavailable."""
    # Imported here: it brings numba where that is installed, which nothing else in the app needs.
    from scorekeeper.engine.advice import AdviceError

    pack = question.pack
    try:
        held = pack.read(question.cards)
        turned = pack.card(question.turned) if question.turned else None
    except CardError:
        return None, _("A card is not in this pack, or there more often than in the pack.")
    if turned is not None and held >> turned & 1 and turned + COPY in pack.cards:
        turned += COPY
    parts = [part for part in re.split(r"[\s,;.]+", question.bids) if part]
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
        return None, _("The bids before are numbers with commas between, such as 1, 0.")
    earlier = tuple(map(int, parts))
    place = question.place - 1 if question.at_once else None
    told = (question.preset.id, question.players, held, question.trump, turned, earlier, place)
    doors.refuse_many_questions(str(told))
    try:
        return _advised(*told), ""
    except AdviceError as error:
        return None, get_translations().gettext(error.text) % error.numbers
    except RuleError as error:
        return None, sentence(error.fault)


@lru_cache(maxsize=KEPT)
def _advised(
    preset: str,
    players: int,
    held: int,
    trump: str | None,
    turned: int | None,
    earlier: tuple[int, ...],
    place: int | None,
) -> "Advice":
    from scorekeeper.engine import advice

    with one_at_a_time():
        return advice.advise(
            presets()[preset].rules,
            players,
            held,
            Random(SEED),
            trump=trump,
            turned=turned,
            earlier=earlier,
            place=place,
        )


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Waits for the question before this one; raises ServiceUnavailable where one waits already."""
    if not places.acquire(blocking=False):
        g.busy = True
        raise ServiceUnavailable(retry_after=3)
    try:
        with turn:
            yield
    finally:
        places.release()


@cache
def _get_ready() -> None:
    """Loads, and compiles after an installation, what the answer needs while somebody looks for their cards."""
    Thread(target=_warm_up).start()


def _warm_up() -> None:
    with turn:
        from scorekeeper.engine import advice

        advice.advise(presets()[BASE_PRESET].rules, PLAYERS, 1 << 1, Random(SEED), trump="C", work=1)


# ---- the page ----


def _marks(question: Question) -> Sequence[tuple[str | None, Sequence[Mark]]]:
    """The cards of the pack by suit, spades first and in each the highest first; wizards and jesters under None."""
    left = list(question.cards)
    suits: dict[str | None, list[Mark]] = {None: [], **{suit: [] for suit in reversed(SUITS)}}
    for card in sorted(question.pack.cards, key=lambda card: (-(card % COPY), card)):
        name, rank = question.pack.name(card), card % LANE
        held = name in left
        if held:
            left.remove(name)
        suit = None if rank in (JESTER, WIZARD) else SUITS[suit_of(card)]
        suits[suit].append(Mark(name, suit, _rank(name[0]), _called(name, suit), held))
    suits[None].sort(key=lambda mark: mark.value[0] != "W")
    return [(suit, marks) for suit, marks in suits.items() if marks]


def _rank(letter: str) -> str:
    """What stands on a card."""
    ranks = {
        "A": pgettext("rank on a card", "A"),
        "K": pgettext("rank on a card", "K"),
        "Q": pgettext("rank on a card", "Q"),
        "J": pgettext("rank on a card", "J"),
        "T": "10",
        # Translators: a wizard and a jester of the game Wizard.
        "W": pgettext("rank on a card", "W"),
        "X": pgettext("rank on a card", "N"),
    }
    return ranks.get(letter, letter)


def _called(name: str, suit: str | None) -> str:
    """A card in words: "Ace of hearts"."""
    if suit is None:
        number = SUITS.index(name[1]) + 1
        return _("Wizard %(number)s", number=number) if name[0] == "W" else _("Jester %(number)s", number=number)
    ranks = {"A": _("Ace"), "K": _("King"), "Q": _("Queen"), "J": _("Jack"), "T": "10"}
    suits = {
        "C": pgettext("of a card", "clubs"),
        "D": pgettext("of a card", "diamonds"),
        "H": pgettext("of a card", "hearts"),
        "S": pgettext("of a card", "spades"),
    }
    return _("%(rank)s of %(suit)s", rank=ranks.get(name[0], name[0]), suit=suits[suit])


def _tricks(advice: "Advice") -> list[Line]:
    """The chances of the best bid, from the first number of tricks that is worth a line to the last."""
    chances = advice.best.chances
    shown = [tricks for tricks, chance in enumerate(chances) if chance >= 0.005]
    return [
        Line(tricks, _percent(chances[tricks]), round(100 * chances[tricks], 1))
        for tricks in range(shown[0], shown[-1] + 1)
    ]


def _bids(advice: "Advice") -> list[Line]:
    return [_line(bid, advice) for bid in range(advice.cards + 1)]


def _line(bid: int, advice: "Advice") -> Line:
    for choice in advice.choices:
        if choice.bid == bid:
            return Line(bid, _percent(choice.made), 0, decimal(choice.points), decimal(choice.error))
    said = {} if bid == advice.forbidden else {"said": "must_equal"}
    return Line(bid, why=sentence(Fault("hook", None, None, {"bid": bid, "cards": advice.cards, **said})))


def _percent(chance: float) -> Markup:
    return numeral(f"<{format_percent(0.01)}" if 0 < chance < 0.005 else format_percent(chance))
