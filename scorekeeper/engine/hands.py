"""One hand of a game: who sits, deals and bids, what is written on it, what it is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.engine import bidding
from scorekeeper.engine.events import Cell, Value
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Facts, Number, UnknownFact, exact, points, prizes


@dataclass(frozen=True)
class Hand:
    """Hand `number` (from 1) as the log before it and its own cells make it.

    `dealer` is None where the hand is skipped or where it depends on a hand that is not finished.
    """

    rules: Rules
    number: int
    planned: int  # cards as the plan has them
    table: tuple[int, ...]  # clockwise
    dealer: int | None
    last: bool  # counts as the game's last hand
    fixed_trump: str | None  # what the rules say before a card is turned
    max_cards: int  # of the game's first plan
    cells: Mapping[Cell, Value]
    totals_before: Mapping[int, Number]
    results_before: Mapping[int, tuple[tuple[int, bool | None], ...]]  # of each seat: (cards, made), hand by hand
    zero_runs: Mapping[int, int]  # zero bids of each seat in a row, up to this hand
    edited: bool  # changed after its tricks were written
    played_on: bool  # a later hand has begun

    def _written(self, field: str) -> dict[int, Any]:
        return {seat: self.cells.get((field, seat)) for seat in self.present}

    @cached_property
    def cards(self) -> int:
        """Cards per player = tricks available."""
        cards = self.cells.get(("cards", None))
        return cards if isinstance(cards, int) else self.planned

    @cached_property
    def absent(self) -> frozenset[int]:
        """Seats of the table that sit this hand out."""
        return frozenset(seat for seat in self.table if self.cells.get(("absent", seat)))

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Seats that play this hand, clockwise."""
        return tuple(seat for seat in self.table if seat not in self.absent)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Seats that play this hand, in the order they bid; empty while the dealer is not known."""
        first = self.cells.get(("first_bidder", None))
        if self.dealer is None:
            return ()
        return bidding.order(
            self.rules, self.table, self.dealer, self.present, first if isinstance(first, int) else None
        )

    @property
    def first_bidder(self) -> int | None:
        return self.order[0] if self.order else None

    @property
    def last_bidder(self) -> int | None:
        """Whom the hook binds where bids are made in turn."""
        return self.order[-1] if self.order else None

    @cached_property
    def bids(self) -> dict[int, int | None]:
        """By seat, in bidding order; None is "not written"."""
        written = self._written("bids")
        return {seat: written[seat] for seat in self.order or self.present}

    @cached_property
    def tricks(self) -> dict[int, int | None]:
        """By seat, in bidding order; None is "not written"."""
        written = self._written("tricks")
        return {seat: written[seat] for seat in self.order or self.present}

    @cached_property
    def won(self) -> dict[int, int | None]:
        """By seat, in bidding order, the tricks counted while the hand is played, None for none; never scored."""
        counted = self._written("won")
        return {seat: counted[seat] for seat in self.order or self.present}

    @property
    def won_total(self) -> int:
        return sum(won for won in self.won.values() if won is not None)

    @property
    def counting(self) -> bool:
        """The table counts trick by trick: some are counted, and the tricks are not written yet."""
        return self.phase == "playing" and any(won is not None for won in self.won.values())

    @property
    def all_counted(self) -> bool:
        """Every trick of the hand was counted for somebody."""
        return self.counting and self.won_total == self.tricks_to_win

    def needs(self, seat: int) -> int | None:
        """The tricks that a seat's count is short of its bid, below 0 where it is past it; None without a bid."""
        bid = self.bids.get(seat)
        return None if bid is None else bid - (self.won[seat] or 0)

    @property
    def outcome(self) -> str:
        """played, void (abandoned), bomb (one trick was won by nobody) or skipped (not dealt)."""
        return str(self.cells.get(("outcome", None)) or "played")

    @property
    def override(self) -> bool:
        """The table lets a forbidden bid stand."""
        return bool(self.cells.get(("override", None)))

    @property
    def note(self) -> str:
        return str(self.cells.get(("note", None)) or "")

    @cached_property
    def as_bid(self) -> frozenset[int]:
        """Seats scored as if they had made their bids; where there are some, the others only have adjustments."""
        return frozenset(seat for seat in self.present if self.cells.get(("as_bid", seat)))

    @cached_property
    def written(self) -> bool:
        """Something is written on this hand."""
        return any(value is not None for value in self.cells.values())

    @property
    def no_trump(self) -> bool:
        """The rules give this hand no trump, whatever is turned."""
        return self.fixed_trump == "NT"

    @property
    def trump(self) -> str | None:
        """C, D, H, S, NT; None is "not written"."""
        written = self.cells.get(("trump", None))
        return str(written) if written is not None else self.fixed_trump

    @property
    def simultaneous(self) -> bool:
        return self.rules.bidding.mode == "simultaneous"

    @cached_property
    def bids_in(self) -> bool:
        return bool(self.present) and None not in self.bids.values()

    @cached_property
    def tricks_in(self) -> bool:
        return bool(self.present) and None not in self.tricks.values()

    @property
    def hidden(self) -> bool:
        """Bids are made all at once and not all are in: nobody may see the ones that are."""
        return self.simultaneous and not self.bids_in

    @property
    def phase(self) -> str:
        """bidding, playing or finished."""
        if self.outcome in ("void", "skipped"):
            return "finished"
        if not self.bids_in:
            return "bidding"
        return "finished" if self.tricks_in or self.as_bid else "playing"

    @property
    def bids_total(self) -> int:
        return sum(bid for bid in self.bids.values() if bid is not None)

    @property
    def tricks_total(self) -> int:
        return sum(tricks for tricks in self.tricks.values() if tricks is not None)

    @property
    def tricks_to_win(self) -> int:
        """What the tricks must add up to."""
        return self.cards - 1 if self.outcome == "bomb" else self.cards

    @property
    def over_by(self) -> int | None:
        """By how much the bids exceed the tricks, below 0 where they fall short; None until all bids are in."""
        return self.bids_total - self.cards if self.bids_in else None

    @cached_property
    def hook(self) -> bool:
        """The bids of this hand may not add up to its tricks."""
        last = self.last_bidder
        others = [total for seat, total in self.totals_before.items() if seat != last]
        mine = self.totals_before.get(last, 0) if last is not None else 0
        best = min(others, default=mine) if self.rules.scoring.direction == "low" else max(others, default=mine)
        leads = mine < best if self.rules.scoring.direction == "low" else mine > best
        return bidding.hook_binds(
            self.rules.bidding,
            cards=self.cards,
            first_hand=self.number == 1,
            last_hand=self.last,
            last_bidder_leads=leads,
        )

    @property
    def forbidden(self) -> int | None:
        """What the hook takes from the last bidder, given the other bids; None where it takes nothing."""
        return None if self.last_bidder is None else self.banned(self.last_bidder)

    def banned(self, seat: int) -> int | None:
        """The one bid that `seat` may not make once all others have bid: whoever closes the bidding is bound.

        None with simultaneous bids: there an even total is for the table to settle.
        """
        if not self.hook or self.simultaneous:
            return None
        even = bidding.evening_bid(self.cards, self.others(seat))
        last = even if seat == self.last_bidder else self.bids.get(self.last_bidder or 0)
        exempt = self.rules.bidding.hook == "dealer_leading_and_nonzero" and last == 0
        return None if exempt else even

    def others(self, seat: int) -> list[int | None]:
        """The bids of everyone else."""
        return [bid for one, bid in self.bids.items() if one != seat]

    def legal_bids(self, seat: int) -> tuple[int, ...]:
        """The bids that `seat` may make now."""
        if self.rules.bidding.total_must_equal:
            even = bidding.evening_bid(self.cards, self.others(seat))
            if even is not None:
                return (even,)
        return bidding.legal(self.cards, self.banned(seat), self.zeros_used_up(seat))

    def zeros_used_up(self, seat: int) -> bool:
        """As many zero bids in a row as the rules allow."""
        most = bidding.zero_limit(self.rules.bidding, len(self.present))
        return most is not None and self.zero_runs.get(seat, 0) >= most

    @property
    def leader(self) -> int | None:
        """Who leads to the first trick; None while that is not known."""
        if self.dealer is None:
            return None
        step = 1 if self.rules.direction == "clockwise" else -1
        match self.rules.play.first_lead:
            case "dealer":
                if self.dealer in self.present:
                    return self.dealer
            case "right_of_dealer":
                step = -1
            case "highest_bidder_nearest_after_dealer":
                if not self.bids_in:
                    return None
                highest = max(bid for bid in self.bids.values() if bid is not None)
                among = [seat for seat, bid in self.bids.items() if bid == highest]
                return bidding.next_seat(self.table, self.dealer, step, among)
            case _:
                step = 1
        return bidding.next_seat(self.table, self.dealer, step, self.present)

    def made(self, seat: int) -> bool | None:
        """Whether the bid was made; None while that is not known."""
        bid, tricks = self.bids.get(seat), self.tricks.get(seat)
        if bid is None or self.outcome in ("void", "skipped"):
            return None
        if self.as_bid:
            return True if seat in self.as_bid else None
        return None if tricks is None else bid == tricks

    @cached_property
    def facts(self) -> Facts:
        """What the scoring of this hand may ask, but for the seat's own."""
        over = self.over_by
        return Facts(
            self.cards,
            0,
            0,
            players=len(self.present),
            max_cards=self.max_cards,
            no_card_left=len(self.present) * self.cards == self.rules.cards_in_pack(len(self.present)),
            last_hand=self.last,
            trump=self.trump,
            bids_total=None if over is None else "over" if over > 0 else "under" if over < 0 else "even",
        )

    @cached_property
    def formula_points(self) -> dict[int, Number | None]:
        """By seat of the table, what the formula gives; None where it gives nothing or cannot yet."""
        return {seat: self._formula_points(seat) for seat in self.table}

    def _formula_points(self, seat: int) -> Number | None:
        if self.made(seat) is None:
            return None
        bid, tricks = self.bids[seat], self.tricks[seat]
        assert bid is not None
        facts = replace(
            self.facts,
            bid=bid,
            tricks=bid if seat in self.as_bid or tricks is None else tricks,
            blind=bool(self.cells.get(("blind", seat))),
            wager=self._count("wager", seat),
            side=self._count("side", seat),
            total_before=self.totals_before.get(seat, 0),
        )
        try:
            return points(self.rules.scoring, facts)
        except UnknownFact:
            return None

    def _count(self, field: str, seat: int) -> int:
        written = self.cells.get((field, seat))
        return written if isinstance(written, int) else 0

    def adjustment(self, seat: int) -> Number | None:
        """The points beside the formula, once the hand is finished or the seat is out of it."""
        written = self.cells.get(("adjust", seat))
        if written is None or isinstance(written, bool | str):
            return None
        counts = self.phase == "finished" or seat in self.absent or self.formula_points.get(seat) is not None
        return written if counts else None

    def _prize(self, seat: int) -> int:
        streak, made = self.rules.scoring.streak, self.made(seat)
        if streak is None or made is None:
            return 0
        return prizes(streak, [*self.results_before[seat], (self.cards, made)])[-1]

    @cached_property
    def points(self) -> dict[int, Number | None]:
        """By seat of the table, the points of this hand: formula, prize of a streak, adjustment; None for none."""
        given: dict[int, Number | None] = {}
        for seat, formula_points in self.formula_points.items():
            parts = [formula_points, self.adjustment(seat)]
            if formula_points is not None:
                parts.append(self._prize(seat))
            scored = [part for part in parts if part is not None]
            given[seat] = exact(sum(scored, start=0)) if scored else None
        return given

    @cached_property
    def totals(self) -> dict[int, Number]:
        """By seat, of all who ever sat: the total after this hand."""
        return {seat: exact(total + (self.points.get(seat) or 0)) for seat, total in self.totals_before.items()}

    @property
    def worst_miss(self) -> int | None:
        """Whose bid was missed by most, of several the nearest after the dealer; None where all were made."""
        misses = {
            seat: abs(tricks - bid)
            for seat, bid in self.bids.items()
            if bid is not None and (tricks := self.tricks[seat]) is not None and tricks != bid
        }
        if not misses or self.dealer is None:
            return None
        worst = [seat for seat, miss in misses.items() if miss == max(misses.values())]
        return bidding.next_seat(self.table, self.dealer, 1 if self.rules.direction == "clockwise" else -1, worst)
