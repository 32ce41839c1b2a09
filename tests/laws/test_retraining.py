"""An audit that trains again: what each training is given, told and counted, and that a seed decides it alone."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from qontrast import InvalidInput
from qontrast.auditing import retraining
from qontrast.auditing.audit import audit
from qontrast.networks import Network, from_arrays
from qontrast.types import Floats

X = np.column_stack([np.tile([0.0, 1.0, 1.0, 0.0], 6), np.linspace(0.0, 0.45, 24), np.linspace(1, 0, 24) ** 2])
Y = ["Medium" if row[0] else "Low" for row in X]
QUESTION: dict[str, Any] = {"fact": "Medium", "foil": "Low", "protected": "race", "methods": ["removal", "gradient"]}


def make_network(bias: float, inputs: tuple[str, ...] = ("race", "age", "priors")) -> Network:
    """Race decides between the two classes as far as `bias` says."""
    weights = np.array([[-bias, bias], [0.3, -0.2], [-0.4, 0.6]])
    return from_arrays([weights], [[0.1, -0.1]], inputs=list(inputs), classes=["Low", "Medium"])


def learn(x: Floats, y: Any, seed: int) -> Network:
    """How well race tells the labels is what the network learns of it."""
    labels = np.asarray(y) == "Medium"
    return make_network(float(x[labels, 0].mean() - x[~labels, 0].mean()) * (2 + seed))


def test_the_same_seeds_give_the_same_runs_and_the_null_is_shuffled_by_the_seed_alone() -> None:
    one, other = (audit(make_network(4), X, **QUESTION, y=Y, trainer=learn, seeds=[5, 2, 5]) for _ in range(2))
    assert one.runs == other.runs
    assert one.null == other.null
    assert one.runs is not None
    assert one.null is not None
    assert one.null.runs[0] == one.null.runs[2] != one.null.runs[1]
    assert [run.seed for run in one.runs.runs] == [run.seed for run in one.null.runs] == [5, 2, 5]


@pytest.mark.parametrize("seeds", [1, 3, [7, 8]])
def test_the_progress_counts_every_training_with_and_without_the_attribute(seeds: Any) -> None:
    told: list[tuple[int, int]] = []
    audit(make_network(4), X, **QUESTION, y=Y, trainer=learn, seeds=seeds, progress=lambda *at: told.append(at))
    total = 2 * (seeds if isinstance(seeds, int) else len(seeds))
    assert told[-total:] == [(k + 1, total) for k in range(total)]


def test_runs_in_json_are_means_and_ranges_of_the_runs() -> None:
    found = audit(make_network(4), X, **QUESTION, y=Y, trainer=learn, seeds=3)
    assert found.runs is not None
    runs, data = found.runs.runs, found.runs.to_dict(QUESTION["methods"])
    assert list(data) == ["seeds", "flips", "flip_rate", "changed", "without_flips", "ranks"]
    assert data["flips"] == [run.flips for run in runs]
    assert data["without_flips"] == sum(run.flips == 0 for run in runs)
    assert data["flip_rate"] == pytest.approx(np.mean([run.flips / run.candidates for run in runs]))
    for method in QUESTION["methods"]:
        for place, kind in enumerate(("individual_rank", "contrastive_rank")):
            ranks = [run.ranks[method][place] for run in runs if run.flips]
            expected = {"mean": np.mean(ranks), "least": min(ranks), "largest": max(ranks)}
            assert data["ranks"][method][kind] == pytest.approx(expected)


def test_what_was_counted_cannot_be_written_over() -> None:
    run = retraining.Run(1, 2, 8, 0.5, {})
    assert run.rate == 0.25
    with pytest.raises(FrozenInstanceError):
        run.flips = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        retraining.Runs((run,)).runs = ()  # type: ignore[misc]


def test_a_trainer_whose_network_has_other_features_is_refused_with_both_lists() -> None:
    other = make_network(1, ("a", "b", "c"))
    with pytest.raises(InvalidInput) as error:
        audit(make_network(4), X, **QUESTION, y=Y, trainer=lambda x, y, seed: other)
    expected = "of a, b, c → Low, Medium; expected race, age, priors → Low, Medium"
    assert str(error.value) == f"the trainer gave a network {expected}"
