"""FFmpeg and WebRTC are the streamer's: the server loads neither, whatever it imports."""

import subprocess
import sys


def test_the_server_loads_neither_ffmpeg_nor_webrtc() -> None:
    look = "import sys, belljar.box.app; print([n for n in ('av', 'aiortc', 'aioice') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "[]"
