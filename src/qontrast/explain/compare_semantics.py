"""Ask the same question under every semantics: does the order hold, and who makes the semantics disagree?

Let s run over the semantics, with gap_s = σ_s(fact) − σ_s(foil) and contributions Φ_s(x). Where the order is not the
same under all of them, the semantics are divided into F, those with the highest sign of the gap (the fact is ahead, if
it is under any of them), and G, all others. The player x makes them disagree by

    d(x) = mean of Φ_s(x) over s ∈ F − mean of Φ_s(x) over s ∈ G

where the means are over the semantics under which contributions are defined.
Base scores are the same under all semantics. So where contributions add up to the gap, these numbers (with that of the
effect of the topics on each other) add up to the mean gap in F minus the mean gap in G.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any, ClassVar, Unpack

import numpy as np

from ..attribution.methods import DEFAULT, MethodSettings
from ..attribution.players import Players, PlayersGiven, make_players
from ..engine.problem import MAX_STEPS, make_problem
from ..errors import InvalidInput, InvalidQbaf, UndefinedStrength
from ..graph.qbaf import Qbaf, check_graph
from ..results.base import TIE_TOLERANCE, Plottable, Result, Schema
from ..results.order import sort_by_size
from ..semantics import SEMANTICS, Semantics, find_semantics
from ..settings import check_choice, check_integer, check_list, check_progress
from ..types import Method, Name, Progress
from .contrast import Contrast, contrast

SCHEMA = Schema(
    "qontrast/semantics/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with",
        "method": "name of the method",
        "players": "who contributes: `arguments`, `edges`, `direct` (edges into the topics) or `groups`",
        "agree": "whether the order is the same under all semantics that give strengths; `null` if none does",
        "gaps": "semantics → σ(fact) − σ(foil)",
        "contributions": "semantics → contributions to its gap, as in `qontrast/contrast/1`",
        "refused": "semantics → why it gives no strengths, or no contributions",
        "differences": "player → mean contribution under the semantics with the highest sign of the gap, minus that "
        "under the others; empty where all agree",
        "cross_topic_difference": "the same for the effect of the two topics on each other",
        "decisive": "the player with the largest difference, or `null`",
    },
    source="`semantics`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SemanticsComparison(Result, Plottable, schema=SCHEMA):
    """The gap of two topics and its reasons under several semantics.

    Attributes
    ----------
    qbaf, fact, foil, method, players
        The question.
    gaps
        Semantics → σ(fact) − σ(foil), where strengths are defined.
    contrasts
        Semantics → contrast, where contributions are defined.
    refused
        Semantics → why it gives no strengths, or no contributions.
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    method: str
    players: Players
    gaps: Mapping[str, float]
    contrasts: Mapping[str, Contrast]
    refused: Mapping[str, str]
    semantics: ClassVar[None] = None

    @property
    def contributions(self) -> Mapping[str, Mapping[Any, float]]:
        """Semantics → contributions to its gap: the contrasts."""
        return self.contrasts

    @cached_property
    def signs(self) -> Mapping[str, int]:
        """Semantics → 1 if the fact is ahead, −1 if the foil is, 0 for a tie."""
        return {name: 0 if abs(gap) <= TIE_TOLERANCE else int(np.sign(gap)) for name, gap in self.gaps.items()}

    @property
    def agree(self) -> bool | None:
        """Whether the order is the same under all semantics that give strengths; None if none does."""
        return len(set(self.signs.values())) == 1 if self.signs else None

    @cached_property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The semantics with the highest sign of the gap, and the others; none of these where all agree."""
        highest = max(self.signs.values(), default=0)
        first = tuple(name for name, sign in self.signs.items() if sign == highest)
        return first, tuple(name for name in self.signs if name not in first)

    def strongest(self, semantics: str, limit: int = 3) -> list[tuple[Any, float]]:
        """List the players that contribute most under a semantics, the largest first.

        Parameters
        ----------
        semantics : str
            One of those that were compared.
        limit : int
            How many at most.

        Returns
        -------
        list of (player, float)
            Empty where there are no contributions.
        """
        known = {**self.gaps, **self.refused}
        check_choice(semantics, known, "semantics")
        check_integer(limit, "limit")
        found = self.contrasts.get(semantics)
        return [] if found is None else [each for each in found.ranked() if each[1] == each[1]][:limit]

    @cached_property
    def differences(self) -> Mapping[Any, float]:
        """Player → by how much its mean contribution differs between the two sides; empty where all agree."""
        first, second = ([self.contrasts[s] for s in side if s in self.contrasts] for side in self.sides)
        if not first or not second:
            return {}
        means = [np.mean([list(each.values()) for each in side], axis=0) for side in (first, second)]
        return dict(zip(first[0], (means[0] - means[1]).tolist(), strict=True))

    @property
    def cross_topic_difference(self) -> float:
        """The same for the effect of the two topics on each other."""
        first, second = ([self.contrasts[s] for s in side if s in self.contrasts] for side in self.sides)
        if not first or not second:
            return 0.0
        means = [float(np.mean([each.cross_topic.component for each in side])) for side in (first, second)]
        return means[0] - means[1]

    @property
    def decisive(self) -> Any | None:
        """The player with the largest difference, if that is above 0: it makes the semantics disagree most."""
        found = [(x, value) for x, value in self.differences.items() if not isnan(value) and value > TIE_TOLERANCE]
        return sort_by_size(found, lambda each: each[1])[0][0] if found else None

    def _identify(self) -> tuple[Any, ...]:
        return self.qbaf, self.fact, self.foil, self.method

    def _computed_fields(self) -> dict[str, Any]:
        return {"players": self.players.kind}


def compare_semantics(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: Sequence[str | Semantics] | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    **settings: Unpack[MethodSettings],
) -> SemanticsComparison:
    """Compare the gap of two topics and its reasons under every semantics.

    Where the order is not the same under all semantics, the player x makes them disagree by

        d(x) = mean of Φ_s(x) over s ∈ F − mean of Φ_s(x) over s ∈ G

    with F the semantics under which the gap has the highest sign, and G the others.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics.
    method, players, solver, max_steps, executor, device, progress, **settings
        As in `contributions`.
    semantics : list of str or Semantics, optional
        What to compare; all of SEMANTICS unless given.

    Returns
    -------
    SemanticsComparison
        The gap and the contributions under each semantics. One that does not allow the weights of the graph, or under
        which strengths are undefined, is listed in `refused` with the reason.

    Raises
    ------
    UnknownName
        If there is no such argument, method or semantics.
    TooLarge
        If exact Shapley values would need more than `max_evaluations`.
    InvalidInput
        If fact and foil are the same, or no semantics is given.

    Examples
    --------
    >>> from qontrast import examples
    >>> found = compare_semantics(examples.load("zebra"), "zebra", "horse")
    >>> found.agree, round(found.gaps["df-quad"], 4), round(found.gaps["qe"], 4)
    (True, 0.375, 0.25)
    """
    check_graph(qbaf)
    for topic in (fact, foil):
        qbaf.index(topic)
    if fact == foil:
        raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
    asked, report = _list_semantics(semantics), check_progress(progress)
    playing = make_players(qbaf, [fact, foil], players)
    gaps: dict[str, float] = {}
    contrasts: dict[str, Contrast] = {}
    refused: dict[str, str] = {}
    solving: dict[str, Any] = {"solver": solver, "max_steps": max_steps, "executor": executor, "device": device}
    for done, each in enumerate(asked):
        try:
            strengths = make_problem(qbaf, each, **solving).strengths()[0]
            gaps[each.name] = float(strengths[qbaf.index(fact)] - strengths[qbaf.index(foil)])
            contrasts[each.name] = contrast(
                qbaf, fact, foil, method=method, players=players, semantics=each, **solving, **settings
            )
        except (InvalidQbaf, UndefinedStrength) as error:
            refused[each.name] = error.phrase(lambda hint: None)  # ways out are for a single question
        if report:
            report(done + 1, len(asked))
    name = next((each.method for each in contrasts.values()), None)
    return SemanticsComparison(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        method=name or (method if isinstance(method, str) else type(method).__name__),
        players=playing,
        gaps=gaps,
        contrasts=contrasts,
        refused=refused,
    )


def _list_semantics(given: Iterable[str | Semantics] | None) -> list[Semantics]:
    """Look up the semantics to compare; no two have the same name."""
    if given is None:
        return list(SEMANTICS.values())
    found = [find_semantics(each) for each in check_list(given, "semantics", "names or semantics")]
    names = [each.name for each in found]
    if not found or len(set(names)) < len(names):
        raise InvalidInput(f"semantics is {names!r}; give one or more, each once")
    return found
