"""The reference pages say what the code says."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import belljar.problems
from belljar.box.settings import BoxSettings
from belljar.problems import Problem, problem_classes

for module in pkgutil.iter_modules(belljar.problems.__path__):
    importlib.import_module(f"belljar.problems.{module.name}")

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


@pytest.mark.parametrize("name", BoxSettings.model_fields)
def test_every_setting_is_in_the_reference(name: str) -> None:
    page = (REFERENCE / "settings.md").read_text()
    assert f"`BELLJAR_{name.upper()}`" in page


def test_the_reference_names_no_setting_that_is_gone() -> None:
    listed = re.findall(r"^\| `--[a-z-]+` \| `BELLJAR_([A-Z_]+)`", (REFERENCE / "settings.md").read_text(), re.M)
    assert {name.lower() for name in listed} == set(BoxSettings.model_fields)


@pytest.mark.parametrize("problem", list(problem_classes()), ids=lambda problem: problem.__name__)
def test_every_problem_is_in_the_reference(problem: type[Problem]) -> None:
    page = (REFERENCE / "problems.md").read_text()
    assert f"| `{problem.code}` | {problem.status} | {problem.title} |" in page
