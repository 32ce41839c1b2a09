"""The options that commands share, in bundles: a command takes a bundle as one parameter.

>>> @spread
... def lines(graph: Graph, count: int = 3) -> None: ...
>>> list(signature(lines).parameters)
['file', 'sets', 'removes', 'read_as', 'topics', 'count']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from ..attribution.methods import DEFAULT, METHODS
from ..engine.discrete import SOLVERS
from ..engine.problem import MAX_STEPS
from ..errors import InvalidInput, unknown
from ..formats import FORMATS
from ..semantics import SEMANTICS, Semantics
from . import complete


def table_of(names: Iterable[str], about: str) -> dict[str, Any]:
    """Help and completion from a table."""
    names = tuple(names)
    return {
        "help": f"{about}: {', '.join(names)}.",
        "metavar": "NAME",
        "autocompletion": lambda incomplete: complete.starting(names, incomplete),
    }


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A graph in any format, - for standard input, or examples:NAME.",
        show_default=False,
        autocompletion=complete.files,
    ),
]
Fact = Annotated[
    str | None,
    typer.Argument(
        metavar="FACT",
        help="The topic to explain. Default: the strongest topic.",
        show_default=False,
        autocompletion=complete.arguments,
    ),
]
Foil = Annotated[
    str | None,
    typer.Argument(
        metavar="FOIL",
        help="The topic to compare it with. Default: the strongest of the other topics.",
        show_default=False,
        autocompletion=complete.arguments,
    ),
]
Topics = Annotated[
    list[str] | None,
    typer.Option(
        "--topic",
        metavar="NAME",
        help="Use this topic instead of those that the file names. May be repeated.",
        autocompletion=complete.arguments,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON with unrounded numbers instead of text.")]

TIME_LIMIT = 30.0  # seconds of a search for what would make the foil win
TimeLimit = Annotated[
    float,
    typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop the search after this time; 0 sets no limit."),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=SCORE",
        help="Give an argument this base score before anything is computed. May be repeated.",
        autocompletion=complete.settings,
    ),
]
Removes = Annotated[
    list[str] | None,
    typer.Option(
        "--remove",
        metavar="NAME",
        help="Remove an argument before anything is computed. May be repeated.",
        autocompletion=complete.arguments,
    ),
]
ReadAs = Annotated[
    str | None,
    typer.Option("--read-as", **table_of(FORMATS, "Read the file in this format instead of the one it seems to have")),
]


@dataclass(frozen=True)
class Source:
    """Which graph."""

    file: File
    sets: Sets = None
    removes: Removes = None
    read_as: ReadAs = None


@dataclass(frozen=True)
class Graph(Source):
    """Which graph, with which topics."""

    topics: Topics = None


@dataclass(frozen=True)
class Meaning:
    """Under which semantics."""

    semantics: Annotated[
        str | None,
        typer.Option(
            "--semantics",
            "-s",
            metavar="NAME",
            help=f"The semantics: {', '.join(SEMANTICS)}, or your own as module:object or path.py:object. "
            "Default: the one that the file names, else qe.",
            autocompletion=lambda incomplete: complete.starting(SEMANTICS, incomplete),
        ),
    ] = None

    def chosen(self) -> dict[str, Any]:
        """As keywords of the library's functions."""
        return {"semantics": semantics_of(self.semantics)}


@dataclass(frozen=True)
class Under(Meaning):
    """Under which semantics, and how it is solved."""

    solver: Annotated[str, typer.Option("--solver", **table_of(SOLVERS, "How cycles are solved"))] = "discrete"
    max_steps: Annotated[
        int,
        typer.Option("--max-steps", metavar="N", help="Call strengths undefined that have not settled after N steps."),
    ] = MAX_STEPS

    def chosen(self) -> dict[str, Any]:
        """As keywords of the library's functions."""
        if self.solver not in SOLVERS:
            raise unknown(self.solver, SOLVERS, "solver")
        if self.max_steps < 1:
            raise InvalidInput(f"--max-steps is {self.max_steps}; give a number from 1 up")
        return super().chosen() | {"solver": self.solver, "max_steps": self.max_steps}


@dataclass(frozen=True)
class Method:
    """By which method."""

    method: Annotated[str, typer.Option("--method", "-m", **table_of(METHODS, "How contributions are measured"))] = (
        DEFAULT
    )

    def chosen(self) -> dict[str, Any]:
        """As keywords of the library's functions."""
        if self.method not in METHODS:
            raise unknown(self.method, METHODS, "method")
        return {"method": self.method}


@dataclass(frozen=True)
class By(Method):
    """By which method, with its settings."""

    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The seed of the random numbers of --method sampled.")
    ] = None
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", help="Use at most N evaluations (--method shapley and sampled)."),
    ] = None

    def chosen(self) -> dict[str, Any]:
        """As keywords: only what was given, and only what the method has."""
        found = super().chosen()
        known = getattr(METHODS[self.method].make, "__dataclass_fields__", {})
        limit = next((each for each in ("budget", "max_evaluations") if each in known), None)
        for option, name, value in (("--seed", "seed", self.seed), ("--budget", limit, self.budget)):
            if value is not None:
                if name is None or name not in known:
                    raise InvalidInput(f"{option} has no meaning for --method {self.method}; leave it out")
                if value < (1 if option == "--budget" else 0):
                    raise InvalidInput(f"{option} is {value}; give a number from {int(option == '--budget')} up")
                found[name] = value
        return found


def semantics_of(name: str | None) -> Semantics | str | None:
    """A name of the table, or the object at `module:object` or `path.py:object`."""
    if name is None or ":" not in name:
        if name is not None and name not in SEMANTICS:
            raise unknown(name, SEMANTICS, "semantics")
        return name
    place, _, attribute = name.rpartition(":")
    from importlib import import_module, util

    try:
        if place.endswith(".py"):
            spec = util.spec_from_file_location("the_users_semantics", place)
            if spec is None or spec.loader is None:
                raise ImportError(place)
            module = util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = import_module(place)
        found = getattr(module, attribute)
    except Exception as error:  # whatever the user's own code does
        raise InvalidInput(f"the semantics {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, Semantics):
        raise InvalidInput(f"{name!r} is a {type(found).__name__}; make it a qontrast.Semantics")
    return found


def spread(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same command with each bundle among its parameters replaced by the options in it."""
    hints = get_type_hints(function, include_extras=True)
    bundles: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, each in signature(function).parameters.items():
        if name in bundles:
            parameters += _options(bundles[name])
        else:
            parameters.append(each.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name]))

    @wraps(function)
    def command(**given: Any) -> Any:
        made = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in bundles.items()}
        return function(**made, **given)

    del command.__wrapped__  # typer would look through it, to the bundles
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _options(bundle: Any) -> list[Parameter]:
    hints: Mapping[str, Any] = get_type_hints(bundle, include_extras=True)
    return [
        Parameter(
            each.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if each.default is MISSING else each.default,
            annotation=hints[each.name],
        )
        for each in fields(bundle)
    ]
