"""Audit a classifier for bias over a data set, also from files: figures to judge by, and no verdict."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..engine.backend import NUMPY, find_backend
from ..engine.workers import check_executor
from ..errors import FormatError, Hint, InvalidInput, count, unknown_name
from ..formats.disk import read_file
from ..networks import INPUT_METHODS, Network, NetworkSettings, from_model
from ..settings import check_choice, check_integer, check_progress
from ..types import Floats, Progress
from .device_measures import DeviceMeasures
from .measures import AuditQuestion, explain, find_flips, find_labels, find_telling, measure_features, select_rows
from .result import Audit
from .retraining import Trainer, train_again

if TYPE_CHECKING:
    from concurrent.futures import Executor

DEFAULT_LIMIT = 5  # instances that are shown


class AuditSettings(TypedDict, total=False):
    """What `audit` and `audit_files` take beside the question; see `audit`."""

    executor: Executor | None
    device: str
    progress: Progress | None
    instances: ArrayLike | None
    value: float | None
    values: Sequence[float] | None
    trainer: Trainer | None
    train: tuple[Any, Any] | None
    seeds: Sequence[int] | int
    limit: int


def audit(
    model: Any,
    X: Any,
    fact: str,
    foil: str,
    *,
    protected: str,
    methods: Sequence[str] = INPUT_METHODS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    y: ArrayLike | None = None,
    instances: ArrayLike | None = None,
    value: float | None = None,
    values: Sequence[float] | None = None,
    trainer: Trainer | None = None,
    train: tuple[Any, Any] | None = None,
    seeds: Sequence[int] | int = 5,
    limit: int = DEFAULT_LIMIT,
    **settings: Unpack[NetworkSettings],
) -> Audit:
    """Measure how prominent each feature is in explaining fact rather than foil, individual beside contrastive.

    Over the instances chosen it gives every feature's mean rank and mean |contribution|, in the explanation of the fact
    alone and in the contrast, by several methods; the flip rate; and, where a trainer is given, the same over seeds and
    for a null in which the protected attribute was shuffled before training.

    Parameters
    ----------
    model : Network, scikit-learn model, torch Sequential, ONNX model, str or Path
        Anything that `networks.from_model` takes.
    X : array or table
        The instances, (instances, features), scaled to [0, 1].
    fact, foil : str
        Names of two classes: why the fact rather than the foil?
    protected : str
        The feature whose influence is in question.
    methods : sequence of str
        Some of `networks.INPUT_METHODS`; the telling instances are those of the first.
    executor : concurrent.futures.Executor, optional
        Where networks are trained, each as one task, and instances explained, 16,384 at a time; the figures are the
        same.
    device : {"cpu", "cuda"}
        Where the network is measured: "cuda" is a GPU, which needs the extra `gpu`. The figures agree to about 1e-12.
    progress : callable, optional
        Called as progress(done, total) now and then, while networks are trained.
    y : sequence, optional
        Labels, by name or place. With them, only instances rightly predicted as the fact can flip.
    instances : sequence of int or of bool, optional
        Those to explain, in place of those that flip.
    value : float, optional
        Only instances whose protected attribute has this value can flip.
    values : sequence of float, optional
        What the protected attribute may take, where it has many values.
    trainer : callable, optional
        (X, y, seed) → a model, to train once per seed, and once more with the attribute shuffled.
    train : tuple, optional
        (X, y) to train on; the audited rows unless given.
    seeds : int or sequence of int
        For the trainer: how many, or which.
    limit : int
        Telling instances to keep.
    **settings
        `inputs`, `classes`, `readout` and `as_function`, as `networks.from_model` takes them.

    Returns
    -------
    Audit

    Raises
    ------
    InvalidInput, UnknownName
        If a class, feature, label or setting is not known or does not fit.

    Examples
    --------
    >>> from qontrast.networks import from_arrays
    >>> network = from_arrays([[[4.0, -4.0], [3.0, -3.0]]], [[-3.0, 3.0]], inputs=["debt", "race"],
    ...                       classes=["decline", "approve"])
    >>> found = audit(network, [[0.6, 1.0], [0.3, 0.0], [0.9, 1.0]], "decline", "approve", protected="race")
    >>> found.flip_rate, found.instances
    (0.5, (0,))
    """
    check_integer(limit, "limit")
    check_executor(executor)
    network = from_model(model, **settings)
    question = AuditQuestion(fact, foil, protected, methods, value, values).check(network)
    x = network.to_rows(X)
    labels = None if y is None else find_labels(network, y)
    if labels is not None and len(labels) != len(x):
        raise InvalidInput(f"{count(len(labels), 'label')} for {count(len(x), 'row')}; give one each")
    backend = find_backend(device)
    there = None if backend is NUMPY else DeviceMeasures(network, x, question, backend)
    flips = find_flips(network, x, labels, question) if there is None else there.find_flips(labels)
    rows = flips.rows if instances is None else select_rows(instances, len(x))
    runs = null = None
    if trainer is not None:
        report = check_progress(progress)
        runs, null = train_again(trainer, network, x, y, train, question, seeds, executor, report)
    if there is None:
        explanations = explain(network, x[rows], question, executor)
        table = measure_features(network, explanations)
    else:
        computed = there.explain(rows)
        explanations, table = there.to_host(computed), there.measure(computed)
    return Audit(
        network=network,
        fact=fact,
        foil=foil,
        protected=protected,
        methods=tuple(question.methods),
        rows=len(x),
        instances=tuple(rows.tolist()),
        given=instances is not None,
        flips=len(flips.rows),
        candidates=flips.candidates,
        labelled=labels is not None,
        value=question.value,
        changed=flips.changed,
        table=table,
        telling=find_telling(network, x[rows], rows, explanations, question, limit),
        runs=runs,
        null=null,
    )


def audit_files(
    model_path: str | Path,
    csv_path: str | Path,
    fact: str,
    foil: str,
    *,
    protected: str,
    methods: Sequence[str] = INPUT_METHODS,
    label: str | None = None,
    scale: dict[str, tuple[float, float]] | None = None,
    inputs: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    readout: str | None = None,
    as_function: bool = False,
    trusted: bool = False,
    **settings: Unpack[AuditSettings],
) -> Audit:
    """Audit a saved model over a CSV file with a header.

    Columns are found by the names of the model's features, or, where it has none, taken in order; other columns are
    never looked at.

    Parameters
    ----------
    model_path : str or Path
        What `networks.load` reads.
    csv_path : str or Path
        The instances, one per row.
    fact, foil : str
        Names of two classes.
    protected : str
        The feature whose influence is in question.
    methods : sequence of str
        Some of `networks.INPUT_METHODS`.
    label : str, optional
        The column of the true class.
    scale : dict, optional
        Feature → (least, largest) value that was 0 and 1 in training.
    inputs, classes, readout, as_function, trusted
        As `networks.load` takes them.
    **settings
        Those of `audit`: executor, device, progress, instances, value, values, trainer, train, seeds,
        limit.

    Returns
    -------
    Audit

    Raises
    ------
    FormatError
        If a file cannot be read; the message names it and the line.
    InvalidInput, UnknownName
        If a class, feature, column or setting is not known or does not fit.

    Examples
    --------
    >>> import tempfile; from qontrast.networks import from_arrays, save
    >>> network = from_arrays([[[4.0, -4.0], [3.0, -3.0]]], [[-3.0, 3.0]], inputs=["debt", "race"],
    ...                       classes=["decline", "approve"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(network, f"{folder}/model.npz")
    ...     _ = Path(f"{folder}/rows.csv").write_text("debt,race\\n0.6,1\\n0.3,0\\n0.9,1\\n")
    ...     files = f"{folder}/model.npz", f"{folder}/rows.csv"
    ...     audit_files(*files, "decline", "approve", protected="race").flip_rate
    0.5
    """
    network = from_model(
        Path(model_path), trusted=trusted, inputs=inputs, classes=classes, readout=readout, as_function=as_function
    )
    for name in (fact, foil):
        if name not in network.classes:
            hints = [] if classes else [Hint("classes", more="in the order of the model's outputs")]
            raise InvalidInput(str(unknown_name(name, network.classes, "class")), hints=hints)
    network, x, y = read_features(csv_path, network, label, scale)
    return audit(network, x, fact, foil, protected=protected, methods=methods, y=y, **settings)


def read_features(
    path: str | Path, network: Network, label: str | None = None, scale: Mapping[str, tuple[float, float]] | None = None
) -> tuple[Network, Floats, list[str] | None]:
    """Return the network (with the columns' names, where it had none), the rows, and the labels of column `label`."""
    lines, scale = csv.reader(io.StringIO(read_file(Path(path)), newline="")), scale or {}
    rows, labels = [], []
    try:
        header = [name.strip() for name in next(lines, [])]
        network = _name_inputs(network, header, label, path)
        for name in scale:
            check_choice(name, network.inputs, "feature")
        places = [header.index(name) for name in network.inputs]
        for line in lines:
            if not line:
                continue
            if len(line) != len(header):
                message = f"{count(len(line), 'field')}, but the header has {len(header)}"
                raise FormatError(message, str(path), lines.line_num)
            rows.append([_parse_number(line[k], header[k], lines.line_num, path) for k in places])
            if label is not None:
                labels.append(line[header.index(label)].strip())
    except csv.Error as error:
        raise FormatError(f"is not CSV: {error}", str(path), lines.line_num) from None
    if not rows:
        raise FormatError("has no rows below its header", str(path))
    x = np.array(rows, np.float64)
    for name, (low, high) in scale.items():
        if not high > low:
            raise InvalidInput(
                f"the scale of {name!r} runs from {low:g} to {high:g}; give its smallest and largest value"
            )
        column = network.inputs.index(name)
        x[:, column] = (x[:, column] - low) / (high - low)
    return network, x, labels if label is not None else None


def _name_inputs(network: Network, header: list[str], label: str | None, path: str | Path) -> Network:
    """Return the network with the names of the columns, where it has none of its own."""
    if label is not None and label not in header:
        raise unknown_name(label, header, "column")
    missing = [name for name in network.inputs if name not in header]
    if not missing:
        return network
    if network.inputs == tuple(f"x{k}" for k in range(len(network.inputs))):
        columns = tuple(name for name in header if name != label)
        if len(columns) == len(network.inputs):
            return replace(network, inputs=columns)
        raise InvalidInput(
            f"the model has no feature names and takes {len(network.inputs)}; {path} has {len(columns)} columns",
            hints=[Hint("inputs", more="in the model's order")],
        )
    raise FormatError(str(unknown_name(missing[0], header, "column")), str(path))


def _parse_number(text: str, name: str, line: int, path: str | Path) -> float:
    try:
        return float(text)
    except ValueError:
        shown = "an empty field" if not text.strip() else "a text"
        raise FormatError(
            f"column {name!r} holds {shown}; give numbers, encoded as in training", str(path), line
        ) from None
