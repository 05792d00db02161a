"""`/lab`: what rules do, from games that bots played among themselves; the same as a file that stands alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flask import Blueprint, Flask, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_percent
from flask_babel import gettext as _
from markupsafe import Markup

from scorekeeper import ASSETS, PACKAGE
from scorekeeper.engine.catalog import find, presets
from scorekeeper.engine.lab import MOST_PLAYERS, Bids, Results, presets_shipped, shipped
from scorekeeper.engine.rules import Rules
from scorekeeper.web import languages
from scorekeeper.web.plots import Bars, Lines, Spreads
from scorekeeper.web.texts import decimal, digits, fill, number

pages = Blueprint("lab", __name__)

MOST = 4  # rules beside each other
FIRST = (("oh_hell", "oh_hell_hook"), 4)  # what the page shows before anything is chosen
SELDOM = 1000  # a bid that comes less than once in so many says nothing
COUNTS = tuple(map(str, range(2, MOST_PLAYERS + 1)))  # of players


@dataclass(frozen=True)
class Sample:
    """Rules by their name and what games by them came to."""

    name: str
    rules: Rules
    results: Results

    @property
    def with_hook(self) -> Bids | None:
        """The last bidder's bids where the hook binds; None where no games with the hook switched are there."""
        return self._last_bidder(hook=True)

    @property
    def without_hook(self) -> Bids | None:
        return self._last_bidder(hook=False)

    def _last_bidder(self, *, hook: bool) -> Bids | None:
        if self.results.switched is None:
            return None
        return self.results.by_place[-1] if (self.rules.bidding.hook != "never") == hook else self.results.switched

    @property
    def leads_error(self) -> float:
        """The standard error of the leaders' share, of games that are won or lost."""
        share = self.results.leads or 0.0
        return float((share * (1 - share) / self.results.games) ** 0.5)

    @cached_property
    def usual_bids(self) -> dict[int, Bids]:
        """The bids that come often enough to say something."""
        return {bid: one for bid, one in self.results.by_bid.items() if one.count * SELDOM >= self.results.made.count}


def share(value: float | None) -> str:
    """A share in whole per cent; a dash where there is none."""
    return "–" if value is None else format_percent(value)


def finer_share(value: float | None) -> str:
    """A share in per cent with one decimal."""
    return "–" if value is None else format_percent(value, "#,##0.0%")


def _mean(value: float) -> str:
    return digits(int(value)) if float(value).is_integer() else f"{'−' if value < 0 else ''}{abs(value):g}"


@dataclass(frozen=True)
class Comparison:
    """Samples of as many players beside each other, as numbers and as drawings."""

    samples: Sequence[Sample]

    @property
    def players(self) -> int:
        return self.samples[0].results.players

    @property
    def cards(self) -> list[int]:
        """All hand sizes that occur."""
        return sorted({cards for one in self.samples for cards in one.results.by_cards})

    @property
    def bids(self) -> list[int]:
        return sorted({bid for one in self.samples for bid in one.usual_bids})

    @property
    def hooks(self) -> list[Sample]:
        """The samples that tell what the hook costs."""
        return [one for one in self.samples if one.with_hook]

    @property
    def halves(self) -> list[Sample]:
        """The samples whose games have more than one hand."""
        return [one for one in self.samples if one.results.leads is not None]

    @property
    def made_by_cards(self) -> Lines:
        return Lines([_rates(one.results.by_cards) for one in self.samples], share, 1)

    @property
    def made_by_bid(self) -> Lines:
        return Lines([_rates(one.usual_bids) for one in self.samples], share, 1)

    @property
    def points_by_bid(self) -> Lines:
        series = [{bid: bids.points for bid, bids in one.usual_bids.items()} for one in self.samples]
        return Lines(series, _mean)

    @property
    def scores(self) -> Spreads:
        return Spreads([(f"{number}  {one.name}", self.spreads(one)) for number, one in self._numbered], _mean)

    @property
    def _numbered(self) -> list[tuple[int, Sample]]:
        return list(enumerate(self.samples, 1))

    def spreads(self, sample: Sample) -> list[tuple[str, Sequence[float]]]:
        """The spreads of a sample with what they are of."""
        results = sample.results
        return [(_("First"), results.best), (_("All"), results.scores), (_("Last"), results.worst)]

    @property
    def shares(self) -> Bars:
        return Bars(
            [
                (_("The leader after half of the hands wins"), [one.results.leads for one in self.samples]),
                (_("Tied after the last planned hand"), [one.results.tied for one in self.samples]),
            ],
            share,
        )

    @property
    def places(self) -> list[tuple[str, list[Bids]]]:
        """Each place in the bidding order with its bids in each sample."""
        return [
            (self._place(place), [one.results.by_place[place] for one in self.samples]) for place in range(self.players)
        ]

    def _place(self, place: int) -> str:
        if place == self.players - 1:
            return _("Bids last")
        return _("Bids first") if place == 0 else _("Bids as number %(number)s", number=place + 1)

    @property
    def made_by_place(self) -> Bars:
        return Bars([(name, [bids.rate for bids in row]) for name, row in self.places], share)

    @property
    def hook_costs(self) -> Bars:
        return Bars(
            [
                (_("Last bidder, without the hook"), [_rate(one.without_hook) for one in self.samples]),
                (_("Last bidder, with the hook"), [_rate(one.with_hook) for one in self.samples]),
            ],
            share,
        )


def _rates(bids: Mapping[int, Bids]) -> Mapping[int, float]:
    return {key: one.rate for key, one in bids.items()}


def _rate(bids: Bids | None) -> float | None:
    return bids.rate if bids else None


for text_filter in (share, finer_share, decimal, number):
    pages.add_app_template_filter(text_filter)


@dataclass(frozen=True)
class Choice:
    """What is asked for: presets that there are results of, the number of players, and what is wrong with it."""

    ids: Sequence[str]
    players: int
    problems: Sequence[Markup | str]
    samples: Sequence[Sample]


@pages.get("/lab")
def compare() -> ResponseReturnValue:
    """The results of `?rules=`, given twice or more, for `?players=`."""
    choice = _choice()
    page = render_template(
        "lab.html",
        choice=choice,
        presets=[presets()[one] for one in presets_shipped() if one in presets()],
        lab=Comparison(choice.samples) if choice.samples else None,
        most=MOST,
        counts=COUNTS,
    )
    return page, 422 if choice.problems else 200


def _choice() -> Choice:
    asked = [name.strip()[:60] for name in request.args.getlist("rules") if name.strip()][: 2 * MOST]
    given = request.args.get("players", "").strip()
    if not asked and not given:
        asked, given = list(FIRST[0]), str(FIRST[1])
    found = {preset.id: preset for preset in map(find, asked) if preset}
    unknown = [name for name in asked if find(name) is None]
    players = int(given) if given in COUNTS else 0
    problems: list[Markup | str] = [fill(_("{name} — there are no such rules here."), name=name) for name in unknown]
    if not players:
        problems.append(fill(_("Say how many players, from 2 to {most}."), most=MOST_PLAYERS))
    if len(found) < 2:
        problems.append(_("Choose two rules or more."))
    if len(found) > MOST:
        problems.append(fill(_("At most {most} rules fit beside each other."), most=MOST))
    samples = []
    for preset in list(found.values())[:MOST]:
        results = shipped(preset.id)
        if players in results:
            samples.append(Sample(preset.name, preset.rules, results[players]))
        elif not results:
            text = _("{name} — only the score is known, not the cards, so bots cannot play it.")
            problems.append(fill(text, name=preset.name))
        elif players:
            problems.append(_for_others(preset.name, min(results), max(results)))
    return Choice(list(found), players, problems, samples)


def _for_others(name: str, low: int, high: int) -> Markup:
    if low == high:
        return fill(_("{name} — only for {players} players."), name=name, players=low)
    return fill(_("{name} — for {low} to {high} players."), name=name, low=low, high=high)


def as_file(sample: Sample) -> str:
    """The page of one sample as a file that stands alone: its style is in it, and nothing else is loaded."""
    app = Flask(__name__, root_path=str(ASSETS))
    languages.init_app(app, PACKAGE / "translations")
    app.register_blueprint(pages)
    style = (ASSETS / "static" / "app.css").read_text("utf-8")
    with app.test_request_context():
        return render_template("lab_file.html", lab=Comparison([sample]), style=Markup(style))  # noqa: S704 - our own
