/** The desktop: pictures, mouse and keyboard, windows, the clipboard, programs, films. */
import type { CallOptions, Http } from "./http.ts";
import type {
  DesktopAccessibilityResponse,
  DesktopClipboardResponse,
  DesktopClipboardWriteRequest,
  DesktopDisplayInfoResponse,
  DesktopDisplayResizeRequest,
  DesktopKeyboardHoldRequest,
  DesktopKeyboardPressRequest,
  DesktopKeyboardTypeRequest,
  DesktopLaunchRequest,
  DesktopLaunchResponse,
  DesktopMouseButtonRequest,
  DesktopMouseClickRequest,
  DesktopMouseDragRequest,
  DesktopMouseMoveRequest,
  DesktopMousePositionResponse,
  DesktopMouseScrollRequest,
  DesktopOpenRequest,
  DesktopOpenResponse,
  DesktopRecordingInfo,
  DesktopRecordingListResponse,
  DesktopRecordingStartRequest,
  DesktopStartRequest,
  DesktopStatusResponse,
  DesktopStreamStatusResponse,
  DesktopWindowCloseResponse,
  DesktopWindowInfo,
  DesktopWindowListResponse,
  DesktopWindowMoveRequest,
  DesktopWindowResizeRequest,
  Ok,
} from "./schemas.gen.ts";
import { part, type QueryOf } from "./calls.ts";

export class Desktop {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Start the desktop; active already, its status is the answer.  409 while a browser has the display. */
  start(request: DesktopStartRequest = {}, options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.http.post("/v1/desktop/start", request, options);
  }

  /** Stop the desktop and all that runs on it, completing a recording. */
  stop(options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.http.post("/v1/desktop/stop", undefined, options);
  }

  /** What runs, what is missing, what went wrong last, and the windows that are open. */
  status(options?: CallOptions): Promise<DesktopStatusResponse> {
    return this.http.get("/v1/desktop/status", undefined, options);
  }

  /** The display, its size, and what it is used for. */
  displayInfo(options?: CallOptions): Promise<DesktopDisplayInfoResponse> {
    return this.http.get("/v1/desktop/display/info", undefined, options);
  }

  /** Give the running screen another size, up to the one it was started with, without a restart. */
  resize(request: DesktopDisplayResizeRequest, options?: CallOptions): Promise<DesktopDisplayInfoResponse> {
    return this.http.post("/v1/desktop/display/resize", request, options);
  }

  /** The whole screen. */
  screenshot(query?: QueryOf<"takeDesktopScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes("/v1/desktop/screenshot", query, options);
  }

  /** A part of the screen; what lies over its edge is cut off. */
  screenshotRegion(query: QueryOf<"takeDesktopRegionScreenshot">, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes("/v1/desktop/screenshot/region", query, options);
  }

  /** Where the pointer is, and over which window. */
  mousePosition(options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.get("/v1/desktop/mouse/position", undefined, options);
  }

  /** Move the pointer to a pixel of the screen. */
  moveMouse(request: DesktopMouseMoveRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/move", request, options);
  }

  /** Move there and click, once or several times. */
  click(request: DesktopMouseClickRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/click", request, options);
  }

  /** Press a button and keep it down. */
  mouseDown(request: DesktopMouseButtonRequest = {}, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/down", request, options);
  }

  /** Let a button go, after moving there where a place is given. */
  mouseUp(request: DesktopMouseButtonRequest = {}, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/up", request, options);
  }

  /** Press at the start, move to the end in steps, and let go. */
  dragMouse(request: DesktopMouseDragRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/drag", request, options);
  }

  /** Turn the wheel: deltas are notches, fractions add up. */
  scroll(request: DesktopMouseScrollRequest, options?: CallOptions): Promise<DesktopMousePositionResponse> {
    return this.http.post("/v1/desktop/mouse/scroll", request, options);
  }

  /** Type text, whatever the keyboard's layout; it answers when the last key is up. */
  type(request: DesktopKeyboardTypeRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/desktop/keyboard/type", request, options);
  }

  /** Press a key or a combination and let it go. */
  press(request: DesktopKeyboardPressRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/desktop/keyboard/press", request, options);
  }

  /** Press a key and keep it down. */
  keyDown(request: DesktopKeyboardHoldRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/desktop/keyboard/down", request, options);
  }

  /** Let a key or combination go. */
  keyUp(request: DesktopKeyboardHoldRequest, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/desktop/keyboard/up", request, options);
  }

  /** Every window, from the bottom to the top. */
  windows(options?: CallOptions): Promise<DesktopWindowListResponse> {
    return this.http.get("/v1/desktop/windows", undefined, options);
  }

  /** The window that has the keyboard. */
  focusedWindow(options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.get("/v1/desktop/windows/focused", undefined, options);
  }

  /** Bring a window to the front and give it the keyboard; a minimised one is shown again. */
  focusWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/focus`, undefined, options);
  }

  /** Move a window: the upper left corner of its frame goes to this place. */
  moveWindow(windowId: string, request: DesktopWindowMoveRequest, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/move`, request, options);
  }

  /** Give a window another size; a terminal snaps to its cells. */
  resizeWindow(windowId: string, request: DesktopWindowResizeRequest, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/resize`, request, options);
  }

  /** Hide a window; `focus` shows it again. */
  minimizeWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/minimize`, undefined, options);
  }

  /** Let a window fill the screen. */
  maximizeWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowInfo> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/maximize`, undefined, options);
  }

  /** Ask a window to close, as its close button would. */
  closeWindow(windowId: string, options?: CallOptions): Promise<DesktopWindowCloseResponse> {
    return this.http.post(`/v1/desktop/windows/${part(windowId)}/close`, undefined, options);
  }

  /** The content of a selection; text is empty where it has none. */
  clipboard(query?: QueryOf<"getDesktopClipboard">, options?: CallOptions): Promise<DesktopClipboardResponse> {
    return this.http.get("/v1/desktop/clipboard", query, options);
  }

  /** Put text or a picture on a selection; it stays until another program takes its place. */
  setClipboard(request: DesktopClipboardWriteRequest = {}, options?: CallOptions): Promise<Ok> {
    return this.http.post("/v1/desktop/clipboard", request, options);
  }

  /** Start a program on the desktop; with `wait`, answer when its window is there, or after 5 s. */
  launch(request: DesktopLaunchRequest, options?: CallOptions): Promise<DesktopLaunchResponse> {
    return this.http.post("/v1/desktop/launch", request, options);
  }

  /** Open a file or an address with the program that is meant for it. */
  open(request: DesktopOpenRequest, options?: CallOptions): Promise<DesktopOpenResponse> {
    return this.http.post("/v1/desktop/open", request, options);
  }

  /** What the running programs tell a screen reader; `available: false` with a reason where there is no bus for it. */
  accessibility(options?: CallOptions): Promise<DesktopAccessibilityResponse> {
    return this.http.get("/v1/desktop/accessibility", undefined, options);
  }

  /** Film the screen, at 1 to 60 frames a second; 409 while another recording is active or there is no display. */
  startRecording(request: DesktopRecordingStartRequest = {}, options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.http.post("/v1/desktop/recording/start", request, options);
  }

  /** Finish the film; it answers when the file is complete. */
  stopRecording(options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.http.post("/v1/desktop/recording/stop", undefined, options);
  }

  /** Every recording in the state folder, those of earlier runs included. */
  recordings(options?: CallOptions): Promise<DesktopRecordingListResponse> {
    return this.http.get("/v1/desktop/recordings", undefined, options);
  }

  /** One recording; `bytes` grows while it is being made. */
  recording(id: string, options?: CallOptions): Promise<DesktopRecordingInfo> {
    return this.http.get(`/v1/desktop/recordings/${part(id)}`, undefined, options);
  }

  /** The film; while it is being recorded, as far as it has got. */
  downloadRecording(id: string, options?: CallOptions): Promise<Uint8Array> {
    return this.http.bytes(`/v1/desktop/recordings/${part(id)}/download`, undefined, options);
  }

  /** Delete a recording and its film; 409 while it is being made. */
  deleteRecording(id: string, options?: CallOptions): Promise<void> {
    return this.http.json("DELETE", `/v1/desktop/recordings/${part(id)}`, { ...options });
  }

  /** Whether the display can be watched by WebRTC, and why not. */
  streamStatus(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.http.get("/v1/desktop/stream/status", undefined, options);
  }

  /** Have the display streamed; 409 where there is none, or `--webrtc` is off. */
  startStream(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.http.post("/v1/desktop/stream/start", undefined, options);
  }

  /** No stream any more: who watches it is disconnected. */
  stopStream(options?: CallOptions): Promise<DesktopStreamStatusResponse> {
    return this.http.post("/v1/desktop/stream/stop", undefined, options);
  }

  /** A film, piece by piece. */
  recordingStream(id: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.http.stream(`/v1/desktop/recordings/${part(id)}/download`, undefined, options);
  }
}
