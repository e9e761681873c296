"""JSON schemas of the wire's models, made together, each under the name that `wire.schema_names` gives it."""

import warnings
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic.warnings import UnsupportedFieldAttributeWarning
from pydantic_core import CoreSchema, core_schema

from belljar.wire.schema_names import schema_name

_PLACE = "#/components/schemas/"
# In a schema while it is made: the class it is of, and the name that it shall have.
_CLASS, _NAME = "x-made-of", "x-made-as"


class SameName(TypeError):
    """Two schemas would have one name.  One that differs between requests and answers needs two models."""


class Schemas:
    """Schemas of many types, made together so that they share their definitions."""

    def __init__(self) -> None:
        self._wanted: list[tuple[int, JsonSchemaMode, CoreSchema]] = []
        self._made: dict[tuple[int, JsonSchemaMode], dict[str, Any]] = {}
        self.definitions: dict[str, dict[str, Any]] = {}

    def want(self, kind: Any, mode: JsonSchemaMode, name: str) -> Callable[[], dict[str, Any]]:
        """Gives the schema once all are made; one that is not a reference is titled after `name`."""
        number = len(self._wanted)
        with warnings.catch_warnings():
            # An alias, which is the parameter's and not its type's.
            warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
            self._wanted.append((number, mode, TypeAdapter(kind).core_schema))

        def made() -> dict[str, Any]:
            schema = self._made[number, mode]
            title = {} if "$ref" in schema else {"title": schema.get("title", name.title().replace("_", " "))}
            return {**schema, **title}

        return made

    def make(self) -> None:
        made, definitions = _Generator(ref_template=_PLACE + "{model}").generate_definitions(self._wanted)
        names = {f"{_PLACE}{key}": schema[_NAME] for key, schema in definitions.items()}
        self._made = {key: _cleaned(schema, names) for key, schema in made.items()}
        classes: dict[str, str] = {}
        for schema in definitions.values():
            name, made_of = schema[_NAME], schema[_CLASS]
            if name in classes:
                raise SameName(f"{name} is the schema's name of {classes[name]} and of {made_of}")
            classes[name] = made_of
            self.definitions[name] = {**_cleaned(schema, names), "title": name}


class _Generator(GenerateJsonSchema):
    """Pydantic's, which would name a schema after its class, with the module where two classes have one name."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return super().model_schema(schema) | _marks(schema["cls"])

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        return super().enum_schema(schema) | _marks(schema["cls"])


def _marks(kind: type) -> JsonSchemaValue:
    return {_NAME: schema_name(kind), _CLASS: f"{kind.__module__}.{kind.__qualname__}"}


def _cleaned(value: Any, names: dict[str, str]) -> Any:
    """Without marks, references by their new names, and without nulls: a default of null says no more than that a
    field may be left out.
    """
    if isinstance(value, dict):
        return {
            key: _PLACE + names[inner] if key == "$ref" else _cleaned(inner, names)
            for key, inner in value.items()
            if inner is not None and key not in (_NAME, _CLASS)
        }
    if isinstance(value, list):
        return [_cleaned(inner, names) for inner in value]
    # A discriminator's mapping names schemas too, as plain text.
    return _PLACE + names[value] if isinstance(value, str) and value in names else value
