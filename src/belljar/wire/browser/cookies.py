"""Cookies."""

from enum import StrEnum

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
