"""Pictures of real pages, looked at pixel by pixel."""

import httpx2 as httpx
import pytest

from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.screenshot import Area, Camera, Shot
from belljar.box.browser.reading.snapshot import look_up
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.lifecycle import StartRequest
from belljar.wire.browser.reading import ImageFormat
from tests.box.browser.conftest import running_browser
from tests.box.browser.pixels import is_near, opened
from tests.site import Site


def go(api: httpx.Client, url: str) -> None:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()


def stripe(row: int) -> tuple[int, int, int]:
    return row * 3, 250 - row * 3, 60


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_each_format_shows_what_is_in_view(api: httpx.Client, site: Site, kind: str) -> None:
    go(api, site.url("reading/stripes.html"))
    answer = api.get("/v1/browser/screenshot", params={"format": kind})
    assert answer.headers["content-type"] == f"image/{kind}"
    picture = opened(answer.content)
    assert picture.height < 1000 and is_near(picture, (5, 5), stripe(0))


def test_quality_makes_a_difference(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/form.html"))
    low, high = (
        len(api.get("/v1/browser/screenshot", params={"format": "jpeg", "quality": q}).content) for q in (5, 100)
    )
    assert low < high


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_a_full_page_may_be_higher_than_any_texture(api: httpx.Client, site: Site, kind: str) -> None:
    go(api, site.url("reading/stripes.html?rows=20"))
    picture = opened(api.get("/v1/browser/screenshot", params={"fullPage": True, "format": kind}).content)
    assert picture.height == 20_000
    for row in range(20):
        assert is_near(picture, (900, row * 1000 + 500), stripe(row)), row


def test_a_picture_that_the_format_cannot_hold_is_refused(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/stripes.html?rows=20"))
    answer = api.get("/v1/browser/screenshot", params={"fullPage": True, "format": "webp"})
    assert (answer.status_code, answer.json()["code"]) == (400, "screenshot_too_large")
    assert answer.json()["height"] == 20_000


def test_an_element_alone_is_taken_wherever_it_is(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/stripes.html"))
    picture = opened(api.get("/v1/browser/screenshot", params={"selector": "#box"}).content)
    assert picture.size == (60, 40)
    assert all(is_near(picture, at, (0, 0, 255)) for at in ((0, 0), (59, 39)))
    tall = opened(api.get("/v1/browser/screenshot", params={"selector": "body"}).content)
    assert tall.height == 3000 and is_near(tall, (5, 2900), stripe(2))


async def test_an_element_in_a_frame_of_another_process_is_taken(page: Page, site: Site) -> None:
    await navigate(page, site.url("reading/framed-box.html"), WaitUntil.LOAD)
    subject = await look_up(page, selector="#box", frame=page.main.children[0].id)
    picture = opened(await Camera(page).element(Shot(), subject))
    assert picture.size == (60, 40)
    assert all(is_near(picture, at, (0, 0, 255)) for at in ((0, 0), (59, 39)))


def test_a_tab_behind_another_is_photographed(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/stripes.html"))
    behind = api.get("/v1/browser/tabs").json()["tabs"]
    tab = next(tab["id"] for tab in behind if tab["active"])
    api.post("/v1/browser/tabs", json={"url": site.url("index.html")}).raise_for_status()
    for _ in range(3):
        answer = api.get("/v1/browser/screenshot", params={"tabId": tab, "timeout": 10_000})
        assert is_near(opened(answer.content), (5, 5), stripe(0))
    front = opened(api.get("/v1/browser/screenshot").content)
    assert is_near(front, (5, 5), (255, 255, 255))


# Half a minute: behind another tab Chromium draws each piece only when it is asked for it again.
@pytest.mark.soak
async def test_a_tab_behind_another_is_photographed_in_pieces_that_are_put_together(site: Site) -> None:
    async with running_browser() as browser:
        await browser.start(StartRequest(headless=True, webgl=True))
        page = await browser.page()
        await navigate(page, site.url("reading/stripes.html?rows=20"), WaitUntil.LOAD)
        await browser.instance.tabs.create()
        camera = Camera(page, has_textures=True)
        assert is_near(opened(await camera.view(Shot())), (5, 5), stripe(0))
        for kind in (ImageFormat.PNG, ImageFormat.JPEG):
            whole = opened(await camera.full(Shot(kind)))
            assert whole.height == 20_000
            assert all(is_near(whole, (900, row * 1000 + 500), stripe(row)) for row in range(20))


def test_an_element_without_size_is_not_ready(api: httpx.Client, site: Site) -> None:
    go(api, site.url("_/html?body=<p id=none></p><div id=empty style='width:0'></div>"))
    answer = api.get("/v1/browser/screenshot", params={"selector": "#empty"})
    assert (answer.status_code, answer.json()["code"]) == (504, "element_not_ready")


def test_a_page_is_printed(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/article.html"))
    params: dict[str, str | bool | float] = {"format": "a4", "landscape": True, "printBackground": True, "scale": 0.5}
    answer = api.get("/v1/browser/pdf", params=params)
    assert answer.headers["content-type"] == "application/pdf" and answer.content.startswith(b"%PDF-")


def test_an_area_in_pieces_is_the_same_area() -> None:
    tiles = Area(5, 7, 250, 100).tiles(100)
    assert tiles == [Area(5, 7, 100, 100), Area(105, 7, 100, 100), Area(205, 7, 50, 100)]


def test_the_browser_is_asked_for_first(box: object, http: httpx.Client) -> None:
    answer = http.get("/v1/browser/screenshot")
    assert (answer.status_code, answer.json()["code"]) == (409, "browser_not_active")
