"""The form of a new game: seats, first dealer, name, and a preset with this table's switches on top."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask_babel import gettext as _
from wtforms import BooleanField, Field, FieldList, Form, HiddenField, StringField

from scorekeeper.engine.catalog import Preset, find, presets
from scorekeeper.engine.house import SCHEDULES, Switches, largest_hand, switches, turned
from scorekeeper.engine.rules import Rules, contradictions
from scorekeeper.names import folded

BASE_PRESET = "oh_hell"
MOST_SEATS_POSTED = 60  # more than any rules seat
FLAGS = ("hook", "at_once", "must_trump", "miss_scores_tricks", "zero_scores_cards", "no_trump_in_last")


class NewGameForm(Form):
    """The new game as typed. `seats` are places at the table; a place without a name is left out."""

    seats = FieldList(StringField(), max_entries=MOST_SEATS_POSTED)
    dealer = StringField(default="0")
    title = StringField()
    rules = StringField()
    preset = HiddenField()  # the one whose switches the page shows
    key = HiddenField()
    schedule = StringField()  # one of SCHEDULES; anything else: as the rules have it
    hook = BooleanField()
    at_once = BooleanField()
    must_trump = BooleanField()
    miss_scores_tricks = BooleanField()
    zero_scores_cards = BooleanField()
    no_trump_in_last = BooleanField()
    most_cards = StringField()

    # ---- what is written ----

    @property
    def taken(self) -> list[int]:
        """The places where a name is written."""
        return [place for place, seat in enumerate(self.seats) if (seat.data or "").strip()]

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(str(self.seats[place].data) for place in self.taken)

    @property
    def first_dealer(self) -> int | None:
        """The place in `taken` of who deals first; None where nobody sits there."""
        place = _whole(self.dealer.data)
        return self.taken.index(place) if place in self.taken else None

    @property
    def chosen(self) -> Preset | None:
        """The preset named, by its name, its id or an alias."""
        return find(self.rules.data or "")

    @property
    def wanted(self) -> Switches:
        """The switches as they stand on the page."""
        flags = {name: self[name].data for name in FLAGS}
        schedule = self.schedule.data if self.schedule.data in SCHEDULES else None
        return Switches(schedule=schedule, most_cards=_whole(self.most_cards.data), **flags)

    @property
    def played(self) -> Rules | None:
        """The rules that this table plays."""
        return turned(self.chosen.rules, self.wanted) if self.chosen else None

    # ---- buttons ----

    def show(self, preset: Preset, stands: Switches) -> None:
        """Puts `preset` into the form, with its switches as they stand."""
        self.rules.data = preset.name
        self.preset.data = preset.id
        self.most_cards.data = "" if stands.most_cards is None else str(stands.most_cards)
        self._set(stands)

    def follow(self) -> None:
        """Turns to the preset that was named since the page was drawn; a switch turned since then stays turned."""
        if self.chosen is None or self.chosen.id == self.preset.data:
            return
        drawn = switches(presets().get(self.preset.data or "", presets()[BASE_PRESET]).rules)
        own, now = switches(self.chosen.rules), self.wanted
        touched = {
            name: getattr(now, name) for name in ("schedule", *FLAGS) if getattr(now, name) != getattr(drawn, name)
        }
        self.preset.data = self.chosen.id
        self._set(replace(own, **touched))

    def seat(self, name: str) -> None:
        """Gives a known player the next empty seat; whoever is seated already gets up."""
        for seat in self.seats:
            if seat.data and folded(seat.data) == folded(name):
                seat.data = ""
                return
        empty = [seat for seat in self.seats if not (seat.data or "").strip()]
        if empty or len(self.seats) < MOST_SEATS_POSTED:
            (empty[0] if empty else self.seats.append_entry()).data = name

    def move_up(self, place: int) -> None:
        """Changes places with the seat before; whoever was to deal still is."""
        if not 0 < place < len(self.seats):
            return
        before, moved = self.seats[place - 1], self.seats[place]
        before.data, moved.data = moved.data, before.data
        swapped = {str(place): str(place - 1), str(place - 1): str(place)}
        self.dealer.data = swapped.get(self.dealer.data or "", self.dealer.data)

    def lay(self) -> None:
        """Shows as many seats as the rules allow, and those beyond where a name is written."""
        most = self.chosen.rules.players[1] if self.chosen else len(self.seats)
        shown = max([most, *(place + 1 for place in self.taken)])
        while len(self.seats) > shown:
            self.seats.pop_entry()
        while len(self.seats) < shown:
            self.seats.append_entry()

    def _set(self, stands: Switches) -> None:
        self.schedule.data = stands.schedule or ""
        for name in FLAGS:
            self[name].data = getattr(stands, name)

    # ---- what is wrong ----

    @property
    def wrong(self) -> bool:
        """True where something is said beside a field or about the table."""
        return bool(self.form_errors) or any(field.errors for field in self._leaves())

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        super().validate(extra_validators)
        for field in self._leaves():
            if len(field.raw_data or ()) > 1:
                blame(field, _("This came twice. Write it once."))
        if self.first_dealer is None:
            blame(self.dealer, _("Choose who deals first."))
        if self.chosen is None or self.played is None:
            blame(self.rules, _("No rules have this name. Choose some from the list."))
        else:
            self._check_rules(self.chosen, self.played)
        return not self.wrong

    def _check_rules(self, preset: Preset, played: Rules) -> None:
        low, high = preset.rules.players
        count = len(self.taken)
        if not low <= count <= high:
            self.form_errors.append(wrong_table(low, high, count))
            count = min(max(count, low), high)
        if not (self.most_cards.data or "").strip():
            if contradictions(played):
                blame(self.schedule, _("The pack is too small for these hands. Choose others."))
            return
        most = self.wanted.most_cards
        largest = largest_hand(turned(preset.rules, replace(self.wanted, most_cards=None)), count)
        if most is None or not 1 <= most <= largest:
            blame(
                self.most_cards, _("A whole number from 1 to %(cards)s: the most for this many players.", cards=largest)
            )
        elif contradictions(played) or largest_hand(played, count) > most:
            blame(self.most_cards, _("These rules have a fixed list of hands. Choose one of the four others first."))

    def _leaves(self) -> Iterator[Field]:
        for field in self:
            yield from field if isinstance(field, FieldList) else (field,)


def blame(field: Field, text: str) -> None:
    """Says beside `field` what is wrong with it."""
    field.errors = [*field.errors, text]


def wrong_table(low: int, high: int, count: int) -> str:
    """Too few or too many players for the rules."""
    if low == high:
        return _("These rules are for %(high)s players, not %(count)s.", high=high, count=count)
    return _("These rules are for %(low)s to %(high)s players, not %(count)s.", low=low, high=high, count=count)


def _whole(text: str | None) -> int | None:
    """A whole number in plain digits, else None."""
    text = (text or "").strip()
    return int(text) if re.fullmatch("[0-9]{1,2}", text) else None
