"""Problems of live sessions: who holds control, and how much a viewer may send."""

from belljar.problems.base import Problem


class ControlHeld(Problem):
    """Somebody else holds control; `holder` says who, `retryAfterMs` when it ends at the latest if nobody renews it."""

    status, code, title = 409, "control_held", "Control Held"


class ViewerNotFound(Problem):
    """No viewer of this id is connected, or it may only watch."""

    status, code, title = 404, "viewer_not_found", "Viewer Not Found"


class RateLimited(Problem):
    """More input or commands than this connection may send; `retryAfterMs` says when it may again."""

    status, code, title = 429, "rate_limited", "Rate Limited"


class TooManyViewers(Problem):
    """As many viewers are connected as `--max-viewers` allows."""

    status, code, title = 429, "too_many_viewers", "Too Many Viewers"


class MessageRefused(Problem):
    """A message on the live socket that cannot be understood; nothing of it was done."""

    status, code, title = 400, "message_refused", "Message Refused"


class UnknownMethod(Problem):
    """No command has this method."""

    status, code, title = 404, "unknown_method", "Unknown Method"


class CommandTimeout(Problem):
    """The time of a `waitForSelector` on the live socket has passed; the REST call `wait` answers `found: false`."""

    status, code, title = 504, "timeout", "Timeout"


class BoxEnding(Problem):
    """The box is about to end: `reason` is `stopped`, `idle` or `expired`.  The last message to its viewers."""

    status, code, title = 503, "box_ending", "Box Ending"
