"""What is wrong with a hand as it stands, and which of it an entry has to answer for."""

from collections.abc import Iterator, Mapping

from scorekeeper.engine import bidding
from scorekeeper.engine.events import Cell, Value
from scorekeeper.engine.faults import Fault
from scorekeeper.engine.hands import Hand

# The written field that each code of a fault is about.
_FIELDS = {
    "bid_range": "bids",
    "zero_bids": "bids",
    "hook": "bids",
    "tricks_range": "tricks",
    "tricks_total": "tricks",
    "trump": "trump",
    "deck": "cards",
}
_MISSING = ("bid_missing", "tricks_missing")


def refused(before: Hand, after: Hand, cells: Mapping[Cell, Value]) -> Fault | None:
    """The first fault for which the entry that made `after` of `before` is refused.

    That is a fault which it brings, or one that was there and about what it writes. What is only missing still is no
    reason: it may be written later.
    """
    had = set(faults(before))
    written = {name for name, _ in cells}
    for fault in faults(after):
        name = _FIELDS.get(fault.code)
        of_all = fault.seat is None or fault.code == "hook"
        if fault not in had and fault.code not in _MISSING:
            return fault
        if (name, fault.seat) in cells or (of_all and name in written):
            return fault
    return None


def miscounted(hand: Hand) -> Fault | None:
    """Why tricks cannot be counted so on this hand; a count that stands is never a fault of the sheet."""
    for seat, bid in hand.bids.items():
        if bid is None:
            return Fault("bid_missing", hand.number, seat)
    for seat, won in hand.won.items():
        if won is not None and not 0 <= won <= hand.cards:
            return Fault("tricks_range", hand.number, seat, {"tricks": won, "cards": hand.cards})
    if hand.won_total > hand.tricks_to_win:
        return Fault("tricks_total", hand.number, None, {"total": hand.won_total, "cards": hand.tricks_to_win})
    return None


def faults(hand: Hand) -> Iterator[Fault]:
    """What is wrong with this hand as it stands."""
    if hand.outcome == "skipped" or not hand.table:
        return
    yield from _deal_faults(hand)
    if hand.outcome == "void":
        return
    yield from _bid_faults(hand)
    if not hand.as_bid:
        yield from _trick_faults(hand)


def _deal_faults(hand: Hand) -> Iterator[Fault]:
    low, high = hand.rules.players
    if not low <= len(hand.table) <= high:
        yield Fault("players", hand.number, None, {"low": low, "high": high, "players": len(hand.table)})
    players, pack = len(hand.present), hand.rules.cards_in_pack(len(hand.present))
    if players * hand.cards > pack:
        yield Fault("deck", hand.number, None, {"players": players, "cards": hand.cards, "deck": pack})
    if not _trump_fits(hand):
        yield Fault("trump", hand.number, None, {"trump": hand.cells[("trump", None)]})


def _trump_fits(hand: Hand) -> bool:
    trump, written = hand.rules.trump, hand.cells.get(("trump", None))
    if written is None or trump.method == "not_modelled":
        return True
    if hand.fixed_trump is not None:
        return written == hand.fixed_trump
    if written != "NT":
        return True
    players = len(hand.present)
    match trump.method:
        case "turn_up":
            # With the whole pack dealt another way of finding a trump applies, and it may find none.
            return players * hand.cards == hand.rules.cards_in_pack(players)
        case "highest_bidder":
            return trump.allow_no_trump
        case "auction":
            return trump.order is None or "NT" in trump.order
    return True


def _bid_faults(hand: Hand) -> Iterator[Fault]:
    complete = hand.played_on or hand.tricks_in
    for seat, bid in hand.bids.items():
        if bid is None:
            if complete:
                yield Fault("bid_missing", hand.number, seat)
        elif not 0 <= bid <= hand.cards:
            yield Fault("bid_range", hand.number, seat, {"bid": bid, "cards": hand.cards})
        elif bid == 0 and not hand.override and not _zero_is_legal(hand, seat):
            most = bidding.zero_limit(hand.rules.bidding, len(hand.present))
            yield Fault("zero_bids", hand.number, seat, {"most": most})
    if hand.bids_in and not hand.override:
        yield from _total_faults(hand)


def _zero_is_legal(hand: Hand, seat: int) -> bool:
    """Whether a zero is within the limit of zeros in a row; where it is the hook that forbids it, that says so."""
    even = bidding.evening_bid(hand.cards, hand.others(seat))
    if hand.rules.bidding.total_must_equal and even == 0:
        return True
    return hand.banned(seat) == 0 or 0 in bidding.legal(hand.cards, hand.banned(seat), hand.zeros_used_up(seat))


def _total_faults(hand: Hand) -> Iterator[Fault]:
    even = hand.over_by == 0
    numbers = {"cards": hand.cards, "total": hand.bids_total}
    if hand.rules.bidding.total_must_equal and not even:
        yield Fault("hook", hand.number, hand.last_bidder, {**numbers, "said": "must_equal"})
    elif hand.hook and even and hand.simultaneous:
        yield Fault("hook", hand.number, None, {**numbers, "said": "hook_all"})
    elif hand.hook and even and hand.last_bidder is not None and hand.forbidden is not None:
        yield Fault("hook", hand.number, hand.last_bidder, {**numbers, "bid": hand.forbidden})


def _trick_faults(hand: Hand) -> Iterator[Fault]:
    for seat, tricks in hand.tricks.items():
        if tricks is None:
            if hand.played_on:
                yield Fault("tricks_missing", hand.number, seat)
        elif not 0 <= tricks <= hand.cards:
            yield Fault("tricks_range", hand.number, seat, {"tricks": tricks, "cards": hand.cards})
    total, wanted = hand.tricks_total, hand.tricks_to_win
    if total > wanted or (hand.tricks_in and total != wanted):
        yield Fault("tricks_total", hand.number, None, {"total": total, "cards": wanted})
