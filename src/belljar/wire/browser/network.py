"""The requests a tab made."""

from datetime import datetime

from pydantic import Field

from belljar.wire.base import Model


class NetworkQuery(Model):
    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    url_pattern: str | None = Field(None, max_length=1_000, description="Only addresses with a match (RE2's syntax).")
    limit: int = Field(100, ge=1, le=1_000, description="The last so many.")
    since: int = Field(0, ge=0, description="Only what came or changed after this cursor.")
    follow: bool = Field(False, description="Answer with an event stream.")


class NetworkRequest(Model):
    id: str
    url: str
    method: str
    type: str = Field(examples=["document"], description="document, script, image, fetch, xhr, websocket, …")
    status: int = Field(description="0 while it runs and when it failed.")
    mime_type: str
    response_size: int = Field(description="Bytes on the wire, the response's headers among them.")
    decoded_size: int = Field(description="Bytes of the body after decompression.")
    duration: float = Field(description="Milliseconds; 0 while it runs.")
    timestamp: datetime
    error: str | None = Field(None, examples=["ERR_CONNECTION_REFUSED"], description="Why it failed.")
    pending: bool | None = Field(None, description="True while it runs.")
    from_cache: bool | None = Field(None, description="True when nothing was fetched.")


class NetworkRequests(Model):
    """In the order they last changed."""

    requests: list[NetworkRequest]
    cursor: int = Field(description="Give it as `since` to get only what came or changed after this answer.")
