"""The way of an entry into the log and back, on SQLite and on PostgreSQL."""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine, delete, event, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper import models, pens, store
from scorekeeper.engine.events import Ended, EventError, HandWritten, PlanChanged, TableChanged
from scorekeeper.engine.faults import RuleError
from tests.store.evening import Evening, at_once

# ---- reading ----


def test_who_writes_next_sees_what_another_process_wrote(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    other = {"game_id": evening.load().id, "phone_id": evening.right, "base": 1, "time": models.now()}
    with evening.engine.begin() as connection:  # past the memory of this process
        connection.execute(
            insert(models.Entry),
            {**other, "seq": 2, "key": "b", "kind": "hand", "data": {"hand": 1, "bids": {"1": 0}}},
        )

    evening.hand(evening.left, "c", 1, 1, bids={2: 0})

    assert [row.key for row in evening.load().log] == ["a", "b", "c"]
    assert evening.load().sheet.hand(1).bids == {0: 1, 1: 0, 2: 0, 3: None}


def test_a_game_is_loaded_as_it_was_started(evening: Evening) -> None:
    game = evening.load()

    assert [(seat.number, seat.name) for seat in game.seats] == [(0, "Ann"), (1, "Bob"), (2, "Cy"), (3, "Di")]
    assert len({seat.colour for seat in game.seats}) == 4
    assert (game.seq, game.log, game.preset, game.next_code) == (0, (), "oh_hell", None)
    assert (game.sheet.table, game.sheet.first_dealer) == ((0, 1, 2, 3), 3)
    assert game.started.utcoffset() is not None


def test_a_game_takes_at_most_four_statements_and_its_head_one(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    statements: list[str] = []
    event.listen(evening.engine, "before_cursor_execute", lambda _1, _2, text, *_: statements.append(text))

    evening.load()
    to_load = len([text for text in statements if text.startswith("SELECT")])
    with Session(evening.engine) as session:
        head = store.head(session, evening.code, "right")

    assert to_load <= 4
    assert len([text for text in statements if text.startswith("SELECT")]) == to_load + 1
    assert (head.seq, head.book, head.next_code, head.phone, head.pen) == (1, evening.book, None, evening.right, True)


def test_a_game_is_read_again_only_when_something_in_it_changed(evening: Evening) -> None:
    def read() -> store.Game:
        with Session(evening.engine) as session:
            return store.read(session, store.head(session, evening.code, None))

    before = read()
    statements: list[str] = []
    event.listen(evening.engine, "before_cursor_execute", lambda _1, _2, text, *_: statements.append(text))
    again = read()
    to_read_again = len([text for text in statements if text.startswith("SELECT")])
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    after = read()

    assert again == before
    assert to_read_again == 1
    assert (before.seq, after.seq) == (0, 1)
    assert after == evening.load()


@pytest.mark.parametrize("code", ["0000000000", "", "a\x00b", "\ud800", "x" * 10_000])
def test_an_unknown_code_is_no_game(session: Session, code: str) -> None:
    with pytest.raises(store.UnknownGameError):
        store.load(session, code)
    with pytest.raises(store.UnknownGameError):
        store.head(session, code, None)
    with pytest.raises(store.UnknownGameError):
        store.write(session, code, None, Ended(), "key", 0)


# ---- writing ----


def test_an_entry_is_on_the_sheet_for_everyone(evening: Evening) -> None:
    game = evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    assert game == evening.load()
    assert evening.bids()[0] == 1
    assert [(row.seq, row.key, row.phone, row.base) for row in game.log] == [(1, "a", evening.left, 0)]


def test_the_rules_refuse_and_nothing_is_written(evening: Evening) -> None:
    with pytest.raises(RuleError) as refused:
        evening.hand(evening.left, "a", 1, 0, bids={0: 99})

    assert refused.value.fault.code == "bid_range"
    assert evening.load().seq == 0


def test_without_the_pen_nothing_is_written(evening: Evening) -> None:
    with Session(evening.engine) as session:
        stranger = pens.phone_with(session, "stranger")

    with pytest.raises(pens.NoPenError):
        evening.hand(stranger, "a", 1, 0, bids={0: 1})
    with pytest.raises(pens.NoPenError):
        evening.undo(stranger, "a", "b", 0)
    assert evening.load().seq == 0


def test_only_what_was_changed_is_written(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1, 1: 0})

    game = evening.hand(evening.right, "b", 1, 1, bids={0: 1, 1: 0, 2: 1, 3: None})

    assert game.log[-1].event == HandWritten.of(1, bids={2: 1})


def test_a_form_sent_as_it_was_shown_writes_nothing(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    game = evening.hand(evening.right, "b", 1, 1, bids={0: 1, 1: None})

    assert game.seq == 1


def test_a_stale_form_does_not_take_back_what_others_wrote(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    evening.hand(evening.right, "b", 1, 0, bids={0: None, 1: 1})

    assert evening.bids() == {0: 1, 1: 1, 2: None, 3: None}


def test_what_nobody_sits_on_cannot_join_the_table(evening: Evening) -> None:
    with pytest.raises(RuleError) as refused:
        evening.write(evening.left, "a", TableChanged(1, (0, 1, 2, 3, 4)), 0)

    assert (refused.value.fault.code, refused.value.fault.seat) == ("seat", 4)


def test_a_full_log_takes_no_more(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_ENTRIES", 1)
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    with pytest.raises(store.LimitError) as refused:
        evening.hand(evening.left, "b", 1, 1, bids={1: 1})

    assert (refused.value.code, refused.value.limit) == ("entries", 1)
    assert evening.load().seq == 1


@pytest.mark.parametrize("cells", [{"note": "x" * 201}, {"bids": {0: 10**9}}, {"trump": "X"}])
def test_what_could_not_be_read_again_is_not_written(evening: Evening, cells: dict[str, Any]) -> None:
    with pytest.raises(EventError):
        evening.hand(evening.left, "a", 1, 0, **cells)

    assert evening.load().seq == 0


@pytest.mark.parametrize(("base", "kept"), [(10**20, 1), (-5, 0)])
def test_a_base_that_cannot_be_is_the_nearest_one_that_can(evening: Evening, base: int, kept: int) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    game = evening.hand(evening.right, "b", 1, base, bids={1: 1})

    assert game.log[-1].base == kept


# ---- the same key again ----


def test_a_retry_is_recognised_after_others_wrote(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 1, bids={0: 0, 1: 1})

    game = evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    assert game.seq == 2
    assert evening.bids()[0] == 0


def test_a_retry_is_recognised_when_the_phone_has_seen_more_since(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 1, bids={0: 0})

    game = evening.hand(evening.left, "a", 1, 2, bids={0: 1})

    assert game.seq == 2


def test_a_retry_of_a_whole_form_is_compared_by_what_remained_of_it(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 1, bids={0: 1, 1: 1})
    evening.hand(evening.left, "c", 1, 2, bids={0: 0, 1: 0})

    game = evening.hand(evening.right, "b", 1, 1, bids={0: 1, 1: 1})

    assert game.seq == 3


@pytest.mark.parametrize(
    "cells",
    [
        {"adjust": {0: Fraction(1, 2), 1: Fraction(4, 2)}},
        {"absent": {0: False, 1: True}},
        {"note": "späť 👩‍👩‍👧", "trump": "S"},
    ],
)
def test_a_retry_of_any_cells_is_recognised(evening: Evening, cells: dict[str, Any]) -> None:
    first = evening.hand(evening.left, "a", 1, 0, **cells)

    assert evening.hand(evening.left, "a", 1, 0, **cells) == first == evening.load()


def test_a_retry_after_the_own_next_entry_is_recognised(evening: Evening) -> None:
    for key, bid in (("a", 1), ("b", 0)):
        evening.hand(evening.left, key, 1, 0, bids={0: bid})

    game = evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    assert game.seq == 2
    assert evening.bids()[0] == 0


@pytest.mark.parametrize("bids", [{0: 0}, {1: 1}, {0: 1, 1: 1}, {}])
def test_a_key_with_other_content_is_refused(evening: Evening, bids: dict[int, int]) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    with pytest.raises(store.KeyReusedError):
        evening.hand(evening.left, "a", 1, 0, bids=bids)

    assert evening.load().seq == 1


def test_a_key_with_another_kind_of_event_is_refused(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    with pytest.raises(store.KeyReusedError):
        evening.write(evening.left, "a", Ended(), 0)


def test_a_hundred_double_taps_are_a_hundred_entries(engine: Engine) -> None:
    for _ in range(5):
        evening = Evening.begin(engine)
        taps = [(f"tap-{number}", number % 4) for number in range(20)]

        for number, (key, seat) in enumerate(taps):
            tap = partial(evening.hand, evening.left, key, 1, number, bids={seat: (number // 4 + 1) % 2})

            first, second = at_once([tap, tap])

            assert first == second

        assert [row.key for row in evening.load().log] == [key for key, _ in taps]


# ---- taps before the answer, and without a network ----


def test_going_back_to_what_the_page_showed_is_not_dropped(evening: Evening) -> None:
    evening.hand(evening.right, "a", 1, 0, bids={0: 1})
    evening.hand(evening.left, "b", 1, 1, bids={0: 0})

    evening.hand(evening.left, "c", 1, 1, bids={0: 1})

    assert evening.bids()[0] == 1


def test_a_whole_hand_without_a_network_is_written_with_one_base(evening: Evening) -> None:
    for seat in range(4):
        evening.hand(evening.left, f"bid-{seat}", 1, 0, bids={seat: 0})

    game = evening.hand(evening.left, "tricks", 1, 0, tricks={0: 1, 1: 0, 2: 0, 3: 0})

    assert game.sheet.hand(1).phase == "finished"


# ---- two phones ----


def test_different_cells_of_two_phones_are_both_kept(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 0, bids={1: 0})

    assert evening.bids() == {0: 1, 1: 0, 2: None, 3: None}


def test_the_same_value_of_two_phones_is_no_conflict(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 0, bids={0: 1})

    assert evening.bids()[0] == 1


def test_the_same_cell_written_differently_is_a_conflict_with_both_values(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1, 1: 1})

    with pytest.raises(store.ConflictError) as conflict:
        evening.hand(evening.right, "b", 1, 0, bids={0: 0, 1: 1, 2: 0})

    assert conflict.value.clashes == (store.Clash(("bids", 0), mine=0, now=1),)
    assert conflict.value.game == evening.load()
    assert evening.load().seq == 1


def test_who_has_seen_the_other_value_may_change_it(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    evening.hand(evening.right, "b", 1, 1, bids={0: 0})

    assert evening.bids()[0] == 0


def test_what_the_other_phone_took_back_is_no_conflict(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.undo(evening.left, "a", "b", 1)

    evening.hand(evening.right, "c", 1, 0, bids={0: 0})

    assert evening.bids()[0] == 0


def test_an_undo_by_another_phone_can_be_a_conflict(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.undo(evening.right, "a", "b", 1)

    with pytest.raises(store.ConflictError) as conflict:
        evening.hand(evening.left, "c", 1, 1, bids={0: 0})

    assert conflict.value.clashes == (store.Clash(("bids", 0), mine=0, now=None),)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (PlanChanged(3, (5, 4)), PlanChanged(2, (6,))),
        (TableChanged(2, (1, 0, 2, 3)), TableChanged(2, (3, 2, 1, 0))),
    ],
)
def test_two_plans_or_two_tables_are_a_conflict(
    evening: Evening, mine: PlanChanged | TableChanged, theirs: PlanChanged | TableChanged
) -> None:
    evening.write(evening.left, "a", theirs, 0)

    with pytest.raises(store.ConflictError) as conflict:
        evening.write(evening.right, "b", mine, 0)

    assert [(clash.mine, clash.now) for clash in conflict.value.clashes] == [(mine, theirs)]


@pytest.mark.parametrize("event", [PlanChanged(3, (5, 4)), TableChanged(2, (1, 0, 2, 3)), Ended("late")])
def test_two_phones_that_want_the_same_write_it_once(
    evening: Evening, event: PlanChanged | TableChanged | Ended
) -> None:
    evening.write(evening.left, "a", event, 0)

    game = evening.write(evening.right, "b", event, 0)

    assert game.seq == 1


def test_a_hundred_pairs_of_different_cells_are_all_kept(engine: Engine) -> None:
    for _ in range(25):
        evening = Evening.begin(engine)
        for pair, (seat, other, bid) in enumerate([(0, 1, 1), (2, 3, 1), (0, 1, 0), (2, 3, 0)]):
            base = evening.load().seq

            answers = at_once(
                [
                    partial(evening.hand, evening.left, f"left-{pair}", 1, base, bids={seat: bid}),
                    partial(evening.hand, evening.right, f"right-{pair}", 1, base, bids={other: bid}),
                ]
            )

            assert [answer for answer in answers if isinstance(answer, Exception)] == []
            assert (evening.bids()[seat], evening.bids()[other]) == (bid, bid)
        assert evening.load().seq == 8


def test_of_a_hundred_pairs_on_the_same_cell_exactly_one_each_is_a_conflict(engine: Engine) -> None:
    for _ in range(100):
        evening = Evening.begin(engine)

        answers = at_once(
            [
                partial(evening.hand, evening.left, "l", 1, 0, bids={0: 0}),
                partial(evening.hand, evening.right, "r", 1, 0, bids={0: 1}),
            ]
        )

        assert sorted(type(answer).__name__ for answer in answers) == ["ConflictError", "Game"]
        written = next(answer for answer in answers if isinstance(answer, store.Game))
        assert evening.load() == written


def test_thirty_two_writers_at_once_lose_nothing(evening: Evening) -> None:
    def writer(number: int) -> list[int]:
        sizes = range(10)
        return [
            evening.hand(evening.left, f"{number}-{size}", 1, 10**6, adjust={number % 4: number * 100 + size + 1}).seq
            for size in sizes
        ]

    answers = at_once([partial(writer, number) for number in range(32)])

    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    log = evening.load().log
    assert [row.seq for row in log] == list(range(1, 321))
    assert {row.key for row in log} == {f"{number}-{size}" for number in range(32) for size in range(10)}
    assert sorted(seq for seqs in answers for seq in seqs) == list(range(1, 321))


# ---- undo ----


def test_undo_takes_back_an_entry_whoever_wrote_it(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    game = evening.undo(evening.right, "a", "b", 1)

    assert game.sheet.hand(1).bids[0] is None


def test_undone_already_is_the_same_answer_again(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    first = evening.undo(evening.left, "a", "b", 1)

    again = evening.undo(evening.left, "a", "b", 1)
    other = evening.undo(evening.right, "a", "c", 1)

    assert first == again == other
    assert first.seq == 2


def test_undoing_an_undo_brings_the_entry_back(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.undo(evening.left, "a", "b", 1)

    game = evening.undo(evening.left, "b", "c", 2)
    again = evening.undo(evening.right, "b", "d", 2)

    assert game.sheet.hand(1).bids[0] == 1
    assert again == game


def test_undo_without_a_network_needs_only_the_key(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    evening.hand(evening.right, "b", 1, 1, bids={1: 1})

    evening.undo(evening.left, "a", "c", 0)

    assert evening.bids() == {0: None, 1: 1, 2: None, 3: None}


def test_undo_of_an_entry_that_is_not_there_is_refused(evening: Evening) -> None:
    with pytest.raises(RuleError) as refused:
        evening.undo(evening.left, "nothing", "b", 0)

    assert refused.value.fault.code == "entry"


def test_going_on_is_undoing_the_end(evening: Evening) -> None:
    assert evening.write(evening.left, "end", Ended(), 0).sheet.over

    assert not evening.undo(evening.left, "end", "on", 1).sheet.over


# ---- the projection ----


def projection(session: Session) -> list[tuple[object, ...]]:
    tables = (models.Line.__table__, models.Result.__table__)
    rows = [tuple(row) for table in tables for row in session.execute(select(table).order_by(*table.primary_key))]
    return rows + [tuple(row) for row in session.execute(select(models.Game.code, models.Game.ended).order_by("code"))]


def test_a_game_that_is_over_is_projected(evening: Evening) -> None:
    evening.play()

    with Session(evening.engine) as session:
        results = session.execute(
            select(models.Result.seat, models.Result.place, models.Result.total_doubled, models.Result.made)
        ).all()
        first = session.execute(select(models.Line).where(models.Line.hand == 1, models.Line.seat == 1)).scalar_one()

    # Thirteen hands with a made zero each are 130 points; seat 0 takes all tricks and misses every bid.
    assert sorted(map(tuple, results)) == [(0, 4, 0, 0), *((seat, 1, 260, 13) for seat in (1, 2, 3))]
    assert (first.bid, first.tricks, first.points_doubled) == (0, 0, 20)
    assert evening.count(models.Line) == 13 * 4


def test_a_game_that_goes_on_has_no_projection(evening: Evening) -> None:
    game = evening.play()

    evening.undo(evening.left, game.log[-1].key, "on", game.seq)

    assert (evening.count(models.Line), evening.count(models.Result)) == (0, 0)
    with Session(evening.engine) as session:
        assert session.scalar(select(models.Game.ended)) is None


def test_a_correction_after_the_end_is_projected_and_ends_it_no_later(evening: Evening) -> None:
    game = evening.play()

    after = evening.hand(evening.left, "late", 1, game.seq, bids={0: 1})

    with Session(evening.engine) as session:
        total = session.scalar(select(models.Result.total_doubled).where(models.Result.seat == 0))
        ended = session.scalar(select(models.Game.ended))
    assert total == 2 * (10 + 1) == 2 * after.sheet.totals[0]
    assert ended == game.log[-1].time


def test_a_game_stopped_early_is_projected_with_what_was_played(evening: Evening) -> None:
    evening.hand(evening.left, "a", 1, 0, bids=dict.fromkeys(range(4), 0), tricks={0: 1, 1: 0, 2: 0, 3: 0})
    evening.hand(evening.left, "b", 2, 1, bids={0: 1})

    evening.write(evening.left, "end", Ended(), 2)

    assert (evening.count(models.Line), evening.count(models.Result)) == (4, 4)


def test_halves_are_projected_exactly(evening: Evening) -> None:
    evening.hand(evening.left, "half", 1, 0, bids={0: 1}, adjust={0: Fraction(1, 2)})
    evening.play()

    with Session(evening.engine) as session:
        first = session.execute(select(models.Line).where(models.Line.hand == 1, models.Line.seat == 0)).scalar_one()
        total = session.scalar(select(models.Result.total_doubled).where(models.Result.seat == 0))

    # Seat 0 misses every hand and has half a point besides.
    assert (first.points_doubled, total) == (1, 1)


def test_rebuilding_gives_what_writing_left(engine: Engine, session: Session) -> None:
    game = (corrected := Evening.begin(engine)).play()
    corrected.hand(corrected.left, "late", 1, game.seq, bids={0: 1})
    (stopped := Evening.begin(engine)).write(stopped.left, "end", Ended(), 0)
    Evening.begin(engine)
    written = projection(session)

    for table in (models.Line, models.Result):
        session.execute(delete(table))
    session.execute(update(models.Game).values(ended=None))
    session.commit()
    store.rebuild(session)

    assert projection(session) == written
    assert len(written) > 8
