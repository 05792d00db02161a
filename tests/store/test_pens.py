"""Phones, pens and invitations."""

from functools import partial

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from scorekeeper import models, pens
from tests.store.evening import Evening, at_once, with_pen


def test_a_phone_is_known_by_its_secret_which_is_not_kept(session: Session) -> None:
    phone = pens.phone_with(session, "secret")

    assert pens.phone_with(session, "secret") == phone == pens.phone_of(session, "secret")
    assert pens.phone_of(session, "other") is None
    assert pens.phone_of(session, None) is None
    # SHA-256 of "secret", as sha256sum has it.
    assert session.scalar(select(models.Phone.hash)) == (
        "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
    )


def test_one_phone_that_knocks_ten_times_at_once_is_one(engine: Engine) -> None:
    def knock() -> int:
        with Session(engine) as session:
            return pens.phone_with(session, "secret")

    assert len(set(at_once([knock] * 10))) == 1


def test_an_invitation_gives_a_pen_to_any_number_of_phones(evening: Evening, session: Session) -> None:
    secret = pens.invitation(session, evening.book)
    phones = [pens.phone_with(session, name) for name in ("first", "second")]

    assert pens.invited_to(session, secret) == evening.book
    assert [pens.accept(session, secret, phone) for phone in phones] == [evening.book] * 2
    assert all(pens.may_write(session, phone, evening.book) for phone in phones)


def test_an_invitation_is_fresh_each_time_and_hard_to_guess(evening: Evening, session: Session) -> None:
    made = {pens.invitation(session, evening.book) for _ in range(20)}

    assert len(made) == 20
    assert min(map(len, made)) * 6 >= 128
    assert not made & set(session.scalars(select(models.Invitation.hash)))


def test_an_unknown_invitation_gives_nothing(session: Session) -> None:
    phone = pens.phone_with(session, "phone")

    assert pens.invited_to(session, "guess") is None
    with pytest.raises(pens.UnknownInvitationError):
        pens.accept(session, "guess", phone)


def test_accepting_twice_is_one_pen(evening: Evening, session: Session) -> None:
    secret = pens.invitation(session, evening.book)
    phone = pens.phone_with(session, "phone")

    pens.accept(session, secret, phone)
    pens.accept(session, secret, phone)

    assert len(session.scalars(select(models.Pen.id).where(models.Pen.phone_id == phone)).all()) == 1


def test_the_book_of_a_phone_is_the_one_whose_pen_it_took_last(engine: Engine, session: Session) -> None:
    first, second = Evening.begin(engine).book, Evening.begin(engine).book
    assert first == second  # the same phone starts both
    other = pens.house_book(session)
    phone = with_pen(session, first, "phone")

    with_pen(session, other, "phone")
    assert pens.book_of(session, phone) == other
    with_pen(session, first, "phone")
    assert pens.book_of(session, phone) == first
    assert pens.book_of(session, None) is None


def test_new_pens_end_invitations_and_all_other_pens(evening: Evening, session: Session) -> None:
    secret = pens.invitation(session, evening.book)
    house = pens.house_book(session)
    guest = with_pen(session, house, "guest")

    pens.new_pens(session, evening.book, keep=evening.left)

    assert pens.may_write(session, evening.left, evening.book)
    assert not pens.may_write(session, evening.right, evening.book)
    assert pens.invited_to(session, secret) is None
    assert pens.may_write(session, guest, house)


def test_new_pens_from_the_terminal_keep_none(evening: Evening, session: Session) -> None:
    pens.new_pens(session, evening.book, keep=None)

    assert not pens.may_write(session, evening.left, evening.book)


def test_ending_invitations_leaves_pens(evening: Evening, session: Session) -> None:
    secret = pens.invitation(session, evening.book)

    pens.end_invitations(session, evening.book)

    assert pens.invited_to(session, secret) is None
    assert pens.may_write(session, evening.right, evening.book)


def test_no_pen_slips_through_while_pens_are_made_new(engine: Engine) -> None:
    evening = Evening.begin(engine)
    with Session(engine) as session:
        secret = pens.invitation(session, evening.book)
        phones = [pens.phone_with(session, f"phone-{number}") for number in range(8)]

    def accept(phone: int) -> int:
        with Session(engine) as session:
            return pens.accept(session, secret, phone)

    def renew() -> None:
        with Session(engine) as session:
            pens.new_pens(session, evening.book, keep=evening.left)

    answers = at_once([*(partial(accept, phone) for phone in phones), renew])

    assert {type(answer) for answer in answers} <= {int, type(None), pens.UnknownInvitationError}
    with Session(engine) as session:
        assert session.scalars(select(models.Pen.phone_id)).all() == [evening.left]


def test_the_oldest_invitation_gives_way(evening: Evening, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pens, "MOST_INVITATIONS", 2)
    pens.end_invitations(session, evening.book)

    first, second, third = (pens.invitation(session, evening.book) for _ in range(3))

    assert pens.invited_to(session, first) is None
    assert pens.invited_to(session, second) == pens.invited_to(session, third) == evening.book


def test_the_house_has_one_book_whoever_makes_it(engine: Engine) -> None:
    def make() -> int:
        with Session(engine) as session:
            return pens.house_book(session)

    assert len(set(at_once([make] * 10))) == 1


def test_the_house_is_free_until_somebody_has_its_pen(session: Session) -> None:
    assert pens.find_house_book(session) is None
    assert pens.house_is_free(session)
    house = pens.house_book(session)
    assert pens.house_is_free(session)

    with_pen(session, house, "phone")

    assert not pens.house_is_free(session)
