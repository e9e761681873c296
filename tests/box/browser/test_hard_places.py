"""Elements in awkward places, in pages with and without a doctype: hit, or refused with the reason."""

import pytest

from belljar.box.browser.acting.click import click
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.snapshot import SnapshotOptions, Snapshots
from belljar.problems.browser import ElementBlocked
from tests.box.browser.acting import on, open_page, seen, soon
from tests.site import Site

LOG = """<script>window.seen = []; for (const type of ["mousedown", "click"])
document.addEventListener(type, (event) => seen.push(`${type}:${event.composedPath()[0].id}`))</script>"""
ROWS = "".join(f"<tr><td><button{' id=b' if n == 30 else ''}>row</button></td></tr>" for n in range(60))
MODAL = "<button id=b>x</button><dialog id=d><button id=in>in</button></dialog><script>d.showModal()</script>"
SHIFTING = """<div style="height: 1500px"></div><button id=b>x</button><script>
let count = 0;
addEventListener("scroll", () => {
  if (count++ < 3) document.body.prepend(Object.assign(document.createElement("div"), { style: "height: 200px" }));
})</script>"""

HIT = {
    "far down": "<div style='height: 3000px'></div><button id=b>x</button><div style='height: 3000px'></div>",
    "a shape": "<svg width=100 height=100><circle id=b cx=50 cy=50 r=40 fill=red /></svg>",
    "a smooth scroller": "<style>html { scroll-behavior: smooth }</style><div style='height: 5000px'></div>"
    "<button id=b>x</button>",
    "larger than the window": "<div id=b style='width: 5000px; height: 5000px'></div>",
    "one pixel": "<div id=b style='width: 1px; height: 1px'></div>",
    "right to left": "<div dir=rtl style='overflow: auto; width: 200px'><div style='width: 2000px; text-align: left'>"
    "<button id=b>x</button></div></div>",
    "zoomed": "<div style='zoom: 2'><div style='height: 900px'></div><button id=b>x</button></div>",
    "under a sticky head": "<div style='height: 200px; overflow: auto'><table><thead style='position: sticky; top: 0; "
    f"background: white'><tr><th style='height: 60px'>H</th></tr></thead>{ROWS}</table></div>",
    "not laid out yet": "<div style='height: 4000px'></div><div style='content-visibility: auto; "
    "contain-intrinsic-size: 1000px'><button id=b>x</button></div>",
    "see-through": "<input type=checkbox id=b style='opacity: 0'>",
    "shifting while it is scrolled to": SHIFTING,
    "a summary": "<details><summary id=b>s</summary>text</details>",
}
REFUSED = {
    "behind a modal dialog": (MODAL, "obscured"),
    "inert": ("<div inert><button id=b>x</button></div>", "disabled"),
    "a label of a disabled box": ("<label id=b>label <input disabled type=checkbox></label>", "disabled"),
}


async def write(page: Page, html: str, doctype: str) -> None:
    script = "(html) => { document.open(); document.write(html); document.close() }"
    await page.main.call(script, doctype + LOG + html)


@pytest.mark.parametrize("doctype", ["", "<!doctype html>"])
@pytest.mark.parametrize("name", HIT)
async def test_it_is_hit(page: Page, name: str, doctype: str) -> None:
    await write(page, HIT[name], doctype)
    await click(page, on("#b"), deadline=soon())
    assert await seen(page) == ["mousedown:b", "click:b"]


@pytest.mark.parametrize("name", REFUSED)
async def test_it_is_refused(page: Page, name: str) -> None:
    html, reason = REFUSED[name]
    await write(page, html, "<!doctype html>")
    with pytest.raises(ElementBlocked) as caught:
        await click(page, on("#b"), fail_fast=True, deadline=soon())
    assert caught.value.body()["reason"] == reason
    assert await seen(page) == []


@pytest.mark.parametrize("id", ["square", "circle", "triangle"])
async def test_areas_of_an_image_map_are_clicked(page: Page, site: Site, id: str) -> None:
    await open_page(page, site, "areas")
    await click(page, on(f"#{id}"), deadline=soon())
    assert page.url.endswith(f"#{id}")


async def test_an_area_without_an_image_is_refused_and_not_in_the_snapshot(page: Page, site: Site) -> None:
    await open_page(page, site, "areas")
    with pytest.raises(ElementBlocked) as refused:
        await click(page, on("#nowhere"), fail_fast=True, deadline=soon())
    assert refused.value.members["reason"] == "hidden"
    text = (await page.watcher(Snapshots).take(SnapshotOptions())).text
    assert 'link "Square"' in text and "Nowhere" not in text


TURNED = {
    "scaled": "transform: scale(0.5)",
    "rotated": "transform: rotate(30deg)",
    "upside down": "transform: rotate(180deg)",
    "slanted": "transform: skew(20deg, 10deg)",
    "mirrored": "transform: scaleX(-1)",
    "rotated by its own property": "rotate: 40deg; scale: 0.7 1.2",
    "rotated around a corner": "transform: rotate(20deg) translate(60px, 10px); transform-origin: 0 0",
}


AROUND = "transform: rotate(-15deg) scale(1.1)"


@pytest.mark.parametrize(
    ("host", "around"),
    [(0, ""), (1, AROUND), *(pytest.param(*pair, marks=pytest.mark.soak) for pair in ((0, AROUND), (1, "")))],
)
@pytest.mark.parametrize("name", TURNED)
async def test_a_button_in_a_turned_frame_is_hit(page: Page, site: Site, name: str, host: int, around: str) -> None:
    """In a frame of the page's own process, and of another."""
    await open_page(page, site, "buttons")
    frame = (
        f"<iframe src='{site.url('acting/inner.html', host=host)}' style='width: 260px; height: 160px; {TURNED[name]}'>"
    )
    html = f"<div style='margin: 150px; width: 300px; {around}'>{frame}</iframe></div>"
    await page.main.call("(html) => { document.body.innerHTML = html }", html)
    await click(page, on("iframe >> #top"), deadline=soon())
    inner = next(frame for frame in page.frames.all() if frame.url.endswith("inner.html"))
    assert "click:top" in [str(one).replace(" ", ":") for one in await seen(inner)]
