"""The arguments and options that commands share, what they name, and the question that they make."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, fields, replace
from importlib import import_module, util
from pathlib import Path, PurePath
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import click

from ..attribution.defaults import MethodChoice, choose_edge_method
from ..attribution.methods import DEFAULT, METHODS
from ..engine.backend import DEVICES
from ..engine.discrete import SOLVERS
from ..engine.problem import MAX_STEPS
from ..engine.workers import workers as start_workers
from ..errors import InvalidInput, unknown_name, with_article
from ..formats import FORMATS, read, read_bytes
from ..formats.groups import read_groups
from ..graph.qbaf import Qbaf
from ..questions.question import PLAYERS, Question
from ..semantics import SEMANTICS, Semantics
from ..show.phrasing import LANGUAGES
from ..types import Name
from .completion import Completer, complete_argument, complete_file, complete_from, complete_players, complete_score
from .output import print_note, show_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

STANDARD_INPUT = "-"


class Argument(click.Argument):
    """An argument with a help text, which click has only since its version 8.5."""

    def __init__(self, name: str, metavar: str, text: str, complete: Completer | None = None, **more: Any):
        super().__init__([name], metavar=metavar, shell_complete=complete, **more)
        self.help = text


def make_option(
    names: str, metavar: str | None, text: str, complete: Completer | None = None, **more: Any
) -> click.Option:
    """Make an option; `names` are its spellings and, where it differs, the name of its value: "--set sets"."""
    return click.Option(names.split(), metavar=metavar, help=text, shell_complete=complete, **more)


def make_choice(names: str, table: Iterable[str], text: str, **more: Any) -> click.Option:
    """Make an option that takes a name of a table; its help and its completion list the names."""
    return make_option(names, "NAME", f"{text}: {', '.join(table)}.", complete_from(table), **more)


def make_flag(names: str, text: str) -> click.Option:
    """Make an option that takes no value."""
    return make_option(names, None, text, is_flag=True)


FILE = Argument("file", "FILE", "A graph in any format, - for standard input, or examples:NAME.", complete_file)
FACT_TEXT = "The topic to explain. Default: the strongest topic."
FACT = Argument("fact", "FACT", FACT_TEXT, complete_argument, required=False)
FOIL_TEXT = "The topic to compare it with. Default: the strongest of the other topics."
FOIL = Argument("foil", "FOIL", FOIL_TEXT, complete_argument, required=False)
SET_TEXT = "Give an argument this base score before anything is computed. May be repeated."
SET = make_option("--set sets", "NAME=SCORE", SET_TEXT, complete_score, multiple=True)
REMOVE_TEXT = "Remove an argument before anything is computed. May be repeated."
REMOVE = make_option("--remove", "NAME", REMOVE_TEXT, complete_argument, multiple=True)
READ_AS = make_choice("--read-as", FORMATS, "Read the file in this format instead of the one it seems to have")
TOPIC_TEXT = "Use this topic instead of those that the file names. May be repeated."
TOPIC = make_option("--topic topics", "NAME", TOPIC_TEXT, complete_argument, multiple=True)
SEMANTICS_TEXT = (
    f"The semantics: {', '.join(SEMANTICS)}, or your own as module:object or path.py:object. "
    "Default: the one that the file names, else qe."
)
SEMANTICS_NAME = make_option("--semantics -s", "NAME", SEMANTICS_TEXT, complete_from(SEMANTICS))
SOLVER = make_choice("--solver", SOLVERS, "How cycles are solved", default="discrete")
STEPS_TEXT = "Call strengths undefined that have not settled after N steps."
STEPS = make_option("--max-steps", "N", STEPS_TEXT, type=int, default=MAX_STEPS)
METHOD_TEXT = f"How contributions are measured: {', '.join(METHODS)}. Default: {DEFAULT}."
METHOD = make_option("--method -m", "NAME", METHOD_TEXT, complete_from(METHODS))


class MethodOption(click.Option):
    """An option that sets the same thing for several methods; `fields` are their settings, by the method's name."""

    def __init__(self, name: str, fields: dict[str, Field[Any]], kind: type):
        texts: dict[str, list[str]] = {}
        for method, field in fields.items():
            texts.setdefault(field.metadata["help"].rstrip("."), []).append(method)
        text = " ".join(
            f"For --method {' and '.join(methods)}: {text[0].lower()}{text[1:]}." for text, methods in texts.items()
        )
        metavar = {int: "N", float: "NUMBER"}.get(kind, "NAME")
        super().__init__([f"--{name.replace('_', '-')}", name], type=kind, metavar=metavar, help=text)
        self.fields = fields
        self.settings = {field.name for field in fields.values()}


def make_method_options() -> list[MethodOption]:
    """Make the options for the settings of all methods in METHODS."""
    found: dict[str, dict[str, Field[Any]]] = {}
    kinds: dict[str, type] = {}
    for method, entry in METHODS.items():
        types = get_type_hints(entry.make)
        for field in fields(entry.make):  # type: ignore[arg-type] # every method is a dataclass
            name = field.metadata["option"] or field.name
            found.setdefault(name, {})[method] = field
            kinds[name] = next(kind for kind in (get_args(types[field.name]) or [types[field.name]]))
    return [MethodOption(name, by_method, kinds[name]) for name, by_method in found.items()]


METHOD_OPTIONS = make_method_options()
PLAYERS_HELP = {
    "arguments": "every argument",
    "edges": "every attack and support; without --method by owen, or by gradient where the graph is too large for owen",
    "direct": "the edges into the topics",
    "groups": "the groups of the graph, or of --groups",
}
PLAYERS_TEXT = (
    f"Who contributes: {', '.join(f'{name} ({text})' for name, text in PLAYERS_HELP.items())}, or a file of groups. "
    "Default: arguments; groups if --groups is given."
)
PLAYERS_OPTION = make_option("--players", "NAME|FILE", PLAYERS_TEXT, complete_players)
GROUPS_TEXT = "A file of groups, for graphs that hold none: JSON {group: [argument, ...]} or CSV argument,group."
GROUPS = make_option("--groups", "FILE", GROUPS_TEXT, complete_file)
PLAYING = [PLAYERS_OPTION, GROUPS]
LIMIT_TEXT = "Stop the search after this time; 0 sets no limit."
TIME_LIMIT = make_option("--time-limit", "SECONDS", LIMIT_TEXT, type=click.FloatRange(min=0), default=30.0)
LANGUAGE = make_choice("--language", LANGUAGES, "The language of the text", default="en")
JSON = make_flag("--json", "Print JSON with unrounded numbers instead of text.")

WORKERS_TEXT = "Use N processes of this machine; the numbers are the same."
WORKERS = make_option("--workers", "N", WORKERS_TEXT, type=click.IntRange(min=1))
SCHEDULER_TEXT = "Use the machines of a Dask cluster: the address of its scheduler, as tcp://HOST:8786."
SCHEDULER = make_option("--scheduler", "ADDRESS", SCHEDULER_TEXT)

CHANGES = [SET, REMOVE, READ_AS]
GRAPH = [FILE, *CHANGES, TOPIC]
PAIR = [FACT, FOIL]
SOLVING = [SEMANTICS_NAME, SOLVER, STEPS]
DEVICE = make_choice("--device", DEVICES, "Where many sub-graphs are computed (cuda is a GPU)", default="cpu")
ARGUMENT_OPTIONS = [
    each for each in METHOD_OPTIONS if any("arguments" in METHODS[name].players for name in each.fields)
]
MEASURING = [METHOD, *ARGUMENT_OPTIONS]
MEASURING_PLAYERS = [METHOD, *METHOD_OPTIONS, *PLAYING]  # of commands that take other players than arguments, too
WORKING = [WORKERS, SCHEDULER]


def make_question(
    file: str,
    *,
    sets: Iterable[str] = (),
    read_as: str | None = None,
    semantics: str | None = None,
    method: str | None = DEFAULT,
    max_steps: int = MAX_STEPS,
    players: str | None = None,
    groups: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    language: str = "en",
    **options: Any,
) -> Question:
    """Read the graph and make the question that the shared options ask; `method` is None if the user named none.

    `language` is that of the note on the method that was chosen.
    """
    players, groups = choose_players(players, groups)
    if max_steps < 1:
        raise InvalidInput(f"--max-steps is {max_steps}; give a number from 1 up")
    given = {each.name: options.pop(each.name, None) for each in METHOD_OPTIONS}
    if method is None and players != "edges":
        method = DEFAULT
    question = Question(
        graph=read_graph(file, read_as),
        source=name_source(file),
        base_scores=[parse_score(text) for text in sets],
        semantics=None if semantics is None else load_semantics(semantics),
        method=method or DEFAULT,
        players=players,
        groups=None if groups is None else read_groups(groups),
        groups_source=groups,
        settings=choose_settings(method, given) if method else {},
        max_steps=max_steps,
        strict=True,
        show_progress=show_progress,
        executor=click.get_current_context().with_resource(open_workers(workers, scheduler)),
        **options,
    )
    if method:
        return question
    return choose_method(question, given, question.pair if "fact" in options else question.qbaf.topics, language)


@contextmanager
def open_workers(number: int | None, scheduler: str | None) -> Iterator[Executor | None]:
    """Open the executor that --workers or --scheduler asks for, if one of them is given."""
    if number is not None and scheduler is not None:
        raise InvalidInput("--workers and --scheduler are both given; keep one")
    where = number if scheduler is None else scheduler
    if where is None:
        yield None
        return
    with start_workers(where) as executor:
        yield executor


def choose_method(question: Question, given: Mapping[str, Any], topics: Iterable[Name], language: str) -> Question:
    """Choose the method for edges by the size of the graph, and say on standard error which it is and why."""
    from ..show.player_texts import describe_choice

    budget = given.get("budget") is not None
    choice = MethodChoice("owen", "budget") if budget else choose_edge_method(question.qbaf, topics)
    chosen = replace(question, method=choice.method, settings=choose_settings(choice.method, given))
    print_note(describe_choice(choice, language=language))
    return chosen


def choose_players(players: str | None, groups: str | None) -> tuple[str, str | None]:
    """Return who plays, and the file of groups: --players FILE means --groups FILE --players groups.

    >>> choose_players(None, None), choose_players(None, "themes.csv"), choose_players("edges", None)
    (('arguments', None), ('groups', 'themes.csv'), ('edges', None))
    """
    if players is None:
        return "arguments" if groups is None else "groups", groups
    if players in PLAYERS:
        return players, groups
    if not PurePath(players).suffix and not Path(players).exists():
        raise unknown_name(players, PLAYERS, "kind of players")
    if groups is not None:
        raise InvalidInput(f"--players {players} and --groups {groups} both name a file of groups; keep one")
    return "groups", players


def parse_score(text: str) -> tuple[str, float]:
    """Split `NAME=SCORE` of --set.

    >>> parse_score("a=b=0.5")
    ('a=b', 0.5)
    """
    name, _, number = text.rpartition("=")
    if not name:
        raise InvalidInput(f"--set {text!r} lacks its score; write --set NAME=SCORE, as in --set {text or 'a'}=0.7")
    try:
        score = float(number)
    except ValueError:
        raise InvalidInput(f"--set {text!r}: {number!r} is not a number; give one between 0 and 1") from None
    if not 0 <= score <= 1:
        raise InvalidInput(f"--set {text!r}: a base score lies between 0 and 1")
    return name, score


def choose_settings(method: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn the options that were given, by name, into settings of the method.

    >>> choose_settings("shapley", {"budget": 500, "seed": None}), choose_settings("sampled", {"budget": 500})
    ({'max_evaluations': 500}, {'budget': 500})
    """
    if method not in METHODS:
        raise unknown_name(method, METHODS, "method")
    found: dict[str, Any] = {}
    for option in METHOD_OPTIONS:
        value = values.get(option.name)
        if value is not None:
            if method not in option.fields:
                raise InvalidInput(f"{option.opts[0]} has no meaning for --method {method}; leave it out")
            field = option.fields[method]
            least = field.metadata["least"]
            if least is not None and value < least:
                raise InvalidInput(f"{option.opts[0]} is {value}; give a number from {least} up")
            found[field.name] = value
    return found


# -- what the words name --------------------------------------------------------------------------------------


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
