"""The keyboard."""

from pydantic import Field, StrictBool

from belljar.wire.base import Model
from belljar.wire.desktop.numbers import U32

KEY = "An X keysym name, a web key name or a character; `+` joins a combination."


class TypeText(Model):
    text: str = Field(description="Any Unicode text; a newline presses Return, a tab Tab.")
    delay_ms: U32 | None = Field(default=None, description="Between two keys; 10 where none is given.")


class KeyModifiers(Model):
    ctrl: StrictBool | None = None
    shift: StrictBool | None = None
    alt: StrictBool | None = None
    cmd: StrictBool | None = Field(default=None, description="The super key.")


class PressKey(Model):
    key: str = Field(description=KEY, examples=["Enter", "ctrl+shift+a"])
    modifiers: KeyModifiers | None = None


class HoldKey(Model):
    key: str = Field(description=KEY, examples=["shift"])
