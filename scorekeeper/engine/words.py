"""Rules in words, made from the data: what the help, the rules pages and the terminal say.

Every function takes `words`, a gettext translations object, and gives text in its language.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from gettext import NullTranslations
from itertools import groupby, pairwise

from scorekeeper.engine.faults import ENGLISH, N_
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scoring import Case, Expected, Facts, Formula, Number, Streak, table
from scorekeeper.engine.trumps import no_trump

SUIT_NAMES = {
    "C": N_("clubs"),
    "D": N_("diamonds"),
    "H": N_("hearts"),
    "S": N_("spades"),
    "NT": N_("no trump"),
}
_TERMS = {
    "bid": N_("bid"),
    "tricks": N_("tricks"),
    "cards": N_("cards"),
    "diff": N_("difference"),
    "over": N_("tricks over"),
    "under": N_("tricks under"),
    "bid2": N_("bid²"),
    "tricks2": N_("tricks²"),
    "diff2": N_("difference²"),
    "tri": N_("(1 + 2 + … + difference)"),
    "geo": N_("(1 + 2 + 4 + …, one number per trick of difference)"),
    "max_cards": N_("cards of the largest hand"),
    "wager": N_("stake"),
    "side": N_("tricks counted beside"),
}
_FLAGS = {
    ("made", True): N_("bid made"),
    ("made", False): N_("bid missed"),
    ("over", True): N_("too many tricks"),
    ("over", False): N_("not too many tricks"),
    ("under", True): N_("too few tricks"),
    ("under", False): N_("not too few tricks"),
    ("blind", True): N_("bid blind"),
    ("blind", False): N_("bid after looking"),
    ("all_tricks", True): N_("all tricks won"),
    ("all_tricks", False): N_("not all tricks won"),
    ("bid_all", True): N_("all tricks bid"),
    ("bid_all", False): N_("not all tricks bid"),
    ("no_card_left", True): N_("whole pack dealt"),
    ("no_card_left", False): N_("cards left in the pack"),
    ("cards_gt_players", True): N_("more cards than players"),
    ("cards_gt_players", False): N_("no more cards than players"),
    ("last_hand", True): N_("last hand"),
    ("last_hand", False): N_("not the last hand"),
}
_TOTALS = {
    "under": N_("bids below the tricks"),
    "over": N_("bids above the tricks"),
    "even": N_("bids equal to the tricks"),
}
_COUNTS = {
    "bid": N_("bid"),
    "tricks": N_("tricks"),
    "cards": N_("cards"),
    "diff": N_("difference"),
    "players": N_("players"),
}
_NAMED = {"halve_total_round_up": N_("half of the total is lost, what stays is rounded up")}

DECKS = {
    "french52": N_("52 cards"),
    "french54": N_("52 cards and two jokers"),
    "two_packs": N_("two packs of 52 cards"),
    "pack63": N_("63 cards"),
    "pack73": N_("73 cards"),
    "piquet32": N_("32 cards"),
    "joker36": N_("36 cards, two of them jokers"),
    "spanish40": N_("40 Spanish cards"),
    "skat_double_64": N_("two packs of 32 cards"),
    "wizard60": N_("60 cards: 52, four wizards and four jesters"),
    "top_8_per_player": N_("the highest cards of the pack, eight for each player"),
    "other": N_("the game's own cards"),
}
_TRUMPS = {
    "turn_up": N_("The next card is turned after the deal; its suit is trump."),
    "highest_bidder": N_("The highest bidder names the trump suit."),
    "auction": N_("The trump suit is bid for in an auction before the bids."),
    "dealer_chooses": N_("The dealer names the trump suit."),
    "second_pack": N_("A card from a second pack says which suit is trump."),
    "wizard_turn_up": N_(
        "The next card is turned: its suit is trump; with a jester there is none, with a wizard the dealer names it."
    ),
    "none": N_("There is no trump."),
    "not_modelled": N_("Trumps are as in that game."),
}
_NO_TRUMP_ON = {
    "first_hand": N_("The first hand has no trump."),
    "last_hand": N_("The last hand has no trump."),
    "largest_hands": N_("The largest hands have no trump."),
    "second_largest_in_a_row": N_("Of two largest hands in a row the second has no trump."),
}
_NO_CARD_LEFT = {
    "none": N_("Where no card is left to turn, there is no trump."),
    "dealer_last_card": N_("Where no card is left to turn, the dealer's last card is shown."),
    "cut_before_deal": N_("Where no card will be left to turn, one is cut before the deal."),
    "dealer_chooses_unseen": N_("Where no card will be left to turn, the dealer names the suit before looking."),
    "auction": N_("Where no card is left to turn, the trump suit is bid for."),
}
_FIRST = {
    "left_of_dealer": N_("The player on the dealer's left bids first."),
    "right_of_dealer": N_("The player on the dealer's right bids first."),
    "dealer": N_("The dealer bids first."),
    "trump_maker": N_("Whoever made trump bids first."),
}
_HOOK = {
    "never": N_("The bids may add up to anything."),
    "always": N_("The hook: the bids may not add up to the tricks, so the last to bid is barred from one number."),
    "dealer_leading_and_nonzero": N_(
        "The hook binds only a dealer who leads alone, and even then a bid of zero may even the bids."
    ),
}
_LEAD = {
    "left_of_dealer": N_("The player on the dealer's left leads."),
    "right_of_dealer": N_("The player on the dealer's right leads."),
    "dealer": N_("The dealer leads."),
    "highest_bidder_nearest_after_dealer": N_("The highest bidder leads, of several the nearest after the dealer."),
}
_TRUMP_LEAD = {
    "free": "",
    "not_first_card": N_("Trump may not be the first card of a hand."),
    "not_while_other_suit": N_("Trump may not be led while another suit is held."),
}
_PASSES = {
    "left": N_("The deal passes to the left."),
    "right": N_("The deal passes to the right."),
    "worst_miss": N_("Whoever missed by most deals next; if nobody missed, the deal passes to the left."),
}
_TIES = {
    "shared": N_("Equal totals share the place."),
    "most_made_bids": N_("Of equal totals the one with more bids made is ahead."),
    "most_made_bid_total": N_("Of equal totals the one with the larger sum of bids made is ahead."),
    "most_tricks": N_("Of equal totals the one with more tricks is ahead."),
    "extra_max_hands": N_("On a tie for first place hands of the largest size are added until one leads."),
}


def exact_text(number: Number) -> str:
    """A number as it is written on paper: a true minus, 5½ for halves, other fractions as 1/3."""
    sign, size = ("−", -number) if number < 0 else ("", number)
    whole, rest = divmod(size, 1)
    return f"{sign}{whole or ''}½" if rest == Fraction(1, 2) else f"{sign}{size}"


def expression(points: Sequence[tuple[str, Number]], words: NullTranslations = ENGLISH) -> str:
    """Terms as a sum: `10 + 3 × tricks`, `−difference`, `0`."""
    parts: list[str] = []
    for term, factor in points:
        if factor == 0 and len(points) > 1:
            continue
        size = factor if factor >= 0 else -factor
        part = exact_text(size) if term == "const" else words.gettext(_TERMS[term])
        if term != "const" and size != 1:
            part = f"{exact_text(size)} × {part}"
        sign = ("− " if parts else "−") if factor < 0 else ("+ " if parts else "")
        parts.append(sign + part)
    return " ".join(parts) or "0"


def _condition(name: str, expected: Expected, words: NullTranslations) -> str:
    if isinstance(expected, bool):
        return words.gettext(_FLAGS[name, expected])
    if isinstance(expected, str):
        if name == "bids_total":
            return words.gettext(_TOTALS[expected])
        return words.gettext(N_("trump: %(suit)s")) % {"suit": words.gettext(SUIT_NAMES[expected])}
    low, high = expected
    what = words.gettext(_COUNTS[name])
    if low == high:
        return f"{what} {low}"
    if high is None:
        return words.gettext(N_("%(what)s %(low)s or more")) % {"what": what, "low": low}
    if low is None:
        return words.gettext(N_("%(what)s %(high)s or fewer")) % {"what": what, "high": high}
    return f"{what} {low}–{high}"


def _case(case: Case, otherwise: str, words: NullTranslations) -> str:
    when = ", ".join(_condition(name, expected, words) for name, expected in case.when) or otherwise
    value = words.gettext(_NAMED[case.rule]) if case.rule else expression(case.points or (), words)
    return f"{when[:1].upper()}{when[1:]}: {value}"


def scoring_lines(formula: Formula, words: NullTranslations = ENGLISH) -> list[str]:
    """A formula in words, a line per case; the first that fits decides."""
    otherwise = words.gettext(N_("otherwise")) if len(formula.cases) > 1 else words.gettext(N_("always"))
    lines = [_case(case, otherwise, words) for case in formula.cases]
    more = words.gettext(N_("always"))
    lines += [
        words.gettext(N_("In addition — %(case)s")) % {"case": _case(case, more, words)} for case in formula.bonuses
    ]
    for factor in formula.multiply:
        when = ", ".join(_condition(name, expected, words) for name, expected in factor.when) or more
        lines.append(f"{when[:1].upper()}{when[1:]}: × {exact_text(factor.by)}")
    if formula.streak:
        lines += _streak(formula.streak, words)
    if formula.direction == "low":
        lines.append(words.gettext(N_("The lowest total wins.")))
    return lines


def _streak(streak: Streak, words: NullTranslations) -> Iterator[str]:
    numbers = {"length": streak.length, "made": exact_text(streak.made), "missed": exact_text(streak.missed)}
    yield words.gettext(N_("Every %(length)s bids made in a row: %(made)s; missed in a row: %(missed)s.")) % numbers
    if streak.min_cards > 1:
        text = words.ngettext(
            "A hand of fewer than %(cards)s card ends a row.",
            "A hand of fewer than %(cards)s cards ends a row.",
            streak.min_cards,
        )
        yield text % {"cards": streak.min_cards}


def shape(cards: Sequence[int]) -> str:
    """Hand sizes in short: 1→13→1, 8×4 for a size dealt four times in a row, a plain list where steps jump."""
    runs = [(size, len(list(same))) for size, same in groupby(cards)]
    if any(abs(one - two) != 1 for (one, _), (two, _) in pairwise(runs)):
        return ", ".join(map(str, cards))
    kept = [
        (size, times)
        for index, (size, times) in enumerate(runs)
        if index in (0, len(runs) - 1) or times > 1 or (runs[index - 1][0] < size) == (runs[index + 1][0] < size)
    ]
    return "→".join(str(size) if times == 1 else f"{size}×{times}" for size, times in kept)


def summary(rules: Rules, players: int, words: NullTranslations = ENGLISH) -> str:
    """What the rules are, in one sentence for so many players."""
    cards = rules.sizes(players)
    hands = words.ngettext("%(hands)s hand", "%(hands)s hands", len(cards)) % {"hands": len(cards)}
    parts = [f"{shape(cards)} ({hands})"]
    if rules.bidding.mode == "simultaneous":
        parts.append(words.gettext(N_("all bid at once")))
    parts.append(words.gettext(N_("no hook") if rules.bidding.hook == "never" else N_("hook on")))
    if rules.play.must_trump:
        parts.append(words.gettext(N_("must trump")))
    parts += [line[:1].lower() + line[1:] for line in scoring_lines(rules.scoring, words)]
    if rules.trump.method != "none" and "last_hand" in rules.trump.no_trump_on and any(no_trump(rules, players)):
        parts.append(words.gettext(N_("no trump in the last hand")))
    return " · ".join(parts)


def paragraphs(rules: Rules, words: NullTranslations = ENGLISH) -> list[tuple[str, list[str]]]:
    """The rules in words: headings, each with its sentences."""
    say = words.gettext
    return [
        (say(N_("Players and cards")), _table_sentences(rules, words)),
        (say(N_("Trump")), _trump_sentences(rules, words)),
        (say(N_("Bidding")), _bidding_sentences(rules, words)),
        (say(N_("Play")), _play_sentences(rules, words)),
        (say(N_("Points")), [*scoring_lines(rules.scoring, words), say(_TIES[rules.tie])]),
    ]


def _table_sentences(rules: Rules, words: NullTranslations) -> list[str]:
    say = words.gettext
    low, high = rules.players
    players = say(N_("%(low)s to %(high)s players.")) if low < high else say(N_("%(low)s players."))
    sentences = [players % {"low": low, "high": high}, say(N_("Pack: %(pack)s.")) % {"pack": say(DECKS[rules.deck])}]
    if rules.direction == "anticlockwise":
        sentences.append(say(N_("Dealing, bidding and play go anticlockwise.")))
    sentences.append(say(_PASSES[rules.deal_passes]))
    if rules.end.kind == "target":
        sentences.append(say(N_("The game ends when a total reaches %(target)s.")) % {"target": rules.end.target})
    elif rules.end.kind == "open":
        sentences.append(say(N_("The table decides when the game ends.")))
    return sentences


def _trump_sentences(rules: Rules, words: NullTranslations) -> list[str]:
    say, trump = words.gettext, rules.trump
    if trump.method == "rotation":
        suits = ", ".join(say(SUIT_NAMES[suit]) for suit in trump.order or ())
        sentences = [say(N_("Trumps take turns: %(suits)s.")) % {"suits": suits}]
    elif trump.method == "fixed":
        sentences = [say(N_("Always trump: %(suit)s.")) % {"suit": say(SUIT_NAMES[trump.suit or "S"])}]
    else:
        sentences = [say(_TRUMPS[trump.method])]
    if trump.method == "none":
        return sentences
    sentences += [say(_NO_TRUMP_ON[when]) for when in trump.no_trump_on]
    if trump.method in ("turn_up", "wizard_turn_up"):
        sentences.append(say(_NO_CARD_LEFT[trump.when_no_card_left]))
    return sentences


def _bidding_sentences(rules: Rules, words: NullTranslations) -> list[str]:
    say, bidding = words.gettext, rules.bidding
    if bidding.mode == "simultaneous":
        sentences = [say(N_("All bid at once and show it together."))]
    else:
        sentences = [say(_FIRST[bidding.first])]
    sentences.append(
        say(_HOOK[bidding.hook]) if not bidding.total_must_equal else say(N_("The bids must add up to the tricks."))
    )
    if bidding.hook != "never":
        if bidding.hook_min_cards > 1:
            sentences.append(
                words.ngettext(
                    "The hook holds from %(cards)s card on.",
                    "The hook holds from %(cards)s cards on.",
                    bidding.hook_min_cards,
                )
                % {"cards": bidding.hook_min_cards}
            )
        sentences += [say(N_("It does not hold in the first hand."))] if bidding.hook_not_in_first_hand else []
        sentences += [say(N_("It does not hold in the last hand."))] if bidding.hook_not_in_last_hand else []
    if bidding.one_card_blind:
        sentences.append(say(N_("A single card is held to the forehead: all see it but its holder.")))
    if limit := bidding.zero_bids_in_a_row_max:
        numbers = {"most": limit.most, "players": limit.if_players_over}
        text = N_("With more than %(players)s players nobody bids zero more than %(most)s times in a row.")
        sentences.append(say(text) % numbers)
    if blind := bidding.blind_bids:
        text = N_("Whoever is %(points)s or more points behind the leader may bid before looking.")
        sentences.append(say(text) % {"points": blind.min_points_behind_leader})
    return sentences


def _play_sentences(rules: Rules, words: NullTranslations) -> list[str]:
    say, play = words.gettext, rules.play
    sentences = [say(_LEAD[play.first_lead]), say(N_("Suit must be followed."))]
    if play.must_head:
        sentences.append(say(N_("Whoever can beat the trick must.")))
    sentences.append(
        say(N_("Whoever cannot follow must trump."))
        if play.must_trump
        else say(N_("Whoever cannot follow may play any card."))
    )
    if play.must_overtrump:
        sentences.append(say(N_("A trump must beat those already played, if it can.")))
    if _TRUMP_LEAD[play.trump_lead]:
        sentences.append(say(_TRUMP_LEAD[play.trump_lead]))
    return sentences


def worked_table(rules: Rules, cards: int) -> tuple[tuple[Number, ...], ...]:
    """`worked_table[bid][tricks]`, each 0 to `cards`, for the fewest players and without what is special to a hand."""
    players = rules.players[0]
    facts = Facts(
        cards, 0, 0, players=players, max_cards=rules.largest(players), no_card_left=False, last_hand=False, trump="H",
        bids_total="over", total_before=0,
    )  # fmt: skip
    return table(rules.scoring, facts)
