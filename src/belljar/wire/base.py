"""The model every wire model is made from: camelCase on the wire, snake_case in Python."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

# For adapters of several models together: compiled when first used, as the models are.
BUILT_WHEN_USED = ConfigDict(defer_build=True)


class Model(BaseModel):
    """Unknown fields are ignored and `null` for an optional field means absent, as the reference clients expect."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        # Compiled when first used: a hundred models cost an idle server memory and start-up time.
        defer_build=True,
    )


class Request(Model):
    """A request of the control plane's own: a field that nobody would honour is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


class Ok(Model):
    ok: bool = True
