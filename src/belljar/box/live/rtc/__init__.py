"""The display by WebRTC, for clients that speak Neko's protocol."""

from belljar.box.live.rtc.ports import PortSettings
from belljar.box.live.rtc.session import NekoSession
from belljar.box.live.rtc.streaming import Streaming, open_streaming

__all__ = ["NekoSession", "PortSettings", "Streaming", "open_streaming"]
