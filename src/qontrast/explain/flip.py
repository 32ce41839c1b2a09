"""The other half of a contrastive question: what would have to change for the foil to win?

Two answers: a small change of base scores (`search`), and a small set of arguments whose removal does it (`removal`).
Both are verified by solving the changed graph. The first is the smallest that was found from several starts; the
second is proved smallest where all smaller sets were examined. The result says what was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any

import numpy as np

from ..engine.problem import MAX_STEPS, problem
from ..errors import InvalidInput
from ..explain.wording import called, number
from ..graph.qbaf import Qbaf
from ..progress import shown
from ..results.base import Result, Schema
from ..semantics import Semantics
from ..settings import listed, real
from ..types import Integers, Name, Progress
from .flip_removal import RemovalSearch
from .flip_search import NORMS, ScoreSearch
from .flip_trials import Trials

MAX_NAMED = 5  # changes named in the sentence
MARGIN = 1e-6  # so that the foil is ahead, and not only level up to rounding
TIME_LIMIT = 30.0  # seconds
ROUNDING = 1e-6  # of the last printed digit: 0.30000000000000004 is 0.300, not 0.301


SCHEMA = Schema(
    "qontrast/flip/1",
    {
        "fact": "the topic that is ahead",
        "foil": "the topic that is to win",
        "semantics": "name of the semantics",
        "gap": "σ(fact) − σ(foil)",
        "move_topics": "whether the base scores of the two topics were free to change",
        "time_limit": "seconds, or `null` for none",
        "evaluations": "how many graphs were solved",
        "base_scores": "`change` (argument → `from`, `to`; `null` if none was found), `norm`, `cost`, `gap` after it "
        "or the least that was found, `movable` (how many base scores may change), `stopped` (by the time limit)",
        "removal": "`arguments` (`null` if none were found), `gap`, `removable` (how many arguments may be removed), "
        "`examined` (no set of up to so many does it), `proved_smallest` (no smaller set does it; or, with `null`, no "
        "set at all), `stopped`",
    },
    source="`flip`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Flip(Result, schema=SCHEMA):
    """What would make the foil win, and what was tried to find it. An answer that was not found is None.

    `change` maps arguments to (old, new) base score at `cost`. `removal` names arguments to remove; `proved` says that
    no smaller set does it or, where `removal` is None, that no set does. No set of up to `examined` of the `removable`
    arguments does it; larger ones were searched one argument at a time. `change_stopped` and `removal_stopped` say
    that the time limit ended a search early.
    """

    qbaf: Qbaf = field(repr=False)
    fact: Name
    foil: Name
    gap: float
    change: Mapping[Name, tuple[float, float]] | None
    cost: float | None
    change_gap: float  # σ(fact) − σ(foil) after the change, or the least that was found
    movable: int  # how many base scores were free to change
    removal: tuple[Name, ...] | None
    removal_gap: float
    removable: int
    examined: int
    proved: bool
    norm: str
    semantics: str
    move_topics: bool
    time_limit: float | None
    change_stopped: bool = False
    removal_stopped: bool = False
    evaluations: int = 0  # graphs that were solved

    @property
    def stopped(self) -> bool:
        """Whether the time limit ended the search early."""
        return self.change_stopped or self.removal_stopped

    def changed(self) -> Qbaf:
        """The graph with the changed base scores."""
        if self.change is None:
            raise InvalidInput(f"no change of base scores was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.with_base_scores({name: new for name, (_, new) in self.change.items()})

    def removed(self) -> Qbaf:
        """The graph without the removed arguments."""
        if self.removal is None:
            raise InvalidInput(f"no removal was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.without(*self.removal)

    def __str__(self) -> str:
        fact, foil = called(self.qbaf, self.fact), called(self.qbaf, self.foil)
        if self.gap <= -MARGIN:
            return f"{foil} is ahead of {fact} already, by {number(-self.gap)}; nothing has to change."
        return " ".join((self._describe_change(fact, foil), self._describe_removal(foil), *self._describe_stop()))

    def _describe_change(self, fact: str, foil: str) -> str:
        if self.change is not None:
            cost = "" if len(self.change) == 1 else f" ({COSTS[self.norm].format(number(self._printed_cost()))})"
            return f"{foil} would win if {self._moves()}{cost}."
        if not self.movable:
            return f"Every argument that matters to {fact} and {foil} keeps its base score, so there is none to change."
        return f"No change of base scores was found that makes {foil} win over {fact}; {_found(self.change_gap)}."

    def _moves(self) -> str:
        """`the base score of A rose from 0.200 to 0.300 and that of B fell from 0.500 to 0.400`."""
        moves = [
            f"{'that' if k else 'the base score'} of {called(self.qbaf, x)} {'rose' if new > old else 'fell'} "
            f"from {' to '.join(_write_move(old, new))}"
            for k, (x, (old, new)) in enumerate((self.change or {}).items())
        ]
        more = len(moves) - MAX_NAMED
        return _list(moves if more <= 0 else [*moves[:MAX_NAMED], f"{more} more moved by less"])

    def _printed_cost(self) -> float:
        """The cost of the scores as they are printed, where all are; else the cost that was found."""
        change = self.change or {}
        if len(change) > MAX_NAMED:
            return self.cost or 0.0
        moves = [_write_move(old, new) for old, new in change.values()]
        return float(np.linalg.norm([float(new) - float(old) for old, new in moves], NORMS[self.norm]))

    def _describe_removal(self, foil: str) -> str:
        if self.removal is not None:
            subject = f"{foil} would win" if self.change is None else "It would also win"
            return f"{subject} without {_list([called(self.qbaf, x) for x in self.removal])}{self._smaller()}."
        if not self.removable:
            return "There is no argument that could be removed."
        if self.proved and abs(self.removal_gap) < MARGIN:
            return "Removing arguments brings the two level at best."
        if self.proved:
            return f"Removing arguments does not do it; the gap stays at least {number(self.removal_gap)}."
        text = "No set of arguments was found whose removal does it"
        if self.examined:
            text = f"No set of up to {_count(self.examined)} does it by being removed"
        if not self.removal_stopped:
            text += f"; {'larger sets' if self.examined else 'sets'} were searched step by step, without success"
        return f"{text}; {_found(self.removal_gap)}."

    def _smaller(self) -> str:
        """What is known about smaller sets than the one that was found."""
        if self.removal is None or len(self.removal) < 2:
            return ""
        if self.proved:
            return "; no smaller set does it"
        examined = f"no set of up to {_count(self.examined)} does it, and " if self.examined else ""
        return f"; {examined}{'larger' if self.examined else 'smaller'} sets were not all examined"

    def _describe_stop(self) -> list[str]:
        if not self.stopped:
            return []
        parts = [name for name, cut in (("changes", self.change_stopped), ("removals", self.removal_stopped)) if cut]
        seconds = self.time_limit
        if seconds is not None and not self.removal_stopped:
            seconds /= 2  # the share of the changes
        limit = "" if seconds is None else f" of {seconds:g} s"
        return [f"The search for {' and '.join(parts)} was stopped by its time limit{limit}; better answers may exist."]

    @property
    def method(self) -> None:
        """None: nothing is attributed."""
        return None

    def _computed_fields(self) -> dict[str, Any]:
        change = None if self.change is None else {x: {"from": a, "to": b} for x, (a, b) in self.change.items()}
        return {
            "base_scores": {
                "change": change,
                "norm": self.norm,
                "cost": self.cost,
                "gap": self.change_gap,
                "movable": self.movable,
                "stopped": self.change_stopped,
            },
            "removal": {
                "arguments": self.removal,
                "gap": self.removal_gap,
                "removable": self.removable,
                "examined": self.examined,
                "proved_smallest": self.proved,
                "stopped": self.removal_stopped,
            },
        }


COSTS = {"l1": "{} in all", "l2": "{} in Euclidean length"}


def _write_move(old: float, new: float) -> tuple[str, str]:
    """Write two base scores with as many digits as it takes to tell them apart.

    The new one is rounded away from the old one, so that the change that is read is enough for the foil to win.

    >>> _write_move(0.5, 0.0909), _write_move(0.5, 0.6871), _write_move(0.6, 0.600012)
    (('0.500', '0.090'), ('0.500', '0.688'), ('0.60000', '0.60002'))
    """
    digits = next((k for k in range(3, 9) if f"{old:.{k}f}" != f"{new:.{k}f}"), 9)
    unit = 10.0**-digits
    steps = ceil(new / unit - ROUNDING) if new > old else floor(new / unit + ROUNDING)
    return f"{old:.{digits}f}", f"{steps * unit:.{digits}f}"


def _found(gap: float) -> str:
    return "the best that was found is a tie" if abs(gap) < MARGIN else f"the smallest gap found is {number(gap)}"


def _count(size: int) -> str:
    return "1 argument" if size == 1 else f"{size} arguments"


def _list(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def flip(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    progress: Progress | bool | None = None,
    fixed: Iterable[Name] = (),
    move_topics: bool = False,
    norm: str = "l1",
    margin: float = MARGIN,
    time_limit: float | None = TIME_LIMIT,
) -> Flip:
    """Find what would have to change for the foil to win: base scores, or arguments to remove.

    Parameters
    ----------
    qbaf, fact, foil, semantics, solver, max_steps
        The question, as in `contrast`.
    fixed
        Arguments that keep their base score and are not removed.
    move_topics
        Whether the base scores of fact and foil may change too.
    norm
        How a change of base scores is measured: `"l1"`, the sum of all changes, or `"l2"`, their Euclidean length.
    margin
        By how much the foil has to be ahead.
    time_limit
        Seconds for the whole search, half of them for base scores; None means no limit. When they have passed, the
        best answer so far is given, and the result says that the search was stopped.
    progress
        True for a bar on a terminal, or a function of (done, total).

    Returns
    -------
    Flip
        What was found, verified by solving the changed graph, and what was tried. "Not found" does not mean
        "impossible", unless `proved` says so.

    Raises
    ------
    UndefinedStrength
        The graph itself has no strengths.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")], attacks=[("x", "p")])
    >>> print(flip(q, "q", "p", semantics="df-quad"))
    p would win if the base score of x fell from 0.500 to 0.090. It would also win without x.
    """
    held_names = listed(fixed, "fixed")
    if not isinstance(norm, str) or norm not in NORMS:
        raise InvalidInput(f"norm is one of {', '.join(NORMS)}, not {norm!r}")
    if not 0 < real(margin, "margin", "give a number between 0 and 1") < 1:
        raise InvalidInput(f"margin is {margin!r}; give a number between 0 and 1")
    if not isinstance(move_topics, bool):
        raise InvalidInput(f"move_topics is {move_topics!r}; give True or False")
    if time_limit is not None:
        way = "give seconds above 0, or None for no limit"
        if not real(time_limit, "time_limit", way) > 0:
            raise InvalidInput(f"time_limit is {time_limit!r}; {way}")
    asked, held = problem(qbaf, semantics, solver, max_steps), {qbaf.index(name) for name in held_names}
    with shown(progress, "flip") as report:
        trials = Trials(asked, fact, foil, NORMS[norm], margin, time_limit, report)
        near = [i for i in np.flatnonzero(qbaf.structure.ancestors(trials.pair)).tolist() if i not in held]
        players = [i for i in near if i not in trials.pair]
        movers = np.array(near if move_topics else players, np.intp)
        return _search(trials, movers, players, norm, move_topics)


def _search(trials: Trials, movers: Integers, players: list[int], norm: str, move_topics: bool) -> Flip:
    qbaf, names = trials.problem.qbaf, trials.problem.qbaf.arguments
    scores, removal = ScoreSearch(trials, movers), RemovalSearch(trials, players)
    if trials.gap <= -trials.margin:
        trials.best, trials.best_cost, trials.least_gap = trials.base, 0.0, trials.gap
        removal.found, removal.gap = (), trials.gap
    else:
        trials.deadline = 0.5  # of the time limit; the removals get the rest
        scores.run()
        trials.deadline = 1.0
        removal.run()
    moves, gap = None, trials.least_gap
    if trials.best is not None:
        size = np.abs(trials.best - trials.base)
        moved = [int(i) for i in np.argsort(-size, kind="stable") if size[i]]
        moves = {names[i]: (float(trials.base[i]), float(trials.best[i])) for i in moved}
        gap = trials.best_gap
    fact, foil = trials.topics
    return Flip(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        gap=trials.gap,
        change=moves,
        cost=None if moves is None else trials.best_cost,
        change_gap=gap,
        movable=len(movers),
        removal=None if removal.found is None else tuple(names[i] for i in removal.found),
        removal_gap=removal.gap,
        removable=len(players),
        examined=removal.examined,
        proved=removal.proved,
        norm=norm,
        semantics=trials.problem.semantics.name,
        move_topics=move_topics,
        time_limit=trials.time_limit,
        change_stopped=scores.stopped,
        removal_stopped=removal.stopped,
        evaluations=trials.evaluations,
    )
