"""Chromium's command line.  Nothing on it comes from a request as text: only numbers, booleans and our own paths."""

from dataclasses import dataclass
from math import ceil
from pathlib import Path

# Services that talk to the outside by themselves, ask a person something, or slow the start.
_QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-search-engine-choice-screen",
    "--disable-infobars",
    "--disable-prompt-on-repost",
    "--disable-notifications",
    # A prompt would wait for a person; what is not granted by `permissions` is denied at once.
    "--deny-permission-prompts",
    "--hide-crash-restore-bubble",
    "--disable-session-crashed-bubble",
    "--disable-hang-monitor",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    # Chromium's maker is asked nothing that nobody asked for: its lists of on-device models, and who is signed in.
    # Neither is a setting; pages of the maker's work all the same.
    "--optimization-guide-manifest-override=/nonexistent",
    "--gaia-url=http://127.0.0.1:1/",
)

# A tab that is not in front must work like one that is: its timers, its frames, its renderer's priority.
_NEVER_IN_THE_BACKGROUND = (
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
)

# Leaks that no proxy setting stops: WebRTC and QUIC speak UDP past it.
_NO_WAY_AROUND = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
)

_FEATURES_OFF = (
    "AutofillServerCommunication",
    "CalculateNativeWinOcclusion",
    "CertificateTransparencyComponentUpdater",
    "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    # It asks its maker for the time.
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "Translate",
    # Suggestions under the address bar as pages: for each window a renderer (160 MB) and half a second of work.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # A page saved for `back` keeps its old execution contexts alive beside the new ones.
    "BackForwardCache",
)


@dataclass(frozen=True)
class ChromiumOptions:
    """What of a start reaches the command line."""

    executable: Path
    profile: Path
    width: int
    height: int
    is_headless: bool
    # Pixels of the display, or of pictures of a headless window, for each of a page's.
    scale: float = 1
    is_kiosk: bool = False
    has_webgl: bool = False
    # Whether there is something to play into; otherwise pages play into nothing.
    has_sound: bool = False
    has_sandbox: bool = True
    # Too little shared memory for large pages: files take its place.
    has_little_shm: bool = False
    # Of the egress policy's proxy, on the programs' own loopback.
    proxy_port: int | None = None
    # Whether the jail's managed settings hold for it.
    is_managed: bool = False


def command_line(options: ChromiumOptions) -> tuple[str, ...]:
    """The arguments after the program's name."""
    return (
        "--remote-debugging-pipe",
        f"--user-data-dir={options.profile}",
        *_QUIET,
        *_NEVER_IN_THE_BACKGROUND,
        *_NO_WAY_AROUND,
        *_proxy(options),
        f"--disable-features={','.join(_FEATURES_OFF)}",
        *_graphics(options),
        *_window(options),
        # A bar would warn of flags that a person had better not use; managed settings hide it too.
        *(() if options.is_managed else ("--test-type",)),
        *(() if options.has_sound else ("--mute-audio",)),
        *(() if options.has_sandbox else ("--no-sandbox",)),
        *(("--disable-dev-shm-usage",) if options.has_little_shm else ()),
        "about:blank",
    )


def _proxy(options: ChromiumOptions) -> tuple[str, ...]:
    if options.proxy_port is None:
        return ()
    return (
        f"--proxy-server=http://127.0.0.1:{options.proxy_port}",
        # Chromium goes past any proxy to loopback and link-local addresses unless told not to.
        "--proxy-bypass-list=<-loopback>",
        # Names are the proxy's to resolve; what is left is its own address, and STUN servers' names, which would leak.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
    )


def _graphics(options: ChromiumOptions) -> tuple[str, ...]:
    # Software WebGL costs the GPU process its seccomp sandbox, so it is only there when asked for.
    if options.has_webgl:
        return ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-features=NetworkServiceSandbox")
    return ("--disable-gpu", "--enable-features=NetworkServiceSandbox")


def _window(options: ChromiumOptions) -> tuple[str, ...]:
    # Of a headless browser the size is a page's, of a display its own.
    width, height = options.width, options.height
    if options.is_headless:
        # A screencast has this screen's pixels for each of a page's, however many the page alone is told of.
        pixels = f"{round(width * options.scale)}x{round(height * options.scale)}"
        ratio = "" if options.scale == 1 else f" devicePixelRatio={options.scale:g}"
        return (
            "--headless=new",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
            f"--screen-info={{{pixels}{ratio}}}",
        )
    scale = () if options.scale == 1 else (f"--force-device-scale-factor={options.scale:g}",)
    width, height = ceil(width / options.scale), ceil(height / options.scale)
    if options.is_kiosk:
        # What is exactly as large as the screen, Chromium shrinks by a pixel where there is no window manager.
        return (*scale, "--window-position=0,0", f"--window-size={width + 1},{height + 1}", "--kiosk")
    return (*scale, "--window-position=0,0", f"--window-size={width},{height}", "--start-maximized")
