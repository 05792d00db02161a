"""The tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "book",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book")),
    )
    op.create_index(
        "uq_book_house",
        "book",
        ["house"],
        unique=True,
        sqlite_where=sa.text("house"),
        postgresql_where=sa.text("house"),
    )
    op.create_table(
        "phone",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phone")),
        sa.UniqueConstraint("hash", name=op.f("uq_phone_hash")),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=10), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("preset", sa.String(), nullable=True),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("first_seats", sa.Integer(), nullable=False),
        sa.Column("first_dealer", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        sa.Column("started", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_game_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name=op.f("fk_game_book_id")),
        sa.ForeignKeyConstraint(["next_game_id"], ["game.id"], name=op.f("fk_game_next_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("book_id", "key", name=op.f("uq_game_book_id_key")),
        sa.UniqueConstraint("code", name=op.f("uq_game_code")),
        sa.UniqueConstraint("next_game_id", name=op.f("uq_game_next_game_id")),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name=op.f("fk_invitation_book_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("hash", name=op.f("uq_invitation_hash")),
    )
    op.create_index(op.f("ix_invitation_book_id"), "invitation", ["book_id"])
    op.create_table(
        "pen",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("phone_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name=op.f("fk_pen_book_id")),
        sa.ForeignKeyConstraint(["phone_id"], ["phone.id"], name=op.f("fk_pen_phone_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pen")),
        sa.UniqueConstraint("book_id", "phone_id", name=op.f("uq_pen_book_id_phone_id")),
    )
    op.create_index(op.f("ix_pen_phone_id"), "pen", ["phone_id"])
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name=op.f("fk_player_book_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("book_id", "folded", name=op.f("uq_player_book_id_folded")),
    )
    op.create_table(
        "entry",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("phone_id", sa.Integer(), nullable=True),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_entry_game_id")),
        sa.ForeignKeyConstraint(["phone_id"], ["phone.id"], name=op.f("fk_entry_phone_id")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entry")),
        sa.UniqueConstraint("game_id", "key", name=op.f("uq_entry_game_id_key")),
    )
    op.create_index(op.f("ix_entry_phone_id"), "entry", ["phone_id"])
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "player_id", name=op.f("uq_seat_game_id_player_id")),
    )
    op.create_index(op.f("ix_seat_player_id"), "seat", ["player_id"])
    op.create_table(
        "line",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("bid", sa.Integer(), nullable=True),
        sa.Column("tricks", sa.Integer(), nullable=True),
        sa.Column("points_doubled", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"], name=op.f("fk_line_game_id_seat")),
        sa.PrimaryKeyConstraint("game_id", "hand", "seat", name=op.f("pk_line")),
    )
    op.create_table(
        "result",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("total_doubled", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seat.game_id", "seat.seat"], name=op.f("fk_result_game_id_seat")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_result")),
    )


def downgrade() -> None:
    for table in ("result", "line", "seat", "entry", "player", "pen", "invitation", "game", "phone", "book"):
        op.drop_table(table)
