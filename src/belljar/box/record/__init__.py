"""One log of what happened in a box: a bus in memory, a writer to disk, and calls of the API as they pass."""

from belljar.box.record.bus import Bus
from belljar.box.record.writer import Record, open_record

__all__ = ["Bus", "Record", "open_record"]
