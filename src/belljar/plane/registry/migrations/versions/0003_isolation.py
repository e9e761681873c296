"""What keeps a session's programs in"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("isolation", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("sessions", "isolation")
