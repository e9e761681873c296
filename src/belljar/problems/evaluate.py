"""Script of the caller's that may not run."""

from belljar.problems.base import Problem


class EvaluateDisabled(Problem):
    """The operator has switched off scripts from callers (`--evaluate off`)."""

    status, code, title = 403, "evaluate_disabled", "Evaluate Disabled"

    def __init__(self) -> None:
        super().__init__("This box runs no scripts of callers: it was started with --evaluate off.")
