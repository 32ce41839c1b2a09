"""Results as pandas DataFrames and as shap Explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution import Attribution
from ..contrast import Contrast
from ..errors import InvalidInput
from ..pairs import Pairs, Ranking
from ..solve import Strengths

if TYPE_CHECKING:
    import pandas

EACH_OTHER = "(the two topics on each other)"


def to_frame(result: Contrast | Attribution | Pairs | Ranking | Strengths) -> pandas.DataFrame:
    """A row for each argument (for pairs: each pair; for a ranking: each topic), in the order of the graph."""
    import pandas

    if isinstance(result, Contrast):
        names = list(result)
        columns: dict[str, Any] = {
            "label": [result.qbaf.label(x) for x in names],
            "contrast": [result[x] for x in names],
            "fact": [result.individual[result.fact][x] for x in names],
            "foil": [result.individual[result.foil][x] for x in names],
        }
        if result.std_error is not None:
            columns["std_error"] = [result.std_error[x] for x in names]
        return pandas.DataFrame(columns, index=pandas.Index(names, name="argument"))
    if isinstance(result, Attribution):
        names = list(result)
        columns = {"label": [result.qbaf.label(x) for x in names], "contribution": [result[x] for x in names]}
        if result.std_error is not None:
            columns["std_error"] = [result.std_error[x] for x in names]
        return pandas.DataFrame(columns, index=pandas.Index(names, name="argument"))
    if isinstance(result, Strengths):
        qbaf = result.qbaf
        columns = {"label": [qbaf.label(x) for x in qbaf], "base_score": qbaf.base_array, "strength": result.array}
        return pandas.DataFrame(columns, index=pandas.Index(list(qbaf), name="argument"))
    if isinstance(result, Pairs):
        pairs = [(a, b) for a in result.topics for b in result.topics if a != b]
        index = pandas.MultiIndex.from_tuples(pairs, names=["fact", "foil"])
        frame = pandas.DataFrame([dict(result[pair]) for pair in pairs], index=index, columns=list(result.contributors))
        frame.insert(0, "gap", [result[pair].gap for pair in pairs], allow_duplicates=True)
        return frame
    if isinstance(result, Ranking):
        gaps = [*(step.gap for step in result.steps), float("nan")]
        columns = {
            "place": result.places,
            "strength": [result.strengths[topic] for topic in result.order],
            "ahead_of_next": gaps,
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(result.order), name="topic"))
    raise InvalidInput(f"no table is known for a {type(result).__name__}")


def to_shap(result: Contrast | Attribution | Pairs) -> Any:
    """For shap's own plots. A contrast starts at the gap of the base scores, and what the two topics do to each other
    is a last feature: with Shapley values, start and features add up to the gap."""
    import shap

    if isinstance(result, Attribution):
        names = list(result)
        return shap.Explanation(
            values=np.array([result[x] for x in names]),
            base_values=result.base_score,
            data=np.array([result.qbaf.base_scores[x] for x in names]),
            feature_names=[result.qbaf.label(x) for x in names],
            output_names=result.qbaf.label(result.topic),
        )
    if isinstance(result, Contrast):
        names = list(result)
        label = result.qbaf.label
        return shap.Explanation(
            values=np.array([*(result[x] for x in names), result.cross_topic.component]),
            base_values=result.base_gap,
            data=np.array([*(result.qbaf.base_scores[x] for x in names), np.nan]),
            feature_names=[*(label(x) for x in names), EACH_OTHER],
            output_names=f"{label(result.fact)} − {label(result.foil)}",
        )
    if isinstance(result, Pairs):
        qbaf, size = result.phi.problem.qbaf, len(result.topics)
        rows = [(i, j) for i in range(size) for j in range(size) if i != j]
        others = [k for k, name in enumerate(qbaf.arguments) if name not in result.topics]
        base = np.array([qbaf.base_scores[topic] for topic in result.topics])
        return shap.Explanation(
            values=np.array([result.tensor[i, j, others] for i, j in rows]),
            base_values=np.array([base[i] - base[j] for i, j in rows]),
            data=np.tile(qbaf.base_array[others], (len(rows), 1)),
            feature_names=[qbaf.label(qbaf.arguments[k]) for k in others],
        )
    raise InvalidInput(f"a {type(result).__name__} has no contributions; ask for a contrast or an attribution")
