"""Commands posted one behind another, and the wait for all of them."""

from collections.abc import Sequence

from belljar.box.browser.cdp.session import Posted


async def all_answered(posted: Sequence[Posted]) -> None:
    """Wait until every command was answered; raise the first refusal when all are through."""
    refused: Exception | None = None
    try:
        # From the last: answers come in their order, so that this wakes once and not for each of them.
        for one in reversed(posted):
            try:
                await one
            except Exception as error:  # noqa: BLE001  # raised again below, once the others are through
                refused = error
    finally:
        for one in posted:
            one.drop()
    if refused is not None:
        raise refused
