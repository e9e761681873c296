"""Forty secrets, planted wherever a session meets one: at the default level none is in the record, or an export."""

import base64
import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from belljar.record.segments import segments
from belljar.wire.record import ExportFormat
from tests.box.live.client import watching
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

PAGE = """<title>{0}</title><input id=name><input id=secret type=password><input id=file type=file><p>{1}</p>
<select id=choice><option>none</option><option value="{2}">{2}</option></select>
<div id=box data-user="{3}">there</div>"""


def secret(number: int) -> str:
    """No word of any other text, and nothing that looks like a token: only its place can give it away."""
    return f"pLanTed{number:02}wOrd"


class Session:
    def __init__(self, box: RunningBox, http: httpx.Client, site: Site) -> None:
        self.box = box
        self.http = http
        self.site = site

    def post(self, path: str, body: dict[str, Any], expected: int = 200, **options: Any) -> Any:
        answer = self.http.post(path, json=body, **options)
        assert answer.status_code == expected, f"{path}: {answer.text}"
        return answer

    def run(self, script: str) -> Any:
        return self.post("/v1/browser/execute", {"expression": script, "awaitPromise": True})

    def goto(self, url: str, expected: int = 200) -> Any:
        return self.post("/v1/browser/navigate", {"url": url}, expected)

    def page(self, *filled: str) -> Any:
        self.goto(self.site.url("second.html"))
        words = [*filled, *["-"] * (4 - len(filled))]
        return self.run(f"document.documentElement.innerHTML = {json.dumps(PAGE.format(*words))}")


def _live(session: Session, word: str) -> None:
    """By a person: a command, and keys pressed on the page."""
    with watching(session.box) as live:
        live.call("type", selector="#name", text=word)
        for character in word:
            live.key("keydown", character)
            live.key("keyup", character)
        live.value("1")


# Each is done with a session and a secret, and must succeed: a secret that never came anywhere proves nothing.
PLACES: dict[str, Callable[[Session, str], Any]] = {
    "typed text": lambda s, w: s.post("/v1/browser/type", {"selector": "#name", "text": w}),
    "a filled field": lambda s, w: s.post("/v1/browser/fill", {"selector": "#name", "value": w}),
    "a password field": lambda s, w: s.post("/v1/browser/fill", {"selector": "#secret", "value": w}),
    "keys one by one": lambda s, w: [s.post("/v1/browser/press", {"key": key}) for key in w],
    "a script": lambda s, w: s.run(f"void '{w}'"),
    "a script that fails": lambda s, w: s.post("/v1/browser/execute", {"expression": f"throw new Error('{w}')"}, 400),
    "a script's answer": lambda s, w: s.run(f"'{w[:4]}' + '{w[4:]}'"),
    "a console line": lambda s, w: s.run(f"console.log('{w[:4]}' + '{w[4:]}')"),
    "a console error": lambda s, w: s.run(f"console.error(new Error('{w[:4]}' + '{w[4:]}'))"),
    "a title": lambda s, w: s.run(f"document.title = '{w[:4]}' + '{w[4:]}'"),
    "a page's words": lambda s, w: s.page("-", w),
    "a choice": lambda s, w: (s.page("-", "-", w), s.post("/v1/browser/select", {"selector": "#choice", "value": w})),
    "a choice's label": lambda s, w: (
        s.page("-", "-", w),
        s.post("/v1/browser/select", {"selector": "#choice", "label": w}),
    ),
    "a selector's value": lambda s, w: (
        s.page("-", "-", "-", w),
        s.post("/v1/browser/hover", {"selector": f"#box[data-user='{w}']"}),
    ),
    "words that find an element": lambda s, w: (
        s.page("-", w),
        s.post("/v1/browser/hover", {"selector": f"text={w}"}),
    ),
    "words waited for": lambda s, w: (s.page("-", w), s.post("/v1/browser/wait", {"text": w, "timeout": 5000})),
    "a function waited for": lambda s, w: s.post("/v1/browser/wait", {"function": f"'{w}'.length > 0"}),
    "a query": lambda s, w: s.goto(s.site.url(f"second.html?session={w}&page=2")),
    "a query without names": lambda s, w: s.goto(s.site.url(f"second.html?{w}")),
    "a fragment": lambda s, w: s.goto(s.site.url(f"second.html#access_token={w}")),
    "basic auth": lambda s, w: s.goto(s.site.url("second.html").replace("://", f"://ann:{w}@")),
    "a name in an address": lambda s, w: s.goto(s.site.url("second.html").replace("://", f"://{w}@")),
    "an address that is a page": lambda s, w: s.goto(f"data:text/html,<p>{w}"),
    "an address in history": lambda s, w: s.run(f"history.pushState(null, '', '?later={w[:4]}' + '{w[4:]}')"),
    "a cookie": lambda s, w: s.post(
        "/v1/browser/cookies", {"cookies": [{"name": "sid", "value": w, "url": s.site.url()}]}
    ),
    "a cookie by script": lambda s, w: s.run(f"document.cookie = 'k=' + '{w[:4]}' + '{w[4:]}'"),
    "storage": lambda s, w: s.http.post(
        "/v1/browser/storage",
        json={"origins": [{"origin": s.site.origin(), "localStorage": [{"name": "k", "value": w}]}]},
    ).raise_for_status(),
    "a header for every request": lambda s, w: (
        s.post("/v1/browser/emulation", {"extraHeaders": {"X-Custom": w}}),
        s.goto(s.site.url("second.html")),
        s.post("/v1/browser/emulation", {"extraHeaders": {}}),
    ),
    "credentials": lambda s, w: s.post(
        "/v1/browser/emulation", {"httpCredentials": {"username": "ann", "password": w, "origin": s.site.origin()}}
    ),
    "a header of a page's request": lambda s, w: s.run(
        f"fetch('second.html', {{headers: {{Authorization: 'Bearer ' + '{w[:4]}' + '{w[4:]}'}}}}).then(() => 1)"
    ),
    "a body of a page's request": lambda s, w: s.run(
        f"fetch('second.html', {{method: 'POST', body: '{w[:4]}' + '{w[4:]}'}}).then(() => 1)"
    ),
    "a query of a page's request": lambda s, w: s.run(f"fetch('second.html?q=' + '{w[:4]}' + '{w[4:]}').then(() => 1)"),
    "a prompt's answer": lambda s, w: (
        s.run("setTimeout(() => prompt('Who?'), 0)"),
        s.http.get("/v1/browser/dialog"),
        _answer_dialog(s, w),
    ),
    "a person's keys": _live,
    "a script for every page": lambda s, w: (
        s.post("/v1/browser/emulation", {"initScripts": [f"void '{w}'"]}),
        s.post("/v1/browser/emulation", {"initScripts": []}),
    ),
    "a program's arguments": lambda s, w: s.post("/v1/processes/run", {"command": "true", "args": [w]}),
    "a program's environment": lambda s, w: s.post("/v1/processes/run", {"command": "true", "env": {"KEY": w}}),
    "a program's output": lambda s, w: s.post(
        "/v1/processes/run", {"command": "sh", "args": ["-c", f"printf {w[:4]}; printf {w[4:]}"]}
    ),
    "a program's input": lambda s, w: _feed(s, w),
    "a file's name": lambda s, w: s.http.put(f"/v1/fs/file?path={w}.txt", content=b"x").raise_for_status(),
    "a file's content": lambda s, w: s.http.put("/v1/fs/file?path=plain.txt", content=w.encode()).raise_for_status(),
    "an uploaded file's name": lambda s, w: (
        s.page(),
        s.http.post(
            "/v1/browser/upload", data={"selector": "#file"}, files={"file": (f"{w}.pdf", b"x", "application/pdf")}
        ).raise_for_status(),
    ),
    "a question to a person": lambda s, w: s.post("/v1/control", {"action": "ask", "question": w}),
    "a pattern": lambda s, w: s.http.get("/v1/browser/console", params={"pattern": w}).raise_for_status(),
    "a mark's password": lambda s, w: s.post("/v1/events/marks", {"text": f"signed in with password={w}"}),
}


def _answer_dialog(session: Session, word: str) -> Any:
    return session.post("/v1/browser/dialog", {"accept": True, "text": word})


def _feed(session: Session, word: str) -> None:
    id = session.post("/v1/processes", {"command": "cat"}).json()["id"]
    encoded = base64.b64encode(word.encode()).decode()
    session.post(f"/v1/processes/{id}/input", {"data": encoded, "encoding": "base64"})
    session.post(f"/v1/processes/{id}/input", {"data": word, "encoding": "utf8"})
    session.http.post(f"/v1/processes/{id}/kill").raise_for_status()


def exported(http: httpx.Client, format: ExportFormat) -> bytes:
    """All that is in it, unpacked."""
    content = http.get("/v1/events/export", params={"format": format.value}).content
    if not content.startswith(b"PK"):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture(scope="module")
def state() -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        os.chmod(folder, 0o711)
        yield Path(folder, "state")


@pytest.fixture(scope="module")
def box(state: Path) -> Iterator[RunningBox]:
    with running_box("--state-dir", str(state)) as running:
        yield running


@pytest.mark.timeout(240)
def test_no_planted_secret_is_in_any_segment_or_export(box: RunningBox, site: Site, state: Path) -> None:
    assert len(PLACES) >= 40
    with box.client() as http:
        session = Session(box, http, site)
        session.post("/v1/browser/start", {"headless": True})
        words = {}
        for number, (place, plant) in enumerate(PLACES.items()):
            words[place] = secret(number)
            session.page()
            try:
                plant(session, words[place])
            except (AssertionError, httpx.HTTPStatusError) as error:
                raise AssertionError(f"{place}: {error}") from error
        answer = http.get("/v1/events", params={"limit": 1000})
        assert answer.status_code == 200
        exports = {format.value: exported(http, format) for format in ExportFormat}
    files = [segment.path.read_text() for segment in segments(state / "record")]
    whole = "".join(files)
    assert whole.count("\n") > 2 * len(PLACES)
    leaks = {
        place: next(line for line in whole.splitlines() if word in line)
        for place, word in words.items()
        if word in whole
    }
    assert leaks == {}
    for format, content in exports.items():
        assert len(content) > 1000, format
        assert [place for place, word in words.items() if word.encode() in content] == [], format
    encoded = [base64.b64encode(word.encode()).decode()[:12] for word in words.values()]
    assert not any(word in whole for word in encoded)
    # Written one after the other, keys would say it as well.
    keys = [json.loads(line)["data"].get("key") for line in whole.splitlines() if '"browserPress.begin"' in line]
    assert len(keys) >= 10 and all(key == {"length": 1} for key in keys)
    assert box.token not in whole
