"""Playing the cards: what may be played, what wins the trick, and who leads.

Sources: the base article (follow suit, else anything; La Podrida's duty to trump), the pages on Pocha (head the trick,
overtrump), on vanishing bridge and a French sheet (leading trumps), and Wizard's rules for wizards and jesters.

`legal_cards`, `beats` and `asked` are plain arithmetic on sets of one pack: the kernel compiles these very functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.engine.cards import COPY, JESTER, LANE, ONE_PACK, ONE_SUIT, PLAIN, WIZARD, Pack, lane
from scorekeeper.engine.rules import Play

# Duties of a set of rules, added up. Following suit is always one.
MUST_TRUMP, MUST_OVERTRUMP, MUST_HEAD, NO_FIRST_TRUMP, TRUMP_LAST = 1, 2, 4, 8, 16
NOBODY = -1  # no card on the table, nobody's trick
ANYTHING = 1 << LANE - 1  # what a led wizard asks for: no card has this bit


def duties(play: Play) -> int:
    """The duties of these rules as a sum of the constants above."""
    return (
        MUST_TRUMP * play.must_trump
        + MUST_OVERTRUMP * play.must_overtrump
        + MUST_HEAD * play.must_head
        + {"not_first_card": NO_FIRST_TRUMP, "not_while_other_suit": TRUMP_LAST}.get(play.trump_lead, 0)
    )


def asked(card: int, before: int) -> int:
    """The suit to follow, as a set, after `card`, where `before` it was to be followed.

    A led jester leaves it to the next card; a wizard before any suit is set frees everyone after it (W-6).
    """
    rank = card % LANE
    if before or rank == JESTER:
        return before
    return ANYTHING if rank == WIZARD else ONE_SUIT << (card - rank)


def beats(card: int, best: int, trump: int) -> bool:
    """Whether `card`, played after `best` which was winning, wins now; `trump` is the set of trumps.

    The first wizard wins, then the highest trump, then the highest card of the suit led; of equal cards the first, of
    jesters alone the first (W-5).
    """
    if best < 0:
        return True
    rank, best_rank = card % LANE, best % LANE
    if best_rank == WIZARD or rank == JESTER:
        return False
    if rank == WIZARD or best_rank == JESTER:
        return True
    if card - rank == best - best_rank:
        return rank > best_rank
    return trump >> card & 1 == 1


def legal_cards(holding: int, to_follow: int, best: int, trump: int, duty: int, first: bool) -> int:
    """The cards of `holding` that may be played, as a set; every set is of one pack.

    `to_follow` is what `asked` gave, 0 for whoever leads or follows jesters alone; `best` is the card winning so far,
    -1 where none lies; `first` says that no card was played in this hand yet. Wizards and jesters may always be played.
    """
    plain = holding & PLAIN
    special = holding ^ plain
    if best < 0:
        if duty & TRUMP_LAST or (duty & NO_FIRST_TRUMP and first):
            others = plain & ~trump
            return others | special if others else holding
        return holding
    best_rank = best % LANE
    higher = (-(2 << best_rank) & ONE_SUIT) << (best - best_rank)  # what is above the winning card in its suit
    followed = plain & to_follow
    if followed:
        better = followed & higher
        return (better if duty & MUST_HEAD and better else followed) | special
    trumps = plain & trump
    if to_follow == 0 or to_follow == ANYTHING or not trumps:
        return holding
    over = trumps & higher if trump >> best & 1 else trumps
    if duty & MUST_OVERTRUMP and over:
        trumps = over
        plain = plain & ~trump | over
    return (trumps if duty & MUST_TRUMP else plain) | special


class RevokeError(ValueError):
    """A card that may not be played: `card` and `legal` (a set) as numbers, `place` who played it."""

    def __init__(self, card: int, place: int, legal: int, pack: Pack) -> None:
        name = pack.name(card) if card in pack.cards else str(card)
        super().__init__(f"{name} may not be played; legal are {' '.join(pack.names(legal)) or 'no cards'}")
        self.card, self.place, self.legal = card, place, legal


class ClaimError(ValueError):
    """A claim that does not give out the tricks that are left."""


@dataclass
class CardPlay:
    """The play of one hand, card by card. Places 0 to n - 1 sit in the order of play.

    `holdings` are the sets of cards still held, `trick` the cards on the table from its leader on, `tricks` how many
    each place has won.
    """

    pack: Pack
    holdings: list[int]
    trump: str | None  # C, D, H, S; NT or None for none
    duty: int
    leader: int
    trick: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)  # of each finished trick
    played: list[tuple[int, int]] = field(default_factory=list)  # (place, card), in order
    claimed: bool = False

    def __post_init__(self) -> None:
        self.tricks = self.tricks or [0] * len(self.holdings)
        self._trumps = lane(self.trump)
        self._to_follow = 0
        self._best = self._winner = NOBODY

    @property
    def place(self) -> int | None:
        """Whose turn it is; None when all cards are played."""
        return None if self.over else (self.leader + len(self.trick)) % len(self.holdings)

    @property
    def left(self) -> int:
        """The tricks that are not finished."""
        return max(holding.bit_count() for holding in self.holdings) if not self.claimed else 0

    @property
    def over(self) -> bool:
        return self.claimed or not any(self.holdings)

    @property
    def legal(self) -> int:
        """The cards that may be played now, as a set."""
        if self.place is None:
            return 0
        holding = self.holdings[self.place]
        kinds = (holding | holding >> COPY) & ONE_PACK
        kinds = legal_cards(kinds, self._to_follow, self._best, self._trumps, self.duty, not self.played)
        return holding & (kinds | kinds << COPY)

    def play(self, card: int) -> None:
        """Plays a card for whose turn it is. Raises RevokeError where it may not be played."""
        place, legal = self.place, self.legal
        if place is None or card < 0 or not legal >> card & 1:
            raise RevokeError(card, NOBODY if place is None else place, legal, self.pack)
        kind = card % COPY
        self.holdings[place] ^= 1 << card
        self.played.append((place, card))
        self.trick.append(card)
        if beats(kind, self._best, self._trumps):
            self._best, self._winner = kind, place
        self._to_follow = asked(kind, self._to_follow)
        if len(self.trick) == len(self.holdings):
            self.tricks[self._winner] += 1
            self.winners.append(self._winner)
            self.leader = self._winner
            self.trick = []
            self._to_follow, self._best, self._winner = 0, NOBODY, NOBODY

    def claim(self, tricks: Mapping[int, int] | Sequence[int]) -> None:
        """Ends the play: each place gets so many of the tricks that are left. Raises ClaimError."""
        given = dict(tricks) if isinstance(tricks, Mapping) else dict(enumerate(tricks))
        if not set(given) <= set(range(len(self.holdings))) or any(count < 0 for count in given.values()):
            raise ClaimError("a claim names places and how many tricks each still wins")
        if sum(given.values()) != self.left:
            raise ClaimError(f"{self.left} tricks are left, the claim gives out {sum(given.values())}")
        for place, count in given.items():
            self.tricks[place] += count
        self.claimed = True
