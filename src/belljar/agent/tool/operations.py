"""The operations, on a tab of a box: what comes out is the payload of the runner's answer."""

from typing import Any

import anyio

from belljar.agent.tool.failure import ToolFailure, timeout_hint
from belljar.agent.tool.interact import interact
from belljar.agent.tool.last_url import LastUrl
from belljar.agent.tool.request import Request
from belljar.agent.tool.steps import Place, Steps


async def run_operation(request: Request, steps: Steps, last_url: LastUrl) -> dict[str, Any]:
    """Every operation but `close`, within the call's budget."""
    try:
        with anyio.fail_after(request.budget):
            done = await _operate(request, steps, last_url)
    except TimeoutError as error:
        seconds = f"{request.budget:g}"
        raise ToolFailure(
            f"{request.operation} timed out after {seconds} s.", timeout_hint(request.timeout_ms)
        ) from error
    return {"operation": request.operation, **done}


async def _operate(request: Request, steps: Steps, last_url: LastUrl) -> dict[str, Any]:
    if request.operation == "interact":
        return await interact(request, steps, last_url, await starting_url(request, last_url))
    start = await starting_url(request, last_url)
    assert start is not None
    place = await steps.goto(start, request.wait_until)
    await last_url.write(place.url)
    match request.operation:
        case "navigate":
            return {**_told(place), "http_status": place.http_status}
        case "extract_text":
            text = await steps.text(request.selector, request.max_chars)
            return {"url": text["url"], "title": text["title"], "text": text}
        case "click":
            assert request.selector is not None
            await steps.click(request.selector)
            after = await steps.place()
            if after.url != place.url:
                await last_url.write(after.url)
            return _told(after)
    saved = await steps.screenshot(request.out_path)
    return {**_told(await steps.place()), **saved}


async def starting_url(request: Request, last_url: LastUrl) -> str | None:
    """The address given, or the last one; None for a sequence that goes somewhere itself.  Raises `ToolFailure`."""
    if request.url is not None:
        return request.url
    if request.begins_elsewhere:
        return None
    remembered = await last_url.read()
    if remembered is None:
        raise ToolFailure(
            f'{request.operation} needs a URL: pass `url=...` or call `operation="navigate"` first',
            "There is no page to go on with: name one.",
        )
    return remembered


def _told(place: Place) -> dict[str, Any]:
    return {"url": place.url, "title": place.title}
