"""The six operations on a running box."""

from typing import Any

import httpx2 as httpx
import pytest

from belljar.agent.tool import BrowserTool
from tests.agent.conftest import made_up
from tests.agent.tool.conftest import Call, fields
from tests.servers import RunningBox
from tests.site import Site


def names(text: str) -> list[str]:
    return [line.partition(":")[0] for line in text.splitlines()]


def test_navigate_tells_status_and_title(call: Call, site: Site) -> None:
    text = call("navigate", url=site.url("index.html"))
    assert text == (
        f"--- BROWSER RESULT ---\nSTATUS: OK\nOP: navigate\nURL: {site.url('index.html')}\n"
        "HTTP_STATUS: 200\nTITLE: The test site"
    )
    assert fields(call("navigate", url=site.url("_/status/404")))["HTTP_STATUS"] == "404"


def test_operations_go_on_where_the_last_one_was(call: Call, site: Site) -> None:
    call("navigate", url=site.url("index.html"))
    clicked = call("click", selector="#second")
    assert names(clicked) == ["--- BROWSER RESULT ---", "STATUS", "OP", "URL", "TITLE"]
    assert fields(clicked)["URL"] == site.url("second.html")
    read = call("extract_text", selector="h1")
    assert fields(read)["URL"] == site.url("second.html")
    assert fields(read)["TRUNCATED"] == "false"
    shot = fields(call("screenshot"))
    assert shot["URL"] == site.url("second.html")


@pytest.mark.parametrize("operation", ["extract_text", "click", "screenshot", "interact"])
def test_without_an_address_they_say_so(call: Call, operation: str) -> None:
    more: dict[str, dict[str, Any]] = {
        "click": {"selector": "a"},
        "interact": {"actions": [{"action": "click", "selector": "a"}]},
    }
    text = call(operation, **more.get(operation, {}))
    assert f'ERROR: {operation} needs a URL: pass `url=...` or call `operation="navigate"` first\n' in text
    assert names(text) == ["--- BROWSER RESULT ---", "STATUS", "OP", "ERROR", "HINT"]


def test_a_failed_operation_leaves_the_last_good_address(call: Call, site: Site) -> None:
    call("navigate", url=site.url("second.html"))
    failed = call("navigate", url="http://127.0.0.1:1/")
    assert fields(failed)["STATUS"] == "ERROR"
    assert "ERR_" in fields(failed)["ERROR"]
    assert fields(call("extract_text"))["URL"] == site.url("second.html")


def test_text_is_cut_where_asked(call: Call, site: Site) -> None:
    text = call("extract_text", url=made_up(site, "x" * 500), max_chars=100)
    assert fields(text)["TRUNCATED"] == "true"
    assert text.split("TEXT:\n")[1].splitlines()[1] == "x" * 100


def test_cookies_stay_between_calls_until_close(call: Call, site: Site) -> None:
    script = "<p id=c></p><script>document.cookie='n=1;max-age=99';c.textContent=document.cookie</script>"
    call("navigate", url=made_up(site, script))
    read = made_up(site, "<p id=c></p><script>c.textContent='cookie '+document.cookie</script>")
    assert "cookie n=1" in call("extract_text", url=read)
    assert call("close").splitlines()[-1].startswith("PROFILE: ")
    assert "cookie n=1" not in call("extract_text", url=read)
    call("close")
    assert "needs a URL" in call("extract_text")


def test_the_boxes_own_tabs_are_left_alone(call: Call, site: Site, agent_box: RunningBox) -> None:
    with agent_box.client() as client:
        before = client.get("/v1/browser/tabs").json()
        call("navigate", url=site.url("index.html"))
        call("click", selector="#popup")
        assert client.get("/v1/browser/tabs").json() == before
        for _ in range(200):
            (partition,) = (
                one for one in client.get("/v1/browser/partitions").json()["partitions"] if one["name"] == "agent-tool"
            )
            # They are closed after the answer.
            if not partition["tabs"]:
                return
            client.post("/v1/browser/execute", json={"expression": "new Promise(done => setTimeout(done, 20))"})
        raise AssertionError(partition)


def test_a_screenshot_can_be_fetched(call: Call, site: Site, agent_box: RunningBox) -> None:
    told = fields(call("screenshot", url=site.url("index.html"), out_path="shots/a b.png"))
    assert (told["PATH"], told["DOWNLOAD"]) == ("/workspace/shots/a b.png", "/api/download/shots/a%20b.png")
    with agent_box.client() as client:
        fetched = client.get(told["DOWNLOAD"])
        assert fetched.content.startswith(b"\x89PNG")
        assert "attachment" in fetched.headers["content-disposition"]
        assert client.get("/api/download/none.png").status_code == 404
        assert client.get("/api/download/%2e%2e/etc/passwd").status_code == 400
        link = {"command": "ln", "args": ["-sf", "/etc/passwd", "/workspace/link.png"]}
        client.post("/v1/processes/run", json=link).raise_for_status()
        assert client.get("/api/download/link.png").status_code == 403
    assert httpx.get(f"{agent_box.url}{told['DOWNLOAD']}").status_code == 401


def test_what_a_running_box_cannot_honour_is_told_before_anything_is_asked(
    call: Call, site: Site, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = site.url("index.html?not-asked-for")
    tor = call("navigate", url=url, tor_proxy="socks5h://127.0.0.1:9050")
    assert "tor_proxy cannot be honoured on this running box" in tor
    workspace = call("navigate", url=url, workspace=str(tmp_path_factory.getbasetemp()))
    assert "it has a /workspace of its own" in workspace
    outside = call("screenshot", url=url, out_path="/etc/shot.png")
    assert "outside the workspace" in outside
    assert not [path for _, path, _ in site.requests if "not-asked-for" in path]


def test_a_dialog_does_not_stop_it(call: Call, site: Site) -> None:
    body = "<p id=p>before</p><script>alert('hello'); p.textContent = 'answer ' + confirm('sure?')</script>"
    assert "answer false" in call("extract_text", url=made_up(site, body))


def test_pages_that_are_none_are_errors(call: Call, site: Site) -> None:
    assert "is a download" in call("navigate", url=site.url("_/download/x.bin"))


def test_a_box_that_is_not_there_is_told(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELLJAR_STATE_DIR", str(tmp_path))
    text = BrowserTool("http://127.0.0.1:1", "x" * 20).call({"operation": "navigate", "url": "about:blank"})
    assert fields(text)["STATUS"] == "ERROR"
    assert "Cannot reach http://127.0.0.1:1" in text
