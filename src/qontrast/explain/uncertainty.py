"""Say how sure an order is if base scores are uncertain, and whose uncertainty matters.

Base scores of surveys and language models are noisy. Here they are independent random numbers with given distributions,
so that the gap of fact and foil is one too. `uncertainty` draws lanes of base scores and solves them; the delta method,
which takes the gap as linear, is the quick answer beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

import numpy as np

from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import Hint, InvalidInput, TooLarge, UndefinedStrength
from ..graph.distributions import Distribution, check_uncertain
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE, Plottable, Result, Schema
from ..results.order import sort_by_size
from ..semantics import Semantics
from ..settings import check_integer, check_progress
from ..standard_errors import find_error
from ..types import Floats, Name, Progress
from .delta_method import DeltaMethod, find_delta
from .histogram import count_gaps, spread_normal
from .uncertain_lanes import Drawn, choose_next, draw, find_acting, find_signs

SAMPLES = 4096
MIN_SAMPLES = 500  # with fewer, errors of shares are too small where the gap is skewed
MAX_EVALUATIONS = 1 << 20
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)  # of the quantiles that a result holds
BINS = 48

SCHEMA = Schema(
    "qontrast/uncertainty/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with",
        "semantics": "name of the semantics",
        "scores": "argument → what its base score may be: `interval` (low, high), `normal` (mean, sd; truncated to "
        "[0, 1]), `beta` (a, b) or `samples`",
        "samples": "rows of each of the two tables of draws; 0 if the answer is that of the delta method alone",
        "seed": "the seed of the draws",
        "evaluations": "how many lanes were solved",
        "gap": "σ(fact) − σ(foil) of the graph as it is; `null` if undefined",
        "probability": "probability that the fact is ahead",
        "tie": "probability of a tie",
        "behind": "probability that the foil is ahead",
        "undefined": "part of the lanes whose strengths are undefined; the four add up to 1",
        "std_error": "standard error of `probability`",
        "mean": "mean of the gap, over the lanes that are defined",
        "sd": "standard deviation of the gap",
        "quantiles": "level → quantile of the gap",
        "histogram": "`edges` of bins of equal width, one of them at 0, and `parts`: how much of the defined lanes "
        "lies in each; ties are in none",
        "first_order": "argument → `share` of the variance of the gap that would go if its base score were known, and "
        "its `std_error`",
        "total": "argument → `share` of the variance that would stay if all but its base score were known, and its "
        "`std_error`",
        "wrong_order": "probability that the order that is more likely is the wrong one; a tie counts half",
        "expected_drop": "argument → by how much, at least, `wrong_order` is expected to fall if its base score became "
        "known (`drop`), up to the `std_error`; empty if the answer is that of the delta method alone",
        "check_next": "the argument to check next, or `null` if none matters",
        "delta": "the delta method: `probability`, `mean`, `sd`, `shares` (argument → share of the variance) and "
        "`kinks` (arguments at which the gap has a kink); `null` if it has no answer",
    },
    source="`uncertainty`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Uncertainty(Result, Plottable, schema=SCHEMA):
    """How sure it is that the fact is ahead, and whose uncertainty that comes from.

    Attributes
    ----------
    qbaf, fact, foil, semantics, scores, samples, seed
        The question; `samples` is 0 where the answer is that of the delta method alone.
    evaluations
        How many lanes were solved.
    gap
        σ(fact) − σ(foil) of the graph as it is; NaN if undefined.
    probability, tie, behind, undefined
        Parts of the lanes in which the fact is ahead, both are tied, the foil is ahead, strengths are undefined.
    std_error
        Standard error of `probability`, above 0 even where all lanes agree; NaN for the delta method.
    mean, sd, quantiles
        Mean, standard deviation and some quantiles (level → value) of the gap, over defined lanes.
    first_order, first_order_error
        Argument → Var(E[gap | τ]) / Var(gap): the share of the variance that goes if its base score becomes known;
        and the standard error.
    total, total_error
        Argument → the share of the variance that stays if all base scores but this one become known.
    wrong_order
        Probability that the more likely order is wrong: min(P(ahead), P(behind)) + ½ P(tie), of defined lanes.
    expected_drop, expected_drop_error
        Argument → wrong_order − E[wrong_order | τ]: by how much the probability of the wrong order is expected to fall
        if its base score becomes known; and the standard error. The estimate is cautious: the true drop is at least
        this, up to two standard errors, and may be larger, the more so the fewer samples there are.
    check_next
        The argument with the largest `expected_drop` among those that differ from 0 by two standard errors; if there is
        none, the argument with the largest `first_order`; None if the gap does not vary.
    delta
        The answer of the delta method; None where it has none.
    gaps
        The gap of every defined lane, in ascending order.
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    semantics: str
    scores: Mapping[Name, Distribution]
    samples: int
    seed: int
    evaluations: int
    gap: float
    probability: float
    tie: float
    behind: float
    undefined: float
    std_error: float
    mean: float
    sd: float
    quantiles: Mapping[float, float]
    first_order: Mapping[Name, float]
    first_order_error: Mapping[Name, float]
    total: Mapping[Name, float]
    total_error: Mapping[Name, float]
    wrong_order: float
    expected_drop: Mapping[Name, float]
    expected_drop_error: Mapping[Name, float]
    check_next: Name | None
    delta: DeltaMethod | None
    gaps: Floats
    method: ClassVar[None] = None

    def ranked(self) -> list[tuple[Name, float]]:
        """List the arguments by their first-order share, the largest first; ties by name.

        Returns
        -------
        list of (name, float)
        """
        return sort_by_size(self.first_order.items(), lambda item: item[1], tie=lambda item: str(item[0]))

    def histogram(self, bins: int = BINS) -> tuple[Floats, Floats]:
        """Compute the distribution of the gap in bins of equal width, one edge of which is 0.

        Parameters
        ----------
        bins : int
            About how many.

        Returns
        -------
        edges, parts : array of float
            The edges of the bins, and how much of the defined lanes lies in each. Ties are in none. For the delta
            method this is the normal distribution.

        Raises
        ------
        InvalidInput
            If `bins` is no whole number above 0.
        """
        check_integer(bins, "bins", 1)
        if not self.samples:
            return spread_normal(self.mean, self.sd, bins)
        return count_gaps(self.gaps, find_signs(self.gaps) == 0, bins)

    def _computed_fields(self) -> dict[str, Any]:
        edges, parts = self.histogram()
        return {
            "histogram": {"edges": edges, "parts": parts},
            "scores": {name: each.to_dict() for name, each in self.scores.items()},
            "first_order": _pair_with_errors("share", self.first_order, self.first_order_error),
            "total": _pair_with_errors("share", self.total, self.total_error),
            "expected_drop": _pair_with_errors("drop", self.expected_drop, self.expected_drop_error),
            "check_next": None if self.check_next is None else str(self.check_next),
            "delta": None if self.delta is None else self.delta.to_dict(),
        }


def _pair_with_errors(what: str, values: Mapping[Name, float], errors: Mapping[Name, float]) -> dict[Name, Any]:
    return {name: {what: value, "std_error": errors[name]} for name, value in values.items()}


def uncertainty(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    seed: int = 0,
    scores: Mapping[Any, Any] | None = None,
    samples: int = SAMPLES,
    quick: bool = False,
    max_evaluations: int = MAX_EVALUATIONS,
) -> Uncertainty:
    """Compute how sure it is that the fact is ahead if base scores are uncertain, and whose uncertainty matters.

        P(gap > 0);    S(i) = Var(E[gap | τ(i)]) / Var(gap);    T(i) = E[Var(gap | τ without τ(i))] / Var(gap)

    The base scores are independent of each other. P comes from 2 × `samples` lanes, S (first order) and T (total) from
    `samples` more for each uncertain argument, by the estimators of Janon et al. (2014) with a control variate. Lanes
    whose strengths are undefined are counted and left out of everything else.

    Which argument to check next: if τ(i) became known, one would call the order that is more likely then. The
    probability that this is the wrong order is expected to drop by

        min(P(gap > 0), P(gap < 0)) − E[min(P(gap > 0 | τ(i)), P(gap < 0 | τ(i)))],

    where a tie counts half to either side.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics.
    semantics, solver, max_steps, executor, device, progress
        As in `contributions`.
    seed : int
        The seed of the draws.
    scores : mapping, optional
        Argument → what its base score may be: (low, high), `Normal(mean, sd)`, `Beta(a, b)`, or a list of samples. They
        come in place of what the graph says in `uncertain` of these arguments.
    samples : int
        Rows of each table of draws, at least 500; standard errors fall with its root.
    quick : bool
        Answer by the delta method alone, without draws.
    max_evaluations : int
        Refuse to solve more lanes than this.

    Returns
    -------
    Uncertainty
        Probabilities, the distribution of the gap, shares in its variance, and the argument to check next.

    Raises
    ------
    InvalidInput
        If no base score is uncertain, or fact and foil are the same, or a setting makes no sense.
    UnknownName
        If there is no such argument or semantics.
    UndefinedStrength
        If no lane has strengths; with `quick`, if the graph at the means of the base scores has none.
    TooLarge
        If more than `max_evaluations` lanes would be needed.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.3, "y": 0.4}, attacks=[("x", "p"), ("y", "q")])
    >>> found = uncertainty(q, "p", "q", semantics="df-quad", scores={"x": (0.0, 0.6), "y": (0.3, 0.5)})
    >>> round(found.probability, 2), found.check_next, round(found.first_order["x"], 2)
    (0.83, 'x', 0.93)
    >>> round(uncertainty(q, "p", "q", semantics="df-quad", scores={"x": (0.0, 0.6)}, quick=True).probability, 2)
    0.88
    """
    problem = make_problem(qbaf, semantics, solver, max_steps, executor, device)
    pair = qbaf.index(fact), qbaf.index(foil)
    if fact == foil:
        raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
    report, seed = check_progress(progress), check_integer(seed, "seed")
    check_integer(samples, "samples", MIN_SAMPLES)
    check_integer(max_evaluations, "max_evaluations", 1)
    if not isinstance(quick, bool):
        raise InvalidInput(f"quick is {quick!r}; give True or False")
    found = _collect_scores(qbaf, scores)
    if quick:
        return _answer_quickly(problem, (fact, foil), found, seed)
    tables = 2 + len(find_acting(problem, pair, found))
    needed = samples * tables
    if needed > max_evaluations:
        fewer = "; give fewer samples" if MIN_SAMPLES * tables <= max_evaluations else ""
        raise TooLarge(
            f"{len(found)} uncertain base scores and {samples:,} samples need {needed:,} evaluations "
            f"(limit {max_evaluations:,}){fewer}",
            hints=[Hint("quick", (True,)), Hint("max_evaluations", raised=True)],
        )
    drawn = draw(problem, pair, found, samples, seed, report)
    if not np.isfinite(drawn.gaps).any():
        lane = qbaf.base_array.copy()
        lane[[qbaf.index(name) for name in found]] = [
            float(each.quantile(level)) for each, level in zip(found.values(), drawn.levels[0, 0], strict=True)
        ]
        raise problem.undefined(0, base_scores=lane[None])
    return _summarise(problem, (fact, foil), drawn, seed)


def _collect_scores(qbaf: Qbaf, scores: object) -> Mapping[Name, Distribution]:
    """Put together the uncertain base scores of the graph and those given, in the order of the graph."""
    given = {} if scores is None else check_uncertain(scores, qbaf.arguments, qbaf._index, "scores", InvalidInput)
    merged = {**qbaf.uncertain, **given}
    if not merged:
        way = "name what base scores may be, as in scores={name: (0.6, 0.9)} or Qbaf(..., uncertain={name: (0.6, 0.9)})"
        raise InvalidInput(f"no base score here is uncertain; {way}")
    return {name: merged[name] for name in sorted(merged, key=qbaf.index)}


def _summarise(problem: Problem, topics: tuple[Name, Name], drawn: Drawn, seed: int) -> Uncertainty:
    """Turn the gaps of lanes into the result."""
    signs, gaps = find_signs(drawn.gaps), np.sort(drawn.gaps[np.isfinite(drawn.gaps)])
    parts = [float(np.mean(signs == sign)) for sign in (1.0, 0.0, -1.0)]
    shares = {name: drawn.find_shares(name) for name in drawn.scores}
    drops = {name: drawn.find_drop(place) for place, name in enumerate(drawn.scores)}
    first = {name: each[0].value for name, each in shares.items()}
    drop, error = ({name: getattr(each, part) for name, each in drops.items()} for part in ("value", "error"))
    try:
        delta: DeltaMethod | None = find_delta(problem, topics, drawn.scores)
    except UndefinedStrength:
        delta = None
    return Uncertainty(
        **_describe_question(problem, topics, drawn.scores),
        samples=len(drawn.one),
        seed=seed,
        evaluations=len(drawn.one) * (2 + len(drawn.mixed)),
        probability=parts[0],
        tie=parts[1],
        behind=parts[2],
        undefined=float(np.mean(np.isnan(signs))),
        std_error=find_error((signs == 1.0).astype(np.float64), 0.0, 1.0),
        mean=float(gaps.mean()),
        sd=float(gaps.std()),
        quantiles=dict(zip(LEVELS, np.quantile(gaps, LEVELS).tolist(), strict=True)),
        first_order=first,
        first_order_error={name: each[0].error for name, each in shares.items()},
        total={name: each[1].value for name, each in shares.items()},
        total_error={name: each[1].error for name, each in shares.items()},
        wrong_order=(1 - abs(float(np.nanmean(signs)))) / 2,
        expected_drop=drop,
        expected_drop_error=error,
        check_next=choose_next(drop, error, first),
        delta=delta,
        gaps=gaps,
    )


def _describe_question(
    problem: Problem, topics: tuple[Name, Name], scores: Mapping[Name, Distribution]
) -> dict[str, Any]:
    """Give the fields that do not depend on how the answer is found."""
    strengths = problem.solve().strengths[0]
    own, other = (float(strengths[problem.qbaf.index(topic)]) for topic in topics)
    return {
        "qbaf": problem.qbaf,
        "fact": topics[0],
        "foil": topics[1],
        "semantics": problem.semantics.name,
        "scores": scores,
        "gap": own - other,
    }


def _answer_quickly(
    problem: Problem, topics: tuple[Name, Name], scores: Mapping[Name, Distribution], seed: int
) -> Uncertainty:
    """Answer by the delta method alone."""
    from scipy.special import ndtri  # here: SciPy takes longer to import than NumPy

    try:
        delta = find_delta(problem, topics, scores)
    except UndefinedStrength as error:
        without = f"{error.args[0]}, so the delta method has no answer; leave out quick to draw base scores instead"
        hints = [hint for hint in error.hints if hint.setting != "method"]
        raise UndefinedStrength(without, error.arguments, error.step, hints=hints) from None
    unknown = dict.fromkeys(scores, nan)
    tied = float(delta.sd == 0 and abs(delta.mean) <= TIE_TOLERANCE)
    probability = 0.0 if tied else delta.probability
    return Uncertainty(
        **_describe_question(problem, topics, scores),
        samples=0,
        seed=seed,
        evaluations=1,
        probability=probability,
        tie=tied,
        behind=1.0 - probability - tied,
        undefined=0.0,
        std_error=nan,
        mean=delta.mean,
        sd=delta.sd,
        quantiles={level: delta.mean + delta.sd * float(ndtri(level)) for level in LEVELS},
        first_order=delta.shares,
        first_order_error=unknown,
        total=delta.shares,
        total_error=unknown,
        wrong_order=min(delta.probability, 1.0 - delta.probability),
        expected_drop={},
        expected_drop_error={},
        check_next=choose_next({}, {}, delta.shares),
        delta=delta,
        gaps=np.empty(0),
    )
