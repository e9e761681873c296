import json
from pathlib import Path

from belljar.server.inprocess import InProcess, Reply
from belljar.tokens import Caller, Keys, Role
from tests.inprocess import running_application

_TOKEN = (b"authorization", b"Bearer of the operator")
_JSON = ((b"content-type", b"application/json"),)
_ECHO = json.dumps({"command": "echo", "args": ["hello"]}).encode()


async def run(calls: InProcess) -> Reply:
    return await calls.call("POST", "/v1/processes/run", headers=_JSON, content=_ECHO)


async def test_the_caller_in_the_scope_counts_and_no_header_does(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys("of the operator")) as application:
        operator, viewer = Caller(Role.OPERATOR, "operator"), Caller(Role.VIEW, "watcher")
        assert (await run(application.calls(operator))).status == 200
        # One who only watches gains nothing by a better token in the request that they came with.
        assert (await run(application.calls(viewer, _TOKEN))).status == 403


async def test_credentials_are_judged_again_where_no_caller_was_found(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys("of the operator")) as application:
        assert (await run(application.calls(None, _TOKEN))).status == 200
        assert (await run(application.calls(None))).status == 401
        assert (await run(application.calls(None, (b"authorization", b"Bearer of nobody")))).status == 401


async def test_a_call_for_a_websocket_is_a_request_under_the_same_address(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys(None)) as application:
        outer = application.outer(Caller(Role.OPERATOR, "operator"), (b"x-forwarded-prefix", b"/below"))
        socket = outer | {
            "type": "websocket",
            "scheme": "wss",
            "headers": [(b"host", b"localhost:5"), *outer["headers"][1:]],
        }
        calls = InProcess(application.app, socket)
        reply = await calls.call("POST", "/v1/live/links", headers=_JSON, content=b"{}")
        assert reply.media_type == "application/json"
        assert json.loads(reply.content)["link"].startswith("https://localhost:5/")
