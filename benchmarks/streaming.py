"""What the streaming benchmarks share: a page that draws its clock, the box that shows it, processor time by process.

The page draws its clock as a row of black and white blocks in every frame, in Gray code, and beside it a block that
each press of the mouse turns over: who decodes a picture reads there how old it is, and whether the press is in it.
"""

import os
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx

from benchmarks.figures import percentile
from benchmarks.live import rest, script
from tests.servers import RunningBox, running_box

# Seconds of a window in which frames, bits and processor time are counted.
WINDOW = 3.0
_HTML = """<!doctype html><style>body { margin: 0; overflow: hidden } pre { margin: 60px 0 0; font-size: 15px }
canvas { position: absolute; top: 0; left: 0 }
#box { position: absolute; width: 160px; height: 160px; background: #c33 }
</style><canvas id=clock width=680 height=40></canvas><pre id=text></pre><div id=box></div><script>
let frame = 0, going = false, pressed = false;
const context = clock.getContext("2d");
function block(at, isWhite) {
  context.fillStyle = isWhite ? "#fff" : "#000";
  context.fillRect(at * 40, 0, 40, 40);
}
function step() {
  if (!going) return;
  frame++;
  box.style.transform = `translate(${(frame * 7) % 1120}px, ${60 + (frame * 3) % 480}px)`;
  text.textContent = Array.from({ length: 30 }, (_, row) =>
    `${row + frame} the quick brown fox ${(row * frame) % 9973}`).join("\\n");
  const now = Math.floor(performance.timeOrigin + performance.now()) % 65536, gray = now ^ (now >> 1);
  for (let bit = 0; bit < 16; bit++) block(bit, gray >> bit & 1);
  requestAnimationFrame(step);
}
addEventListener("mousedown", () => block(16, (pressed = !pressed)));
function go() { if (!going) { going = true; step() } return frame }
function halt() { going = false; return frame }
</script>"""
PAGE = "data:text/html;base64," + b64encode(_HTML.encode()).decode()
START = {"kiosk": True, "width": 1280, "height": 720, "webrtcPortRange": "59300-59399"}


@contextmanager
def source(*flags: str, **start: object) -> Iterator[RunningBox]:
    """A box that shows the page, still until it is told to go.  Without a jail, which nobody else here has."""
    with running_box("--jail", "off", *flags) as box:
        rest(box, "/v1/browser/start", START | start)
        rest(box, "/v1/browser/navigate", {"url": PAGE})
        yield box


def film(box: RunningBox) -> None:
    rest(box, "/v1/desktop/recording/start", {"fps": 30})


def end_film(box: RunningBox) -> None:
    httpx.post(box.url + "/v1/desktop/recording/stop", headers=box.headers, timeout=60).raise_for_status()


def drawn(box: RunningBox) -> tuple[int, float]:
    """Frames that the page has drawn by now, and its clock, in seconds."""
    frames, milliseconds = script(box, "[frame, performance.now()]")
    return int(frames), milliseconds / 1000


# What a process is called here, by what its command line has; the first that fits.
PARTS: Mapping[bytes, str] = {
    b"belljar.video.program": "streamer",
    b"recording/encoder.py": "film",
    b"Xvfb": "Xvfb",
    b"chromium": "Chromium",
    b"pulseaudio": "sound",
}


def processors(roots: Mapping[int, str | None]) -> dict[str, float]:
    """Seconds of processor time of these processes and all below them, by name; None has those of a box told apart."""
    below = _children()
    used: dict[str, float] = {}
    for root, name in roots.items():
        waiting = [root]
        while waiting:
            pid = waiting.pop()
            waiting += below.get(pid, [])
            part = name or ("server" if pid == root else _part(pid))
            used[part] = used.get(part, 0.0) + _seconds(pid)
    return used


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        found.setdefault(parent, []).append(int(stat.parent.name))
    return found


def _part(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return "others"
    return next((name for words, name in PARTS.items() if words in command), "others")


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spent(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Between two looks; what has ended meanwhile took nothing."""
    return {name: max(0.0, seconds - before.get(name, 0.0)) for name, seconds in after.items()}


@dataclass
class Seen:
    """What several windows came to, of one contender."""

    seconds: float = 0.0
    frames: int = 0
    # Frames that the page drew, in so many seconds by its own clock.
    drawn: int = 0
    page_seconds: float = 0.0
    bits: float = 0.0
    # In milliseconds, from the page's clock to the decoded picture, and from a press to the picture that has it.
    delays: list[float] = field(default_factory=list)
    clicks: list[float] = field(default_factory=list)
    processors: dict[str, float] = field(default_factory=dict)

    def use(self, used: Mapping[str, float]) -> None:
        for name, seconds in used.items():
            self.processors[name] = self.processors.get(name, 0.0) + seconds

    def draw(self, before: tuple[int, float], after: tuple[int, float]) -> int:
        self.drawn += after[0] - before[0]
        self.page_seconds += after[1] - before[1]
        return after[0] - before[0]

    @property
    def fps(self) -> float:
        return self.frames / self.seconds

    @property
    def page_fps(self) -> float:
        return self.drawn / self.page_seconds

    def share(self, *parts: str) -> float:
        """Of one core, in per cent."""
        return sum(self.processors.get(part, 0.0) for part in parts) / self.seconds * 100

    def words(self) -> str:
        said = [] if not self.frames else [f"{self.fps:.1f} fps"]
        said += [f"{what} {_pair(of)} ms" for what, of in (("glass", self.delays), ("click", self.clicks)) if of]
        said += [f"{self.bits / self.seconds / 1e6:.2f} Mb/s"] if self.bits else []
        said += [f"{name} {self.share(name):.1f} %" for name in sorted(self.processors) if self.share(name) >= 0.1]
        own = self.share("server", "streamer", "film")
        if self.frames and own >= 1:
            said.append(f"own {own / self.fps * 10:.2f} ms a frame")
        return " · ".join([*said, f"page {self.page_fps:.1f} fps"])


def _pair(of: list[float]) -> str:
    return f"{percentile(of, 0.5):.0f}/{percentile(of, 0.95):.0f}"


def verdict(is_met: bool, found: str) -> str:
    """One line about what must be shown."""
    return f"{'met' if is_met else 'MISSED'}: {found}"
