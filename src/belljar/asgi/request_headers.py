"""`RequestHeaders`: a request's headers, looked up by name.  Every layer looks some up, in every request."""

from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope


class RequestHeaders(Headers):
    """As Starlette's, which goes through the list for each name."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(raw=scope["headers"])
        # The first of several, as there.
        self._first: dict[bytes, bytes] = dict(reversed(scope["headers"]))

    def __getitem__(self, name: str) -> str:
        return self._first[name.lower().encode("latin-1")].decode("latin-1")

    def __contains__(self, name: Any) -> bool:
        return name.lower().encode("latin-1") in self._first

    def get(self, name: str, default: Any = None) -> Any:
        value = self._first.get(name.lower().encode("latin-1"))
        return default if value is None else value.decode("latin-1")
