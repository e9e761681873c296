"""The first schema"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "boxes",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("plane_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=255), nullable=False),
        sa.Column("handle", sa.JSON(), nullable=True),
        sa.Column("session_id", sa.String(length=48), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("boxes", schema=None) as batch_op:
        batch_op.create_index("boxes_by_host", ["host"], unique=False)

    op.create_table(
        "events",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=48), nullable=True),
        sa.Column("user_id", sa.String(length=64), nullable=True),
        sa.Column("actor", sa.String(length=128), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("events_by_session", ["session_id", "id"], unique=False)

    op.create_table(
        "installation", sa.Column("id", sa.String(length=32), nullable=False), sa.PrimaryKeyConstraint("id")
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("max_sessions", sa.Integer(), nullable=True),
        sa.Column("max_ttl", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "planes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("peer_url", sa.String(length=2048), nullable=True),
        sa.Column("process", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "profiles",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("session_id", sa.String(length=48), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("profiles", schema=None) as batch_op:
        batch_op.create_index("profiles_by_user", ["user_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("box_id", sa.String(length=48), nullable=True),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("plane_id", sa.String(length=32), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("idempotency_digest", sa.String(length=64), nullable=True),
        sa.Column("profile_id", sa.String(length=48), nullable=True),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("moved_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("idle_timeout", sa.Integer(), nullable=False),
        sa.Column("last_activity", sa.Double(), nullable=True),
        sa.Column("peak_memory", sa.BigInteger(), nullable=False),
        sa.Column("cpu_seconds", sa.Double(), nullable=False),
        sa.Column("egress_bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "idempotency_key", name="sessions_by_idempotency_key"),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index("sessions_by_state", ["state"], unique=False)
        batch_op.create_index("sessions_by_user", ["user_id", "created_at"], unique=False)

    op.create_table(
        "tickets",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("session_id", sa.String(length=48), nullable=True),
        sa.Column("key_id", sa.String(length=32), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("token_id", sa.String(length=32), nullable=True),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("spent_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.create_index("tickets_by_session", ["session_id"], unique=False)

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=48), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("note", sa.String(length=256), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index("tokens_by_session", ["session_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index("tokens_by_session")

    op.drop_table("tokens")
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.drop_index("tickets_by_session")

    op.drop_table("tickets")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index("sessions_by_user")
        batch_op.drop_index("sessions_by_state")

    op.drop_table("sessions")
    with op.batch_alter_table("profiles", schema=None) as batch_op:
        batch_op.drop_index("profiles_by_user")

    op.drop_table("profiles")
    op.drop_table("planes")
    op.drop_table("keys")
    op.drop_table("installation")
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.drop_index("events_by_session")

    op.drop_table("events")
    with op.batch_alter_table("boxes", schema=None) as batch_op:
        batch_op.drop_index("boxes_by_host")

    op.drop_table("boxes")
