"""Scripts and protocols of the caller's that may not be used."""

from belljar.problems.base import Problem


class EvaluateDisabled(Problem):
    """The operator has switched off scripts from callers (`--evaluate off`)."""

    status, code, title = 403, "evaluate_disabled", "Evaluate Disabled"

    def __init__(self) -> None:
        super().__init__("This box runs no scripts of callers: it was started with --evaluate off.")


class CdpDisabled(Problem):
    """The operator has shut the CDP relay (`--cdp off`)."""

    status, code, title = 403, "cdp_disabled", "CDP Disabled"

    def __init__(self) -> None:
        super().__init__("This box takes no CDP clients: it was started with --cdp off.")
