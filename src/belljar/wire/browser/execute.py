"""The caller's JavaScript."""

from typing import Any

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnFrame
from belljar.wire.browser.dialogs import DialogInfo


class ExecuteRequest(OnFrame):
    expression: str = Field(max_length=10_000_000, examples=["document.title"])
    await_promise: bool = Field(True, description="Whether a promise is waited for.")


class ExecuteResult(Model):
    """`result` is the JSON value; what has none is null there and described."""

    result: Any = None
    type: str = Field(
        examples=["number"], description="undefined, null, boolean, number, bigint, string, symbol, function, object, …"
    )
    description: str | None = Field(None, description="For what has no JSON value: NaN, functions, nodes, cycles.")
    truncated: bool | None = Field(None, description="True when the value was over the limit and is left out.")
    dialog: DialogInfo | None = Field(None, description="A dialog that the script opened.")
