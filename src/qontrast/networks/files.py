"""Saved networks. What can run code when it is read is refused unless the user says that it is trusted.

.onnx                 data (protobuf)                             read
.npz                  data (arrays, written by `save`)            read
.pkl .joblib .pt …    a pickle: reading it may run any program    refused, unless trusted=True
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..errors import FormatError, Hint, InvalidInput
from ..extras import EXTRAS, missing, require
from .layers import neurons
from .network import Network, assembled
from .onnx import from_onnx
from .sources import from_sklearn, from_torch

BROKEN = (pickle.UnpicklingError, EOFError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)
PICKLED = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".bin")


def save(network: Network, path: str | Path) -> None:
    """Write a network as `.npz`: plain arrays, nothing that could run."""
    arrays: dict[str, Any] = {}
    for k, layer in enumerate(network.layers):
        arrays |= {f"weights{k}": layer.weights, f"bias{k}": layer.bias}
    arrays["activations"] = np.array([layer.activation for layer in network.layers])
    arrays |= {"inputs": np.array(network.inputs), "classes": np.array(network.classes)}
    arrays["readout"] = np.array(network.readout)
    with Path(path).open("wb") as file:
        np.savez(file, **arrays)


def load(path: str | Path, *, trusted: bool = False, **settings: Any) -> Network:
    """A network from a saved model; `settings` are `inputs`, `classes`, `readout` and `as_function`."""
    file = Path(path)
    kind = file.suffix.lower()
    if not file.is_file():
        raise FormatError("is a folder; give a file" if file.is_dir() else "there is no such file", str(path))
    if kind == ".onnx":
        return from_onnx(file, **settings)
    if kind == ".npz":
        return _from_npz(file, **settings)
    if kind not in PICKLED:
        raise FormatError(f"has an unknown suffix; give .onnx, .npz, or a trusted {', '.join(PICKLED)}", str(path))
    if not trusted:
        raise InvalidInput(
            f"{file.name} is a pickle, and reading one can run any program hidden in it; export the model to ONNX",
            hints=[Hint("trusted", (True,), "if you made the file yourself")],
        )
    return from_model(_unpickled(file), **settings)


def from_model(model: Any, **settings: Any) -> Network:
    """A network from whatever was given: a `Network`, a fitted scikit-learn model, a torch or ONNX one, or a path."""
    if isinstance(model, Network):
        stated = [name for name, value in settings.items() if value is not None and value is not False]
        if stated:
            raise InvalidInput(f"a Network has {', '.join(stated)} already; use dataclasses.replace to change it")
        return model
    if isinstance(model, (str, Path)):
        return load(model, **settings)
    if type(model).__name__ == "ModelProto":
        return from_onnx(model, **settings)
    if type(model).__name__ == "Sequential" and hasattr(model, "state_dict"):
        return from_torch(model, **settings)
    return from_sklearn(model, **settings)


def _unpickled(file: Path) -> Any:
    what = f"the model in {file.name}"
    library = {".pkl": "", ".pickle": "", ".joblib": "joblib"}.get(file.suffix.lower(), "torch")
    reader: Any = require(library, what) if library else None
    try:
        if library == "torch":
            return reader.load(file, weights_only=False, map_location="cpu")
        if library == "joblib":
            return reader.load(file)
        with file.open("rb") as stream:
            return pickle.load(stream)
    except ImportError as error:  # of the library that the model was made with
        package = (error.name or "").partition(".")[0]
        if package in EXTRAS:
            raise missing(package, what) from None
        raise FormatError(f"cannot be unpickled: {error}; install what the model was made with", str(file)) from None
    except BROKEN as error:
        raise FormatError(f"cannot be unpickled: {error}", str(file)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(file)) from None


def _from_npz(
    file: Path,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    try:
        with np.load(file, allow_pickle=False) as held:
            arrays = dict(held)
        activations = [str(each) for each in arrays["activations"]]
        layers = tuple(
            neurons(arrays[f"weights{k}"], arrays[f"bias{k}"], each, f"layer {k + 1}")
            for k, each in enumerate(activations)
        )
        own = (arrays["inputs"].tolist(), arrays["classes"].tolist(), str(arrays["readout"]))
    except (BadZipFile, OSError, KeyError, ValueError, EOFError) as cause:
        raise FormatError(f"is not a network that `save` wrote: {cause}", str(file)) from None
    return assembled(layers, inputs or own[0], classes or own[1], readout or own[2], as_function)
