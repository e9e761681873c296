"""The tables.  Times are seconds since 1970, the same on both databases."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# One row: which installation this database belongs to, so that its boxes can be told from another's.
installation = Table("installation", metadata, Column("id", String(32), primary_key=True))

# Control planes that run, or did until they stopped saying so.
planes = Table(
    "planes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("host", String(255), nullable=False),
    # Where its launcher makes boxes: control planes of one place can reach and remove each other's.
    Column("place", String(255), nullable=False),
    # What it does with these tables; others beside it must do the same.
    Column("protocol", Integer, nullable=False),
    Column("peer_url", String(2048)),
    Column("process", JSON, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
    # What it said of its host when it was last seen: room, warm boxes.
    Column("report", JSON),
)

# Hosts that take no more sessions, by the name that their control planes have for them: there whether these run or not.
drained_hosts = Table(
    "drained_hosts",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("drained_at", Double, nullable=False),
    Column("actor", String(128), nullable=False),
)

# Boxes that exist, or may: a row is written before its box is made and removed after the box is gone.
boxes = Table(
    "boxes",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("place", String(255), nullable=False),
    Column("plane_id", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("kind", String(255), nullable=False),
    Column("handle", JSON),
    Column("session_id", String(48)),
    Column("created_at", Double, nullable=False),
    Index("boxes_by_place", "place"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", String(16)),
    Column("detail", Text),
    Column("box_id", String(48)),
    Column("host", String(255), nullable=False),
    Column("place", String(255), nullable=False),
    Column("plane_id", String(32), nullable=False),
    Column("spec", JSON, nullable=False),
    Column("tags", JSON, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("idempotency_key", String(255)),
    Column("idempotency_digest", String(64)),
    Column("profile_id", String(48)),
    Column("revoked", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("moved_at", Double, nullable=False),
    Column("started_at", Double),
    Column("ended_at", Double),
    Column("expires_at", Double, nullable=False),
    Column("idle_timeout", Integer, nullable=False),
    Column("last_activity", Double),
    Column("peak_memory", BigInteger, nullable=False),
    Column("cpu_seconds", Double, nullable=False),
    Column("egress_bytes", BigInteger, nullable=False),
    # Of those, this much out and this much in; 0 in rows of versions that did not tell them apart.
    Column("egress_sent", BigInteger, nullable=False, server_default="0"),
    Column("egress_received", BigInteger, nullable=False, server_default="0"),
    # What keeps its programs in, as its box said; none before it runs.
    Column("isolation", JSON),
    UniqueConstraint("user_id", "idempotency_key", name="sessions_by_idempotency_key"),
    Index("sessions_by_state", "state"),
    Index("sessions_by_user", "user_id", "created_at"),
    Index("sessions_by_time", "created_at", "id"),
)

keys = Table(
    "keys",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("name", String(128), nullable=False),
    Column("role", String(16), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("max_sessions", Integer),
    Column("max_ttl", Integer),
    Column("created_at", Double, nullable=False),
    Column("revoked_at", Double),
    # Written now and then, not with each use.
    Column("last_used_at", Double),
)

# Session tokens are signed, not stored: a row lets one be listed and revoked.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("session_id", String(48), nullable=False),
    # Who it stands for, and the key that it goes back to: revoked with that one.
    Column("user_id", String(64), nullable=False),
    Column("key_id", String(32)),
    Column("role", String(16), nullable=False),
    Column("note", String(256), nullable=False),
    # The token a person signed in with to get this one; revoked with it.
    Column("parent_id", String(32)),
    # The sign-in, of a browser or an app, that this one ends with.
    Column("sign_in_id", String(32)),
    Column("created_at", Double, nullable=False),
    # None: as long as its session, however often that is extended.
    Column("expires_at", Double),
    Column("revoked_at", Double),
    Index("tokens_by_session", "session_id"),
    Index("tokens_by_key", "key_id"),
    Index("tokens_by_sign_in", "sign_in_id"),
)

# Good once, for one use.  They go with the key and the token that they were made with.
tickets = Table(
    "tickets",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("use", String(16), nullable=False),
    Column("session_id", String(48)),
    Column("user_id", String(64), nullable=False),
    Column("key_id", String(32)),
    Column("role", String(16), nullable=False),
    Column("token_id", String(32)),
    Column("sign_in_id", String(32)),
    Column("expires_at", Double, nullable=False),
    Column("spent_at", Double),
    Index("tickets_by_session", "session_id"),
    Index("tickets_by_key", "key_id"),
)

# Where a person is signed in: browsers, and apps that act for them.  Each goes back to a key and ends with it.
sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("user_id", String(64), nullable=False),
    Column("key_id", String(32), nullable=False),
    # How a browser came in: by a link, a key or a provider.
    Column("via", String(16), nullable=False),
    # The app's name, or what the browser calls itself; and the address that it came from.
    Column("name", String(256), nullable=False),
    Column("address", String(64), nullable=False),
    # Of an app: what it may do, which one it is, for which resource, and what its code was asked for with.
    Column("role", String(16)),
    Column("client_id", String(64)),
    Column("resource", String(2048)),
    Column("redirect_uri", String(2048)),
    Column("challenge", String(64)),
    # Of a browser that a provider signed in: by which the provider knows what to end.
    Column("id_token", Text),
    Column("created_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("revoked_at", Double),
    Index("sign_ins_by_user", "user_id"),
    Index("sign_ins_by_key", "key_id"),
    Index("sign_ins_by_client", "client_id"),
)

# What a sign-in is shown by: a browser's cookie; an app's code, access and refresh tokens.  A spent one is kept until
# its time has passed, so that it is known again.
sign_in_secrets = Table(
    "sign_in_secrets",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("sign_in_id", String(32), nullable=False),
    Column("use", String(16), nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("spent_at", Double),
    Index("sign_in_secrets_by_sign_in", "sign_in_id"),
)

# Apps that registered themselves for `/mcp`.
oauth_clients = Table(
    "oauth_clients",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(256), nullable=False),
    Column("redirect_uris", JSON, nullable=False),
    Column("auth_method", String(32), nullable=False),
    Column("secret_digest", String(64)),
    Column("created_at", Double, nullable=False),
    # When somebody last let it in.
    Column("used_at", Double),
    # Who registered it; nobody's, where that was before it was written down.
    Column("address", String(64)),
)

# The audit log, and what a session's event stream is read from.
events = Table(
    "events",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("kind", String(64), nullable=False),
    Column("session_id", String(48)),
    Column("user_id", String(64)),
    Column("actor", String(128), nullable=False),
    Column("detail", JSON, nullable=False),
    Index("events_by_session", "session_id", "id"),
    Index("events_by_kind", "kind", "id"),
    Index("events_by_actor", "actor", "id"),
    Index("events_by_user", "user_id", "id"),
    Index("events_by_time", "at"),
    sqlite_autoincrement=True,
)

profiles = Table(
    "profiles",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("name", String(128), nullable=False),
    Column("host", String(255), nullable=False),
    Column("session_id", String(48)),
    Column("created_at", Double, nullable=False),
    Index("profiles_by_user", "user_id"),
)

# Where the operator wants to be told of sessions.  Their secrets are derived from the master key, not stored.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("url", String(2048), nullable=False),
    Column("name", String(128), nullable=False),
    # With a comma before, between and after them, so that one can be looked for in either database.
    Column("kinds", Text, nullable=False),
    # Which of its secrets it has now; for a while after a change the one before signs too.
    Column("secret_number", Integer, nullable=False),
    Column("rotated_at", Double),
    Column("created_at", Double, nullable=False),
    Column("disabled_at", Double),
)

# One for each webhook and event, written with that event.  Whoever sends one moves `due_at` first, so that nobody else
# does meanwhile.
webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("webhook_id", String(32), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("session_id", String(48)),
    Column("body", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Double, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("finished_at", Double),
    Column("status", Integer),
    Column("error", String(256)),
    Index("deliveries_by_state", "state", "webhook_id", "due_at"),
    Index("deliveries_by_webhook", "webhook_id", "created_at"),
)

# The last head of each session's record, as its box signed it; none where only marks were told yet.
record_heads = Table(
    "record_heads",
    metadata,
    Column("session_id", String(48), primary_key=True),
    Column("seq", BigInteger),
    Column("chain", String(64)),
    Column("t", BigInteger),
    Column("key", String(32)),
    Column("signature", String(128)),
    Column("noted_at", Double),
    # Up to which event webhooks were told of marks and questions.
    Column("told", BigInteger, nullable=False),
)
