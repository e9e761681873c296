"""The caller's JavaScript."""

from typing import Any

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnFrame
from belljar.wire.browser.dialogs import DialogInfo
from belljar.wire.browser.report import FileChooser, Popup, Report, Reported, StartedDownload


class ExecuteRequest(OnFrame, Reported):
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
    popup: Popup | None = Field(None, description="With `report`: a tab that the script opened.")
    file_chooser: FileChooser | None = Field(None, description="With `report`: set when the page asked for files.")
    navigated: str | None = Field(None, description="With `report`: the address that the script led to.")
    download: StartedDownload | None = Field(None, description="With `report`: a file that began to be saved.")
    report: Report | None = Field(None, description="With `report: true`.")
