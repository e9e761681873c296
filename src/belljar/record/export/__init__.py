"""What a record can be had as.  Each is made as it is sent: no export is ever whole in memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from belljar.record.export.archive import RecordSource, jsonl, zip_archive
from belljar.wire.record_export import ExportFormat

__all__ = ["Export", "RecordSource", "export"]


@dataclass(frozen=True)
class Export:
    media_type: str
    # What a browser would save it as.
    name: str
    # Blocks as it reads.
    pieces: Iterator[bytes]

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Content-Disposition": f'attachment; filename="{self.name}"',
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }


def export(source: RecordSource, format: ExportFormat, name: str = "record") -> Export:
    if format is ExportFormat.JSONL:
        return Export("application/jsonl", f"{name}.jsonl", jsonl(source))
    return Export("application/zip", f"{name}.zip", zip_archive(source))
