"""Save and load networks. What can run code when it is read is refused unless the user says that it is trusted.

.onnx                 data (protobuf)                             read
.npz                  data (arrays, written by `save`)            read
.pkl .joblib .pt …    a pickle: reading it may run any program    refused, unless trusted=True
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from ..errors import FormatError, Hint, InvalidInput
from ..extras import EXTRAS, missing, require
from .layers import make_layer
from .network import Network, assemble, from_arrays  # noqa: F401 -- of the examples
from .sources import from_onnx, from_sklearn, from_torch

PICKLE_ERRORS = (pickle.UnpicklingError, EOFError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)
PICKLE_SUFFIXES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".bin")


class NetworkSettings(TypedDict, total=False):
    """What may be said about a model that it does not say itself; see `from_arrays`."""

    inputs: Sequence[str] | None
    classes: Sequence[object] | None
    readout: str | None
    as_function: bool


def save(network: Network, path: str | Path) -> None:
    """Write a network as `.npz`: plain arrays, nothing that could run.

    Parameters
    ----------
    network : Network
        What to write.
    path : str or Path
        Of the file.

    Examples
    --------
    >>> import tempfile
    >>> network = from_arrays([[[2.0, -2.0]]], [[-1.0, 1.0]], inputs=["income"], classes=["approve", "decline"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(network, f"{folder}/loan.npz")
    ...     load(f"{folder}/loan.npz").classes
    ('approve', 'decline')
    """
    arrays: dict[str, Any] = {"activations": [layer.activation for layer in network.layers]}
    for k, layer in enumerate(network.layers):
        arrays |= {f"weights{k}": layer.weights, f"bias{k}": layer.bias}
    arrays |= {name: getattr(network, name) for name in ("inputs", "classes", "readout", "as_function")}
    with Path(path).open("wb") as file:
        np.savez(file, **arrays)


def load(path: str | Path, *, trusted: bool = False, **settings: Unpack[NetworkSettings]) -> Network:
    """Read a network from a saved model.

    Parameters
    ----------
    path : str or Path
        An `.onnx` or `.npz` file, or a pickle of a scikit-learn or torch model.
    trusted : bool
        Whether to read a pickle, which can run any program that was hidden in it.
    **settings
        `inputs`, `classes`, `readout` and `as_function`, in place of what the file says.

    Returns
    -------
    Network

    Raises
    ------
    FormatError
        If the file cannot be read.
    InvalidInput
        If it is a pickle and not trusted, or a setting is needed or wrong.

    Examples
    --------
    >>> import tempfile
    >>> network = from_arrays([[[2.0, -2.0]]], [[-1.0, 1.0]], inputs=["income"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(network, f"{folder}/loan.npz")
    ...     load(f"{folder}/loan.npz", classes=["approve", "decline"]).classes
    ('approve', 'decline')
    """
    file = Path(path)
    kind = file.suffix.lower()
    if not file.is_file():
        raise FormatError("is a folder; give a file" if file.is_dir() else "there is no such file", str(path))
    if kind == ".onnx":
        return from_onnx(file, **settings)
    if kind == ".npz":
        return _load_npz(file, **settings)
    if kind not in PICKLE_SUFFIXES:
        raise FormatError(
            f"has an unknown suffix; give .onnx, .npz, or a trusted {', '.join(PICKLE_SUFFIXES)}", str(path)
        )
    if not trusted:
        raise InvalidInput(
            f"{file.name} is a pickle, and reading one can run any program hidden in it; export the model to ONNX",
            hints=[Hint("trusted", (True,), "if you made the file yourself")],
        )
    return from_model(_unpickle(file), **settings)


def from_model(model: Any, *, trusted: bool = False, **settings: Unpack[NetworkSettings]) -> Network:
    """Make a network of whatever is given.

    Parameters
    ----------
    model : Network, scikit-learn model, torch Sequential, ONNX model, str or Path
        The model, or the path of its file.
    trusted : bool
        Whether to read a pickle, where a path is given.
    **settings
        `inputs`, `classes`, `readout` and `as_function`; a `Network` has its own.

    Returns
    -------
    Network

    Raises
    ------
    InvalidInput
        If the model is of another kind, or a setting is needed or wrong.

    Examples
    --------
    >>> import warnings; from sklearn.neural_network import MLPClassifier
    >>> model = MLPClassifier((2,), activation="logistic", max_iter=5, random_state=0)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model = model.fit([[0.0], [1.0]], ["decline", "approve"])
    >>> from_model(model, inputs=["income"]).classes
    ('approve', 'decline')
    """
    if isinstance(model, Network):
        stated = [name for name, value in {**settings, "trusted": trusted}.items() if value not in (None, False)]
        if stated:
            raise InvalidInput(f"a Network has {', '.join(stated)} already; use dataclasses.replace to change it")
        return model
    if isinstance(model, (str, Path)):
        return load(model, trusted=trusted, **settings)
    if type(model).__name__ == "ModelProto":
        return from_onnx(model, **settings)
    if type(model).__name__ == "Sequential" and hasattr(model, "state_dict"):
        return from_torch(model, **settings)
    return from_sklearn(model, **settings)


def _unpickle(file: Path) -> Any:
    what = f"the model in {file.name}"
    library = {".pkl": "pickle", ".pickle": "pickle", ".joblib": "joblib"}.get(file.suffix.lower(), "torch")
    reader = pickle if library == "pickle" else require(library, what)
    settings: dict[str, Any] = {"weights_only": False, "map_location": "cpu"} if library == "torch" else {}
    try:
        with file.open("rb") as stream:
            return reader.load(stream, **settings)
    except ImportError as error:  # of the library that the model was made with
        package = (error.name or "").partition(".")[0]
        if package in EXTRAS:
            raise missing(package, what) from None
        raise FormatError(f"cannot be unpickled: {error}; install what the model was made with", str(file)) from None
    except PICKLE_ERRORS as error:
        raise FormatError(f"cannot be unpickled: {error}", str(file)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(file)) from None


def _load_npz(file: Path, **settings: Unpack[NetworkSettings]) -> Network:
    from zipfile import BadZipFile  # here: it takes longer to import than the rest of this module

    try:
        with np.load(file, allow_pickle=False) as held:
            arrays = dict(held)
        layers = tuple(
            make_layer(arrays[f"weights{k}"], arrays[f"bias{k}"], str(each), f"layer {k + 1}")
            for k, each in enumerate(arrays["activations"])
        )
        own: dict[str, Any] = {name: arrays[name].tolist() for name in ("inputs", "classes", "readout")}
        own["as_function"] = bool(arrays.get("as_function", False))
    except (BadZipFile, OSError, KeyError, ValueError, EOFError) as cause:
        raise FormatError(f"is not a network that `save` wrote: {cause}", str(file)) from None
    return assemble(layers, **own | {name: value for name, value in settings.items() if value})
