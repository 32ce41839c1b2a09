"""Read the cells of a result back from its JSON, in the rows and columns of CELLS.

Columns that stand in a table alone are in TABLE_ONLY; all others have to be in JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from tests.support.cells import Cells

Data = Any
LABELS = {"label", "other_label"}  # of the graph
TABLE_ONLY: dict[str, set[Any]] = {
    "Strengths": {"base_score"},
    "Robustness": {"from", "kind"},
    "Reach": {"kind"},
    "AxiomTable": {"axiom", "caf", "semantics"},
}


def read_values(data: Data) -> dict[Any, Any]:
    """Read player → number; edges are a list of source, target and value."""
    if isinstance(data, list):
        return {(each["source"], each["target"]): each["value"] for each in data}
    return dict(data)


def read_player(data: Data) -> Any:
    return tuple(data) if isinstance(data, list) else data


def read_columns(**columns: Data) -> Cells:
    """Read column → (row → number)."""
    found = {name: read_values(data) for name, data in columns.items() if data is not None}
    return {(row, name): value for name, values in found.items() for row, value in values.items()}


def read_contrast(data: Data) -> Cells:
    own = {"fact": read_values(data["individual"][data["fact"]]), "foil": read_values(data["individual"][data["foil"]])}
    players = read_values(data["contributions"])
    cells = read_columns(contrast=data["contributions"], std_error=data.get("std_error"))
    return cells | {(x, column): values[x] for column, values in own.items() for x in players}


def read_pairs(data: Data) -> Cells:
    cells: Cells = {}
    for each in data["pairs"]:
        for pair, sign in (((each["fact"], each["foil"]), 1), ((each["foil"], each["fact"]), -1)):
            cells[pair, "gap"] = sign * each["gap"]
            cells |= {(pair, x): sign * value for x, value in read_values(each["contributions"]).items()}
    return cells


def read_ranking(data: Data) -> Cells:
    cells: Cells = {}
    gaps = [step["gap"] for step in data["steps"]]
    assert [(step["fact"], step["foil"]) for step in data["steps"]] == [
        (one["topic"], other["topic"]) for one, other in zip(data["order"], data["order"][1:], strict=False)
    ]
    for each, ahead in zip(data["order"], [*gaps, nan], strict=True):
        row = each["topic"]
        cells |= {(row, "place"): each["place"], (row, "strength"): each["strength"], (row, "ahead_of_next"): ahead}
    return cells


def read_whatif(data: Data) -> Cells:
    cells: Cells = {}
    for when in ("before", "after"):
        cells |= read_columns(**{when: data[when]["strengths"]["strengths"]})
        if data[when]["contrast"] is not None:
            cells |= read_columns(**{f"contrast_{when}": data[when]["contrast"]["contributions"]})
    return cells


def read_uncertainty(data: Data) -> Cells:
    cells: Cells = {}
    for column, what in (("first_order", "share"), ("total", "share"), ("expected_drop", "drop")):
        for x, each in data[column].items():
            cells |= {(x, column): each[what], (x, f"{column}_error"): each["std_error"]}
    return cells


def read_reasons(data: Data) -> Cells:
    cells: Cells = {}
    for kind in ("prime", "breaking", "sufficient", "unproved"):
        for k, some in enumerate(data[kind]):
            cells[(kind, k), "members"] = tuple(read_player(x) for x in some)
            cells[(kind, k), "gap_without"] = data["breaking_gaps"][k] if kind == "breaking" else nan
    return cells


def read_unit(data: Data) -> Any:
    if data["kind"] == "argument":
        return data["argument"]
    return (data["kind"], *(data[end] for end in ("argument", "source", "target") if end in data))


def read_change(data: Data) -> Cells:
    columns = ("share", "std_error", "alone", "undone")
    return {(read_unit(each), name): each[name] for each in data["changes"] for name in columns if name in each}


def read_history(data: Data) -> Cells:
    units = [" ".join(unit) if isinstance(unit := read_unit(each), tuple) else unit for each in data["totals"]]
    cells = dict(zip(((name, "gap") for name in data["versions"]), data["gaps"], strict=True))
    cells |= {(name, unit): nan for name in data["versions"] for unit in units}
    for name, step in zip(data["versions"][1:], data["steps"], strict=True):
        for (unit, column), value in read_change(step).items():
            if column == "share":
                cells[name, " ".join(unit) if isinstance(unit, tuple) else unit] = value
    return cells


def read_moves(moves: Data) -> Cells:
    if moves is None:
        return {}
    named = {**moves["base_scores"], **{f"{x['source']} → {x['target']}": x for x in moves["weights"]}}
    return {(row, end): each[end] for row, each in named.items() for end in ("from", "to")}


def read_flip(data: Data) -> Cells:
    change, gone = data["base_scores"]["change"] or {}, data["removal"]["arguments"] or []
    return {(x, "removed"): x in gone for x in (*change, *gone)} | {
        (x, end): each[end] for x, each in change.items() for end in ("from", "to")
    }


def read_robustness(data: Data) -> Cells:
    edges = [f"{each['source']} → {each['target']}" for each in data["edges"]]
    cells = {(row, "to"): nan for row in (*data["movers"], *edges)}
    cells |= {(x, "to"): value for x, value in (data["example"] or {}).items()}
    return cells | {(f"{x['source']} → {x['target']}", "to"): x["weight"] for x in data["example_weights"] or ()}


def read_paths(data: Data) -> Cells:
    cells: Cells = {}
    for k, each in enumerate(data["paths"]):
        cells |= {(k, "path"): " → ".join(each["arguments"]), (k, "relations"): ", ".join(each["relations"])}
        cells |= {(k, "sign"): each["sign"], (k, "share"): each["share"]}
    return cells


def read_explained(data: Data) -> Cells:
    row = {name: data.get(name) for name in data.keys() - {"schema", "strengths", "reasons", "notes"}}
    row |= {name: data.get(name) for name in ("certified", "found", "error")}
    row["notes"] = "; ".join(data.get("notes", ())) or None
    row["fact_strength"], row["foil_strength"] = (data["strengths"].get(data[end]) for end in ("fact", "foil"))
    for k, (player, value) in enumerate(read_values(data["reasons"]).items(), 1):
        player = " → ".join(player) if isinstance(player, tuple) else player
        row |= {f"reason_{k}": player, f"contribution_{k}": value}
    return {(0, name): value for name, value in row.items()}


def read_fields(data: Data, row: Any = 0) -> Cells:
    cells: Cells = {}
    for name, value in data.items():
        if name == "arguments" and isinstance(value, dict):
            cells |= {(row, role): read_player(each) for role, each in value.items()}
        elif isinstance(value, list):
            cells[row, name] = len(value)
        elif name not in ("schema", "graph"):
            cells[row, name] = value
    return cells


def read_axioms(data: Data) -> Cells:
    cells: Cells = {}
    for axiom, row in data["cells"].items():
        for caf, each in row.items():
            cells |= read_fields(each, (axiom, caf))
    return cells


def read_audit(data: Data) -> Cells:
    cells: Cells = {}
    for method, features in data["methods"].items():
        for feature, measures in features.items():
            for what, each in measures.items():
                for end in ("mean", "low", "high"):
                    cells[(method, feature), what if end == "mean" else f"{what}_{end}"] = each[end]
    return cells


def read_interactions(data: Data) -> Cells:
    return {(tuple(map(read_player, each["pair"])), "interaction"): each["value"] for each in data["pairs"]}


READERS: dict[str, Callable[[Data], Cells]] = {
    "Strengths": lambda data: read_columns(strength=data["strengths"]),
    "Attribution": lambda data: read_columns(contribution=data["contributions"], std_error=data.get("std_error")),
    "Phi": lambda data: {
        (topic, x): value for topic, row in data["contributions"].items() for x, value in read_values(row).items()
    },
    "Contrast": read_contrast,
    "Pairs": read_pairs,
    "Chained": lambda data: {
        ((each["fact"], each["foil"]), x): value for each in data["pairs"] for x, value in each["contributions"].items()
    },
    "Ranking": read_ranking,
    "Trajectory": lambda data: {
        (time, x): values[k] for x, values in data["strengths"].items() for k, time in enumerate(data["times"])
    },
    "WhatIf": read_whatif,
    "Interactions": read_interactions,
    "Uncertainty": read_uncertainty,
    "SemanticsComparison": lambda data: (
        read_columns(gap=data["gaps"], refused=data["refused"])
        | {(name, x): value for name, row in data["contributions"].items() for x, value in read_values(row).items()}
    ),
    "Reasons": read_reasons,
    "Change": read_change,
    "History": read_history,
    "Flip": read_flip,
    "Reach": lambda data: read_moves(data["change"]),
    "Robustness": read_robustness,
    "Explained": read_explained,
    "Paths": read_paths,
    "Check": read_fields,
    "Witness": read_fields,
    "NotApplicable": read_fields,
    "Tried": read_fields,
    "AxiomTable": read_axioms,
    "NetworkContrast": read_contrast,
    "Audit": read_audit,
}
