"""The same bots with numba and without: run side by side in two interpreters."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = sys.modules["numpy"] = None
from scorekeeper.engine import bots, compiled, play, selfplay, simulate
from scorekeeper.engine.catalog import presets

assert compiled.AVAILABLE == (sys.argv[1] == "compiled")
bots.PLAYOUTS, bots.CARDS = 20, 10_000
results = []
for players, cards, more in (
    (4, 10, {}), (3, 17, {"trump": selfplay.NO_TRUMP, "hook": False}), (5, 4, {"duty": play.MUST_TRUMP}),
    (6, 10, {"pack": selfplay.WIZARD_PACK, "trump": selfplay.ANY_TRUMP}), (2, 20, {}),
):
    bids, tricks = selfplay.self_play(players, cards, 20, 7, **more)
    results.append([[int(bid) for bid in bids], [int(won) for won in tricks]])
for preset in ("oh_hell_hook", "wizard", "pocha", "stiche_raten"):
    rules = presets()[preset].rules
    players = rules.players[1]
    names = ["montecarlo", "table"] + ["table"] * (players - 2)
    results.append([str(total) for total in simulate.play_game(rules, players, names, "1").totals.values()])
print(json.dumps(results))
"""


def test_compiled_bots_play_as_plain_ones_do() -> None:
    results = [
        json.loads(subprocess.run([sys.executable, "-c", PROGRAM, how], check=True, capture_output=True).stdout)
        for how in ("plain", "compiled")
    ]

    assert results[0] == results[1]
    assert len(results[0]) == 9
