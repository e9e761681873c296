"""Commands: the REST calls, over the socket, in order."""

import base64

import httpx2 as httpx

from tests.box.live.client import PATIENCE, LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site


def test_results_come_in_the_order_of_the_commands(live: LiveClient, site: Site) -> None:
    ids = [
        live.ask("navigate", url=site.url("index.html")),
        live.ask("evaluate", expression="new Promise((done) => setTimeout(done, 200, 'slow'))"),
        live.ask("evaluate", expression="'quick'"),
        live.ask("nonsense"),
        live.ask("evaluate", expression="'last'"),
    ]
    results = [live.wait(lambda message: message["type"] == "result") for _ in ids]
    assert [result["id"] for result in results] == ids
    assert [result["ok"] for result in results] == [True, True, True, False, True]
    assert [results[i]["result"]["result"] for i in (1, 2, 4)] == ["slow", "quick", "last"]
    assert results[0]["result"]["title"] == "The test site"


def test_a_failed_command_has_the_problem_that_rest_has(live: LiveClient, api: httpx.Client) -> None:
    wrong = {"url": 7}
    over_rest = api.post("/v1/browser/navigate", json=wrong).json()
    error = live.refused("navigate", **wrong)
    assert error.pop("message") == over_rest["detail"]
    assert error == over_rest
    missing = live.refused("tabs.activate", id="no/such?tab")
    assert (missing["status"], missing["code"]) == (404, "tab_not_found")
    assert live.refused("tabs.close")["code"] == "invalid_request"


def test_only_a_pages_own_error_has_a_stack(live: LiveClient) -> None:
    thrown = live.refused("evaluate", expression="(() => { throw new TypeError('mine') })()")
    assert thrown["code"] == "script_error" and "mine" in thrown["message"]
    assert "TypeError: mine\n    at " in thrown["stack"]
    assert "stack" not in live.refused("navigate", url=7)
    assert "stack" not in live.refused("nonsense")


def test_values_come_back_as_they_are(live: LiveClient) -> None:
    assert live.call("evaluate", expression="null") == {"result": None, "type": "null"}
    assert live.value("({a: [1, null, 'ü']})") == {"a": [1, None, "ü"]}


def test_every_command_of_the_specification(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/events.html"))
    live.call("click", selector="#box")
    live.call("dblclick", selector="#box")
    live.call("hover", selector="#field")
    live.call("type", selector="#field", text="héllo")
    live.call("press", selector="#field", key="Backspace")
    assert live.value("[seen.filter((e) => e.type === 'dblclick').length, field.value]") == [1, "héll"]
    assert live.call("waitForSelector", selector="#box", timeoutMs=2000)["found"] is True
    late = live.refused("waitForSelector", selector="#nowhere", timeoutMs=50)
    assert (late["code"], late["status"]) == ("timeout", 504) and "#nowhere" in late["message"]
    live.call("setViewport", width=900, height=500)
    assert live.value("[innerWidth, innerHeight]") == [900, 500]
    live.call("scroll", y=300)
    assert live.until_value("scrollY", lambda y: y > 0) > 0
    live.value("document.body.innerHTML = '<select id=s><option value=a>A<option value=b>B</select>'")
    live.call("select", selector="#s", value="b")
    assert live.value("s.value") == "b"
    picture = live.call("screenshot", format="jpeg")
    assert picture["format"] == "jpeg" and base64.b64decode(picture["data"]).startswith(b"\xff\xd8")
    missing = live.refused("click", selector="#nowhere", timeoutMs=100)
    assert (missing["status"], missing["code"]) == (404, "element_not_found")


def test_ids_may_be_words(live: LiveClient) -> None:
    live.send({"id": "mine", "type": "cmd", "method": "tabs.list", "params": {}})
    assert live.answer("mine")["ok"]


def test_history_and_tabs(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("index.html"))
    live.call("navigate", url=site.url("second.html"))
    assert live.call("back")["url"] == site.url("index.html")
    assert live.call("forward")["url"] == site.url("second.html")
    assert live.call("reload")["url"] == site.url("second.html")
    assert len(live.call("tabs.list")["tabs"]) == 1


def test_one_viewers_long_command_holds_up_no_other(box: RunningBox, live: LiveClient, site: Site) -> None:
    """Another tab's, that is: on one page actions take turns."""
    first = live.call("tabs.list")["tabs"][0]["id"]
    slow = live.ask("evaluate", expression="new Promise((done) => globalThis.done = done)", timeout=20_000)
    with watching(box) as second:
        second.call("tabs.create", url=site.url("second.html"))
        assert second.value("1 + 1") == 2
        assert second.call("tabs.list")["tabs"]
        second.call("tabs.activate", id=first)
        second.send({"type": "ping", "t": "x"})
        assert second.wait(lambda message: message["type"] == "pong")["t"] == "x"
        # Nothing else is in the way of the one that waits: its page goes, and so does it.
        second.call("tabs.close", id=first)
    assert not live.answer(slow)["ok"]


def test_events_tell_what_happens_in_the_page(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("second.html"))
    assert live.event("navigated")["url"] == site.url("second.html")
    live.value("console.warn('look', 7, {a: 1}); history.pushState(0, '', '#there')")
    live.value("void setTimeout(() => { throw new Error('late') })")
    line = live.event("console")
    assert (line["level"], line["text"]) == ("warn", "look 7 {a: 1}")
    assert live.event("navigated", lambda data: data["url"].endswith("#there"))
    assert "late" in live.event("console", lambda data: data["level"] == "error")["text"]
    live.value("document.title = 'Renamed'")
    live.event("tabs", lambda data: data["tabs"][0]["title"] == "Renamed")


def test_a_dialog_is_told_and_answered(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("second.html"))
    live.call("evaluate", expression="void setTimeout(() => globalThis.said = prompt('Name?', 'Ann'))")
    opened = live.event("dialog")
    assert opened["dialog"] == {"type": "prompt", "message": "Name?", "defaultPrompt": "Ann"}
    assert live.refused("evaluate", expression="1")["code"] == "dialog_open"
    live.call("dialog", accept=True, text="Bob")
    assert live.event("dialog")["dialog"] is None
    assert live.value("said") == "Bob"


def test_too_many_commands_at_a_time_are_refused_one_by_one(box: RunningBox) -> None:
    with watching(box, token=token_for(box, "drive")) as viewer:
        ids = [viewer.ask("tabs.list") for _ in range(1500)]
        answers = [viewer.answer(id) for id in ids]
    codes = {answer["error"]["code"] for answer in answers if not answer["ok"]}
    assert codes == {"rate_limited"}
    assert answers[0]["ok"]


def test_health_says_how_it_is(box: RunningBox, live: LiveClient, api: httpx.Client, site: Site) -> None:
    live.call("navigate", url=site.url("live/moving.html"))
    for _ in range(10):
        live.frame()
    health = api.get("/health").json()
    assert health["browserRunning"] is True and health["mode"] == "browser"
    assert health["viewers"] == 1 and health["fps"] > 0 and health["droppedFrames"] >= 0
    assert health["lastFrameAt"] and health["lastCommandAt"] and health["lastActivity"]
    metrics = api.get("/metrics").text
    assert "belljar_live_viewers 1.0" in metrics
    assert 'belljar_live_command_seconds_count{method="navigate",outcome="ok"}' in metrics
    assert httpx.get(box.url + "/health").status_code == 401


def test_a_download_is_told_at_its_beginning_and_end(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("_/download/report.csv?size=300000"))
    begun = live.event("download")
    assert (begun["filename"], begun["state"]) == ("report.csv", "inProgress")
    ended = live.event("download")
    assert ended == {"id": begun["id"], "filename": "report.csv", "state": "completed", "bytes": 300_000}


def test_what_a_crawl_would_download_or_ask_is_not_told(live: LiveClient, api: httpx.Client, site: Site) -> None:
    for url in (site.url("_/download/unseen.bin?size=64"), site.url("live/asking.html")):
        crawled = api.post("/v1/browser/crawl", json={"url": url, "maxPages": 1}, timeout=PATIENCE * 2)
        assert crawled.status_code == 200, crawled.text
    live.call("navigate", url=site.url("_/download/report.csv"))
    told = live.wait(lambda message: message.get("name") in ("download", "dialog"))
    assert (told["name"], told["data"]["filename"]) == ("download", "report.csv")
