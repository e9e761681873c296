"""Write the lists of `docs/reference/python.md` from the SDK's own signatures and the server's models.

`python scripts/make_python_reference.py` writes them; with `--check` it only says whether what is there is fresh.
"""

import inspect
import re
import sys
import typing
from pathlib import Path

from pydantic import BaseModel

from belljar.sdk.sync.box import Control, Egress, Files
from belljar.sdk.sync.browser import Browser
from belljar.sdk.sync.client import Belljar, Keys, Profiles, Records, Webhooks
from belljar.sdk.sync.desktop import Desktop, Keyboard, Mouse, Windows
from belljar.sdk.sync.events import Events
from belljar.sdk.sync.live import Live
from belljar.sdk.sync.page import Page
from belljar.sdk.sync.processes import Processes
from belljar.sdk.sync.sessions import Sessions

DOCUMENT = Path(__file__).parent.parent / "docs" / "reference" / "python.md"
BEGIN = "<!-- Made by scripts/make_python_reference.py: change the code. -->\n"
PARTS: dict[str, type] = {
    "browser": Browser,
    "page": Page,
    "desktop": Desktop,
    "desktop.mouse": Mouse,
    "desktop.keyboard": Keyboard,
    "desktop.windows": Windows,
    "processes": Processes,
    "files": Files,
    "live": Live,
    "control": Control,
    "egress": Egress,
    "events": Events,
    "sessions": Sessions,
    "profiles": Profiles,
    "keys": Keys,
    "webhooks": Webhooks,
    "records": Records,
}


def main() -> int:
    text = DOCUMENT.read_text()
    made = text.partition(BEGIN)[0] + BEGIN + lists()
    if "--check" in sys.argv:
        if made != text:
            sys.stderr.write("docs/reference/python.md is stale: run 'make sdk' and commit it.\n")
        return made != text
    DOCUMENT.write_text(made)
    return 0


def lists() -> str:
    answers: dict[str, type[BaseModel]] = {}
    sections = [_section(name, part, answers) for name, part in {"Belljar": Belljar, **PARTS}.items()]
    todo = list(answers.values())
    while todo:
        inner = {one.__name__: one for one in _models_in(todo.pop()) if one.__name__ not in answers}
        answers |= inner
        todo += inner.values()
    fields = [f"| `{name}` | {_fields(answers[name])} |" for name in sorted(answers)]
    return "\n".join(
        [
            "\n## Every method with its arguments\n",
            *sections,
            "## Every answer with its fields\n",
            "| model | fields |\n|---|---|",
            *fields,
            "",
        ]
    )


def _section(name: str, part: type, answers: dict[str, type[BaseModel]]) -> str:
    inherited = set(dir(Browser)) - {"info"} if part is Page else set()
    rows = []
    for method, found in sorted(vars_of(part).items()):
        if method in inherited and method not in vars(part):
            continue
        call = found.fget if isinstance(found, property) else found
        signature = inspect.signature(call)
        for model in _models(signature.return_annotation):
            answers[model.__name__] = model
        taken = [_argument(one) for one in list(signature.parameters.values())[1:]]
        shown = method if isinstance(found, property) else f"{method}({', '.join(one for one in taken if one)})"
        rows.append(f"| `{shown}` | {_answer(signature)} |")
    more = "Also everything of `browser`, for this tab.\n\n" if part is Page else ""
    return f"### `{name}`\n\n{more}| method | answers |\n|---|---|\n" + "\n".join(rows) + "\n"


def vars_of(part: type) -> dict[str, typing.Any]:
    """The public methods and properties of a class, its bases' among them."""
    return {
        name: found
        for name in dir(part)
        if not name.startswith("_") and (callable(found := getattr(part, name)) or isinstance(found, property))
    }


def _argument(one: inspect.Parameter) -> str:
    annotation = one.annotation if isinstance(one.annotation, str) else inspect.formatannotation(one.annotation)
    annotation = re.sub(r"[\w.]+\.(\w+)", r"\1", annotation).replace("|", "\\|")
    if one.kind is inspect.Parameter.VAR_KEYWORD:
        return f"**{one.name}"
    return f"{one.name}: {annotation}" + ("" if one.default is inspect.Parameter.empty else f" = {one.default!r}")


def _answer(signature: inspect.Signature) -> str:
    annotation = signature.return_annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"[\w.]+\.(\w+)", r"\1", text)
    text = re.sub(r"^Generator\[(\w+), None, None\]$", r"iterate: \1", text)
    text = re.sub(r"^Iterator\[(\w+)\]$", r"with … as: \1", text)
    return "`" + text.replace("|", "\\|") + "`"


def _models(hint: typing.Any) -> list[type[BaseModel]]:
    if inspect.isclass(hint) and issubclass(hint, BaseModel):
        return [hint]
    return [model for inner in typing.get_args(hint) for model in _models(inner)]


def _models_in(model: type[BaseModel]) -> list[type[BaseModel]]:
    return [inner for field in model.model_fields.values() for inner in _models(field.annotation)]


def _fields(model: type[BaseModel]) -> str:
    return ", ".join(f"`{name}`" for name in model.model_fields) or "none"


if __name__ == "__main__":
    sys.exit(main())
