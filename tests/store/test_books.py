"""What a book holds: games, how they start and follow each other, and players."""

from functools import partial

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from scorekeeper import books, models, pens, store
from scorekeeper.engine.events import Ended, HandWritten
from scorekeeper.engine.faults import RuleError
from scorekeeper.names import BadNameError
from tests.store.evening import Evening, at_once, new_game

# ---- starting ----


def test_a_code_has_ten_characters_that_nobody_misreads(evening: Evening) -> None:
    assert len(evening.code) == 10
    assert set(evening.code) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def test_a_phone_starts_a_book_of_its_own_and_stays_in_it(session: Session) -> None:
    phone = pens.phone_with(session, "phone")

    first = store.load(session, books.start_game(session, phone, new_game(), house=False))
    second = store.load(session, books.start_game(session, phone, new_game(), house=False))

    assert first.book == second.book == pens.book_of(session, phone)
    assert first.code != second.code
    assert [seat.player for seat in first.seats] == [seat.player for seat in second.seats]


def test_the_first_phone_at_home_gets_the_house_pen_and_the_next_a_book_of_its_own(session: Session) -> None:
    first, second = pens.phone_with(session, "first"), pens.phone_with(session, "second")

    house = store.load(session, books.start_game(session, first, new_game(), house=True)).book
    own = store.load(session, books.start_game(session, second, new_game(), house=True)).book

    assert house == pens.find_house_book(session) != own
    assert pens.may_write(session, first, house)
    assert not pens.may_write(session, second, house)
    assert pens.may_write(session, second, own)


def test_of_ten_phones_at_once_one_gets_the_house_pen(engine: Engine) -> None:
    def start(number: int) -> int:
        with Session(engine) as session:
            phone = pens.phone_with(session, f"phone-{number}")
            return store.load(session, books.start_game(session, phone, new_game(), house=True)).book

    found = at_once([partial(start, number) for number in range(10)])

    with Session(engine) as session:
        house = pens.find_house_book(session)
    assert found.count(house) == 1
    assert len(set(found)) == 10


def test_start_pressed_twice_is_one_game(engine: Engine) -> None:
    with Session(engine) as session:
        phone = pens.phone_with(session, "phone")

    def start() -> str:
        with Session(engine) as session:
            return books.start_game(session, phone, new_game(key="key"), house=False)

    codes = at_once([start] * 10)

    assert len(set(codes)) == 1
    with Session(engine) as session:
        assert [game.code for game in books.games(session, pens.book_of(session, phone) or 0)] == codes[:1]


@pytest.mark.parametrize(
    ("players", "first_dealer", "code"),
    [
        (("Ann", "Bob"), 0, "players"),
        (tuple("ABCDEFGH"), 0, "players"),
        (("Ann", "Bob", "Cy"), 3, "seat"),
        (("Ann", "Bob", "Cy"), -1, "seat"),
    ],
)
def test_players_that_the_rules_do_not_allow(
    session: Session, players: tuple[str, ...], first_dealer: int, code: str
) -> None:
    phone = pens.phone_with(session, "phone")
    rules = new_game().rules

    with pytest.raises(RuleError) as refused:
        books.start_game(session, phone, books.NewGame(players, rules, "oh_hell", first_dealer), house=False)

    assert refused.value.fault.code == code
    assert pens.book_of(session, phone) is None


def test_two_seats_of_one_name_are_told_apart_first(session: Session) -> None:
    phone = pens.phone_with(session, "phone")

    with pytest.raises(books.SameNameError) as refused:
        books.start_game(session, phone, new_game(("Ann", "Bob", "\uff22\uff4f\uff42", "Di")), house=False)

    assert (refused.value.name, refused.value.seats) == ("\uff22\uff4f\uff42", (1, 2))
    assert session.scalar(select(models.Game.id)) is None


@pytest.mark.parametrize(("name", "code"), [(" \u200b", "empty"), ("x" * 200, "long")])
def test_a_bad_name_says_which_seat(session: Session, name: str, code: str) -> None:
    phone = pens.phone_with(session, "phone")

    with pytest.raises(BadNameError) as refused:
        books.start_game(session, phone, new_game(("Ann", "Bob", name)), house=False)

    assert (refused.value.code, refused.value.seat) == (code, 2)


def test_a_known_player_is_found_by_any_spelling_of_the_name(evening: Evening, session: Session) -> None:
    before = store.load(session, evening.code)

    again = store.load(session, books.start_game(session, evening.left, new_game((" ANN", "bob", "Eve")), house=False))

    assert [seat.name for seat in again.seats] == ["Ann", "Bob", "Eve"]
    assert [seat.player for seat in again.seats[:2]] == [seat.player for seat in before.seats[:2]]
    assert again.version == before.version + 1


def test_everyone_at_a_table_has_another_colour(evening: Evening, session: Session) -> None:
    for start in range(0, 24, 6):
        names = tuple(f"Guest {number}" for number in range(start, start + 6))
        game = store.load(session, books.start_game(session, evening.left, new_game(("Ann", *names)), house=False))

        assert len({seat.colour for seat in game.seats}) == 7
        assert {seat.colour for seat in game.seats} <= set(range(1, 11))


def test_a_full_book_takes_no_more(evening: Evening, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "MOST_PLAYERS", 5)
    with pytest.raises(store.LimitError, match="5 players"):
        books.start_game(session, evening.left, new_game(("Eve", "Flo", "Gus")), house=False)
    monkeypatch.setattr(books, "MOST_GAMES", 1)
    with pytest.raises(store.LimitError, match="1 games"):
        books.start_game(session, evening.left, new_game(), house=False)

    assert len(books.games(session, evening.book)) == 1
    assert len(books.players(session, evening.book)) == 4


# ---- the next game ----


def test_a_rematch_has_the_same_players_and_passes_the_deal(evening: Evening, session: Session) -> None:
    evening.play()

    game = store.load(session, books.rematch(session, evening.code, evening.left))

    # Di dealt the first of thirteen hands, so Di dealt the last.
    assert (game.names, game.sheet.first_dealer) == (("Ann", "Bob", "Cy", "Di"), 0)
    assert (game.preset, game.rules) == ("oh_hell", evening.load().rules)
    assert evening.load().next_code == game.code
    assert store.head(session, evening.code, None).next_code == game.code


def test_a_rematch_of_a_game_that_reached_its_target_passes_the_deal(session: Session) -> None:
    phone = pens.phone_with(session, "phone")
    code = books.start_game(session, phone, new_game(preset="contract_whist_oh_well"), house=False)
    bids, tricks = {0: 13, 1: 0, 2: 0, 3: 1}, {0: 0, 1: 4, 2: 9, 3: 0}
    game = store.load(session, code)
    while not game.sheet.over:
        number = game.seq + 1
        written = HandWritten.of(number, bids=bids, tricks=tricks)
        game = store.write(session, code, phone, written, str(number), game.seq)

    following = store.load(session, books.rematch(session, code, phone))

    last = game.sheet.hands[-1].dealer
    assert last is not None
    assert following.sheet.first_dealer == (last + 1) % 4


def test_a_rematch_of_a_game_stopped_in_a_hand_deals_that_hand_anew(evening: Evening, session: Session) -> None:
    evening.hand(evening.left, "a", 1, 0, bids=dict.fromkeys(range(4), 0), tricks={0: 1, 1: 0, 2: 0, 3: 0})
    evening.hand(evening.left, "b", 2, 1, bids={1: 1})
    evening.write(evening.left, "end", Ended(), 2)

    game = store.load(session, books.rematch(session, evening.code, evening.left))

    assert game.sheet.first_dealer == 0


def test_a_rematch_pressed_by_ten_phones_is_one_game(evening: Evening) -> None:
    evening.play()

    def press() -> str:
        with Session(evening.engine) as session:
            return books.rematch(session, evening.code, evening.left)

    codes = at_once([press] * 10)

    assert len(set(codes)) == 1
    assert evening.count(models.Game) == 2


def test_no_rematch_while_the_game_is_on_or_without_the_pen(evening: Evening, session: Session) -> None:
    stranger = pens.phone_with(session, "stranger")
    with pytest.raises(books.NotOverError):
        books.rematch(session, evening.code, evening.left)
    evening.play()
    with pytest.raises(pens.NoPenError):
        books.rematch(session, evening.code, stranger)

    assert evening.load().next_code is None


# ---- the table ----


def seated(evening: Evening, code: str, key: str, base: int, *names: str, **carry: int) -> store.Game:
    change = books.TableOf(1, names, {names.index(name): points for name, points in carry.items()})
    with Session(evening.engine) as session:
        return books.change_table(session, code, evening.left, change, key, base)


def test_who_joins_gets_the_next_seat_and_comes_into_the_book(evening: Evening) -> None:
    game = seated(evening, evening.code, "a", 0, "Ann", "Eve", "Bob", "di", Eve=5)

    assert game == evening.load()
    assert game.names == ("Ann", "Bob", "Cy", "Di", "Eve")
    assert game.sheet.hand(1).table == (0, 4, 1, 3)
    assert game.sheet.hand(1).totals_before[4] == 5
    assert len({seat.colour for seat in game.seats}) == 5
    assert seated(evening, evening.code, "a", 0, "Ann", "Eve", "Bob", "di", Eve=5) == game
    assert evening.count(models.Entry) == 1


def test_a_table_that_is_refused_leaves_nobody_in_the_book(evening: Evening) -> None:
    evening.hand(evening.left, "bid", 1, 0, bids={0: 1})

    with pytest.raises(RuleError, match="has begun"):
        seated(evening, evening.code, "a", 1, "Ann", "Bob", "Cy", "Eve")

    assert evening.count(models.Player) == 4
    assert evening.count(models.Seat) == 4


def test_one_newcomer_may_join_many_games_at_the_same_moment(evening: Evening) -> None:
    with Session(evening.engine) as session:
        codes = [books.start_game(session, evening.left, new_game(), house=False) for _ in range(8)]

    games = at_once([partial(seated, evening, code, "a", 0, "Ann", "Bob", "Cy", "Eve") for code in codes])

    assert {game.seats[4].player for game in games} == {games[0].seats[4].player}
    assert evening.count(models.Player) == 5


# ---- lists ----


def test_games_of_a_book_with_their_winners(evening: Evening, session: Session) -> None:
    evening.play()
    following = books.rematch(session, evening.code, evening.left)

    on, over = books.games(session, evening.book)

    assert (on.code, on.ended, on.winners, on.players) == (following, None, (), ("Ann", "Bob", "Cy", "Di"))
    assert (over.code, over.winners, over.next_code) == (evening.code, ("Bob", "Cy", "Di"), following)
    assert over.ended == evening.load().log[-1].time


def test_a_book_shows_nothing_of_another(engine: Engine, session: Session) -> None:
    evening = Evening.begin(engine, title="ours")
    other = pens.phone_with(session, "other")
    books.start_game(session, other, new_game(("Eve", "Flo", "Gus"), title="theirs"), house=False)

    assert [game.title for game in books.games(session, evening.book)] == ["ours"]
    assert [player.name for player in books.players(session, evening.book)] == ["Ann", "Bob", "Cy", "Di"]


def test_who_played_last_comes_first(evening: Evening, session: Session) -> None:
    books.start_game(session, evening.left, new_game(("Eve", "Di", "Cy")), house=False)

    assert [player.name for player in books.players(session, evening.book)] == ["Cy", "Di", "Eve", "Ann", "Bob"]
