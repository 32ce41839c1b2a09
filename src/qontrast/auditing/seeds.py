"""The same question of many networks: one per seed, and the null, trained with the protected attribute shuffled.

The null says what a rank is worth: whatever a network shows about an attribute that was dealt out at random, it
shows by chance.
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
from .prominence import Question, column, flips, labelled, table

Trainer = Callable[[Floats, Any, int], Any]  # (X, y, seed) → a model


@dataclass(frozen=True)
class Run:
    """What one seed gave of the protected attribute; ranks are empty where nobody flips."""

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
    """Over seeds: means and ranges, over the seeds in which somebody flips where ranks are concerned."""

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
        """(mean, least, largest) of the individual and of the contrastive rank; None if no seed has a flip."""
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


def repeat(
    trainer: Trainer,
    like: Network,
    data: tuple[Floats, Any],
    training: tuple[Floats, Any],
    question: Question,
    seeds: Sequence[int],
    shuffle: bool,
    progress: Callable[[], None],
) -> Runs:
    """Train once per seed, with the attribute shuffled if that is asked, and put the question to each network."""
    place, quick, found = column(like, question.protected), replace(question, draws=0), []
    for seed in seeds:
        x, known = data[0].copy(), training[0].copy()
        if shuffle:
            rng = np.random.default_rng(seed)
            same = training[0] is data[0]
            x[:, place] = rng.permutation(x[:, place])
            known[:, place] = x[:, place] if same else rng.permutation(known[:, place])
        with wrap_failures(f"trainer(X, y, {seed})", "give a function (X, y, seed) → a model"):
            model = trainer(known, training[1], seed)
        network = _network(model, like)
        found.append(_run(network, x, labelled(network, data[1]), quick, seed))
        progress()
    return Runs(tuple(found))


def _network(model: Any, like: Network) -> Network:
    """What the trainer gave, read as the audited network is; classes keep the model's own order where it has one."""
    settings: dict[str, Any] = {"readout": like.readout, "as_function": like.as_function}
    if isinstance(model, Network):
        network = replace(model, **settings)
    else:
        own = [str(each) for each in getattr(model, "classes_", ())]
        names = own if set(own) == set(like.classes) else like.classes
        network = from_model(model, inputs=like.inputs, classes=names, **settings)
    if network.inputs != like.inputs or set(network.classes) != set(like.classes):
        raise InvalidInput(
            f"the trainer gave a network of {', '.join(network.inputs)} → {', '.join(network.classes)}; "
            f"expected {', '.join(like.inputs)} → {', '.join(like.classes)}"
        )
    return network


def _run(network: Network, x: Floats, labels: NDArray[np.intp], question: Question, seed: int) -> Run:
    who = flips(network, x, labels, question)
    ranks = {
        method: (each[question.protected].individual_rank.mean, each[question.protected].contrastive_rank.mean)
        for method, each in table(network, x[who.rows], question).items()
    }
    return Run(seed, len(who.rows), who.candidates, who.changed, ranks)
