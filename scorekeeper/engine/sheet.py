"""The score sheet: what the events of a game add up to. `apply` never refuses, `check` does, `faults` reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice
from typing import cast

from scorekeeper.engine import legality
from scorekeeper.engine.bidding import next_seat
from scorekeeper.engine.events import (
    MOST_HANDS,
    Cell,
    Ended,
    Entry,
    Event,
    HandWritten,
    PlanChanged,
    TableChanged,
    Undone,
    Value,
)
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Number
from scorekeeper.engine.trumps import fixed_trump


@dataclass
class _Log:
    """What the entries that count say, before anything is worked out from it."""

    cells: dict[int, dict[Cell, Value]] = field(default_factory=dict)
    plans: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by hand: the sizes from there on
    tables: list[TableChanged] = field(default_factory=list)
    last: dict[int, bool] = field(default_factory=dict)  # whether a hand was the last when it was first written
    redealt: set[int] = field(default_factory=set)  # void hands that were dealt again, their size and dealer repeated
    edited: set[int] = field(default_factory=set)
    ended: Ended | None = None


@dataclass(frozen=True)
class Sheet:
    """A game: its rules, its first table (seats clockwise), who deals first, and its log. All else is derived."""

    rules: Rules
    table: tuple[int, ...]
    first_dealer: int
    entries: tuple[Entry, ...] = ()
    # Hands of a sheet before this one, worked out already: most of them come out the same.
    known: tuple[Hand, ...] = field(default=(), compare=False, repr=False)

    def apply(self, entry: Entry) -> "Sheet":
        """The sheet with one entry more, legal or not."""
        known: tuple[Hand, ...] = vars(self).get("hands", self.known)
        return replace(self, entries=(*self.entries, entry), known=known)

    @cached_property
    def counting(self) -> tuple[Entry, ...]:
        """The entries that count: neither undone nor themselves an undoing."""
        undone: set[str] = set()
        counting: list[Entry] = []
        for entry in reversed(self.entries):
            if entry.key in undone:
                continue
            if isinstance(entry.event, Undone):
                undone.add(entry.event.key)
            else:
                counting.append(entry)
        return tuple(reversed(counting))

    @property
    def last(self) -> Entry | None:
        """The entry that an undo would take back."""
        return self.counting[-1] if self.counting else None

    @cached_property
    def first_plan(self) -> tuple[int, ...]:
        """The hand sizes as the game began; rules for fewer players may leave so many none at all."""
        return self.rules.sizes(len(self.table))

    @cached_property
    def largest(self) -> int:
        """The cards of the largest hand of the first plan."""
        return max(self.first_plan, default=1)

    @cached_property
    def _log(self) -> _Log:
        log = _Log()
        for entry in self.counting:
            match entry.event:
                case HandWritten(hand, cells):
                    self._write(log, hand, dict(cells))
                case TableChanged() as change:
                    log.tables.append(change)
                case PlanChanged(hand, cards):
                    while hand in log.cells:
                        hand, cards = hand + 1, cards[1:]
                    log.plans = {start: sizes for start, sizes in log.plans.items() if start < hand} | {hand: cards}
                case Ended() as ended:
                    log.ended = ended
        return log

    def _write(self, log: _Log, hand: int, cells: dict[Cell, Value]) -> None:
        if hand not in log.cells:
            scheduled = self.rules.end.kind == "schedule"
            log.last[hand] = scheduled and len(list(islice(self._sizes(log), hand + 1))) == hand
        have = log.cells.get(hand, {})
        if any(name == "tricks" for name, _ in have) and any(
            have.get(cell) not in (None, value) for cell, value in cells.items() if cell[0] != "won"
        ):
            log.edited.add(hand)
        if ("outcome", None) in cells and hand == max([hand, *log.cells]):
            # A hand found void when later ones are written changes nothing in those.
            again = {hand} if cells["outcome", None] == "void" else set()
            log.redealt = log.redealt - {hand} | again
        # None rubs out: the cell is as if never written.
        log.cells[hand] = {cell: value for cell, value in (have | cells).items() if value is not None}

    def _sizes(self, log: _Log) -> Iterator[int]:
        """The sizes of the hands as planned, in order of number, without end where the end is open.

        A void hand is dealt again, so its size comes twice.
        """
        left = self.first_plan
        for hand in range(1, MOST_HANDS + 1):
            left = log.plans.get(hand, left)
            if not left and self.rules.end.kind != "schedule":
                left = self.first_plan
            if not left:
                return
            yield left[0]
            if hand not in log.redealt:
                left = left[1:]

    @cached_property
    def planned(self) -> int | None:
        """How many hands there are to be; None where the end is open."""
        return len(list(self._sizes(self._log))) if self.rules.end.kind == "schedule" else None

    @property
    def ended(self) -> Ended | None:
        """How the table ended the game, if it did."""
        return self._log.ended

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Everyone who ever had a seat, by number."""
        return tuple(sorted(set(self.table).union(*(change.table for change in self._log.tables))))

    def cells(self, hand: int) -> Mapping[Cell, Value]:
        """What is written on a hand; what is not there is "not written"."""
        return self._log.cells.get(hand, {})

    def hand(self, number: int) -> Hand:
        """Raises RuleError if there is no such hand."""
        if not 1 <= number <= len(self.hands):
            raise RuleError(Fault("no_hand", None, None, {"hand": number}))
        return self.hands[number - 1]

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """All hands planned or written; where the end is open or a tie is played off, also the one that comes next."""
        return tuple(self._deal())

    @cached_property
    def written(self) -> int:
        """The number of the last hand on which something is written, 0 for none."""
        return max((hand for hand, cells in self._log.cells.items() if cells), default=0)

    @property
    def next_free(self) -> int:
        """The number of the hand after the last that has begun: from there on the table can still change."""
        return max((hand for hand, cells in self._log.cells.items() if _has_begun(cells)), default=0) + 1

    def sizes_from(self, number: int) -> tuple[int, ...]:
        """The planned sizes of the hands from this one on; where the end is open, of those that are known."""
        return tuple(hand.planned for hand in self.hands[number - 1 :])

    def _deal(self) -> Iterator[Hand]:
        log = self._log
        totals: dict[int, Number] = dict.fromkeys(self.seats, 0)
        results: dict[int, tuple[tuple[int, bool | None], ...]] = dict.fromkeys(self.seats, ())
        zero_runs = dict.fromkeys(self.seats, 0)
        dealt: Hand | None = None  # the last hand that was not skipped
        size_before: int | None = None
        turn, finished, sizes = 0, True, self._sizes(log)
        for number in count(1):
            size = next(sizes, None)
            if number > self.written and not self._more_to_come(size, finished, totals):
                return
            totals |= {seat: points for one in log.tables if one.hand == number for seat, points in one.carry}
            cells, table = log.cells.get(number, {}), self.table_at(number)
            players = sum(not cells.get(("absent", seat)) for seat in table)
            last = log.last.get(number, self.rules.end.kind == "schedule" and number == self.planned)
            planned = self.largest if size is None else size  # extra hands have the largest size
            hand_cards = cast(int, cells.get(("cards", None), planned))
            hand = Hand(
                rules=self.rules,
                number=number,
                planned=planned,
                table=table,
                dealer=self._dealer(cells, table, dealt),
                last=last,
                fixed_trump=fixed_trump(
                    self.rules,
                    number=number,
                    cards=hand_cards,
                    before=size_before,
                    most=self.largest,
                    players=players,
                    last=last,
                    turn=turn,
                ),
                max_cards=self.largest,
                cells=cells,
                totals_before=dict(totals),
                results_before=dict(results),
                zero_runs=dict(zero_runs),
                edited=number in log.edited,
                played_on=number < self.written,
            )
            if hand in self.known[number - 1 : number]:
                hand = self.known[number - 1]
            yield hand
            totals |= hand.totals
            finished = finished and hand.phase == "finished"
            if hand.outcome != "skipped":
                dealt, size_before = hand, hand_cards
            turn += hand.outcome != "skipped" and number not in log.redealt
            if hand.outcome in ("played", "bomb"):
                for seat in hand.present:
                    bid = hand.bids[seat]
                    zero_runs[seat] = zero_runs[seat] + 1 if bid == 0 else zero_runs[seat] if bid is None else 0
                    results[seat] += ((hand.cards, hand.made(seat)),)

    def _more_to_come(self, size: int | None, finished: bool, totals: Mapping[int, Number]) -> bool:
        """Whether a hand follows on which nothing is written; `finished` says that all before it are."""
        match self.rules.end.kind:
            case "schedule":
                tied = self.rules.tie == "extra_max_hands" and len(self._best(totals)) > 1
                return size is not None or (finished and tied and self.written > 0)
            case "target":
                return finished and not self._target_reached(totals)
        return finished

    def _best(self, totals: Mapping[int, Number]) -> list[int]:
        best = (min if self.rules.scoring.direction == "low" else max)(totals.values())
        return [seat for seat, total in totals.items() if total == best]

    def _target_reached(self, totals: Mapping[int, Number]) -> bool:
        return self.rules.end.target is not None and max(totals.values()) >= self.rules.end.target

    def table_at(self, number: int) -> tuple[int, ...]:
        """Who sits where in a hand: the change nearest before it, the later written one of two for the same hand."""
        changes = [change for change in self._log.tables if change.hand <= number]
        return max(reversed(changes), key=lambda change: change.hand).table if changes else self.table

    def _dealer(self, cells: Mapping[Cell, Value], table: tuple[int, ...], dealt: Hand | None) -> int | None:
        """Who deals: as written, else whom the deal passes to from the last hand dealt."""
        written = cells.get(("dealer", None))
        if cells.get(("outcome", None)) == "skipped":
            return None
        if isinstance(written, int) and written in table:
            return written
        if dealt is None:
            return self.first_dealer if self.first_dealer in table else table[0]
        if dealt.dealer is None:
            return None
        if dealt.number in self._log.redealt and dealt.dealer in table:
            return dealt.dealer
        if self.rules.deal_passes == "worst_miss":
            if dealt.phase != "finished":
                return None
            worst = dealt.worst_miss
            if worst in table:
                return worst
        step = -1 if self.rules.deal_passes == "right" else 1
        # From the dealer's place in the new table, or, who has left it, from the old one.
        places = table if dealt.dealer in table else dealt.table
        if not set(places).intersection(table):
            return table[0]
        return next_seat(places, dealt.dealer, step, table)

    @cached_property
    def over(self) -> bool:
        """The game has ended: by its plan, by its target, or because the table says so."""
        return self.ended is not None or all(hand.phase == "finished" for hand in self.hands)

    @property
    def current(self) -> Hand | None:
        """The hand to write on: the first that is not finished; None when the game is over."""
        return None if self.over else next(hand for hand in self.hands if hand.phase != "finished")

    @property
    def played(self) -> tuple[Hand, ...]:
        """The hands that are finished."""
        return tuple(hand for hand in self.hands if hand.phase == "finished")

    @cached_property
    def totals(self) -> Mapping[int, Number]:
        """The points of every seat so far."""
        begun = self.hands[: max(1, self.written)]
        return begun[-1].totals if begun else dict.fromkeys(self.seats, 0)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the sheet as it stands, in order of hands; of hands to come, whether they can be dealt."""
        begun = max(1, self.written)
        return tuple(
            fault
            for hand in self.hands
            for fault in legality.faults(hand)
            if fault.code == "deck" or (hand.number <= begun and not self._said_before(hand, fault))
        )

    def _said_before(self, hand: Hand, fault: Fault) -> bool:
        """Too many or too few players are one fault of a table, not one of each hand it plays."""
        return fault.code == "players" and hand.number > 1 and self.hands[hand.number - 2].table == hand.table

    def check(self, event: Event) -> None:
        """Raises RuleError if the rules refuse this event now."""
        self.written_on(Entry("", event))

    def written_on(self, entry: Entry) -> "Sheet":
        """The sheet with one entry more. Raises RuleError if the rules refuse its event now."""
        after = self.apply(entry)
        self._check(entry.event, after)
        return after

    def _check(self, event: Event, after: "Sheet") -> None:
        match event:
            case HandWritten(number, cells):
                self._check_hand(number, dict(cells), after)
            case TableChanged(number, table, carry):
                self._check_table(number, table, [seat for seat, _ in carry])
            case PlanChanged(number, cards):
                self._check_plan(number, cards)
            case Ended():
                if self.over:
                    raise RuleError(Fault("over"))
            case Undone(key):
                if key not in {entry.key for entry in self.entries}:
                    raise RuleError(Fault("entry"))

    def _check_hand(self, number: int, cells: Mapping[Cell, Value], written: "Sheet") -> None:
        hand = self.hand(number)
        current = self.current
        if current is None and not hand.written:
            raise RuleError(Fault("over", number))
        if current is not None and number > current.number and not hand.written:
            raise RuleError(Fault("hand", number, None, {"hand": number, "current": current.number}))
        after = written.hand(number)
        self._check_seats(number, cells, after)
        names = {name for (name, _), value in cells.items() if value is not None}
        fault = legality.refused(hand, after, cells) or ("won" in names and legality.miscounted(after))
        if fault:
            raise RuleError(fault)
        if "tricks" in names:
            for seat, bid in after.bids.items():
                if bid is None:
                    raise RuleError(Fault("bid_missing", number, seat))

    def _check_seats(self, number: int, cells: Mapping[Cell, Value], after: Hand) -> None:
        for (name, seat), value in cells.items():
            named = value if name in ("dealer", "first_bidder") else seat
            if named is not None and named not in after.table:
                raise RuleError(Fault("seat", number, cast(int, named)))
            if name in ("bids", "tricks", "won") and value is not None and seat in after.absent:
                raise RuleError(Fault("absent", number, seat))
            if name == "blind" and value and (behind := self._too_near(cast(int, seat), after)) is not None:
                raise RuleError(Fault("blind", number, seat, {"behind": behind}))

    def _too_near(self, seat: int, hand: Hand) -> int | None:
        """How far behind the leader a seat must be to bid blind, where it is not; None where it may."""
        blind = self.rules.bidding.blind_bids
        if blind is None:
            return None
        sign = -1 if self.rules.scoring.direction == "low" else 1
        leading = max(sign * total for total in hand.totals_before.values())
        behind = leading - sign * hand.totals_before[seat]
        return blind.min_points_behind_leader if behind < blind.min_points_behind_leader else None

    def _check_table(self, number: int, table: tuple[int, ...], carrying: Sequence[int]) -> None:
        low, high = self.rules.players
        if not low <= len(set(table)) <= high or len(set(table)) != len(table):
            raise RuleError(Fault("players", number, None, {"low": low, "high": high, "players": len(table)}))
        begun = [hand for hand in self._log.cells if hand >= number and _has_begun(self._log.cells[hand])]
        if begun:
            raise RuleError(Fault("started", number, None, {"hand": max(begun)}))
        self._check_may_change(number)
        # A seat that was undone stays taken: redo would bring it back.
        taken = set(self.table).union(*(one.event.table for one in self.entries if isinstance(one.event, TableChanged)))
        new = sorted(set(table) - taken)
        if new != list(range(len(taken), len(taken) + len(new))):
            raise RuleError(Fault("seat", number, max(new)))
        joining = set(table) - (set(self.table_at(number - 1)) if number > 1 else set())
        for seat in carrying:
            if seat not in joining:
                raise RuleError(Fault("seat", number, seat))

    def _check_plan(self, number: int, cards: Sequence[int]) -> None:
        self._check_may_change(number)
        players = len(self.table_at(number))
        pack = self.rules.cards_in_pack(players)
        for size in cards:
            if players * size > pack:
                raise RuleError(Fault("deck", number, None, {"players": players, "cards": size, "deck": pack}))
        if not cards and number <= max(self.written, 1):
            raise RuleError(Fault("no_hand", number, None, {"hand": number}))

    def _check_may_change(self, number: int) -> None:
        if self.over:
            raise RuleError(Fault("over", number))
        if not 1 <= number <= len(self.hands) + 1:
            raise RuleError(Fault("no_hand", None, None, {"hand": number}))


def _has_begun(cells: Mapping[Cell, Value]) -> bool:
    return any(name in ("bids", "tricks") for name, _ in cells)
