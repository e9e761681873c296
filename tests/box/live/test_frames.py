"""What a viewer sees: the active tab, as it is now, whatever becomes of it."""

import socket

import httpx2 as httpx
import pytest

from tests.box.live.client import Frame, LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site

GREEN, RED, BLUE = (0, 128, 0), (255, 0, 0), (0, 0, 255)


def coloured(site: Site, colour: str, host: int = 0) -> str:
    return site.url(f"_/html?body=<body style='background:{colour}'>", host)


def test_the_first_message_says_who_and_what_one_is_shown(live: LiveClient) -> None:
    ready = live.read()
    assert (ready["type"], ready["name"]) == ("event", "ready")
    data = ready["data"]
    assert (data["role"], data["mode"], data["boxId"]) == ("drive", "browser", "box")
    assert data["viewer"] and data["control"]["holder"] == {"kind": "none"}
    assert [tab["active"] for tab in data["tabs"]] == [True]


@pytest.mark.parametrize("path", ["/v1/live", "/ws"])
@pytest.mark.parametrize("is_binary", [True, False])
def test_a_still_page_is_seen_at_once(
    box: RunningBox, api: httpx.Client, site: Site, path: str, is_binary: bool
) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("live/events.html")})
    with watching(box, is_binary=is_binary, path=path) as first, watching(box, is_binary=is_binary) as second:
        for viewer in (first, second):
            frame = viewer.frame(lambda frame: frame.is_near(600, 500, GREEN))
            assert frame.is_near(450, 250, BLUE)
            assert frame.dpr == 1


def test_a_frame_in_json_is_as_specified(box: RunningBox, api: httpx.Client) -> None:
    with watching(box, is_binary=False) as viewer:
        message = viewer.wait(lambda message: message["type"] == "frame")
        del message["frame"]
        assert set(message) == {"type", "format", "data", "viewport", "timestamp"}
        assert message["format"] == "jpeg" and set(message["viewport"]) == {"w", "h", "dpr"}


def test_the_picture_follows_navigation_across_sites(live: LiveClient, site: Site) -> None:
    for colour, host, expected in (("red", 0, RED), ("blue", 1, BLUE), ("green", 2, GREEN), ("red", 0, RED)):
        live.call("navigate", url=coloured(site, colour, host))
        live.frame(lambda frame, expected=expected: frame.is_near(300, 300, expected))  # type: ignore[misc]


def test_the_picture_follows_the_active_tab(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=coloured(site, "red"))
    first = live.event("tabs", lambda data: "red" in data["tabs"][0]["url"])["tabs"][0]["id"]
    live.frame(lambda frame: frame.is_near(300, 300, RED))
    second = live.call("tabs.create", url=coloured(site, "blue"))
    live.frame(lambda frame: frame.is_near(300, 300, BLUE))
    live.event("tabs", lambda data: [tab["active"] for tab in data["tabs"]] == [False, True])
    live.call("tabs.activate", id=first)
    live.frame(lambda frame: frame.is_near(300, 300, RED))
    live.call("tabs.activate", id=second["id"] if "id" in second else second["tab"]["id"])
    live.frame(lambda frame: frame.is_near(300, 300, BLUE))
    live.call("tabs.close", id=second["id"] if "id" in second else second["tab"]["id"])
    live.frame(lambda frame: frame.is_near(300, 300, RED))


def test_a_popup_is_followed(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=coloured(site, "green"))
    live.call("evaluate", expression=f"void open({coloured(site, 'blue')!r})")
    live.frame(lambda frame: frame.is_near(100, 100, BLUE))


def test_what_moves_is_seen_moving_by_everybody(box: RunningBox, live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/moving.html"))
    with watching(box) as second, watching(box, is_binary=False) as third:
        for viewer in (live, second, third):
            stamps = [viewer.frame().timestamp for _ in range(12)]
            assert stamps == sorted(set(stamps))


def test_a_viewer_that_reads_nothing_slows_nobody(box: RunningBox, live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/moving.html"))
    with watching(box, is_binary=False) as deaf:
        for _ in range(60):
            live.frame()
        assert live.call("evaluate", expression="6 * 7")["result"] == 42
        # It would not hear an answer to its farewell either.
        deaf.socket.socket.shutdown(socket.SHUT_RDWR)


def test_a_view_only_viewer_sees_and_may_do_nothing_else(box: RunningBox, api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("live/events.html")})
    with watching(box, token=token_for(box, "view")) as viewer:
        assert viewer.event("ready")["role"] == "view"
        viewer.frame(lambda frame: frame.is_near(600, 500, GREEN))
        viewer.send({"type": "ping", "t": 7})
        assert viewer.wait(lambda message: message["type"] == "pong") == {"type": "pong", "t": 7}
        for method in ("navigate", "evaluate", "control.take", "tabs.list", "screenshot"):
            assert viewer.refused(method, url="about:blank", expression="1")["code"] == "forbidden"
        viewer.mouse("down", 450, 250, button="left")
        assert viewer.event("error")["code"] == "forbidden"
        viewer.key("keydown", "a", "KeyA")
        assert viewer.event("error")["code"] == "forbidden"
    seen = api.post("/v1/browser/execute", json={"expression": "seen.length"}).json()
    assert seen["result"] == 0


@pytest.mark.parametrize("is_binary", [True, False])
def test_the_picture_follows_the_viewport_and_says_its_scale(box: RunningBox, site: Site, is_binary: bool) -> None:
    with watching(box, is_binary=is_binary) as live:
        _follow_the_viewport(live, site)


def _follow_the_viewport(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/events.html"))
    # The last is larger than pictures are.
    for width, height, dpr, scale in ((800, 600, 2, 1), (1000, 500, 1, 1), (2400, 1200, 1, 0.8)):
        live.call("setViewport", width=width, height=height, deviceScaleFactor=dpr)

        def is_right(frame: Frame, size: tuple[int, int] = (width, height), scale: float = scale) -> bool:
            is_scaled = frame.dpr == scale and frame.picture_width == round(size[0] * scale)
            return (frame.w, frame.h) == size and is_scaled and frame.is_near(450, 250, BLUE)

        live.frame(is_right)
        assert live.value("devicePixelRatio") == dpr
        live.mouse("down", 225, 125, button="left", surface={"w": width / 2, "h": height / 2})
        live.mouse("up", 225, 125, button="left", surface={"w": width / 2, "h": height / 2})
        down = live.until_value("seen.filter((e) => e.type === 'mousedown')", lambda seen: len(seen) > 0)[-1]
        assert (down["x"], down["y"]) == (450, 250)
    # It holds for tabs to come too.
    live.call("setViewport", width=1280, height=720, deviceScaleFactor=1)


def test_what_comes_to_rest_is_seen_as_it_is_and_then_left_alone(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=coloured(site, "red"))
    live.call(
        "evaluate",
        expression="""new Promise((done) => {
          let frames = 0;
          const step = () => {
            document.body.style.background = frames % 2 ? "red" : "green";
            if (++frames < 30) return requestAnimationFrame(step);
            document.body.style.background = "blue";
            done(frames);
          };
          step();
        })""",
    )
    live.frame(lambda frame: frame.is_near(300, 300, BLUE))
    live.event("stats", lambda data: data["fps"] == 0)
