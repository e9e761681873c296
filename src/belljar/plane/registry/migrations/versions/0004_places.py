"""Where boxes are, apart from the host that a control plane runs on; what control planes must agree on"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("boxes", "sessions", "planes"):
        op.add_column(table, sa.Column("place", sa.String(length=255), nullable=True))
        # So far every box was its host's.
        op.execute(f"update {table} set place = host")
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.alter_column("place", existing_type=sa.String(length=255), nullable=False)
    op.add_column("planes", sa.Column("protocol", sa.Integer(), nullable=True))
    op.execute("update planes set protocol = 1")
    with op.batch_alter_table("planes", schema=None) as batch_op:
        batch_op.alter_column("protocol", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("boxes", schema=None) as batch_op:
        batch_op.drop_index("boxes_by_host")
        batch_op.create_index("boxes_by_place", ["place"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("boxes", schema=None) as batch_op:
        batch_op.drop_index("boxes_by_place")
        batch_op.create_index("boxes_by_host", ["host"], unique=False)
    op.drop_column("planes", "protocol")
    for table in ("boxes", "sessions", "planes"):
        op.drop_column(table, "place")
