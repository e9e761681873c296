"""Files given to pages: by path, as multipart, through choosers; and those that may not be given."""

from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.servers import RunningBox, running_box
from tests.site import Site


def seen(api: httpx.Client) -> list[Any]:
    result: list[Any] = api.post("/v1/browser/execute", json={"expression": "seen"}).json()["result"]
    return [one for one in result if str(one).startswith("files")]


@pytest.fixture
def directories(api: httpx.Client, site: Site) -> dict[str, Path]:
    """The page with the inputs is open."""
    api.post("/v1/browser/navigate", json={"url": site.url("acting/leaving.html")}).raise_for_status()
    return {name: Path(path) for name, path in api.get("/v1/browser/status").json()["directories"].items()}


@pytest.mark.parametrize("selector", ["#file", "#file-label"])
def test_a_file_of_the_box_is_given_by_its_path(api: httpx.Client, directories: dict[str, Path], selector: str) -> None:
    (directories["home"] / "a.txt").write_text("hello")
    answer = api.post("/v1/browser/upload", json={"selector": selector, "path": str(directories["home"] / "a.txt")})
    assert answer.status_code == 200, answer.text
    assert seen(api) == ["files:a.txt=5"]


def test_several_files_go_through_the_button_that_asks_for_them(
    api: httpx.Client, directories: dict[str, Path]
) -> None:
    (directories["uploads"] / "b.txt").write_text("b")
    (directories["downloads"] / "c.txt").write_text("cc")
    answer = api.post("/v1/browser/upload", json={"selector": "#chooser", "paths": ["b.txt", "c.txt"]})
    assert answer.status_code == 200, answer.text
    assert seen(api) == ["files:b.txt=1,c.txt=2"]


def test_a_click_that_asks_for_files_says_so_and_the_next_upload_answers(
    api: httpx.Client, directories: dict[str, Path]
) -> None:
    (directories["home"] / "d.txt").write_text("d")
    clicked = api.post("/v1/browser/click", json={"selector": "#chooser"}).json()
    assert clicked == {"ok": True, "fileChooser": {"multiple": True}}
    assert api.post("/v1/browser/upload", json={"path": "d.txt"}).status_code == 200
    assert seen(api) == ["files:d.txt=1"]
    again = api.post("/v1/browser/upload", json={"path": "d.txt"})
    assert (again.status_code, again.json()["code"]) == (409, "chooser_not_open")


def test_files_are_sent_along(api: httpx.Client, directories: dict[str, Path]) -> None:
    big = b"x" * 12_000_000
    files = [("file", ("../../big ü.bin", big)), ("file", ("big ü.bin", b"2"))]
    answer = api.post("/v1/browser/upload", data={"selector": "#chooser"}, files=files)
    assert answer.status_code == 200, answer.text
    assert seen(api) == ["files:big ü.bin=12000000,big ü.bin=1"]
    assert all(Path(path).is_relative_to(directories["uploads"]) for path in answer.json()["files"])


@pytest.mark.parametrize("path", ["/etc/passwd", "nowhere.txt", "../../../etc/passwd", "link", "\0"])
def test_other_files_are_not_found(api: httpx.Client, directories: dict[str, Path], path: str) -> None:
    link = directories["home"] / "link"
    if not link.is_symlink():
        link.symlink_to("/etc/passwd")
    answer = api.post("/v1/browser/upload", json={"selector": "#file", "path": path})
    assert (answer.status_code, answer.json()["code"]) == (404, "file_not_found")
    assert seen(api) == []


def test_what_takes_one_file_is_not_given_two(api: httpx.Client, directories: dict[str, Path]) -> None:
    (directories["home"] / "e.txt").write_text("e")
    answer = api.post("/v1/browser/upload", json={"selector": "#file", "paths": ["e.txt", "e.txt"]})
    assert answer.status_code == 400
    assert seen(api) == []


def test_what_asks_for_no_files_is_refused(api: httpx.Client, directories: dict[str, Path]) -> None:
    (directories["home"] / "f.txt").write_text("f")
    answer = api.post("/v1/browser/upload", json={"selector": "#hash", "path": "f.txt"})
    assert (answer.status_code, answer.json()["code"]) == (409, "chooser_not_open")


@pytest.mark.parametrize(
    ("send", "status"),
    [
        ({"json": {"selector": "#file"}}, 422),
        ({"json": [1]}, 422),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "text/plain"}}, 415),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400),
        ({"content": b"--x\r\nnonsense", "headers": {"Content-Type": "multipart/form-data; boundary=x"}}, 400),
        ({"content": b"a" * 11_000_000, "headers": {"Content-Type": "application/json"}}, 413),
        ({"data": {"selector": "#file"}, "files": [("file", ("a" * 5000, b"x"))]}, 400),
    ],
)
def test_bad_bodies(api: httpx.Client, directories: dict[str, Path], send: dict[str, Any], status: int) -> None:
    answer = api.post("/v1/browser/upload", **send)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_limit_is_one_of_its_own() -> None:
    with running_box("--max-upload", "1000000") as box, box.client() as client:
        refused = client.post("/v1/browser/upload", files=[("file", ("a", b"x" * 1_100_000))])
        assert refused.status_code == 413
        assert client.post("/v1/browser/upload", files=[("file", ("a", b"x"))]).status_code == 409


def test_nothing_is_left_of_a_refused_upload(box_with_browser: RunningBox, directories: dict[str, Path]) -> None:
    before = len(list(directories["uploads"].iterdir()))
    with box_with_browser.client() as client:
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'
        assert client.post("/v1/browser/upload", content=body, headers=headers).status_code == 400
    assert len(list(directories["uploads"].iterdir())) == before
