"""Who plays hands at random: the engine's kernel, and open_spiel (PyPI, extra `bench`) in the two ways from Python."""

import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from random import Random

from scorekeeper.engine.cards import as_set, pack_of
from scorekeeper.engine.kernel import TURN_UP, random_hands, random_play
from scorekeeper.engine.rules import SUITS, Rules

SPIEL = find_spec("pyspiel") is not None
SIMULATIONS, ROLLOUTS = 20, 50  # of a search by open_spiel: a thousand hands
FIRST_BID = 52  # open_spiel's actions below it are cards
PACK = pack_of(Rules(), 4)

Play = Callable[[], int]  # plays some hands, and says how many
Contender = Callable[[int], Play]  # gets ready for a round of this number


def our_play(players: int, cards: int, hands: int, *, portable: bool = False, threads: int = 1) -> Contender:
    """One deal of the round, played again and again."""

    def ready(number: int) -> Play:
        deal = random_hands(PACK, players, cards, "NT", 1, number, record=True).deals[0]
        holdings = [as_set(deal[place::players]) for place in range(players)]
        trump = SUITS[number % len(SUITS)]

        def play() -> int:
            random_play(holdings, trump, hands, number, portable=portable, threads=threads)
            return hands

        return play

    return ready


def our_hands(players: int, cards: int, hands: int, *, portable: bool = False, threads: int = 1) -> Contender:
    """Whole hands: dealt, trump turned up, played."""

    def ready(number: int) -> Play:
        def play() -> int:
            random_hands(PACK, players, cards, TURN_UP, hands, number, portable=portable, threads=threads)
            return hands

        return play

    return ready


def spiel_search(players: int, cards: int) -> Contender:
    """One deal of the round with random bids, from whose first lead open_spiel's search rolls out."""
    import pyspiel

    game = pyspiel.load_game(_game(players, cards))

    def ready(number: int) -> Play:
        rng, state = Random(number), game.new_initial_state()
        while state.is_chance_node() or state.legal_actions()[0] >= FIRST_BID:
            state.apply_action(rng.choice(state.legal_actions()))
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, number)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 100, False, number, False)

        def play() -> int:
            bot.mcts_search(state)
            return SIMULATIONS * ROLLOUTS

        return play

    return ready


def spiel_loop(players: int, cards: int, hands: int) -> Contender:
    """Whole hands card by card from Python: dealt, bid and played."""
    import pyspiel

    game = pyspiel.load_game(_game(players, cards))

    def ready(number: int) -> Play:
        choice = Random(number).choice

        def play() -> int:
            for _ in range(hands):
                state = game.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(choice(state.legal_actions()))
            return hands

        return play

    return ready


def _game(players: int, cards: int) -> str:
    return f"oh_hell(players={players},num_tricks_fixed={cards})"


def rates(
    contenders: Mapping[str, Contender], rounds: int, seconds: float, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """Hands a second in every round, in each of which the contenders take turns for `seconds` by the clock."""
    measured: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name, ready in contenders.items():
            play = ready(number)
            play()  # whatever is done once is done now
            hands, start = 0, clock()
            while (used := clock() - start) < seconds:
                hands += play()
            measured[name].append(hands / used)
    return measured
