"""Storage state: a login, taken along."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.storage import export_state, import_state, origin_of
from belljar.box.parts import TheBox
from belljar.problems import InvalidRequest
from belljar.problems.browser import BrowserNotActive, BrowserTimeout
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.storage import Restored, RestoreState, StorageState

router = Router(prefix="/v1/browser", tags=["browser"])
_PROBLEMS = problems(BrowserNotActive, BrowserTimeout)
# Seconds; each origin is a page of its own.
PATIENCE = 120.0
Origins = Annotated[
    list[str] | None, Query(max_length=200, description="Origins to look at beside those that are known.")
]


@router.get(
    "/storage",
    operation_id="getBrowserStorage",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def get_storage(box: TheBox, origins: Origins = None) -> StorageState:
    """Cookies, local storage and IndexedDB, in the form of Playwright's `storageState`."""
    _check(origins or [])
    async with box.browser.use_page(OnTab(), "reading the profile's storage", timeout=PATIENCE) as page:
        return await export_state(box.browser.run.tabs, page, origins or [], box.browser.profile)


@router.post("/storage", operation_id="setBrowserStorage", response_model_exclude_none=True, responses=_PROBLEMS)
@again_after_restart
async def set_storage(body: RestoreState, box: TheBox) -> Restored:
    """Put a storage state into the profile, beside what is there.  Sites see it from their next page on."""
    _check([one.origin for one in body.origins])
    async with box.browser.use_page(OnTab(), "writing the profile's storage", timeout=PATIENCE) as page:
        return await import_state(box.browser.run.tabs, page, body)


def _check(origins: list[str]) -> None:
    for origin in origins:
        if origin_of(origin) != origin.rstrip("/"):
            raise InvalidRequest(f"Not an origin: {origin[:100]!r}. It is like https://example.com, without a path.")
