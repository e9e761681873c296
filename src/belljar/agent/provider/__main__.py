"""`python -m belljar.agent.provider FOLDER [NAME]`: as `belljar provider`, told by the environment alone."""

import sys
from pathlib import Path

import anyio

from belljar.agent.provider.hosting import host_provider
from belljar.agent.provider.settings import ProviderSettings
from belljar.agent.provider.types import ProviderError


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    folder, name = Path(arguments[0]), arguments[1] if len(arguments) == 2 else "container"

    def announce() -> None:
        sys.stdout.write(f"The {name} provider listens in {folder}\n")
        sys.stdout.flush()

    try:
        anyio.run(host_provider, name, ProviderSettings(), folder, announce)
    except (ProviderError, OSError) as error:
        sys.stderr.write(f"belljar: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
