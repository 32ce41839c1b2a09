"""A table of features from a CSV file: the columns that the network takes, as numbers, and nothing else."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InvalidInput, unknown
from ..networks import Network
from ..qbaf import Floats


def read_csv(
    path: str | Path, network: Network, label: str | None = None, scale: Mapping[str, tuple[float, float]] | None = None
) -> tuple[Network, Floats, list[str] | None]:
    """The network (with the columns' names, where it had none), the rows, and the labels where a column has them."""
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            lines = csv.reader(file)
            header = [name.strip() for name in next(lines, [])]
            network = _named(network, header, label, path)
            for name in scale or {}:
                if name not in network.inputs:
                    raise unknown(name, network.inputs, "feature")
            places = [header.index(name) for name in network.inputs]
            rows, labels = [], []
            for number, line in enumerate(lines, 2):
                if not line:
                    continue
                if len(line) != len(header):
                    raise InvalidInput(f"{path}:{number}: {len(line)} fields, but the header has {len(header)}")
                rows.append([_number(line[k], header[k], number, path) for k in places])
                if label is not None:
                    labels.append(line[header.index(label)].strip())
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {str(path)!r}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not a text file in UTF-8") from None
    if not rows:
        raise InvalidInput(f"{path} has no rows below its header")
    x = np.array(rows, np.float64)
    for name, (low, high) in (scale or {}).items():
        if not high > low:
            raise InvalidInput(f"the scale of {name!r} runs from {low:g} to {high:g}; give its least and largest value")
        x[:, network.inputs.index(name)] = (x[:, network.inputs.index(name)] - low) / (high - low)
    return network, x, labels if label is not None else None


def _named(network: Network, header: list[str], label: str | None, path: str | Path) -> Network:
    """The network with the names of the columns, where it has none of its own."""
    if label is not None and label not in header:
        raise unknown(label, header, "column")
    missing = [name for name in network.inputs if name not in header]
    if not missing:
        return network
    if network.inputs == tuple(f"x{k}" for k in range(len(network.inputs))):
        columns = tuple(name for name in header if name != label)
        if len(columns) == len(network.inputs):
            return replace(network, inputs=columns)
        raise InvalidInput(
            f"the model names no features and takes {len(network.inputs)}; {path} has {len(columns)} columns: "
            "say which, inputs=[...]"
        )
    raise InvalidInput(f"{path}: {unknown(missing[0], header, 'column')}")


def _number(text: str, name: str, line: int, path: str | Path) -> float:
    try:
        return float(text)
    except ValueError:
        shown = "an empty field" if not text.strip() else "a text"
        raise InvalidInput(
            f"{path}:{line}: column {name!r} holds {shown}; give numbers, encoded as in training"
        ) from None
