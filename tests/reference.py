"""The play of a hand, slow and obvious: cards are names such as "TH", hands and tricks are lists, rules are sentences.

Written from the rules alone and not from the engine, which it is there to check. "WC" is a wizard, "XC" a jester.
`ranks` are the letters of a pack's ranks from the lowest; `trump` is a suit's letter or "NT".
"""

from collections.abc import Sequence
from dataclasses import dataclass

SUITS = "CDHS"
FRENCH = "23456789TJQKA"


@dataclass(frozen=True)
class Duties:
    """What binds a player beyond following suit."""

    must_trump: bool = False
    must_overtrump: bool = False
    must_head: bool = False
    trump_lead: str = "free"


def is_wizard(card: str) -> bool:
    return card[0] == "W"


def is_jester(card: str) -> bool:
    return card[0] == "X"


def is_plain(card: str) -> bool:
    return not is_wizard(card) and not is_jester(card)


def suit_to_follow(trick: Sequence[str]) -> str | None:
    """The suit that the trick so far asks for: the first plain card's, unless a wizard came before it."""
    for card in trick:
        if is_wizard(card):
            return None
        if is_plain(card):
            return card[1]
    return None


def winner(trick: Sequence[str], trump: str, ranks: str = FRENCH) -> int:
    """Which card of a trick wins, counted from 0; of equal cards the first."""
    wizards = [place for place, card in enumerate(trick) if is_wizard(card)]
    if wizards:
        return wizards[0]
    suits = [suit for suit in (trump, suit_to_follow(trick)) if suit is not None]
    for suit in suits:
        of_suit = [place for place, card in enumerate(trick) if is_plain(card) and card[1] == suit]
        if of_suit:
            highest = max(ranks.index(trick[place][0]) for place in of_suit)
            return next(place for place in of_suit if ranks.index(trick[place][0]) == highest)
    return 0  # jesters alone


def would_win(card: str, trick: Sequence[str], trump: str, ranks: str) -> bool:
    return winner([*trick, card], trump, ranks) == len(trick)


def legal(
    hand: Sequence[str],
    trick: Sequence[str],
    trump: str,
    ranks: str = FRENCH,
    duties: Duties = Duties(),
    *,
    first_of_hand: bool = False,
) -> list[str]:
    """The cards of a hand that may be played to a trick; `first_of_hand`: no card was played in this hand yet."""
    special = [card for card in hand if not is_plain(card)]
    plain = [card for card in hand if is_plain(card)]
    trumps = [card for card in plain if card[1] == trump]
    others = [card for card in plain if card[1] != trump]
    if not trick:
        no_trump_now = duties.trump_lead == "not_while_other_suit" or (
            duties.trump_lead == "not_first_card" and first_of_hand
        )
        return others + special if no_trump_now and others else list(hand)
    suit = suit_to_follow(trick)
    if suit is None:
        return list(hand)
    following = [card for card in plain if card[1] == suit]
    if following:
        if duties.must_head:
            heading = [card for card in following if would_win(card, trick, trump, ranks)]
            following = heading or following
        return following + special
    if duties.must_overtrump:
        over = [card for card in trumps if would_win(card, trick, trump, ranks)]
        trumps = over or trumps
    if duties.must_trump and trumps:
        return trumps + special
    return others + trumps + special


def replay(
    hands: Sequence[Sequence[str]],
    played: Sequence[str],
    trump: str,
    ranks: str = FRENCH,
    duties: Duties = Duties(),
) -> tuple[list[int], list[tuple[list[str], str]]]:
    """The tricks of each place, and for each card played the cards that were legal with the one that was chosen.

    Place 0 leads first, whoever wins a trick leads to the next. Raises AssertionError where a card may not be played or
    cards are left over.
    """
    held = [list(hand) for hand in hands]
    tricks = [0] * len(hands)
    choices = []
    place, trick = 0, list[str]()
    for number, card in enumerate(played):
        may = legal(held[place], trick, trump, ranks, duties, first_of_hand=number == 0)
        assert card in may, f"{card} was played, legal are {may}"
        choices.append((may, card))
        held[place].remove(card)
        trick.append(card)
        place = (place + 1) % len(hands)
        if len(trick) == len(hands):
            place = (place + winner(trick, trump, ranks)) % len(hands)
            tricks[place] += 1
            trick = []
    assert not any(held), f"{held} were not played"
    return tricks, choices
