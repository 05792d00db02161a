"""Dealing: who gets which cards, what is turned up, and the trump that the cards say.

A deal comes from a `random.Random` by `getrandbits` alone, which Python promises never to change: the same seed gives
the same cards on every machine and version.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scorekeeper.engine.cards import JESTER, LANE, WIZARD, CardError, Pack, as_set, pack_of, suit_of
from scorekeeper.engine.rules import SUITS, Rules

TURNS_UP = ("turn_up", "wizard_turn_up")


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one hand. Places count in the order of dealing: 0 sits beside the dealer, the last one deals.

    `dealt` are each place's cards in the order they came; `turned` is the card turned up, None where the rules turn
    none; `trump` is C, D, H, S, NT, or None where a player is to name it. All other cards are out of play.
    """

    pack: Pack
    dealt: tuple[tuple[int, ...], ...]
    turned: int | None
    trump: str | None

    @property
    def holdings(self) -> tuple[int, ...]:
        """By place, the set of its cards."""
        return tuple(as_set(cards) for cards in self.dealt)


def below(rng: Random, end: int) -> int:
    """A whole number from 0 to `end` - 1, each as likely as the others."""
    bits = (end - 1).bit_length()
    while (number := rng.getrandbits(bits) if bits else 0) >= end:
        pass
    return number


def drawn(rng: Random, cards: Sequence[int], count: int) -> list[int]:
    """The first `count` of the shuffled `cards`."""
    deck = list(cards)
    for place in range(count):
        other = place + below(rng, len(deck) - place)
        deck[place], deck[other] = deck[other], deck[place]
    return deck[:count]


def trump_source(rules: Rules, players: int, cards: int) -> str:
    """How the trump of such a hand is found: as `Trump.method` says, or as `when_no_card_left` where none is left."""
    trump = rules.trump
    left = players * cards < rules.cards_in_pack(players)
    return trump.method if left or trump.method not in TURNS_UP else trump.when_no_card_left


def deal(rules: Rules, players: int, cards: int, rng: Random, fixed: str | None = None) -> Deal:
    """Deals `cards` to each of `players`, one at a time round the table, and finds the trump.

    `fixed` is the trump that the rules give before any card is turned (`trumps.fixed_trump`); then none is turned.
    Raises CardError where the pack has too few cards, where its cards are not known here, or where the rules find the
    trump by an auction.
    """
    pack = pack_of(rules, players)
    in_hands = players * cards
    if not (players > 0 and 0 < in_hands <= len(pack.cards)):
        raise CardError(f"{players} players cannot have {cards} cards each: the pack has {len(pack.cards)}")
    method = trump_source(rules, players, cards)
    turns = fixed is None and method in TURNS_UP
    deck = drawn(rng, pack.cards, in_hands + turns)
    dealt = tuple(tuple(deck[place:in_hands:players]) for place in range(players))
    turned = deck[in_hands] if turns else None
    trump = fixed
    if fixed is None:
        match method:
            case "turn_up" | "wizard_turn_up":
                trump = made_trump(deck[in_hands])
            case "dealer_last_card":
                trump = made_trump(dealt[-1][-1])
            case "cut_before_deal" | "second_pack":  # a card lifted off the pack and shuffled back, or another pack's
                trump = made_trump(drawn(rng, pack.cards, 1)[0])
            case "none":
                trump = "NT"
            case "auction" | "not_modelled" | "rotation" | "fixed":
                raise CardError(f"the trump of these rules ({method}) cannot be dealt")
    return Deal(pack, dealt, turned, trump)


def made_trump(card: int) -> str | None:
    """What a turned card makes trump: its suit, none for a jester; for a wizard the dealer names it (W-2)."""
    rank = card % LANE
    return None if rank == WIZARD else "NT" if rank == JESTER else SUITS[suit_of(card)]
