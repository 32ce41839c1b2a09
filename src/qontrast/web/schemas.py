"""The questions of the API as models: they check a request, document it, and turn it into a `Question`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..attribution.methods import DEFAULT
from ..errors import Hint, InvalidInput, QontrastError, TooLarge
from ..explain.flip import MARGIN
from ..formats.building import file_context, mute_warnings
from ..formats.disk import decode
from ..formats.qbaf_json import from_data
from ..formats.strict_json import loads
from ..graph.distributions import Distribution, read_distribution
from ..graph.qbaf import Qbaf
from ..questions import Question
from ..semantics import SEMANTICS
from . import limits

Score = Annotated[float, Field(ge=0, le=1)]
Names = Annotated[list[str], Field(max_length=limits.MAX_NAMES)]
Scores = dict[str, dict[str, list[float]] | None]
Players = Literal["arguments", "edges", "direct", "groups"] | dict[str, Names]

PLAYERS: Any = Field(
    "arguments",
    description="who contributes: arguments, edges, direct (the edges into the two topics), groups (those of the "
    "graph), or an object: name of a group → its arguments; whoever is in no group plays alone",
    examples=["edges", {"looks": ["stripes"]}],
)
SCORES: Any = Field(
    {},
    description='argument → {"interval": [low, high]}, {"normal": [mean, sd]}, {"beta": [a, b]} or {"samples": [...]}, '
    "instead of what the graph says; null for a base score that is certain",
    examples=[{"stripes": {"interval": [0.6, 0.9]}}],
)

EXAMPLE_GRAPH = {
    "arguments": {"zebra": 0.5, "horse": 0.5, "stripes": 0.8},
    "attacks": [["stripes", "horse"]],
    "supports": [["stripes", "zebra"]],
    "topics": ["zebra", "horse"],
    "semantics": "df-quad",
}
_PAIR = {"type": "array", "prefixItems": [{"type": "string"}] * 2, "minItems": 2, "maxItems": 2, "items": False}
GRAPH_SCHEMA: dict[str, Any] = {
    "required": ["arguments"],
    "properties": {
        "format": {"const": "qbaf/1"},
        "arguments": {
            "type": "object",
            "description": "name → base score, or → an object with base score and label",
            "additionalProperties": {
                "anyOf": [
                    {"type": "number", "minimum": 0, "maximum": 1},
                    {
                        "type": "object",
                        "properties": {
                            "initial_weight": {"type": "number", "minimum": 0, "maximum": 1},
                            "argument": {"type": "string"},
                        },
                    },
                ]
            },
        },
        "attacks": {"type": "array", "items": _PAIR},
        "supports": {"type": "array", "items": _PAIR},
        "edge_weights": {"type": "array", "description": '["attack" or "support", source, target, weight]'},
        "topics": {"type": "array", "items": {"type": "string"}},
        "groups": {
            "type": "object",
            "description": "name of a group → its arguments",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "uncertain": {
            "type": "object",
            "description": "argument → what its base score may be, as in `scores`",
            "additionalProperties": {"type": "object"},
        },
        "semantics": {"type": "string"},
    },
}


class Asked(BaseModel):
    """What every question has."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def read_graph(data: dict[str, Any], name: str) -> Qbaf:
    """Read a graph of a request; messages call it by this name."""
    with mute_warnings(), file_context(name):  # warnings were shown when the file was read
        return check_size(from_data(data))


def check_size(qbaf: Qbaf) -> Qbaf:
    """Return the graph if it is not larger than what the server takes."""
    if len(qbaf) > limits.MAX_ARGUMENTS or len(qbaf.weights) > limits.MAX_EDGES:
        raise TooLarge(
            f"{len(qbaf):,} arguments and {len(qbaf.weights):,} edges; this server takes up to "
            f"{limits.MAX_ARGUMENTS:,} and {limits.MAX_EDGES:,}: cut the graph down, or use the library or the "
            "command line"
        )
    return qbaf


class Graph(Asked):
    """A question about a graph, perhaps with other base scores and with arguments removed."""

    graph: dict[str, Any] = Field(
        description="the graph as native JSON, the same object that a file holds",
        examples=[EXAMPLE_GRAPH],
        json_schema_extra=GRAPH_SCHEMA,
    )
    set: dict[str, Score] = Field({}, description="base scores to use instead of the graph's own")
    remove: Names = Field([], description="arguments to leave out, with their edges")
    semantics: str | None = Field(None, description="a name from the tables; the graph's own unless given, else qe")
    solver: Literal["discrete", "continuous"] = Field("discrete", description="how cyclic graphs are solved")

    def to_question(self, **more: Any) -> Question:
        """Read the graph and return the question about it."""
        graph = read_graph(self.graph, "the graph")
        names = {"remove", "semantics", "solver", "method", "players", "fact", "foil"} & type(self).model_fields.keys()
        same = {name: getattr(self, name) for name in names}
        same["scores"] = _read_scores(getattr(self, "scores", {}))
        return Question(graph=graph, base_scores=tuple(self.set.items()), **same, **more)


def _read_scores(given: Scores) -> tuple[tuple[str, Distribution | None], ...]:
    """Read what base scores may be."""
    found = []
    for name, value in given.items():
        try:
            found.append((name, None if value is None else read_distribution(value)))
        except InvalidInput as error:
            raise InvalidInput(f"scores.{name}: {error.args[0]}") from None
    return tuple(found)


class Measured(Graph):
    """A question whose answer is a measurement of contributions."""

    method: str = Field(DEFAULT, description="a name from the tables")
    seed: int = Field(0, ge=0, lt=2**32, description="of method sampled")
    budget: int | None = Field(
        None,
        ge=1,
        le=limits.MAX_SAMPLED_COALITIONS,
        description="evaluations for each topic, of method sampled; as many as the players need by default",
    )

    def to_question(self, **more: Any) -> Question:
        """Add the method and its settings, within the limits of the server."""
        settings = {} if self.budget is None else {"budget": self.budget}
        question = super().to_question(settings=settings, **more)
        limit = {"max_evaluations": _find_limit(question), "max_minutes": limits.MAX_ANSWER_SECONDS / 60}
        return replace(question, defaults={"seed": self.seed, **limit})


def _find_limit(question: Question) -> int:
    """How many sub-graphs an exact answer may evaluate."""
    return limits.MAX_COALITIONS if question.qbaf.structure.arrays.acyclic else limits.MAX_CONNECTED_SETS


class Compared(Measured):
    """A question about two topics."""

    fact: str | None = Field(None, description="the stronger of the first two topics unless given")
    foil: str | None = None


class Contrast(Compared):
    """Why the fact rather than the foil?"""

    players: Players = PLAYERS


class Interactions(Graph):
    """Which two players work together for the fact or the foil, and which overlap?"""

    fact: str | None = Field(None, description="the stronger of the first two topics unless given")
    foil: str | None = None
    alone: bool = Field(False, description="whether a fact that is given without a foil is explained by itself")
    players: Players = PLAYERS
    index: Literal["sii", "stii", "k-sii"] = Field("sii", description="the index that measures interactions")
    most: int = Field(20, ge=1, le=limits.MAX_PATHS, description="pairs in `rows`")

    def to_question(self, **more: Any) -> Question:
        """Add the limits of the server."""
        question = super().to_question(**more)
        return replace(question, defaults={"max_evaluations": _find_limit(question)})


class View(Asked):
    """How the page looks at the graph."""

    fold: bool = Field(True, description="whether to draw the strongest contributors and count the others in stubs")
    shown: Names | None = Field(None, description="arguments to draw where the graph is folded, instead of those")
    opened: str | None = Field(None, description="an argument whose stub is opened")
    drawn: bool = Field(False, description="whether the page has the picture already, so that it is not sent again")
    before: dict[str, Any] | None = Field(None, description="an earlier graph, whose arguments keep their places")
    room: tuple[float, float] | None = Field(
        None, strict=False, description="width and height for the picture, in pixels"
    )
    placed: dict[str, Annotated[tuple[float, float], Field(strict=False)]] = Field(
        {}, description="where arguments stand that are not in the earlier graph, in its picture"
    )


class Explain(Contrast):
    """The same, with everything that the page shows, in one answer."""

    view: View | None = Field(None, description="how to draw the graph; up to 80 arguments without stubs unless given")

    palette: str = Field("default", description="a name from the tables")
    pictures: bool = Field(True, description="whether to draw the graph and the bars")
    width: int = Field(640, ge=280, le=2000, description="of the bars, in pixels")
    contributions: bool = Field(True, description="whether to compute them; without them the answer comes at once")


class Pairs(Measured):
    """Every pair of topics."""

    topics: Annotated[list[str], Field(max_length=limits.MAX_TOPICS)] | None = Field(
        None, description="the graph's own topics unless given"
    )


class Paths(Graph):
    """Through which paths does an argument act on these topics?"""

    contributor: str
    topics: Annotated[list[str], Field(min_length=1, max_length=limits.MAX_TOPICS)]
    most: int = Field(20, ge=1, le=limits.MAX_PATHS, description="paths to each topic")


class Flip(Graph):
    """What would make the foil win?"""

    fact: str
    foil: str
    fixed: Names = Field([], description="arguments that keep their base score and stay")
    move_topics: bool = Field(False, description="whether the base scores of fact and foil may change too")
    norm: Literal["l1", "l2"] = "l1"
    margin: Annotated[float, Field(gt=0, lt=1)] = Field(MARGIN, description="by how much the foil shall be ahead")


class Decided(Graph):
    """A question about which of two topics is ahead."""

    fact: str | None = Field(None, description="the stronger of the first two topics unless given")
    foil: str | None = None


class Reasons(Decided):
    """Which sets of players decide the order?"""

    players: Players = Field(
        "arguments", description="arguments, groups, or an object: name of a group → its arguments"
    )


class CompareSemantics(Contrast):
    """Does the order depend on the semantics?"""

    compared: Annotated[list[str], Field(max_length=len(SEMANTICS))] = Field(
        [], description="names from the tables; all unless given"
    )


class Uncertainty(Decided):
    """How sure is the order, if base scores are uncertain?"""

    scores: Scores = SCORES
    samples: int = Field(4096, ge=500, le=limits.MAX_DRAWS, description="rows of each of the two tables of draws")
    seed: int = Field(0, ge=0, lt=2**32)
    quick: bool = Field(False, description="answer by the delta method alone, without draws")


class Reach(Graph):
    """What is the cheapest change that reaches a goal?"""

    goal: Annotated[list[str], Field(min_length=1, max_length=limits.MAX_TOPICS)] = Field(
        description="goals such as 't >= 0.5', which hold together; or topics, the strongest first",
        examples=[["zebra >= 0.7"]],
    )
    change: Literal["base_scores", "weights", "both"] = Field("base_scores", description="what may change")
    cost: Literal["l1", "l2", "linf", "fewest"] = "l1"
    fixed: Names = Field([], description="arguments that keep their base score")
    bounds: dict[str, Annotated[list[Score], Field(min_length=2, max_length=2)]] = Field(
        {}, description="argument → between which base scores it may move"
    )
    prices: dict[str, Annotated[float, Field(ge=0)]] = Field({}, description="argument → what a move of 1 costs")
    margin: Score = Field(0.0, description="by how much the goals shall hold; 0 allows a tie")
    prove: bool = Field(True, description="whether to prove that no cheaper change exists")


class Robustness(Decided):
    """How far may base scores and weights be off before the order changes?"""

    norm: Literal["linf", "l1", "l2"] = "linf"
    movers: Names = Field(
        [], description="arguments whose base scores, and edges `a->b` whose weights may be off; all unless given"
    )
    change: Literal["base_scores", "weights", "both"] = Field(
        "base_scores", description="what may be off, of all that matters to the topics, where `movers` is not given"
    )


class Change(Decided):
    """What changed the gap between two versions of a graph?"""

    before: dict[str, Any] | None = Field(
        None, description="the version before, as native JSON; unless given, the graph without `set` and `remove`"
    )
    units: Literal["elements", "arguments"] = Field(
        "elements", description="whether base scores, arguments and edges change one by one, or argument by argument"
    )


class File(Asked):
    """The text of a file; its name stands in messages and helps to tell the format, and is never opened."""

    name: Annotated[str, Field(max_length=300)] = "<text>"
    text: str


class Read(Asked):
    """Files in any format to native JSON: one file, or the two tables of a CSV graph."""

    files: Annotated[list[File], Field(min_length=1, max_length=2)]
    format: str | None = Field(None, description="a name from the tables; told from name and text unless given")
    address: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="which graph of an ArgLLM results file, such as '0/base', or the number of a line"
    )


class Convert(Graph):
    """The graph as text of a format."""

    scores: Scores = SCORES
    format: str = "json"


class Draw(Contrast):
    """A picture as SVG: the graph, or the bars of a contrast."""

    picture: Literal["graph", "bars"] = "graph"
    view: View | None = Field(None, description="how to draw the graph for a page")
    palette: str = "default"
    dark: bool = False


class Figure(Contrast):
    """A figure for a paper."""

    scores: Scores = SCORES
    figure: str = Field("bars", description="a name from the tables")
    format: Literal["svg", "pdf", "png"] = "svg"
    palette: str = "default"


class Report(Contrast):
    """The whole answer as one page."""

    scores: Scores = SCORES
    palette: str = "default"
    interactive: bool = False


SHARED_NAMES = ("method", "players", "solver", "semantics", "figure", "norm")  # settings that the page has too


def write_hint(hint: Hint) -> str | None:
    """Write a hint as a choice on the page; None where the page has none.

    >>> write_hint(Hint("method", ("removal", "shapley"))), write_hint(Hint("max_steps", raised=True))
    ('choose the method removal or shapley', None)
    """
    if hint.setting not in SHARED_NAMES or not hint.values:
        return None
    return f"choose the {hint.setting} {' or '.join(map(str, hint.values))}"


def list_ways(error: QontrastError) -> list[dict[str, Any]]:
    """List the ways out that the page has as settings and their values, for buttons.

    >>> list_ways(InvalidInput("no", hints=[Hint("method", ("removal",)), Hint("max_steps", raised=True)]))
    [{'setting': 'method', 'values': ['removal']}]
    """
    return [{"setting": hint.setting, "values": list(hint.values)} for hint in error.hints if write_hint(hint)]


Model = TypeVar("Model", bound=Asked)


def parse_request(model: type[Model], body: bytes) -> Model:
    """Read a request; the message of an error has the paths and reasons of the first few mistakes."""
    with file_context("the request"):
        data = loads(decode(body, "the request"))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        said = [f"{'.'.join(map(str, each['loc'])) or 'the body'}: {each['msg']}" for each in found[:3]]
        more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
        raise InvalidInput("; ".join(said) + more) from None
