"""A contrastive bias audit of a classifier over a data set: figures to judge by, and no verdict.

    print(audit(model, X, "Medium", "Low", protected="race"))

Over the instances chosen (those that flip when the protected attribute alone changes, unless others are given) it
shows every feature's mean rank and mean |contribution|, in the explanation of the fact alone and in the contrast,
by gradient, removal and Shapley; the flip rate; and, where a trainer is given, the same over seeds and for a null in
which the protected attribute was shuffled before training.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Hint, InvalidInput, unknown_name
from ..networks import INPUT_METHODS, Network, from_model
from ..progress import report_progress
from ..settings import check_choice, check_function, check_integer, check_list, check_number
from ..types import Progress
from .files import read_csv
from .prominence import Flips, Question, Telling, chosen, flips, labelled, table, telling
from .result import Audit
from .seeds import Run, Runs, Trainer, repeat
from .statistics import Estimate, Measure, ranks

__all__ = [
    "Audit",
    "Estimate",
    "Flips",
    "Measure",
    "Question",
    "Run",
    "Runs",
    "Telling",
    "Trainer",
    "audit",
    "audit_files",
    "flips",
    "ranks",
    "table",
]


def audit(
    model: Any,
    X: Any,
    fact: str,
    foil: str,
    protected: str,
    methods: Sequence[str] = INPUT_METHODS,
    *,
    y: ArrayLike | None = None,
    instances: ArrayLike | None = None,
    value: float | None = None,
    values: Sequence[float] | None = None,
    trainer: Trainer | None = None,
    train: tuple[Any, Any] | None = None,
    seeds: Sequence[int] | int = 5,
    draws: int = 1000,
    seed: int = 0,
    most: int = 5,
    progress: Progress | bool | None = None,
    **settings: Any,
) -> Audit:
    """How prominent each feature is in explaining fact rather than foil, individual beside contrastive.

    `model` is anything that `networks.from_model` takes, `settings` its names and readout. With labels `y`, only
    instances rightly predicted as the fact are looked at; with `value`, only those whose protected attribute has it.
    `values` are the ones it may take, where it has many. `instances` replaces those that flip. `trainer(X, y, seed)`
    trains on `train`, else on (X, y), once per seed, and once more with the attribute shuffled. Intervals come from
    `draws` bootstrap samples; `most` instances are shown.
    """
    check_integer(most, "most")
    network = from_model(model, **settings)
    question = _question(network, fact, foil, protected, methods, value, values, draws, seed)
    x = network.to_rows(X)
    labels = None if y is None else labelled(network, y)
    if labels is not None and len(labels) != len(x):
        raise InvalidInput(f"{len(labels)} labels for {len(x)} rows; give one each")
    who = flips(network, x, labels, question)
    rows = who.rows if instances is None else chosen(instances, len(x))
    choice = f"those that flip when {protected} alone changes" if instances is None else "as given"
    runs = null = None
    if trainer is not None:
        with report_progress(progress, "audit") as report:
            runs, null = _repeated(trainer, network, x, y, train, question, seeds, report)
    return Audit(
        network,
        fact,
        foil,
        protected,
        question.methods,
        len(x),
        tuple(rows.tolist()),
        choice,
        len(who.rows),
        who.candidates,
        question.asked(labels is not None),
        who.changed,
        table(network, x[rows], question),
        telling(network, x[rows], rows, question, most),
        runs,
        null,
    )


def _question(
    network: Network,
    fact: str,
    foil: str,
    protected: str,
    methods: Sequence[str],
    value: float | None,
    values: Sequence[float] | None,
    draws: int,
    seed: int,
) -> Question:
    for name in (fact, foil):
        network.index(name)
    if fact == foil:
        raise InvalidInput(f"fact and foil are both {fact!r}; a contrast needs two classes")
    check_choice(protected, network.inputs, "feature")
    named = (methods,) if isinstance(methods, str) else tuple(check_list(methods, "methods"))
    for method in named:
        check_choice(method, INPUT_METHODS, "method")
    if not named:
        raise InvalidInput(f"no method was given; choose from {', '.join(INPUT_METHODS)}")
    check_integer(draws, "draws")
    check_integer(seed, "seed")
    if value is not None:
        check_number(value, "value")
    tried = (
        None
        if values is None
        else tuple(check_number(each, "one of values") for each in check_list(values, "values", "numbers"))
    )
    return Question(fact, foil, protected, named, value, tried, draws, seed)


def _repeated(
    trainer: Trainer,
    network: Network,
    x: Any,
    y: Any,
    train: tuple[Any, Any] | None,
    question: Question,
    seeds: Sequence[int] | int,
    progress: Progress | None,
) -> tuple[Runs, Runs]:
    """The same over seeds, as it is and with the attribute shuffled."""
    if y is None:
        raise InvalidInput("a trainer needs labels; give y, one per row")
    known = (x, y) if train is None else (network.to_rows(train[0]), train[1])
    numbers = list(range(seeds)) if isinstance(seeds, int) else check_list(seeds, "seeds", "whole numbers")
    if not numbers:
        raise InvalidInput("a trainer needs at least one seed")
    for number in numbers:
        check_integer(number, "one of seeds")
    check_function(trainer, "trainer", "(X, y, seed) → a model", 3)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, 2 * len(numbers))

    labels = np.asarray(y)
    found = [repeat(trainer, network, (x, labels), known, question, numbers, each, step) for each in (False, True)]
    return found[0], found[1]


def audit_files(
    model_path: str | Path,
    csv_path: str | Path,
    protected: str,
    fact: str,
    foil: str,
    *,
    methods: Sequence[str] = INPUT_METHODS,
    label: str | None = None,
    inputs: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    readout: str | None = None,
    as_function: bool = False,
    trusted: bool = False,
    scale: dict[str, tuple[float, float]] | None = None,
    **settings: Any,
) -> Audit:
    """The same from a saved model and a CSV file with a header; `settings` are those of `audit`.

    Columns are found by the names of the model's features, or, where it has none, taken in order; other columns are
    never looked at. `label` is the column of the true class, where there is one. `scale` maps a feature to the
    (least, largest) value that was 0 and 1 in training.
    """
    network = from_model(
        Path(model_path), trusted=trusted, inputs=inputs, classes=classes, readout=readout, as_function=as_function
    )
    for name in (fact, foil):
        if name not in network.classes:
            hints = [] if classes else [Hint("classes", more="in the order of the model's outputs")]
            raise InvalidInput(str(unknown_name(name, network.classes, "class")), hints=hints)
    network, x, y = read_csv(csv_path, network, label, scale)
    return audit(network, x, fact, foil, protected, methods, y=y, **settings)
