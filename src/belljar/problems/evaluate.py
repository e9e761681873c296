"""Scripts and protocols of the caller's that may not be used."""

from belljar.problems.base import Problem


class EvaluateDisabled(Problem):
    """Scripts from callers are switched off: by the operator (`--evaluate off`), or by the session's policy."""

    status, code, title = 403, "evaluate_disabled", "Evaluate Disabled"

    def __init__(self) -> None:
        super().__init__("This box runs no scripts of callers: its operator (--evaluate off) or its session says so.")


class CdpDisabled(Problem):
    """The CDP relay is shut: by the operator (`--cdp off`), or by the session's policy."""

    status, code, title = 403, "cdp_disabled", "CDP Disabled"

    def __init__(self) -> None:
        super().__init__("This box takes no CDP clients: its operator (--cdp off) or its session says so.")
