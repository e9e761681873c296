"""Saved contexts: list, create, copy, delete."""

from anyio import to_thread
from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.contexts import Context
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import ContextInUse, ContextNotFound
from belljar.wire.browser.contexts import ContextInfo, ContextList, CreateContext

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get("/contexts", operation_id="getBrowserContexts", tells=Kind.STORAGE)
async def list_contexts(box: TheBox) -> ContextList:
    """Every saved context, the oldest first, with its size on disk."""

    def look() -> list[ContextInfo]:
        return [_info(box, context) for context in box.browser.contexts.list()]

    return ContextList(contexts=await to_thread.run_sync(look))


@router.post(
    "/contexts",
    operation_id="createBrowserContext",
    acts=False,
    status_code=201,
    responses=problems(ContextNotFound, ContextInUse),
)
async def create_context(body: CreateContext, box: TheBox) -> ContextInfo:
    """Make a context, empty or as a copy of another one that is not in use; pass its id to start."""
    if body.copy_of is not None and body.copy_of == box.browser.context_id:
        raise ContextInUse(body.copy_of)

    def make() -> ContextInfo:
        return _info(box, box.browser.contexts.create(body.name, body.copy_of))

    return await to_thread.run_sync(make)


@router.delete(
    "/contexts/{context_id}",
    operation_id="deleteBrowserContext",
    acts=False,
    status_code=204,
    responses=problems(ContextNotFound, ContextInUse),
)
async def delete_context(context_id: str, box: TheBox) -> Response:
    """Delete a context with all it holds; refused while the browser uses it."""
    if context_id == box.browser.context_id:
        raise ContextInUse(context_id)

    def remove() -> None:
        box.browser.contexts.delete(box.browser.contexts.get(context_id))

    await to_thread.run_sync(remove)
    return Response(status_code=204)


def _info(box: Box, context: Context) -> ContextInfo:
    return ContextInfo(
        id=context.id,
        name=context.name,
        created_at=context.created_at,
        size_bytes=box.browser.contexts.size_of(context),
        in_use=context.id == box.browser.context_id,
    )
