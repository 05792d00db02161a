"""Cards as numbers, and the packs they come in.

A card is `copy * 64 + suit * 16 + rank`: suits 0 to 3 are clubs, diamonds, hearts, spades; ranks 1 to 13 are places in
the pack's own order from the lowest, 0 is a jester, 14 a wizard; copy 1 is the second pack's. A set of cards is an int
with a bit for each. Of one pack such a set fits 63 bits, so that compiled code may use signed 64-bit integers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from scorekeeper.engine.rules import DECKS, SUITS, Rules

LANE = 16  # bits for each suit
COPY = 64  # bits for each pack
JESTER, WIZARD = 0, 14  # ranks
ONE_SUIT = 0x3FFE  # ranks 1 to 13
ONE_PACK = (1 << COPY) - 1
PLAIN = sum(ONE_SUIT << LANE * suit for suit in range(4))  # all cards but jesters and wizards
JESTERS = sum(1 << LANE * suit + JESTER for suit in range(4))
WIZARDS = sum(1 << LANE * suit + WIZARD for suit in range(4))

# Ranks from the lowest. Sources: the base article; the pages on Pocha for the Spanish order, A 3 K Q J 7 6 5 4 2.
FRENCH = "23456789TJQKA"
_ORDERS: Mapping[str, str] = {
    "french52": FRENCH,
    "two_packs": FRENCH,
    "piquet32": FRENCH[5:],
    "skat_double_64": FRENCH[5:],
    "spanish40": "24567JQK3A",
    "wizard60": FRENCH,
    "top_8_per_player": FRENCH,
}
_TWICE = {"two_packs", "skat_double_64"}
_WIZARD, _JESTER = "W", "X"  # their ranks' letters
_PICTURES = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


class CardError(ValueError):
    """Cards that cannot be: an unknown name, a card twice, a pack that has no cards here."""


@dataclass(frozen=True, slots=True)
class Pack:
    """All cards of a pack in a fixed order; `ranks` are the letters of ranks 1, 2, … from the lowest."""

    ranks: str
    cards: tuple[int, ...]

    def name(self, card: int) -> str:
        """A card's name, rank then suit: "TH"; "WC" is a wizard, "XC" a jester."""
        rank = card % LANE
        letter = _JESTER if rank == JESTER else _WIZARD if rank == WIZARD else self.ranks[rank - 1]
        return letter + SUITS[suit_of(card)]

    def names(self, cards: int) -> list[str]:
        """The names of a set of cards, by suit and from the lowest."""
        return [self.name(card) for card in members(cards)]

    def card(self, name: str) -> int:
        """The card of a name, of two alike the first pack's: "TH", "10h", "T♥". Raises CardError."""
        text = re.sub("[♣♦♥♠]", lambda match: _PICTURES[match[0]], name.strip().upper()).replace("10", "T")
        by_name = _by_name(self)
        if text not in by_name:
            raise CardError(f"{name.strip()!r} is no card of this pack; cards are written such as AS, TH, 2C")
        return by_name[text]

    def held(self, name: str, holding: int) -> int:
        """The card of a name; of two alike the one that is held. Raises CardError for an unknown name."""
        card = self.card(name)
        return card + COPY if holding >> card + COPY & 1 and not holding >> card & 1 else card

    def read(self, names: Iterable[str]) -> int:
        """The set of cards of several names. Raises CardError where one is there more often than in the pack."""
        return self.read_all([names])[0]

    def read_all(self, hands: Iterable[Iterable[str]]) -> list[int]:
        """The sets of cards of several hands out of one pack. Raises CardError as `read` does."""
        sets, taken = [], 0
        for names in hands:
            cards = 0
            for first in map(self.card, names):
                card = next((one for one in (first, first + COPY) if one in self.cards and not taken >> one & 1), None)
                if card is None:
                    raise CardError(f"{self.name(first)} is there twice")
                taken |= 1 << card
                cards |= 1 << card
            sets.append(cards)
        return sets


@cache
def _by_name(pack: Pack) -> Mapping[str, int]:
    return {pack.name(card): card for card in reversed(pack.cards)}


def pack_of(rules: Rules, players: int) -> Pack:
    """The pack that `players` players use: where the rules take fewer cards than the deck has, its highest ones.

    Raises CardError for decks of which only the score is kept.
    """
    return _pack(rules.deck, rules.cards_in_pack(players))


@cache
def _pack(deck: str, size: int) -> Pack:
    if deck not in _ORDERS:
        raise CardError(f"the cards of the deck {deck!r} are not known here, only its score is kept")
    ranks = _ORDERS[deck]
    places = [LANE * suit + rank for rank in range(len(ranks), 0, -1) for suit in reversed(range(4))]
    cards = [card + COPY * copy for card in places for copy in range(1 + (deck in _TWICE))]
    if deck == "wizard60":
        cards = [*members(WIZARDS | JESTERS), *cards]
    if size > len(cards):
        raise CardError(f"the deck {deck!r} has {len(cards)} cards, not {size}")
    return Pack(ranks, tuple(sorted(cards[:size])))


def suit_of(card: int) -> int:
    """0 to 3: clubs, diamonds, hearts, spades; of a jester or a wizard, the one it is printed in."""
    return card % COPY // LANE


def lane(suit: str | None) -> int:
    """The set of all plain cards of a suit's letter, of one pack; no cards for NT or None."""
    return ONE_SUIT << LANE * SUITS.index(suit) if suit in SUITS else 0


def members(cards: int) -> Iterator[int]:
    """The cards of a set, lowest number first."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def as_set(cards: Iterable[int]) -> int:
    """The set of some cards."""
    return sum(1 << card for card in cards)


def decks() -> tuple[str, ...]:
    """The decks whose cards are known; of the others only the score can be kept."""
    return tuple(deck for deck in DECKS if deck in _ORDERS)
