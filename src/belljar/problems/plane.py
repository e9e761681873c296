"""Problems of the control plane and its gateway."""

from belljar.problems.base import Problem


class UnknownSession(Problem):
    """There is no such session, or it is not the caller's."""

    status, code, title = 404, "session_not_found", "Session Not Found"


class UnknownProfile(Problem):
    """There is no such profile, or it is not the caller's."""

    status, code, title = 404, "profile_not_found", "Profile Not Found"


class UnknownKey(Problem):
    """There is no such key."""

    status, code, title = 404, "key_not_found", "Key Not Found"


class SessionExists(Problem):
    """The chosen id, or the Idempotency-Key with another body, was used before."""

    status, code, title = 409, "session_exists", "Session Exists"


class SessionNotReady(Problem):
    """The session is still starting; `state` says how far it is."""

    status, code, title = 409, "session_not_ready", "Session Not Ready"


class SessionOver(Problem):
    """The session has ended or is ending; `reason` says why."""

    status, code, title = 409, "session_over", "Session Over"


class ProfileInUse(Problem):
    """Another session runs on the profile; wait for its end, or ask for a copy with `readOnly`."""

    status, code, title = 409, "profile_in_use", "Profile In Use"


class WrongHost(Problem):
    """The session's box runs on another host, which this control plane cannot reach for the caller."""

    status, code, title = 421, "wrong_host", "Wrong Host"


class AboveCeiling(Problem):
    """More was asked for than the operator lets a session have; `ceilings` says how much that is, by field."""

    status, code, title = 422, "above_ceiling", "Above Ceiling"


class NotHonoured(Problem):
    """A field that would have no effect here: in this mode, or on this host; `errors` names it."""

    status, code, title = 422, "not_honoured", "Not Honoured"


class BoxNotTightened(Problem):
    """A box that runs cannot be held to a session's limits any more; the control plane starts another."""

    status, code, title = 409, "box_not_tightened", "Box Not Tightened"


class UserCeiling(Problem):
    """The user's sessions together would have more than the operator allows; `field`, `ceiling` and `used` say what."""

    status, code, title = 429, "user_ceiling", "User Ceiling"


class TooManySessions(Problem):
    """The caller's own limit is reached; `limit` says which one."""

    status, code, title = 429, "too_many_sessions", "Too Many Sessions"


class NoRoom(Problem):
    """No room became free while the request waited in the queue, or the queue is full."""

    status, code, title = 429, "no_room", "No Room"


class BoxUnreachable(Problem):
    """The session's box did not answer as a box does."""

    status, code, title = 502, "box_unreachable", "Box Unreachable"


class LaunchFailed(Problem):
    """A box could not be started for the session."""

    status, code, title = 503, "launch_failed", "Launch Failed"


class Draining(Problem):
    """This control plane is stopping, or its host is drained: it takes no new sessions."""

    status, code, title = 503, "draining", "Draining"


class DatabaseUnavailable(Problem):
    """The database does not answer in time, or at all; ask again after `Retry-After`, when it may be back."""

    status, code, title = 503, "database_unavailable", "Database Unavailable"


class ArtifactsUnavailable(Problem):
    """The store that has what the session left does not answer, or refuses; ask again later."""

    status, code, title = 503, "artifacts_unavailable", "Artifacts Unavailable"


class BoxTimeout(Problem):
    """The session's box took too long to answer."""

    status, code, title = 504, "box_timeout", "Box Timeout"


class AppRefused(Problem):
    """An app asks for something over OAuth that it cannot be given; `error` is OAuth's word for it."""

    status, code, title = 400, "app_refused", "App Refused"
