"""Every tool, through the official client, on a real page in a real Chromium."""

import base64
import re

import pytest
from mcp import MCPError

from tests.agent.mcp.clients import Agent
from tests.servers import RunningBox
from tests.site import Site


@pytest.fixture
async def page(agent: Agent, site: Site) -> Agent:
    await agent.ok("navigate", url=site.url("agent/order.html"))
    return agent


def ref(snapshot: str, line: str) -> str:
    found = re.search(re.escape(line) + r" \[(\w+)\]", snapshot)
    assert found, f"{line} is not in:\n{snapshot}"
    return found[1]


async def test_navigate_shows_the_page(agent: Agent, site: Site) -> None:
    text = await agent.ok("navigate", url=site.url("agent/order.html"))
    assert 'heading "Order a cake" level=1' in text
    assert f"<untrusted {text.split('<untrusted ')[1][:16]} {site.origin()}>" in text
    text = await agent.ok("navigate", url=site.url("agent/second.html"))
    assert "The second tab" in text
    assert "Order a cake" in await agent.ok("navigate", go="back")
    assert "Order a cake" in await agent.ok("navigate", go="reload")


async def test_a_click_answers_with_what_it_changed_and_nothing_else(page: Agent) -> None:
    shown = await page.ok("snapshot")
    await page.ok("type", target=ref(shown, 'textbox "Name"'), text="Ann")
    text = await page.ok("click", target=ref(shown, 'button "Order"'))
    assert "Ann gets Apple" in text
    assert "checkbox" not in text
    assert len(text) < 300


async def test_many_fields_of_every_kind_are_filled_in_one_call(page: Agent) -> None:
    shown = await page.ok("snapshot")
    fields = [
        {"target": ref(shown, 'textbox "Name"'), "value": "Bob"},
        {"target": "#mail", "value": "bob@example.com"},
        {"target": ref(shown, 'combobox "Cake"'), "value": "Plum"},
        {"target": ref(shown, 'checkbox "With cream"'), "value": True},
        {"target": "#wishes", "value": "two\nlines"},
    ]
    text = await page.ok("fill", fields=fields, submit=ref(shown, 'button "Order"'))
    assert "Filled 5 fields" in text
    assert "Bob gets Plum with cream" in text
    # What is as wanted already stays so.
    text = await page.ok("fill", fields=[{"target": "#cream", "value": True}, {"target": "#name", "value": "Cy"}])
    assert "Cy" in text
    assert "Cy gets Plum with cream" in await page.ok("click", target="role=button[name=Order]")


async def test_a_field_that_cannot_be_filled_is_named(page: Agent) -> None:
    fields = [{"target": "#name", "value": "Ann"}, {"target": "#cake", "value": "Stone"}]
    heard = await page.call("fill", fields=fields)
    assert heard.is_error
    assert heard.text.startswith("option_not_found (retry: no)")
    assert "Field 2 of 2 failed" in heard.text
    assert "Apple | Cheese | Plum" in heard.text


async def test_select_press_hover_and_scroll(page: Agent) -> None:
    assert "Cheese" in await page.ok("select", target="#cake", values=["Cheese"])
    await page.ok("type", target="#name", text="Dan")
    assert "Dan gets Cheese" in await page.ok("press", key="Enter", target="#name")
    assert "Hovering." in await page.ok("hover", target="#ask")
    assert "Scrolled." in await page.ok("scroll", y=100)
    assert "Scrolled." in await page.ok("scroll", target="#list")


async def test_drag(page: Agent) -> None:
    await page.ok(
        "evaluate",
        expression="const two = document.getElementById('two');"
        "two.ondragover = (e) => e.preventDefault();"
        "two.ondrop = () => { said.textContent = 'dropped on two' }; 0",
    )
    assert "dropped on two" in await page.ok("drag", start="#one", end="#two")


async def test_a_dialog_is_told_and_answered(page: Agent) -> None:
    text = await page.ok("click", target="#ask")
    assert 'dialog confirm: "Really?"' in text
    assert "answer it with dialog" in text
    heard = await page.call("click", target="#later")
    assert heard.is_error
    assert heard.text.startswith("dialog_open (retry: after dialog)")
    text = await page.ok("dialog", accept=True)
    assert text.startswith("Accepted.")
    assert '+ status "yes"' in text
    assert "checkbox" not in text


async def test_tabs(page: Agent) -> None:
    text = await page.ok("click", target="#alone")
    assert "new tab" in text
    listed = await page.ok("tabs")
    assert "2 tabs" in listed
    first, second = re.findall(r"^[* ] (\w+) ", listed, re.M)[-2:]
    assert "Order a cake" in await page.ok("tabs", do="switch", tab=first)
    assert "1 tab," in await page.ok("tabs", do="close", tab=second)
    assert "The second tab" in await page.ok("tabs", do="new", url=await _sibling(page, "second.html"))
    third = re.findall(r"^\* (\w+) ", await page.ok("tabs"), re.M)[-1]
    await page.ok("tabs", do="close", tab=third)


async def _sibling(page: Agent, name: str) -> str:
    text = await page.ok("evaluate", expression=f"new URL('{name}', location).href")
    return str(re.findall(r'"(http[^"]+)"', text)[0])


async def test_wait_returns_what_came(page: Agent) -> None:
    await page.ok("evaluate", expression="setTimeout(() => said.textContent = 'here at last', 300); 0")
    assert "here at last" in await page.ok("wait", text="here at last", seconds=5)
    heard = await page.call("wait", text="never to come", seconds=0.2)
    assert heard.is_error
    assert "timeout (retry: yes)" in heard.text


async def test_what_comes_late_is_told_with_the_next_answer(page: Agent) -> None:
    assert "here at last" not in await page.ok("click", target="#later")
    assert (await page.call("evaluate", expression="new Promise((done) => setTimeout(done, 500))")).is_error is False
    text = await page.ok("hover", target="#ask")
    assert "here at last" in text
    assert "checkbox" not in text


async def test_find_shows_lines_in_their_place(page: Agent) -> None:
    text = await page.ok("find", text="with cream")
    assert 'checkbox "With cream"' in text
    assert "Ask" not in text
    assert "Nothing on the page matches" in await page.ok("find", text="zebra")
    assert 'button "Order"' in await page.ok("find", text="/button .order/")
    heard = await page.call("find", text="/(unclosed/")
    assert heard.text.startswith("bad_argument (retry: no): text is not a regular expression")


async def test_an_unchanged_page_is_one_line(page: Agent) -> None:
    revision = int(re.findall(r"Revision (\d+)", await page.ok("snapshot"))[0])
    assert await page.ok("snapshot", since=revision) == f"Revision {revision}. Unchanged."
    await page.ok("evaluate", expression="said.textContent = 'changed'; 0")
    text = await page.ok("snapshot", since=revision)
    assert text.startswith("Changes.")
    assert "changed" in text
    assert "textbox" not in text


async def test_a_page_of_300_controls_stays_short_and_can_be_read_to_its_end(agent: Agent, site: Site) -> None:
    await agent.ok("navigate", url="about:blank")
    await agent.ok("evaluate", expression=MANY_CONTROLS)
    text = await agent.ok("snapshot")
    assert len(text) <= 20_000 + 300
    seen = set(re.findall(r"\[(e\d+)\]", text))
    while more := re.search(r"Read on with offset (\d+)", text):
        text = await agent.ok("snapshot", offset=int(more[1]))
        seen |= set(re.findall(r"\[(e\d+)\]", text))
    assert len(seen) >= 300


MANY_CONTROLS = """document.body.innerHTML = Array.from({length: 100}, (_, i) => `<section><h2>Product ${i}</h2>
<p>Something about product ${i} that one may want to know.</p><a href="/p/${i}">Details of product ${i}</a>
<label>Amount <input id="n${i}" type="number"></label><button>Buy product ${i}</button></section>`).join(""); 0"""


async def test_long_texts_are_read_in_pieces(agent: Agent, site: Site) -> None:
    await agent.ok("navigate", url="about:blank")
    await agent.ok(
        "evaluate",
        expression="document.body.innerHTML = '<article>' + Array.from({length: 900}, (_, i) =>"
        " `<p>Paragraph number ${i} of a long text.</p>`).join('') + '</article>'; 0",
    )
    text = await agent.ok("read", mode="page")
    more = re.search(r"Read on with offset (\d+)", text)
    assert more
    assert "number 0 of" in text
    assert "number 899 of" not in text
    while more:
        text = await agent.ok("read", mode="page", offset=int(more[1]))
        more = re.search(r"Read on with offset (\d+)", text)
    assert "number 899 of" in text


async def test_a_covered_or_disabled_element_is_told_with_its_reason(page: Agent) -> None:
    heard = await page.call("click", target="#under")
    assert heard.is_error
    assert heard.text.startswith("element_not_ready (retry: no): Something covers the element")
    assert "lid" in heard.text
    heard = await page.call("click", target="#off")
    assert "element_not_ready (retry: no): The element is disabled." in heard.text


async def test_a_stale_ref_says_so(page: Agent) -> None:
    old = ref(await page.ok("snapshot"), 'button "Replace"')
    text = await page.ok("click", target=old)
    assert 'button "Fresh"' in text
    heard = await page.call("click", target=old)
    assert heard.is_error
    assert heard.text.startswith("stale_ref (retry: no): That element is gone. Take a snapshot")


async def test_console_errors_are_told_with_the_action(page: Agent) -> None:
    text = await page.ok("click", target="#broken")
    assert "console error: broken on purpose" in text
    assert "no cake" in await page.ok("console", level="error")


async def test_network_and_a_response(page: Agent) -> None:
    text = await page.ok("network", pattern="order")
    id = re.findall(r"^(\S+) GET 200 document", text, re.M)[-1]
    assert "Order a cake" in await page.ok("network", id=id)
    told = await page.ok("network", id=id, details=True)
    assert "begun by other" in told and "timing (ms): " in told and "wait " in told
    assert "request headers:" in told and "\nContent-Type: text/html" in told


async def test_a_download_is_told_waited_for_and_read(page: Agent) -> None:
    text = await page.ok("click", target="text=Recipe")
    listed = await page.ok("downloads")
    id = re.findall(r'^(\S+) \w+ \d+ bytes "recipe.txt"', listed, re.M)[-1]
    heard = await page.call("downloads", id=id)
    assert not heard.is_error, (text, heard.text)
    link = next(part for part in heard.content if part.type == "resource_link")
    read = (await page.client.read_resource(link.uri)).contents[0]
    assert base64.b64decode(read.blob) == (b"belljar " * 9)[:64]  # type: ignore[union-attr]


async def test_upload_of_a_new_file(page: Agent) -> None:
    assert "got note.txt" in await page.ok("upload", target="#file", name="note.txt", content="hello")


async def test_a_picture_is_in_the_answer_and_scaled(page: Agent) -> None:
    heard = await page.call("screenshot")
    (shown,) = [part for part in heard.content if part.type != "text"]
    assert shown.type == "image" and shown.mime_type == "image/jpeg"
    assert base64.b64decode(shown.data).startswith(b"\xff\xd8")
    await page.ok("evaluate", expression="document.body.style.height = '6000px'; 0")
    heard = await page.call("screenshot", full=True)
    (shown,) = [part for part in heard.content if part.type != "text"]
    assert shown.type == "image"
    assert max(_size(base64.b64decode(shown.data))) <= 1568
    with pytest.raises(MCPError):
        await page.client.read_resource("belljar://picture/00000000000000000000000000000000")


async def test_an_argument_that_a_tool_does_not_have_is_refused_and_nothing_is_done(page: Agent) -> None:
    heard = await page.call("type", target="#name", text="x", clear=True)
    assert heard.is_error
    assert heard.text == "bad_argument (retry: no): type does not take clear. It takes: target, text, append, submit."
    heard = await page.call("fill", fields=[{"target": "#name", "value": "x", "kind": "text"}])
    assert heard.text == ("bad_argument (retry: no): fields[0] of fill does not take kind. It takes: target, value.")
    assert '""' in await page.ok("evaluate", expression="document.querySelector('#name').value")


def _size(picture: bytes) -> tuple[int, int]:
    import io

    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        return opened.size


async def test_evaluate_gives_values_and_errors(page: Agent) -> None:
    assert '{"a": [1, null]}' in await page.ok("evaluate", expression="({a: [1, null]})")
    heard = await page.call("evaluate", expression="nothing.there")
    assert heard.is_error
    assert heard.text.startswith("script_error (retry: no)")


async def test_crawl(agent: Agent, site: Site) -> None:
    text = await agent.ok("crawl", url=site.url("crawl/index.html"), pages=3)
    assert "pages" in text.split("\n")[0]
    assert site.url("crawl/") in text


async def test_bad_arguments_are_sentences(page: Agent) -> None:
    heard = await page.call("click")
    assert heard.text == "bad_argument (retry: no): target must be a ref such as e12, or a selector."
    heard = await page.call("tabs", do="dance")
    assert heard.text.startswith("bad_argument (retry: no): do must be one of")
    with pytest.raises(MCPError):
        await page.client.call_tool("nothing", {})


async def test_the_browser_outlives_a_client_that_reconnects(page: Agent, box: RunningBox) -> None:
    from tests.agent.mcp.clients import connected

    await page.ok("type", target="#name", text="still here")
    for mode in ("auto", "legacy"):
        async with connected(f"{box.url}/mcp", box.token, mode=mode) as again:
            assert "still here" in await again.ok("snapshot")
