"""Results as pandas DataFrames and as shap Explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution.methods import METHODS, Attribution
from ..attribution.players import Edges
from ..errors import InvalidInput, with_article
from ..explain.contrast import Contrast
from ..explain.pairs import Pairs
from ..extras import require
from ..graph.labels import label_text, visible
from .change_texts import label_unit
from .phrasing import choose, name_value

if TYPE_CHECKING:
    import pandas

    from ..attribution.matrix import Phi
    from ..auditing.result import Audit
    from ..axioms import AxiomTable
    from ..engine.problem import Strengths
    from ..explain.change import Change
    from ..explain.compare_semantics import SemanticsComparison
    from ..explain.flip import Flip
    from ..explain.history import History
    from ..explain.interactions import Interactions
    from ..explain.pairs import Chained
    from ..explain.paths import Paths
    from ..explain.ranking import Ranking
    from ..explain.reach import Reach
    from ..explain.reasons import Reasons
    from ..explain.robustness import Robustness
    from ..explain.trajectory import Trajectory
    from ..explain.uncertainty import Uncertainty
    from ..explain.whatif import WhatIf
    from ..networks.result import NetworkContrast
    from ..questions.many import Explained
    from ..results.base import Result

ACROSS = choose("en").say("bars.across")
SUM_TOLERANCE = 1e-9  # by which values of a user's own method may miss the sum


def frame_contrast(why: Contrast) -> pandas.DataFrame:
    """Make a row for each contributor: contrast, effect on each topic alone, and standard error where sampled."""
    return _frame_contributions(
        why, _compare_columns(why), name_value(why.method, players=why.players.kind, combined=why.combined)
    )


def frame_attribution(one: Attribution) -> pandas.DataFrame:
    """Make a row for each contributor: contribution, and standard error where sampled."""
    return _frame_contributions(
        one, {"contribution": list(one.values())}, name_value(one.method, "strength", players=one.players.kind)
    )


def _frame_contributions(result: Contrast | Attribution, columns: dict[str, Any], title: str) -> pandas.DataFrame:
    names = list(result)
    columns = {"label": [label_text(result.qbaf, x) for x in names]} | columns
    if result.std_error is not None:
        columns["std_error"] = [result.std_error[x] for x in names]
    ends = ["source", "target"] if isinstance(result.players, Edges) else result.players.noun
    return _frame(columns, names, ends).rename_axis(columns=title)


def frame_strengths(found: Strengths) -> pandas.DataFrame:
    """Make a row for each argument: label, base score, strength."""
    qbaf = found.qbaf
    labels = [label_text(qbaf, x) for x in qbaf]
    return _frame({"label": labels, "base_score": qbaf.base_array, "strength": found.array}, list(qbaf), "argument")


def frame_contributions(phi: Phi) -> pandas.DataFrame:
    """Make a row for each topic and a column for each player; an edge is a column (source, target)."""
    return _frame(phi.values, list(phi.topics), "topic", columns=list(phi.players))


def frame_pairs(pairs: Pairs) -> pandas.DataFrame:
    """Make a row for each pair: its gap, and what each player contributes to it; edges are columns (source, target)."""
    ends = [(a, b) for a in pairs.topics for b in pairs.topics if a != b]
    found = [pairs[pair] for pair in ends]
    names = list(pairs.contributors)
    values = [[each.get(name, np.nan) for name in names] for each in map(dict, found)]
    frame = _frame(values, ends, ["fact", "foil"], columns=range(len(names)))
    frame.columns = require("pandas", "to_frame").Index(names, tupleize_cols=False)
    frame.insert(0, "gap", [why.gap for why in found], allow_duplicates=True)
    return frame.rename_axis(columns=name_value(pairs.phi.method, players=pairs.players.kind))


def frame_interactions(found: Interactions) -> pandas.DataFrame:
    """Make a row for each pair: labels of both players, and their interaction."""
    pairs = list(found)
    labels = [[label_text(found.qbaf, pair[k]) for pair in pairs] for k in (0, 1)]
    columns = {"label": labels[0], "other_label": labels[1], "interaction": list(found.values())}
    ends = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    frame = _frame({"player": _hold(ends[0]), "other": _hold(ends[1])} | columns)
    return frame.set_index(["player", "other"]).rename_axis(columns=found.index)


def frame_reasons(found: Reasons) -> pandas.DataFrame:
    """Make a row for each set: its kind, its members, and for a breaking set the gap without them."""
    kinds = ("prime", "breaking", "sufficient", "unproved")
    sets = [(kind, number, some) for kind in kinds for number, some in enumerate(getattr(found, kind))]
    gaps = [found.breaking_gaps[number] if kind == "breaking" else np.nan for kind, number, _ in sets]
    members = _hold([tuple(found.sort_members(some)) for _, _, some in sets])
    index = [(kind, number) for kind, number, _ in sets]
    return _frame({"members": members, "gap_without": gaps}, index, ["kind", "set"])


def frame_change(found: Change) -> pandas.DataFrame:
    """Make a row for each changed unit: its share, what it does alone and undone, and the standard error if sampled."""
    units = list(found)
    shares = [float("nan")] * len(units) if found.shares is None else list(found.values())
    columns: dict[str, Any] = {"label": [label_unit(found, unit) for unit in units], "share": shares}
    if found.std_error is not None:
        columns["std_error"] = [found.std_error[unit] for unit in units]
    columns |= {"alone": list(found.alone.values()), "undone": list(found.undone.values())}
    frame = _frame({"unit": _hold(units)} | columns)
    return frame.set_index("unit").rename_axis(columns="share of the change")


def frame_comparison(found: SemanticsComparison) -> pandas.DataFrame:
    """Make a row for each semantics: its gap, why it gives no answer, and what each player contributes."""
    names = list(dict.fromkeys([*found.gaps, *found.refused]))
    players = list(next(iter(found.contrasts.values()), ()))
    rows = [
        list(found.contrasts[name].values()) if name in found.contrasts else [np.nan] * len(players) for name in names
    ]
    frame = _frame(np.array(rows).reshape(len(names), len(players)), names, "semantics", columns=_hold(players))
    frame.insert(0, "refused", [found.refused.get(name, "") for name in names], allow_duplicates=True)
    frame.insert(0, "gap", [found.gaps.get(name, np.nan) for name in names], allow_duplicates=True)
    return frame.rename_axis(columns=name_value(found.method, players=found.players.kind))


def frame_history(found: History) -> pandas.DataFrame:
    """Make a row for each version: the gap, and the share of every changed unit in the step that led to it."""
    units = list(found)
    columns: dict[str, Any] = {"gap": list(found.gaps)}
    for unit in units:
        shares = [(step.shares or {}).get(unit, float("nan")) for step in found.steps]
        columns[" ".join(map(str, unit)) if isinstance(unit, tuple) else str(unit)] = [float("nan"), *shares]
    return _frame(columns, list(found.names), "version")


def _hold(names: Sequence[Any]) -> Any:
    """Put names, which may be edges, into an array of objects."""
    held = np.empty(len(names), object)
    for place, name in enumerate(names):
        held[place] = name
    return held


def frame_chained(found: Chained) -> pandas.DataFrame:
    """Make a row for each pair and a column for each contributor."""
    return _frame([dict(each) for each in found.values.values()], list(found.values), ["fact", "foil"])


def frame_uncertainty(found: Uncertainty) -> pandas.DataFrame:
    """Make a row for each uncertain argument: shares in the variance of the gap with their errors, expected drop."""
    names = list(found.scores)
    columns: dict[str, Any] = {"label": [label_text(found.qbaf, x) for x in names]}
    for title in ("first_order", "first_order_error", "total", "total_error", "expected_drop", "expected_drop_error"):
        columns[title] = [getattr(found, title).get(x, np.nan) for x in names]
    return _frame(columns, names, "argument")


def frame_ranking(ranking: Ranking) -> pandas.DataFrame:
    """Make a row for each topic: place, strength, how far it is ahead of the next."""
    gaps = [*(step.gap for step in ranking.steps), np.nan]
    own = [ranking.strengths[topic] for topic in ranking.order]
    return _frame({"place": ranking.places, "strength": own, "ahead_of_next": gaps}, list(ranking.order), "topic")


def frame_trajectory(run: Trajectory) -> pandas.DataFrame:
    """Make a row for each time and a column for each argument."""
    return _frame(run.strengths, run.times, "time", columns=list(run.qbaf.arguments))


def frame_whatif(found: WhatIf) -> pandas.DataFrame:
    """Make a row for each argument; what was removed has no strength afterwards."""
    names, before, after = list(found.before), found.before, found.after
    columns = {
        "label": [label_text(before.qbaf, x) for x in names],
        "before": [before[x] for x in names],
        "after": [after.get(x, np.nan) for x in names],
    }
    for when, why in (("before", found.why_before), ("after", found.why_after)):
        if why is not None:
            columns[f"contrast_{when}"] = [dict(why).get(x, np.nan) for x in names]
    return _frame(columns, names, "argument")


def frame_flip(found: Flip) -> pandas.DataFrame:
    """Make a row for each argument that would have to change: from, to, and whether it would be removed."""
    change, gone = found.change or {}, found.removal or ()
    names = list(dict.fromkeys([*change, *gone]))
    columns = {
        "from": [float(found.qbaf.base_scores[x]) for x in names],
        "to": [float(change[x][1]) if x in change else np.nan for x in names],
        "removed": [x in gone for x in names],
    }
    return _frame(columns, names, "argument")


def frame_reach(found: Reach) -> pandas.DataFrame:
    """Make a row for each base score and each weight that would have to change; an edge is source → target."""
    return _frame_moves(found.change or {})


def frame_robustness(found: Robustness) -> pandas.DataFrame:
    """Make a row for each mover: its base score or weight, and the one after which the lead is gone, if one was found.

    An edge is source → target.
    """
    qbaf, example = found.qbaf, found.example or {}
    values: dict[Any, float] = {**qbaf.base_scores, **qbaf.attacks, **qbaf.supports}
    return _frame_moves({each: (values[each], example.get(each, np.nan)) for each in found.movers})


def _frame_moves(moves: Mapping[Any, tuple[float, float]]) -> pandas.DataFrame:
    columns = {
        "kind": ["weight" if isinstance(each, tuple) else "base score" for each in moves],
        "from": [float(old) for old, _ in moves.values()],
        "to": [float(new) for _, new in moves.values()],
    }
    names = [" → ".join(map(str, each)) if isinstance(each, tuple) else each for each in moves]
    return _frame(columns, names, "moves")


def frame_paths(found: Paths) -> pandas.DataFrame:
    """Make a row for each path: its arguments, relations, sign, and share of the gradient."""
    columns = {
        "path": [" → ".join(map(visible, path.arguments)) for path in found],
        "relations": [", ".join(path.relations) for path in found],
        "sign": [path.sign for path in found],
        "share": [np.nan if path.share is None else path.share for path in found],
    }
    return _frame(columns)


def frame_axioms(table: AxiomTable) -> pandas.DataFrame:
    """Make a row for each property and contrastive attribution function."""
    return _frame([_row(table[cell]) for cell in table.cells], list(table.cells), ["property", "caf"])


def frame_row(result: Result) -> pandas.DataFrame:
    """Make one row of a small result."""
    return _frame([_row(result)])


def frame_explained(found: Explained) -> pandas.DataFrame:
    """Make one row, with the columns of the table of `qontrast batch`."""
    return _frame([found.to_row()])


def frame_network_contrast(found: NetworkContrast) -> pandas.DataFrame:
    """Make a row for each contributor: its contribution to the contrast, to the fact and to the foil."""
    return _frame(_compare_columns(found), list(found), "contributor")


def _compare_columns(why: Contrast | NetworkContrast) -> dict[str, Any]:
    individual: Mapping[Any, Mapping[Any, float]] = why.individual
    fact, foil = individual[why.fact], individual[why.foil]
    return {"contrast": list(why.values()), "fact": [fact[x] for x in why], "foil": [foil[x] for x in why]}


def frame_audit(audit: Audit) -> pandas.DataFrame:
    """Make a row for each method and feature: means, and the ends of their intervals."""
    cells = {(method, name): each for method, table in audit.table.items() for name, each in table.items()}
    rows = [
        {
            f"{what}{end}": getattr(getattr(each, what), value)
            for what in each.__dataclass_fields__
            for end, value in (("", "mean"), ("_low", "low"), ("_high", "high"))
        }
        for each in cells.values()
    ]
    return _frame(rows, list(cells), ["method", "feature"])


def _frame(data: Any, index: Any = None, name: str | list[str] | None = None, columns: Any = None) -> pandas.DataFrame:
    """Make a DataFrame whose index has a name, or several names where it is made of tuples."""
    pandas = require("pandas", "to_frame")
    if isinstance(name, list):
        index = pandas.MultiIndex.from_arrays(list(zip(*index, strict=True)) or [() for _ in name], names=name)
    elif index is not None:
        index = pandas.Index(index, name=name)
    return pandas.DataFrame(data, index=index, columns=columns)


def _row(result: Result) -> dict[str, Any]:
    """Collect what a small result holds: lists as their lengths, roles as columns, and no schema."""
    row: dict[str, Any] = {}
    for name, value in result.to_dict().items():
        if name == "arguments" and isinstance(value, dict):
            row |= value
        elif isinstance(value, list):
            row[name] = len(value)
        elif name not in ("schema", "graph"):
            row[name] = value
    return row


def to_shap(result: Contrast | Attribution | Pairs) -> Any:
    """Convert to a `shap.Explanation`, for shap's own plots.

    A contrast starts at the gap of the base scores, and the effect of the two topics on each other is the last
    feature, so that start and features add up to the gap. shap's plots rely on that sum, so values that are not shares
    of the gap are refused: those of the other methods in METHODS and combined ones always, those of a method of one's
    own where they do not add up to 1e-9.

    Parameters
    ----------
    result : Contrast, Attribution or Pairs
        What is made of contributions.

    Returns
    -------
    shap.Explanation
        One row of features; for pairs a row for each pair. `feature_names` are labels, `data` base scores
        (NaN for edges and groups).

    Raises
    ------
    InvalidInput
        If the values are not shares, as with gradients and removals.
    ImportError
        If shap is not installed.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse", method="gradient")
    >>> to_shap(why)
    Traceback (most recent call last):
    qontrast.errors.InvalidInput: shap needs values that add up to the gap, ...
    """
    if isinstance(result, Attribution):
        start = result.base_score
        _check_shares(result, False, start + float(sum(result.values())) - result.strength)
        return _explain(result, start)
    if isinstance(result, Contrast):
        _check_shares(result, result.combined, result.residual)
        return _explain(result, result.base_gap, across=[result.cross_topic.component])
    if isinstance(result, Pairs):
        return _pairs_to_shap(result)
    raise InvalidInput(
        f"{with_article(type(result).__name__)} has no contributions; ask for a contrast or an attribution"
    )


def _explain(result: Contrast | Attribution, start: float, across: Sequence[float] = ()) -> Any:
    """Make one row: the contributors, and the effect of the topics on each other where there is one."""
    names, qbaf = list(result), result.qbaf
    return require("shap", "to_shap").Explanation(
        values=np.array([*result.values(), *across]),
        base_values=start,
        data=np.array([*(qbaf.base_scores.get(x, np.nan) for x in names), *(np.nan for _ in across)]),
        feature_names=[*(label_text(qbaf, x) for x in names), *(ACROSS for _ in across)],
    )


def _pairs_to_shap(result: Pairs) -> Any:
    """A row for each pair, a feature for each player; the two topics of a pair have 0 in it."""
    qbaf, names = result.qbaf, list(result.contributors)
    found = [result[a, b] for a in result.topics for b in result.topics if a != b]
    for why in found:
        _check_shares(why, why.combined, why.residual)
    across = [why.cross_topic.component for why in found]
    return require("shap", "to_shap").Explanation(
        values=np.column_stack([[np.where(_own(why), 0.0, why.array) for why in found], across]),
        base_values=np.array([why.base_gap for why in found]),
        data=np.tile([*(qbaf.base_scores.get(x, np.nan) for x in names), np.nan], (len(found), 1)),
        feature_names=[*(label_text(qbaf, x) for x in names), ACROSS],
    )


def _own(why: Contrast) -> Any:
    return np.isin(np.arange(len(why.players)), [why.players.index(topic) for topic in why.left_out])


def _check_shares(result: Contrast | Attribution, combined: bool, residual: float) -> None:
    """Refuse values that are not shares of the gap."""
    method, kind = result.method, result.players.kind
    entry = METHODS.get(method)
    if combined or not (entry.adds_up if entry else abs(residual) <= SUM_TOLERANCE):
        what = "combined values" if combined else f"{method} values ({name_value(method, players=kind)})"
        raise InvalidInput(
            f'shap needs values that add up to the gap, and {what} do not; ask for method="shapley", or use to_frame()'
        )
