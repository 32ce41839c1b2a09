"""Train again with several seeds, as it is and as a null, and ask every network the same question.

In the null the protected attribute is shuffled before training, so that whatever its networks show about it is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.backend import run_tasks
from ..errors import InvalidInput
from ..networks import Network, from_model
from ..settings import check_function, check_integer, check_list, wrap_failures
from ..types import Floats, Progress
from .measures import AuditQuestion, explain, find_flips, find_labels, rank

if TYPE_CHECKING:
    from concurrent.futures import Executor

Trainer = Callable[[Floats, Any, int], Any]  # (X, y, seed) → a model
Spread = tuple[float, float, float]  # mean, least, largest


@dataclass(frozen=True)
class Run:
    """Figures of the protected attribute for one seed; ranks are empty where nobody flips."""

    seed: int
    flips: int
    candidates: int
    changed: float
    ranks: dict[str, tuple[float, float]]  # by method: individual, contrastive

    @property
    def rate(self) -> float:
        return self.flips / self.candidates if self.candidates else 0.0


@dataclass(frozen=True)
class Runs:
    """Means and ranges over seeds; those of ranks are over the seeds in which somebody flips."""

    runs: tuple[Run, ...]

    @property
    def rate(self) -> float:
        return float(np.mean([run.rate for run in self.runs]))

    @property
    def changed(self) -> float:
        return float(np.mean([run.changed for run in self.runs]))

    @property
    def without_flips(self) -> int:
        return sum(not run.flips for run in self.runs)

    def rank(self, method: str) -> tuple[Spread, Spread] | None:
        """Return (mean, least, largest) of the individual and of the contrastive rank; None if no seed has a flip."""
        found = np.array([run.ranks[method] for run in self.runs if method in run.ranks])
        if not len(found):
            return None
        one, two = ((float(each.mean()), float(each.min()), float(each.max())) for each in found.T)
        return one, two

    def to_dict(self, methods: Sequence[str]) -> dict[str, Any]:
        kinds, names = ("individual_rank", "contrastive_rank"), ("mean", "least", "largest")
        ranks = {
            method: {kind: dict(zip(names, each, strict=True)) for kind, each in zip(kinds, found, strict=True)}
            for method in methods
            if (found := self.rank(method)) is not None
        }
        return {
            "seeds": [run.seed for run in self.runs],
            "flips": [run.flips for run in self.runs],
            "flip_rate": self.rate,
            "changed": self.changed,
            "without_flips": self.without_flips,
            "ranks": ranks,
        }


def train_again(
    trainer: Trainer,
    network: Network,
    x: Floats,
    y: Any,
    train: tuple[Any, Any] | None,
    question: AuditQuestion,
    seeds: Sequence[int] | int,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[Runs, Runs]:
    """Train once per seed and ask each network, as it is and with the attribute shuffled."""
    if y is None:
        raise InvalidInput("a trainer needs labels; give y, one per row")
    numbers = list(range(seeds)) if isinstance(seeds, int) else check_list(seeds, "seeds", "whole numbers")
    if not numbers:
        raise InvalidInput("a trainer needs at least one seed")
    for number in numbers:
        check_integer(number, "one of seeds")
    check_function(trainer, "trainer", "(X, y, seed) → a model", 3)
    known, known_y = (x, y) if train is None else (network.to_rows(train[0]), train[1])
    place, labels = network.inputs.index(question.protected), np.asarray(y)
    found: list[Run] = []
    cases = [(seed, False) for seed in numbers] + [(seed, True) for seed in numbers]
    data = (_shuffle(x, known, place, seed) if shuffled else (x, known) for seed, shuffled in cases)
    tasks = (
        (trainer, network, rows, labels, learnt, known_y, question, seed)
        for (rows, learnt), (seed, _) in zip(data, cases, strict=True)
    )
    for run in run_tasks(executor, _train_and_ask, tasks):
        found.append(run)
        if progress:
            progress(len(found), 2 * len(numbers))
    return Runs(tuple(found[: len(numbers)])), Runs(tuple(found[len(numbers) :]))


def _train_and_ask(
    trainer: Trainer,
    network: Network,
    rows: Floats,
    labels: Any,
    learnt: Floats,
    known_y: Any,
    question: AuditQuestion,
    seed: int,
) -> Run:
    """Train with one seed, and ask the network."""
    with wrap_failures(f"trainer(X, y, {seed})", "give a function (X, y, seed) → a model"):
        model = trainer(learnt.copy(), known_y, seed)
    return _ask(_read_model(model, network), rows, labels, question, seed)


def _shuffle(x: Floats, known: Floats, place: int, seed: int) -> tuple[Floats, Floats]:
    """Shuffle a column of the audited rows and of those to train on; the same way where they are the same."""
    rng = np.random.default_rng(seed)
    rows, learnt = x.copy(), known.copy()
    rows[:, place] = rng.permutation(x[:, place])
    learnt[:, place] = rows[:, place] if known is x else rng.permutation(known[:, place])
    return rows, learnt


def _read_model(model: Any, like: Network) -> Network:
    """Read what the trainer gave as the audited network is read; classes keep the model's own order."""
    if isinstance(model, Network):
        network = replace(model, readout=like.readout, as_function=like.as_function)
    else:
        own = [str(each) for each in getattr(model, "classes_", ())]
        names = own if set(own) == set(like.classes) else like.classes
        network = from_model(
            model, inputs=like.inputs, classes=names, readout=like.readout, as_function=like.as_function
        )
    if network.inputs != like.inputs or set(network.classes) != set(like.classes):
        raise InvalidInput(
            f"the trainer gave a network of {', '.join(network.inputs)} → {', '.join(network.classes)}; "
            f"expected {', '.join(like.inputs)} → {', '.join(like.classes)}"
        )
    return network


def _ask(network: Network, x: Floats, y: Any, question: AuditQuestion, seed: int) -> Run:
    flips = find_flips(network, x, find_labels(network, y), question)
    place = network.inputs.index(question.protected)
    ranks = {
        method: (float(rank(individual)[:, place].mean()), float(rank(contrastive)[:, place].mean()))
        for method, (individual, contrastive) in explain(network, x[flips.rows], question).items()
    }
    return Run(seed, len(flips.rows), flips.candidates, flips.changed, ranks)
