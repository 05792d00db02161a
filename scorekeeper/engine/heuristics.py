"""Playing the cards by looking one card ahead, in plain arithmetic that numba compiles.

Three tables learned from games of this player against itself stand behind it (`selfplay` makes them), all of chances
from 0 to 255 of 255:

* `rates`: that a card still held will win a trick;
* `winning`: that a card which wins the trick so far will win it in the end;
* `making`: that a bid will be made, by what it still needs and by what the cards still held are worth.

For each legal card the chance to make the bid is worked out for the trick won and for the trick lost, and the best card
is played. Who can reach nothing better any more spoils the bids of the others. A place's decision uses only its own
cards, the cards played, the bids and the tricks. All sets are of kinds: two equal cards of two packs are one kind.
"""

from scorekeeper.engine import play
from scorekeeper.engine.bits import lowest, nth
from scorekeeper.engine.cards import JESTER, LANE, ONE_SUIT, PLAIN, WIZARD
from scorekeeper.engine.compiled import Ints, Octets, compiled
from scorekeeper.engine.play import ANYTHING

legal_cards = compiled(play.legal_cards)
beats = compiled(play.beats)
asked = compiled(play.asked)

FULL = 255
SCALE = 1000  # what a point counts in an array of points
GROUPS = 5  # of players: 2, 3, 4, 5, 6 and more
MOST_LEFT = 20  # cards in a hand; longer ones are taken as so long
MOST_NEED = 8
STEPS = 25  # what the cards are worth less what is needed, -3 to 3 tricks in quarters
PRESSURES = 7  # what all need less the tricks left, -3 to 3

RATES = 5 * 8 * 4 * 3 * 5 * 7 * 3  # for each group
WINNING = 4 * 5 * 4 * 6 * 4 * 4 * 3 * 2  # for all groups
MAKING = 2 * MOST_LEFT * (MOST_NEED + 1) * PRESSURES * STEPS  # for each group

BIDDING = 2 * MOST_LEFT * (MOST_NEED + 1) * PRESSURES * STEPS  # for each group: with and without a trump
LATER = MOST_LEFT * 5 * 5 * 9  # for each group: by cards, by how many bid later, by how much was bid
MISSING = PRESSURES * STEPS * 7  # for all groups: 3 tricks too few or fewer, to 3 too many or more
WINNING_AT = GROUPS * RATES
MAKING_AT = WINNING_AT + WINNING
BIDDING_AT = MAKING_AT + GROUPS * MAKING
LATER_AT = BIDDING_AT + GROUPS * BIDDING
MISSING_AT = LATER_AT + GROUPS * LATER
CELLS = MISSING_AT + MISSING

# Places in the array of facts that `choose` reads.
PLAYERS, TRUMPS, SPECIALS, LEFT, AFTER, AFTER_WANT, PRESSURE, NEED, BEST, FOLLOW, SPOIL, DENY, AFTER_VOID = range(13)
FACTS = AFTER_VOID + 4  # for each suit, how many who play after this place have shown that they have none


@compiled
def group_of(players: int) -> int:
    """0 to 4, the group of tables for so many players."""
    return min(max(players, 2), 6) - 2


@compiled
def rate_cell(card: int, holding: int, unseen: int, trumps: int, left: int, players: int) -> int:
    """Where `rates` keeps the chance of `card`, one of `holding`, to win a trick.

    `unseen` are the kinds that the place has not seen, `left` the cards it holds.
    """
    rank = card % LANE
    suit = ONE_SUIT << (card - rank)
    kind = 3 if rank == WIZARD else 4 if rank == JESTER else 1 if trumps & suit else 0 if trumps else 2
    total = max(unseen.bit_count(), 1)
    share = min(((players - 1) * left * 4 - 1) // total, 3)  # of the unseen cards, in the hands of others
    above = min((unseen >> card & ONE_SUIT >> rank if kind < 3 else 0).bit_count(), 7)
    mine = holding & suit
    own = min((mine >> card).bit_count() - 1, 2) if kind < 3 else 0
    theirs = (unseen & suit).bit_count() * left * 2 // total if kind < 3 else 0  # for each other, in halves
    theirs = theirs if theirs < 3 else 3 if theirs < 5 else 4
    if kind == 0:
        beside = min((unseen & trumps).bit_count() * left * 2 // total, 2)
    else:
        beside = min(mine.bit_count(), 3) - 1 if kind < 3 else 0
    stage = left - 1 if left < 4 else 3 if left < 6 else 4 if left < 9 else 5 if left < 13 else 6
    return (
        group_of(players) * RATES
        + (((((kind * 8 + above) * 4 + share) * 3 + own) * 5 + theirs) * 7 + stage) * 3
        + max(beside, 0)
    )


@compiled
def worth_of(holding: int, unseen: int, trumps: int, left: int, players: int, tables: Octets) -> int:
    """What the cards held are worth, in 255ths of a trick: the sum of their chances to win one."""
    worth = 0
    kinds = holding
    while kinds:
        card = lowest(kinds)
        kinds &= kinds - 1
        worth += tables[rate_cell(card, holding, unseen, trumps, left, players)]
    return worth


@compiled
def winning_cell(card: int, unseen: int, trumps: int, facts: Ints) -> int:
    """Where `winning` keeps the chance of `card`, which beats all cards on the table, to win the trick."""
    rank = card % LANE
    suit = ONE_SUIT << (card - rank)
    left, players = facts[LEFT], facts[PLAYERS]
    follow = facts[FOLLOW]
    kind = 3 if not trumps else 1 if trumps & suit else 0
    if kind == 1 and follow and follow & trumps == 0:
        kind = 2
    total = max(unseen.bit_count(), 1)
    share = min(((players - 1) * left * 4 - 1) // total, 3)
    above = (unseen >> card & ONE_SUIT >> rank).bit_count()
    above = above if above < 4 else 4 if above < 6 else 5
    led = suit if follow == 0 else follow
    theirs = min((unseen & led).bit_count() * left // total, 3)
    beside = min((unseen & trumps).bit_count() * left * 2 // total, 2)
    after, want = min(facts[AFTER], 5) - 1, min(facts[AFTER_WANT], 3)
    cell = ((((kind * 5 + after) * 4 + want) * 6 + above) * 4 + share) * 4 + theirs
    void = facts[AFTER_VOID + (led.bit_length() - 1) // LANE]
    return WINNING_AT + (cell * 3 + beside) * 2 + min(void, 1)


@compiled
def step_of(worth: int, need: int) -> int:
    """The quarter trick, 0 to STEPS - 2, in which `worth` less `need` lies."""
    return min(max((worth - need * FULL) * 4 // FULL + STEPS // 2, 0), STEPS - 2)


@compiled
def part_of(worth: int, need: int) -> int:
    """How far into its step `worth` less `need` lies, 0 to 64."""
    over = (worth - need * FULL) * 4 + STEPS // 2 * FULL
    return min(max(over - step_of(worth, need) * FULL, 0), FULL) * 64 // FULL


@compiled
def making_cell(lead: int, left: int, need: int, pressure: int, worth: int) -> int:
    """Where `making` keeps the chances of `need` more tricks in `left`, for `worth` and for a quarter trick more.

    `worth` is of the cards held, in 255ths of a trick; `lead` is 1 for who leads next. The chance of `worth` lies
    between the cell's and the next one's.
    """
    step = step_of(worth, need)
    cell = (lead * MOST_LEFT + min(left, MOST_LEFT) - 1) * (MOST_NEED + 1) + min(need, MOST_NEED)
    return (cell * PRESSURES + min(max(pressure, -3), 3) + 3) * STEPS + step


@compiled
def chance(tables: Octets, base: int, lead: int, left: int, need: int, pressure: int, worth: int) -> int:
    """The chance to win exactly `need` more tricks in `left`, 0 to 255 * 64."""
    if need < 0 or need > left:
        return 0
    if left == 0:
        return FULL * 64
    cell = base + making_cell(lead, left, need, pressure, worth)
    part = part_of(worth, need)
    low, high = tables[cell], tables[cell + 1]
    return low * (64 - part) + high * part


@compiled
def choose(holding: int, legal: int, unseen: int, facts: Ints, tables: Octets) -> int:
    """The card to play of `legal`, all sets of kinds; `facts` as listed above."""
    players, trumps, left = facts[PLAYERS], facts[TRUMPS], facts[LEFT]
    need, pressure, best = facts[NEED], facts[PRESSURE], facts[BEST]
    group = group_of(players)
    worth = worth_of(holding, unseen, trumps, left, players, tables)
    chosen, chosen_score = -1, -1
    kinds = legal
    while kinds:
        card = lowest(kinds)
        kinds &= kinds - 1
        rate = tables[rate_cell(card, holding, unseen, trumps, left, players)]
        win = 0
        if beats(card, best, trumps):
            rank = card % LANE
            win = FULL
            if rank == JESTER:
                win = FULL if facts[AFTER] == 0 else 0
            elif rank != WIZARD and facts[AFTER]:
                win = tables[winning_cell(card, unseen, trumps, facts)]
                if facts[SPECIALS]:
                    wizards = (unseen & ~PLAIN & facts[SPECIALS]).bit_count()
                    win -= win * min(wizards * facts[AFTER] * left, unseen.bit_count()) // (2 * unseen.bit_count() + 1)
        if facts[SPOIL]:
            score = (win if facts[DENY] else FULL - win) * 4096 + (FULL - rate if facts[DENY] and not win else rate)
            if facts[DENY] and win:
                score += FULL - 2 * rate + FULL
        else:
            base = MAKING_AT + group * MAKING
            won = chance(tables, base, 1, left - 1, need - 1, pressure, worth - rate)
            lost = chance(tables, base, 0, left - 1, need, pressure, worth - rate)
            score = won * win + lost * (FULL - win)
        if score > chosen_score:
            chosen, chosen_score = card, score
    return chosen


@compiled
def need_of(value: Ints, cards: int, bid: int, won: int, left: int) -> int:
    """How many of the `left` tricks are still needed for the best result within reach; -1 where all are worth the same.

    `value` is the points of `bid * (cards + 1) + tricks`, then for each bid 1 if nothing is worth more than making it.
    """
    size = cards + 1
    if won <= bid <= won + left and value[size * size + bid]:
        return bid - won
    row = bid * size
    best = lowest = value[row + won]
    aim = won
    for tricks in range(won + 1, min(won + left, cards) + 1):
        worth = value[row + tricks]
        lowest = min(lowest, worth)
        if worth > best or (worth == best and abs(tricks - bid) < abs(aim - bid)):
            best, aim = worth, tricks
    return -1 if lowest == best and aim != bid else aim - won


# Places in the array of a position, and its length without what is there for each place at the table.
(
    SEATS, SIZE, LEADER, DOWN, TOP, TAKER, SUIT, TRUMP_SET, DUTY, SPECIAL, REST, REST_TWO, STARTED,
    WINNERS,
) = range(14)  # fmt: skip
POSITION = 14
ONE, TWO, WON, BID, VOID = range(5)  # by place, after those


@compiled
def at(position: Ints, what: int, place: int) -> int:
    """Where the position keeps something of a place."""
    return POSITION + what * position[SEATS] + place


@compiled
def look(position: Ints, place: int, left: int, needs: Ints, facts: Ints) -> None:
    """Writes into `facts` what `choose` asks for the decision of `place`; `needs` are those of all places."""
    players = position[SEATS]
    facts[PLAYERS], facts[TRUMPS], facts[SPECIALS] = players, position[TRUMP_SET], position[SPECIAL]
    facts[LEFT], facts[BEST], facts[FOLLOW] = left, position[TOP], position[SUIT]
    total = 0
    for other in range(players):
        total += max(needs[other], 0)
    facts[PRESSURE] = total - left
    facts[NEED] = needs[place]
    facts[SPOIL] = 1 if needs[place] < 0 else 0
    facts[DENY] = 1 if total >= left else 0
    after = players - 1 - position[DOWN]
    facts[AFTER] = after
    want = 0
    for suit in range(4):
        facts[AFTER_VOID + suit] = 0
    for step in range(1, after + 1):
        other = (place + step) % players
        want += 1 if needs[other] > 0 else 0
        void = position[POSITION + VOID * players + other]
        for suit in range(4):
            facts[AFTER_VOID + suit] += void >> suit & 1
    facts[AFTER_WANT] = want
    if after == 0 and facts[SPOIL] and position[TOP] >= 0:
        facts[DENY] = 1 if needs[position[TAKER]] > 0 else 0


@compiled
def put(position: Ints, place: int, kind: int) -> None:
    """Plays a kind of card for a place and, after the last of a trick, gives the trick away."""
    players = position[SEATS]
    bit = 1 << kind
    mine = POSITION + ONE * players + place
    if position[mine] & bit:
        position[mine] ^= bit
        position[REST] &= ~bit
    else:
        position[POSITION + TWO * players + place] ^= bit
        position[REST_TWO] &= ~bit
    follow = position[SUIT]
    if follow and follow != ANYTHING and bit & PLAIN and not bit & follow:
        position[POSITION + VOID * players + place] |= 1 << (follow.bit_length() - 1) // LANE
    if beats(kind, position[TOP], position[TRUMP_SET]):
        position[TOP], position[TAKER] = kind, place
    position[SUIT] = asked(kind, follow)
    position[DOWN] += 1
    position[STARTED] = 1
    if position[DOWN] == players:
        position[POSITION + WON * players + position[TAKER]] += 1
        position[WINNERS] |= 1 << position[TOP]
        position[LEADER] = position[TAKER]
        position[DOWN], position[TOP], position[TAKER], position[SUIT] = 0, -1, -1, 0


@compiled
def below(state: Ints, at: int, end: int) -> int:
    """A whole number from 0 to `end` - 1, of at most 2**31, out of a state at `state[at]` from 1 to 2**62.

    Multiply-with-carry (Marsaglia 1994), its halves mixed as in MWC64X (Thomas 2011), with the largest factor below
    2**31 that gives the longest period: nothing grows past 63 bits, where compiled whole numbers have no promise.
    """
    mixed = 2147483085 * (state[at] & 0xFFFFFFFF) + (state[at] >> 32)
    state[at] = mixed
    return ((mixed & 0xFFFFFFFF) ^ (mixed >> 32)) * end >> 32


@compiled
def missing_cell(pressure: int, worth: int, bid: int) -> int:
    """Where the tables keep the chances of seven kinds of a miss: three tricks too few or fewer, … too many or more."""
    return MISSING_AT + ((min(max(pressure, -3), 3) + 3) * STEPS + step_of(worth, bid)) * 7


@compiled
def set_up(position: Ints, players: int, cards: int, leader: int, trumps: int, duty: int, special: int) -> None:
    """Clears a position for the first card of a hand; whose cards are where comes after."""
    for index in range(POSITION + 5 * players):
        position[index] = 0
    position[SEATS], position[SIZE], position[LEADER] = players, cards, leader
    position[TOP] = position[TAKER] = -1
    position[TRUMP_SET], position[DUTY], position[SPECIAL] = trumps, duty, special


@compiled
def later_cell(players: int, cards: int, later: int, earlier: int, total: int) -> int:
    """Where `later` keeps the chances of what the `later` players' bids add up to, for 9 sums about their share.

    `earlier` have bid `total`.
    """
    over = (2 * total * players - 2 * earlier * cards + players) // (2 * players)
    over = min(max(over, -2), 2) + 2
    cell = group_of(players) * MOST_LEFT + min(cards, MOST_LEFT) - 1
    return LATER_AT + ((cell * 5 + min(later, 5) - 1) * 5 + over) * 9


@compiled
def share_of(players: int, cards: int, bidders: int) -> int:
    """The tricks that so many players win on the average, rounded."""
    return (2 * bidders * cards + players) // (2 * players)


@compiled
def table_bid(
    worth: int, players: int, cards: int, no_trump: int, earlier: int, total: int, allowed: int, hook: int,
    value: Ints, tables: Octets, points: Ints,
) -> int:  # fmt: skip
    """The bid of most expected points, of the set `allowed`, and in `points` those of every bid.

    `worth` is of the cards held; `earlier` bids add up to `total`, `hook` says that all must not add up to `cards`.
    """
    rest = players - 1 - earlier
    base = BIDDING_AT + group_of(players) * BIDDING
    best = -1
    for bid in range(cards + 1):
        sums, weights, expected = 9 if rest else 1, 0, 0
        cell = later_cell(players, cards, rest, earlier, total) if rest else 0
        low = share_of(players, cards, rest) - 4
        for index in range(sums):
            weight = tables[cell + index] if rest else 1
            pressure = total + bid + (low + index if rest else 0) - cards
            if weight == 0 or (hook and rest and pressure == 0):
                continue
            made = chance(tables, base, no_trump, cards, bid, pressure, worth)
            result = value[bid * (cards + 1) + bid] * made
            miss = missing_cell(pressure, worth, bid)
            near = min(max(bid, worth // FULL - 3), worth // FULL + 3)  # no bid, however high, wins more than that
            spread = 0
            for off in range(7):
                tricks = min(max(near + off - 3, 0), cards)
                if tricks != bid:
                    spread += tables[miss + off] * value[bid * (cards + 1) + tricks]
            result += spread * (FULL * 64 - made) // FULL
            expected += weight * result
            weights += weight
        points[bid] = expected // max(weights, 1) // (FULL * 64)
        if allowed >> bid & 1 and (best < 0 or points[bid] > points[best]):
            best = bid
    return best


@compiled
def dealt_worth(position: Ints, place: int, tables: Octets) -> int:
    """What a place's cards are worth before the first is played, in 255ths of a trick."""
    one, two = position[at(position, ONE, place)], position[at(position, TWO, place)]
    unseen = position[REST] & ~one | position[REST_TWO] & ~two
    return worth_of(one | two, unseen, position[TRUMP_SET], position[SIZE], position[SEATS], tables)


@compiled
def bid_of(
    position: Ints, worth: int, earlier: int, total: int, hook: int, value: Ints, tables: Octets, points: Ints
) -> int:
    """The bid by table on cards that are worth so much, after `earlier` bids that add up to `total`."""
    players, cards = position[SEATS], position[SIZE]
    allowed = allowed_bids(players, cards, earlier, total, hook)
    no_trump = 0 if position[TRUMP_SET] else 1
    return table_bid(worth, players, cards, no_trump, earlier, total, allowed, hook, value, tables, points)


@compiled
def allowed_bids(players: int, cards: int, earlier: int, total: int, hook: int) -> int:
    """The set of bids that the hook leaves after `earlier` ones that add up to `total`."""
    allowed = (2 << cards) - 1
    if hook and earlier == players - 1 and 0 <= cards - total <= cards:
        allowed &= ~(1 << (cards - total))
    return allowed


# What a log's entries are of: a rate, a chance to win the trick, a chance to make the bid. Each has five numbers.
LOG = 3
A_RATE, A_TRICK, A_BID, KEPT = range(4)


@compiled
def note(log: Ints, place: int, kind: int, holding: int, unseen: int, facts: Ints, tables: Octets) -> None:
    """Logs a decision: every card held, the card played if it wins so far, and what is kept."""
    players, trumps, left = facts[PLAYERS], facts[TRUMPS], facts[LEFT]
    kinds = holding
    while kinds:
        card = lowest(kinds)
        kinds &= kinds - 1
        enter(log, A_RATE, rate_cell(card, holding, unseen, trumps, left, players), card, 0, 0)
    rank = kind % LANE
    if facts[AFTER] and rank not in (JESTER, WIZARD) and beats(kind, facts[BEST], trumps):
        enter(log, A_TRICK, winning_cell(kind, unseen, trumps, facts), kind, 0, 0)
    if facts[NEED] >= 0 and left > 1:
        rate = tables[rate_cell(kind, holding, unseen, trumps, left, players)]
        kept = worth_of(holding, unseen, trumps, left, players, tables) - rate
        enter(log, KEPT, facts[NEED], place, kept, facts[PRESSURE])


@compiled
def enter(log: Ints, what: int, cell: int, key: int, more: int, last: int) -> None:
    """Writes an entry at the end of a log."""
    entry = LOG + 5 * log[0]
    log[entry], log[entry + 1], log[entry + 2], log[entry + 3], log[entry + 4] = what, cell, key, more, last
    log[0] += 1


@compiled
def settle(log: Ints, entry: int, position: Ints, left: int) -> None:
    """After a trick: turns what a place kept into its cell of `making`, and the tricks that it has to end with."""
    if log[entry] != KEPT:
        return
    place = log[entry + 2]
    lead = 1 if position[LEADER] == place else 0
    need, worth, pressure = log[entry + 1] - lead, log[entry + 3], log[entry + 4]
    log[entry] = -1
    if 0 <= need <= left:
        cell = MAKING_AT + group_of(position[SEATS]) * MAKING + making_cell(lead, left, need, pressure, worth)
        log[entry] = A_BID
        log[entry + 1] = cell
        log[entry + 3] = part_of(worth, need)
        log[entry + 4] = position[at(position, WON, place)] + need


@compiled
def take_needs(position: Ints, left: int, value: Ints, needs: Ints) -> None:
    """Writes what each place needs of the `left` tricks, the one on the table with them."""
    for place in range(position[SEATS]):
        bid, won = position[at(position, BID, place)], position[at(position, WON, place)]
        needs[place] = need_of(value, position[SIZE], bid, won, left)


@compiled
def next_card(position: Ints, left: int, tables: Octets, needs: Ints, facts: Ints, log: Ints) -> None:
    """Plays the card of whose turn it is."""
    place = (position[LEADER] + position[DOWN]) % position[SEATS]
    one, two = position[at(position, ONE, place)], position[at(position, TWO, place)]
    holding = one | two
    legal = legal_cards(
        holding, position[SUIT], position[TOP], position[TRUMP_SET], position[DUTY], position[STARTED] == 0
    )
    kind = legal.bit_length() - 1
    if legal & (legal - 1) or log[0] >= 0:
        unseen = position[REST] & ~one | position[REST_TWO] & ~two
        look(position, place, left, needs, facts)
        kind = choose(holding, legal, unseen, facts, tables)
        if log[0] >= 0:
            if below(log, 2, log[1]) == 0:
                kind = lowest(nth(legal, below(log, 2, legal.bit_count())))
            note(log, place, kind, holding, unseen, facts, tables)
    put(position, place, kind)


@compiled
def play_out(
    position: Ints,
    left: int,
    value: Ints,
    tables: Octets,
    needs: Ints,
    facts: Ints,
    log: Ints,
) -> None:
    """Plays a position to its end, `left` tricks with the one on the table.

    `needs` and `facts` are for work. `log` is [-1], or takes what `selfplay.learn` reads: its length so far, one in
    how many cards is to be played at random, the state of the random numbers, then entries.
    """
    while left > 0:
        take_needs(position, left, value, needs)
        start = log[0]
        while True:
            next_card(position, left, tables, needs, facts, log)
            if position[DOWN] == 0:
                break
        left -= 1
        for entry in range(max(start, 0), log[0]):
            settle(log, LOG + 5 * entry, position, left)
