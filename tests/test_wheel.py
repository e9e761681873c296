"""The wheel: it carries what is served, and is not built without it, so that nobody who installs it needs Node."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("pyproject.toml", "README.md", "LICENSE", "scripts/build_hook.py", "openapi", "src")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for part in PARTS:
        target = tmp_path / "tree" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, target)
    return tmp_path / "tree"


def build(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "out"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=50, check=False)


def test_a_wheel_carries_the_viewer_page(tree: Path) -> None:
    built = build(tree)
    assert built.returncode == 0, built.stderr
    (wheel,) = (tree / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        app = [name for name in files.namelist() if name.startswith("belljar/server/app/")]
        assert "belljar/server/app/index.html" in app and any(name.endswith(".js.gz") for name in app)
        # All that its page names is there, plain and compressed: nobody who installs it needs Node.
        named = re.findall(r'="\./(assets/[^"]+)"', files.read("belljar/server/app/index.html").decode())
        assert named and {f"belljar/server/app/{name}{end}" for name in named for end in ("", ".gz")} <= set(app)
        (about,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        needs = [line for line in files.read(about).decode().splitlines() if line.startswith("Requires-Dist:")]
        assert needs and not [line for line in needs if "node" in line.lower()]
        served = {name for name in files.namelist() if name.startswith(("belljar/box/view/", "belljar/openapi/"))}
        assert served == {
            "belljar/box/view/index.html",
            "belljar/box/view/main.js",
            "belljar/box/view/style.css",
            "belljar/openapi/box.json",
            "belljar/openapi/control.json",
        }


@pytest.mark.parametrize(
    "missing", ["src/belljar/box/view/main.js", "src/belljar/server/app/index.html", "openapi/box.json"]
)
def test_a_wheel_without_what_is_served_is_not_built(tree: Path, missing: str) -> None:
    (tree / missing).unlink()
    built = build(tree)
    assert built.returncode == 1
    assert f"{missing} is missing: run 'make" in built.stderr
    assert not list(tree.glob("out/*.whl"))
