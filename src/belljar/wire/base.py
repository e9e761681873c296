"""The model every wire model is made from: camelCase on the wire, snake_case in Python."""

import math
from functools import lru_cache
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, model_validator
from pydantic.alias_generators import to_camel

# For adapters of several models together: compiled when first used, as the models are.
BUILT_WHEN_USED = ConfigDict(defer_build=True)


@lru_cache(maxsize=2048)
def camel(name: str) -> str:
    """A name on the wire.  The same few hundred are asked for a thousand times at a start, and again by each call."""
    return to_camel(name)


class Model(BaseModel):
    """Unknown fields are ignored and `null` for an optional field means absent, as the reference clients expect."""

    model_config = ConfigDict(
        alias_generator=camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        # Compiled when first used: a hundred models cost an idle server memory and start-up time.
        defer_build=True,
    )


class Request(Model):
    """A request of the control plane's own: a field that nobody would honour is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _can_be_stored(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """What a database cannot keep, or nobody could be answered with, is the caller's mistake and not a failure."""
        # The fields first: they say which of them it is.
        made = handler(given)
        check_storable(given)
        return made


def check_storable(given: Any) -> None:
    """Raises `ValueError` for text with NUL or half a character in it, and for numbers that JSON does not have."""
    if isinstance(given, str) and ("\0" in given or not given.isascii() and _has_surrogate(given)):
        raise ValueError("text may not have NUL or half of a surrogate pair in it")
    if isinstance(given, float) and not math.isfinite(given):
        raise ValueError("numbers must be finite")
    if isinstance(given, dict):
        for name, value in given.items():
            check_storable(name)
            check_storable(value)
    elif isinstance(given, list):
        for one in given:
            check_storable(one)


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


class Ok(Model):
    ok: bool = True
