"""Chromium's refusals, in its own words; one layer up they become problems."""


class CdpError(Exception):
    """Chromium answered a command with an error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message} ({code})")
        self.method = method
        self.code = code
        self.message = message


class CdpGone(Exception):
    """There will be no answer: who should have given it is gone."""


class CdpClosed(CdpGone):
    """The connection ended: Chromium exited or closed its pipe."""


class TargetGone(CdpGone):
    """The tab, frame or worker of this session is gone."""


class TargetCrashed(CdpGone):
    """The renderer of this session crashed; the session itself lives on and works after a reload."""
