"""Whether this host gives boxes a jail, found out by making one as a box would."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from belljar.box.account import claim_user
from belljar.box.isolation.isolation import CannotIsolate, enter_jail
from belljar.box.process import User, open_processes
from belljar.box.process.jail import PROXY_PORT, Jail
from belljar.box.process.jailed import NoJail
from belljar.box.process.link import Link


async def try_jail(state_dir: Path) -> None:
    """Make a jail with a folder below `state_dir`, and end it.  Raises `CannotIsolate` with the reason and remedy."""
    async with AsyncExitStack() as stack:
        user = stack.enter_context(claim_user())
        home = stack.enter_context(_home_of(user, state_dir))
        processes = await stack.enter_async_context(open_processes())
        jail = Jail(home=home, folders=(home,), user=user)
        try:
            await enter_jail(stack, processes, jail, _greet)
        except NoJail as problem:
            raise CannotIsolate(
                f"There can be no jail: {problem.reason}. What would help: {problem.remedy};"
                " or say --jail off, and the programs of sessions run without one."
            ) from problem


@contextmanager
def _home_of(user: User | None, state_dir: Path) -> Iterator[Path]:
    """As the folders of a box are: what is closed above them is the host's doing."""
    with tempfile.TemporaryDirectory(prefix="trial-", dir=state_dir) as top:
        os.chmod(top, 0o711)
        home = Path(top, "home").resolve()
        home.mkdir(mode=0o700)
        if user is not None:
            os.chown(home, user.uid, user.gid)
        yield home


async def _greet(link: Link) -> None:
    """As a box does: by the listener that its programs' only way out will be."""
    (await link.open_socket("listen", port=PROXY_PORT)).close()
