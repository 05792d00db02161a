"""The trump that the rules give a hand before any card is turned."""

from scorekeeper.engine.rules import Rules


def fixed_trump(
    rules: Rules, *, number: int, cards: int, before: int | None, most: int, players: int, last: bool, turn: int
) -> str | None:
    """A suit, NT, or None where it is for the cards or the players to say.

    `before` is the size of the hand before, `most` the largest of the game's first plan, `players` are those present;
    `last` says whether the hand counts as the game's last, `turn` is its place in a rotation, from 0.
    """
    trump = rules.trump
    no_trump = {
        "first_hand": number == 1,
        "last_hand": last,
        "largest_hands": cards == most,
        "second_largest_in_a_row": cards == most == before,
    }
    if trump.method == "none" or any(no_trump[when] for when in trump.no_trump_on):
        return "NT"
    if trump.method in ("turn_up", "wizard_turn_up") and players * cards == rules.cards_in_pack(players):
        return "NT" if trump.when_no_card_left == "none" else None
    if trump.method == "rotation" and trump.order:
        return trump.order[turn % len(trump.order)]
    return trump.suit if trump.method == "fixed" else None


def no_trump(rules: Rules, players: int) -> tuple[bool, ...]:
    """For every hand of a game whether the rules alone make it one without a trump."""
    plan = rules.sizes(players)
    ends = rules.end.kind == "schedule"
    given = (
        fixed_trump(
            rules,
            number=number,
            cards=cards,
            before=plan[number - 2] if number > 1 else None,
            most=max(plan),
            players=players,
            last=ends and number == len(plan),
            turn=number - 1,
        )
        for number, cards in enumerate(plan, 1)
    )
    return tuple(trump == "NT" for trump in given)
