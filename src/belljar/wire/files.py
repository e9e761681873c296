"""The box's files, as `sandbox-agent`'s clients know them."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class FsEntryType(StrEnum):
    FILE = "file"
    DIRECTORY = "directory"


class FsStat(Model):
    path: str
    entry_type: FsEntryType = Field(description="`file` for everything that is no directory, links included.")
    size: int
    modified: str | None = None


class FsEntry(FsStat):
    name: str


class FsAction(Model):
    path: str


class FsWrite(Model):
    path: str
    bytes_written: int


class FsMove(Model):
    from_: str = Field(alias="from", description="What is to be moved.")
    to: str = Field(description="Its new path, its name included.")
    overwrite: bool | None = Field(None, description="Replace what is there.")


class FsMoved(Model):
    from_: str = Field(alias="from")
    to: str


class FsUploadBatch(Model):
    paths: list[str] = Field(description="What was unpacked, in the archive's order.")
    truncated: bool = Field(description="Whether `paths` was cut; everything was unpacked all the same.")
