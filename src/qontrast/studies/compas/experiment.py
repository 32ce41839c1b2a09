"""One seed of the experiment in all its settings: train, find who flips, rank race in every explanation.

    planted 0.7, 0.5, 0.3     the bias of the paper, and weaker ones
    unmodified                the labels as they are
    shuffled                  planted at 0.7, race dealt out anew afterwards: the null

A finished seed is a small JSON file of figures; it is written whole or not at all, and never computed twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...auditing.measures import AuditQuestion, explain, find_flips, find_telling, rank
from ...networks import INPUT_METHODS, Network
from ...types import Floats
from .data import CLASSES, RACE, Table, write_whole
from .train import Recipe, train

VERSION = 1  # of what a seed's file holds
TOGETHER = 8  # seeds that are trained at once: what an interruption may lose
QUESTION = AuditQuestion("Medium", "Low", "race", INPUT_METHODS, value=1.0)


@dataclass(frozen=True)
class Setting:
    """How the labels are made."""

    name: str
    rate: float
    shuffled: bool = False


SETTINGS = (
    Setting("planted 0.7", 0.7),
    Setting("planted 0.5", 0.5),
    Setting("planted 0.3", 0.3),
    Setting("unmodified", 0.0),
    Setting("shuffled", 0.7, shuffled=True),
)


@dataclass(frozen=True)
class Outcome:
    """Figures of one network: of race, by method, individual and contrastive; nothing where nobody flips."""

    accuracy: float
    flips: int
    candidates: int
    changed: float
    rank: dict[str, list[float]] = field(default_factory=dict)
    size: dict[str, list[float]] = field(default_factory=dict)  # mean |φ|

    @property
    def rate(self) -> float:
        return self.flips / self.candidates if self.candidates else 0.0


Seed = dict[str, Any]  # {"seed": …, "outcomes": {setting: Outcome as dict}, "shown": {…}}


def split(rows: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Training rows, 64 %, and test rows, 20 %; the rest is the validation set, which nothing here needs."""
    order = rng.permutation(rows)
    test, valid = round(0.2 * rows), round(0.16 * rows)
    return order[test + valid :], order[:test]


def experiment(
    table: Table,
    seeds: Sequence[int],
    folder: Path,
    settings: Sequence[Setting] = SETTINGS,
    recipe: Recipe | None = None,
    report: Callable[[float], None] | None = None,
) -> list[Seed]:
    """Every seed, from its file where it was finished before; `report` is told how many seeds are done."""
    recipe = recipe or Recipe()
    place = folder / fingerprint(table, settings, recipe)
    found = {seed: each for seed in seeds if (each := _stored(place / f"seed-{seed:04d}.json")) is not None}
    missing = [seed for seed in seeds if seed not in found]
    for first in range(0, len(missing), TOGETHER):
        some, done = missing[first : first + TOGETHER], len(found)

        def part(share: float, done: int = done, size: int = len(some)) -> None:
            if report:
                report(done + share * size)

        for each in _seeds(table, some, settings, recipe, part):
            found[each["seed"]] = each
            write_whole(place / f"seed-{each['seed']:04d}.json", json.dumps(each))
    if report:
        report(len(found))
    return [found[seed] for seed in seeds]


def fingerprint(table: Table, settings: Sequence[Setting], recipe: Recipe) -> str:
    """A name for everything that decides the figures, so that a file of another experiment is never taken."""
    what = json.dumps([VERSION, [asdict(each) for each in settings], asdict(recipe)]).encode()
    return hashlib.sha256(what + table.features.tobytes() + table.labels.tobytes()).hexdigest()[:16]


def _stored(path: Path) -> Seed | None:
    try:
        held: Seed = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return held


def _seeds(
    table: Table, seeds: Sequence[int], settings: Sequence[Setting], recipe: Recipe, report: Callable[[float], None]
) -> list[Seed]:
    jobs, tests = [], []
    for seed in seeds:
        for setting in settings:
            rng = np.random.default_rng(seed)
            made = table.planted(setting.rate, rng)
            made = made.shuffled(rng) if setting.shuffled else made
            known, test = split(len(made), rng)
            x, y = made.scaled, made.labels
            jobs.append((x[known], np.eye(len(CLASSES))[y[known]], rng))
            tests.append((x[test], y[test]))
    measured = [measure(*each) for each in zip(train(jobs, recipe, report), tests, strict=True)]
    found = []
    for k, seed in enumerate(seeds):
        here = measured[k * len(settings) : (k + 1) * len(settings)]
        outcomes = {each.name: asdict(outcome) for each, (outcome, _) in zip(settings, here, strict=True)}
        found.append({"seed": seed, "outcomes": outcomes, "shown": here[0][1]})
    return found


def measure(network: Network, test: tuple[Floats, NDArray[np.int64]]) -> tuple[Outcome, dict[str, Any] | None]:
    """Measure one network on its test set; with it comes the instance in which the contrast lifts race most."""
    x, y = test
    flips = find_flips(network, x, y, QUESTION)
    explanations = explain(network, x[flips.rows], QUESTION)
    outcome = Outcome(
        accuracy=float(np.mean(network.predict(x) == y)),
        flips=len(flips.rows),
        candidates=flips.candidates,
        changed=flips.changed,
        rank={key: [float(rank(each)[:, RACE].mean()) for each in both] for key, both in explanations.items()},
        size={key: [float(np.abs(each[:, RACE]).mean()) for each in both] for key, both in explanations.items()},
    )
    for each in find_telling(network, x[flips.rows], flips.rows, explanations, QUESTION, 1):
        return outcome, {
            "individual": each.individual,
            "contrastive": each.contrastive,
            "ranks": [each.individual_rank, each.contrastive_rank],
            "strengths": each.strengths,
        }
    return outcome, None
