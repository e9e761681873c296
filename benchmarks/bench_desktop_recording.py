"""What recording costs: 1280 x 720 at 30 frames a second of a page that moves all the time.

The processor time of the server and its encoder, as parts of one core, and the frames that arrived in the film.
There is nothing to take turns with; the reference's ffmpeg is measured in the same way afterwards, where it is there.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import av
from rich.console import Console

from belljar.dependencies import find_chromium
from benchmarks.bench_desktop import Server
from benchmarks.harness import Unavailable
from benchmarks.reference import running_reference
from tests.servers import running_box

SECONDS = 10
PAGE = "data:text/html," + quote("""<body style="margin:0;overflow:hidden;font:20px sans-serif"><div id=d></div><script>
d.innerHTML=[...Array(400)].map((_,i)=>`<p>line ${i} of a text that scrolls by</p>`).join('');
requestAnimationFrame(function f(t){d.style.transform=`translateY(${-t/4%4000}px)`;
document.body.style.background=`hsl(${t/30%360},60%,80%)`;requestAnimationFrame(f)})</script>""")

console = Console()


def processes_below(pid: int) -> Iterator[tuple[int, str]]:
    """Every process below `pid`, with its command line."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    for child in parents:
        above = child
        while above in parents and above != pid:
            above = parents[above]
        if above == pid:
            yield child, Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")


def cpu_seconds(pids: list[int]) -> float:
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def film(port: int, server_pid: int, encoder: str) -> tuple[float, float]:
    """The part of a core used while filming, and the frames a second in the film."""
    server = Server(port)
    server.call("POST", "start", {"width": 1280, "height": 720, "displayNum": 300})
    with tempfile.TemporaryDirectory(prefix="belljar-bench-", ignore_cleanup_errors=True) as profile:
        os.chmod(profile, 0o777)
        flags = ["--no-sandbox", "--no-first-run", "--disable-gpu", "--start-maximized", f"--user-data-dir={profile}/p"]
        server.call("POST", "launch", {"app": str(find_chromium()), "args": [*flags, PAGE], "wait": True})
        time.sleep(3)
        recording = json.loads(server.call("POST", "recording/start", {"fps": 30}))
        time.sleep(1)
        pids = [server_pid, *(pid for pid, line in processes_below(server_pid) if encoder in line)]
        before, began = cpu_seconds(pids), time.monotonic()
        time.sleep(SECONDS)
        used = (cpu_seconds(pids) - before) / (time.monotonic() - began)
        server.call("POST", "recording/stop")
        data = server.call("GET", f"recordings/{recording['id']}/download")
        server.call("POST", "stop")
    with av.open(BytesIO(data), "r") as file:
        frames = [frame.time for frame in file.decode(video=0) if frame.time is not None]
    return used, (len(frames) - 1) / (frames[-1] - frames[0])


def main() -> None:
    with running_box("--log-level", "warning", "--jail", "off") as box:
        used, fps = film(box.port, box.process.pid, "encoder.py")
    console.print(f"belljar: {used:.0%} of one core, {fps:.1f} frames a second")
    if "--alone" in sys.argv or shutil.which("ffmpeg") is None:
        return
    try:
        with running_reference() as port:
            pid = next(int(f.name) for f in Path("/proc").glob("[0-9]*") if _listens(f, port))
            used, fps = film(port, pid, "ffmpeg")
        console.print(f"reference: {used:.0%} of one core, {fps:.1f} frames a second")
    except Unavailable as lacking:
        console.print(f"reference: {lacking}")


def _listens(folder: Path, port: int) -> bool:
    try:
        line = (folder / "cmdline").read_text()
    except OSError:
        return False
    return "sandbox-agent" in line.partition("\0")[0] and f"\0{port}\0" in line


if __name__ == "__main__":
    main()
