"""Train again with several seeds, as it is and as a null, and ask every network the same question.

In the null the protected attribute is shuffled before training, so that whatever its networks show about it is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..networks import Network, from_model
from ..settings import wrap_failures
from ..types import Floats
from .measures import AuditQuestion, explain, find_column, find_flips, find_labels, rank

Trainer = Callable[[Floats, Any, int], Any]  # (X, y, seed) → a model


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

    def rank(self, method: str) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """Return (mean, least, largest) of the individual and of the contrastive rank; None if no seed has a flip."""
        found = np.array([run.ranks[method] for run in self.runs if method in run.ranks])
        if not len(found):
            return None
        one, two = (tuple(float(f(each)) for f in (np.mean, np.min, np.max)) for each in found.T)
        return (one[0], one[1], one[2]), (two[0], two[1], two[2])

    def to_dict(self, methods: Sequence[str]) -> dict[str, Any]:
        names = ("mean", "least", "largest")
        ranks = {}
        for method in methods:
            found = self.rank(method)
            if found is not None:
                ranks[method] = {
                    kind: dict(zip(names, each, strict=True))
                    for kind, each in zip(("individual_rank", "contrastive_rank"), found, strict=True)
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
    like: Network,
    data: tuple[Floats, Any],
    training: tuple[Floats, Any],
    question: AuditQuestion,
    seeds: Sequence[int],
    shuffle: bool,
    progress: Callable[[], None],
) -> Runs:
    """Train once per seed, with the attribute shuffled if `shuffle` says so, and ask each network."""
    place, found = find_column(like, question.protected), []
    for seed in seeds:
        x, known = data[0].copy(), training[0].copy()
        if shuffle:
            rng = np.random.default_rng(seed)
            same = training[0] is data[0]
            x[:, place] = rng.permutation(x[:, place])
            known[:, place] = x[:, place] if same else rng.permutation(known[:, place])
        with wrap_failures(f"trainer(X, y, {seed})", "give a function (X, y, seed) → a model"):
            model = trainer(known, training[1], seed)
        network = _read_model(model, like)
        found.append(_ask(network, x, find_labels(network, data[1]), question, seed))
        progress()
    return Runs(tuple(found))


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


def _ask(network: Network, x: Floats, labels: NDArray[np.intp], question: AuditQuestion, seed: int) -> Run:
    flips, place = find_flips(network, x, labels, question), find_column(network, question.protected)
    ranks = {
        method: (float(rank(individual)[:, place].mean()), float(rank(contrastive)[:, place].mean()))
        for method, (individual, contrastive) in explain(network, x[flips.rows], question).items()
    }
    return Run(seed, len(flips.rows), flips.candidates, flips.changed, ranks)
