"""Plays a recorded hand through the engine and lists every difference.

A record is one JSON object as open_spiel's `oh_hell` hands are kept: `n` players, `k` cards each, `dealer`, the
`hands` by player, `turnup`, `trump`, the `bids` and `plays` in order, each with what was `legal`; then what came of it.
Whatever a record leaves out is not compared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.engine import catalog
from scorekeeper.engine.cards import CardError, pack_of
from scorekeeper.engine.events import MOST_CARDS, MOST_SEATS, TRUMPS, Entry, HandWritten
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.plain import Problem, axis, each, exact_number, one_of, optional, part, read, text, whole
from scorekeeper.engine.play import CardPlay, RevokeError, duties
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scorefile import json_number
from scorekeeper.engine.scoring import Number
from scorekeeper.engine.sheet import Sheet

_seat = whole(0, MOST_SEATS - 1)
_names = each(text, MOST_CARDS)
_counts = each(whole(0, MOST_CARDS), MOST_SEATS)


def _points(value: object, path: str, problems: list[Problem]) -> Number:
    number = exact_number(value)
    if number is None:
        problems.append(Problem(path, "must be a number"))
    return number or 0


_all_points = optional(each(_points, MOST_SEATS))


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid and, where recorded, all that were legal."""

    player: int = axis(_seat)
    bid: int = axis(whole(0, MOST_CARDS))
    legal: tuple[int, ...] | None = axis(optional(each(whole(0, MOST_CARDS), MOST_CARDS + 1)), None)


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card and, where recorded, all that were legal."""

    player: int = axis(_seat)
    card: str = axis(text)
    legal: tuple[str, ...] | None = axis(optional(_names), None)


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded hand. Players sit clockwise in order of number."""

    n: int = axis(whole(2, MOST_SEATS))
    k: int = axis(whole(1, MOST_CARDS))
    dealer: int = axis(_seat)
    hands: tuple[tuple[str, ...], ...] = axis(each(_names, MOST_SEATS))
    trump: str = axis(one_of(*TRUMPS))
    plays: tuple[CardPlayed, ...] = axis(each(part(CardPlayed), MOST_SEATS * MOST_CARDS))
    bids: tuple[BidMade, ...] = axis(each(part(BidMade), MOST_SEATS), ())
    turnup: str | None = axis(optional(text), None)
    trick_winners: tuple[int, ...] | None = axis(optional(each(_seat, MOST_CARDS)), None)
    bid_by_player: tuple[int, ...] | None = axis(optional(_counts), None)
    tricks_by_player: tuple[int, ...] | None = axis(optional(_counts), None)
    points: tuple[Number, ...] | None = axis(_all_points, None)  # by the rules in force
    # By three formulas, whatever the rules.
    score_10_plus_tricks_or_0: tuple[Number, ...] | None = axis(_all_points, None)
    openspiel_returns: tuple[Number, ...] | None = axis(_all_points, None)
    openspiel_returns_penalty: tuple[Number, ...] | None = axis(_all_points, None)


FORMULAS: Mapping[str, str] = {
    "score_10_plus_tricks_or_0": "exact",
    "openspiel_returns": "trick_per_miss",
    "openspiel_returns_penalty": "get_fred",
}
_REMARKS = ("id", "seed", "style", "void_trump")


class RecordError(ValueError):
    """What cannot be played at all: no record, or cards that cannot be."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where record and engine part: `what` in words, then both as plain data."""

    what: str
    recorded: Any
    engine: Any


def read_record(data: object) -> Record:
    """A record out of plain data. Raises RecordError with all that is wrong."""
    problems: list[Problem] = []
    record = read(Record, data, "", problems, ignore=_REMARKS)
    if not problems:
        problems += _contradictions(record)
    if problems:
        raise RecordError("; ".join(map(str, problems)))
    return record


def _contradictions(record: Record) -> Iterator[Problem]:
    if len(record.hands) != record.n or any(len(hand) != record.k for hand in record.hands):
        yield Problem("hands", f"must be {record.n} lists of {record.k} cards")
    if not record.dealer < record.n:
        yield Problem("dealer", f"must be one of the {record.n} players")
    if len({one.player for one in record.bids}) < len(record.bids):
        yield Problem("bids", "must hold one bid of each player")
    for name in ("bid_by_player", "tricks_by_player", "points", *FORMULAS):
        if (by_player := getattr(record, name)) is not None and len(by_player) != record.n:
            yield Problem(name, f"must be a list of {record.n}")


def differences(record: Record, rules: Rules) -> list[Difference]:
    """Plays a record by `rules`. Raises RecordError where cards are there twice or are not in the pack."""
    sheet = Sheet(rules, tuple(range(record.n)), record.dealer).apply(
        Entry("", HandWritten.of(1, cards=record.k, trump=record.trump, override=True))
    )
    return [*_bid(record, sheet.hand(1)), *_play(record, sheet)]


def _bid(record: Record, hand: Hand) -> Iterator[Difference]:
    for one, player in zip(record.bids, hand.order, strict=False):
        if one.player != player:
            yield Difference("who bids", one.player, player)
            return
        legal = list(hand.legal_bids(player))
        if one.legal is not None and sorted(one.legal) != legal:
            yield Difference(f"legal bids of player {player}", sorted(one.legal), legal)
        if one.bid not in legal:
            yield Difference(f"bid of player {player}", one.bid, legal)
        hand = replace(hand, cells={**hand.cells, ("bids", player): one.bid})
    bids = [hand.bids[player] for player in range(record.n)]
    if record.bids and record.bid_by_player is not None and list(record.bid_by_player) != bids:
        yield Difference("bids by player", list(record.bid_by_player), bids)


def _play(record: Record, sheet: Sheet) -> Iterator[Difference]:
    sheet = sheet.apply(Entry("", HandWritten.of(1, bids={one.player: one.bid for one in record.bids})))
    hand = sheet.hand(1)
    play = _begun(record, hand)
    for number, one in enumerate(record.plays, 1):
        what = f"card {number}"
        turn = None if play.place is None else hand.order[play.place]
        if one.player != turn:
            yield Difference(f"{what}: whose turn", one.player, turn)
            return
        legal = play.pack.names(play.legal)
        try:
            card = play.pack.held(one.card, play.holdings[hand.order.index(one.player)])
            recorded = None if one.legal is None else play.pack.names(play.pack.read(one.legal))
        except CardError as error:
            raise RecordError(f"{what}: {error}") from None
        if recorded is not None and recorded != legal:
            yield Difference(f"{what}: legal cards of player {one.player}", recorded, legal)
        try:
            play.play(card)
        except RevokeError:
            yield Difference(f"{what}: played by player {one.player}", one.card, legal)
            return
    yield from _results(record, sheet, play)


def _begun(record: Record, hand: Hand) -> CardPlay:
    """The play before the first card; its places are those of the bidding order."""
    try:
        pack = pack_of(hand.rules, record.n)
        out_of_play = [record.turnup] if record.turnup and record.n * record.k < len(pack.cards) else []
        *by_player, _ = pack.read_all([*record.hands, out_of_play])
    except CardError as error:
        raise RecordError(str(error)) from None
    if hand.leader is None:
        raise RecordError("bids: all are needed to know who leads")
    holdings = [by_player[player] for player in hand.order]
    return CardPlay(pack, holdings, record.trump, duties(hand.rules.play), hand.order.index(hand.leader))


def _results(record: Record, sheet: Sheet, play: CardPlay) -> Iterator[Difference]:
    hand = sheet.hand(1)
    winners = [hand.order[place] for place in play.winners]
    if record.trick_winners is not None and list(record.trick_winners) != winners:
        yield Difference("trick winners", list(record.trick_winners), winners)
    if not play.over:
        yield Difference("cards played", len(record.plays), record.n * record.k)
        return
    by_player = dict(zip(hand.order, play.tricks, strict=True))
    tricks = [by_player[player] for player in range(record.n)]
    if record.tricks_by_player is not None and list(record.tricks_by_player) != tricks:
        yield Difference("tricks by player", list(record.tricks_by_player), tricks)
    played = sheet.apply(Entry("", HandWritten.of(1, tricks=by_player)))
    for name in ("points", *FORMULAS):
        recorded = getattr(record, name)
        if recorded is None or not hand.bids_in:
            continue
        scoring = catalog.formulas()[FORMULAS[name]] if name in FORMULAS else played.rules.scoring
        scored = replace(played, rules=replace(played.rules, scoring=scoring)).hand(1).points
        points = [scored[player] for player in range(record.n)]
        if list(recorded) != points:
            yield Difference(name, *(list(map(json_number, one)) for one in (recorded, points)))
