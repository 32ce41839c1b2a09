"""Count what a method has to compute before it begins; warn where that takes long, and refuse what takes too long.

The unit is an *update*: one argument or one edge of one sub-graph, computed once. A sub-graph costs an update for each
of its arguments and edges, times the steps that the whole graph takes where it has cycles. Solving lanes side by side
visits every group of arguments once for a block of lanes, and a visit has a price of its own: deep graphs have many
groups. A count is what is needed at most; it does not depend on the machine, and neither does what is refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from ..engine.problem import Problem
from ..errors import Hint, InvalidInput, SlowWarning, TooLarge, count, quote_names
from ..settings import check_number, setting
from ..types import Name

if TYPE_CHECKING:
    from .methods import MethodEntry
    from .players import Players

SECONDS_PER_UPDATE = 1e-8  # 4 to 22 ns, from stars to random graphs of 100 to 100,000 arguments, on one core
UPDATES_PER_VISIT = 1_000  # of a group of arguments, whatever it holds: 10 to 14 µs
UPDATES_PER_COALITION = 2  # of the walk through all coalitions: 9 to 18 ns
UPDATES_PER_COMPILED_NUMBER = 60  # to make a graph anew and to solve it alone: 250 to 900 ns
SPEED_OF_DEVICE = 20  # lanes that a GPU solves while the CPU solves one: 19 to 53
MAX_ARGUMENTS_UNSORTED = 1_000  # up to here, every argument is taken for a group: sorting them would cost more
WARN_ABOVE = 10**9  # updates: 10 seconds
MAX_MINUTES = 5.0  # of work that is begun, unless the user allows more


@dataclass(frozen=True)
class Cost:
    """What a method needs at most: sub-graphs that are evaluated, and updates of one argument or edge in them."""

    evaluations: int
    updates: float
    about: str = ""  # "about" where the number is an estimate, "at least" where counting was stopped

    @property
    def seconds(self) -> float:
        """How long that takes on one core, within a factor of three or so."""
        return self.updates * SECONDS_PER_UPDATE


def limit_minutes() -> Any:
    """Declare the setting `max_minutes` of a method."""
    return setting(MAX_MINUTES, "Refuse work that takes longer than this by its own count, made before it begins.")


def find_max_updates(max_minutes: float | None) -> float:
    """How many updates may be done in so many minutes.

    >>> find_max_updates(5.0), find_max_updates(None)
    (30000000000.0, inf)
    """
    if max_minutes is None:
        return inf
    return check_number(max_minutes, "max_minutes", "give a number above 0, or None", above=0) * 60 / SECONDS_PER_UPDATE


def find_steps(problem: Problem) -> int:
    """The steps that one lane takes: those of the whole graph, which are known from its strengths."""
    return 1 if problem.qbaf.structure.acyclic else int(problem.solution.steps[0])


def count_lanes(problem: Problem, lanes: int, steps: int) -> float:
    """Count the updates that it takes to solve so many lanes, each in so many steps."""
    qbaf = problem.qbaf
    updates = float(lanes * (len(qbaf) + len(qbaf.weights)))
    groups = len(qbaf) if len(qbaf) <= MAX_ARGUMENTS_UNSORTED else len(problem.arrays.bounds)
    block = problem.lanes_per_block
    if problem.device != "cpu":
        updates, block = updates / SPEED_OF_DEVICE, problem.lanes_per_task
    visits = groups * -(-lanes // block)
    return steps * (updates + UPDATES_PER_VISIT * visits)


def count_alone(problem: Problem, graphs: int, steps: int) -> float:
    """Count the updates that it takes to make so many graphs of this size, and to solve each of them alone."""
    size = len(problem.qbaf) + len(problem.qbaf.weights)
    return float(graphs * (UPDATES_PER_COMPILED_NUMBER + steps) * size)


def add_costs(costs: Iterable[Cost]) -> Cost:
    """Add up the costs of the games of several topics."""
    every = list(costs)
    about = next((word for word in ("at least", "about") if any(each.about == word for each in every)), "")
    return Cost(sum(each.evaluations for each in every), sum(each.updates for each in every), about)


def check_cost(
    run: Any, methods: Mapping[str, MethodEntry], problem: Problem, topics: tuple[Name, ...], players: Players
) -> None:
    """Count what a method needs; raise TooLarge above `max_minutes`, and warn above WARN_ABOVE.

    The ways out that are named are the other methods that need less by their own count, and `max_minutes` itself.
    """
    limit = find_max_updates(run.max_minutes)
    if problem.solution.moving[0]:  # undefined: the method says where
        return
    name = next(name for name, entry in methods.items() if isinstance(run, entry.make))
    try:
        cost = run.count(problem, topics, players)
    except TooLarge as error:
        if any(hint.setting == "method" for hint in error.hints):
            raise
        quicker = _find_quicker(name, methods, problem, topics, players, min(limit, find_max_updates(MAX_MINUTES)))
        error.hints = (*_hint_methods(quicker), *error.hints)
        raise
    if cost.updates <= min(WARN_ABOVE, limit):
        return
    most = min(cost.updates / 2, limit, find_max_updates(MAX_MINUTES))  # what takes nearly as long is no way out
    hints = _hint_methods(_find_quicker(name, methods, problem, topics, players, most))
    what = f"method {name!r} for {quote_names(topics, 3)} over {count(len(players), players.noun)}"
    warn_or_refuse(what, cost, limit, hints)


def warn_or_refuse(what: str, cost: Cost, limit: float, hints: Iterable[Hint]) -> None:
    """Raise TooLarge above the limit of updates; warn above WARN_ABOVE."""
    if cost.updates <= min(WARN_ABOVE, limit):
        return
    number = f"{cost.evaluations:,}" if cost.evaluations < 10**15 else f"2^{cost.evaluations.bit_length() - 1}"
    needs = f"{cost.about} {number}".lstrip()
    message = f"{what} needs {needs} evaluations, {cost.about or 'about'} {_write_time(cost.seconds)}"
    if cost.updates > limit:
        allowed = _write_time(limit * SECONDS_PER_UPDATE)
        raise TooLarge(f"{message} (limit {allowed})", hints=[*hints, Hint("max_minutes", raised=True)])
    warnings.warn(SlowWarning(message, hints=hints), stacklevel=5)


def _hint_methods(names: tuple[str, ...]) -> list[Hint]:
    return [Hint("method", names)] if names else []


def _find_quicker(
    name: str,
    methods: Mapping[str, MethodEntry],
    problem: Problem,
    topics: tuple[Name, ...],
    players: Players,
    limit: float,
) -> tuple[str, ...]:
    """The methods that need at most so many updates, the cheapest first; of the same kind, if there are any."""
    found: dict[str, float] = {}
    for other, entry in methods.items():
        if other != name and players.kind in entry.players:
            try:
                updates = entry.make().count(problem, topics, players).updates  # type: ignore[attr-defined]
            except (TooLarge, InvalidInput):
                continue
            if updates <= limit:
                found[other] = updates
    alike = [other for other in found if methods[other].kind == methods[name].kind]
    return tuple(sorted(alike or found, key=found.__getitem__))


def _write_time(seconds: float) -> str:
    """Write a time in the largest unit that it fills.

    >>> _write_time(12.3), _write_time(61), _write_time(9000), _write_time(1e6), _write_time(1e40)
    ('12 seconds', '1 minute', '2 hours', '12 days', 'years')
    """
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return "years" if seconds >= 365 * 86_400 else count(round(seconds / length), unit)
    return count(max(1, round(seconds)), "second")
