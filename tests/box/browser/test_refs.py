"""Names of elements: the same while the element lives, never given twice, stale when it is gone."""

import pytest

from belljar.box.browser.page.frames import DocumentGone, Frame, World, bundle
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import WaitUntil
from tests.site import Site

REFS = bundle("refs")


async def name(page: Page, frame: Frame, css: str) -> str:
    """Name an element as a snapshot does."""
    context = await frame.context(World.ISOLATED)
    await frame.use(REFS, "begin", *page.refs.naming(frame, context))
    given = await frame.call("(css) => belljar.refs.refOf(document.querySelector(css))", css, kind=str)
    page.refs.given(frame, context, await frame.use(REFS, "last", kind=int))
    return given


async def id_of(page: Page, ref: str) -> str | None:
    frame = page.refs.frame_of(ref)
    if frame is None:
        return None
    await frame.use(REFS, "last")
    return await frame.call("(ref) => belljar.refs.elementOf(ref)?.id ?? ''", ref, kind=str) or None


async def test_an_element_keeps_its_name_and_the_name_finds_it(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    first = await name(page, page.main, "#second")
    assert [first, await name(page, page.main, "#count"), await name(page, page.main, "#second")] == ["e1", "e2", "e1"]
    assert await id_of(page, "e2") == "count"


async def test_frames_of_every_process_have_names_of_their_own(page: Page, site: Site) -> None:
    await navigate(page, site.url("frames.html"), WaitUntil.LOAD)
    same, cross = page.main.children
    names = [await name(page, frame, "body") for frame in (page.main, same, cross, cross.children[0])]
    assert names == ["e1", "f1e1", "f2e1", "f3e1"]
    assert page.refs.frame_of("f2e1") is cross


async def test_no_name_is_given_twice_when_documents_change(page: Page, site: Site) -> None:
    await navigate(page, site.url("frames.html"), WaitUntil.LOAD)
    before = [await name(page, page.main, "#same"), await name(page, page.main.children[0], "body")]
    await navigate(page, site.url("frames.html"), WaitUntil.LOAD)
    after = [await name(page, page.main, "#same"), await name(page, page.main.children[0], "body")]
    assert (before, after) == (["e1", "f1e1"], ["e2", "f2e1"])
    assert [await id_of(page, ref) for ref in before] == [None, None]


async def test_a_removed_element_has_no_name_any_more(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    ref = await name(page, page.main, "#count")
    await page.main.evaluate("document.querySelector('#count').remove()")
    assert await id_of(page, ref) is None
    assert await id_of(page, "e99") is None
    assert page.refs.frame_of("f99e1") is None
    assert page.refs.frame_of("no ref") is None


async def test_names_of_a_document_that_went_away_are_not_given_out(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    context = await page.main.context(World.ISOLATED)
    await navigate(page, site.url("second.html"), WaitUntil.LOAD)
    with pytest.raises(DocumentGone):
        page.refs.given(page.main, context, 5)
