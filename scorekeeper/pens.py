"""Who may write: phones, the pens that they have for books, and the invitations that hand out pens.

A phone is an `int` here, its row's id, and so is a book. Secrets are kept as SHA-256 only: each has 128 bits or more
by itself, so there is nothing to guess and no salt to add.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

from sqlalchemy import BindParameter, Exists, ScalarSelect, bindparam, delete, exists, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from scorekeeper.database import writing
from scorekeeper.models import Base, Book, Invitation, Pen, Phone

SECRET_BYTES = 24  # 192 bits; a link that still fits a small QR code
MOST_INVITATIONS = 50  # open at once for a book: every start of the app makes one, and the oldest gives way


class NoPenError(Exception):
    """A phone without the pen of a book was to write in it."""


class UnknownInvitationError(LookupError):
    """There is no such invitation, or it has ended."""


# ---- phones ----


def hash_of(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


def phone_with(session: Session, secret: str) -> int:
    """The phone with this secret, known or new."""
    return _found_or_made(session, lambda: phone_of(session, secret), Phone(hash=hash_of(secret)))


def phone_of(session: Session, secret: str | None) -> int | None:
    """The phone with this secret; None if it has never written."""
    return session.scalar(select(Phone.id).where(Phone.hash == hash_of(secret))) if secret else None


# ---- pens ----


def may_write(session: Session, phone: int | None, book: int) -> bool:
    """True if this phone has a pen for this book."""
    return phone is not None and bool(session.connection().scalar(_HAS_PEN, {"phone": phone, "book": book}))


def has_pen(
    phone: ScalarSelect[int] | BindParameter[int], book: InstrumentedAttribute[int] | BindParameter[int]
) -> Exists:
    """The same as a condition, for a statement in which either may come from a table."""
    return exists().where(Pen.phone_id == phone, Pen.book_id == book)


_HAS_PEN = select(has_pen(bindparam("phone"), bindparam("book")))  # put together once: that costs more than asking


def book_of(session: Session, phone: int | None) -> int | None:
    """The book whose pen this phone took last."""
    return session.scalar(select(Pen.book_id).where(Pen.phone_id == phone).order_by(Pen.id.desc()).limit(1))


def book_to_start_in(session: Session, phone: int, *, house: bool) -> int:
    """The book in which this phone starts a game: its own, or the house's while nobody has its pen, else a new one.

    Gives the phone the pen. For use within `writing`; where `house`, the house book must be there.
    """
    # Two starts by one phone are to find the same book; `key_share` lets others refer to the phone meanwhile.
    session.execute(select(Phone.id).where(Phone.id == phone).with_for_update(key_share=True))
    own = book_of(session, phone)
    if own is not None:
        return own
    if house:
        session.execute(select(Book.id).where(Book.house).with_for_update())
        if house_is_free(session):
            return _give_pen(session, phone, house_book(session))
    book = Book()
    session.add(book)
    session.flush()
    return _give_pen(session, phone, book.id)


def new_pens(session: Session, book: int, keep: int | None) -> None:
    """Ends all invitations to the book, and all its pens but that of the phone `keep`."""
    with writing(session):
        _lock(session, book)
        session.execute(delete(Invitation).where(Invitation.book_id == book))
        session.execute(delete(Pen).where(Pen.book_id == book, Pen.phone_id.is_distinct_from(keep)))


# ---- the house book ----


def house_book(session: Session) -> int:
    """The book of the house, made where it is not there yet."""
    return _found_or_made(session, lambda: find_house_book(session), Book(house=True))


def find_house_book(session: Session) -> int | None:
    return session.scalar(select(Book.id).where(Book.house))


def house_is_free(session: Session) -> bool:
    """True while nobody has the pen of the house book."""
    return not session.scalar(select(exists().where(Pen.book_id == Book.id, Book.house)))


# ---- invitations ----


def invitation(session: Session, book: int) -> str:
    """The secret of a fresh invitation to the book. Any number of phones can accept it until invitations end."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with writing(session):
        _lock(session, book)
        session.add(Invitation(book_id=book, hash=hash_of(secret)))
        session.flush()
        kept = select(Invitation.id).where(Invitation.book_id == book).order_by(Invitation.id.desc())
        too_many = session.scalars(kept.offset(MOST_INVITATIONS)).all()
        session.execute(delete(Invitation).where(Invitation.id.in_(too_many)))
    return secret


def invited_to(session: Session, secret: str) -> int | None:
    """The book to which this invitation gives a pen; None if there is no such invitation."""
    return session.scalar(select(Invitation.book_id).where(Invitation.hash == hash_of(secret)))


def accept(session: Session, secret: str, phone: int) -> int:
    """Gives the phone a pen, the one it took last, and says for which book. Raises UnknownInvitationError."""
    with writing(session):
        book = invited_to(session, secret)
        if book is not None:
            _lock(session, book)
            book = invited_to(session, secret)  # new pens may have ended it just before the lock
        if book is None:
            raise UnknownInvitationError
        session.execute(delete(Pen).where(Pen.book_id == book, Pen.phone_id == phone))
        return _give_pen(session, phone, book)


def end_invitations(session: Session, book: int) -> None:
    """Ends all invitations to the book; pens stay."""
    with writing(session):
        session.execute(delete(Invitation).where(Invitation.book_id == book))


# ---- below ----


def _lock(session: Session, book: int) -> None:
    session.execute(select(Book.id).where(Book.id == book).with_for_update())


def _give_pen(session: Session, phone: int, book: int) -> int:
    session.add(Pen(book_id=book, phone_id=phone))
    session.flush()
    return book


def _found_or_made(session: Session, find: Callable[[], int | None], new: Base) -> int:
    """What `find` gives, after adding `new` where it gives nothing; another process may add it at the same moment."""
    found = find()
    if found is None:
        with suppress(IntegrityError), writing(session):
            session.add(new)
        found = find()
    assert found is not None
    return found
