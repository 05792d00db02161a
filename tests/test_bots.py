"""Bots: what they see, that they see no more, and how well they play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine import bots, selfplay, simulate
from scorekeeper.engine.bots import BOTS, Bot, RandomBot, TableBot
from scorekeeper.engine.cards import CardError, as_set, suit_of
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.compiled import octets
from scorekeeper.engine.deal import Deal, deal
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.seen import Seen
from scorekeeper.engine.simulate import PlayedHand, play_deal, play_game, play_hand
from tests import reference
from tests.games import listed, new_sheet, rules_with

PRESETS = ["oh_hell_hook", "la_podrida", "oh_hell_simultaneous", "wizard", "pocha", "plump", "blob"]


@pytest.fixture
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PLAYOUTS", 20)


@dataclass
class Witness:
    """Plays as the bot does and notes what it saw and decided, up to `most` decisions; then any legal card."""

    bot: Bot
    most: int = 10**6
    decisions: list[tuple[Seen, object]] = field(default_factory=list)

    def _note(self, seen: Seen, decide: Callable[[], int]) -> int:
        decision = decide()
        self.decisions.append((seen, decision))
        return decision

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:
        return self._note(seen, lambda: self.bot.bid(seen, legal))

    def name_trump(self, seen: Seen) -> str:
        return self.bot.name_trump(seen)

    def play(self, seen: Seen, legal: int) -> int:
        return self._note(seen, lambda: self.bot.play(seen, legal))


@dataclass
class Script:
    """Repeats the decisions of another game, and plays any legal card once they cannot be repeated."""

    decisions: list[tuple[Seen, object]]
    trump: str | None
    done: int = 0

    def bid(self, seen: Seen, legal: Sequence[int]) -> int:  # noqa: ARG002
        return int(str(self._next()))

    def name_trump(self, seen: Seen) -> str:  # noqa: ARG002
        return str(self.trump)

    def play(self, seen: Seen, legal: int) -> int:  # noqa: ARG002
        card = int(str(self._next()))
        return card if legal >> card & 1 else legal.bit_length() - 1

    def _next(self) -> object:
        self.done += 1
        return self.decisions[self.done - 1][1]


def elsewhere(dealt: Deal, place: int, played: set[int], rng: Random, *, bidding: bool) -> Deal:
    """The deal with the cards that a place has not seen dealt anew: within suits once cards were played."""
    open_cards = played | set(dealt.dealt[place]) | {dealt.turned}
    in_hands = [card for cards in dealt.dealt for card in cards]
    undealt = [card for card in dealt.pack.cards if card not in in_hands and card != dealt.turned]
    hidden = [card for card in in_hands + undealt if card not in open_cards]
    moved: dict[int, int] = {}
    for suit in [None] if bidding else range(4):
        group = [card for card in hidden if suit is None or (suit_of(card) == suit and 1 <= card % 16 <= 13)]
        moved |= dict(zip(group, rng.sample(group, len(group)), strict=True))
    return replace(dealt, dealt=tuple(tuple(moved.get(card, card) for card in cards) for cards in dealt.dealt))


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize("name", ["table", "montecarlo"])
@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_hidden_cards_change_no_decision(name: str, preset: str, seed: int) -> None:
    rng = Random(seed)
    rules = presets()[preset].rules
    players = rng.randint(rules.players[0], min(rules.players[1], 5))
    sheet = new_sheet(rules, players)
    hand = rng.choice([one for one in sheet.hands if 2 <= one.cards <= 8])
    hand = replace(hand, dealer=rng.randrange(players))
    dealt = deal(rules, players, hand.cards, rng, hand.fixed_trump)
    witnesses = {seat: Witness(BOTS[name](Random(seat))) for seat in range(players)}

    played = play_deal(hand, dealt, witnesses)

    seat = rng.randrange(players)
    by_rank = rules.play.must_head or rules.play.must_overtrump  # then other cards make other plays illegal
    moment = 0 if by_rank else rng.randrange(1 + hand.cards)
    seen, decision = witnesses[seat].decisions[moment]
    before = {card for _, card in seen.played}
    other = elsewhere(dealt, seen.place, before, rng, bidding=moment == 0)
    again = Witness(BOTS[name](Random(seat)))
    table: dict[int, Bot] = {one: Script(witness.decisions, played.trump) for one, witness in witnesses.items()}
    table[seat] = again
    play_deal(hand, other, table)
    assert again.decisions[moment] == (seen, decision)


@pytest.mark.parametrize("name", ["table", "montecarlo"])
def test_a_card_on_the_forehead_is_not_seen_by_who_holds_it(name: str) -> None:
    rules = listed(1, bidding={"one_card_blind": True, "hook": "always"})
    hand = new_sheet(rules).hand(1)
    dealt = deal(rules, 3, 1, Random(5))
    bids = set()

    for card in dealt.pack.cards:
        if card not in (dealt.turned, dealt.dealt[1][0], dealt.dealt[2][0]):
            other = replace(dealt, dealt=((card,), *dealt.dealt[1:]))
            witness = Witness(BOTS[name](Random(1)))
            play_deal(hand, other, {0: witness, 1: RandomBot(Random(2)), 2: RandomBot(Random(3))})
            bids.add(witness.decisions[0][1])

    assert len(bids) == 1


def test_a_card_on_the_forehead_is_bid_by_the_cards_of_the_others() -> None:
    rules = listed(1, bidding={"one_card_blind": True})
    hand = new_sheet(rules).hand(1)
    dealt = deal(rules, 3, 1, Random(1))
    pack = dealt.pack
    low = replace(dealt, dealt=((pack.card("5D"),), (pack.card("2C"),), (pack.card("3C"),)), turned=pack.card("9H"))
    high = replace(low, dealt=((pack.card("5D"),), (pack.card("AH"),), (pack.card("KH"),)))
    bots_ = {seat: TableBot(Random(0)) for seat in range(3)}

    given_low = play_deal(hand, replace(low, trump="H"), bots_).bids[0]
    given_high = play_deal(hand, replace(high, trump="H"), bots_).bids[0]

    assert (given_low, given_high) == (1, 0)


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize("preset", list(presets()))
def test_every_preset_plays_a_game_or_says_why_not(preset: str) -> None:
    rules = presets()[preset].rules
    players = rules.players[0]
    names = ["montecarlo", "table", "random"] + ["table"] * (players - 3)
    if preset in UNKNOWN:
        with pytest.raises(CardError, match=UNKNOWN[preset]):
            play_game(rules, players, names[:players], "1")
        return

    sheet = play_game(rules, players, names[:players], "1")

    assert sheet.faults == ()
    assert sheet.over


UNKNOWN = {
    "basas": "auction",
    "israeli_whist": "auction",
    "skull_king_score": "not known here, only its score",
    "rage_score": "not known here, only its score",
}


def replayed(hand: PlayedHand) -> dict[int, int]:
    """The tricks by seat as the slow reference counts them; each card is checked to be one that it allows."""
    pack = hand.deal.pack
    held = [[pack.name(card) for card in cards] for cards in hand.deal.dealt]
    tricks, leader, trick = dict.fromkeys(hand.seats, 0), hand.leader, list[str]()
    for place, card in hand.played:
        assert place == (leader + len(trick)) % len(held)
        name = pack.name(card)
        assert name in reference.legal(held[place], trick, hand.trump, pack.ranks)
        held[place].remove(name)
        trick.append(name)
        if len(trick) == len(held):
            leader = (leader + reference.winner(trick, hand.trump, pack.ranks)) % len(held)
            tricks[hand.seats[leader]] += 1
            trick = []
    assert not any(held)
    return tricks


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_wizard_is_played_to_the_last_of_its_sixty_cards(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[PlayedHand] = []

    def noted(hand: Hand, players: Mapping[int, Bot], rng: Random) -> PlayedHand:
        played.append(play_hand(hand, players, rng))
        return played[-1]

    monkeypatch.setattr(simulate, "play_hand", noted)
    sheet = play_game(presets()["wizard"].rules, players, ["montecarlo"] + ["table"] * (players - 1), "w")

    assert [replayed(hand) for hand in played] == [dict(hand.tricks) for hand in sheet.hands]
    assert sheet.over
    assert sheet.faults == ()
    assert sheet.hands[-1].cards * players == 60
    assert all(sum(filter(None, hand.tricks.values())) == hand.cards for hand in sheet.hands)


def test_a_simulated_game_is_written_by_events_that_the_rules_accept() -> None:
    rules = presets()["oh_hell_hook"].rules
    game = play_game(rules, 4, ["table"] * 4, "1")
    sheet = new_sheet(rules, 4)

    for entry in game.entries:
        sheet.check(entry.event)
        sheet = sheet.apply(entry)

    assert sheet.totals == game.totals
    assert sum(sheet.totals.values()) > 0


@pytest.mark.parametrize(
    ("axes", "fits"),
    [
        ({"hook": "always"}, lambda total, cards: total != cards),
        ({"hook": "always", "mode": "simultaneous"}, lambda total, cards: total != cards),
        ({"total_must_equal": True}, lambda total, cards: total == cards),
    ],
)
def test_bots_keep_to_the_rule_on_the_sum_of_bids(axes: Mapping[str, object], fits: Callable[[int, int], bool]) -> None:
    rules = listed(*[3] * 20, bidding=axes)

    sheet = play_game(rules, 3, ["table", "table", "random"], "1")

    assert sheet.faults == ()
    assert all(fits(hand.bids_total, 3) for hand in sheet.hands)


@pytest.mark.parametrize("preset", ["open_spiel", "contract_whist_oh_well"])
def test_where_a_miss_scores_its_tricks_nobody_bids_all_of_a_large_hand(preset: str) -> None:
    sheet = play_game(presets()[preset].rules, 3, ["table"] * 3, "1")

    bids = [bid for hand in sheet.hands if hand.cards > 12 for bid in hand.bids.values()]
    assert bids
    assert all(bid is not None and bid < 13 for bid in bids)


def test_the_highest_bidder_names_the_trump() -> None:
    rules = rules_with(trump={"method": "highest_bidder", "no_trump_on": []})
    hand = new_sheet(rules).hand(5)
    dealt = deal(rules, 3, 5, Random(1))
    pack = dealt.pack
    dealt = replace(
        dealt,
        dealt=tuple(
            tuple(pack.card(name) for name in names.split())
            for names in ("AS KS QS JS TS", "2C 3C 4D 5D 6H", "2D 3D 4H 5H 7C")
        ),
    )

    played = play_deal(hand, dealt, {seat: TableBot(Random(0)) for seat in range(3)})

    assert played.trump == "S"
    assert played.tricks[played.seats[0]] == 5


def rate(rules: Rules, name: str, hands: int) -> float:
    """The share of bids made by four of a kind in the first hand of these rules."""
    made = 0
    for number in range(hands):
        hand = new_sheet(rules, 4).hand(1)
        table = {seat: BOTS[name](Random(number * 4 + seat)) for seat in range(4)}
        played = play_hand(hand, table, Random(number))
        made += sum(played.bids[seat] == played.tricks[seat] for seat in range(4))
    return made / (4 * hands)


def test_better_bots_make_more_bids() -> None:
    rules = listed(5, bidding={"hook": "always"}, trump={"no_trump_on": []}, players=[3, 4])

    by_chance, by_table, by_playouts = (
        rate(rules, name, hands) for name, hands in (("random", 100), ("table", 100), ("montecarlo", 25))
    )

    assert by_chance < 0.25 < 0.5 < by_table
    assert by_playouts > 0.55


def test_one_table_bot_beats_three_that_play_at_random() -> None:
    sheets = [play_game(presets()["oh_hell_hook"].rules, 4, ["table", *["random"] * 3], str(seed)) for seed in range(3)]

    assert all(sheet.totals[0] > 1.5 * max(sheet.totals[seat] for seat in (1, 2, 3)) for sheet in sheets)


def test_bots_follow_the_points_of_the_rules_in_force() -> None:
    # The lowest total wins, and a bid missed costs by the bid: zero costs nothing whatever comes.
    rules = listed(
        5,
        scoring={
            "direction": "low",
            "cases": [{"when": {"made": True}, "points": {"const": 0}}, {"when": {}, "points": {"bid": 10}}],
        },
    )
    hand = new_sheet(rules).hand(1)

    played = play_hand(hand, {seat: TableBot(Random(0)) for seat in range(3)}, Random(3))

    assert set(played.bids.values()) == {0}


def test_two_equal_cards_of_two_packs_are_both_played() -> None:
    rules = rules_with(deck="two_packs", cards_in_deck=104, players=[3, 8])
    hand: Hand = new_sheet(rules, 8).hand(6)

    played = play_hand(hand, {seat: BOTS["table"](Random(0)) for seat in range(8)}, Random(3))

    assert sorted(card for _, card in played.played) == sorted(card for cards in played.deal.dealt for card in cards)
    assert as_set(card for _, card in played.played) >> 64


@pytest.mark.parametrize(("players", "cards"), [(3, 15), (4, 5), (7, 7), (2, 20), (8, 6)])
def test_self_play_gives_out_every_trick_and_keeps_the_hook(players: int, cards: int) -> None:
    bids, tricks = selfplay.self_play(players, cards, 200, 1)

    by_hand = [slice(hand * players, (hand + 1) * players) for hand in range(200)]
    assert all(sum(tricks[one]) == cards for one in by_hand)
    assert all(sum(bids[one]) != cards for one in by_hand)
    assert sum(bid == won for bid, won in zip(bids, tricks, strict=True)) > 0.3 * 200 * players


def test_learning_from_self_play_makes_more_bids() -> None:
    unlearned = selfplay.learn_tables(0, 0, 1, print)
    learned = selfplay.learn_tables(1, 40, 1, print)

    before, after = (made(tables) for tables in (unlearned, learned))

    assert after > before + 0.05


def made(tables: bytes) -> float:
    bids, tricks = selfplay.self_play(4, 5, 500, 1, tables=octets(tables))
    return int(sum(bid == won for bid, won in zip(bids, tricks, strict=True))) / 2000


def test_cards_with_nothing_between_them_are_played_out_once() -> None:
    pack = presets()["oh_hell"].rules
    french = deal(pack, 3, 1, Random(0)).pack

    kept = bots.different(french.read(["2C", "3C", "5C", "9D", "TD"]), french.read(["4C"]))

    assert french.names(as_set(kept)) == ["3C", "5C", "TD"]
