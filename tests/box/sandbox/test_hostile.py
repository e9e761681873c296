"""Hostile programs in a jail, as they find it: what they cannot read, reach, use up, nor outlive."""

import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.processes import eventually, marked, new_mark
from tests.servers import TOKEN, RunningBox, running_box

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: nothing is known about the jail")


@pytest.fixture(scope="module")
def jailed() -> Iterator[RunningBox]:
    with running_box(
        "--jail",
        "require",
        "--egress",
        "public",
        "--max-memory",
        "512M",
        "--max-processes",
        "256",
        "--max-disk",
        "256M",
    ) as box:
        yield box


@pytest.fixture
def http(jailed: RunningBox) -> Iterator[httpx.Client]:
    with jailed.client() as client:
        yield client


def run(http: httpx.Client, script: str, program: str = "bash", timeout: int = 20_000) -> dict[str, Any]:
    body = {"command": program, "args": ["-c", script], "timeoutMs": timeout}
    outcome: dict[str, Any] = http.post("/v1/processes/run", json=body).json()
    return outcome


def test_health_says_what_holds(http: httpx.Client) -> None:
    isolation = http.get("/v1/health").json()["isolation"]
    assert isolation["jail"] is True and isolation["network"] == "namespace" and isolation["egress"] == "public"
    assert "reason" not in isolation


def test_it_has_no_rights_and_a_filter(http: httpx.Client) -> None:
    status = dict(
        line.split(":\t", 1) for line in run(http, "cat /proc/self/status")["stdout"].splitlines() if ":\t" in line
    )
    assert status["Uid"].split() == ["1000"] * 4
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0000000000000000"}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_it_sees_itself_alone(http: httpx.Client) -> None:
    pids = run(http, "ls /proc | grep -E '^[0-9]+$'")["stdout"].split()
    assert len(pids) < 10 and pids[0] == "1"
    assert run(http, "hostname; id -un; cat /etc/hostname")["stdout"].split() == ["box", "box", "box"]


@pytest.mark.parametrize(
    "path",
    ["/etc/shadow", "/root", "/sys", "/etc/ssh", "/run/belljar/uids", "/home/box/../../root",
     "/boot", "/proc/1/environ", "/proc/1/fd", "/proc/1/mem", "/proc/1/root/etc", "/srv", "/mnt"],
)  # fmt: skip
def test_it_cannot_look_there(http: httpx.Client, path: str) -> None:
    outcome = run(http, f"cat {path} || ls {path}/")
    assert outcome["exitCode"] != 0 and outcome["stdout"] == ""


def test_it_sees_nothing_of_the_state_that_servers_keep(http: httpx.Client) -> None:
    """Where the box's own is, as in a container, its saved profiles are all that is there."""
    found = run(http, "find /var/lib/belljar -mindepth 1")["stdout"].split()
    assert set(found) <= {"/var/lib/belljar/browser-contexts"}


def test_it_finds_neither_token_nor_state(http: httpx.Client, jailed: RunningBox) -> None:
    state = jailed.log.parent
    # The saved profiles of this box are its own, and all that is there.
    assert run(http, f"find {state} -mindepth 2")["stdout"].split() == [f"{state}/state/browser-contexts"]
    assert (
        TOKEN
        not in run(http, "cat /proc/*/environ /proc/*/cmdline; env; grep -ra token-for /run /tmp /etc /home")["stdout"]
    )


def test_it_cannot_change_the_system(http: httpx.Client) -> None:
    for path in (
        "/usr/bin/x",
        "/etc/x",
        "/x",
        "/etc/passwd",
        "/run/belljar/starter.py",
        "/etc/chromium/policies/managed/x",
    ):
        assert run(http, f"echo x > {path}")["exitCode"] != 0
    assert run(http, "mount -t tmpfs x /tmp; umount /proc; chroot / true")["exitCode"] != 0
    assert run(http, "unshare -Urm mount -t tmpfs x /mnt")["exitCode"] != 0


def test_whatever_it_can_write_to_has_a_size(http: httpx.Client) -> None:
    """A tmpfs without one is all of the host's memory."""
    for line in run(http, "cat /proc/self/mountinfo")["stdout"].splitlines():
        before, _, after = line.partition(" - ")
        place, options = before.split()[4:6]
        kind, _, superblock = after.split()
        if kind == "tmpfs" and "rw" in options.split(","):
            assert "size=" in superblock or superblock.startswith("ro"), line
    filling = "for d in /dev /var/tmp /etc /; do head -c 1M /dev/zero > $d/fill && echo wrote $d; mkdir $d/new; done"
    assert run(http, filling)["stdout"] == ""
    assert run(http, "echo x > /dev/null && echo y > /dev/shm/y && head -c 1 /dev/urandom | wc -c")["stdout"] == "1\n"
    terminal = http.post("/v1/processes", json={"command": "tty", "tty": True}).json()
    eventually(lambda: http.get(f"/v1/processes/{terminal['id']}").json().get("exitCode") == 0, "a terminal")


SOCKETS = """
import errno, socket
for family, kind in ((40, 1), (17, 3), (38, 5), (29, 3), (16, 3), (31, 3), (44, 3)):
    try:
        socket.socket(family, kind, 15 if family == 16 else 0)
        print('made', family)
    except OSError as error:
        assert error.errno == errno.EAFNOSUPPORT, error
"""
FULL_DISK = "for d in /dev/shm /tmp ~; do head -c 3G /dev/zero > $d/x; rm $d/x; done"
THREADS = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()"
CALLS = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for number in (250, 321, 323, 425, 298, 165, 308, 428, 442, 304, 175):
    ctypes.set_errno(0)
    assert libc.syscall(number, 0, 0, 0, 0, 0) == -1, number
    assert ctypes.get_errno() in (errno.EPERM, errno.ENOSYS), (number, ctypes.get_errno())
"""


@pytest.mark.parametrize("script", [SOCKETS, pytest.param(CALLS, marks=pytest.mark.skipif(
    os.uname().machine != "x86_64", reason="the numbers are those of x86_64"))])  # fmt: skip
def test_the_kernel_refuses(http: httpx.Client, script: str) -> None:
    outcome = run(http, script, "/usr/bin/python3")
    assert (outcome["exitCode"], outcome["stdout"], outcome["stderr"]) == (0, "", "")


def test_it_reaches_no_socket_of_the_host(http: httpx.Client, jailed: RunningBox) -> None:
    """Neither loopback nor abstract nor by path; and the proxy knows the way to none of them."""
    name = f"\0belljar-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
        tempfile.TemporaryDirectory(prefix="belljar-test-") as folder,
        socket.socket(socket.AF_UNIX) as named,
    ):
        abstract.bind(name)
        abstract.listen()
        os.chmod(folder, 0o755)
        named.bind(f"{folder}/socket")
        os.chmod(f"{folder}/socket", 0o777)
        named.listen()
        reached: list[str] = []
        for sock in (tcp, abstract, named):
            threading.Thread(target=_note, args=(sock, reached), daemon=True).start()
        port = tcp.getsockname()[1]
        script = f"""
import socket, urllib.request
tcp = [(2, ('127.0.0.1', {port})), (2, ('127.0.0.1', {jailed.port}))]
for family, address in (*tcp, (1, '\\0' + {name[1:]!r}), (1, '{folder}/socket')):
    try:
        socket.socket(family).connect(address)
        print('reached', address)
    except OSError:
        pass
"""
        assert run(http, script, "/usr/bin/python3")["stdout"] == ""
        for flags in ("", "-p", "--socks5-hostname 127.0.0.1:3128"):
            out = run(http, f"curl -s -m 5 --noproxy '' -x http://127.0.0.1:3128 {flags} http://127.0.0.1:{port}/")
            assert out["stdout"] == "" or "not allowed" in out["stdout"]
        assert reached == []
        for sock in (tcp, abstract, named):
            sock.shutdown(socket.SHUT_RDWR)


def _note(listener: socket.socket, reached: list[str]) -> None:
    try:
        listener.accept()[0].close()
    except OSError:
        return
    reached.append(str(listener.getsockname()))


def test_it_cannot_end_nor_trace_the_first_process(http: httpx.Client) -> None:
    run(http, "kill -9 1; kill -STOP 1; kill -TERM 1")
    assert run(http, "echo still")["stdout"] == "still\n"
    trace = "import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))"
    assert run(http, trace, "/usr/bin/python3")["stdout"].strip() == "-1"


@pytest.mark.parametrize(
    ("what", "script", "program"),
    [
        ("fork bomb", "f() { f | f & }; f; sleep 3", "bash"),
        ("memory hog", "a = [bytearray(1 << 20) for _ in range(4096)]", "/usr/bin/python3"),
        ("full disk", FULL_DISK, "bash"),
        ("descriptors", "import os\nwhile True: os.dup(1)", "/usr/bin/python3"),
        ("threads", THREADS, "/usr/bin/python3"),
    ],
    ids=lambda value: value if " " not in value or len(value) < 15 else "",
)  # fmt: skip
def test_using_everything_up_leaves_the_server_and_other_boxes_answering(
    http: httpx.Client, second: httpx.Client, what: str, script: str, program: str
) -> None:
    run(http, script, program, timeout=5_000)
    assert second.get("/v1/health").status_code == 200
    assert run(second, "echo other")["stdout"] == "other\n"
    assert http.get("/v1/health").status_code == 200
    eventually(lambda: run(http, "echo again").get("stdout") == "again\n", f"a process after the {what}")


@pytest.fixture(scope="module")
def second() -> Iterator[httpx.Client]:
    with running_box("--jail", "require") as box, box.client() as client:
        yield client


def test_two_boxes_see_nothing_of_each_other(http: httpx.Client, second: httpx.Client) -> None:
    marker = f"sleep 77{os.getpid()}"
    run(http, f"echo secret > /home/box/secret; echo secret > /tmp/secret; ({marker} >/dev/null 2>&1 &)")
    found = run(second, "find /home /tmp /run -name secret 2>/dev/null; cat /home/box/secret /tmp/secret")
    assert found["stdout"].strip() == ""
    assert marker not in run(second, "cat /proc/*/cmdline | tr '\\0' ' '")["stdout"]
    if os.geteuid() == 0:
        uids = {client.get("/v1/health").json()["isolation"]["uid"] for client in (http, second)}
        assert len(uids) == 2 and 0 not in uids


def test_nothing_outlives_the_box() -> None:
    mark = new_mark()
    escape = (
        "trap '' TERM HUP INT; setsid setsid sleep 600 & (setsid sleep 600 &) ; nohup sleep 600 & disown; sleep 600"
    )
    with running_box("--jail", "require") as box, box.client() as http:
        http.post("/v1/processes", json={"command": "bash", "args": ["-c", escape], "env": mark})
        eventually(lambda: len(marked(mark)) >= 4, "all of them")
        box.process.kill()
        box.process.wait(20)
        eventually(lambda: not marked(mark), "the end of all")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a disk of a given size")
def test_a_disk_of_a_given_size_is_enforced_and_goes_with_its_box() -> None:
    def loops() -> list[str]:
        return [path.read_text() for path in Path("/sys/block").glob("loop*/loop/backing_file")]

    with running_box("--jail", "require", "--max-disk", "96M") as box, box.client() as http:
        assert http.get("/v1/health").json()["isolation"]["diskLimit"] == "image"
        assert "No space left" in run(http, "head -c 200M /dev/zero > /home/box/fill")["stderr"]
        full = http.put("/v1/fs/file", params={"path": "more"}, content=bytes(1 << 20))
        assert (full.status_code, full.json()["code"]) == (507, "disk_full")
        assert http.delete("/v1/fs/entry", params={"path": "fill"}).status_code == 200
        assert http.put("/v1/fs/file", params={"path": "more"}, content=bytes(1 << 20)).status_code == 200
        ours = [line for line in loops() if str(box.log.parent) in line]
        assert len(ours) == 1 and "belljar-box" not in Path("/proc/mounts").read_text()
        # However it ends.
        box.process.kill()
        box.process.wait(20)
        eventually(lambda: not [line for line in loops() if line in ours], "the end of the disk")


def test_a_shared_folder_is_shared_as_told() -> None:
    """Also one that nobody but its owner can reach: as root the box's user could not by itself."""
    home = Path(tempfile.gettempdir()) if os.geteuid() else Path.home()
    with tempfile.TemporaryDirectory(prefix="belljar-test-", dir=home) as folder:
        Path(folder, "given").write_text("hello")
        os.chmod(Path(folder, "given"), 0o600)
        binds = ("--bind", f"{folder}:/workspace", "--bind", f"{folder}:/workspace/fixed:ro")
        with running_box("--jail", "require", *binds) as box, box.client() as http:
            assert run(http, "cat /workspace/given; echo back > /workspace/back")["stdout"] == "hello"
            assert run(http, "echo x > /workspace/fixed/x")["exitCode"] != 0
            assert run(http, "cp /bin/true /workspace/tool; chmod 4755 /workspace/tool")["exitCode"] != 0
            assert run(http, "stat -c %u /workspace/given /home/box")["stdout"].split() == ["1000", "1000"]
        assert Path(folder, "back").read_text() == "back\n"
        found = Path(folder, "tool").stat()
        assert found.st_uid == os.geteuid() and found.st_mode & 0o6000 == 0


SET_ID = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
os.chdir('/home/box')
made = os.open('plain', os.O_CREAT | os.O_RDWR, 0o755)
for name, *args in (('chmod', b'plain', 0o4755), ('fchmod', made, 0o2755), ('fchmodat', -100, b'plain', 0o6755, 0),
                    ('creat', b'x1', 0o4755), ('open', b'x2', os.O_CREAT | os.O_RDWR, 0o4755),
                    ('openat', -100, b'x3', os.O_CREAT | os.O_RDWR, 0o2755),
                    ('openat', -100, b'.', os.O_TMPFILE | os.O_RDWR, 0o4755), ('mknod', b'x4', 0o104755, 0)):
    ctypes.set_errno(0)
    assert getattr(libc, name)(*args) == -1 and ctypes.get_errno() == 1, name
for number, *args in ((452, -100, b'plain', 0o4755, 0), (437, -100, b'plain', 0, 0)):
    assert libc.syscall(number, *args) == -1, number
assert os.stat('plain').st_mode & 0o7777 == 0o755
assert open('plain').read() == ''
"""


def test_it_makes_no_program_that_runs_as_somebody_else(http: httpx.Client) -> None:
    outcome = run(http, SET_ID, "/usr/bin/python3")
    assert (outcome["exitCode"], outcome["stderr"]) == (0, "")


def test_the_browser_is_adequately_sandboxed(http: httpx.Client) -> None:
    assert http.post("/v1/browser/start", json={"headless": False}).status_code == 200
    assert http.post("/v1/browser/navigate", json={"url": "chrome://sandbox"}).status_code == 200
    text = http.post("/v1/browser/execute", json={"expression": "document.body.innerText"}).json()["result"]
    assert "You are adequately sandboxed." in text
    script = "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; grep Seccomp: $p/status; done"
    lines = run(http, script)["stdout"].splitlines()
    for kind in ("--type=renderer", "--type=gpu-process", "network.mojom.NetworkService"):
        found = [line for line in lines if kind in line]
        assert found and all(line.split()[-1] == "2" for line in found), kind
    assert "--no-sandbox" not in "".join(lines)
