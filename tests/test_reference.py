"""The reference pages say what the code says."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import belljar.problems
from belljar.box.settings import BoxSettings
from belljar.plane.settings import PlaneSettings
from belljar.problems import Problem, problem_classes
from belljar.settings import Settings

for module in pkgutil.iter_modules(belljar.problems.__path__):
    importlib.import_module(f"belljar.problems.{module.name}")

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


@pytest.mark.parametrize(("heading", "settings"), [("a box", BoxSettings), ("the control plane", PlaneSettings)])
def test_the_reference_lists_every_setting_and_no_other(heading: str, settings: type[Settings]) -> None:
    page = (REFERENCE / "settings.md").read_text()
    section = re.search(rf"^# Settings of {heading}\n(.*?)(?=^# |\Z)", page, re.M | re.S)
    assert section
    listed = re.findall(r"^\| `--[a-z-]+` \| `BELLJAR_([A-Z_]+)`", section[1], re.M)
    assert {name.lower() for name in listed} == set(settings.model_fields)


@pytest.mark.parametrize("problem", list(problem_classes()), ids=lambda problem: problem.__name__)
def test_every_problem_is_in_the_reference(problem: type[Problem]) -> None:
    page = (REFERENCE / "problems.md").read_text()
    assert f"| `{problem.code}` | {problem.status} | {problem.title} |" in page
