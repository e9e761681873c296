"""The documents say what is there."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.core import TyperGroup

from belljar.cli.commands import make_app

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def commands(command: Any, words: tuple[str, ...] = ("belljar",)) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by what one types.  Typer's copy of click exports no types for them."""
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from commands(child, (*words, name))
    else:
        yield " ".join(words), command


COMMANDS = dict(commands(typer.main.get_command(make_app())))


@pytest.mark.parametrize("typed", COMMANDS)
def test_every_command_and_option_is_in_the_reference(typed: str) -> None:
    page = (ROOT / "docs/reference/cli.md").read_text()
    section = re.search(rf"^## {re.escape(typed)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert section, f"docs/reference/cli.md has no section '## {typed}'"
    options = [name for parameter in COMMANDS[typed].params for name in parameter.opts if name.startswith("-")]
    assert [name for name in options if f"`{name}`" not in section[1]] == []


def test_the_reference_names_no_command_that_is_gone() -> None:
    page = (ROOT / "docs/reference/cli.md").read_text()
    assert set(re.findall(r"^## (belljar .+)$", page, re.M)) == set(COMMANDS)


@pytest.mark.parametrize("requirement", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]])
def test_every_dependency_has_its_reason(requirement: str) -> None:
    name = re.split(r"[^\w.-]", requirement)[0]
    assert re.search(rf"^\| `{re.escape(name)}` \| .+ \|$", (ROOT / "docs/decisions.md").read_text(), re.M)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_within_the_repository_leads_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_make_lists_every_target_that_is_documented() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M))
    named = re.findall(r"`make ([a-z]+)", "".join(document.read_text() for document in DOCUMENTS))
    assert set(named) <= targets


def test_guides_name_no_process_by_an_id_that_another_start_would_have_taken() -> None:
    for guide in (ROOT / "docs/guide").glob("*.md"):
        assert re.findall(r"\bproc_\d+", guide.read_text()) == [], guide.name


SRC = ROOT / "src/belljar"


def test_the_tree_of_the_architecture_is_complete() -> None:
    told = (ROOT / "ARCHITECTURE.md").read_text().partition("## The tree")[2].partition("## ")[0]
    words = set(re.findall(r"[\w.]+/?", told))
    folders = [
        folder for folder in SRC.rglob("*") if (folder / "__init__.py").exists() and folder.parent.name != "provider"
    ]
    files = [file for top in (SRC, SRC / "box", SRC / "plane") for file in top.glob("*.py") if "__" not in file.name]
    parts = [file for file in (SRC / "server").glob("*.py") if "__" not in file.name]
    missing = [f"{one.relative_to(SRC)}/" for one in folders if f"{one.name}/" not in words]
    missing += [str(one.relative_to(SRC)) for one in files if one.name not in words]
    missing += [str(one.relative_to(SRC)) for one in parts if one.stem not in words]
    assert missing == []


def test_no_folder_is_a_heap() -> None:
    sizes = {
        folder: len(list(folder.glob("*.py"))) - 1 for folder in SRC.rglob("*") if (folder / "__init__.py").exists()
    }
    assert {str(folder): size for folder, size in sizes.items() if size > 16} == {}
