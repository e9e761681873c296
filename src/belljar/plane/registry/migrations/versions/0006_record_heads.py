"""Heads of sessions' records, and how far their marks were told"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "record_heads",
        sa.Column("session_id", sa.String(length=48), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("chain", sa.String(length=64), nullable=True),
        sa.Column("t", sa.BigInteger(), nullable=True),
        sa.Column("key", sa.String(length=32), nullable=True),
        sa.Column("signature", sa.String(length=128), nullable=True),
        sa.Column("noted_at", sa.Double(), nullable=True),
        sa.Column("told", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id"),
    )


def downgrade() -> None:
    op.drop_table("record_heads")
