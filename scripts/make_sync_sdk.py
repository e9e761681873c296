"""Make `belljar.sdk.sync` from `belljar.sdk.aio`: the same code without `async` and `await`.

`python scripts/make_sync_sdk.py` writes it; with `--check` it only says whether what is there is fresh.
"""

import re
import subprocess
import sys
from pathlib import Path

SDK = Path(__file__).parent.parent / "src/belljar/sdk"
HEADER = "# Made from aio/{name} by scripts/make_sync_sdk.py: change it there.\n"
# Written by hand: it is what differs.
BY_HAND = {"io.py"}

REPLACED = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\baclosing\b", "closing"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAbstractAsyncContextManager\b", "AbstractContextManager"),
    (r"\benter_async_context\b", "enter_context"),
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\b(?:Async)(Generator|Iterator|Iterable|ExitStack)\b", r"\1"),
    (r"\ba(close|read|iter_bytes|iter_lines)\b(?=\()", r"\1"),
    (r"\basync_(api|playwright)\b", r"sync_\1"),
    (r"\bAsync([A-Z]\w*)", r"\1"),
    (r"\bbelljar\.sdk\.aio\b", "belljar.sdk.sync"),
    (r"\bwebsockets\.asyncio\b", "websockets.sync"),
    (r"on asyncio\.  `sync/` is made from this folder by", "with blocking calls, made from `aio/` by"),
)


def translated(source: str) -> str:
    for pattern, replacement in REPLACED:
        source = re.sub(pattern, replacement, source)
    return source


def formatted(source: str) -> str:
    """As ruff likes it, so that `make check` does."""
    for command in (["check", "--fix", "--unsafe-fixes", "--exit-zero", "-q", "--select", "I,UP028"], ["format", "-q"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(SDK / "sync/x.py"), "-"]
        source = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True).stdout
    return source


def main() -> int:
    made = {
        path.name: formatted(HEADER.format(name=path.name) + translated(path.read_text()))
        for path in sorted((SDK / "aio").glob("*.py"))
        if path.name not in BY_HAND
    }
    there = {path.name: path.read_text() for path in (SDK / "sync").glob("*.py") if path.name not in BY_HAND}
    if "--check" in sys.argv:
        stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
        if stale:
            sys.stderr.write(f"src/belljar/sdk/sync is stale ({', '.join(stale)}): run 'make sdk' and commit it.\n")
        return bool(stale)
    for gone in there.keys() - made.keys():
        (SDK / "sync" / gone).unlink()
    for name, source in made.items():
        (SDK / "sync" / name).write_text(source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
