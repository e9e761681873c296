# Made from aio/desktop.py by scripts/make_sync_sdk.py: change it there.
"""`desktop`: a screen with mouse, keyboard, windows, clipboard and films."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from belljar.sdk.encoding import Button, ClipboardFormat, ImageFormat, RecordingSource, Selection, body, ms
from belljar.sdk.sync.http import Download, Http
from belljar.wire.base import Ok
from belljar.wire.desktop import (
    AccessibilityTree,
    Clipboard,
    ClosedWindow,
    DesktopStatus,
    DisplayInfo,
    KeyModifiers,
    LaunchedApp,
    MousePosition,
    OpenedTarget,
    Recording,
    RecordingList,
    StreamStatus,
    WindowInfo,
    WindowList,
)


class Mouse:
    """The pointer on the screen, in pixels from its upper left corner."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def position(self) -> MousePosition:
        """Where it is, and the window under it."""
        return self._http.get("/v1/desktop/mouse/position", MousePosition)

    def move(self, x: int, y: int) -> MousePosition:
        """Move it."""
        return self._http.post("/v1/desktop/mouse/move", MousePosition, body(x=x, y=y))

    def click(self, x: int, y: int, *, button: Button | None = None, click_count: int | None = None) -> MousePosition:
        """Move it there and click; `click_count=2` is a double click."""
        asked = body(x=x, y=y, button=button, click_count=click_count)
        return self._http.post("/v1/desktop/mouse/click", MousePosition, asked)

    def down(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Press a button and hold it, after moving where a point is given."""
        return self._http.post("/v1/desktop/mouse/down", MousePosition, body(x=x, y=y, button=button))

    def up(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Release a button, after moving where a point is given."""
        return self._http.post("/v1/desktop/mouse/up", MousePosition, body(x=x, y=y, button=button))

    def drag(
        self, start_x: int, start_y: int, end_x: int, end_y: int, *, button: Button | None = None
    ) -> MousePosition:
        """Press at one point and release at another."""
        asked = body(start_x=start_x, start_y=start_y, end_x=end_x, end_y=end_y, button=button)
        return self._http.post("/v1/desktop/mouse/drag", MousePosition, asked)

    def scroll(self, x: int, y: int, *, delta_x: float | None = None, delta_y: float | None = None) -> MousePosition:
        """Turn the wheel at a point: notches, down and to the right."""
        asked = body(x=x, y=y, delta_x=delta_x, delta_y=delta_y)
        return self._http.post("/v1/desktop/mouse/scroll", MousePosition, asked)


class Keyboard:
    """The keyboard.  A key is an X keysym name, a web key name or a character; `+` joins a combination."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def type(self, text: str, *, delay: float | None = None) -> Ok:
        """Type any text; `delay` is seconds between keys."""
        return self._http.post("/v1/desktop/keyboard/type", Ok, body(text=text, delay_ms=ms(delay)))

    def press(self, key: str, *, modifiers: KeyModifiers | None = None) -> Ok:
        """Press and release a key or a combination, such as `ctrl+shift+a`."""
        return self._http.post("/v1/desktop/keyboard/press", Ok, body(key=key, modifiers=modifiers))

    def down(self, key: str) -> Ok:
        """Hold a key down."""
        return self._http.post("/v1/desktop/keyboard/down", Ok, body(key=key))

    def up(self, key: str) -> Ok:
        """Let a key go."""
        return self._http.post("/v1/desktop/keyboard/up", Ok, body(key=key))


class Windows:
    """Windows on the screen, by their X ids."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self) -> WindowList:
        """All of them, from the bottom to the top."""
        return self._http.get("/v1/desktop/windows", WindowList)

    def focused(self) -> WindowInfo:
        """The one that keys go to."""
        return self._http.get("/v1/desktop/windows/focused", WindowInfo)

    def focus(self, window_id: str) -> WindowInfo:
        """Bring it to the front and give it the keys."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/focus", WindowInfo)

    def move(self, window_id: str, x: int, y: int) -> WindowInfo:
        """Put its frame's upper left corner there."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/move", WindowInfo, body(x=x, y=y))

    def resize(self, window_id: str, width: int, height: int) -> WindowInfo:
        """Give its client area another size."""
        asked = body(width=width, height=height)
        return self._http.post(f"/v1/desktop/windows/{window_id}/resize", WindowInfo, asked)

    def minimize(self, window_id: str) -> WindowInfo:
        """Put it out of sight."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/minimize", WindowInfo)

    def maximize(self, window_id: str) -> WindowInfo:
        """Let it fill the screen."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/maximize", WindowInfo)

    def close(self, window_id: str) -> ClosedWindow:
        """Ask its program to close it; `closed` of the answer says whether it did."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/close", ClosedWindow)


class Desktop:
    """The box's screen.  `mouse`, `keyboard` and `windows` are namespaces of their own."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self.mouse = Mouse(http)
        self.keyboard = Keyboard(http)
        self.windows = Windows(http)

    def start(
        self,
        *,
        width: int | None = None,
        height: int | None = None,
        dpi: int | None = None,
        display_num: int | None = None,
        recording_fps: int | None = None,
        stream_video_codec: str | None = None,
        stream_audio_codec: str | None = None,
        stream_frame_rate: int | None = None,
        webrtc_port_range: str | None = None,
    ) -> DesktopStatus:
        """Start the screen and its window manager."""
        asked = body(
            width=width,
            height=height,
            dpi=dpi,
            display_num=display_num,
            recording_fps=recording_fps,
            stream_video_codec=stream_video_codec,
            stream_audio_codec=stream_audio_codec,
            stream_frame_rate=stream_frame_rate,
            webrtc_port_range=webrtc_port_range,
        )
        return self._http.post("/v1/desktop/start", DesktopStatus, asked)

    def stop(self) -> DesktopStatus:
        """End the screen and every program on it."""
        return self._http.post("/v1/desktop/stop", DesktopStatus)

    def status(self) -> DesktopStatus:
        """Whether it runs, how large it is, what is on it."""
        return self._http.get("/v1/desktop/status", DesktopStatus)

    def display_info(self) -> DisplayInfo:
        """The screen's size, and how large it can get."""
        return self._http.get("/v1/desktop/display/info", DisplayInfo)

    def resize(self, width: int, height: int, *, dpi: int | None = None) -> DisplayInfo:
        """Give the screen another size without a restart."""
        return self._http.post("/v1/desktop/display/resize", DisplayInfo, body(width=width, height=height, dpi=dpi))

    def screenshot(
        self,
        *,
        format: ImageFormat = "png",
        quality: int | None = None,
        scale: float | None = None,
        show_cursor: bool = False,
    ) -> bytes:
        """A picture of the screen."""
        asked = body(format=format, quality=quality, scale=scale, show_cursor=show_cursor)
        return self._http.fetch("/v1/desktop/screenshot", asked)

    def screenshot_region(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        *,
        format: ImageFormat = "png",
        quality: int | None = None,
        scale: float | None = None,
        show_cursor: bool = False,
    ) -> bytes:
        """A picture of a part of the screen."""
        asked = body(
            x=x,
            y=y,
            width=width,
            height=height,
            format=format,
            quality=quality,
            scale=scale,
            show_cursor=show_cursor,
        )
        return self._http.fetch("/v1/desktop/screenshot/region", asked)

    def clipboard(self, *, selection: Selection | None = None, format: ClipboardFormat | None = None) -> Clipboard:
        """What was copied: text, or with `format="png"` a picture."""
        return self._http.get("/v1/desktop/clipboard", Clipboard, body(selection=selection, format=format))

    def set_clipboard(
        self, text: str | None = None, *, image: str | None = None, selection: Selection | None = None
    ) -> Ok:
        """Copy text, a PNG in base64, or both."""
        return self._http.post("/v1/desktop/clipboard", Ok, body(text=text, image=image, selection=selection))

    def launch(self, app: str, args: Sequence[str] | None = None, *, wait: bool | None = None) -> LaunchedApp:
        """Start a program on the screen; with `wait`, answered when its window is there."""
        return self._http.post("/v1/desktop/launch", LaunchedApp, body(app=app, args=args, wait=wait))

    def open(self, target: str) -> OpenedTarget:
        """Open a file or an address with the program the desktop prefers for it."""
        return self._http.post("/v1/desktop/open", OpenedTarget, body(target=target))

    def accessibility(self) -> AccessibilityTree:
        """What a screen reader would be told of the programs on the screen."""
        return self._http.get("/v1/desktop/accessibility", AccessibilityTree)

    def start_recording(
        self, *, fps: int | None = None, source: RecordingSource | None = None, tab_id: str | None = None
    ) -> Recording:
        """Begin a film of the screen, or of the browser's active tab where there is no screen, or of one tab."""
        asked = body(fps=fps, source=source, tab_id=tab_id)
        return self._http.post("/v1/desktop/recording/start", Recording, asked)

    def stop_recording(self) -> Recording:
        """End the film."""
        return self._http.post("/v1/desktop/recording/stop", Recording)

    def recordings(self) -> RecordingList:
        """Every film that is kept."""
        return self._http.get("/v1/desktop/recordings", RecordingList)

    def recording(self, recording_id: str) -> Recording:
        """What is known of one film."""
        return self._http.get(f"/v1/desktop/recordings/{recording_id}", Recording)

    @contextmanager
    def download_recording(self, recording_id: str) -> Iterator[Download]:
        """A film as MP4, streamed: `with desktop.download_recording(id) as film: film.save(path)`."""
        with self._http.stream(f"/v1/desktop/recordings/{recording_id}/download") as film:
            yield film

    def delete_recording(self, recording_id: str) -> Ok:
        """Forget a film."""
        return self._http.delete(f"/v1/desktop/recordings/{recording_id}", Ok)

    def start_stream(self) -> StreamStatus:
        """Begin to stream the screen over WebRTC."""
        return self._http.post("/v1/desktop/stream/start", StreamStatus)

    def stop_stream(self) -> StreamStatus:
        """End the stream."""
        return self._http.post("/v1/desktop/stream/stop", StreamStatus)

    def stream_status(self) -> StreamStatus:
        """Whether the screen is streamed, or why not."""
        return self._http.get("/v1/desktop/stream/status", StreamStatus)
