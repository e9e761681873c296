"""The Kubernetes launcher before an API that misbehaves: what is believed, and what is not."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from belljar.plane.boxes.launchers.base import BoxSpec, Handle, HandleRecorder, LaunchError
from belljar.plane.boxes.launchers.kubernetes.api import Reach, open_api
from belljar.plane.boxes.launchers.kubernetes.launcher import ClusterPlace, KubernetesLauncher, running_launcher
from belljar.plane.boxes.launchers.kubernetes.pods import BOX_LABEL, LABEL, PodSettings
from tests.plane.cluster.api import NAMESPACE, FakeApi, fake_api, status

MARK = "test"
KEY = b"the box's key, of thirty-two byte"
WITHIN = 30.0


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[FakeApi]:
    with fake_api(tmp_path) as running:
        yield running


@pytest.fixture
async def launcher(api: FakeApi, tmp_path: Path) -> AsyncIterator[KubernetesLauncher]:
    async with open_api(Reach(api.kubeconfig), 100) as client:
        place = ClusterPlace(MARK, "test", tmp_path / "state")
        async with running_launcher(client, PodSettings("belljar:tests"), place, lambda _: KEY) as started:
            await told(started, lambda: started.watch.is_live)
            yield started


async def told(launcher: KubernetesLauncher, is_true: Any) -> None:
    """Until what the launcher was told makes it so."""
    with anyio.fail_after(WITHIN):
        while not is_true():
            await launcher.watch.wait(launcher.watch.told, 1)


def add_pod(api: FakeApi, name: str, mark: str = MARK) -> Handle:
    """As a node that runs it would show it."""
    running = {"phase": "Running", "podIP": "127.0.0.1", "containerStatuses": [box_state({"running": {}})]}
    about = {"metadata": {"labels": {LABEL: mark, BOX_LABEL: name}}, "spec": {"nodeName": "n1"}, "status": running}
    uid = api.add("pods", name, about)["metadata"]["uid"]
    return Handle({"namespace": NAMESPACE, "pod": name, "uid": uid, "ip": "127.0.0.1"})


def box_state(state: dict[str, Any]) -> dict[str, Any]:
    return {"name": "box", "state": state}


def spec(name: str) -> BoxSpec:
    return BoxSpec(name, KEY, 60.0)


@pytest.mark.timeout(180)
async def test_a_thousand_faults_end_nothing(api: FakeApi, launcher: KubernetesLauncher) -> None:
    handles = [add_pod(api, f"b-{number}") for number in range(20)]
    api.faults.chance = 0.4
    while api.faults.injected < 1000:
        # News for the watch, so that it has lines to be cut after; and now and then a history that is too short.
        api.change("pods", "b-0", {"metadata": {"annotations": {"seen": str(api.faults.injected)}}})
        if api.faults.injected % 7 == 0:
            api.forget_history()
        before = api.faults.injected
        for handle in handles:
            # Asked about each as though the watch knew nothing of it, too.
            launcher.watch.forget(str(handle["pod"]), str(handle["uid"]))  # type: ignore[index]
            assert await launcher.is_alive(handle)
        with anyio.move_on_after(1):
            while api.faults.injected == before:
                await launcher.watch.wait(launcher.watch.told, 0.05)
    api.faults.chance = 0.0
    api.remove("pods", "b-3")
    with anyio.fail_after(WITHIN):
        assert (await launcher.wait_ended(handles[3])).detail
    assert all([await launcher.is_alive(handle) for handle in handles if handle is not handles[3]])


async def test_an_api_that_is_gone_ends_nothing_and_takes_no_more(api: FakeApi, launcher: KubernetesLauncher) -> None:
    handle, gone = add_pod(api, "b-1"), add_pod(api, "b-2")
    await told(launcher, lambda: len(launcher.watch.pods) == 2)
    assert (await launcher.room()).takes_more
    await anyio.to_thread.run_sync(api.stop)
    await told(launcher, lambda: not launcher.watch.is_live)
    assert await launcher.is_alive(handle) and not (await launcher.room()).takes_more
    with pytest.raises(LaunchError):
        await launcher.find_all()
    with pytest.raises(LaunchError):
        await launcher.launch(spec("b-3"), HandleRecorder())
    api.remove("pods", "b-2")
    api.start()
    # What ended meanwhile is noticed once it is back, and nothing else.
    with anyio.fail_after(WITHIN):
        assert "deleted" in (await launcher.wait_ended(gone)).detail
    assert await launcher.is_alive(handle)
    await told(launcher, lambda: launcher.watch.is_live)
    assert (await launcher.room()).takes_more


async def test_a_watch_that_says_nothing_is_no_death_and_a_missing_pod_is_asked_for(
    api: FakeApi, launcher: KubernetesLauncher
) -> None:
    api.faults.is_mute = True
    handle = add_pod(api, "b-1")
    assert launcher.watch.get("b-1") is None
    assert await launcher.is_alive(handle)
    api.remove("pods", "b-1")
    launcher.watch.forget("b-1", str(handle["uid"]))  # type: ignore[index]
    assert not await launcher.is_alive(handle)


@pytest.mark.parametrize(
    ("change", "was_oom", "was_evicted", "words"),
    [
        (
            {"status": {"containerStatuses": [box_state({"terminated": {"reason": "OOMKilled", "exitCode": 137}})]}},
            True,
            False,
            "exit 137",
        ),
        ({"status": {"phase": "Failed", "reason": "Evicted", "message": "low on memory"}}, False, True, "low on"),
        (
            {
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
                "status": {
                    "conditions": [
                        {"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"},
                    ]
                },
            },
            False,
            True,
            "evicted from node n1",
        ),
        (
            {
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
                "status": {
                    "conditions": [
                        {"type": "DisruptionTarget", "status": "True", "reason": "DeletionByTaintManager"},
                    ]
                },
            },
            False,
            False,
            "node n1 was lost",
        ),
        ({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}, False, False, "deleted by somebody else"),
        (
            {
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
                "status": {"containerStatuses": [box_state({"terminated": {"reason": "Completed", "exitCode": 0}})]},
            },
            False,
            False,
            "deleted by somebody else",
        ),
        (
            {
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
                "status": {"containerStatuses": [box_state({"terminated": {"reason": "OOMKilled", "exitCode": 137}})]},
            },
            True,
            False,
            "exit 137",
        ),
        ({"status": {"phase": "Failed", "reason": "DeadlineExceeded"}}, False, False, "DeadlineExceeded"),
        (
            {"status": {"containerStatuses": [box_state({"terminated": {"reason": "Error", "exitCode": 1}})]}},
            False,
            False,
            "exit 1",
        ),
    ],
)
async def test_what_became_of_a_box_is_told_as_such(
    api: FakeApi, launcher: KubernetesLauncher, change: dict[str, Any], was_oom: bool, was_evicted: bool, words: str
) -> None:
    handle = add_pod(api, "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    api.change("pods", "b-1", change)
    with anyio.fail_after(WITHIN):
        ending = await launcher.wait_ended(handle)
    assert (ending.was_oom, ending.was_evicted) == (was_oom, was_evicted) and words in ending.detail
    # And after the cluster has forgotten it.
    api.remove("pods", "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is None)
    again = await launcher.wait_ended(handle)
    assert (again.was_oom, again.was_evicted) == (was_oom, was_evicted)


async def test_a_node_that_is_silent_for_a_moment_has_lost_nothing(api: FakeApi, launcher: KubernetesLauncher) -> None:
    handle = add_pod(api, "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    before = launcher.watch.told
    api.change(
        "pods", "b-1", {"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "NodeNotReady"}]}}
    )
    await told(launcher, lambda: launcher.watch.told > before)
    assert await launcher.is_alive(handle)


async def test_a_name_that_somebody_else_has_is_left_alone(api: FakeApi, launcher: KubernetesLauncher) -> None:
    add_pod(api, "b-1", mark="somebody-else")
    keep = HandleRecorder()
    with pytest.raises(LaunchError, match="AlreadyExists"):
        await launcher.launch(spec("b-1"), keep)
    for handle in (*keep.handles, None):
        await launcher.destroy("b-1", handle)
    assert api.names("pods") == ["b-1"] and api.names("secrets") == []
    assert [found.box_id for found in await launcher.find_all()] == []


async def test_a_pod_that_took_the_name_later_is_left_alone(api: FakeApi, launcher: KubernetesLauncher) -> None:
    old = add_pod(api, "b-1")
    api.remove("pods", "b-1")
    new = add_pod(api, "b-1")
    assert not await launcher.is_alive(old) and await launcher.is_alive(new)
    await launcher.destroy("b-1", old)
    assert api.names("pods") == ["b-1"]


async def test_a_pod_that_lost_its_label_lives_and_is_removed_all_the_same(
    api: FakeApi, launcher: KubernetesLauncher
) -> None:
    handle = add_pod(api, "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    api.change("pods", "b-1", {"metadata": {"labels": {LABEL: None}}})
    await told(launcher, lambda: launcher.watch.get("b-1") is None)
    assert await launcher.is_alive(handle)
    # Without a kubelet it goes only when it is forced: here at once, for it has no node to wait for.
    api.change("pods", "b-1", {"spec": {"nodeName": None}})
    await launcher.destroy("b-1", handle)
    assert api.names("pods") == []


async def test_a_secret_that_was_left_behind_is_found_and_removed(api: FakeApi, launcher: KubernetesLauncher) -> None:
    api.add("secrets", "b-9", {"metadata": {"labels": {LABEL: MARK, BOX_LABEL: "b-9"}}})
    api.add("secrets", "not-ours", {"metadata": {"labels": {"app": "another"}}})
    (found,) = await launcher.find_all()
    assert found.box_id == "b-9"
    await launcher.destroy(found.box_id, found.handle)
    assert api.names("secrets") == ["not-ours"]


async def test_a_busy_api_is_asked_again_as_it_says(api: FakeApi, launcher: KubernetesLauncher) -> None:
    api.faults.once["POST secrets"] = [status(429, "TooManyRequests", headers={"Retry-After": "0"}) for _ in range(3)]
    api.faults.once["POST pods"] = [status(403, "Forbidden", "exceeded quota: sessions, requested: pods=1")]
    with pytest.raises(LaunchError, match="exceeded quota"):
        await launcher.launch(spec("b-1"), HandleRecorder())
    assert api.calls.count("POST secrets") == 4
    # A full quota is not tried with every session.
    assert not (await launcher.room()).takes_more
    await launcher.destroy("b-1", None)
    assert api.names("secrets") == []


async def test_an_image_that_is_not_there_is_said_at_once(api: FakeApi, launcher: KubernetesLauncher) -> None:
    waiting = {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}}
    outcome: list[LaunchError] = []

    async def launch() -> None:
        try:
            await launcher.launch(spec("b-1"), HandleRecorder())
        except LaunchError as error:
            outcome.append(error)

    with anyio.fail_after(WITHIN):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(launch)
            await told(launcher, lambda: launcher.watch.get("b-1") is not None)
            api.change("pods", "b-1", {"status": {"containerStatuses": [box_state(waiting)]}})
    assert "ImagePullBackOff" in str(outcome[0])
    await launcher.destroy("b-1", None)
    assert api.names("pods") == [] and api.names("secrets") == []


async def test_a_token_that_was_replaced_is_read_anew(api: FakeApi, launcher: KubernetesLauncher) -> None:
    handle = add_pod(api, "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    api.tokens = {"the-second-token"}
    # Meanwhile refused: that says nothing of the box.
    launcher.watch.forget("b-1", str(handle["uid"]))  # type: ignore[index]
    assert await launcher.is_alive(handle)
    api.token_file.write_text("the-second-token")
    assert [found.box_id for found in await launcher.find_all()] == []
    api.change("pods", "b-1", {"metadata": {"annotations": {"seen": "again"}}})
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    assert [found.box_id for found in await launcher.find_all()] == ["b-1"]


async def test_writes_come_no_faster_than_they_may(api: FakeApi, tmp_path: Path) -> None:
    """With a rate so low that the second would come after a minute, it has not come when the first is answered."""
    async with open_api(Reach(api.kubeconfig), 1 / 60) as client:
        await client.delete_secret("none")
        with anyio.move_on_after(0.2) as waiting:
            await client.delete_secret("none")
    assert waiting.cancelled_caught and api.calls.count("DELETE secrets") == 1


async def test_an_idle_control_plane_asks_for_next_to_nothing(api: FakeApi, launcher: KubernetesLauncher) -> None:
    handle = add_pod(api, "b-1")
    await told(launcher, lambda: launcher.watch.get("b-1") is not None)
    asked = len(api.calls)
    for _ in range(200):
        assert await launcher.is_alive(handle)
        await launcher.room()
    assert len(api.calls) == asked
    await launcher.find_all()
    assert api.calls[asked:] == ["LIST secrets"]


def test_without_a_cluster_it_says_so(tmp_path: Path) -> None:
    async def opens(path: Path) -> None:
        async with open_api(Reach(path), 1):
            pass

    from belljar.plane.boxes.launchers.kubernetes.api import ApiAway

    (tmp_path / "empty").write_text("")
    (tmp_path / "list").write_text("[]")
    (tmp_path / "odd").write_text("{")
    for name in ("none", "empty", "list", "odd"):
        with pytest.raises(ApiAway, match="no way to a cluster"):
            anyio.run(opens, tmp_path / name)
    assert os.listdir(tmp_path)
