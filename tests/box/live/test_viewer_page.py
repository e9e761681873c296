"""The viewer page in a second Chromium: it shows the first one's page, and what is done on it arrives there."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio.lowlevel
import httpx2 as httpx
import pytest

from belljar.box.browser import Browser
from belljar.box.browser.cdp.replies import Cookies
from belljar.box.browser.page.frames import JsError, World
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.lifecycle import StartRequest
from tests.box.browser.conftest import running_browser
from tests.box.live.client import PATIENCE
from tests.box.live.prefix_proxy import running_prefix_proxy
from tests.servers import RunningBox, running_box
from tests.site import Site


@pytest.fixture(scope="module")
async def second(anyio_backend: object) -> AsyncIterator[Browser]:
    """The Chromium a person would sit at."""
    async with running_browser() as browser:
        await browser.start(StartRequest(headless=True))
        yield browser


@pytest.fixture
async def screen(second: Browser) -> AsyncIterator[Page]:
    page = await second.instance.tabs.create()
    yield page
    await second.instance.tabs.close(page)


@dataclass
class Person:
    """Somebody who looks at the viewer page and uses mouse and keyboard on it."""

    page: Page

    async def ask(self, expression: str) -> Any:
        return await self.page.main.evaluate(expression, world=World.MAIN, retry=True)

    async def ask_if_it_is_there(self, expression: str) -> Any:
        """None while the page, which may just be loading, does not have what is asked about."""
        try:
            return await self.ask(expression)
        except JsError:
            return None

    async def until(self, expression: str, is_right: Callable[[Any], bool] = bool) -> Any:
        value = None
        with anyio.move_on_after(PATIENCE):
            while (value := await self.ask_if_it_is_there(expression)) is None or not is_right(value):
                pass
            return value
        raise AssertionError(f"{expression} stayed {value!r}")

    async def come(self, link: str) -> None:
        await navigate(self.page, link, WaitUntil.LOAD)
        await self.until("document.getElementById('state').dataset.state === 'open'")

    async def sees(self, x: float, y: float, colour: tuple[int, int, int]) -> None:
        """The picture has this colour at a point of its own, given as parts of its width and height."""
        pixel = (
            "(() => { const c = document.getElementById('picture');"
            f" return [...c.getContext('2d').getImageData(c.width * {x}, c.height * {y}, 1, 1).data].slice(0, 3) }})()"
        )
        await self.until(pixel, lambda seen: all(abs(a - b) < 40 for a, b in zip(seen, colour, strict=True)))

    async def size(self, width: int, height: int, dpr: float) -> None:
        await self.page.session.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=dpr, mobile=False
        )

    async def point(self, x: float, y: float, w: float, h: float) -> tuple[float, float]:
        """Where a point of the page shown (`w` by `h`) is on this screen: as a person sees it, from the canvas."""
        left, top, width, height = await self.ask(
            "(() => { const r = document.getElementById('picture').getBoundingClientRect();"
            " return [r.left, r.top, r.width, r.height] })()"
        )
        scale = min(width / w, height / h)
        return left + (width - w * scale) / 2 + x * scale, top + (height - h * scale) / 2 + y * scale

    async def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.page.session.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
            )

    async def type(self, text: str) -> None:
        for character in text:
            code = f"Key{character.upper()}"
            key = {"key": character, "code": code, "windowsVirtualKeyCode": ord(character.upper())}
            await self.page.session.send("Input.dispatchKeyEvent", type="keyDown", text=character, **key)
            await self.page.session.send("Input.dispatchKeyEvent", type="keyUp", **key)


@pytest.fixture
def shown(api: httpx.Client, site: Site) -> Iterator[httpx.Client]:
    """The first Chromium, with the page that keeps what it saw."""
    api.post("/v1/browser/navigate", json={"url": site.url("live/events.html")}).raise_for_status()
    yield api


def link(api: httpx.Client, role: str = "drive") -> str:
    address: str = api.post("/v1/tokens", json={"role": role, "name": "Ann"}).json()["link"]
    return address


async def value(api: httpx.Client, expression: str, person: Person) -> Any:
    """What the page shown says, asked by a tool of the person's own, who may hold control."""
    token = api.post("/v1/tokens", json={"role": "drive", "name": "Ann"}).json()["token"]
    key = await person.until("sessionStorage.getItem('belljar-viewer')")
    headers = {"Authorization": f"Bearer {token}", "Belljar-Viewer": key}
    answer = api.post("/v1/browser/execute", json={"expression": expression}, headers=headers)
    return answer.raise_for_status().json()["result"]


async def until_value(api: httpx.Client, expression: str, person: Person, is_right: Callable[[Any], bool]) -> Any:
    with anyio.move_on_after(PATIENCE):
        while not is_right(found := await value(api, expression, person)):
            # The other Chromium is driven from this loop too.
            await anyio.lowlevel.checkpoint()
        return found
    raise AssertionError(f"{expression} stayed {await value(api, expression, person)!r}")


async def test_a_person_sees_pixels_move(screen: Page, api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("live/moving.html")}).raise_for_status()
    person = Person(screen)
    await person.come(link(api))
    whole = (
        "(() => { const c = document.getElementById('picture'), d = c.getContext('2d').getImageData(0, 0, c.width,"
        " c.height).data; let sum = 0; for (let i = 0; i < d.length; i += 97) sum = (sum * 31 + d[i]) % 1000003;"
        " return sum })()"
    )
    pictures = {await person.until(whole)}
    for _ in range(3):
        pictures.add(await person.until(whole, lambda sum: sum not in pictures))
    assert len(pictures) == 4


@pytest.mark.parametrize(
    ("width", "height", "dpr"),
    [
        (1280, 900, 1),
        (500, 900, 2),
        pytest.param(1280, 900, 2, marks=pytest.mark.soak),
        pytest.param(640, 500, 1, marks=pytest.mark.soak),
    ],
    ids=str,
)
async def test_clicks_and_keys_arrive_where_they_were_meant(
    screen: Page, shown: httpx.Client, width: int, height: int, dpr: float
) -> None:
    person = Person(screen)
    await person.size(width, height, dpr)
    await person.come(link(shown))
    w, h = await value(shown, "[innerWidth, innerHeight]", person)
    await person.sees(450 / w, 250 / h, (0, 0, 255))
    await person.click(*await person.point(450, 250, w, h))
    await until_value(shown, "seen.filter((e) => e.type === 'mouseup').length", person, lambda count: count == 1)
    events = [e for e in await value(shown, "seen", person) if e["type"] in ("mousedown", "mouseup", "click")]
    assert [e["type"] for e in events] == ["mousedown", "mouseup", "click"]
    # A pixel of the small screen may be several of the page's.
    slack = max(1.0, w / width)
    assert all(abs(e["x"] - 450) <= slack and abs(e["y"] - 250) <= slack and e["trusted"] for e in events)
    await person.sees(0.9, 0.9, (255, 0, 0))
    assert "You have control" in await person.until("document.getElementById('holder').textContent")

    await person.click(*await person.point(150, 60, w, h))
    await until_value(shown, "document.activeElement.id", person, lambda id: id == "field")
    await person.type("hello")
    await screen.session.send("Input.insertText", text=" 日本語")
    assert await until_value(shown, "field.value", person, lambda text: text.endswith("語")) == "hello 日本語"
    keys = [(e["type"], e["key"]) for e in await value(shown, "seen", person) if e["type"].startswith("key")]
    assert keys == [(kind, key) for key in "hello" for kind in ("keydown", "keyup")]


async def test_a_phones_keyboard_deletes_and_ends_lines(screen: Page, shown: httpx.Client) -> None:
    await screen.session.send("Emulation.setTouchEmulationEnabled", enabled=True)
    await screen.session.send(
        "Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=2, mobile=True
    )
    person = Person(screen)
    await person.come(link(shown))
    w, h = await value(shown, "[innerWidth, innerHeight]", person)
    await person.sees(450 / w, 250 / h, (0, 0, 255))
    x, y = await person.point(150, 60, w, h)
    await screen.session.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    await screen.session.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    await until_value(shown, "document.activeElement.id", person, lambda id: id == "field")
    # The keyboard comes when it is asked for, not with every tap.
    assert await person.ask("document.getElementById('keys').inputMode") == "none"
    await person.ask("document.getElementById('keyboard').click()")
    assert await person.ask("[document.activeElement.id, document.activeElement.inputMode].join()") == "keys,text"
    await screen.session.send("Input.insertText", text="cats")
    await until_value(shown, "field.value", person, lambda text: text == "cats")
    for edit in ("deleteBackward", "insertNewline"):
        # Such keyboards name no key, and edit what is there.
        key = {"key": "Unidentified", "windowsVirtualKeyCode": 229, "commands": [edit]}
        await screen.session.send("Input.dispatchKeyEvent", type="rawKeyDown", **key)
    await until_value(shown, "field.value", person, lambda text: text == "cat\n")
    await screen.session.send("Emulation.setTouchEmulationEnabled", enabled=False)


async def test_what_an_input_method_composes_is_seen_in_the_page(screen: Page, shown: httpx.Client) -> None:
    person = Person(screen)
    await person.size(1280, 900, 1)
    await person.come(link(shown))
    w, h = await value(shown, "[innerWidth, innerHeight]", person)
    await person.sees(450 / w, 250 / h, (0, 0, 255))
    await person.click(*await person.point(150, 60, w, h))
    await until_value(shown, "document.activeElement.id", person, lambda id: id == "field")
    for text in ("n", "に", "にほん"):
        await screen.session.send(
            "Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text)
        )
        await until_value(shown, "field.value", person, lambda shown, text=text: shown == text)  # type: ignore[misc]
    await screen.session.send("Input.insertText", text="日本")
    await until_value(shown, "field.value", person, lambda text: text == "日本")


async def test_pointing_is_not_acting(screen: Page, shown: httpx.Client) -> None:
    person = Person(screen)
    await person.size(1280, 900, 1)
    await person.come(link(shown))
    w, h = await value(shown, "[innerWidth, innerHeight]", person)
    await person.sees(450 / w, 250 / h, (0, 0, 255))
    x, y = await person.point(450, 250, w, h)
    await screen.session.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    assert await person.until("document.getElementById('holder').textContent") == "Nobody has control"
    assert await value(shown, "seen.length", person) == 0


async def test_who_may_only_watch_changes_nothing(screen: Page, shown: httpx.Client) -> None:
    person = Person(screen)
    await person.come(link(shown, "view"))
    w, h = await value(shown, "[innerWidth, innerHeight]", person)
    await person.sees(450 / w, 250 / h, (0, 0, 255))
    await person.click(*await person.point(450, 250, w, h))
    await person.type("hello")
    assert "view only" in await person.until("document.getElementById('holder').textContent")
    assert await person.ask("document.getElementById('control').hidden && document.getElementById('url').disabled")
    assert await value(shown, "seen.length", person) == 0


async def test_what_an_agent_asks_is_shown_until_the_person_is_done(screen: Page, shown: httpx.Client) -> None:
    person = Person(screen)
    await person.come(link(shown))
    asked = "<b>Sign in</b> as Ann, please"
    shown.post("/v1/control", json={"action": "ask", "question": asked}).raise_for_status()
    seen = "document.getElementById('question').checkVisibility() && document.getElementById('question').innerText"
    assert asked in await person.until(seen)
    press = "(() => { const b = document.getElementById('question-take'); b.click(); return b.textContent })()"
    assert await person.ask(press) == "Help: take control"
    await person.until("document.getElementById('question-take').textContent === 'Done: give control back'")
    assert shown.get("/v1/control").json()["holder"]["kind"] == "viewer"
    assert await person.ask(press) == "Done: give control back"
    await person.until("document.getElementById('question').hidden")
    assert "question" not in shown.get("/v1/control").json()


async def test_it_survives_a_reload_with_control_and_all(screen: Page, shown: httpx.Client) -> None:
    person = Person(screen)
    await person.come(link(shown))
    await person.ask("document.getElementById('control').click()")
    await person.until("document.getElementById('holder').textContent === 'You have control'")
    await screen.session.send("Page.reload")
    await person.until("document.getElementById('holder').textContent === 'You have control'")
    await person.sees(0.9, 0.9, (0, 128, 0))
    assert "ticket" not in await person.ask("location.href")


async def test_the_bars_work(screen: Page, shown: httpx.Client, site: Site) -> None:
    person = Person(screen)
    await person.come(link(shown))
    await person.ask(
        f"document.getElementById('url').value = {site.url('second.html')!r};"
        " document.getElementById('go').requestSubmit()"
    )
    await person.until("document.querySelector('.tab.active button').title", lambda url: url.endswith("second.html"))
    await person.ask("document.getElementById('back').click()")
    await person.until("document.getElementById('url').value", lambda url: url.endswith("events.html"))
    await person.ask("document.querySelector('#tabs > button').click()")
    await person.until("document.querySelectorAll('.tab').length === 2")
    await person.ask("document.querySelectorAll('.tab')[1].querySelectorAll('button')[1].click()")
    await person.until("document.querySelectorAll('.tab').length === 1")
    await value(shown, "console.error('<img src=x onerror=alert(1)>')", person)
    await person.until("document.querySelector('#console li.error')?.textContent.startsWith('<img')")
    assert await person.ask("document.querySelector('#console img') === null")
    await person.ask(
        "document.getElementById('command-text').value = 'evaluate 6 * 7';"
        " document.getElementById('command').requestSubmit()"
    )
    await person.until("document.getElementById('command-result').textContent.includes('42')")


async def test_a_used_link_and_a_wrong_token_are_said_to_be(screen: Page, box: RunningBox, api: httpx.Client) -> None:
    await screen.session.send("Network.clearBrowserCookies")
    person = Person(screen)
    once = link(api)
    await person.come(once)
    await screen.session.send("Network.clearBrowserCookies")
    await navigate(screen, "about:blank", WaitUntil.LOAD)
    await navigate(screen, once, WaitUntil.LOAD)
    await person.until("document.getElementById('sign-in-why').textContent.includes('used already')")
    # A good one, pasted into the address of the page that asks for it.
    await person.ask(f"location.href = {link(api)!r}")
    await person.until("document.getElementById('state').dataset.state === 'open'")
    await screen.session.send("Network.clearBrowserCookies")
    await navigate(screen, once.partition("#")[0], WaitUntil.LOAD)
    for token, outcome in (
        ("wrong", "document.getElementById('sign-in-why').classList.contains('bad')"),
        (box.token, "document.getElementById('state').dataset.state === 'open'"),
    ):
        await person.ask(
            f"document.getElementById('token').value = {token!r};"
            " document.getElementById('sign-in-form').requestSubmit()"
        )
        await person.until(outcome)


async def test_it_reconnects_when_the_box_is_back(screen: Page) -> None:
    person = Person(screen)
    with running_box() as first:
        port = first.port
        with first.client() as client:
            await person.come(link(client))
    await person.until("document.getElementById('note-text').textContent.includes('told to stop')")
    with running_box("--port", str(port)):
        # The box said that it ends, so the page does not press it; a person who asks again is let in by their cookie.
        await person.ask("document.getElementById('again').click()")
        await person.until("document.getElementById('state')?.dataset.state === 'open'")


async def test_it_reconnects_by_itself_after_a_crash(screen: Page) -> None:
    person = Person(screen)
    with running_box() as first:
        port = first.port
        with first.client() as client:
            await person.come(link(client))
        first.process.kill()
        first.process.wait()
    await person.until("document.getElementById('state').dataset.state !== 'open'")
    with running_box("--port", str(port)):
        await person.until("document.getElementById('state').dataset.state === 'open'")


async def test_it_works_at_a_sub_path(screen: Page, box: RunningBox, shown: httpx.Client) -> None:
    await screen.session.send("Network.clearBrowserCookies")
    person = Person(screen)
    with running_prefix_proxy("/deep/er", box.port) as port:
        ticket = link(shown).partition("#")[2]
        await person.come(f"http://127.0.0.1:{port}/deep/er/view#{ticket}")
        await person.sees(0.9, 0.9, (0, 128, 0))
        cookies = (await screen.session.send_as(Cookies, "Network.getCookies")).cookies
        (cookie,) = [cookie for cookie in cookies if cookie.name == "belljar_box"]
        assert (cookie.path, cookie.http_only, cookie.same_site) == ("/deep/er/", True, "Strict")


async def test_a_person_allows_a_page_something_in_the_viewer(screen: Page, api: httpx.Client, site: Site) -> None:
    address = {"url": site.url("live/permissions.html", host=1)}
    api.post("/v1/browser/navigate", json=address).raise_for_status()
    api.post("/v1/browser/execute", json={"expression": "console.log('written before')"}).raise_for_status()
    person = Person(screen)
    await person.come(link(api))
    # What was there before the viewer came is there.
    await person.until("document.getElementById('console').textContent.includes('written before')")
    await person.ask("document.getElementById('control').click()")
    await person.until("document.getElementById('holder').textContent === 'You have control'")
    await value(api, "where()", person)
    form = "document.querySelector('#asks form[data-kind=permission]')"
    question = await person.until(f"{form}?.querySelector('p').textContent")
    assert question == f"{site.origin(1)} asks to know where it is"
    await person.ask(
        f"(() => {{ const [lat, lon] = {form}.querySelectorAll('input'); lat.value = '52.5'; lon.value = '13.25';"
        f" [...{form}.querySelectorAll('button')].find((b) => b.textContent === 'Allow once').click() }})()"
    )
    assert await until_value(api, "seen", person, bool) == [["geolocation", 52.5, 13.25]]
    await person.until("document.getElementById('asks').hidden")
    await value(api, "print()", person)
    assert (
        await person.until("document.querySelector('#asks form[data-kind=print] button')?.textContent") == "Save as PDF"
    )


async def test_a_page_that_comes_slowly_can_be_stopped_and_one_that_fails_says_why(
    screen: Page, api: httpx.Client, site: Site
) -> None:
    person = Person(screen)
    await person.come(link(api))
    await person.ask("document.getElementById('control').click()")
    await person.until("document.getElementById('holder').textContent === 'You have control'")
    go = "(() => {{ document.getElementById('url').value = {!r}; document.getElementById('go').requestSubmit() }})()"
    await person.ask(go.format(site.url("_/slow/30")))
    await person.until("!document.getElementById('stop').hidden && !document.getElementById('loading').hidden")
    await person.ask("document.getElementById('stop').click()")
    await person.until("document.getElementById('stop').hidden && document.getElementById('loading').hidden")
    await person.ask(go.format("http://127.0.0.1:2/"))
    await person.until("document.getElementById('toasts').textContent.includes('takes no connections')")
