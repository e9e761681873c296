"""`desktop`: a screen with mouse, keyboard, windows, clipboard and films."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from belljar.sdk.aio.http import AsyncDownload, AsyncHttp
from belljar.sdk.encoding import Button, ClipboardFormat, ImageFormat, RecordingSource, Selection, body, ms
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


class AsyncMouse:
    """The pointer on the screen, in pixels from its upper left corner."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def position(self) -> MousePosition:
        """Where it is, and the window under it."""
        return await self._http.get("/v1/desktop/mouse/position", MousePosition)

    async def move(self, x: int, y: int) -> MousePosition:
        """Move it."""
        return await self._http.post("/v1/desktop/mouse/move", MousePosition, body(x=x, y=y))

    async def click(
        self, x: int, y: int, *, button: Button | None = None, click_count: int | None = None
    ) -> MousePosition:
        """Move it there and click; `click_count=2` is a double click."""
        asked = body(x=x, y=y, button=button, click_count=click_count)
        return await self._http.post("/v1/desktop/mouse/click", MousePosition, asked)

    async def down(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Press a button and hold it, after moving where a point is given."""
        return await self._http.post("/v1/desktop/mouse/down", MousePosition, body(x=x, y=y, button=button))

    async def up(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Release a button, after moving where a point is given."""
        return await self._http.post("/v1/desktop/mouse/up", MousePosition, body(x=x, y=y, button=button))

    async def drag(
        self, start_x: int, start_y: int, end_x: int, end_y: int, *, button: Button | None = None
    ) -> MousePosition:
        """Press at one point and release at another."""
        asked = body(start_x=start_x, start_y=start_y, end_x=end_x, end_y=end_y, button=button)
        return await self._http.post("/v1/desktop/mouse/drag", MousePosition, asked)

    async def scroll(
        self, x: int, y: int, *, delta_x: float | None = None, delta_y: float | None = None
    ) -> MousePosition:
        """Turn the wheel at a point: notches, down and to the right."""
        asked = body(x=x, y=y, delta_x=delta_x, delta_y=delta_y)
        return await self._http.post("/v1/desktop/mouse/scroll", MousePosition, asked)


class AsyncKeyboard:
    """The keyboard.  A key is an X keysym name, a web key name or a character; `+` joins a combination."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def type(self, text: str, *, delay: float | None = None) -> Ok:
        """Type any text; `delay` is seconds between keys."""
        return await self._http.post("/v1/desktop/keyboard/type", Ok, body(text=text, delay_ms=ms(delay)))

    async def press(self, key: str, *, modifiers: KeyModifiers | None = None) -> Ok:
        """Press and release a key or a combination, such as `ctrl+shift+a`."""
        return await self._http.post("/v1/desktop/keyboard/press", Ok, body(key=key, modifiers=modifiers))

    async def down(self, key: str) -> Ok:
        """Hold a key down."""
        return await self._http.post("/v1/desktop/keyboard/down", Ok, body(key=key))

    async def up(self, key: str) -> Ok:
        """Let a key go."""
        return await self._http.post("/v1/desktop/keyboard/up", Ok, body(key=key))


class AsyncWindows:
    """Windows on the screen, by their X ids."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(self) -> WindowList:
        """All of them, from the bottom to the top."""
        return await self._http.get("/v1/desktop/windows", WindowList)

    async def focused(self) -> WindowInfo:
        """The one that keys go to."""
        return await self._http.get("/v1/desktop/windows/focused", WindowInfo)

    async def focus(self, window_id: str) -> WindowInfo:
        """Bring it to the front and give it the keys."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/focus", WindowInfo)

    async def move(self, window_id: str, x: int, y: int) -> WindowInfo:
        """Put its frame's upper left corner there."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/move", WindowInfo, body(x=x, y=y))

    async def resize(self, window_id: str, width: int, height: int) -> WindowInfo:
        """Give its client area another size."""
        asked = body(width=width, height=height)
        return await self._http.post(f"/v1/desktop/windows/{window_id}/resize", WindowInfo, asked)

    async def minimize(self, window_id: str) -> WindowInfo:
        """Put it out of sight."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/minimize", WindowInfo)

    async def maximize(self, window_id: str) -> WindowInfo:
        """Let it fill the screen."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/maximize", WindowInfo)

    async def close(self, window_id: str) -> ClosedWindow:
        """Ask its program to close it; `closed` of the answer says whether it did."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/close", ClosedWindow)


class AsyncDesktop:
    """The box's screen.  `mouse`, `keyboard` and `windows` are namespaces of their own."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http
        self.mouse = AsyncMouse(http)
        self.keyboard = AsyncKeyboard(http)
        self.windows = AsyncWindows(http)

    async def start(
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
        return await self._http.post("/v1/desktop/start", DesktopStatus, asked)

    async def stop(self) -> DesktopStatus:
        """End the screen and every program on it."""
        return await self._http.post("/v1/desktop/stop", DesktopStatus)

    async def status(self) -> DesktopStatus:
        """Whether it runs, how large it is, what is on it."""
        return await self._http.get("/v1/desktop/status", DesktopStatus)

    async def display_info(self) -> DisplayInfo:
        """The screen's size, and how large it can get."""
        return await self._http.get("/v1/desktop/display/info", DisplayInfo)

    async def resize(self, width: int, height: int, *, dpi: int | None = None) -> DisplayInfo:
        """Give the screen another size without a restart."""
        return await self._http.post(
            "/v1/desktop/display/resize", DisplayInfo, body(width=width, height=height, dpi=dpi)
        )

    async def screenshot(
        self,
        *,
        format: ImageFormat = "png",
        quality: int | None = None,
        scale: float | None = None,
        show_cursor: bool = False,
    ) -> bytes:
        """A picture of the screen."""
        asked = body(format=format, quality=quality, scale=scale, show_cursor=show_cursor)
        return await self._http.fetch("/v1/desktop/screenshot", asked)

    async def screenshot_region(
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
        return await self._http.fetch("/v1/desktop/screenshot/region", asked)

    async def clipboard(
        self, *, selection: Selection | None = None, format: ClipboardFormat | None = None
    ) -> Clipboard:
        """What was copied: text, or with `format="png"` a picture."""
        return await self._http.get("/v1/desktop/clipboard", Clipboard, body(selection=selection, format=format))

    async def set_clipboard(
        self, text: str | None = None, *, image: str | None = None, selection: Selection | None = None
    ) -> Ok:
        """Copy text, a PNG in base64, or both."""
        return await self._http.post("/v1/desktop/clipboard", Ok, body(text=text, image=image, selection=selection))

    async def launch(self, app: str, args: Sequence[str] | None = None, *, wait: bool | None = None) -> LaunchedApp:
        """Start a program on the screen; with `wait`, answered when its window is there."""
        return await self._http.post("/v1/desktop/launch", LaunchedApp, body(app=app, args=args, wait=wait))

    async def open(self, target: str) -> OpenedTarget:
        """Open a file or an address with the program the desktop prefers for it."""
        return await self._http.post("/v1/desktop/open", OpenedTarget, body(target=target))

    async def accessibility(self) -> AccessibilityTree:
        """What a screen reader would be told of the programs on the screen."""
        return await self._http.get("/v1/desktop/accessibility", AccessibilityTree)

    async def start_recording(
        self, *, fps: int | None = None, source: RecordingSource | None = None, tab_id: str | None = None
    ) -> Recording:
        """Begin a film of the screen, or of the browser's active tab where there is no screen, or of one tab."""
        asked = body(fps=fps, source=source, tab_id=tab_id)
        return await self._http.post("/v1/desktop/recording/start", Recording, asked)

    async def stop_recording(self) -> Recording:
        """End the film."""
        return await self._http.post("/v1/desktop/recording/stop", Recording)

    async def recordings(self) -> RecordingList:
        """Every film that is kept."""
        return await self._http.get("/v1/desktop/recordings", RecordingList)

    async def recording(self, recording_id: str) -> Recording:
        """What is known of one film."""
        return await self._http.get(f"/v1/desktop/recordings/{recording_id}", Recording)

    @asynccontextmanager
    async def download_recording(self, recording_id: str) -> AsyncIterator[AsyncDownload]:
        """A film as MP4, streamed: `async with desktop.download_recording(id) as film: await film.save(path)`."""
        async with self._http.stream(f"/v1/desktop/recordings/{recording_id}/download") as film:
            yield film

    async def delete_recording(self, recording_id: str) -> Ok:
        """Forget a film."""
        return await self._http.delete(f"/v1/desktop/recordings/{recording_id}", Ok)

    async def start_stream(self) -> StreamStatus:
        """Begin to stream the screen over WebRTC."""
        return await self._http.post("/v1/desktop/stream/start", StreamStatus)

    async def stop_stream(self) -> StreamStatus:
        """End the stream."""
        return await self._http.post("/v1/desktop/stream/stop", StreamStatus)

    async def stream_status(self) -> StreamStatus:
        """Whether the screen is streamed, or why not."""
        return await self._http.get("/v1/desktop/stream/status", StreamStatus)
