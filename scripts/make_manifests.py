"""Plain manifests out of the chart, for those who have no Helm: deploy/manifests, written anew or checked fresh."""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHART = ROOT / "deploy/chart"
MANIFESTS = ROOT / "deploy/manifests"
KINDS = ("pods", "hosts")
_HEAD = (
    "# Made from deploy/chart by scripts/make_manifests.py, as `helm template belljar --set mode={kind}` gives it.\n"
)


def render(kind: str, *values: str) -> str:
    """What Helm makes of the chart in one of its modes, and with further values."""
    helm = Path(sys.executable).with_name("helm")
    words = [str(helm), "template", "belljar", str(CHART), "--namespace", "belljar", "--set", f"mode={kind}"]
    for value in values:
        words += ["--set", value]
    made = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if made.returncode:
        raise SystemExit(f"helm refuses the chart: {made.stderr}")
    # Helm leaves spaces where a template begins a line.
    return "\n".join(line.rstrip() for line in made.stdout.splitlines()) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is stale, and write nothing")
    is_check = parser.parse_args().check
    stale = []
    for kind in KINDS:
        path, text = MANIFESTS / f"{kind}.yaml", _HEAD.format(kind=kind) + render(kind)
        if not path.exists() or path.read_text() != text:
            stale.append(str(path.relative_to(ROOT)))
            if not is_check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
    if (CHART / "files/seccomp.json").read_text() != (ROOT / "deploy/seccomp.json").read_text():
        stale.append("deploy/chart/files/seccomp.json")
        if not is_check:
            (CHART / "files/seccomp.json").write_text((ROOT / "deploy/seccomp.json").read_text())
    if is_check and stale:
        raise SystemExit(f"{', '.join(stale)} stale: run scripts/make_manifests.py and commit it.")


if __name__ == "__main__":
    main()
