"""What a problem is, and its body on the wire."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

CONTENT_TYPE = "application/problem+json"

REFERENCE = "urn:sandbox-agent:error:"
OURS = "urn:belljar:error:"


class Problem(Exception):
    """One situation a caller can act on.

    A subclass names the situation and fixes `status`, `code` and `title`; an instance adds `detail`, a sentence
    about this occurrence, and members that a program can use, given in snake_case and sent in camelCase.
    Nothing private belongs in either: no stack trace, no host path, no `str(exception)` of a lower layer.
    """

    status: ClassVar[int]
    code: ClassVar[str]
    title: ClassVar[str]
    namespace: ClassVar[str] = OURS
    # Headers the answer needs (`WWW-Authenticate`, `Allow`, `Retry-After`).
    headers: Mapping[str, str] = {}

    def __init__(self, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members
        if headers is not None:
            self.headers = headers

    @classmethod
    def type_uri(cls) -> str:
        return cls.namespace + cls.code

    @property
    def type(self) -> str:
        return self.type_uri()

    def body(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **{_camel(name): value for name, value in self.members.items() if value is not None},
        }


def problem_classes(root: type[Problem] = Problem) -> Iterator[type[Problem]]:
    """Every concrete problem that has been imported, for the reference page and for SDKs."""
    for child in root.__subclasses__():
        if "code" in vars(child):
            yield child
        yield from problem_classes(child)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
