"""The policy for outside CDP clients: addresses as elsewhere, and with `--evaluate off` only a list."""

import json
from collections.abc import Callable, Iterator, Mapping

import msgspec

from belljar.problems import Problem

# Why a command is not passed on; None where it is.
Permit = Callable[[str, msgspec.Raw], str | None]
CheckAddress = Callable[[str], None]
Params = dict[str, object]

# They carry commands that nobody here would see, or hand the protocol to a page.
_HIDDEN = frozenset({"Target.sendMessageToTarget", "Target.exposeDevToolsProtocol"})
# A context with a proxy of its own would go past the egress policy; with a bypass list, past every proxy.
_OWN_WAY_OUT = ("proxyServer", "proxyBypassList")
# Commands whose parameters are looked at whatever `--evaluate` says.
_LOOKED_INTO = frozenset({"Page.navigate", "Target.createTarget", "Target.createBrowserContext"})

# Reviewed one by one, methods and parameters: none of these runs a script of the caller's, changes what a page's
# scripts or documents are, reads a file, goes another way out, or loosens a setting that keeps pages in.  What is not
# here is refused, new methods and new parameters included.
REVIEWED: Mapping[str, frozenset[str]] = {
    method: frozenset(parameters.split())
    for method, parameters in {
        "Accessibility.enable": "",
        "Accessibility.disable": "",
        "Accessibility.getFullAXTree": "depth frameId",
        "Accessibility.getPartialAXTree": "nodeId backendNodeId objectId fetchRelatives",
        "Accessibility.getRootAXNode": "frameId",
        "Accessibility.getChildAXNodes": "id frameId",
        "Accessibility.getAXNodeAndAncestors": "nodeId backendNodeId objectId",
        "Accessibility.queryAXTree": "nodeId backendNodeId objectId accessibleName role",
        "Browser.getVersion": "",
        "Browser.getWindowForTarget": "targetId",
        "Browser.getWindowBounds": "windowId",
        "Browser.setWindowBounds": "windowId bounds",
        "Browser.setDownloadBehavior": "behavior browserContextId downloadPath eventsEnabled",
        "Browser.cancelDownload": "guid browserContextId",
        "CSS.enable": "",
        "CSS.disable": "",
        "CSS.getComputedStyleForNode": "nodeId",
        "DOM.enable": "includeWhitespace",
        "DOM.disable": "",
        "DOM.getDocument": "depth pierce",
        "DOM.describeNode": "nodeId backendNodeId objectId depth pierce",
        "DOM.querySelector": "nodeId selector",
        "DOM.querySelectorAll": "nodeId selector",
        "DOM.getBoxModel": "nodeId backendNodeId objectId",
        "DOM.getContentQuads": "nodeId backendNodeId objectId",
        "DOM.getOuterHTML": "nodeId backendNodeId objectId includeShadowDOM",
        "DOM.getAttributes": "nodeId",
        "DOM.focus": "nodeId backendNodeId objectId",
        "DOM.scrollIntoViewIfNeeded": "nodeId backendNodeId objectId rect",
        "DOM.requestChildNodes": "nodeId depth pierce",
        "DOM.getFrameOwner": "frameId",
        "DOM.performSearch": "query includeUserAgentShadowDOM",
        "DOM.getSearchResults": "searchId fromIndex toIndex",
        "DOM.discardSearchResults": "searchId",
        "DOM.resolveNode": "nodeId backendNodeId objectGroup executionContextId",
        "DOM.getNodeForLocation": "x y includeUserAgentShadowDOM ignorePointerEventsNone",
        "DOM.pushNodesByBackendIdsToFrontend": "backendNodeIds",
        "DOMSnapshot.enable": "",
        "DOMSnapshot.disable": "",
        "DOMSnapshot.captureSnapshot": "computedStyles includePaintOrder includeDOMRects"
        " includeBlendedBackgroundColors includeTextColorOpacities",
        "Emulation.setDeviceMetricsOverride": "width height deviceScaleFactor mobile scale screenWidth screenHeight"
        " positionX positionY dontSetVisibleSize screenOrientation viewport displayFeature devicePosture scrollbarType"
        " screenOrientationLockEmulation viewportMeta textLayoutMode",
        "Emulation.clearDeviceMetricsOverride": "",
        "Emulation.setTouchEmulationEnabled": "enabled maxTouchPoints",
        "Emulation.setUserAgentOverride": "userAgent acceptLanguage platform userAgentMetadata",
        "Emulation.setTimezoneOverride": "timezoneId",
        "Emulation.setLocaleOverride": "locale",
        "Emulation.setGeolocationOverride": "latitude longitude accuracy altitude altitudeAccuracy heading speed",
        "Emulation.clearGeolocationOverride": "",
        "Emulation.setEmulatedMedia": "media features",
        "Emulation.setFocusEmulationEnabled": "enabled",
        "Emulation.setDefaultBackgroundColorOverride": "color",
        "Emulation.setPageScaleFactor": "pageScaleFactor",
        "Emulation.setCPUThrottlingRate": "rate",
        "Emulation.setEmulatedVisionDeficiency": "type",
        "Emulation.setAutoDarkModeOverride": "enabled",
        "Emulation.setScrollbarsHidden": "hidden",
        "Emulation.setIdleOverride": "isUserActive isScreenUnlocked",
        "Emulation.clearIdleOverride": "",
        "Emulation.setEmitTouchEventsForMouse": "enabled configuration",
        "Emulation.setScriptExecutionDisabled": "value",
        "IO.read": "handle offset size",
        "IO.close": "handle",
        "Input.dispatchKeyEvent": "type modifiers timestamp text unmodifiedText keyIdentifier code key"
        " windowsVirtualKeyCode nativeVirtualKeyCode autoRepeat isKeypad isSystemKey location commands",
        "Input.dispatchMouseEvent": "type x y modifiers timestamp button buttons clickCount force tangentialPressure"
        " tiltX tiltY twist deltaX deltaY pointerType",
        "Input.dispatchTouchEvent": "type touchPoints modifiers timestamp",
        "Input.dispatchDragEvent": "type x y data modifiers",
        "Input.insertText": "text",
        "Input.imeSetComposition": "text selectionStart selectionEnd replacementStart replacementEnd",
        "Input.setInterceptDrags": "enabled",
        "Input.synthesizePinchGesture": "x y scaleFactor relativeSpeed gestureSourceType",
        "Input.synthesizeScrollGesture": "x y xDistance yDistance xOverscroll yOverscroll preventFling speed"
        " gestureSourceType repeatCount repeatDelayMs interactionMarkerName",
        "Input.synthesizeTapGesture": "x y duration tapCount gestureSourceType",
        "Inspector.enable": "",
        "Inspector.disable": "",
        "Log.enable": "",
        "Log.disable": "",
        "Log.clear": "",
        "Network.enable": "maxTotalBufferSize maxResourceBufferSize maxPostDataSize reportDirectSocketTraffic"
        " enableDurableMessages",
        "Network.disable": "",
        "Network.getResponseBody": "requestId",
        "Network.getRequestPostData": "requestId",
        "Network.setCacheDisabled": "cacheDisabled",
        "Network.clearBrowserCache": "",
        "Network.getCookies": "urls",
        "Network.setCookie": "name value url domain path secure httpOnly sameSite expires priority sourceScheme"
        " sourcePort partitionKey",
        "Network.setCookies": "cookies",
        "Network.deleteCookies": "name url domain path partitionKey",
        "Network.clearBrowserCookies": "",
        "Network.setExtraHTTPHeaders": "headers",
        "Network.emulateNetworkConditions": "offline latency downloadThroughput uploadThroughput connectionType"
        " packetLoss packetQueueLength packetReordering",
        "Network.setUserAgentOverride": "userAgent acceptLanguage platform userAgentMetadata",
        "Page.enable": "enableFileChooserOpenedEvent",
        "Page.disable": "",
        "Page.navigate": "url referrer transitionType frameId referrerPolicy",
        "Page.reload": "ignoreCache scriptToEvaluateOnLoad loaderId",
        "Page.stopLoading": "",
        "Page.getFrameTree": "",
        "Page.getResourceTree": "",
        "Page.getNavigationHistory": "",
        "Page.navigateToHistoryEntry": "entryId",
        "Page.resetNavigationHistory": "",
        "Page.captureScreenshot": "format quality clip fromSurface captureBeyondViewport optimizeForSpeed",
        "Page.captureSnapshot": "format",
        "Page.printToPDF": "landscape displayHeaderFooter printBackground scale paperWidth paperHeight marginTop"
        " marginBottom marginLeft marginRight pageRanges preferCSSPageSize transferMode generateTaggedPDF"
        " generateDocumentOutline",
        "Page.getLayoutMetrics": "",
        "Page.handleJavaScriptDialog": "accept promptText",
        "Page.setLifecycleEventsEnabled": "enabled",
        "Page.setInterceptFileChooserDialog": "enabled cancel",
        "Page.startScreencast": "format quality maxWidth maxHeight everyNthFrame maxFramesInFlight sendLastFrame",
        "Page.stopScreencast": "",
        "Page.screencastFrameAck": "sessionId",
        "Page.bringToFront": "",
        "Page.close": "",
        "Page.createIsolatedWorld": "frameId worldName grantUniveralAccess",
        "Page.addScriptToEvaluateOnNewDocument": "source worldName runImmediately",
        "Page.removeScriptToEvaluateOnNewDocument": "identifier",
        "Performance.enable": "timeDomain",
        "Performance.disable": "",
        "Performance.getMetrics": "",
        "Runtime.enable": "",
        "Runtime.disable": "",
        "Runtime.runIfWaitingForDebugger": "",
        "Runtime.releaseObject": "objectId",
        "Runtime.releaseObjectGroup": "objectGroup",
        "Schema.getDomains": "",
        "Storage.getCookies": "browserContextId",
        "Storage.setCookies": "cookies browserContextId",
        "Storage.clearCookies": "browserContextId",
        "Target.setDiscoverTargets": "discover filter",
        "Target.setAutoAttach": "autoAttach waitForDebuggerOnStart flatten filter",
        "Target.getTargets": "filter",
        "Target.getTargetInfo": "targetId",
        "Target.attachToTarget": "targetId flatten",
        "Target.detachFromTarget": "sessionId targetId",
        "Target.activateTarget": "targetId",
        "Target.closeTarget": "targetId",
        "Target.createTarget": "url left top width height windowState browserContextId newWindow background focus",
        "Target.createBrowserContext": "disposeOnDetach",
        "Target.disposeBrowserContext": "browserContextId",
        "Target.getBrowserContexts": "",
    }.items()
}  # fmt: skip

# Members of the objects among those parameters; `*` for a mapping whose keys are the caller's.
_MEMBERS: Mapping[str, frozenset[str]] = {
    name: frozenset(members.split())
    for name, members in {
        "bounds": "left top width height windowState",
        "brands": "brand version",
        "clip": "x y width height scale",
        "color": "r g b a",
        "cookies": "name value url domain path secure httpOnly sameSite expires priority sourceScheme sourcePort"
        " partitionKey",
        # Without `files`: a page that is dropped a file reads it.
        "data": "items dragOperationsMask",
        "devicePosture": "type",
        "displayFeature": "orientation offset maskLength",
        "features": "name value",
        "filter": "exclude type",
        "fullVersionList": "brand version",
        "headers": "*",
        "items": "mimeType data title baseURL",
        "partitionKey": "topLevelSite hasCrossSiteAncestor",
        "rect": "x y width height",
        "screenOrientation": "type angle",
        "touchPoints": "x y radiusX radiusY rotationAngle force tangentialPressure tiltX tiltY twist id",
        "userAgentMetadata": "brands fullVersionList fullVersion platform platformVersion architecture model mobile"
        " bitness wow64 formFactors",
        "viewport": "x y width height scale",
    }.items()
}

# Parameters of those methods that were looked at and stay away.
LEFT_OUT: Mapping[str, frozenset[str]] = {
    method: frozenset(parameters.split())
    for method, parameters in {
        # Script with the console's own rights, though an empty one.
        "Page.addScriptToEvaluateOnNewDocument": "includeCommandLineAPI",
        # A policy of the caller's for what runs there.
        "Page.createIsolatedWorld": "contentSecurityPolicy",
        # Markup of the caller's, whose event handlers run.
        "Page.printToPDF": "headerTemplate footerTemplate",
        "Target.createBrowserContext": "proxyServer proxyBypassList originsWithUniversalNetworkAccess",
        # Pages that no person would see, or that are drawn only when told.
        "Target.createTarget": "enableBeginFrameControl forTab hidden",
    }.items()
}

# On the list, but only empty: Playwright sends an empty script to have a world of its own.
_ONLY_EMPTY = {"Page.addScriptToEvaluateOnNewDocument": "source", "Page.reload": "scriptToEvaluateOnLoad"}
_OFF = "evaluate_disabled: this box was started with --evaluate off, and"


class Ambiguous(ValueError):
    """A member is there twice."""


def permit(check_address: CheckAddress, *, is_reviewed: bool) -> Permit:
    """`check_address` raises a `Problem` for what no page may be; `is_reviewed` leaves the list alone to be used."""

    def words(method: str, params: msgspec.Raw) -> str | None:
        if method in _HIDDEN:
            return f"{method} is not relayed: use flat sessions."
        if is_reviewed and method not in REVIEWED:
            return f"{_OFF} {method} is not on its list."
        if not is_reviewed and method not in _LOOKED_INTO:
            return None
        try:
            given = _read(params)
        except (ValueError, RecursionError):
            return "The parameters are not an object with each member once."
        return (_unreviewed(method, given) if is_reviewed else None) or judged(method, given)

    def judged(method: str, given: Params) -> str | None:
        if method == "Target.createBrowserContext" and any(given.get(name) for name in _OWN_WAY_OUT):
            return (
                "egress_denied: a context has no proxy of its own here; all take the box's way out, under its policy."
            )
        for url in _addresses(method, given):
            try:
                check_address(url)
            except Problem as problem:
                return f"{problem.code}: {problem.detail}"
        return None

    return words


def _unreviewed(method: str, given: Params) -> str | None:
    """Why these parameters are not on the list; None where they are."""
    unknown = sorted(given.keys() - REVIEWED[method])
    if unknown:
        return f"{_OFF} {method} with {unknown[0]} is not on its list."
    member = next(_unknown_members(given), None)
    if member is not None:
        return f"{_OFF} {method} with {member} is not on its list."
    if method in _ONLY_EMPTY and given.get(_ONLY_EMPTY[method]):
        return f"{_OFF} runs no scripts of callers."
    return None


def _unknown_members(given: Params) -> Iterator[str]:
    for name, value in given.items():
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, dict):
                continue
            known = _MEMBERS.get(name, frozenset())
            if "*" in known:
                continue
            yield from (f"{name}.{member}" for member in sorted(one.keys() - known))
            yield from _unknown_members(one)


def _addresses(method: str, given: Params) -> list[str]:
    """Where the command would lead."""
    if method in ("Page.navigate", "Target.createTarget"):
        url = given.get("url")
        return [url if isinstance(url, str) else ""]
    if method == "Input.dispatchDragEvent":
        # A page that is dropped an address goes there.
        data = given.get("data")
        items = data.get("items") if isinstance(data, dict) else None
        found = [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []
        lists = [one.get("data") for one in found if str(one.get("mimeType")).strip().lower() == "text/uri-list"]
        return [line for addresses in lists for line in str(addresses).splitlines()]
    return []


def _read(params: msgspec.Raw) -> Params:
    """Raises `Ambiguous` for a name given twice: we and Chromium might read different ones."""
    found = json.loads(bytes(params), object_pairs_hook=_unambiguous)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Ambiguous
    return found
