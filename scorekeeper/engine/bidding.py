"""Who bids when, and which bids are legal: the order, the hook and its windows, the limit of zero bids."""

from collections.abc import Collection, Sequence

from scorekeeper.engine.rules import Bidding, Rules


def next_seat(table: Sequence[int], seat: int, step: int, among: Collection[int]) -> int | None:
    """The first seat of `among` met when going round `table` from `seat`, +1 to the left; `seat` itself comes last."""
    at = table.index(seat)
    round_ = (table[(at + step * distance) % len(table)] for distance in range(1, len(table) + 1))
    return next((one for one in round_ if one in among), None)


def order(
    rules: Rules, table: Sequence[int], dealer: int, present: Collection[int], first: int | None = None
) -> tuple[int, ...]:
    """The seats that are present, in the order they bid.

    `table` lists the seats clockwise, the dealer among them even when sitting out. `first` is who was said to bid
    first; without it the rules decide, and where they say "the trump maker" it is the dealer's left.
    """
    step = 1 if rules.direction == "clockwise" else -1
    if first is None or first not in present:
        match rules.bidding.first:
            case "dealer":
                first = dealer if dealer in present else next_seat(table, dealer, step, present)
            case "right_of_dealer":
                first = next_seat(table, dealer, -1, present)
            case _:
                first = next_seat(table, dealer, 1, present)
    if first is None:
        return ()
    at = table.index(first)
    turned = (table[(at + step * distance) % len(table)] for distance in range(len(table)))
    return tuple(seat for seat in turned if seat in present)


def hook_binds(bidding: Bidding, *, cards: int, first_hand: bool, last_hand: bool, last_bidder_leads: bool) -> bool:
    """Whether the bids of such a hand may not add up to its tricks.

    The "dealer" of the rule that binds a leading dealer only is whoever bids last among those present.
    """
    return (
        bidding.hook != "never"
        and cards >= bidding.hook_min_cards
        and not (first_hand and bidding.hook_not_in_first_hand)
        and not (last_hand and bidding.hook_not_in_last_hand)
        and (bidding.hook == "always" or last_bidder_leads)
    )


def evening_bid(cards: int, others: Sequence[int | None]) -> int | None:
    """The one bid, 0 to `cards`, that would make the bids add up to the tricks, given the bids of all others.

    None where no bid would, or while one of the others is not written.
    """
    bids = [bid for bid in others if bid is not None]
    bid = cards - sum(bids)
    return bid if len(bids) == len(others) and 0 <= bid <= cards else None


def zero_limit(bidding: Bidding, players: int) -> int | None:
    """How many hands in a row a seat may bid zero; None if it may always."""
    limit = bidding.zero_bids_in_a_row_max
    return limit.most if limit and players > limit.if_players_over else None


def legal(cards: int, banned: int | None, zeros_used_up: bool) -> tuple[int, ...]:
    """The legal bids: 0 to `cards` without the hook's, and without 0 at the limit of zeros, unless nothing is left."""
    bids = tuple(bid for bid in range(cards + 1) if bid != banned)
    return (bids[1:] if zeros_used_up and bids[0] == 0 else bids) or bids
