"""What an operator forbids, tried by every way there is: scripts, addresses, and a looser network policy."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from belljar.box.browser.client_policy import LEFT_OUT, REVIEWED
from belljar.dependencies import find_chromium
from tests.box.live.client import watching
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture(scope="module")
def strict(site: Site) -> Iterator[RunningBox]:
    """A box that runs no scripts of callers, with a browser, in which the site may be visited."""
    port = site.origin().rpartition(":")[2]
    with running_box("--evaluate", "off", "--egress", "public", "--allow", f"127.0.0.1:{port}") as box:
        with box.client() as http:
            assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
            yield box


@pytest.fixture
def http(strict: RunningBox) -> Iterator[httpx.Client]:
    """A client of that box; a network policy that a test changed is as before for the next."""
    with strict.client() as client:
        before = client.get("/v1/egress/policy").json()
        yield client
        if client.get("/v1/egress/policy").json() != before:
            assert client.put("/v1/egress/policy", json=before).json() == before


def _dragged(addresses: str) -> dict[str, Any]:
    return {"items": [{"mimeType": "text/uri-list", "data": addresses}], "dragOperationsMask": 1}


KEY = {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
DRAG: dict[str, Any] = {"type": "drop", "x": 1, "y": 1, "data": _dragged("https://a.example/")}


class Cdp:
    """A CDP client, attached to the first page."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._last = socket, 0
        targets = self.ask("Target.getTargets", session=None)["result"]["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        attached = self.ask("Target.attachToTarget", session=None, targetId=page, flatten=True)
        self.session = attached["result"]["sessionId"]

    def ask(self, method: str, *, session: str | None = "", **params: Any) -> dict[str, Any]:
        return self.send(method, json.dumps(params), session=session)

    def send(self, method: str, params: str, *, session: str | None = "") -> dict[str, Any]:
        self._last += 1
        named = f', "sessionId": "{self.session}"' if session == "" else ""
        self._socket.send(f'{{"id": {self._last}, "method": "{method}", "params": {params}{named}}}')
        while (answer := json.loads(self._socket.recv(20))).get("id") != self._last:
            assert answer.get("id") != 0, answer["error"]["message"]
        return dict(answer)

    def words(self, method: str, **params: Any) -> str:
        return str(self.ask(method, **params).get("error", {}).get("message", ""))


@pytest.fixture
def cdp(strict: RunningBox) -> Iterator[Cdp]:
    url = strict.url.replace("http", "ws") + f"/v1/browser/cdp?token={strict.token}"
    with connect(url, max_size=None) as socket:
        yield Cdp(socket)


def test_no_script_runs_by_rest(http: httpx.Client, site: Site) -> None:
    http.post("/v1/browser/navigate", json={"url": site.url("index.html")})
    for path, body in (
        ("execute", {"expression": "document.title = 'changed'"}),
        ("wait", {"function": "document.title = 'changed'"}),
    ):
        answer = http.post(f"/v1/browser/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "evaluate_disabled")
    for path in ("navigate", "tabs", "scrape"):
        asked: dict[str, Any] = {"url": " java\tscript:document.title='changed'", "selectors": {"a": "a"}}
        answer = http.post(f"/v1/browser/{path}", json=asked)
        assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
    assert "changed" not in http.get("/v1/browser/status").text


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Runtime.evaluate", {"expression": "document.title = 'changed'"}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "executionContextId": 1}),
        ("Runtime.compileScript", {"expression": "1", "sourceURL": "", "persistScript": True}),
        ("Runtime.addBinding", {"name": "x"}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "document.title = 'changed'"}),
        ("Page.reload", {"scriptToEvaluateOnLoad": "document.title = 'changed'"}),
        ("Page.setDocumentContent", {"frameId": "x", "html": "<script></script>"}),
        ("Page.navigate", {"url": "javascript:document.title='changed'"}),
        ("DOM.setOuterHTML", {"nodeId": 1, "outerHTML": "<img onerror=x src=x>"}),
        ("DOM.setAttributeValue", {"nodeId": 1, "name": "onclick", "value": "x"}),
        ("DOM.setFileInputFiles", {"files": ["/etc/passwd"], "nodeId": 1}),
        ("Debugger.enable", {}),
        ("Fetch.enable", {}),
        ("Network.loadNetworkResource", {"url": "http://127.0.0.1/", "options": {}}),
        ("Target.sendMessageToTarget", {"message": '{"id":1,"method":"Runtime.evaluate"}'}),
        ("Target.exposeDevToolsProtocol", {"targetId": "x"}),
        ("NewDomain.newMethod", {}),
        ("Input.dispatchDragEvent", DRAG | {"data": DRAG["data"] | {"files": ["/etc/passwd"]}}),
        ("Input.dispatchDragEvent", DRAG | {"data": _dragged("file:///etc/passwd")}),
        ("Input.dispatchDragEvent", DRAG | {"data": _dragged("https://a.example/\r\njava\tscript:alert()")}),
        ("Target.createBrowserContext", {"originsWithUniversalNetworkAccess": ["http://127.0.0.1"]}),
        ("Target.createBrowserContext", {"proxyServer": "direct://"}),
        ("Target.createBrowserContext", {"proxyBypassList": "*"}),
        ("Page.printToPDF", {"headerTemplate": "<img src=x onerror=x>", "displayHeaderFooter": True}),
        ("Page.createIsolatedWorld", {"frameId": "x", "contentSecurityPolicy": "script-src *"}),
        ("Page.navigate", {"url": "about:blank", "newParameter": 1}),
        ("Network.setCookies", {"cookies": [{"name": "a", "value": "b", "newMember": 1}]}),
    ],
)
def test_no_script_runs_by_cdp(cdp: Cdp, method: str, params: dict[str, Any]) -> None:
    words = cdp.words(method, **params)
    assert "evaluate_disabled" in words or "address_denied" in words or "not relayed" in words


def test_no_script_runs_by_the_live_socket(strict: RunningBox) -> None:
    with watching(strict) as live:
        assert live.refused("evaluate", expression="1")["code"] == "evaluate_disabled"


def test_a_member_given_twice_hides_nothing(cdp: Cdp) -> None:
    twice = '{"source": "", "source": "document.title = \'changed\'"}'
    assert "once" in cdp.send("Page.addScriptToEvaluateOnNewDocument", twice)["error"]["message"]
    assert "once" in cdp.send("Page.navigate", '{"url": "about:blank", "url": "chrome://settings"}')["error"]["message"]


def test_what_is_on_the_list_works(cdp: Cdp, site: Site) -> None:
    assert "result" in cdp.ask("Page.enable")
    assert "errorText" not in cdp.ask("Page.navigate", url=site.url("index.html"))["result"]
    assert cdp.ask("DOM.getDocument")["result"]["root"]["nodeName"] == "#document"
    assert cdp.ask("Page.captureScreenshot")["result"]["data"]
    assert cdp.ask("Page.addScriptToEvaluateOnNewDocument", source="", worldName="mine")["result"]["identifier"]
    assert len(REVIEWED) > 100
    assert "result" in cdp.ask("Input.dispatchDragEvent", **DRAG | {"type": "dragEnter"})
    context = cdp.ask("Target.createBrowserContext", session=None, disposeOnDetach=True)["result"]["browserContextId"]
    assert cdp.ask("Target.disposeBrowserContext", session=None, browserContextId=context)["result"] == {}


# The Chromium whose parameters were looked at.
REVIEWED_FOR = 156


def test_every_parameter_that_chromium_knows_was_decided(tmp_path: Path) -> None:
    """A Chromium to come has others; those are refused until somebody has looked at them and changed this number."""
    version, known = _protocol(tmp_path)
    if version != REVIEWED_FOR:
        pytest.skip(f"the parameters of Chromium {version} were not reviewed yet; those of {REVIEWED_FOR} were")
    assert not REVIEWED.keys() - known.keys()
    decided = {method: parameters | LEFT_OUT.get(method, frozenset()) for method, parameters in REVIEWED.items()}
    assert {method: known[method] - decided[method] for method in decided if known[method] - decided[method]} == {}
    assert {method: named & REVIEWED[method] for method, named in LEFT_OUT.items() if named & REVIEWED[method]} == {}


def _protocol(profile: Path) -> tuple[int, dict[str, frozenset[str]]]:
    """The major version of this host's Chromium; its methods and their parameters, as it tells them."""
    program = find_chromium(profile)
    assert program is not None
    flags = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
    ]
    with subprocess.Popen([program, *flags, "about:blank"], stderr=subprocess.PIPE, text=True) as chromium:
        try:
            assert chromium.stderr is not None
            address = next(line for line in chromium.stderr if "DevTools listening on" in line).split()[-1]
            at = f"http://{urlsplit(address).netloc}/json"
            version = httpx.get(f"{at}/version", timeout=20).json()["Browser"]
            told = httpx.get(f"{at}/protocol", timeout=20).json()
        finally:
            chromium.kill()
    return int(version.partition("/")[2].partition(".")[0]), {
        f"{domain['domain']}.{command['name']}": frozenset(one["name"] for one in command.get("parameters", ()))
        for domain in told["domains"]
        for command in domain["commands"]
    }


@pytest.mark.parametrize(
    "given", [{"proxyServer": "direct://"}, {"proxyServer": "http://127.0.0.1:1"}, {"proxyBypassList": "*"}]
)
def test_no_context_goes_past_the_egress_policy(box: RunningBox, given: dict[str, str]) -> None:
    """Where callers' scripts may run, too: without a jail nothing else would hold it."""
    with box.client() as http:
        http.post("/v1/browser/start", json={"headless": True})
    with connect(box.url.replace("http", "ws") + f"/v1/browser/cdp?token={box.token}", max_size=None) as socket:
        cdp = Cdp(socket)
        refused = cdp.ask("Target.createBrowserContext", session=None, **given)
        assert refused["error"]["message"].startswith("egress_denied: ")
        assert "result" in cdp.ask("Target.createBrowserContext", session=None)


def test_a_parameter_nested_without_end_is_refused(cdp: Cdp) -> None:
    endless = '{"selector": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(AssertionError, match="not a CDP command"):
        cdp.send("DOM.querySelector", endless)
    assert "result" in cdp.ask("Page.enable")


BROWSERS_OWN = [
    "chrome://settings",
    "devtools://devtools/custom/x",
    "view-source:http://127.0.0.1/",
    "file:///etc/passwd",
]


@pytest.mark.parametrize(
    "url", [*BROWSERS_OWN, "CHROME://settings", " file:///etc/passwd", "file:///home/box/../../etc"]
)
def test_the_browsers_own_pages_and_the_hosts_files_are_shut(http: httpx.Client, cdp: Cdp, url: str) -> None:
    for path in ("navigate", "tabs", "scrape"):
        answer = http.post(f"/v1/browser/{path}", json={"url": url, "selectors": {"a": "a"}})
        assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
    assert http.post("/v1/browser/crawl", json={"url": url, "maxPages": 1}).status_code >= 400
    assert "address_denied" in cdp.words("Page.navigate", url=url)
    assert "address_denied" in cdp.words("Target.createTarget", url=url)


def test_a_page_cannot_open_them_either() -> None:
    with running_site() as site, running_box("--jail", "auto") as box, box.client() as http:
        http.post("/v1/browser/start", json={"headless": True})
        http.post("/v1/browser/navigate", json={"url": site.url("index.html")})
        for url in BROWSERS_OWN:
            for script in (f"window.open('{url}'); 0", f"location.href = '{url}'; 0"):
                http.post("/v1/browser/execute", json={"expression": script})
        tabs = http.get("/v1/browser/tabs").json()["tabs"]
        assert not [
            tab["url"] for tab in tabs if tab["url"].startswith(("chrome:", "devtools:", "view-source:", "file:"))
        ]


@pytest.mark.parametrize("wrapped", ["{}", " {}", "DA\tTA{}"], ids=["plain", "spaced", "mixed"])
def test_no_script_runs_in_a_document_of_the_callers_own(
    http: httpx.Client, cdp: Cdp, site: Site, wrapped: str
) -> None:
    http.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    body = "data:text/html,<script>document.title = 'changed'</script>"
    url = wrapped.format(body.removeprefix("data") if "DA" in wrapped else body)
    for path in ("navigate", "tabs", "scrape"):
        answer = http.post(f"/v1/browser/{path}", json={"url": url, "selectors": {"a": "a"}})
        assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
    for method, params in (
        ("Page.navigate", {"url": url}),
        ("Target.createTarget", {"url": url}),
        ("Input.dispatchDragEvent", DRAG | {"data": _dragged(url)}),
    ):
        assert "address_denied" in cdp.words(method, **params)
    assert "changed" not in http.get("/v1/browser/tabs").text


def test_nor_in_a_file_that_a_caller_wrote(http: httpx.Client, cdp: Cdp) -> None:
    script = b"<script>document.title = 'changed'</script>"
    http.put("/v1/fs/file", params={"path": "own.html"}, content=script).raise_for_status()
    home = http.get("/v1/browser/status").json()["directories"]["home"]
    answer = http.post("/v1/browser/navigate", json={"url": f"file://{home}/own.html"})
    assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
    assert "address_denied" in cdp.words("Page.navigate", url=f"file://{home}/own.html")


def test_an_isolated_script_sees_the_page_and_not_its_scripts(site: Site) -> None:
    with running_box("--evaluate", "isolated", "--cdp", "off") as box, box.client() as http:
        http.post("/v1/browser/start", json={"headless": True})
        http.post("/v1/browser/navigate", json={"url": "data:text/html,<script>secret=1</script><b>text</b>"})
        run = {"expression": "[typeof secret, document.querySelector('b').textContent]"}
        assert http.post("/v1/browser/execute", json=run).json()["result"] == ["undefined", "text"]
        with watching(box) as live:
            assert live.value(run["expression"]) == ["undefined", "text"]
        answer = http.post("/v1/browser/navigate", json={"url": "javascript:secret=2"})
        assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        refused = http.get("/v1/browser/cdp", headers=upgrade | KEY)
        assert (refused.status_code, refused.json()["code"]) == (403, "cdp_disabled")
        for lookup in ("json", "json/", "json/list", "json/list/", "json/version", "json/version/"):
            refused = http.get(f"/v1/browser/cdp/{lookup}")
            assert (refused.status_code, refused.json()["code"]) == (403, "cdp_disabled"), lookup
        tab = http.get("/v1/browser/tabs").json()["tabs"][0]["id"]
        for id in (tab, "no-such-tab"):
            page = http.get(f"/v1/browser/cdp/devtools/page/{id}", headers=upgrade | KEY)
            assert (page.status_code, page.json()["code"]) == (403, "cdp_disabled")
        assert "cdpUrl" not in http.get("/v1/browser/status").json()


def test_a_driver_may_tighten_the_network_policy_and_only_the_operator_loosen_it(
    http: httpx.Client, strict: RunningBox
) -> None:
    before = http.get("/v1/egress/policy").json()
    token = http.post("/v1/tokens", json={"role": "drive"}).json()["token"]
    with httpx.Client(base_url=strict.url, headers={"Authorization": f"Bearer {token}"}) as driver:
        for policy in ("open", "learn", "allow 10.0.0.0/8"):
            answer = driver.put("/v1/egress/policy", json={"policy": policy, "allow": before["allow"]})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        more = {"policy": before["policy"], "allow": [*before["allow"], "127.0.0.1:1"]}
        assert driver.put("/v1/egress/policy", json=more).status_code == 403
        assert http.get("/v1/egress/policy").json() == before
        only = driver.post("/v1/egress/restrict", json={"only": ["127.0.0.9"], "deny": ["ads.example"]})
        assert only.json()["policy"].splitlines()[:2] == ["deny ads.example", "deny * except 127.0.0.9"]
        assert driver.put("/v1/egress/policy", json=before).status_code == 403
        broken = driver.post("/v1/egress/restrict", json={"only": ["a.example:80"]})
        assert (broken.status_code, broken.json()["code"]) == (422, "policy_invalid")
        assert driver.put("/v1/egress/policy", json={"policy": "none", "allow": []}).status_code == 200
        assert driver.put("/v1/egress/policy", json=before).status_code == 403
    assert http.get("/v1/egress/policy").json()["policy"] == "none"
    assert http.put("/v1/egress/policy", json=before).json() == before


def test_the_log_is_followed_as_events(http: httpx.Client, strict: RunningBox, site: Site) -> None:
    with strict.client() as other, other.stream("GET", "/v1/egress/log", params={"follow": "true"}) as events:
        lines = events.iter_lines()
        assert next(lines) == ":"
        denied = http.post("/v1/browser/navigate", json={"url": "http://169.254.169.254/latest"})
        assert (denied.status_code, denied.json()["code"]) == (403, "egress_denied")
        http.post("/v1/browser/navigate", json={"url": site.url("index.html?followed")})
        seen: list[dict[str, Any]] = []
        for line in lines:
            if line.startswith("data: "):
                seen.append(json.loads(line.removeprefix("data: ")))
            if any(one["host"] == "127.0.0.1" for one in seen):
                break
    refused = next(one for one in seen if one["host"] == "169.254.169.254")
    assert (refused["decision"], refused["port"], refused["address"]) == ("deny", 80, "169.254.169.254")
    assert refused["rule"] and refused["time"] and "durationMs" in refused
    listed = http.get("/v1/egress/log", params={"decision": "deny"}).json()["connections"]
    assert refused["id"] in [one["id"] for one in listed] and {one["decision"] for one in listed} == {"deny"}


@pytest.mark.parametrize("seconds", [12, pytest.param(60, marks=pytest.mark.soak)])
def test_chromium_asks_nobody_by_itself(seconds: float) -> None:
    """On a blank page, with a jail and without; three hosts of its maker's were asked in the first twelve seconds."""
    with ExitStack() as stack:
        boxes = [stack.enter_context(running_box("--egress", "learn", "--jail", jail)) for jail in ("auto", "off")]
        clients = [stack.enter_context(box.client()) for box in boxes]
        for http in clients:
            http.post("/v1/browser/start", json={}).raise_for_status()
        # Not for something to be ready: that nothing comes in this time is what is tested.
        time.sleep(seconds)
        assert [http.get("/v1/egress/log").json()["connections"] for http in clients] == [[], []]


def test_what_was_learnt_is_suggested_on_the_command_line(http: httpx.Client, strict: RunningBox, site: Site) -> None:
    port = site.origin(1).rpartition(":")[2]
    http.put("/v1/egress/policy", json={"policy": "learn", "allow": [f"127.0.0.2:{port}"]})
    http.post("/v1/browser/navigate", json={"url": site.url("second.html", host=1)})
    command = [sys.executable, "-m", "belljar", "egress", "suggest", "--server", strict.url]
    environment = {"BELLJAR_TOKEN": strict.token, "PATH": "/usr/bin:/bin"}
    policy = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
    assert f"allow 127.0.0.2/32 port {port} scheme http" in policy.splitlines()
    # Given back to the box it allows just that.
    assert http.put("/v1/egress/policy", json={"policy": policy, "allow": []}).status_code == 200
    again = http.post("/v1/browser/navigate", json={"url": site.url("second.html", host=1)})
    other = http.post("/v1/browser/navigate", json={"url": site.url("second.html", host=2)})
    assert (again.status_code, other.status_code) == (200, 403)
