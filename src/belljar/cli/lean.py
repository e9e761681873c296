"""What our servers do without: 12 MB and a quarter of a second of every start, in things that libraries take along."""

import gc
import importlib
import os
import sys

# Rich would print tracebacks prettily, greenlets would have loggers of their own; structlog does without either.
_NOT_FOR_STRUCTLOG = ("rich", "greenlet")


def start_lean() -> None:
    """To be called before anything else is imported.

    Nothing that is made while a command starts is garbage, and the collector would look through it again and again:
    servers let it work once they listen (`asgi.serving`), other commands are soon over.  Pydantic would look through
    every installed package for plugins; a server that is to be trusted has none.
    """
    gc.disable()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"


def leave_out_what_is_never_used() -> None:
    """To be called before the rest of a server is imported.  None means to Python that a module is not there.

    FastAPI takes along Pydantic's first version, for models that we do not have.  And a model is compiled when it is
    first used: FastAPI's own, for OpenAPI documents, hardly ever.
    """
    from pydantic import BaseModel

    if "structlog" not in sys.modules:
        absent = [name for name in _NOT_FOR_STRUCTLOG if name not in sys.modules]
        sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # what None means is said above
        importlib.import_module("structlog")
        for name in absent:
            del sys.modules[name]
    sys.modules.setdefault("pydantic.v1", None)  # type: ignore[arg-type]
    BaseModel.model_config["defer_build"] = True
