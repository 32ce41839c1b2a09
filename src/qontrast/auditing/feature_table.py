"""Read the columns that a network takes from a CSV file, as numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import FormatError, Hint, InvalidInput, unknown_name
from ..formats.disk import read_file
from ..networks import Network
from ..settings import check_choice
from ..types import Floats


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
                message = f"{len(line)} fields, but the header has {len(header)}"
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
