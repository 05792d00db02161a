"""Engines, as the app has them, on a migrated database of the test's own."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session

from scorekeeper.database import guard
from tests.store.evening import Evening


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """On SQLite and on PostgreSQL, with a connection for each of up to 200 threads."""
    # PostgreSQL takes 100 connections: threads beyond 60 wait for one.
    engine = create_engine(database_url, pool_size=60, max_overflow=0, pool_timeout=60)
    guard(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


@pytest.fixture
def evening(engine: Engine) -> Evening:
    return Evening.begin(engine)
