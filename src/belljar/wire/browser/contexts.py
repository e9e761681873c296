"""Saved contexts: profiles with their cookies and storage."""

from pydantic import Field

from belljar.wire.base import Model


class CreateContext(Model):
    name: str = Field(min_length=1, max_length=200)
    copy_of: str | None = Field(None, description="A context whose profile to begin with.")


class ContextInfo(Model):
    id: str
    name: str
    created_at: str
    size_bytes: int
    in_use: bool = Field(description="Whether the running browser uses it.")


class ContextList(Model):
    contexts: list[ContextInfo]
