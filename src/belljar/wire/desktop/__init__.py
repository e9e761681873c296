"""`/v1/desktop/*` on the wire."""

from belljar.wire.desktop.accessibility import AccessibilityTree, AccessibleNode, Bounds
from belljar.wire.desktop.applications import LaunchApp, LaunchedApp, OpenedTarget, OpenTarget
from belljar.wire.desktop.clipboard import Clipboard, ClipboardFormat, SetClipboard
from belljar.wire.desktop.keyboard import HoldKey, KeyModifiers, PressKey, TypeText
from belljar.wire.desktop.lifecycle import (
    DesktopProcess,
    DesktopState,
    DesktopStatus,
    DisplayInfo,
    DisplayMode,
    LastError,
    ResizeDisplay,
    Resolution,
    StartDesktop,
)
from belljar.wire.desktop.mouse import (
    ClickMouse,
    DragMouse,
    MouseButton,
    MouseButtonAction,
    MousePosition,
    MoveMouse,
    ScrollMouse,
)
from belljar.wire.desktop.recording import Recording, RecordingList, RecordingStatus, StartRecording
from belljar.wire.desktop.screenshot import ImageFormat
from belljar.wire.desktop.stream import StreamStatus
from belljar.wire.desktop.windows import ClosedWindow, MoveWindow, ResizeWindow, WindowInfo, WindowList

__all__ = [
    "AccessibilityTree",
    "AccessibleNode",
    "Bounds",
    "ClickMouse",
    "Clipboard",
    "ClipboardFormat",
    "ClosedWindow",
    "DesktopProcess",
    "DesktopState",
    "DesktopStatus",
    "DisplayInfo",
    "DisplayMode",
    "DragMouse",
    "HoldKey",
    "ImageFormat",
    "KeyModifiers",
    "LastError",
    "LaunchApp",
    "LaunchedApp",
    "MouseButton",
    "MouseButtonAction",
    "MousePosition",
    "MoveMouse",
    "MoveWindow",
    "OpenTarget",
    "OpenedTarget",
    "PressKey",
    "Recording",
    "RecordingList",
    "RecordingStatus",
    "ResizeDisplay",
    "ResizeWindow",
    "Resolution",
    "ScrollMouse",
    "SetClipboard",
    "StartDesktop",
    "StartRecording",
    "StreamStatus",
    "TypeText",
    "WindowInfo",
    "WindowList",
]
