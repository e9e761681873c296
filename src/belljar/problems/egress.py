"""Problems of the network policy."""

from belljar.problems.base import Problem


class EgressDenied(Problem):
    """The network policy does not let this box reach that host."""

    status, code, title = 403, "egress_denied", "Egress Denied"

    def __init__(self, host: str, port: int, rule: str, reason: str) -> None:
        super().__init__(f"The network policy does not allow {host}:{port}: {reason}.", host=host, port=port, rule=rule)


class AddressDenied(Problem):
    """An address of a kind that may not be opened: the browser's own pages, files outside the box's folders."""

    status, code, title = 403, "address_denied", "Address Denied"

    def __init__(self, scheme: str, reason: str) -> None:
        super().__init__(f"This {scheme} address is not allowed: {reason}.", rule=scheme)


class PolicyInvalid(Problem):
    """The policy cannot be read; nothing of it was applied."""

    status, code, title = 422, "policy_invalid", "Policy Invalid"

    def __init__(self, reason: str, line: int | None) -> None:
        super().__init__(f"The policy is refused: {reason}.", line=line)
