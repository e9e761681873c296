"""A call without a server: a jailed box of its own with the workspace in it, for as long as the call."""

from contextlib import suppress
from pathlib import Path

import anyio

from belljar.agent.tool.failure import ToolFailure, timeout_hint
from belljar.agent.tool.interact import Steps, run_operation, starting_url
from belljar.agent.tool.profile import FileLastUrl, Profile, start_on_profile, turn
from belljar.agent.tool.request import Request, ToolSettings
from belljar.agent.tool.tor import loopback_only, read_tor
from belljar.agent.tool.workspace import WORKSPACE, HostShelf, Workspace, open_workspace
from belljar.problems import Problem
from belljar.sdk.aio.client import AsyncBelljar
from belljar.wire.isolation import JailMode

# What a box and Chromium may take to come up and go, beyond what the call itself may take.
LAUNCH_SECONDS = 45.0
STOP_SECONDS = 20.0


def deadline_of(request: Request) -> float:
    """Seconds from the call to its answer, waiting for other calls on the profile included."""
    return request.budget + LAUNCH_SECONDS


async def run_once(request: Request, settings: ToolSettings) -> dict[str, object]:
    """The payload of the answer.  Raises `ToolFailure` and what the SDK raises."""
    workspace = open_workspace(request.workspace)
    workspace.rewritten(request)
    assert workspace.folder is not None
    profile = Profile.of(workspace.folder, settings.state_dir)
    try:
        with anyio.fail_after(deadline_of(request)):
            async with turn(profile.lock, deadline_of(request) - 1):
                if request.operation == "close":
                    await anyio.to_thread.run_sync(profile.wipe)
                    return {"operation": "close", "profile": str(profile.folder)}
                await starting_url(request, FileLastUrl(profile.folder))
                await anyio.to_thread.run_sync(profile.make)
                flags = await anyio.to_thread.run_sync(box_flags, request, settings, workspace.folder, profile)
                return await _run_in_box(request, workspace.folder, profile, flags)
    except TimeoutError as error:
        raise ToolFailure(
            f"{request.operation} timed out after {deadline_of(request):g} s.", timeout_hint(request.timeout_ms)
        ) from error


def box_flags(request: Request, settings: ToolSettings, folder: Path, profile: Profile) -> list[str]:
    """How the box is started.  Blocks.  Raises `ToolFailure` for a Tor proxy that cannot be honoured."""
    if ":" in str(folder):
        raise ToolFailure(f"The workspace {folder} has a colon in its path.", "Use a folder without one.")
    shared = ["--bind", f"{folder}:{WORKSPACE}"]
    if request.tor_proxy is None:
        policy, allow, jail = settings.egress, settings.allow, settings.jail
    else:
        tor = read_tor(request.tor_proxy)
        allow = loopback_only(settings.allow)
        tor.check()
        file = profile.folder / "tor.policy"
        file.touch(mode=0o600)
        file.write_text(tor.policy(), encoding="utf-8")
        # Without a jail Chromium's own flags would be the only wall: that is not what was asked for.
        policy, jail = str(file), JailMode.REQUIRE
    allowed = [word for target in allow for word in ("--allow", target)]
    return ["--jail", jail, "--egress", policy, *allowed, *shared]


async def _run_in_box(request: Request, folder: Path, profile: Profile, flags: list[str]) -> dict[str, object]:
    async with AsyncBelljar(box=flags, state_dir=profile.state_dir) as jar:
        health = await jar.health()
        is_jailed = health.isolation is not None and health.isolation.jail
        if request.tor_proxy is not None and not is_jailed:
            raise ToolFailure("tor_proxy cannot be honoured: this host has no jail.", "`belljar doctor` says why.")
        workspace = Workspace(folder, WORKSPACE if is_jailed else str(folder))
        await start_on_profile(jar.browser)
        page = await jar.browser.new_page(dismiss_dialogs=True)
        steps = Steps(page, HostShelf(folder), request.timeout_ms)
        try:
            return await run_operation(workspace.rewritten(request), steps, FileLastUrl(profile.folder))
        finally:
            # A profile is whole when Chromium went by itself, for which the end of the box has less patience.
            with anyio.move_on_after(STOP_SECONDS, shield=True), suppress(Problem, OSError):
                await jar.browser.stop()
