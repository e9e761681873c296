"""What a profile knows, to take along: cookies, local storage and IndexedDB."""

from typing import Any

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.cookies import Cookie, SetCookie


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
