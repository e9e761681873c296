"""The record's proof and what it can be had as: its key, its heads, its exports."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class ExportFormat(StrEnum):
    JSONL = "jsonl"  # events, one a line, as they are on disk
    HAR = "har"  # requests, for tools that read HTTP archives
    PLAYWRIGHT = "playwright"  # a trace for Playwright's viewer
    MARKDOWN = "markdown"  # the run, told so that it can be repeated
    ZIP = "zip"  # everything: segments, heads, key, pictures, films; what `belljar events verify` reads


class RecordHead(Model):
    """Where the record stood at `t`, signed: the chain of its last event."""

    seq: int
    chain: str
    t: int = Field(description="Microseconds since 1970.")
    key: str = Field(description="The first 16 digits of SHA-256 over the public key.")
    signature: str = Field(description="Ed25519 over `belljar-head-1 <seq> <chain> <t>`, in base64.")


class RecordKey(Model):
    """The public half of the key that signs heads."""

    id: str
    algorithm: str = "ed25519"
    public_key: str = Field(description="In base64.")
    box: str | None = Field(None, description="Whose it is; none of an installation's own.")
    certificate: str | None = Field(
        None, description="An installation's signature over `belljar-box-key-1 <box> <publicKey>`, in base64."
    )


class SessionRecordProof(Model):
    """Who vouches for a session's record, and its last head as the database has it, which its host cannot change."""

    installation: RecordKey
    key: RecordKey
    head: RecordHead | None = None


class RecordProof(Model):
    """The key, and the last head that was signed; none before something was written."""

    key: RecordKey
    head: RecordHead | None = None
