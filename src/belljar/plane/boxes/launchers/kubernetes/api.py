"""A cluster's API: the calls that a launcher needs, each in time, those that write by a token bucket.

How to reach it and as whom is lightkube's business: a kubeconfig, or what a Pod is given, its token read anew as it is
replaced.  What is asked for is little, and is read by types of our own.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio
import msgspec
from httpx2 import AsyncClient, HTTPError, InvalidURL, Response, Timeout
from lightkube.config.client_adapter import AsyncClient as authorized_client
from lightkube.config.client_adapter import ConnectionParams
from lightkube.config.kubeconfig import KubeConfig
from lightkube.core.exceptions import ConfigError
from yaml import YAMLError

from belljar.limits import Bucket
from belljar.plane.boxes.launchers.kubernetes.objects import (
    Labelled,
    LabelledList,
    Pod,
    PodEvent,
    PodList,
    Status,
)

_T = TypeVar("_T")
_TIMEOUT = Timeout(10.0, connect=5.0)
# A watch ends by itself after the first; one that has not after the second is dead, whatever its connection seems.
WATCH_SECONDS = 50
_SILENT_SECONDS = 60.0
# Asked again where the API is busy, within the caller's own patience.
_TRIES = 5
_LONGEST_WAIT = 10.0
_MOST_LOG = 16 << 20


# How lightkube takes files that are no kubeconfig, YAML, certificates or keys.
_UNREADABLE = (ConfigError, YAMLError, OSError, ValueError, KeyError, AttributeError, TypeError, AssertionError)


class ApiRefused(Exception):
    """The API answered, and not with success."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"{status} {reason}: {message}" if message else f"{status} {reason}")
        self.status = status
        self.reason = reason
        self.message = message

    @property
    def is_quota(self) -> bool:
        return self.status == 403 and "exceeded quota" in self.message


class ApiAway(Exception):
    """The API cannot be reached, or does not answer in time: nothing is known of what it keeps."""


class Expired(ApiAway):
    """What happened since is not known any more: the list must be read anew."""


@dataclass(frozen=True)
class Reach:
    """Where the API is and which of its namespaces is meant, as the operator said; else as kubectl would find it."""

    kubeconfig: Path | None = None
    context: str | None = None
    namespace: str | None = None


class Api:
    """Opened by `open_api`.  Every call raises `ApiRefused` or `ApiAway`."""

    def __init__(self, client: AsyncClient, namespace: str, writes: Bucket) -> None:
        self._client = client
        self._writes = writes
        self.namespace = namespace

    async def create_pod(self, pod: Mapping[str, object]) -> Pod:
        return await self._write("POST", "pods", Pod, pod)

    async def create_secret(self, secret: Mapping[str, object]) -> Labelled:
        return await self._write("POST", "secrets", Labelled, secret)

    async def pod(self, name: str) -> Pod | None:
        return await self._found(f"pods/{name}", Pod)

    async def pods(self, selector: str) -> PodList:
        """As the API has them in memory: the watch that follows says what has changed since."""
        return _decoded(await self._read("pods", labelSelector=selector, resourceVersion="0"), PodList)

    async def secrets(self, selector: str) -> LabelledList:
        return _decoded(await self._read("secrets", labelSelector=selector), LabelledList)

    async def delete_pod(self, name: str, uid: str, *, grace: int) -> None:
        """That very one: already gone is success, and so is another of its name."""
        options = {"gracePeriodSeconds": grace, "preconditions": {"uid": uid}}
        await self._delete(f"pods/{name}", options)

    async def delete_secret(self, name: str) -> None:
        await self._delete(f"secrets/{name}", {})

    async def log(self, name: str, container: str) -> bytes | None:
        """What the container has said; None where there is nothing to be had."""
        try:
            return await self._read(f"pods/{name}/log", container=container, limitBytes=str(_MOST_LOG))
        except ApiRefused as error:
            # 400: it has not begun.
            if error.status in (400, 404):
                return None
            raise

    @asynccontextmanager
    async def following_log(self, name: str, container: str) -> AsyncIterator[AsyncIterator[bytes]]:
        """All that the container says, to its end."""
        asked = {"container": container, "limitBytes": str(_MOST_LOG), "follow": "true"}
        try:
            async with self._client.stream(
                "GET", self._path(f"pods/{name}/log"), params=asked, timeout=_SILENT_SECONDS
            ) as answer:
                if answer.status_code >= 400:
                    await answer.aread()
                    _check(answer)
                yield answer.aiter_bytes()
        except (HTTPError, InvalidURL) as error:
            raise ApiAway(_words(error)) from error

    @asynccontextmanager
    async def watch_pods(self, selector: str, since: str) -> AsyncIterator[AsyncIterator[PodEvent]]:
        """What happens to them after the version `since`, until the API ends it.  Raises `Expired` too."""
        asked = {"labelSelector": selector, "resourceVersion": since, "watch": "true", "allowWatchBookmarks": "true"}
        asked["timeoutSeconds"] = str(WATCH_SECONDS)
        timeout = Timeout(_SILENT_SECONDS, connect=5.0)
        try:
            async with self._client.stream("GET", self._path("pods"), params=asked, timeout=timeout) as answer:
                if answer.status_code >= 400:
                    await answer.aread()
                    _check(answer)
                yield _events(answer)
        except (HTTPError, InvalidURL) as error:
            raise ApiAway(_words(error)) from error

    async def _found(self, path: str, kind: type[_T]) -> _T | None:
        try:
            return _decoded(await self._read(path), kind)
        except ApiRefused as error:
            if error.status == 404:
                return None
            raise

    async def _read(self, path: str, **asked: str) -> bytes:
        return (await self._send("GET", path, asked, None)).content

    async def _write(self, method: str, path: str, kind: type[_T], body: Mapping[str, object]) -> _T:
        return _decoded((await self._patiently(method, path, body)).content, kind)

    async def _delete(self, path: str, options: Mapping[str, object]) -> None:
        try:
            await self._patiently("DELETE", path, options)
        except ApiRefused as error:
            # 409: the precondition, for it cannot be that two are at it.
            if error.status not in (404, 409):
                raise

    async def _patiently(self, method: str, path: str, body: Mapping[str, object]) -> Response:
        """In turn, and again where the API says that it is busy."""
        for left in reversed(range(_TRIES)):
            for _ in iter(self._writes.take, True):
                await anyio.sleep(self._writes.seconds_until_next)
            try:
                return await self._send(method, path, {}, msgspec.json.encode(body))
            except _Busy as busy:
                if not left:
                    raise busy.refusal from busy
                await anyio.sleep(busy.seconds)
        raise AssertionError("unreachable")

    async def _send(self, method: str, path: str, asked: Mapping[str, str], body: bytes | None) -> Response:
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            answer = await self._client.request(
                method, self._path(path), params=dict(asked), content=body, headers=headers
            )
        except (HTTPError, InvalidURL, ConfigError) as error:
            raise ApiAway(_words(error)) from error
        _check(answer)
        return answer

    def _path(self, path: str) -> str:
        return f"/api/v1/namespaces/{self.namespace}/{path}"


class _Busy(ApiRefused):
    def __init__(self, refusal: ApiRefused, seconds: float) -> None:
        super().__init__(refusal.status, refusal.reason, refusal.message)
        self.refusal = refusal
        self.seconds = seconds


async def _events(answer: Response) -> AsyncIterator[PodEvent]:
    async for line in answer.aiter_lines():
        if not line:
            continue
        event = _decoded(line.encode(), PodEvent)
        if event.type == "ERROR":
            status = _decoded(bytes(event.object), Status)
            if status.code == 410:
                raise Expired
            raise ApiRefused(status.code, status.reason, status.message)
        yield event


def _check(answer: Response) -> None:
    """Raises what the API's answer means."""
    if answer.status_code < 400:
        return
    try:
        status = msgspec.json.decode(answer.content, type=Status)
    except msgspec.MsgspecError:
        status = Status()
    if answer.status_code == 410:
        raise Expired
    refusal = ApiRefused(answer.status_code, status.reason, status.message)
    if answer.status_code == 429:
        raise _Busy(refusal, _seconds(answer.headers.get("Retry-After", "1")))
    if answer.status_code >= 500:
        raise ApiAway(str(refusal))
    raise refusal


def _seconds(told: str) -> float:
    return min(float(told), _LONGEST_WAIT) if told.isdigit() else 1.0


def _decoded(data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        # A proxy in between, or a line that was cut: no word of the API's.
        raise ApiAway(f"what was answered cannot be read: {error}") from error


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


@asynccontextmanager
async def open_api(reach: Reach, write_rate: float) -> AsyncIterator[Api]:
    """Raises `ApiAway` where nothing says which API to ask, and as whom."""
    try:
        known = KubeConfig.from_env() if reach.kubeconfig is None else KubeConfig.from_file(reach.kubeconfig)
        config = known.get(reach.context)
        if config is None:
            raise ConfigError("no context is chosen")
        client = authorized_client(config, ConnectionParams(timeout=_TIMEOUT))
    except _UNREADABLE as error:
        raise ApiAway(f"there is no way to a cluster: {_words(error)}") from error
    async with client:
        yield Api(client, reach.namespace or config.namespace, Bucket(write_rate, max(1.0, write_rate)))
