"""Compiled code beside the same code in Python."""

import sys
from importlib import import_module
from types import ModuleType
from unittest import mock

from scorekeeper import engine

# What may be compiled, and the modules that it is made of.
COMPILED = ("compiled", "bits", "machine", "kernel")


def without_numba(name: str) -> ModuleType:
    """A module of the engine as it is where numba is not installed, beside the one that the process has."""
    before = {one: getattr(engine, one) for one in COMPILED if hasattr(engine, one)}
    with mock.patch.dict(sys.modules, {"numba": None}):
        for one in COMPILED:
            sys.modules.pop(f"scorekeeper.engine.{one}", None)
        module = import_module(f"scorekeeper.engine.{name}")
    for one in COMPILED:
        if one in before:
            setattr(engine, one, before[one])
        elif hasattr(engine, one):
            delattr(engine, one)
    return module
