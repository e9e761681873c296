"""What a ticket is for; whose tokens and tickets are, and of which key; tokens that last as long as their session"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Tickets live for five minutes, and nothing says what those that are there were made for.
    op.execute("delete from tickets")
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.add_column(sa.Column("use", sa.String(length=16), nullable=False))
        batch_op.add_column(sa.Column("user_id", sa.String(length=64), nullable=False))
        batch_op.create_index("tickets_by_key", ["key_id"], unique=False)

    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.add_column(sa.Column("user_id", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("key_id", sa.String(length=32), nullable=True))
        batch_op.alter_column("expires_at", existing_type=sa.Double(), nullable=True)
        batch_op.create_index("tokens_by_key", ["key_id"], unique=False)
    # As their cookies and events had it.
    owner = "(select user_id from sessions where sessions.id = tokens.session_id)"
    op.execute(f"update tokens set user_id = coalesce({owner}, '')")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.alter_column("user_id", existing_type=sa.String(length=64), nullable=False)


def downgrade() -> None:
    # What lasts as long as its session cannot be said in the older schema.
    op.execute("delete from tokens where expires_at is null")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index("tokens_by_key")
        batch_op.alter_column("expires_at", existing_type=sa.Double(), nullable=False)
        batch_op.drop_column("key_id")
        batch_op.drop_column("user_id")

    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.drop_index("tickets_by_key")
        batch_op.drop_column("user_id")
        batch_op.drop_column("use")
