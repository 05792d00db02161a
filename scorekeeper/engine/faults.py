"""What can be wrong with a sheet, and how it is said.

A `Fault` carries its code, its place and the numbers of its sentence, so that a page can put it in the right place
and the right language. Here stands the English text, marked for translation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations

ENGLISH = NullTranslations()


def N_(text: str) -> str:  # noqa: N802 - the customary name of a marker that extraction looks for
    """Marks a text for translation where it stands; it is translated when it is said."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as above
    """Marks a text that has a plural."""
    return one, many


# One sentence per code. Where it has a plural, the third part names the number that decides.
_COUNTED = {
    "hook": (
        *NN_(
            "Not %(bid)s: the bids would equal the %(cards)s trick.",
            "Not %(bid)s: the bids would equal the %(cards)s tricks.",
        ),
        "cards",
    ),
    "hook_all": (
        *NN_("The bids equal the %(cards)s trick.", "The bids equal the %(cards)s tricks."),
        "cards",
    ),
    "must_equal": (
        *NN_("The bids must add up to the %(cards)s trick.", "The bids must add up to the %(cards)s tricks."),
        "cards",
    ),
    "tricks_total": (
        *NN_(
            "Tricks written: %(total)s, but %(cards)s was played.",
            "Tricks written: %(total)s, but %(cards)s were played.",
        ),
        "cards",
    ),
    "zero_bids": (
        *NN_(
            "Not 0 again: %(most)s zero bid in a row is the most.",
            "Not 0 again: %(most)s zero bids in a row is the most.",
        ),
        "most",
    ),
    "deck": (
        *NN_(
            "%(players)s players cannot have %(cards)s card each: the pack has %(deck)s.",
            "%(players)s players cannot have %(cards)s cards each: the pack has %(deck)s.",
        ),
        "cards",
    ),
}
_PLAIN = {
    "players": N_("These rules are for %(low)s to %(high)s players, not %(players)s."),
    "bid_range": N_("A bid is a whole number from 0 to %(cards)s, not %(bid)s."),
    "bid_missing": N_("The bid is missing."),
    "tricks_range": N_("Tricks are a whole number from 0 to %(cards)s, not %(tricks)s."),
    "tricks_missing": N_("The tricks are missing."),
    "trump": N_("These rules give this hand another trump."),
    "points": N_("Points written: %(written)s. Points computed: %(computed)s."),
    "file": N_("%(what)s"),
    "hand": N_("Hand %(hand)s is not open: hand %(current)s comes first."),
    "no_hand": N_("There is no hand %(hand)s."),
    "seat": N_("This seat is not at the table in this hand."),
    "absent": N_("Whoever sits out has no bid and no tricks in this hand."),
    "started": N_("Hand %(hand)s has begun: the table can change from the next hand on."),
    "over": N_("The game is over."),
    "entry": N_("The entry to undo is not on this sheet."),
    "blind": N_("A blind bid needs %(behind)s points behind the leader."),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: `hand` counts from 1, `seat` is whom it concerns; None where it concerns all."""

    code: str
    hand: int | None = None
    seat: int | None = None
    numbers: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return say(self)


class RuleError(ValueError):
    """An event that the rules refuse; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def say(fault: Fault, words: NullTranslations = ENGLISH) -> str:
    """The sentence of a fault in the language of `words`; no name is in it."""
    # The hook with simultaneous bids, and its opposite, are said in other words under the same code.
    code = str(fault.numbers.get("said", fault.code))
    if code in _COUNTED:
        one, many, count = _COUNTED[code]
        number = fault.numbers[count]
        assert isinstance(number, int)
        return words.ngettext(one, many, number) % fault.numbers
    return words.gettext(_PLAIN[code]) % fault.numbers
