"""`python -m belljar.agent.provider FOLDER [NAME]`: serve a provider to agents on a Unix socket in FOLDER."""

import signal
import sys
from pathlib import Path

import anyio

from belljar.agent.provider import ProviderError, create_provider
from belljar.agent.provider.ipc import serve_provider


async def _serve(folder: Path, name: str) -> None:
    provider = await create_provider(name)
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with serve_provider(provider, folder):
            sys.stdout.write(f"The {name} provider listens in {folder}\n")
            sys.stdout.flush()
            async for _ in signals:
                return


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    try:
        anyio.run(_serve, Path(arguments[0]), arguments[1] if len(arguments) == 2 else "container")
    except ProviderError as error:
        sys.stderr.write(f"belljar provider: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
