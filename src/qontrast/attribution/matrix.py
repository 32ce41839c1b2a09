"""Φ[topic, contributor]: one matrix of contributions, with what it explains and how it was made.

Every method fills it for all asked topics at once; an attribution is a row, a contrast the difference of two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..standard_errors import find_errors
from ..types import Bools, Floats, Name
from .players import Arguments, Players, PlayerValues


@dataclass(frozen=True)
class Sides:
    """The derivatives from below and from above, where they differ."""

    below: float
    above: float


@dataclass(frozen=True, eq=False)
class View(PlayerValues):
    """An array in the order of some players as a mapping from player to number, some left out."""

    players: Players
    array: Floats
    left_out: tuple[Any, ...] = ()

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.players.qbaf

    def __repr__(self) -> str:
        return repr(dict(self))


SCHEMA = Schema(
    "qontrast/contributions/1",
    {
        "topics": "the topics",
        "method": "name of the method",
        "semantics": "name of the semantics",
        "players": "who contributes: `arguments`, `edges`, `direct` (edges into the topics) or `groups`",
        "strengths": "argument → strength",
        "contributions": "topic → contributor → φ; `null` at a kink",
    },
    optional={"std_error": "topic → contributor → standard error, if values were sampled"},
    source="`contributions`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Phi(Result, schema=SCHEMA):
    """The matrix of contributions: φ_t(x) for each topic t and argument x.

    Attributes
    ----------
    problem
        The graph under a semantics, with how it is solved.
    topics
        The topics, one for each row.
    players
        Who contributes, one for each column: arguments, edges or groups.
    values
        The contributions, (topics, players); a topic's own entry is NaN.
    strengths
        The strengths of all arguments.
    method, how, evaluations
        The name of the method, how it computed, in words, and how many sub-graphs it evaluated.
    replicates
        Where values were sampled, deviations (replicates, topics, players) whose squares add up to the variance, of φ
        and of any difference of two φ alike.
    playing
        Where values were sampled, who plays in the game of each topic, (topics, players): the others contribute
        exactly 0. `std_error` of those who play has a floor, for what the sample may have missed.
    sides, kinks
        The one-sided derivatives at kinks by (topic, contributor), and the arguments where they arise.

    Examples
    --------
    >>> from qontrast import contributions
    >>> q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")])
    >>> contributions(q, ["t"], method="removal", semantics="df-quad").values.tolist()
    [[0.25, nan]]
    """

    problem: Problem
    topics: tuple[Name, ...]
    players: Players
    values: Floats
    strengths: Floats
    method: str
    how: str  # how it was computed, in words
    evaluations: int
    replicates: Floats | None = None
    playing: Bools | None = None
    sides: Mapping[tuple[Name, Any], Sides] = field(default_factory=dict)
    kinks: tuple[Name, ...] = ()

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.problem.qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.problem.semantics.name

    @property
    def contributions(self) -> Mapping[Name, Mapping[Any, float]]:
        """Topic → contributor → φ; a topic is none of its own contributors."""
        return {topic: self.view(self.row(topic), topic) for topic in self.topics}

    def row(self, topic: Name) -> Floats:
        """Return the contributions to one topic.

        Parameters
        ----------
        topic : str or int
            One of `topics`.

        Returns
        -------
        array
            In the order of `players`; the topic's own entry is NaN.

        Raises
        ------
        ValueError
            If it is no topic of this matrix.

        Examples
        --------
        >>> from qontrast import contributions
        >>> q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")], semantics="df-quad")
        >>> contributions(q, ["t"]).row("t").tolist()
        [0.25, nan]
        """
        return self.values[self.topics.index(topic)]

    def _computed_fields(self) -> dict[str, Any]:
        errors = None
        if self.replicates is not None:
            found = ((topic, self.std_error(topic)) for topic in self.topics)
            errors = {topic: self.view(each, topic) for topic, each in found if each is not None}
        return {
            "players": self.players.kind,
            "strengths": View(Arguments(self.qbaf), self.strengths),
            "std_error": errors,
        }

    def view(self, array: Floats, *topics: Name) -> View:
        """Make a mapping from player to number of an array in the order of `players`.

        Parameters
        ----------
        array : array
            One number for each player.
        *topics : str or int
            What is left out, where it is among the players.

        Returns
        -------
        mapping
        """
        return View(self.players, array, tuple(self.players.find_topics(topics)))

    def std_error(self, fact: Name, foil: Name | None = None) -> Floats | None:
        """Compute the standard errors of φ_fact, or of φ_fact − φ_foil.

        Parameters
        ----------
        fact : str or int
            A topic.
        foil : str or int, optional
            Another topic.

        Returns
        -------
        array or None
            In the order of `players`; None where nothing was sampled.

        Raises
        ------
        ValueError
            If one of them is no topic of this matrix.

        Examples
        --------
        >>> from qontrast import contributions
        >>> q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")])
        >>> contributions(q, ["t"], method="sampled", budget=20).std_error("t").round(6).tolist()
        [0.0, nan]
        >>> contributions(q, ["t"], method="shapley").std_error("t") is None
        True
        """
        if self.replicates is None:
            return None
        rows = [self.topics.index(topic) for topic in (fact, foil) if topic is not None]
        deviations = self.replicates[:, rows[0]]
        if foil is not None:
            deviations = deviations - self.replicates[:, rows[1]]
        sampled = np.zeros(len(self.players), bool) if self.playing is None else self.playing[rows].any(axis=0)
        variances = np.square(deviations).sum(axis=0)
        return find_errors(variances, len(deviations), sampled & ~np.isnan(variances))


def make_phi(
    problem: Problem,
    topics: tuple[Name, ...],
    values: Floats,
    strengths: Floats,
    method: str,
    how: str,
    evaluations: int,
    players: Players | None = None,
    replicates: Floats | None = None,
    playing: Bools | None = None,
    **more: Any,
) -> Phi:
    """Make Φ of values in which each topic's own entry becomes NaN."""
    players = Arguments(problem.qbaf) if players is None else players
    own = [players.index(topic) for topic in players.find_topics(topics)]
    values[np.arange(len(own)), own] = np.nan
    if replicates is not None:
        replicates[:, np.arange(len(own)), own] = np.nan
    return Phi(
        problem=problem,
        topics=topics,
        players=players,
        replicates=replicates,
        playing=playing,
        values=values,
        strengths=strengths,
        method=method,
        how=how,
        evaluations=evaluations,
        **more,
    )
