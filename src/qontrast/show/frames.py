"""Results as pandas DataFrames and as shap Explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution.matrix import Phi
from ..attribution.methods import METHODS, Attribution, value_title
from ..axioms import AxiomTable, NotApplicable, Tried, Witness
from ..engine.problem import Strengths
from ..errors import InvalidInput
from ..explain.check import Check
from ..explain.contrast import Contrast
from ..explain.flip import Flip
from ..explain.pairs import Chained, Pairs, Ranking
from ..explain.paths import Paths
from ..explain.trajectory import Trajectory
from ..explain.whatif import WhatIf
from ..explain.wording import ACROSS
from ..extras import require
from ..graph.labels import label_text, visible
from ..results.base import Result

if TYPE_CHECKING:
    import pandas


def to_frame(result: Result) -> pandas.DataFrame:
    """A row for each argument (for pairs: each pair; for a ranking: each topic), in the order of the graph.

    The name of the columns (`frame.columns.name`) says what contributions are, such as "share of the gap".
    """
    pandas = require("pandas", "to_frame")
    if isinstance(result, Contrast):
        names = list(result)
        columns: dict[str, Any] = {
            "label": [label_text(result.qbaf, x) for x in names],
            "contrast": [result[x] for x in names],
            "fact": [result.individual[result.fact][x] for x in names],
            "foil": [result.individual[result.foil][x] for x in names],
        }
        if result.std_error is not None:
            columns["std_error"] = [result.std_error[x] for x in names]
        title = value_title(result.method, combined=result.combined)
        return pandas.DataFrame(columns, index=pandas.Index(names, name="argument")).rename_axis(columns=title)
    if isinstance(result, Attribution):
        names = list(result)
        columns = {"label": [label_text(result.qbaf, x) for x in names], "contribution": [result[x] for x in names]}
        if result.std_error is not None:
            columns["std_error"] = [result.std_error[x] for x in names]
        title = value_title(result.method, "the strength")
        return pandas.DataFrame(columns, index=pandas.Index(names, name="argument")).rename_axis(columns=title)
    if isinstance(result, Strengths):
        qbaf = result.qbaf
        columns = {
            "label": [label_text(qbaf, x) for x in qbaf],
            "base_score": qbaf.base_array,
            "strength": result.array,
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(qbaf), name="argument"))
    if isinstance(result, Pairs):
        pairs = [(a, b) for a in result.topics for b in result.topics if a != b]
        index = pandas.MultiIndex.from_tuples(pairs, names=["fact", "foil"])
        frame = pandas.DataFrame([dict(result[pair]) for pair in pairs], index=index, columns=list(result.contributors))
        frame.insert(0, "gap", [result[pair].gap for pair in pairs], allow_duplicates=True)
        return frame.rename_axis(columns=value_title(result.phi.method))
    if isinstance(result, Ranking):
        gaps = [*(step.gap for step in result.steps), float("nan")]
        columns = {
            "place": result.places,
            "strength": [result.strengths[topic] for topic in result.order],
            "ahead_of_next": gaps,
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(result.order), name="topic"))
    return _other_frame(result, pandas)


def _other_frame(result: Result, pandas: Any) -> pandas.DataFrame:
    """Results that are not made of contributions or strengths alone."""
    if isinstance(result, Phi):
        index = pandas.Index(list(result.topics), name="topic")
        return pandas.DataFrame(result.values, index=index, columns=list(result.problem.qbaf.arguments))
    if isinstance(result, Chained):
        index = pandas.MultiIndex.from_tuples(list(result.values), names=["fact", "foil"])
        return pandas.DataFrame([dict(each) for each in result.values.values()], index=index)
    if isinstance(result, Trajectory):
        index = pandas.Index(result.times, name="time")
        return pandas.DataFrame(result.strengths, index=index, columns=list(result.qbaf.arguments))
    if isinstance(result, WhatIf):
        return _before_and_after(result, pandas)
    if isinstance(result, Flip):
        change, gone = result.change or {}, result.removal or ()
        names = list(dict.fromkeys([*change, *gone]))
        columns = {
            "from": [float(result.qbaf.base_scores[x]) for x in names],
            "to": [float(change[x][1]) if x in change else np.nan for x in names],
            "removed": [x in gone for x in names],
        }
        return pandas.DataFrame(columns, index=pandas.Index(names, name="argument"))
    if isinstance(result, Paths):
        columns = {
            "path": [" → ".join(map(visible, path.arguments)) for path in result.found],
            "relations": [", ".join(path.relations) for path in result.found],
            "sign": [path.sign for path in result.found],
            "share": [np.nan if path.share is None else path.share for path in result.found],
        }
        return pandas.DataFrame(columns)
    if isinstance(result, AxiomTable):
        rows = [_row(result[cell]) for cell in result.cells]
        index = pandas.MultiIndex.from_tuples(list(result.cells), names=["property", "caf"])
        return pandas.DataFrame(rows, index=index)
    if isinstance(result, Check | Witness | Tried | NotApplicable):
        return pandas.DataFrame([_row(result)])
    raise InvalidInput(f"no table is known for a {type(result).__name__}")


def _before_and_after(result: WhatIf, pandas: Any) -> pandas.DataFrame:
    """A row for each argument; what was removed has no strength afterwards."""
    names, before, after = list(result.before), result.before, result.after
    columns = {
        "label": [label_text(before.qbaf, x) for x in names],
        "before": [before[x] for x in names],
        "after": [after.get(x, np.nan) for x in names],
    }
    for when, why in (("before", result.why_before), ("after", result.why_after)):
        if why is not None:
            columns[f"contrast_{when}"] = [dict(why).get(x, np.nan) for x in names]
    return pandas.DataFrame(columns, index=pandas.Index(names, name="argument"))


def _row(result: Result) -> dict[str, Any]:
    """One row of what a small result holds: lists as their lengths, roles as columns, and no schema."""
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

    Raises
    ------
    InvalidInput
        If the values are not shares, as with gradients and removals.
    """
    if isinstance(result, Attribution):
        names = list(result)
        values, start = np.array([result[x] for x in names]), result.base_score
        _check_shares(result.method, False, start + float(values.sum()) - result.strength)
        return require("shap", "to_shap").Explanation(
            values=values,
            base_values=start,
            data=np.array([result.qbaf.base_scores[x] for x in names]),
            feature_names=[label_text(result.qbaf, x) for x in names],
        )
    if isinstance(result, Contrast):
        _check_shares(result.method, result.combined, result.residual)
        names = list(result)
        return require("shap", "to_shap").Explanation(
            values=np.array([*(result[x] for x in names), result.cross_topic.component]),
            base_values=result.base_gap,
            data=np.array([*(result.qbaf.base_scores[x] for x in names), np.nan]),
            feature_names=[*(label_text(result.qbaf, x) for x in names), ACROSS.capitalize()],
        )
    if isinstance(result, Pairs):
        return _pairs_to_shap(result)
    raise InvalidInput(f"a {type(result).__name__} has no contributions; ask for a contrast or an attribution")


def _pairs_to_shap(result: Pairs) -> Any:
    """A row for each pair, a feature for each argument; the two topics of a pair have 0 in it."""
    qbaf = result.phi.problem.qbaf
    found = [result[a, b] for a in result.topics for b in result.topics if a != b]
    for why in found:
        _check_shares(why.method, why.combined, why.residual)
    across = [why.cross_topic.component for why in found]
    return require("shap", "to_shap").Explanation(
        values=np.column_stack([[np.where(_own(why), 0.0, why.array) for why in found], across]),
        base_values=np.array([why.base_gap for why in found]),
        data=np.tile([*qbaf.base_array, np.nan], (len(found), 1)),
        feature_names=[*(label_text(qbaf, x) for x in qbaf.arguments), ACROSS.capitalize()],
    )


def _own(why: Contrast) -> Any:
    return np.isin(np.arange(len(why.qbaf)), [why.qbaf.index(why.fact), why.qbaf.index(why.foil)])


def _check_shares(method: str, combined: bool, residual: float) -> None:
    """Refuse values that are not shares of the gap."""
    entry = METHODS.get(method)
    if combined or not (entry.adds_up if entry else abs(residual) <= 1e-9):
        what = "combined values" if combined else f"{method} values ({value_title(method)})"
        raise InvalidInput(
            f'shap needs values that add up to the gap, and {what} do not; ask for method="shapley", or use to_frame()'
        )
