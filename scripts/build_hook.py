"""Hatchling's hook: no wheel without the files that `make` makes and the servers serve."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MADE = {
    "src/belljar/box/view/main.js": "make web",
    "src/belljar/server/app/index.html": "make setup",
    "openapi/box.json": "make openapi",
    "openapi/control.json": "make openapi",
}


class MadeFiles(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # A clone is installed before anything in it is made.
        if version == "editable":
            return
        for path, command in MADE.items():
            if not Path(self.root, path).is_file():
                raise FileNotFoundError(f"{path} is missing: run '{command}' first.")
