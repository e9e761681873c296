"""What an action caused, as members of its answer."""

from typing import Any

from belljar.box.browser.acting import Performed
from belljar.box.browser.effects import Effects
from belljar.box.browser.page import Page
from belljar.box.browser.report import Changes
from belljar.wire.browser.report import FileChooser, Popup, Report, StartedDownload


def caused_by(done: Performed[Any]) -> dict[str, Any]:
    """Popup, file chooser, navigation, download and report; a dialog is in the outcome itself."""
    effects = done.effects
    if effects is None:
        return {}
    return {
        "popup": popup_of(effects),
        "file_chooser": FileChooser(multiple=effects.chooser_is_multiple)
        if effects.chooser_is_multiple is not None
        else None,
        "navigated": effects.navigated,
        "download": _download(effects),
        "report": report_of(done),
    }


def popup_of(effects: Effects | None) -> Popup | None:
    if effects is None or effects.popup is None:
        return None
    return Popup(tab_id=effects.popup.id, url=effects.popup.url)


def report_of(done: Performed[Any]) -> Report | None:
    return _report(done.page, done.changes) if done.changes is not None else None


def _download(effects: Effects) -> StartedDownload | None:
    return next((StartedDownload(id=id, name=name) for id, name in effects.downloads.items()), None)


def _report(page: Page, changes: Changes) -> Report:
    return Report(
        url=page.url,
        snapshot=changes.snapshot,
        revision=changes.revision,
        whole=changes.is_whole,
        quiet=changes.was_quiet,
        console_errors=changes.errors,
    )
