"""The browser's states, and every allowed move between them."""

from collections.abc import Mapping

from belljar.wire.browser.lifecycle import BrowserState as S

MOVES: Mapping[S, frozenset[S]] = {
    S.INACTIVE: frozenset({S.STARTING}),
    S.STARTING: frozenset({S.ACTIVE, S.FAILED, S.STOPPING}),
    # Straight back to starting: Chromium died and is started again.
    S.ACTIVE: frozenset({S.STARTING, S.STOPPING, S.FAILED}),
    S.STOPPING: frozenset({S.INACTIVE}),
    S.FAILED: frozenset({S.STARTING, S.INACTIVE}),
    # Never entered: what status reports instead of inactive while a program is missing.
    S.INSTALL_REQUIRED: frozenset(),
}
