"""Cookies, storage state, saved contexts and downloads: what stays of pages."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from belljar.wire.base import Model


class SameSite(StrEnum):
    STRICT = "Strict"
    LAX = "Lax"
    NONE = "None"


class PartitionKey(Model):
    """The site in whose pages a partitioned cookie exists."""

    top_level_site: str = Field(examples=["https://example.com"])
    has_cross_site_ancestor: bool = False


class Cookie(Model):
    name: str
    value: str
    domain: str = Field(description="With a leading dot it also counts for what is below.")
    path: str
    expires: float = Field(description="Seconds since 1970; -1 for a cookie that ends with the browser.")
    http_only: bool
    secure: bool
    same_site: SameSite = Field(default=SameSite.LAX, description="Lax where the site did not say: how it is treated.")
    partition_key: PartitionKey | None = None


class Cookies(Model):
    cookies: list[Cookie]


class SetCookie(Model):
    """Without `url` and `domain` it is a cookie of the active tab's page."""

    name: str = Field(max_length=4096)
    value: str = Field(max_length=4096)
    url: str | None = Field(
        default=None, description="The page it is a cookie of; gives domain, path and whether it is secure."
    )
    domain: str | None = None
    path: str | None = None
    expires: float | None = Field(default=None, description="Seconds since 1970; absent or -1 for the browser's life.")
    http_only: bool | None = None
    secure: bool | None = None
    same_site: SameSite | None = None
    partition_key: PartitionKey | None = None


class SetCookies(Model):
    cookies: list[SetCookie] = Field(max_length=5_000)


class DeletedCookies(Model):
    ok: bool = True
    deleted: int


class StoredItem(Model):
    name: str
    value: str


class StoredDatabase(Model):
    """An IndexedDB database.  Values that JSON does not have are marked: `{"$date": …}`, `{"$bytes": …}`."""

    name: str
    version: int
    stores: list[dict[str, Any]]


class OriginState(Model):
    origin: str = Field(examples=["https://example.com"])
    local_storage: list[StoredItem] = []
    indexed_db: list[StoredDatabase] = Field(default=[], alias="indexedDB")


class StorageState(Model):
    cookies: list[Cookie]
    origins: list[OriginState]
    skipped: list[str] | None = Field(
        default=None,
        description="What could not be taken along: origins that did not answer, values that have no JSON form.",
    )


class RestoreState(Model):
    """As `StorageState`, or what Playwright's `storageState` writes."""

    cookies: list[SetCookie] = Field(default=[], max_length=5_000)
    origins: list[OriginState] = Field(default=[], max_length=200)


class Restored(Model):
    ok: bool = True
    cookies: int
    origins: int
    skipped: list[str] | None = None


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


class DownloadState(StrEnum):
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELED = "canceled"  # by the page, the network, or us: `reason` says when it was us


class DownloadInfo(Model):
    id: str
    url: str
    name: str = Field(description="What the page or server called the file; a suggestion, not to be trusted.")
    state: DownloadState
    received_bytes: int
    total_bytes: int | None = None
    reason: str | None = None
    started_at: str


class DownloadList(Model):
    downloads: list[DownloadInfo]
