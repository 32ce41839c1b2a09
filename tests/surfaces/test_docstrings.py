"""Docstrings of public names follow the NumPy convention: a summary, Parameters, Returns, and an example that runs."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

PUBLIC = ("qontrast", "qontrast.axioms", "qontrast.networks", "qontrast.show", "qontrast.studies", "qontrast.web")


def list_public() -> Iterator[tuple[str, Any]]:
    """The functions and classes of the library's own that its public modules export, each once."""
    seen: set[int] = set()
    for module in PUBLIC:
        found = importlib.import_module(module)
        for name in found.__all__:
            each = getattr(found, name)
            own = getattr(each, "__module__", "").startswith("qontrast")
            if own and (inspect.isfunction(each) or inspect.isclass(each)) and id(each) not in seen:
                seen.add(id(each))
                yield f"{module}.{name}", each


def list_functions() -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """The public functions, and the public methods that public classes define, with whether it is a method."""
    for name, each in list_public():
        if inspect.isfunction(each):
            yield name, each, False
        else:
            for method, found in vars(each).items():
                bare = found.__func__ if isinstance(found, classmethod | staticmethod) else found
                if inspect.isfunction(bare) and not method.startswith("_") and has_own_docstring(each, method):
                    yield f"{name}.{method}", bare, True


def has_own_docstring(of: type, method: str) -> bool:
    """Whether a method says something of its own; one without a docstring inherits that of its base class."""
    inherited = any(method in vars(base) for base in of.__mro__[1:])
    return bool(vars(of)[method].__doc__) or not inherited


def has_section(text: str, title: str) -> bool:
    return re.search(rf"^{title}\n-{{{len(title)}}}$", text, re.MULTILINE) is not None


def list_missing(name: str) -> list[str]:
    """What the docstring of a function lacks. A method without parameters needs a summary only."""
    function, method = FUNCTIONS[name]
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if name not in ("self", "cls")]
    lacks = [] if text.partition("\n")[0].endswith((".", "?", ":")) else ["a summary of one line that ends"]
    if names and not has_section(text, "Parameters"):
        lacks.append("Parameters")
    elif names:
        part = text.partition("Parameters\n----------\n")[2]
        lacks += [name for name in names if not re.search(rf"^(\*{{0,2}}\w+, )*\*{{0,2}}{name}\b", part, re.MULTILINE)]
    returns = signature.return_annotation not in (None, "None") and not (method and not names)
    if returns and not has_section(text, "Returns") and not has_section(text, "Yields"):
        lacks.append("Returns")
    if not method and not (has_section(text, "Examples") and ">>>" in text):
        lacks.append("Examples")
    return lacks


FUNCTIONS = {name: (function, method) for name, function, method in list_functions()}
CLASSES = {name: each for name, each in list_public() if inspect.isclass(each)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_of_a_public_function_has_every_section_and_every_parameter(name: str) -> None:
    assert list_missing(name) == [], inspect.getdoc(FUNCTIONS[name][0])


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_class_says_in_one_line_what_it_is(name: str) -> None:
    text = CLASSES[name].__doc__ or ""
    assert not text.startswith(f"{CLASSES[name].__name__}("), "this is what dataclass writes without a docstring"
    assert text.partition("\n")[0].endswith((".", "?", ":")), text
