"""Problems of the box's files."""

from belljar.problems.base import REFERENCE, Problem


class PathDenied(Problem):
    """The path is in no folder that callers may use, or nothing may be written there."""

    status, code, title = 403, "permission_denied", "Permission Denied"
    namespace = REFERENCE


class RangeNotSatisfiable(Problem):
    """The file has no such bytes; `Content-Range` says how many it has."""

    status, code, title = 416, "range_not_satisfiable", "Range Not Satisfiable"

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The file has {size} bytes; the range begins behind them.", headers={"Content-Range": f"bytes */{size}"}
        )


class DiskFull(Problem):
    """There is no room left for what was to be written; nothing of it stays."""

    status, code, title = 507, "disk_full", "Disk Full"

    def __init__(self) -> None:
        super().__init__("The box's disk is full, or at its limit: delete something first.")
