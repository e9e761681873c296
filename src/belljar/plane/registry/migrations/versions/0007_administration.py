"""What operators ask for: hosts that take no more, keys in use, bytes out and in, events found by who, what and when"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_EVENTS = {
    "events_by_kind": ["kind", "id"],
    "events_by_actor": ["actor", "id"],
    "events_by_user": ["user_id", "id"],
    "events_by_time": ["at"],
}


def upgrade() -> None:
    op.create_table(
        "drained_hosts",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("drained_at", sa.Double(), nullable=False),
        sa.Column("actor", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.add_column("planes", sa.Column("report", sa.JSON(), nullable=True))
    op.add_column("keys", sa.Column("last_used_at", sa.Double(), nullable=True))
    for name in ("egress_sent", "egress_received"):
        op.add_column("sessions", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("sessions_by_time", "sessions", ["created_at", "id"])
    for name, columns in _EVENTS.items():
        op.create_index(name, "events", columns)


def downgrade() -> None:
    for name in _EVENTS:
        op.drop_index(name, "events")
    op.drop_index("sessions_by_time", "sessions")
    for name in ("egress_received", "egress_sent"):
        op.drop_column("sessions", name)
    op.drop_column("keys", "last_used_at")
    op.drop_column("planes", "report")
    op.drop_table("drained_hosts")
