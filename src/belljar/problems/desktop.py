"""Problems of the desktop."""

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
