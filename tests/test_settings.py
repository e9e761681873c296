from pathlib import Path

import pytest
from pydantic import Field, ValidationError

from belljar.settings import ServerSettings, Settings, Several, read_bytes


class Made(Settings):
    other_variables = {"names": "THEIR_NAMES"}

    port: int = Field(1, ge=1)
    names: Several = ()
    is_quiet: bool = False
    note: str | None = None


@pytest.mark.parametrize(
    ("environment", "given", "expected"),
    [
        ({}, {}, Made()),
        ({"BELLJAR_PORT": "2"}, {}, Made(port=2)),
        ({"BELLJAR_PORT": "2"}, {"port": 3}, Made(port=3)),
        ({"belljar_port": "2"}, {}, Made(port=2)),
        ({"PORT": "2", "BELLJAR_UNKNOWN": "x"}, {}, Made()),
        ({"BELLJAR_NAMES": " a, b,,c "}, {}, Made(names=("a", "b", "c"))),
        ({"BELLJAR_NAMES": ""}, {}, Made(names=())),
        ({"THEIR_NAMES": "a"}, {}, Made(names=("a",))),
        ({"THEIR_NAMES": "a", "BELLJAR_NAMES": "b"}, {}, Made(names=("b",))),
        ({"BELLJAR_IS_QUIET": "true", "BELLJAR_NOTE": ""}, {}, Made(is_quiet=True, note="")),
    ],
)
def test_what_is_given_counts_then_variables_then_defaults(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], given: dict[str, int], expected: Made
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Made.model_validate(given).model_dump() == expected.model_dump()


def test_a_variable_is_checked_as_a_flag_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELLJAR_PORT", "0")
    with pytest.raises(ValidationError, match="port"):
        Made()


@pytest.mark.parametrize(("text", "size"), [("512M", 512 << 20), ("4gb", 4 << 30), ("7", 7), ("", None), ("-1G", None)])
def test_sizes_are_read_with_their_unit(text: str, size: int | None) -> None:
    assert read_bytes(text) == size


def test_a_relative_state_folder_is_the_same_for_children_that_work_elsewhere() -> None:
    assert ServerSettings(state_dir=Path("here")).state_dir == Path.cwd() / "here"
