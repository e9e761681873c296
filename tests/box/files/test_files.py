"""A box's files over HTTP: streamed, in parts, within its folders, and never over a link that a program laid."""

import base64
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.npm_clients import CLIENTS, NodeClients
from tests.servers import RunningBox, running_box


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        # As root the box's user is another.
        os.chmod(folder, 0o777)
        Path(folder, "given").write_text("hello")
        os.chmod(Path(folder, "given"), 0o644)
        yield Path(folder)


@pytest.fixture(scope="module")
def box(shared: Path) -> Iterator[RunningBox]:
    binds = ("--bind", f"{shared}:/workspace", "--bind", f"{shared}:/workspace/fixed:ro")
    with running_box("--max-upload", "3000000", *binds) as running:
        yield running


@pytest.fixture(scope="module")
def home(box: RunningBox) -> str:
    with box.client() as http:
        return str(http.get("/v1/fs/stat", params={"path": ""}).json()["path"])


def run(http: httpx.Client, script: str) -> str:
    body = {"command": "sh", "args": ["-c", script]}
    outcome = http.post("/v1/processes/run", json=body).json()
    assert outcome["exitCode"] == 0, outcome
    return str(outcome["stdout"])


def put(http: httpx.Client, path: str, content: bytes) -> httpx.Response:
    return http.put("/v1/fs/file", params={"path": path}, content=content)


def get(http: httpx.Client, path: str, **headers: str) -> httpx.Response:
    return http.get("/v1/fs/file", params={"path": path}, headers=headers)


def tar_of(*members: tuple[str, bytes | str | None], kind: bytes | None = None) -> bytes:
    """Files by bytes, links by text, folders by None."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.mode = tarfile.DIRTYPE, 0o755
            elif isinstance(content, str):
                info.type, info.linkname = kind or tarfile.SYMTYPE, content
            else:
                info.size, info.mode = len(content), 0o4755
            tar.addfile(info, io.BytesIO(content) if isinstance(content, bytes) else None)
    return out.getvalue()


@pytest.mark.npm
@pytest.mark.parametrize("client", CLIENTS)
def test_every_file_method_of_the_published_client_works(
    node_clients: NodeClients, box: RunningBox, home: str, client: str
) -> None:
    tar = base64.b64encode(tar_of(("./", None), ("./one", b"1"), ("sub", None), ("sub/two", b"2"))).decode()
    assert "every file method works" in node_clients.run("files.mjs", box, client=client, TAR=tar, HOME_PATH=home)


@pytest.mark.parametrize(
    ("asked", "status", "content", "told"),
    [
        ("bytes=2-4", 206, b"cde", "bytes 2-4/10"),
        ("bytes=7-", 206, b"hij", "bytes 7-9/10"),
        ("bytes=-3", 206, b"hij", "bytes 7-9/10"),
        ("bytes=-30", 206, b"abcdefghij", "bytes 0-9/10"),
        ("bytes=8-99", 206, b"ij", "bytes 8-9/10"),
        ("bytes=10-", 416, None, "bytes */10"),
        ("bytes=-0", 416, None, "bytes */10"),
        ("bytes=0-1,4-5", 200, b"abcdefghij", None),
        ("bytes=5-2", 200, b"abcdefghij", None),
        ("lines=1-2", 200, b"abcdefghij", None),
    ],
)
def test_a_part_of_a_file_is_served(
    http: httpx.Client, asked: str, status: int, content: bytes | None, told: str | None
) -> None:
    put(http, "ten", b"abcdefghij")
    answer = get(http, "ten", Range=asked)
    assert (answer.status_code, answer.headers.get("content-range")) == (status, told)
    if content is None:
        assert answer.json()["code"] == "range_not_satisfiable"
    else:
        assert answer.content == content and answer.headers["x-content-type-options"] == "nosniff"


def test_a_part_of_a_file_that_changed_meanwhile_is_the_whole_new_one(http: httpx.Client) -> None:
    put(http, "changing", b"first")
    tag = get(http, "changing").headers["etag"]
    assert get(http, "changing", **{"Range": "bytes=1-2", "If-Range": tag}).content == b"ir"
    put(http, "changing", b"second one")
    assert get(http, "changing", **{"Range": "bytes=1-2", "If-Range": tag}).content == b"second one"


def test_a_file_is_replaced_whole_and_keeps_its_mode(http: httpx.Client, home: str) -> None:
    run(http, f"echo 'echo old' > {home}/script; chmod 750 {home}/script")
    with http.stream("GET", "/v1/fs/file", params={"path": "script"}):
        assert put(http, "script", b"echo new").status_code == 200
    assert run(http, f"{home}/script; stat -c %a {home}/script").split() == ["new", "750"]


def test_a_body_over_the_limit_leaves_nothing(http: httpx.Client) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(8):
            yield bytes(500_000)

    put(http, "kept/file", b"old")
    answer = http.put("/v1/fs/file", params={"path": "kept/file"}, content=endless())
    assert answer.status_code == 413
    assert get(http, "kept/file").content == b"old"
    listed = http.get("/v1/fs/entries", params={"path": "kept"}).json()
    assert [entry["name"] for entry in listed] == ["file"]


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/",
        "/root/x",
        "/home/box/../../etc/passwd",
        "/proc/self/environ",
        "/home/boxer/x",
        "//etc/passwd",
    ],
)
def test_other_folders_are_out_of_reach(http: httpx.Client, path: str) -> None:
    for answer in (
        get(http, path),
        put(http, path, b"x"),
        http.get("/v1/fs/stat", params={"path": path}),
        http.get("/v1/fs/entries", params={"path": path}),
        http.post("/v1/fs/mkdir", params={"path": path}),
        http.delete("/v1/fs/entry", params={"path": path, "recursive": True}),
        http.post("/v1/fs/move", json={"from": path, "to": "stolen"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")


@pytest.mark.parametrize("path", ["../x", "a/../../x", "nul\0", "line\nend"])
def test_what_is_no_path_is_refused(http: httpx.Client, path: str) -> None:
    assert get(http, path).status_code == 400


def test_links_are_neither_followed_nor_written_through(http: httpx.Client, home: str) -> None:
    run(http, f"cd {home}; ln -sfn /etc/passwd link; ln -sfn /etc away; ln -sfn /proc/1/root magic; mkfifo -m 666 pipe")
    for path in ("link", "away/passwd", "magic/etc/passwd"):
        assert get(http, path).status_code == 403
    assert get(http, "pipe").json()["reason"] == "not_a_file"
    assert http.get("/v1/fs/entries", params={"path": "away"}).json()["reason"] == "not_a_directory"
    assert put(http, "away/x", b"x").json()["reason"] == "not_a_directory"
    assert http.post("/v1/fs/mkdir", params={"path": "away/x"}).json()["reason"] == "not_a_directory"
    # The link itself is replaced and removed, not what it leads to.
    assert put(http, "link", b"own").status_code == 200
    assert get(http, "link").content == b"own" and "root" in Path("/etc/passwd").read_text()
    assert http.delete("/v1/fs/entry", params={"path": "away", "recursive": True}).status_code == 200
    assert Path("/etc/passwd").exists()


def test_what_others_own_is_not_readable_by_way_of_us(http: httpx.Client, home: str) -> None:
    """As root: the box's own rights count, not the server's."""
    run(http, f"echo secret > {home}/closed; chmod 000 {home}/closed")
    assert get(http, "closed").status_code == 403
    assert put(http, "closed", b"x").status_code == 200


def test_a_folder_is_removed_however_deep_and_closed_it_is(http: httpx.Client, home: str) -> None:
    deep = "import os\nfor n in range(3000): os.mkdir('d'); os.chdir('d')\nos.mkdir('e')\nos.chmod('../d', 0)"
    run(http, f'mkdir -p {home}/tree && cd {home}/tree && python3 -c "{deep}" && mkdir x && chmod 0 x')
    answer = http.delete("/v1/fs/entry", params={"path": "tree", "recursive": True})
    assert answer.status_code == 200
    assert http.get("/v1/fs/stat", params={"path": "tree"}).json()["reason"] == "not_found"


def test_the_folders_themselves_stay(http: httpx.Client, home: str) -> None:
    for path in (home, "", "/workspace"):
        answer = http.delete("/v1/fs/entry", params={"path": path, "recursive": True})
        assert answer.status_code == 403


def test_a_shared_folder_is_used_as_told(http: httpx.Client, shared: Path) -> None:
    assert get(http, "/workspace/given").content == b"hello"
    assert put(http, "/workspace/new/file", b"there").status_code == 200
    assert (shared / "new/file").read_bytes() == b"there"
    assert (shared / "new/file").stat().st_uid == shared.stat().st_uid
    assert get(http, "/workspace/fixed/given").content == b"hello"
    for answer in (
        put(http, "/workspace/fixed/x", b"x"),
        http.delete("/v1/fs/entry", params={"path": "/workspace/fixed/given"}),
        http.post("/v1/fs/move", json={"from": "/workspace/fixed/given", "to": "mine"}),
    ):
        assert answer.status_code == 403
    # To another owner's folder: carried over, not renamed.
    put(http, "carried", b"content")
    assert http.post("/v1/fs/move", json={"from": "carried", "to": "/workspace/carried"}).status_code == 200
    assert (shared / "carried").read_bytes() == b"content"
    assert http.get("/v1/fs/stat", params={"path": "carried"}).status_code == 400


def unpack(http: httpx.Client, tar: bytes, path: str) -> httpx.Response:
    return http.post(
        "/v1/fs/upload-batch", params={"path": path}, content=tar, headers={"Content-Type": "application/x-tar"}
    )


def test_an_archive_brings_files_modes_and_links(http: httpx.Client, home: str) -> None:
    tar = tar_of(("bin/tool", b"echo ran"), ("bin/same", "tool"), ("empty", None))
    assert unpack(http, tar, "kit").json() == {
        "paths": [f"{home}/kit/bin/tool", f"{home}/kit/bin/same", f"{home}/kit/empty"],
        "truncated": False,
    }
    assert run(http, f"{home}/kit/bin/same; stat -c %a {home}/kit/bin/tool").split() == ["ran", "755"]


@pytest.mark.parametrize(
    "tar",
    [
        tar_of(("good", b"x"), ("../bad", b"x")),
        tar_of(("good", b"x"), ("/etc/bad", b"x")),
        tar_of(("good", b"x"), ("device", "x"), kind=tarfile.CHRTYPE),
    ],
    ids=["climbing", "absolute", "device"],
)
def test_an_archive_with_bad_names_is_refused_whole(http: httpx.Client, tar: bytes) -> None:
    assert unpack(http, tar, "refused").status_code == 400
    assert http.get("/v1/fs/stat", params={"path": "refused"}).json()["reason"] == "not_found"


def test_an_archive_cannot_write_through_a_link_it_brought(http: httpx.Client) -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as outside:
        os.chmod(outside, 0o777)
        answer = unpack(http, tar_of(("way", outside), ("way/file", b"x")), "sly")
        assert answer.status_code == 400 and os.listdir(outside) == []


def test_only_an_archive_is_unpacked(http: httpx.Client) -> None:
    answer = http.post("/v1/fs/upload-batch", content=b"x", headers={"Content-Type": "application/zip"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_names_that_are_no_text_are_listed_all_the_same(http: httpx.Client, home: str) -> None:
    run(http, f"mkdir -p {home}/odd && touch \"$(printf '{home}/odd/\\377')\"")
    listed: list[dict[str, Any]] = http.get("/v1/fs/entries", params={"path": "odd"}).json()
    assert [entry["name"] for entry in listed] == ["\ufffd"]
