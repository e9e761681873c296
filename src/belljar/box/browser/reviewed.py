"""What an outside CDP client may ask for: addresses by policy, and with `--evaluate off` only methods on a list."""

import json
from collections.abc import Callable
from typing import Any

import msgspec

from belljar.problems import Problem

# Why a command is not passed on; None where it is.
Permit = Callable[[str, msgspec.Raw], str | None]
CheckAddress = Callable[[str], None]

# They carry commands that nobody here would see, or hand the protocol to a page.
_HIDDEN = frozenset({"Target.sendMessageToTarget", "Target.exposeDevToolsProtocol"})
_OPENING = frozenset({"Page.navigate", "Target.createTarget"})

# Reviewed one by one: none of these runs a script of the caller's, changes what a page's scripts or documents are,
# reads a file, or loosens a setting that keeps pages in.  What is not here is refused, new methods included.
_REVIEWED: dict[str, str] = {
    "Accessibility": "enable disable getFullAXTree getPartialAXTree getRootAXNode getChildAXNodes getAXNodeAndAncestors"
    " queryAXTree",
    "Browser": "getVersion getWindowForTarget getWindowBounds setWindowBounds setDownloadBehavior cancelDownload",
    "CSS": "enable disable getComputedStyleForNode",
    "DOM": "enable disable getDocument describeNode querySelector querySelectorAll getBoxModel getContentQuads"
    " getOuterHTML getAttributes focus scrollIntoViewIfNeeded requestChildNodes getFrameOwner performSearch"
    " getSearchResults discardSearchResults resolveNode getNodeForLocation pushNodesByBackendIdsToFrontend",
    "DOMSnapshot": "enable disable captureSnapshot",
    "Emulation": "setDeviceMetricsOverride clearDeviceMetricsOverride setTouchEmulationEnabled setUserAgentOverride"
    " setTimezoneOverride setLocaleOverride setGeolocationOverride clearGeolocationOverride setEmulatedMedia"
    " setFocusEmulationEnabled setDefaultBackgroundColorOverride setPageScaleFactor setCPUThrottlingRate"
    " setEmulatedVisionDeficiency setAutoDarkModeOverride setScrollbarsHidden setIdleOverride clearIdleOverride"
    " setEmitTouchEventsForMouse setScriptExecutionDisabled",
    "IO": "read close",
    "Input": "dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent dispatchDragEvent insertText imeSetComposition"
    " setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture",
    "Inspector": "enable disable",
    "Log": "enable disable clear",
    "Network": "enable disable getResponseBody getRequestPostData setCacheDisabled clearBrowserCache getCookies"
    " setCookie setCookies deleteCookies clearBrowserCookies setExtraHTTPHeaders emulateNetworkConditions"
    " setUserAgentOverride",
    "Page": "enable disable navigate reload stopLoading getFrameTree getResourceTree getNavigationHistory"
    " navigateToHistoryEntry resetNavigationHistory captureScreenshot captureSnapshot printToPDF getLayoutMetrics"
    " handleJavaScriptDialog setLifecycleEventsEnabled setInterceptFileChooserDialog startScreencast stopScreencast"
    " screencastFrameAck bringToFront close createIsolatedWorld addScriptToEvaluateOnNewDocument"
    " removeScriptToEvaluateOnNewDocument",
    "Performance": "enable disable getMetrics",
    "Runtime": "enable disable runIfWaitingForDebugger releaseObject releaseObjectGroup",
    "Schema": "getDomains",
    "Storage": "getCookies setCookies clearCookies",
    "Target": "setDiscoverTargets setAutoAttach getTargets getTargetInfo attachToTarget detachFromTarget"
    " activateTarget closeTarget createTarget createBrowserContext disposeBrowserContext getBrowserContexts",
}  # fmt: skip
REVIEWED = frozenset(f"{domain}.{name}" for domain, names in _REVIEWED.items() for name in names.split())
# On the list, but not with these: Playwright sends an empty script to have a world of its own.
_SCRIPTS = {"Page.addScriptToEvaluateOnNewDocument": "source", "Page.reload": "scriptToEvaluateOnLoad"}


class Ambiguous(ValueError):
    """A member is there twice."""


def permit(check_address: CheckAddress, *, is_reviewed: bool) -> Permit:
    """`check_address` raises a `Problem` for what no page may be; `is_reviewed` leaves the list alone to be used."""

    def words(method: str, params: msgspec.Raw) -> str | None:
        try:
            return judged(method, params)
        except (ValueError, AttributeError):
            return "The parameters are not an object with each member once."

    def judged(method: str, params: msgspec.Raw) -> str | None:
        if method in _HIDDEN:
            return f"{method} is not relayed: use flat sessions."
        if is_reviewed and method not in REVIEWED:
            return f"evaluate_disabled: this box was started with --evaluate off, and {method} is not on its list."
        if is_reviewed and method in _SCRIPTS and _text(params, _SCRIPTS[method]):
            return "evaluate_disabled: this box was started with --evaluate off, and runs no scripts of callers."
        if method in _OPENING:
            return _checked(check_address, _text(params, "url"))
        return None

    return words


def _checked(check_address: CheckAddress, url: str) -> str | None:
    try:
        check_address(url)
    except Problem as problem:
        return f"{problem.code}: {problem.detail}"
    return None


def _text(params: msgspec.Raw, name: str) -> str:
    """Raises `Ambiguous` for a name given twice: we and Chromium might read different ones."""
    value = json.loads(bytes(params), object_pairs_hook=_unambiguous).get(name)
    return value if isinstance(value, str) else ""


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Ambiguous
    return found
