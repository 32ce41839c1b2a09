"""Read what a command line names: a graph in a file or from standard input, and a semantics of the user's own."""

from __future__ import annotations

import sys
from importlib import import_module, util
from types import ModuleType

from ..errors import InvalidInput, unknown_name, with_article
from ..formats import read, read_bytes
from ..graph.qbaf import Qbaf
from ..semantics import SEMANTICS, Semantics

STANDARD_INPUT = "-"


def name_source(file: str) -> str:
    """Return how messages name a source: its path, or `standard input`."""
    return "standard input" if file == STANDARD_INPUT else file


def read_graph(file: str, file_format: str | None = None) -> Qbaf:
    """Read a graph from a file, from `examples:NAME`, or from standard input where `file` is `-`."""
    if file != STANDARD_INPUT:
        return read(file, file_format)
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidInput("FILE is -, but nothing is piped in; pipe a graph in, or name a file")
    return read_bytes(sys.stdin.buffer.read(), file_format, name=name_source(file))


def load_semantics(name: str) -> Semantics | str:
    """Load the object that `module:object` or `path.py:object` names; return a name of SEMANTICS as it is.

    This runs the user's own code, so it is for the command line only; a server takes names of the table.

    >>> load_semantics("qe")
    'qe'
    >>> load_semantics("math:pi")
    Traceback (most recent call last):
    ...
    qontrast.errors.InvalidInput: 'math:pi' is a float; make it a qontrast.Semantics
    """
    if name in SEMANTICS:
        return name
    place, colon, attribute = name.rpartition(":")
    if not colon:
        raise unknown_name(name, SEMANTICS, "semantics")
    try:
        found = getattr(_import_file(place) if place.endswith(".py") else import_module(place), attribute)
    except Exception as error:  # whatever the user's own code raises
        raise InvalidInput(f"the semantics {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, Semantics):
        raise InvalidInput(f"{name!r} is {with_article(type(found).__name__)}; make it a qontrast.Semantics")
    return found


def _import_file(path: str) -> ModuleType:
    spec = util.spec_from_file_location("user_semantics", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
