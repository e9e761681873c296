"""Where people are signed in: browsers and apps"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("via", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=256), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=True),
        sa.Column("client_id", sa.String(length=64), nullable=True),
        sa.Column("resource", sa.String(length=2048), nullable=True),
        sa.Column("redirect_uri", sa.String(length=2048), nullable=True),
        sa.Column("challenge", sa.String(length=64), nullable=True),
        sa.Column("id_token", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("sign_ins", schema=None) as batch_op:
        batch_op.create_index("sign_ins_by_user", ["user_id"], unique=False)
        batch_op.create_index("sign_ins_by_key", ["key_id"], unique=False)
        batch_op.create_index("sign_ins_by_client", ["client_id"], unique=False)
    op.create_table(
        "sign_in_secrets",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("sign_in_id", sa.String(length=32), nullable=False),
        sa.Column("use", sa.String(length=16), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("spent_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    with op.batch_alter_table("sign_in_secrets", schema=None) as batch_op:
        batch_op.create_index("sign_in_secrets_by_sign_in", ["sign_in_id"], unique=False)
    op.create_table(
        "oauth_clients",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=256), nullable=False),
        sa.Column("redirect_uris", sa.JSON(), nullable=False),
        sa.Column("auth_method", sa.String(length=32), nullable=False),
        sa.Column("secret_digest", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.add_column(sa.Column("sign_in_id", sa.String(length=32), nullable=True))
        batch_op.create_index("tokens_by_sign_in", ["sign_in_id"], unique=False)
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.add_column(sa.Column("sign_in_id", sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.drop_column("sign_in_id")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index("tokens_by_sign_in")
        batch_op.drop_column("sign_in_id")
    op.drop_table("oauth_clients")
    op.drop_table("sign_in_secrets")
    op.drop_table("sign_ins")
