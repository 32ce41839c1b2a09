"""What a result holds, cell by cell, by the name of its class: what a table has to show in every row and column.

    assert find_wrong_cells(read_frame(result.to_frame()), CELLS["Contrast"](result)) == []

A new row of PRESENTATIONS with a table needs a row in CELLS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from math import isnan, nan
from typing import Any

import qontrast as qx
from qontrast.axioms import Witness

Cells = dict[tuple[Any, Any], Any]  # (row, column) → number, text or truth value


def make_cells(rows: Iterable[Any], **columns: Callable[[Any], Any]) -> Cells:
    """Make the cells of these rows: column → what is in a row."""
    return {(row, column): get(row) for row in rows for column, get in columns.items()}


def read_frame(frame: Any) -> Cells:
    """Read a pandas DataFrame."""
    columns = list(frame.columns)
    return {
        (row, column): value
        for row, values in zip(frame.index, frame.itertuples(index=False, name=None), strict=True)
        for column, value in zip(columns, values, strict=True)
    }


def is_same(one: Any, other: Any) -> bool:
    """Whether two cells are the same; what does not exist is the same as what does not exist."""
    gone = [each is None or (isinstance(each, float) and isnan(each)) for each in (one, other)]
    return gone[0] == gone[1] and (gone[0] or one == other)


def find_wrong_cells(shown: Cells, expected: Cells) -> list[str]:
    """List the cells that are missing, too many, or other than they should be."""
    wrong = [f"{place} is missing" for place in expected.keys() - shown.keys()]
    wrong += [f"{place} is too many" for place in shown.keys() - expected.keys()]
    both = expected.keys() & shown.keys()
    return wrong + [f"{x}: {shown[x]!r}, not {expected[x]!r}" for x in both if not is_same(shown[x], expected[x])]


# -- contributions ----------------------------------------------------------------------------------------------------


def name_player(qbaf: qx.Qbaf, player: Any) -> str:
    """Write the label of a player; an edge is source → target."""
    return " → ".join(qbaf.label(end) if end in qbaf else end for end in _list_ends(player))


def _list_ends(player: Any) -> tuple[Any, ...]:
    return player if isinstance(player, tuple) else (player,)


def list_attribution(one: qx.Attribution) -> Cells:
    found = make_cells(one, label=lambda x: name_player(one.qbaf, x), contribution=one.__getitem__)
    errors = one.std_error
    return found if errors is None else found | make_cells(one, std_error=errors.__getitem__)


def list_contrast(why: Any) -> Cells:
    own = why.individual
    found = make_cells(why, contrast=why.__getitem__, fact=lambda x: own[why.fact][x], foil=lambda x: own[why.foil][x])
    if isinstance(why, qx.NetworkContrast):
        return found
    errors = why.std_error
    found |= make_cells(why, label=lambda x: name_player(why.qbaf, x))
    return found if errors is None else found | make_cells(why, std_error=errors.__getitem__)


def list_pairs(pairs: qx.Pairs) -> Cells:
    topics, found = pairs.topics, {}
    for pair in [(a, b) for a in topics for b in topics if a != b]:
        why = pairs[pair]
        found[pair, "gap"] = why.strengths[pair[0]] - why.strengths[pair[1]]
        found |= {(pair, x): dict(why).get(x, nan) for x in pairs.contributors}
    return found


def list_phi(phi: Any) -> Cells:
    return {(topic, x): phi.values[k, j] for k, topic in enumerate(phi.topics) for j, x in enumerate(phi.players)}


def list_interactions(found: qx.Interactions) -> Cells:
    def label(end: int) -> Callable[[Any], str]:
        return lambda pair: name_player(found.qbaf, pair[end])

    return make_cells(found, label=label(0), other_label=label(1), interaction=found.__getitem__)


def list_comparison(found: qx.SemanticsComparison) -> Cells:
    names = [*found.gaps, *(name for name in found.refused if name not in found.gaps)]
    players = list(next(iter(found.contrasts.values())))
    cells = make_cells(
        names, gap=lambda name: found.gaps.get(name, nan), refused=lambda name: found.refused.get(name, "")
    )
    return cells | {
        (name, x): found.contrasts[name][x] if name in found.contrasts else nan for name in names for x in players
    }


# -- strengths --------------------------------------------------------------------------------------------------------


def list_strengths(found: qx.Strengths) -> Cells:
    q = found.qbaf
    return make_cells(q, label=q.label, base_score=q.base_scores.__getitem__, strength=found.__getitem__)


def list_ranking(ranking: qx.Ranking) -> Cells:
    order, own = ranking.order, ranking.strengths
    ahead = {one: own[one] - own[other] for one, other in pairwise(order)}
    places = dict(zip(order, ranking.places, strict=True))
    return make_cells(
        order, place=places.__getitem__, strength=own.__getitem__, ahead_of_next=lambda x: ahead.get(x, nan)
    )


def list_trajectory(run: qx.Trajectory) -> Cells:
    return {(time, x): run[x][k] for k, time in enumerate(run.times) for x in run.qbaf}


def list_whatif(found: qx.WhatIf) -> Cells:
    before, after = found.before, found.after
    cells = make_cells(before, label=before.qbaf.label, before=before.__getitem__, after=lambda x: after.get(x, nan))
    for column, why in {"contrast_before": found.why_before, "contrast_after": found.why_after}.items():
        if why is not None:
            cells |= {(x, column): dict(why).get(x, nan) for x in before}
    return cells


# -- changes ----------------------------------------------------------------------------------------------------------


def name_unit(found: qx.Change, unit: Any) -> str:
    """Write what changed as tables do."""
    if not isinstance(unit, tuple):
        return found.version_of(unit).label(unit)
    words = {"base": "base score of ", "add": "added ", "drop": "dropped ", "edge": "edge "}
    return words[unit[0]] + " → ".join(found.version_of(x).label(x) for x in unit[1:])


def list_change(found: qx.Change) -> Cells:
    shares, errors = found.shares, found.std_error
    cells = make_cells(
        found,
        label=lambda unit: name_unit(found, unit),
        share=lambda unit: nan if shares is None else shares[unit],
        alone=found.alone.__getitem__,
        undone=found.undone.__getitem__,
    )
    return cells if errors is None else cells | make_cells(found, std_error=errors.__getitem__)


def list_history(found: qx.History) -> Cells:
    """Each version with its gap, and what changed in the step that led to it."""
    first, *later = found.names
    cells = {(first, "gap"): found.steps[0].gap_before} | {(first, _join(unit)): nan for unit in found}
    for name, step in zip(later, found.steps, strict=True):
        cells[name, "gap"] = step.gap_after
        cells |= {(name, _join(unit)): (step.shares or {}).get(unit, nan) for unit in found}
    return cells


def _join(unit: Any) -> str:
    return " ".join(unit) if isinstance(unit, tuple) else str(unit)


def list_flip(found: qx.Flip) -> Cells:
    change, gone = found.change or {}, found.removal or ()
    return make_cells(
        {*change, *gone},
        **{"from": found.qbaf.base_scores.__getitem__},
        to=lambda x: change[x][1] if x in change else nan,
        removed=lambda x: x in gone,
    )


def list_moves(moves: Mapping[Any, tuple[float, float]]) -> Cells:
    cells: Cells = {}
    for each, (old, new) in moves.items():
        row = " → ".join(_list_ends(each))
        cells |= {(row, "kind"): "weight" if isinstance(each, tuple) else "base score"}
        cells |= {(row, "from"): old, (row, "to"): new}
    return cells


def list_robustness(found: qx.Robustness) -> Cells:
    q, example = found.qbaf, found.example or {}
    now = {**q.base_scores, **q.attacks, **q.supports}
    return list_moves({each: (now[each], example.get(each, nan)) for each in found.movers})


def list_uncertainty(found: qx.Uncertainty) -> Cells:
    names = ("first_order", "first_order_error", "total", "total_error", "expected_drop", "expected_drop_error")
    return {(x, name): getattr(found, name).get(x, nan) for x in found.scores for name in names} | {
        (x, "label"): found.qbaf.label(x) for x in found.scores
    }


def list_reasons(found: qx.Reasons) -> Cells:
    cells: Cells = {}
    for kind in ("prime", "breaking", "sufficient", "unproved"):
        for k, some in enumerate(getattr(found, kind)):
            cells[(kind, k), "members"] = tuple(x for x in found.players if x in some)
            cells[(kind, k), "gap_without"] = found.breaking_gaps[k] if kind == "breaking" else nan
    return cells


def list_paths(found: qx.Paths) -> Cells:
    return make_cells(
        range(len(found)),
        path=lambda k: " → ".join(found[k].arguments),
        relations=lambda k: ", ".join(found[k].relations),
        sign=lambda k: -1 if found[k].relations.count("attacks") % 2 else 1,
        share=lambda k: found[k].share,
    )


# -- small results ----------------------------------------------------------------------------------------------------


def list_explained(found: qx.Explained) -> Cells:
    row: dict[str, Any] = {name: getattr(found, name) for name in ("name", "fact", "foil", "gap", "base_gap")}
    row |= {"cross_topic": found.cross_topic, "arguments": found.arguments, "error": found.error}
    row |= {"method": found.method, "semantics": found.semantics, "notes": "; ".join(found.notes) or None}
    row["fact_strength"], row["foil_strength"] = (found.strengths.get(x) for x in (found.fact, found.foil))
    row["certified"], row["found"] = found.robustness or (None, None)
    for k, (player, value) in enumerate(found.reasons.items(), 1):
        row |= {f"reason_{k}": " → ".join(_list_ends(player)), f"contribution_{k}": value}
    return {(0, column): value for column, value in row.items()}


def list_fields(found: Any, row: Any = 0) -> Cells:
    """The fields of a small result; of a list its length, and each role of a violation by itself."""
    cells: Cells = {}
    for name in (*found.schema.fields, *found.schema.optional):
        value = getattr(found, name)
        if name in found.schema.optional and value in (None, ()):
            continue
        if name == "arguments" and isinstance(value, dict):
            cells |= {(row, role): each for role, each in value.items()}
        elif name == "robustness":
            cells[row, name] = None if value is None else value.to_dict()
        elif isinstance(value, tuple | list):
            cells[row, name] = len(value)
        elif name != "graph":
            cells[row, name] = value
    return cells


def list_axioms(table: Any) -> Cells:
    found = {pair: list_fields(cell, pair) for pair, cell in table.cells.items()}
    columns = dict.fromkeys(column for cells in found.values() for _, column in cells)
    kinds = {pair: isinstance(cell, Witness) for pair, cell in table.cells.items()}
    assert set(kinds.values()) == {True, False}
    return {(pair, column): cells.get((pair, column)) for pair, cells in found.items() for column in columns}


def list_audit(audit: qx.Audit) -> Cells:
    cells: Cells = {}
    for method, features in audit.table.items():
        for feature, measure in features.items():
            for what in ("individual_rank", "contrastive_rank", "individual", "contrastive"):
                each = getattr(measure, what)
                row = (method, feature)
                cells |= {(row, what): each.mean, (row, f"{what}_low"): each.low, (row, f"{what}_high"): each.high}
    return cells


CELLS: dict[str, Callable[[Any], Cells]] = {
    "Strengths": list_strengths,
    "Attribution": list_attribution,
    "Phi": list_phi,
    "Contrast": list_contrast,
    "Pairs": list_pairs,
    "Chained": lambda found: {(pair, x): value for pair, each in found.values.items() for x, value in each.items()},
    "Ranking": list_ranking,
    "Trajectory": list_trajectory,
    "WhatIf": list_whatif,
    "Interactions": list_interactions,
    "Uncertainty": list_uncertainty,
    "SemanticsComparison": list_comparison,
    "Reasons": list_reasons,
    "Change": list_change,
    "History": list_history,
    "Flip": list_flip,
    "Reach": lambda found: list_moves(found.change or {}),
    "Robustness": list_robustness,
    "Explained": list_explained,
    "Paths": list_paths,
    "Check": list_fields,
    "Witness": list_fields,
    "NotApplicable": list_fields,
    "Tried": list_fields,
    "AxiomTable": list_axioms,
    "NetworkContrast": list_contrast,
    "Audit": list_audit,
}
