"""Published npm clients, run on the Node that `tests/npm` pins; never on the host's."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers import RunningBox

# The published client, unchanged, and ours under its name.
CLIENTS = ("sandbox-agent", "belljar")
FOLDER = Path(__file__).parent / "npm"
INSTALL_SECONDS = 300


@dataclass(frozen=True)
class NodeClients:
    """Node 24 with the packages of `tests/npm` beside it."""

    node: Path

    def run(self, script: str, box: RunningBox, *, client: str = "", seconds: float = 60, **env: str) -> str:
        """Run `tests/npm/<script>` against `box`, which finds it by BOX_URL and BOX_TOKEN; what it printed.

        With `client` `belljar` our own package stands where the script imports `sandbox-agent`.
        """
        instead = ["--import", "./as_belljar.mjs"] if client == "belljar" else []
        done = subprocess.run(
            [self.node, "--no-warnings", *instead, script],
            cwd=FOLDER,
            env={"PATH": os.environ["PATH"], "BOX_URL": box.url, "BOX_TOKEN": box.token, **env},
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        assert done.returncode == 0, f"{script} failed\n{done.stdout}\n{done.stderr}\n{box.log.read_text()[-4000:]}"
        return done.stdout


def installed_clients() -> NodeClients:
    """Install what the lock file names, once; skip aloud where npm is missing or cannot install."""
    _install(FOLDER)
    return NodeClients(FOLDER / "node_modules" / "node" / "bin" / "node")


def installed_inspector() -> list[str]:
    """The command of the MCP inspector, which is large and so has a folder of its own."""
    node = installed_clients().node
    _install(FOLDER / "inspector", "--ignore-scripts")
    return [str(node), str(FOLDER / "inspector" / "node_modules" / ".bin" / "mcp-inspector")]


def installed_oidc_provider() -> Path:
    """The Node to run `tests/npm/oidc/provider.mjs` with."""
    node = installed_clients().node
    _install(FOLDER / "oidc", "--ignore-scripts")
    return node


def _install(folder: Path, *options: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is missing: published npm clients were NOT tested (apt-get install npm)")
    modules = folder / "node_modules"
    stamp = modules / ".belljar-installed"
    wanted = hashlib.sha256((folder / "package.json").read_bytes() + (folder / "package-lock.json").read_bytes())
    # Other workers of the same run wait here.
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != wanted.hexdigest():
            done = subprocess.run(
                [npm, "ci", "--no-audit", "--no-fund", *options],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=INSTALL_SECONDS,
            )
            if done.returncode != 0:
                pytest.skip(
                    f"npm cannot install {folder.name}: published clients were NOT tested\n{done.stderr[-2000:]}"
                )
            stamp.write_text(wanted.hexdigest())


def built_viewer(into: Path) -> None:
    """The published viewer of streams as a page in the folder `into`."""
    folder = FOLDER / "viewer"
    installed_clients()
    _install(folder, "--ignore-scripts")
    command = [str(folder / "node_modules" / ".bin" / "esbuild"), "page.jsx", "--bundle"]
    command += ["--format=esm", f"--outfile={into / 'page.js'}", '--define:process.env.NODE_ENV="production"']
    node = FOLDER / "node_modules" / "node" / "bin" / "node"
    subprocess.run([node, *command], cwd=folder, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    shutil.copy(folder / "index.html", into)
