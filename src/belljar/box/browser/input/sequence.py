"""Commands posted one behind another, and the wait for all of them."""

from collections.abc import Awaitable, Iterable
from typing import Any


async def all_answered(posted: Iterable[Awaitable[Any]]) -> None:
    """Wait until every command was answered; raise the first refusal when all are through.

    Each has to be waited for: a command that nobody waits for is remembered as long as its session lives.
    """
    refused: Exception | None = None
    for one in posted:
        try:
            await one
        except Exception as error:  # noqa: BLE001  # raised again below, once the others are through
            refused = refused or error
    if refused is not None:
        raise refused
