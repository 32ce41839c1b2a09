"""A trained network: strengths, slopes and contrasts of many instances at once.

The user says two things. The *readout*: `logistic` of the logits (every output is an argument) or a `softmax` over
them; a constant added to all logits leaves softmax as it is but moves logistic strengths. And the *players*: the
inputs, with the hidden neurons as part of the mechanism, or all arguments, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attribution.inputs import MAX_INPUTS, Function, count_rows
from ..attribution.methods import METHODS
from ..engine.backend import run_tasks
from ..engine.workers import check_executor
from ..errors import Hint, InvalidInput, count, quote_names
from ..explain.contrast import contrast
from ..graph.qbaf import Qbaf
from ..settings import check_choice, check_integer, check_list, check_progress
from ..types import Floats, Name, Progress
from .layers import READOUTS, Neurons, build_graph, compute_outputs, compute_slopes, make_layer, make_layers
from .result import FUNCTION, QBAF, NetworkContrast

if TYPE_CHECKING:
    from concurrent.futures import Executor

INPUT_METHODS = tuple(sorted(name for name, method in METHODS.items() if method.explains_inputs))


@dataclass(frozen=True, eq=False)
class Network:
    """A multilayer perceptron whose last layer gives logits; `readout` makes the strengths of the classes of them.

    Parameters
    ----------
    layers : tuple of Neurons
        f(Wᵀx + b) one after the other; the last one is `identity`.
    inputs, classes : tuple of str
        Names of the features and of the outputs.
    readout : {"logistic", "softmax", "identity"}
        How outputs are made of logits.
    as_function : bool
        Whether to explain what the network computes without reading its neurons as arguments: for hidden layers that
        leave [0, 1], such as ReLU. Results say so.

    Examples
    --------
    >>> xor = from_arrays([[[6.0, -6.0], [6.0, -6.0]], [[9.0], [9.0]]], [[-2.5, 8.5], [-13.0]], inputs=["a", "b"],
    ...                   classes=["equal", "different"])
    >>> xor.strengths([[0, 0], [0, 1]]).round(2).tolist()
    [[0.97, 0.03], [0.02, 0.98]]
    >>> print(xor.contrast([0, 1], "different", "equal", method="removal"))
    different (0.983) is rated above equal (0.017) by 0.966; the largest values (loss of the gap when the argument is \
removed) are b (+1.896); players: the 2 inputs (removal, logistic readout).
    """

    layers: tuple[Neurons, ...] = field(repr=False)
    inputs: tuple[str, ...]
    classes: tuple[str, ...]
    readout: str = "logistic"
    as_function: bool = False

    def __post_init__(self) -> None:
        check_choice(self.readout, READOUTS, "readout")
        for names, size, what in (
            (self.inputs, self.layers[0].weights.shape[0], "inputs"),
            (self.classes, self.layers[-1].weights.shape[1], "classes"),
        ):
            if len(names) != size or len(set(names)) < size:
                raise InvalidInput(
                    f"the network has {size} {what}; give as many different names, not {quote_names(names)}"
                )
        for k, (one, two) in enumerate(pairwise(layer.weights.shape for layer in self.layers), 1):
            if one[1] != two[0]:
                raise InvalidInput(f"layer {k} has {count(one[1], 'neuron')}, layer {k + 1} takes {two[0]}")
        if not self.as_function:
            self._check_arguments()

    def _check_arguments(self) -> None:
        for k, layer in enumerate(self.layers[:-1], 1):
            if layer.activation not in ("logistic", "tanh"):
                raise InvalidInput(
                    f"hidden layer {k} is {layer.activation}: its values can leave [0, 1], so its neurons are not "
                    "arguments; train with logistic or tanh",
                    hints=[Hint("as_function", (True,), "to explain the network's own function")],
                )
        if self.readout == "identity":
            raise InvalidInput(
                "outputs that are plain numbers can leave [0, 1], so they are not strengths",
                hints=[Hint("readout", ("logistic", "softmax")), Hint("as_function", (True,))],
            )

    @property
    def explains(self) -> str:
        """What contributions explain: the QBAF, or the network's own function."""
        return FUNCTION if self.as_function else QBAF

    @cached_property
    def _graph(self) -> Qbaf:
        return build_graph(self.layers, self.inputs, self.classes)

    @property
    def _function(self) -> Function:
        return Function(*(partial(each, self.layers, self.readout) for each in (compute_outputs, compute_slopes)))

    def qbaf(self, x: ArrayLike | Mapping[str, float]) -> Qbaf:
        """Make the QBAF of one instance under `mlp`; its topics are the classes, and their strengths the outputs.

        Parameters
        ----------
        x : array or mapping
            The features in the order of `inputs`, or by name.

        Returns
        -------
        Qbaf

        Raises
        ------
        InvalidInput
            If the network is read as a function or by a softmax, neither of which is a QBAF.
        """
        if self.as_function:
            raise InvalidInput("this network is explained as a function (as_function=True); it has no QBAF")
        if self.readout == "softmax":
            raise InvalidInput(
                "a softmax is not an argument: each class depends on all logits at once; "
                "network.with_readout('logistic').qbaf(x) reads every output as the logistic of its logit"
            )
        row = self.to_rows(x)
        if len(row) != 1:
            raise InvalidInput(f"a QBAF is made from one instance, not {len(row)}; give one row")
        return self._graph.with_base_scores(dict(zip(self.inputs, row[0].tolist(), strict=True)))

    def with_readout(self, readout: str) -> Network:
        """Return the same network with another readout.

        Parameters
        ----------
        readout : {"logistic", "softmax", "identity"}
            How outputs are made of logits.

        Returns
        -------
        Network
        """
        return replace(self, readout=readout)

    def to_rows(self, x: Any) -> Floats:
        """Check instances and put their features in the order of `inputs`.

        Parameters
        ----------
        x : array, mapping or table
            One row or several; a mapping by name or a table with named columns is put in order.

        Returns
        -------
        array of shape (instances, inputs)

        Raises
        ------
        InvalidInput
            If a feature is no number or, unless `as_function` is set, outside [0, 1].
        """
        columns = getattr(x, "columns", None)
        if isinstance(x, Mapping) or columns is not None:
            for name in self.inputs:
                check_choice(name, list(x if columns is None else columns), "feature")
            x = [x[name] for name in self.inputs] if columns is None else x[list(self.inputs)].to_numpy()
        try:
            rows = np.atleast_2d(np.asarray(x, np.float64))
        except (TypeError, ValueError):
            raise InvalidInput("a feature is not a number; encode text as numbers in [0, 1] first") from None
        if rows.ndim != 2 or rows.shape[1] != len(self.inputs):
            raise InvalidInput(f"instances have shape {rows.shape}; give (instances, {len(self.inputs)} features)")
        inside = np.isfinite(rows) if self.as_function else (rows >= 0) & (rows <= 1)
        if not inside.all():
            row, which = np.argwhere(~inside)[0]
            expected = (
                "; give finite numbers"
                if self.as_function
                else ", outside [0, 1]; an input's base score lies there: scale the features, "
                "(x − min)/(max − min), and train on the scaled ones"
            )
            raise InvalidInput(f"feature {self.inputs[which]!r} is {rows[row, which]:g} in row {row}{expected}")
        return rows

    def strengths(self, x: Any) -> Floats:
        """Compute the strength of every class: the network's own outputs.

        Parameters
        ----------
        x : array, mapping or table
            One instance or several.

        Returns
        -------
        array of shape (instances, classes)
        """
        return self._function.values(self.to_rows(x))

    def gradient(self, x: Any) -> Floats:
        """Compute ∂strength/∂input of all classes by all inputs.

        Parameters
        ----------
        x : array, mapping or table
            One instance or several.

        Returns
        -------
        array of shape (instances, classes, inputs)
        """
        return self._function.slopes(self.to_rows(x))

    def predict(self, x: Any) -> NDArray[np.intp]:
        """Find the strongest class of each instance; the first of them at ties.

        Parameters
        ----------
        x : array, mapping or table
            One instance or several.

        Returns
        -------
        array of int
            Places in `classes`.
        """
        return np.argmax(self.strengths(x), axis=1)

    def contributions(
        self,
        x: Any,
        *,
        method: str = "shapley",
        executor: Executor | None = None,
        progress: Progress | None = None,
        max_inputs: int = MAX_INPUTS,
    ) -> Floats:
        """Compute φ of every input for every class and instance, with the inputs as players.

        Parameters
        ----------
        x : array, mapping or table
            One instance or several.
        method : str
            One of `networks.INPUT_METHODS`.
        executor : concurrent.futures.Executor, optional
            Where shares of the instances are explained, if there are many.
        progress : callable, optional
            Called as progress(done, total) now and then.
        max_inputs : int
            The most inputs for which Shapley values are computed, which takes 2^inputs evaluations.

        Returns
        -------
        array of shape (instances, classes, inputs)
        """
        known = {name: entry.input_method for name, entry in METHODS.items() if entry.input_method}
        explain = known[check_choice(method, known, "method")]
        check_integer(max_inputs, "max_inputs", 1)
        check_executor(executor)
        rows, report = self.to_rows(x), check_progress(progress)
        step = count_rows(len(self.inputs), method)
        if len(rows) <= step:
            return explain(self._function, rows, max_inputs, report)
        tasks = ((self._function, rows[first : first + step], max_inputs, None) for first in range(0, len(rows), step))
        found: list[Floats] = []
        for part in run_tasks(executor, explain, tasks):
            found.append(part)
            if report:
                report(min(len(found) * step, len(rows)), len(rows))
        return np.concatenate(found)

    def contrast(
        self, x: Any, fact: str, foil: str, *, method: str = "shapley", players: str = "inputs", **settings: Any
    ) -> NetworkContrast:
        """Explain why the fact rather than the foil, for one instance.

        Parameters
        ----------
        x : array or mapping
            The instance.
        fact, foil : str
            Names of two classes.
        method : str
            One of `networks.INPUT_METHODS`; with all players any of `qontrast.METHODS`.
        players : {"inputs", "all"}
            Whether the inputs contribute, hidden neurons being part of the mechanism, or every argument of the QBAF,
            as in the paper.
        **settings
            Those of `contributions`, or of the method where all arguments play.

        Returns
        -------
        NetworkContrast
        """
        i, j = self.index(fact), self.index(foil)
        check_choice(players, ("inputs", "all"), "players")
        rows = self.to_rows(x)
        if len(rows) != 1:
            raise InvalidInput(f"a contrast explains one instance, not {len(rows)}; give one row")
        why = None
        if players == "all":
            why = contrast(self.qbaf(rows), fact, foil, method=method, **settings)
            strengths: dict[str, float] = {name: why.strengths[name] for name in self.classes}
            values, individual = dict(why), {name: dict(why.individual[name]) for name in (fact, foil)}
        else:
            phi = self.contributions(rows, method=method, **settings)[0]
            strengths = dict(zip(self.classes, self.strengths(rows)[0].tolist(), strict=True))
            values, one, two = (self._name_inputs(each) for each in (phi[i] - phi[j], phi[i], phi[j]))
            individual = {fact: one, foil: two}
        return NetworkContrast(
            fact=fact,
            foil=foil,
            method=why.method if why else method,
            players=players,
            readout=self.readout,
            explains=self.explains,
            strengths=strengths,
            contributions=values,
            individual=individual,
            instance=self._name_inputs(rows[0]),
            qbaf=self.qbaf(rows) if self.explains == QBAF and self.readout == "logistic" else None,
            contrast=why,
        )

    def _name_inputs(self, values: Floats) -> dict[Name, float]:
        return dict(zip(self.inputs, values.tolist(), strict=True))

    def index(self, name: str) -> int:
        """Return the place of a class.

        Parameters
        ----------
        name : str
            The class.

        Returns
        -------
        int
        """
        return self.classes.index(check_choice(name, self.classes, "class"))


def from_arrays(
    weights: Sequence[ArrayLike],
    biases: Sequence[ArrayLike],
    *,
    activation: str | Sequence[str] = "logistic",
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str = "logistic",
    as_function: bool = False,
) -> Network:
    """Make a network from plain arrays.

    Parameters
    ----------
    weights : sequence of arrays
        `weights[k]` has the shape (inputs of layer k, its neurons).
    biases : sequence of arrays
        `biases[k]` has one number per neuron of layer k.
    activation : str or sequence of str
        Of the hidden layers, one name or one per layer: logistic, tanh, relu or identity.
    inputs, classes : sequence of str, optional
        Names; x0, x1, … and class 0, class 1, … unless given. A single logistic output with two class names becomes
        two outputs, p of the second and 1 − p of the first.
    readout : {"logistic", "softmax", "identity"}
        How outputs are made of logits.
    as_function : bool
        Whether to explain the network's own function instead of its QBAF.

    Returns
    -------
    Network

    Raises
    ------
    InvalidInput
        If shapes or names do not fit, or a layer cannot be read as arguments.

    Examples
    --------
    >>> network = from_arrays([[[2.0, -2.0]]], [[-1.0, 1.0]], inputs=["income"], classes=["approve", "decline"])
    >>> network.strengths([0.9]).round(2).tolist()
    [[0.69, 0.31]]
    """
    weights, biases = check_list(weights, "weights", "arrays"), check_list(biases, "biases", "arrays")
    if len(weights) != len(biases) or not len(weights):
        raise InvalidInput(
            f"{count(len(weights), 'array')} of weights and {len(biases)} of biases; give one of each per layer"
        )
    hidden = [activation] * (len(weights) - 1) if isinstance(activation, str) else check_list(activation, "activation")
    if len(hidden) != len(weights) - 1:
        raise InvalidInput(
            f"{count(len(hidden), 'activation')} for {count(len(weights) - 1, 'hidden layer')}; give one each"
        )
    return assemble(make_layers(weights, biases, hidden), inputs, classes, readout, as_function)


def assemble(
    layers: tuple[Neurons, ...],
    inputs: Sequence[object] | None,
    classes: Sequence[object] | None,
    readout: str | None,
    as_function: bool,
) -> Network:
    """Make a network of its layers, with names where none were given; a readout must be stated or known."""
    if readout is None and as_function:
        readout = "identity"
    if readout is None:
        raise InvalidInput(
            "the network ends in plain logits; say how they are read",
            hints=[Hint("readout", ("logistic", "softmax"))],
        )
    last = layers[-1]
    classes = None if classes is None else check_list(classes, "classes")
    if last.weights.shape[1] == 1 and classes is not None and len(classes) == 2 and readout == "logistic":
        both = make_layer(last.weights * [-1, 1], last.bias * [-1, 1], "identity", "the output")
        layers = (*layers[:-1], both)
    features = [f"x{k}" for k in range(layers[0].weights.shape[0])] if inputs is None else check_list(inputs, "inputs")
    outputs = [f"class {k}" for k in range(layers[-1].weights.shape[1])] if classes is None else classes
    return Network(layers, tuple(map(str, features)), tuple(map(str, outputs)), readout, as_function)
