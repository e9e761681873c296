"""What the record adds to a request on the event loop, alone: a hundred calls through its layer, told and not.

Everything else of a request is left out, so that the least of many rounds tells it on a busy machine, too: the best
divided by a hundred is what one call costs.  What is done in the writer's thread, each second, is not in it.
"""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import SimpleNamespace

from starlette.types import Message, Receive, Scope, Send

from belljar import logs
from belljar.box.access.lease import Lease
from belljar.box.app import routers
from belljar.box.record import Bus
from belljar.box.record.calls import RecordCalls
from belljar.tokens import Caller, Role
from belljar.wire.record import EventKind
from benchmarks.harness import Action, Benchmark, Contender, run

CALLS = 100
_ROUTE = next(route for router in routers() for route in router.routes if route.operation_id == "executeBrowserScript")


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def receive() -> Message:
    return {"type": "http.request", "body": b'{"expression": "1 + 1"}', "more_body": False}


async def send(message: Message) -> None:
    """Nowhere."""


def through(kinds: Collection[EventKind]) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        layer = RecordCalls(answer)
        logs.request_id.set("0123456789abcdef")
        record = SimpleNamespace()
        box = SimpleNamespace(record=record, lease=Lease(60))
        state = {"caller": Caller(Role.OPERATOR, "operator"), "box": box}
        scope = {"type": "http", "route": _ROUTE, "headers": [], "query_string": b"", "path_params": {}, "state": state}

        async def calls() -> None:
            # Another bus each time: one alone would soon have had its share of the second.
            record.bus = Bus()
            record.bus.write_kinds(kinds)
            for _ in range(CALLS):
                await layer(scope, receive, send)
            assert len(record.bus.take()) == (2 * CALLS if kinds else 0)

        yield calls

    return opened


BENCHMARK = Benchmark(
    "record_layer",
    baseline="none",
    contenders=[Contender("none", through(())), Contender("actions", through(tuple(EventKind)))],
    rounds=3000,
    quick_rounds=500,
    warm_up=10,
)

if __name__ == "__main__":
    run(BENCHMARK)
