"""An API server of the tests' own, for Pods and Secrets, that misbehaves when told to.

It has what the launcher relies on: versions and watches that go on from one, labels, uids and preconditions, deletion
with grace, tokens.  It has no schema, no roles and no admission: a real API server has those, and `make cluster` the
same tests with one.
"""

import asyncio
import json
import random
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

NAMESPACE = "belljar-test"
TOKEN = "the-first-token"
# Whose calls are neither noted nor refused.
KUBELET_TOKEN = "the-kubelet's"
_STARTED_WITHIN = 10.0

Object = dict[str, Any]


@dataclass
class Faults:
    """What the API does wrong, until told otherwise."""

    # How likely each call is answered with one of these instead, and each line of a watch is its last.
    chance: float = 0.0
    dice: random.Random = field(default_factory=lambda: random.Random(1))
    # Watches that are open, and say nothing at all.
    is_mute: bool = False
    # Answers that come after so many seconds.
    slowness: float = 0.0
    # By what a call is: `POST pods` and the like; what is answered instead, once each.
    once: dict[str, list[Response]] = field(default_factory=dict)
    injected: int = 0

    def answer(self, call: str) -> Response | None:
        if waiting := self.once.get(call):
            self.injected += 1
            return waiting.pop(0)
        if self.dice.random() >= self.chance:
            return None
        self.injected += 1
        code = self.dice.choice([429, 500, 503, 504, 401, 0])
        if not code:
            return PlainTextResponse("<html>a proxy's own page</html>", 200)
        more = {"Retry-After": "0"} if code == 429 else {}
        return status(code, "Injected", headers=more)

    def cuts(self) -> str | None:
        """How a watch ends here, if it does."""
        if self.dice.random() >= self.chance:
            return None
        self.injected += 1
        return self.dice.choice(["end", "410", "garbage", "500"])


def status(code: int, reason: str, message: str = "", headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason}
    return JSONResponse(body | {"message": message}, code, dict(headers or {}))


class FakeApi:
    """Runs in a thread of its own; `stop` and `start` are an API server that goes and comes back."""

    def __init__(self, folder: Path) -> None:
        self.faults = Faults()
        self.tokens = {TOKEN}
        # What control planes asked, as `LIST pods`, in order.
        self.calls: list[str] = []
        # What containers said, by Pod: the kubelet's business.
        self.log_of: Callable[[str], bytes | None] = lambda name: None
        self._objects: dict[tuple[str, str], Object] = {}
        self._version = 1
        self._history: list[tuple[int, str, str, Object]] = []
        self._oldest = 0
        self._lock = threading.RLock()
        self._news: asyncio.Event | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._port = 0
        self.kubeconfig = folder / "kubeconfig"
        self.token_file = folder / "token"
        self.token_file.write_text(TOKEN)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        path = "/api/v1/namespaces/{namespace}"
        routes = [
            Route(f"{path}/{{kind}}", self._collection, methods=["GET", "POST"]),
            Route(f"{path}/{{kind}}/{{name}}", self._one, methods=["GET", "DELETE", "PATCH"]),
            Route(f"{path}/{{kind}}/{{name}}/{{part}}", self._part, methods=["GET", "POST", "PATCH"]),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes), host="127.0.0.1", port=self._port, log_level="error", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, name="fake api", daemon=True)
        self._thread.start()
        deadline = threading.Event()
        for _ in range(int(_STARTED_WITHIN * 50)):
            if self._server.started:
                break
            deadline.wait(0.02)
        assert self._server.started, "the fake API does not start"
        self._port = self._server.servers[0].sockets[0].getsockname()[1]
        self.kubeconfig.write_text(
            json.dumps(
                {
                    "current-context": "test",
                    "clusters": [{"name": "test", "cluster": {"server": self.url}}],
                    "users": [{"name": "test", "user": {"tokenFile": str(self.token_file)}}],
                    "contexts": [
                        {"name": "test", "context": {"cluster": "test", "user": "test", "namespace": NAMESPACE}}
                    ],
                }
            )
        )

    def stop(self) -> None:
        assert self._server is not None and self._thread is not None
        self._server.should_exit = True
        self._wake()
        self._thread.join(_STARTED_WITHIN)
        assert not self._thread.is_alive()
        self._news = None

    # What tests and the kubelet may do to it without asking.

    def names(self, kind: str) -> list[str]:
        with self._lock:
            return sorted(name for found, name in self._objects if found == kind)

    def get(self, kind: str, name: str) -> Object | None:
        with self._lock:
            found = self._objects.get((kind, name))
            return None if found is None else json.loads(json.dumps(found))

    def change(self, kind: str, name: str, patch: Object) -> Object | None:
        """Merge it in, as a controller would."""
        with self._lock:
            found = self._objects.get((kind, name))
            if found is None:
                return None
            changed = _merged(found, patch)
            return self._put("MODIFIED", kind, name, changed)

    def add(self, kind: str, name: str, about: Object) -> Object:
        with self._lock:
            about.setdefault("metadata", {}).update({"name": name, "namespace": NAMESPACE, "uid": str(uuid.uuid4())})
            return self._put("ADDED", kind, name, about)

    def remove(self, kind: str, name: str) -> None:
        with self._lock:
            if (found := self._objects.pop((kind, name), None)) is not None:
                self._note("DELETED", kind, name, found)

    def forget_history(self) -> None:
        """Who watches from an older version is told to read everything anew."""
        with self._lock:
            self._oldest = self._version
            self._history.clear()
        self._wake()

    # What is answered.

    async def _collection(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if (refused := await self._refusal(request, f"{request.method} {kind}")) is not None:
            return refused
        if request.method == "POST":
            return self._create(kind, await request.json())
        selector = request.query_params.get("labelSelector", "")
        if request.query_params.get("watch") == "true":
            return await self._watch(kind, selector, request)
        with self._lock:
            items = [one for (found, _), one in self._objects.items() if found == kind and _fits(one, selector)]
            body = {"kind": "List", "metadata": {"resourceVersion": str(self._version)}, "items": items}
        return JSONResponse(json.loads(json.dumps(body)))

    async def _one(self, request: Request) -> Response:
        kind, name = request.path_params["kind"], request.path_params["name"]
        if (refused := await self._refusal(request, f"{request.method} {kind}")) is not None:
            return refused
        if request.method == "DELETE":
            body = await request.body()
            return self._delete(kind, name, json.loads(body) if body else {})
        found = self.get(kind, name)
        return status(404, "NotFound", f'{kind} "{name}" not found') if found is None else JSONResponse(found)

    async def _part(self, request: Request) -> Response:
        kind, name, part = (request.path_params[key] for key in ("kind", "name", "part"))
        if (refused := await self._refusal(request, f"{request.method} {kind}/{part}")) is not None:
            return refused
        if self.get(kind, name) is None:
            return status(404, "NotFound", f'{kind} "{name}" not found')
        if part == "log":
            if self.log_of(name) is None:
                return status(400, "BadRequest", "is waiting to start")
            follows = request.query_params.get("follow") == "true"
            return StreamingResponse(self._log(name, follows=follows), media_type="text/plain")
        if part == "binding":
            target = (await request.json())["target"]["name"]
            return JSONResponse(self.change(kind, name, {"spec": {"nodeName": target}}))
        assert part == "status"
        changed = self.change(kind, name, await request.json())
        return status(404, "NotFound") if changed is None else JSONResponse(changed)

    async def _log(self, name: str, *, follows: bool) -> AsyncIterator[bytes]:
        """To its end; of one that is followed, to the container's."""
        sent = 0
        while (said := self.log_of(name)) is not None:
            pod = self.get("pods", name)
            if said[sent:]:
                yield said[sent:]
                sent = len(said)
            if not follows or pod is None or pod["status"]["phase"] in ("Failed", "Succeeded"):
                return
            await asyncio.sleep(0.02)

    async def _refusal(self, request: Request, call: str) -> Response | None:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token == KUBELET_TOKEN:
            return None
        if request.method == "GET" and "name" not in request.path_params:
            asked = "WATCH" if request.query_params.get("watch") == "true" else "LIST"
            self.calls.append(call.replace("GET", asked))
        else:
            self.calls.append(call)
        await asyncio.sleep(self.faults.slowness)
        if token not in self.tokens:
            return status(401, "Unauthorized")
        return self.faults.answer(call)

    def _create(self, kind: str, about: Object) -> Response:
        name = about["metadata"]["name"]
        with self._lock:
            if (kind, name) in self._objects:
                return status(409, "AlreadyExists", f'{kind} "{name}" already exists')
            if kind == "pods":
                about["status"] = {"phase": "Pending"}
            return JSONResponse(self.add(kind, name, about), 201)

    def _delete(self, kind: str, name: str, options: Object) -> Response:
        with self._lock:
            found = self._objects.get((kind, name))
            if found is None:
                return status(404, "NotFound", f'{kind} "{name}" not found')
            wanted = (options.get("preconditions") or {}).get("uid")
            if wanted is not None and wanted != found["metadata"]["uid"]:
                return status(409, "Conflict", "the UID in the precondition does not match")
            grace = options.get("gracePeriodSeconds", 30)
            is_held = kind == "pods" and bool(found.get("spec", {}).get("nodeName")) and grace > 0
            if is_held and found.get("status", {}).get("phase") not in ("Failed", "Succeeded"):
                mark = {"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": grace}
                if "deletionTimestamp" not in found["metadata"]:
                    found = self._put("MODIFIED", kind, name, _merged(found, {"metadata": mark}))
                return JSONResponse(found)
            self.remove(kind, name)
            return JSONResponse(found)

    async def _watch(self, kind: str, selector: str, request: Request) -> Response:
        since = int(request.query_params.get("resourceVersion") or 0)
        if since < self._oldest:
            return status(410, "Expired", "too old resource version")
        seconds = float(request.query_params.get("timeoutSeconds", 60))
        return StreamingResponse(self._lines(kind, selector, since, seconds), media_type="application/json")

    async def _lines(self, kind: str, selector: str, since: int, seconds: float) -> AsyncIterator[bytes]:
        assert self._server is not None
        with self._lock:
            shown = {name for (found, name), one in self._objects.items() if found == kind and _fits(one, selector)}
        deadline = asyncio.get_running_loop().time() + seconds
        while (left := deadline - asyncio.get_running_loop().time()) > 0 and not self._server.should_exit:
            if self._news is None:
                self._news = asyncio.Event()
            news = self._news
            with self._lock:
                later = [one for one in self._history if one[0] > since]
                is_expired, since_now = since < self._oldest, self._version
            if is_expired:
                yield _error_line(410, "Expired")
                return
            for _, event, found, about in later if not self.faults.is_mute else ():
                fits, name = _fits(about, selector), about["metadata"]["name"]
                if found == kind and (fits or name in shown):
                    # One that fits no more is told of as gone.
                    event = event if fits else "DELETED"
                    (shown.discard if event == "DELETED" else shown.add)(name)
                    yield json.dumps({"type": event, "object": about}).encode() + b"\n"
                    if how := self.faults.cuts():
                        if how == "garbage":
                            yield b'{"type": "MODI'
                        elif how in ("410", "500"):
                            yield _error_line(int(how), "Injected")
                        return
            since = since_now
            try:
                await asyncio.wait_for(news.wait(), min(left, 1.0))
            except TimeoutError:
                continue

    def _put(self, event: str, kind: str, name: str, about: Object) -> Object:
        self._objects[kind, name] = about
        self._note(event, kind, name, about)
        return about

    def _note(self, event: str, kind: str, name: str, about: Object) -> None:
        self._version += 1
        about["metadata"]["resourceVersion"] = str(self._version)
        self._history.append((self._version, event, kind, json.loads(json.dumps(about))))
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, None
        if news is not None and self._server is not None and self._server.servers:
            self._server.servers[0].get_loop().call_soon_threadsafe(news.set)


def _error_line(code: int, reason: str) -> bytes:
    about = {"kind": "Status", "code": code, "reason": reason, "message": ""}
    return json.dumps({"type": "ERROR", "object": about}).encode() + b"\n"


def _fits(about: Object, selector: str) -> bool:
    labels = about["metadata"].get("labels", {})
    return all(labels.get(key) == value for key, _, value in (one.partition("=") for one in selector.split(",") if one))


def _merged(base: Object, patch: Object) -> Object:
    """As a merge patch says."""
    result = dict(base)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = _merged(result.get(key) or {}, value)
        else:
            result[key] = value
    return result


@contextmanager
def fake_api(folder: Path) -> Iterator[FakeApi]:
    api = FakeApi(folder)
    api.start()
    try:
        yield api
    finally:
        api.stop()
