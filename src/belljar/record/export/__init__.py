"""What a record can be had as.  Each is made as it is sent: no export is ever whole in memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from belljar.record.export.archive import RecordSource, jsonl, zip_archive
from belljar.record.export.har import har
from belljar.record.export.markdown import markdown
from belljar.record.export.playwright import trace
from belljar.wire.record import ExportFormat

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
    if format is ExportFormat.HAR:
        return Export("application/json", f"{name}.har", har(source.events(), source.events()))
    if format is ExportFormat.PLAYWRIGHT:
        return Export("application/zip", f"{name}-trace.zip", trace(source))
    if format is ExportFormat.MARKDOWN:
        return Export("text/markdown; charset=utf-8", f"{name}.md", markdown(source))
    return Export("application/zip", f"{name}.zip", zip_archive(source))
