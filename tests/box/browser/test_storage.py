"""Storage state over HTTP: out of one profile and into another."""

from typing import Any

import httpx2 as httpx

from tests.servers import running_box
from tests.site import Site

FILL = """(async () => {
  localStorage.setItem('theme', 'dark');
  const opening = indexedDB.open('notes', 3);
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore('byId', { keyPath: 'id' });
    store.createIndex('byTag', 'tags', { multiEntry: true });
    opening.result.createObjectStore('loose');
  };
  const database = await new Promise((done) => { opening.onsuccess = () => done(opening.result) });
  const transaction = database.transaction(['byId', 'loose'], 'readwrite');
  transaction.objectStore('byId').put({ id: 1, tags: ['a', 'b'], at: new Date(5), big: 10n });
  transaction.objectStore('loose').put(new Uint8Array([1, 2, 3]), 'bytes');
  transaction.objectStore('loose').put(new Map([['k', new Set([1])]]), [1, 'two']);
  transaction.objectStore('loose').put(new Blob(['x']), 'blob');
  await new Promise((done) => { transaction.oncomplete = done });
  database.close();
  return 0;
})()"""
READ = """(async () => {
  const opening = indexedDB.open('notes');
  const database = await new Promise((done) => { opening.onsuccess = () => done(opening.result) });
  const get = (request) => new Promise((done) => { request.onsuccess = () => done(request.result) });
  const note = await get(database.transaction('byId').objectStore('byId').index('byTag').get('b'));
  const bytes = await get(database.transaction('loose').objectStore('loose').get('bytes'));
  const map = await get(database.transaction('loose').objectStore('loose').get([1, 'two']));
  const result = [localStorage.getItem('theme'), database.version, note.at.getTime(), String(note.big), [...bytes],
                  map.get('k').has(1)];
  database.close();
  return result;
})()"""


def run(api: httpx.Client, script: str) -> Any:
    answer = api.post("/v1/browser/execute", json={"expression": script})
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def test_a_profile_is_taken_along(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")})
    run(api, FILL)
    api.post("/v1/browser/cookies", json={"cookies": [{"name": "login", "value": "yes", "url": site.url()}]})
    # It is in the tab's history now, and no longer shown.
    api.post("/v1/browser/navigate", json={"url": site.url("second.html", host=1)})
    state = api.get("/v1/browser/storage", timeout=60).json()
    assert "/" not in [path for _, path, _ in site.requests]
    origin = next(one for one in state["origins"] if one["origin"] == site.origin())
    assert {"name": "theme", "value": "dark"} in origin["localStorage"]
    assert origin["indexedDB"][0]["name"] == "notes" and origin["indexedDB"][0]["version"] == 3
    assert any("Blob" in what for what in state["skipped"])
    with running_box("--egress", "open") as other, other.client() as second:
        second.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        restored = second.post("/v1/browser/storage", json=state, timeout=60).json()
        assert restored["ok"] is True and "skipped" not in restored
        second.post("/v1/browser/navigate", json={"url": site.url("_/echo")})
        assert run(second, READ) == ["dark", 3, 5, "10", [1, 2, 3], True]
        assert "login=yes" in second.get("/v1/browser/text").json()["text"]


def test_playwrights_form_is_taken(api: httpx.Client, site: Site) -> None:
    state = {
        "cookies": [
            {
                "name": "pw",
                "value": "1",
                "domain": "127.0.0.1",
                "path": "/",
                "expires": -1,
                "httpOnly": False,
                "secure": False,
                "sameSite": "Lax",
            }
        ],
        "origins": [{"origin": site.origin(2), "localStorage": [{"name": "from", "value": "playwright"}]}],
    }
    assert api.post("/v1/browser/storage", json=state).json() == {"ok": True, "cookies": 1, "origins": 1}
    api.post("/v1/browser/navigate", json={"url": site.url("index.html", host=2)})
    assert run(api, "localStorage.getItem('from')") == "playwright"
    named = api.get("/v1/browser/storage", params={"origins": site.origin(2)}, timeout=60).json()
    assert site.origin(2) in [one["origin"] for one in named["origins"]]


def test_sites_of_closed_tabs_are_known(api: httpx.Client, site: Site) -> None:
    tab = api.post("/v1/browser/tabs", json={"url": site.url("index.html", host=1)}).json()["id"]
    run(api, "localStorage.setItem('left', 'behind')")
    api.delete(f"/v1/browser/tabs/{tab}").raise_for_status()
    state = api.get("/v1/browser/storage", timeout=60).json()
    there = next(one for one in state["origins"] if one["origin"] == site.origin(1))
    assert {"name": "left", "value": "behind"} in there["localStorage"]


def test_what_is_no_origin_is_refused(api: httpx.Client) -> None:
    for origin in ("nonsense", "about:blank", "https://example.com/path"):
        answer = api.post("/v1/browser/storage", json={"origins": [{"origin": origin}]})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
