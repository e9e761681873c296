"""Problems of a box's other parts: desktop, network policy, files, live sessions."""

from belljar.problems.base import REFERENCE, Problem


class DesktopProblem(Problem):
    """What the desktop's problems share: the reference's names."""

    namespace = REFERENCE


class DesktopInactive(DesktopProblem):
    """The desktop is not running, or there is no display to work on."""

    status, code, title = 409, "desktop_runtime_inactive", "Desktop Runtime Inactive"


class DesktopDependenciesMissing(DesktopProblem):
    """Programs are missing on this host; `missingDependencies` names them, `installCommand` brings them."""

    status, code, title = 503, "desktop_dependencies_missing", "Desktop Dependencies Missing"


class DesktopFailed(DesktopProblem):
    """The desktop could not be started, or its display died and is not back yet; `processes` says what runs."""

    status, code, title = 503, "desktop_runtime_failed", "Desktop Runtime Failed"


class DesktopInvalidAction(DesktopProblem):
    """An argument is out of range: a coordinate outside the screen, a key that does not exist."""

    status, code, title = 400, "desktop_invalid_action", "Desktop Invalid Action"


class DesktopScreenshotFailed(DesktopProblem):
    """The screen could not be read or the picture not be made."""

    status, code, title = 502, "desktop_screenshot_failed", "Desktop Screenshot Failed"


class DesktopInputFailed(DesktopProblem):
    """The X server did not take the input; `processes` says what runs."""

    status, code, title = 502, "desktop_input_failed", "Desktop Input Failed"


class ClipboardFailed(DesktopProblem):
    """The selection's owner did not hand its content over, or what was given is no PNG."""

    status, code, title = 500, "clipboard_failed", "Clipboard Failed"


class WindowNotFound(DesktopProblem):
    """No window has this id."""

    status, code, title = 404, "window_not_found", "Window Not Found"


class NoFocusedWindow(DesktopProblem):
    """No window has the focus."""

    status, code, title = 404, "no_focused_window", "No Focused Window"


class AppNotFound(DesktopProblem):
    """The program to launch is not there."""

    status, code, title = 404, "app_not_found", "App Not Found"


class AppExited(DesktopProblem):
    """The program that was launched ended at once; `exitCode` and `output` say how."""

    status, code, title = 502, "app_exited", "App Exited"


class EgressDenied(Problem):
    """The network policy does not let this box reach that host."""

    status, code, title = 403, "egress_denied", "Egress Denied"

    def __init__(self, host: str, port: int, rule: str, reason: str) -> None:
        super().__init__(f"The network policy does not allow {host}:{port}: {reason}.", host=host, port=port, rule=rule)


class AddressDenied(Problem):
    """An address of a kind that may not be opened: the browser's own pages, files outside the box's folders."""

    status, code, title = 403, "address_denied", "Address Denied"

    def __init__(self, scheme: str, reason: str) -> None:
        super().__init__(f"This {scheme} address is not allowed: {reason}.", rule=scheme)


class PolicyInvalid(Problem):
    """The policy cannot be read; nothing of it was applied."""

    status, code, title = 422, "policy_invalid", "Policy Invalid"

    def __init__(self, reason: str, line: int | None) -> None:
        super().__init__(f"The policy is refused: {reason}.", line=line)


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


class ControlHeld(Problem):
    """Somebody else holds control; `holder` says who, `retryAfterMs` when it ends at the latest if nobody renews it."""

    status, code, title = 409, "control_held", "Control Held"


class ViewerNotFound(Problem):
    """No viewer of this id is connected, or it may only watch."""

    status, code, title = 404, "viewer_not_found", "Viewer Not Found"


class RateLimited(Problem):
    """More input or commands than this connection may send; `retryAfterMs` says when it may again."""

    status, code, title = 429, "rate_limited", "Rate Limited"


class TooManyViewers(Problem):
    """As many viewers are connected as `--max-viewers` allows."""

    status, code, title = 429, "too_many_viewers", "Too Many Viewers"


class MessageRefused(Problem):
    """A message on the live socket that cannot be understood; nothing of it was done."""

    status, code, title = 400, "message_refused", "Message Refused"


class UnknownMethod(Problem):
    """No command has this method."""

    status, code, title = 404, "unknown_method", "Unknown Method"


class CommandTimeout(Problem):
    """The time of a `waitForSelector` on the live socket has passed; the REST call `wait` answers `found: false`."""

    status, code, title = 504, "timeout", "Timeout"


class Overtaken(Problem):
    """A command of the live socket that led elsewhere, until `stop` or a newer address ended it."""

    status, code, title = 409, "overtaken", "Overtaken"


class BoxEnding(Problem):
    """The box is about to end: `reason` is `stopped`, `idle` or `expired`.  The last message to its viewers."""

    status, code, title = 503, "box_ending", "Box Ending"
