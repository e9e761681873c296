"""Before the control plane serves: the schema, the first admin's key, a link to sign in by."""

from dataclasses import dataclass

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from belljar.plane.access.credentials import Credentials, Origin
from belljar.plane.access.secrets import MasterKey
from belljar.plane.registry import HostNameTaken, OtherProtocol, TicketUse, open_registry
from belljar.plane.settings import PlaneSettings
from belljar.problems.plane import DatabaseUnavailable
from belljar.wire.access import CreateKey, KeyRole


class CannotUseDatabase(Exception):
    """The database cannot be used; the message is a sentence for people."""


@dataclass(frozen=True)
class Welcome:
    new_key: str | None
    ticket: str | None


async def prepare(settings: PlaneSettings, master: MasterKey) -> Welcome:
    """Make an admin's key when there is no key at all.  Raises `CannotUseDatabase`."""
    try:
        async with open_registry(settings.database, settings.database_timeout) as registry:
            await registry.planes.check_protocol()
            await registry.planes.check_host(settings.host_name)
            credentials = Credentials(registry, master)
            new_key = None
            if await registry.keys.count() == 0:
                wanted = CreateKey(user="admin", role=KeyRole.ADMIN, name="made at the first start")
                new_key, _ = await credentials.make_key(wanted, actor="first start")
            admin = await registry.keys.first_admin()
            if admin is None:
                return Welcome(new_key, None)
            ticket, row = credentials.make_ticket(TicketUse.DASHBOARD, "admin", Origin(admin.user_id, admin.id))
            await credentials.add([], [row], actor="start")
            return Welcome(new_key, ticket)
    except (OtherProtocol, HostNameTaken) as error:
        raise CannotUseDatabase(str(error)) from error
    except CommandError as error:
        raise CannotUseDatabase(
            "Cannot use the database: a newer Belljar has changed it. Run that one, or restore a backup from before."
        ) from error
    except (DatabaseUnavailable, SQLAlchemyError, OSError) as error:
        raise CannotUseDatabase(f"Cannot use the database: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    if isinstance(error, DatabaseUnavailable) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    original = getattr(error, "orig", None) or error
    return str(original).splitlines()[0] if str(original) else type(original).__name__
