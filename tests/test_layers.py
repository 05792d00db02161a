"""engine <- models <- store <- web, serving <- bench, playing, simulating, cli: nothing imports to its right."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "scorekeeper"
LAYERS = [
    {"engine", "names"},
    {"models", "backups"},
    {"database"},
    {"pens", "projection"},
    {"store"},
    {"books"},
    {"calls"},
    {"web", "serving"},
    {"bench", "playing", "simulating"},
    {"cli"},
]
WIRING = {"__init__", "__main__", "migrations", "translations"}
FOLDERS = {"ASSETS", "PACKAGE"}
MODULES = sorted({path.stem for path in PACKAGE.iterdir() if not path.stem.startswith("__pyc")} - WIRING)


def left_of(layer: str) -> set[str]:
    """Everything that a layer may import, where our files are among it; `serving` and `bench` also start the app."""
    place = next(place for place, names in enumerate(LAYERS) if layer in names)
    wiring = {"create_app"} if layer in {"serving", "bench"} else set()
    return {layer, *FOLDERS}.union(wiring, *LAYERS[:place])


def imported(path: Path) -> set[str]:
    """The names directly under `scorekeeper` that a module imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("scorekeeper.")}


@pytest.mark.parametrize("layer", MODULES)
def test_nothing_imports_to_its_right(layer: str) -> None:
    modules = [*PACKAGE.glob(f"{layer}.py"), *PACKAGE.glob(f"{layer}/**/*.py")]

    wrong = {str(path.relative_to(PACKAGE)): imported(path) - left_of(layer) for path in modules}

    assert {path: names for path, names in wrong.items() if names} == {}
