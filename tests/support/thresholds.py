"""The table of all numbers that the library has as constants: how each is tried, or why it changes no answer.

A constant that switches between two ways, or cuts work into pieces, is set below, at and beyond the size of a case,
and every value must give the answer of the definitions (`TRIED`) or the answer of all other values (`SAME`).
`SHARED` are constants of the page that the library has too. ELSEWHERE of `constants_without_paths` names the test that
tries a limit in another way, and NO_PATH there has the reason for all others. A constant without a row fails a test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import qontrast as qx
from qontrast import Qbaf
from tests.support.constants_without_paths import NO_PATH
from tests.support.hard_graphs import SMALL
from tests.support.paths import ROOT

NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")
HUGE = 1 << 60


def list_constants() -> dict[str, str]:
    """All constants of the library that are numbers, `module.NAME` → file."""
    found, source = {}, ROOT / "src" / "qontrast"
    for file in sorted(source.rglob("*.py")):
        module = ".".join(file.relative_to(source).with_suffix("").parts)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and NAME.fullmatch(target.id) and _is_number(node.value):
                    found[f"{module}.{target.id}"] = str(file)
    for file in sorted((source / "web" / "static").glob("*.js")):
        for line in re.findall(r"^(?:export )?const ([A-Z].*)$", file.read_text(encoding="utf-8"), re.MULTILINE):
            for name in re.findall(r"([A-Z][A-Z0-9_]*) = -?[\d.]", line.split("//")[0]):
                found[f"{file.name}.{name}"] = str(file)
    return found


def _is_number(value: ast.expr) -> bool:
    """A number, or arithmetic with numbers and other constants."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.Name(id=name):
            return bool(NAME.fullmatch(name))
    return False


@dataclass(frozen=True)
class Tried:
    """Questions of hard graphs that must have the answer of the definitions for each of these values.

    `size` counts in the graph what the constant limits: it is then tried one below, at, and one beyond. `beside` are
    other constants that are set, so that this one matters.
    """

    questions: tuple[str, ...]
    values: tuple[Any, ...] = ()
    size: Callable[[Qbaf], int] | None = None
    kinds: tuple[str, ...] = ("plain", "kinks", "weights of all sizes")
    device: str = "cpu"
    beside: tuple[tuple[str, Any], ...] = ()
    names: tuple[str, ...] = ()  # other modules that have imported the constant

    def list_values(self, q: Qbaf) -> list[Any]:
        size = () if self.size is None else (self.size(q) - 1, self.size(q), self.size(q) + 1)
        return [*self.values, *size]


def count_numbers(q: Qbaf) -> int:
    return len(q) + len(q.weights)


def count_most_parents(q: Qbaf) -> int:
    return max(sum(t == y for t in q.targets.tolist()) for y in range(len(q)))


def count_depth(q: Qbaf) -> int:
    """The edges of the longest path."""
    longest = [0] * len(q)
    for _ in q:
        for s, t in zip(q.sources.tolist(), q.targets.tolist(), strict=True):
            longest[t] = max(longest[t], longest[s] + 1)
    return max(longest)


def count_connected_sets(q: Qbaf) -> int:
    """Of the first topic: sets of arguments that all reach it within the set."""
    others = [x for x in q if x != q.topics[0]]
    edges, found = list(zip(q.sources.tolist(), q.targets.tolist(), strict=True)), 0
    for number in range(1 << len(others)):
        kept = {q.index(x) for k, x in enumerate(others) if number >> k & 1}
        reached = {q.index(q.topics[0])}
        for _ in q:
            reached |= {s for s, t in edges if t in reached and s in kept}
        found += kept <= reached
    return found


CYCLIC = ("self-loops", "cycles", "no limit")
WIDE = ("9 parents", "33 parents")
ARRAYS = (("graph.structure.MAX_LISTED", -1), ("graph.structure.MAX_LISTED_DEEP", -1),
          ("graph.structure.ARGUMENTS_PER_GROUP", 1e-9), ("engine.discrete.MAX_LISTED_UPDATE", -1))  # fmt: skip
DOWNSTREAM = (("attribution.downstream.MIN_NUMBERS", 0), ("attribution.downstream.MAX_CHANGED", 1e9))
CONNECTED = (("attribution.shapley.exact.MAX_PLAYERS_UNCOUNTED", -1),
             ("attribution.shapley.exact.COST_PER_CONNECTED_SET", 1e-9))  # fmt: skip
STRONG = ("strengths", "gradient")

TRIED: dict[str, Tried] = {
    # graphs
    "graph.levels.MAX_EDGES_IN_A_LOOP": Tried(STRONG, (0,), lambda q: len(q.weights), beside=ARRAYS),
    "graph.levels.MAX_EDGES_WITHOUT_SCIPY": Tried(STRONG, (), lambda q: len(q.weights), beside=ARRAYS),
    "graph.levels.MAX_WIDE_LEVELS": Tried(
        STRONG, (0,), count_depth, beside=(*ARRAYS, ("graph.levels.MAX_EDGES_IN_A_LOOP", 0))
    ),
    "graph.levels.SHALLOW_LEVELS": Tried(
        STRONG,
        (1,),
        count_depth,
        beside=(("graph.structure.MAX_LISTED", -1), ("graph.structure.MAX_LISTED_DEEP", HUGE)),
    ),
    "graph.structure.ARGUMENTS_PER_GROUP": Tried(STRONG, (1e-9, 0.5, 1, 2, 3, HUGE), beside=ARRAYS[:2]),
    "graph.structure.EDGES_PER_GROUP": Tried(
        STRONG, (1e-9, 1, 2, 3, HUGE), beside=(*ARRAYS[:2], ("graph.structure.ARGUMENTS_PER_GROUP", HUGE))
    ),
    "graph.structure.MAX_GROUPS_KEPT": Tried(("lanes", "gradient"), (-1, 2, 3, 4, 5), beside=ARRAYS),
    "graph.structure.MAX_LISTED": Tried(
        STRONG, (), count_numbers, (*SMALL[:4], "cycles", "ties"), names=("graph.qbaf.MAX_LISTED",)
    ),
    "graph.structure.MAX_LISTED_DEEP": Tried(
        STRONG, (), count_numbers, beside=(("graph.structure.MAX_LISTED", -1), ("graph.levels.SHALLOW_LEVELS", 0))
    ),
    "graph.structure.MAX_PARTS": Tried(("shapley",), (1, 2, 3)),
    "graph.structure.MIN_LAYER_EDGES": Tried(
        ("lanes", "gradient"), (1, 2, 3, 4, 18, 19), kinds=("plain", *WIDE), beside=ARRAYS
    ),
    "semantics.MIN_PARENTS_AT_ONCE": Tried(("gradient",), (0, 1), count_most_parents, (*WIDE, "plain"), beside=ARRAYS),
    # engine
    "engine.discrete.COMPACT_BELOW": Tried(("lanes",), (0.0, 0.5, 1.0), kinds=("self-loops", "cycles")),
    "engine.discrete.MAX_LISTED_UPDATE": Tried(("strengths", "removal"), (), count_numbers, CYCLIC),
    "engine.continuous.MAX_DENSE_ARGUMENTS": Tried(("flow",), (), len, ("self-loops", "cycles")),
    "engine.device_lanes.MAX_FUSED_PARENTS": Tried(
        ("lanes",), (1, 2), count_most_parents, (*WIDE, "ties"), device="cuda"
    ),
    "engine.problem.MAX_LANES_PER_TASK": Tried(("lanes",), (1, 2, 7), kinds=("plain", "cycles")),
    "engine.problem.MAX_BLOCKS_PER_TASK": Tried(
        ("lanes",), (1, 2, 3), kinds=("plain", "cycles"), beside=(("engine.problem.NUMBERS_PER_BLOCK", 40),)
    ),
    "engine.problem.NUMBERS_PER_BLOCK": Tried(("lanes",), (1, 20, 40), count_numbers, ("plain", "cycles")),
    # attribution
    "attribution.slopes.MAX_SWEPT_TOPICS": Tried(
        ("gradient", "edge gradient"),
        (0, 1, 2, 3),
        kinds=("plain", "kinks", "cancelling kinks", "ties"),
        beside=ARRAYS,
        names=("attribution.edge_slopes.MAX_SWEPT_TOPICS",),
    ),
    "attribution.slopes.MAX_SERIES_TERMS": Tried(("gradient", "edge gradient"), (0, 1, 40), kinds=CYCLIC[:2]),
    "attribution.slopes.DIRECTIONS_PER_BLOCK": Tried(
        ("gradient",), (1, 2, 3, 4), kinds=("kinks", "kinks behind kinks", "ties"), beside=ARRAYS
    ),
    "attribution.device_slopes.MAX_SERIES_TERMS": Tried(("gradient",), (0, 1, 40), kinds=CYCLIC[:2], device="cuda"),
    "attribution.downstream.MIN_NUMBERS": Tried(("removal",), (0, 20, 30, 40, 50), beside=DOWNSTREAM[1:]),
    "attribution.downstream.MAX_GROUPS": Tried(("removal",), (0, 2, 3, 4, 5), beside=DOWNSTREAM),
    "attribution.downstream.MAX_CHANGED": Tried(("removal",), (0.0, 0.2, 0.5, 1e9), beside=DOWNSTREAM[:1]),
    "attribution.downstream.FULL_BATCH": Tried(
        ("removal",), (1, 6, 7, 60), beside=(*DOWNSTREAM[:1], ("attribution.downstream.MAX_CHANGED", 0.6))
    ),
    "attribution.downstream.SAMPLED_PLAYERS": Tried(("removal",), (1, 2, 64), beside=DOWNSTREAM),
    "attribution.downstream.PAIRS_PER_BATCH": Tried(
        ("removal",), (1, 4, 8), beside=(*DOWNSTREAM, ("attribution.downstream.SAMPLED_PLAYERS", 1))
    ),
    "attribution.downstream.MAX_LANES": Tried(("removal",), (1, 2, 3), beside=DOWNSTREAM),
    "attribution.downstream.MIN_PARENTS_KEPT": Tried(
        ("removal",), (1, 2), count_most_parents, ("plain", *WIDE), beside=DOWNSTREAM
    ),
    "attribution.downstream.NUMBERS_GATHERED": Tried(("removal",), (0, 1, 7, 30), beside=DOWNSTREAM),
    "attribution.removal.GRAPHS_PER_TASK": Tried(("intrinsic",), (1, 2, 3)),
    "attribution.removal.MAX_NUMBERS_HELD": Tried(
        ("removal",), (0, 10, 20), beside=(("engine.problem.MAX_LANES_PER_TASK", 2),)
    ),
    "attribution.shapley.exact.MAX_PLAYERS_UNCOUNTED": Tried(
        ("shapley", "interactions"), (-1, 0), lambda q: len(q) - 2, beside=CONNECTED[1:]
    ),
    "attribution.shapley.exact.COST_PER_CONNECTED_SET": Tried(
        ("shapley",), (1e-9, 1, 2, 4, HUGE), beside=CONNECTED[:1]
    ),
    "attribution.shapley.exact.COST_PER_SET_ON_DEVICE": Tried(
        ("shapley",), (1e-9, 1, 2, HUGE), device="cuda", beside=CONNECTED[:1]
    ),
    "attribution.shapley.exact.COST_PER_SET_AS_LANE": Tried(
        ("shapley",), (1e-9, 1, 2, HUGE), kinds=CYCLIC[:2], device="cuda", beside=CONNECTED[:1]
    ),
    "attribution.shapley.exact.MAX_SETS_FOR_DEVICE": Tried(
        ("shapley",),
        (0, 4, 8, 16),
        kinds=("plain", "cycles"),
        device="cuda",
        beside=(*CONNECTED[:1], ("attribution.shapley.exact.COST_PER_SET_ON_DEVICE", 1e-9)),
    ),
    "attribution.shapley.exact.MAX_SETS_KEPT": Tried(
        ("shapley", "interactions"), (0,), count_connected_sets, ("plain", "cycles"), beside=CONNECTED
    ),
    "attribution.shapley.exact.MAX_SETS_COUNTED": Tried(
        ("shapley",), (1, 4, 8, 16), kinds=("plain", "cycles"), beside=CONNECTED
    ),
    "attribution.shapley.exact.SETS_PER_BLOCK": Tried(
        ("shapley", "interactions"),
        (1, 2, 7),
        beside=CONNECTED,
        names=("attribution.shapley.interactions.SETS_PER_BLOCK",),
    ),
    "attribution.shapley.exact.SETS_PER_DEVICE_BLOCK": Tried(
        ("shapley",),
        (1, 2, 7),
        device="cuda",
        beside=(*CONNECTED[:1], ("attribution.shapley.exact.COST_PER_SET_ON_DEVICE", 1e-9)),
    ),
    "attribution.shapley.hypercube.MAX_PLAYERS_PER_BLOCK": Tried(
        ("shapley", "interactions"),
        (1, 2),
        lambda q: len(q) - 2,
        ("plain", "kinks", "9 parents"),
        beside=(
            ("attribution.shapley.hypercube.AXES_PER_BLOCK", 1),
            ("attribution.shapley.hypercube.AXES_PER_PIECE", 7),
        ),
    ),
    "attribution.shapley.owen.ROWS_PER_BLOCK": Tried(("owen",), (1, 2, 3, 8), kinds=("kinks", "self-loops")),
    # change
    "explain.change_table.MIN_UNITS": Tried(("change",), (0, 5, 6, 7), kinds=("plain", "kinks", "ties")),
    "explain.change_table.AXES_PER_BLOCK": Tried(
        ("change",), (1, 2, 5, 6, 7), kinds=("plain", "kinks", "ties"), beside=(("explain.change_table.MIN_UNITS", 0),)
    ),
    "explain.change_elements.NUMBERS_PER_CUT": Tried(("change",), (1, 20, 60), kinds=("plain", "cycles")),
}

GRAPH = Qbaf(
    {"p": 0.5, "q": 0.45, "a": 0.3, "b": 0.8, "c": 0.6, "d": 0.2},
    attacks={("a", "p"): 1.0, ("b", "q"): 0.7, ("d", "c"): 1.0},
    supports={("c", "p"): 0.8, ("d", "q"): 1.0, ("a", "b"): 0.5},
    topics=["p", "q"],
)


def ask_reasons() -> Any:
    return qx.reasons(GRAPH, "p", "q", semantics="qe").to_dict()


def ask_uncertainty() -> Any:
    found = qx.uncertainty(GRAPH, "p", "q", scores={"a": (0.1, 0.9), "c": (0.2, 0.7)}, samples=500, semantics="qe")
    return found.to_dict()


def ask_sampled() -> Any:
    return dict(qx.contrast(GRAPH, "p", "q", method="sampled", budget=60, seed=3, semantics="qe"))


def ask_removals() -> Any:
    return qx.flip(GRAPH, "p", "q", semantics="qe").to_dict()


# constants → a question whose answer is the same, whatever their values
SAME: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "explain.reasons_search.LANES_PER_PIECE": (ask_reasons, (1, 2, 5)),
    "explain.reasons_search.STRENGTHS_PER_PIECE": (ask_reasons, (1, 6, 13)),
    "explain.reasons_search.MAX_TABLE_PLAYERS": (ask_reasons, (0, 3, 4, 5)),
    "explain.uncertain_lanes.STRENGTHS_PER_PIECE": (ask_uncertainty, (1, 600, 6000)),
    "explain.flip_removals.MAX_SETS_PER_SOLVE": (ask_removals, (1, 2, 3)),
    "attribution.shapley.regression.ROWS_HELD": (ask_sampled, (2, 4, 30)),
    "attribution.shapley.sampling.TASKS_PER_REPORT": (ask_sampled, (1, 2)),
}

# constants of the page → the constant that the library has for the same, and how many times as large it is
SHARED: dict[str, tuple[str, float]] = {
    "dom.js.GOOD_DIGITS": ("show.numbers.GOOD_DIGITS", 1),
    "engine.js.APART": ("engine.balance.MAX_APART", 1),
    "engine.js.DRIFT": ("engine.balance.NEIGHBOUR_DISTANCE", 4),  # σ (1 − σ) is a quarter at most
    "engine.js.KINK": ("engine.scalar.KINK_TOLERANCE", 1),
    "engine.js.MAX_DENSE": ("engine.continuous.MAX_DENSE_ARGUMENTS", 1),
    "engine.js.MAX_STEPS": ("engine.problem.MAX_STEPS", 1),
    "engine.js.TIE": ("results.base.TIE_TOLERANCE", 1),
    "engine.js.TOLERANCE": ("engine.discrete.TOLERANCE", 1),
}


def list_reasons() -> dict[str, str]:
    """Constants that switch no path, `module.NAME` → why."""
    return {
        f"{module}.{name}": reason
        for reason, modules in NO_PATH.items()
        for module, names in modules.items()
        for name in names.split()
    }
