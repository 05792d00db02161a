"""Runs migrations on the app's database: all of them or none, one process at a time."""

from alembic import context
from flask import current_app
from sqlalchemy import Connection, text

MIGRATING = 0x5C0BE  # any number that only this app's migrations lock


def run() -> None:
    migrate = current_app.extensions["migrate"]
    with migrate.db.engine.connect().execution_options(write=True) as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # Changing a table makes it anew and drops the old one: with foreign keys on, that would reach into other
            # tables. The switch is dead inside a transaction, and SQLAlchemy's own execute() would begin one.
            connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
        try:
            context.configure(
                connection=connection,
                target_metadata=migrate.db.metadata,
                transactional_ddl=True,
                **migrate.configure_args,
            )
            with context.begin_transaction():
                if not sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": MIGRATING})
                context.run_migrations()
                if sqlite:
                    _check_references(connection)
        finally:
            if sqlite:
                connection.connection.cursor().execute("PRAGMA foreign_keys=ON")


def _check_references(connection: Connection) -> None:
    """Raises, and with that takes the migration back, if a row points to one that is not there."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise RuntimeError(f"the migration would leave {len(broken)} rows without the row they belong to: {broken[:5]}")


run()
