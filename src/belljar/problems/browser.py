"""Problems of the browser endpoints (`/v1/browser/*`), and of scripts that may not be used."""

from collections.abc import Sequence
from typing import Any, ClassVar

from belljar.problems.base import Problem

TAG = "tag:sandboxagent.dev,2025:browser/"
INSTALL_COMMAND = "belljar install browser --yes"


class BrowserProblem(Problem):
    """The type is the code in kebab case, without `browser_`: `tag:sandboxagent.dev,2025:browser/not-active`."""

    namespace: ClassVar[str] = TAG

    @classmethod
    def type_uri(cls) -> str:
        return cls.namespace + cls.code.removeprefix("browser_").replace("_", "-")


class BrowserNotActive(BrowserProblem):
    """No browser is running."""

    status, code, title = 409, "browser_not_active", "Browser Not Active"

    def __init__(self, detail: str = "The browser is not running. Call POST /v1/browser/start first.") -> None:
        super().__init__(detail)

    @classmethod
    def meanwhile(cls) -> "BrowserNotActive":
        """It was running when the call began, and may have carried out some of it."""
        return cls("The browser ended while this call was running. See GET /v1/browser/status.")


class BrowserAlreadyActive(BrowserProblem):
    """A browser is running, starting or stopping already."""

    status, code, title = 409, "browser_already_active", "Browser Already Active"

    def __init__(self, detail: str = "The browser is already running. Call POST /v1/browser/stop first.") -> None:
        super().__init__(detail)


class BrowserDesktopConflict(BrowserProblem):
    """The display is in desktop mode."""

    status, code, title = 409, "browser_desktop_conflict", "Desktop Mode Is Active"

    def __init__(self) -> None:
        super().__init__("Desktop mode is active on the display. Call POST /v1/desktop/stop first, or start headless.")


class BrowserInstallRequired(BrowserProblem):
    """Programs the browser needs are not installed; `missingDependencies` names them."""

    status, code, title = 424, "browser_install_required", "Browser Install Required"

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__(
            f"Missing: {', '.join(missing)}. Run `{INSTALL_COMMAND}`.",
            missing_dependencies=list(missing),
            install_command=INSTALL_COMMAND,
        )


class BrowserStartFailed(BrowserProblem):
    """Chromium or its display did not come up."""

    status, code, title = 500, "browser_start_failed", "Browser Start Failed"


class BrowserCdpError(BrowserProblem):
    """Chromium refused a command, or went away while it was carried out."""

    status, code, title = 502, "browser_cdp_error", "Browser CDP Error"


class BrowserTimeout(BrowserProblem):
    """The deadline passed; the detail says what was being waited for and what was last seen."""

    status, code, title = 504, "browser_timeout", "Browser Timeout"


class BrowserInvalidSelector(BrowserProblem):
    """The selector cannot be parsed."""

    status, code, title = 400, "browser_invalid_selector", "Invalid Selector"

    def __init__(self, selector: str, why: str) -> None:
        super().__init__(f"The selector cannot be used: {why}", selector=selector)


class TabNotFound(BrowserProblem):
    """No open tab has this id."""

    status, code, title = 404, "tab_not_found", "Tab Not Found"

    def __init__(self, tab_id: str) -> None:
        super().__init__("No open tab has this id. GET /v1/browser/tabs lists them.", tab_id=tab_id)


class TabClosed(BrowserProblem):
    """The tab was closed, or its renderer crashed, while the call was carried out."""

    status, code, title = 409, "tab_closed", "Tab Closed"

    def __init__(self, tab_id: str, detail: str = "The tab was closed while this call was running.") -> None:
        super().__init__(detail, tab_id=tab_id)


class TabCrashed(BrowserProblem):
    """The tab's renderer died while the call was carried out; the tab is being reloaded."""

    status, code, title = 502, "tab_crashed", "Tab Crashed"

    def __init__(
        self, tab_id: str, detail: str = "The page's process crashed; the tab is being reloaded. Try again."
    ) -> None:
        super().__init__(detail, tab_id=tab_id)


class TabOutOfMemory(TabCrashed):
    """The tab's renderer was ended because the box had hardly any memory left; the tab is being reloaded."""

    status, code, title = 502, "tab_oom", "Tab Out Of Memory"

    def __init__(
        self,
        tab_id: str,
        detail: str = "The page took nearly all of the box's memory and was ended; the tab is being reloaded. "
        "A smaller page, or a session with more memory, would do.",
    ) -> None:
        super().__init__(tab_id, detail)


class ContextNotFound(BrowserProblem):
    """No saved context has this id."""

    status, code, title = 404, "context_not_found", "Context Not Found"

    def __init__(self, context_id: str) -> None:
        super().__init__("No saved context has this id. GET /v1/browser/contexts lists them.", context_id=context_id)


class ContextInUse(BrowserProblem):
    """The running browser uses this context."""

    status, code, title = 409, "context_in_use", "Context In Use"

    def __init__(self, context_id: str) -> None:
        super().__init__("The browser is using this context. Call POST /v1/browser/stop first.", context_id=context_id)


class PartitionNotFound(BrowserProblem):
    """No partition has this name."""

    status, code, title = 404, "partition_not_found", "Partition Not Found"

    def __init__(self, name: str) -> None:
        super().__init__("No partition has this name. PUT /v1/browser/partitions/{name} makes one.", name=name)


class FrameNotFound(BrowserProblem):
    """`frame` names no frame of the page."""

    status, code, title = 404, "frame_not_found", "Frame Not Found"

    def __init__(self, frame: str) -> None:
        super().__init__("No frame of the page has this id, and no frame element matches it.", frame=frame)


class FrameGone(BrowserProblem):
    """The document the call was working on was replaced by another one."""

    status, code, title = 409, "frame_navigated", "Frame Navigated"

    def __init__(self, detail: str = "The page navigated while this call was running. Try again.") -> None:
        super().__init__(detail)


class ElementNotFound(BrowserProblem):
    """Nothing matched by the deadline."""

    status, code, title = 404, "element_not_found", "Element Not Found"

    def __init__(self, target: str, detail: str | None = None, **members: Any) -> None:
        super().__init__(detail or f"No element matches {target}.", selector=target, **members)


class ElementNotReady(BrowserProblem):
    """Found, but not fit to be acted on by the deadline.

    `reason` is `obscured`, `disabled`, `hidden`, `moving` or `not_editable`; `obscuredBy` says what is in the way.
    """

    status, code, title = 504, "element_not_ready", "Element Not Ready"

    def __init__(self, reason: str, detail: str, *, obscured_by: str | None = None, **members: Any) -> None:
        super().__init__(detail, reason=reason, obscured_by=obscured_by, **members)


class ElementBlocked(ElementNotReady):
    """As `ElementNotReady`, told at once because the caller asked for `failFast` and nothing is changing."""

    status = 409
    code = "element_not_ready"


class StaleRef(BrowserProblem):
    """The element a snapshot ref stood for is gone."""

    status, code, title = 409, "stale_ref", "Stale Ref"

    def __init__(self, ref: str) -> None:
        super().__init__("The element of this ref is gone. Take a new GET /v1/browser/snapshot.", ref=ref)


class OptionNotFound(BrowserProblem):
    """A `<select>` has no such option, or the element is not a `<select>`."""

    status, code, title = 400, "option_not_found", "Option Not Found"


class UploadFileNotFound(BrowserProblem):
    """A file named for upload does not exist, or lies outside the directories uploads may come from."""

    status, code, title = 404, "file_not_found", "File Not Found"

    def __init__(self, path: str) -> None:
        super().__init__("No such file in the box's home, upload or download directory.", path=path)


class ChooserNotOpen(BrowserProblem):
    """No page asks for files, and what was named opens no file chooser."""

    status, code, title = 409, "chooser_not_open", "File Chooser Not Open"

    def __init__(self) -> None:
        super().__init__("The page is not asking for files. Name a file input, or click what opens its chooser.")


class DialogOpen(BrowserProblem):
    """A JavaScript dialog is open and the page cannot run until it is handled."""

    status, code, title = 409, "dialog_open", "Dialog Open"

    def __init__(self, dialog: Any, tab_id: str) -> None:
        super().__init__(
            "A JavaScript dialog is open in this tab. Handle it with POST /v1/browser/dialog.",
            dialog=dialog,
            tab_id=tab_id,
        )


class DialogNotFound(BrowserProblem):
    """There is no dialog to handle."""

    status, code, title = 404, "dialog_not_found", "Dialog Not Found"

    def __init__(self) -> None:
        super().__init__("No JavaScript dialog is open in this tab.")


class AskNotFound(BrowserProblem):
    """Nothing of this id waits for a person any more."""

    status, code, title = 404, "ask_not_found", "Nothing Asked"

    def __init__(self, detail: str = "The page does not ask this any more.") -> None:
        super().__init__(detail)


class ScriptError(BrowserProblem):
    """The caller's JavaScript threw, rejected or could not be parsed."""

    status, code, title = 400, "script_error", "Script Error"

    def __init__(
        self, detail: str, *, name: str, message: str, line: int | None, column: int | None, stack: str | None = None
    ) -> None:
        """`stack` is the script's own, as JavaScript gives it; ours never leaves the log."""
        super().__init__(detail, name=name, message=message, line=line, column=column, stack=stack)


class NavigationFailed(BrowserProblem):
    """The document could not be fetched; `netError` is Chromium's own code (`ERR_CONNECTION_REFUSED`)."""

    status, code, title = 502, "navigation_failed", "Navigation Failed"

    def __init__(self, url: str, net_error: str) -> None:
        super().__init__(f"The page could not be loaded: {net_error}.", url=url, net_error=net_error)


class DownloadNotFound(BrowserProblem):
    """No download has this id, or it was not kept."""

    status, code, title = 404, "download_not_found", "Download Not Found"

    def __init__(self, download_id: str, detail: str = "No download has this id.") -> None:
        super().__init__(detail, download_id=download_id)


class DownloadNotReady(BrowserProblem):
    """The download is still running, or failed."""

    status, code, title = 409, "download_not_ready", "Download Not Ready"

    def __init__(self, download_id: str, state: str) -> None:
        super().__init__(f"The download is {state}.", download_id=download_id, state=state)


class RequestNotFound(BrowserProblem):
    """No recorded network request has this id."""

    status, code, title = 404, "request_not_found", "Request Not Found"


class ResponseBodyGone(BrowserProblem):
    """Chromium no longer has the body of this response."""

    status, code, title = 410, "response_body_gone", "Response Body Gone"


class CrawlNotFound(BrowserProblem):
    """No crawl job has this id."""

    status, code, title = 404, "crawl_not_found", "Crawl Not Found"

    def __init__(self, crawl_id: str) -> None:
        super().__init__("No crawl has this id.", crawl_id=crawl_id)


class ContentNotConvertible(BrowserProblem):
    """The page could not be turned into markdown."""

    status, code, title = 502, "content_not_convertible", "Content Not Convertible"

    def __init__(self) -> None:
        super().__init__("The page could not be turned into markdown. GET /v1/browser/text gives its text.")


class ScreenshotTooLarge(BrowserProblem):
    """The picture asked for has more pixels than the limit."""

    status, code, title = 400, "screenshot_too_large", "Screenshot Too Large"


class EvaluateDisabled(Problem):
    """Scripts from callers are switched off: by the operator (`--evaluate off`), or by the session's policy."""

    status, code, title = 403, "evaluate_disabled", "Evaluate Disabled"

    def __init__(self) -> None:
        super().__init__("This box runs no scripts of callers: its operator (--evaluate off) or its session says so.")


class CdpDisabled(Problem):
    """The CDP relay is shut: by the operator (`--cdp off`), or by the session's policy."""

    status, code, title = 403, "cdp_disabled", "CDP Disabled"

    def __init__(self) -> None:
        super().__init__("This box takes no CDP clients: its operator (--cdp off) or its session says so.")
