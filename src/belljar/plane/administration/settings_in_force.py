"""Settings in force: each with its value, where that comes from, and what it may be; secrets are masked."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from belljar.plane.settings import PlaneSettings
from belljar.settings import PREFIX, Several, flag_of
from belljar.wire.administration import BoxFlag, SettingInForce, SettingsInForce, SettingSource

MASK = "••••••••"
# A password in an address, up to the last @: databases take one with @ and / in it as it stands.  A setting that
# holds a secret itself, and not where it is to be found.
_USERINFO = re.compile(r"(?<=://)([^/\s@:,]*):[^,]*@")
_SECRET_QUERY = re.compile(r"(?i)([?&][\w.-]*(?:password|token|key|secret)=)[^&\s]*")
_SECRET_NAME = re.compile(r"(^|_)(secret|password|token|key|passphrase)s?$")


def settings_in_force(settings: PlaneSettings, box_flags: Sequence[str]) -> SettingsInForce:
    found = [_setting(settings, name, field) for name, field in type(settings).model_fields.items()]
    return SettingsInForce(settings=found, boxes=list(_pairs(box_flags)))


def masked(name: str, text: str) -> str:
    if _SECRET_NAME.search(name) and text:
        return MASK
    return _SECRET_QUERY.sub(rf"\g<1>{MASK}", _USERINFO.sub(rf"\g<1>:{MASK}@", text))


# Of what its type allows, what a control plane takes.
_NARROWER = {"jail": "require or off", "webrtc": "off or loopback or public"}


def _setting(settings: PlaneSettings, name: str, field: FieldInfo) -> SettingInForce:
    value, source = getattr(settings, name), SettingSource(settings.sources.get(name, "default"))
    if source is SettingSource.DEFAULT and value != field.get_default(call_default_factory=True):
        source = SettingSource.START
    default = _text(field.default) if field.default_factory is None else None
    shown = _text(value)
    return SettingInForce(
        name=name,
        flag=flag_of(name, field),
        variable=PREFIX + name.upper(),
        value=None if shown is None else masked(name, shown),
        source=source,
        default=None if default is None else masked(name, default),
        may_be=_NARROWER.get(name) or _may_be(field),
        description=field.description or "",
    )


def _text(value: object) -> str | None:
    """As it would be typed."""
    if value is None or value == () or value == "":
        return None
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _may_be(field: FieldInfo) -> str:
    kinds = [one for one in _kinds(field.annotation) if one is not type(None)]
    kind = kinds[0] if kinds else str
    if get_origin(kind) is Literal:
        return " or ".join(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(str(one.value) for one in kind)
    if field.annotation == Several:
        return "any number, with commas between them"
    words = {bool: "on or off", int: "a whole number", float: "a number", Path: "a path"}.get(kind, "text")
    return ", ".join([words, *_bounds(field)])


def _bounds(field: FieldInfo) -> Iterator[str]:
    for bound in field.metadata:
        match bound:
            case Ge(ge=least):
                yield f"at least {least}"
            case Gt(gt=least):
                yield f"more than {least}"
            case Le(le=most):
                yield f"at most {most}"
            case Lt(lt=most):
                yield f"less than {most}"
            case _:
                continue


def _kinds(annotation: Any) -> Sequence[Any]:
    return get_args(annotation) if isinstance(annotation, UnionType) else [annotation]


def _pairs(flags: Sequence[str]) -> Iterator[BoxFlag]:
    """Every one of them has a value."""
    for flag, value in zip(flags[::2], flags[1::2], strict=True):
        yield BoxFlag(flag=flag, value=masked(flag.removeprefix("--").replace("-", "_"), value))
