"""What one seat may see of a hand while it is bid and played: all that a player may decide by."""

from dataclasses import dataclass

from scorekeeper.engine import bidding
from scorekeeper.engine.cards import Pack, as_set
from scorekeeper.engine.hands import Hand


def places(hand: Hand) -> tuple[int, ...]:
    """The seats of a hand by place: 0 sits beside the dealer, where the first card is dealt, and the dealer is last.

    A dealer who sits the hand out has no place. Empty while the dealer is not known.
    """
    if hand.dealer is None:
        return ()
    step = 1 if hand.rules.direction == "clockwise" else -1
    first = bidding.next_seat(hand.table, hand.dealer, step, hand.present)
    return bidding.order(hand.rules, hand.table, hand.dealer, hand.present, first)


@dataclass(frozen=True)
class Seen:
    """All that one seat may see of a hand.

    `hand` has the bids that lie open, `seats` are by place, `holding` is the seat's own set of cards. Where a single
    card is held to the forehead, `holding` is empty and `others` are the sets of all places, empty for its own.
    """

    hand: Hand
    seat: int
    seats: tuple[int, ...]
    pack: Pack
    holding: int
    turned: int | None = None
    trump: str | None = None  # C, D, H, S, NT; None while it is not named
    others: tuple[int, ...] = ()
    leader: int = 0  # the place that led first
    played: tuple[tuple[int, int], ...] = ()  # (place, card), in order

    @property
    def place(self) -> int:
        """The seat's own place."""
        return self.seats.index(self.seat)

    @property
    def left(self) -> int:
        """The tricks that are not finished, the one on the table with them."""
        return self.hand.cards - len(self.played) // len(self.seats)

    @property
    def in_play(self) -> int:
        """The set of all cards of the pack but the one turned up."""
        return as_set(self.pack.cards) & ~(0 if self.turned is None else 1 << self.turned)

    @property
    def trick(self) -> tuple[tuple[int, int], ...]:
        """The cards on the table, (place, card) from its leader on."""
        return self.played[len(self.played) - len(self.played) % len(self.seats) :]

    @property
    def first(self) -> int:
        """The place that leads first as far as it is known, else place 0."""
        return self.seats.index(self.hand.leader) if self.hand.leader in self.seats else 0
