"""The graph: a quantitative bipolar argumentation framework.

A QBAF is a finite set of arguments, a base score τ(a) in [0, 1] for each, and two disjoint relations,
attack and support (Baroni et al., Argument & Computation 2015). An edge may carry a weight ≥ 0; it is 1
unless given. A `Qbaf` never changes: `restrict`, `without` and `with_base_scores` give a new one.

>>> scores = {"zebra": 0.5, "horse": 0.5, "stripes": 0.5}
>>> q = Qbaf(scores, attacks=[("stripes", "horse")], supports=[("stripes", "zebra")])
>>> q
<Qbaf: 3 arguments, 1 attack, 1 support>
>>> q.without("horse").attacks
mappingproxy({})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInput, InvalidQbaf, UnknownName, count, quote_names, unknown_name, with_article
from ..results.base import Drawable
from ..types import Edge, Edges, Ends, Floats, Name
from .distributions import Distribution, check_uncertain
from .labels import shorten, visible
from .structure import MAX_LISTED, Structure
from .validation import (
    check_arrays,
    check_groups,
    check_names,
    check_range,
    check_texts,
    make_countable,
    read_as_arrays,
    read_as_lists,
    read_floats,
    read_indices,
    read_numbers,
)

NOTHING: Mapping[Any, Any] = MappingProxyType({})
KEPT_FIELDS = ("arguments", "_index", "labels", "topics", "semantics", "groups", "uncertain")


class Qbaf(Drawable):
    """A graph of arguments with base scores, attacks and supports.

    `attacks` and `supports` are pairs (source, target), or a mapping from pairs to weights. `labels`
    are texts to show instead of names, `topics` the arguments that decisions are read off, `semantics`
    the name of the gradual semantics that the graph was written for, `groups` themes, name → arguments.
    `uncertain` says of base scores that are not known exactly what they may be: argument → (low, high), `Normal`,
    `Beta`, or a list of samples.
    """

    arguments: Sequence[Name]  # in the order given
    labels: Mapping[Name, str]
    topics: tuple[Name, ...]
    semantics: str | None
    groups: Mapping[str, tuple[Name, ...]]  # themes: name → arguments, no argument in two of them
    uncertain: Mapping[Name, Distribution]  # what base scores may be that are not known exactly
    structure: Structure  # what follows from arguments and edges alone; graphs that differ in base scores share it
    given_base: list[float] | Floats  # τ, as an array or as a list
    _index: Mapping[Any, int]

    def __init__(
        self,
        base_scores: Mapping[str, float],
        attacks: Edges = (),
        supports: Edges = (),
        *,
        labels: Mapping[str, str] | None = None,
        topics: Iterable[str] = (),
        semantics: str | None = None,
        groups: Mapping[str, Iterable[str]] | None = None,
        uncertain: Mapping[str, object] | None = None,
    ) -> None:
        if not isinstance(base_scores, Mapping):
            kind = with_article(type(base_scores).__name__)
            raise InvalidQbaf(f"base_scores is {kind}; give a mapping from name to base score")
        names = tuple(base_scores)
        check_names(names)
        index = dict(zip(names, range(len(names)), strict=True))
        down, up = make_countable(attacks), make_countable(supports)
        read = read_as_lists if len(names) + len(down) + len(up) <= MAX_LISTED else read_as_arrays
        base, structure = read(names, index, base_scores, down, up)
        self._fill(names, index, base, structure, labels, topics, semantics, groups, uncertain)

    @classmethod
    def from_arrays(
        cls,
        base_scores: ArrayLike,
        sources: ArrayLike,
        targets: ArrayLike,
        weights: ArrayLike,
        *,
        names: Sequence[str] | None = None,
        labels: Mapping[Any, str] | None = None,
        topics: Iterable[Name] = (),
        semantics: str | None = None,
        groups: Mapping[str, Iterable[Name]] | None = None,
        uncertain: Mapping[Any, object] | None = None,
    ) -> Qbaf:
        """Make a graph from arrays; no Python loop runs over the edges.

        Parameters
        ----------
        base_scores : array of float
            One for each argument.
        sources, targets : array of int
            Edge k goes from argument `sources[k]` to argument `targets[k]`.
        weights : array of float
            Edge k is an attack if `weights[k]` is negative, else a support.
        names : sequence of str, optional
            The names of the arguments; without them they are 0, 1, 2, …
        labels : mapping, optional
            Argument → text to show for it.
        topics : iterable
            The arguments that are the topics.
        semantics : str, optional
            The name of the semantics that the graph is made for.
        groups : mapping, optional
            Name of a theme → its arguments; no argument is in two of them.
        uncertain : mapping, optional
            Argument → (low, high), a distribution or a list of samples of its base score.

        Returns
        -------
        Qbaf

        Raises
        ------
        InvalidQbaf
            If an array is not valid; the message names the place.

        Examples
        --------
        >>> Qbaf.from_arrays([0.5, 0.5, 1.0], sources=[0, 2], targets=[1, 1], weights=[-1.0, 0.5]).attacks
        mappingproxy({(0, 1): 1.0})
        """
        base = read_floats(base_scores, "base_scores")
        if names is None:
            known: Sequence[Name] = range(len(base))
            index: Mapping[Any, int] = _Identity(len(base))
        else:
            known = tuple(names)
            check_names(known)
            index = dict(zip(known, range(len(known)), strict=True))
            if len(known) != len(base) or len(index) != len(known):
                raise InvalidQbaf(
                    f"{len(base)} base scores need as many different names, not {len(index)} (of {len(known)} given)"
                )
        ends = [read_indices(each, what, len(base)) for each, what in ((sources, "sources"), (targets, "targets"))]
        signed = read_floats(weights, "weights")
        if not len(ends[0]) == len(ends[1]) == len(signed):
            raise InvalidQbaf(
                f"sources, targets and weights differ in length: {len(ends[0])}, {len(ends[1])}, {len(signed)}"
            )
        children = check_arrays(known, base, ends[0], ends[1], signed)
        structure = Structure(len(known), ends[0], ends[1], signed, children=children)
        made = cls.__new__(cls)
        made._fill(known, index, base, structure, labels, topics, semantics, groups, uncertain)
        return made

    def _fill(
        self,
        names: Sequence[Name],
        index: Mapping[Any, int],
        base: Floats | list[float],
        structure: Structure,
        labels: Mapping[Any, str] | None,
        topics: Iterable[Name],
        semantics: str | None,
        groups: Mapping[str, Iterable[Name]] | None = None,
        uncertain: Mapping[Any, object] | None = None,
    ) -> None:
        """Check all that is no number, then set every field once."""
        if isinstance(topics, str):
            raise InvalidQbaf(f"topics is the string {topics!r}; give a list: topics=[{topics!r}]")
        topics = tuple(topics)
        if topics or labels or semantics is not None:
            check_texts(names, index, topics, {} if labels is None else labels, semantics)
        self.__dict__.update(
            arguments=names,
            _index=index,
            given_base=base,
            labels=MappingProxyType(dict(labels)) if labels else NOTHING,
            topics=topics,
            semantics=semantics,
            groups=NOTHING if groups is None else MappingProxyType(check_groups(groups, names, index)),
            uncertain=NOTHING if uncertain is None else MappingProxyType(check_uncertain(uncertain, names, index)),
            structure=structure,
        )

    # -- looking at it ------------------------------------------------------------------------------

    @cached_property
    def base_array(self) -> Floats:
        """τ as an array, in the order of `arguments`."""
        base = np.asarray(self.given_base, np.float64)
        base.setflags(write=False)
        return base

    @property
    def sources(self) -> Ends:
        """Of every edge, the place of its source in `arguments`."""
        return self.structure.sources

    @property
    def targets(self) -> Ends:
        """Of every edge, the place of its target in `arguments`."""
        return self.structure.targets

    @property
    def weights(self) -> Floats:
        """Of every edge its weight; the sign bit says attack, so −0.0 is an attack without effect."""
        return self.structure.weights

    @cached_property
    def base_scores(self) -> Mapping[Name, float]:
        """τ as a mapping from name to base score."""
        return MappingProxyType(dict(zip(self.arguments, self.base_array.tolist(), strict=True)))

    @cached_property
    def attacks(self) -> Mapping[Edge, float]:
        """The attacks, (source, target) → weight."""
        return self._relation(np.signbit(self.weights))

    @cached_property
    def supports(self) -> Mapping[Edge, float]:
        """The supports, (source, target) → weight."""
        return self._relation(~np.signbit(self.weights))

    def attackers(self, name: Name) -> Mapping[Name, float]:
        """The arguments that attack `name`, with the weights of their attacks.

        Parameters
        ----------
        name : str or int
            An argument.

        Returns
        -------
        Mapping
            Attacker → weight, in the order in which the attacks were given; empty if nothing attacks it.

        Raises
        ------
        UnknownName
            If there is no such argument.

        Examples
        --------
        >>> q = Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, attacks={("a", "c"): 0.2, ("b", "c"): 1})
        >>> dict(q.attackers("c"))
        {'a': 0.2, 'b': 1.0}
        """
        return self._parents(name, attack=True)

    def supporters(self, name: Name) -> Mapping[Name, float]:
        """The arguments that support `name`, with the weights of their supports.

        Parameters
        ----------
        name : str or int
            An argument.

        Returns
        -------
        Mapping
            Supporter → weight, in the order in which the supports were given; empty if nothing supports it.

        Raises
        ------
        UnknownName
            If there is no such argument.

        Examples
        --------
        >>> q = Qbaf({"a": 0.5, "b": 0.5}, supports={("a", "b"): 0.2})
        >>> dict(q.supporters("b")), dict(q.supporters("a"))
        ({'a': 0.2}, {})
        """
        return self._parents(name, attack=False)

    def to_dict(self) -> dict[str, Any]:
        """The graph as plain data, the content of a `qbaf/1` JSON file.

        Returns
        -------
        dict
            With "format", "semantics", "topics", "groups" and "uncertain" where there are any, "arguments",
            "attacks", "supports", and "edge_weights" where a weight is not 1. `json.dumps` of it is a file that `read`
            reads back; integer names become text there.

        Examples
        --------
        >>> Qbaf({"a": 0.5, "b": 1.0}, attacks=[("b", "a")]).to_dict()["attacks"]
        [['b', 'a']]
        """
        edges = [(kind, pair, weight) for kind in ("attack", "support") for pair, weight in self._edges(kind).items()]
        weights = [[kind, str(a), str(b), weight] for kind, (a, b), weight in edges if weight != 1]
        return (
            {"format": "qbaf/1"}
            | ({} if self.semantics is None else {"semantics": self.semantics})
            | ({"topics": [str(name) for name in self.topics]} if self.topics else {})
            | ({"groups": {name: list(map(str, each)) for name, each in self.groups.items()}} if self.groups else {})
            | ({"uncertain": {str(x): each.to_dict() for x, each in self.uncertain.items()}} if self.uncertain else {})
            | {"arguments": {str(name): self._entry(name) for name in self.arguments}}
            | {
                f"{each}s": [[str(a), str(b)] for kind, (a, b), _ in edges if kind == each]
                for each in ("attack", "support")
            }
            | ({"edge_weights": weights} if weights else {})
        )

    def label(self, name: Name | Edge) -> str:
        """Return the text to show for an argument, its label or else its name; for an edge those of both ends.

        Parameters
        ----------
        name : str, int, or (source, target)
            An argument or an edge.

        Returns
        -------
        str

        Examples
        --------
        >>> Qbaf({"a": 0.5, "b": 0.5}, labels={"a": "rain"}).label(("a", "b"))
        'rain → b'
        """
        if isinstance(name, tuple):
            return " → ".join(map(self.label, name))
        return self.labels.get(name, str(name))

    def index(self, name: Name) -> int:
        """Return the place of an argument in `arguments`.

        Parameters
        ----------
        name : str or int
            An argument.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If there is no such argument; the message suggests the nearest name.
        """
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise unknown_name(name, self.arguments, labels=self.labels) from None

    def resolve(self, name_or_label: Name) -> Name:
        """Return the name of the argument that has this name, or else this label.

        Parameters
        ----------
        name_or_label : str or int
            A name, or a label that no other argument has.

        Returns
        -------
        str or int

        Raises
        ------
        UnknownName
            If there is no such argument, or several have this label.

        Examples
        --------
        >>> q = Qbaf({"s": 0.5, "z": 0.5}, labels={"s": "It has stripes"})
        >>> q.resolve("z"), q.resolve("It has stripes")
        ('z', 's')
        """
        if name_or_label in self:
            return name_or_label
        found: list[Name] = []
        if isinstance(name_or_label, str):
            found = self._names_by_label.get(" ".join(name_or_label.split()), [])
        if len(found) > 1:
            raise UnknownName(f"{name_or_label!r} is the label of {quote_names(found)}; give the name of one of them")
        if not found:
            raise unknown_name(name_or_label, self.arguments)
        return found[0]

    @cached_property
    def _names_by_label(self) -> dict[str, list[Name]]:
        found: dict[str, list[Name]] = {}
        for name, label in self.labels.items():
            found.setdefault(" ".join(label.split()), []).append(name)
        return found

    @cached_property
    def label_counts(self) -> Mapping[str, int]:
        """How many arguments each shortened label stands for."""
        return Counter(shorten(visible(self.label(name))) for name in self.arguments)

    def sinks(self) -> tuple[Name, ...]:
        """The arguments that act on no other, in their order: what a debate is about, where nothing else says so."""
        acts = np.zeros(len(self), bool)
        acts[self.sources[self.sources != self.targets]] = True
        return tuple(self.arguments[i] for i in np.flatnonzero(~acts).tolist())

    def __len__(self) -> int:
        return len(self.arguments)

    def __iter__(self) -> Iterator[Name]:
        return iter(self.arguments)

    def __contains__(self, name: object) -> bool:
        try:
            return name in self._index
        except TypeError:
            return False

    def __repr__(self) -> str:
        attacks = int(np.signbit(self.weights).sum())
        parts = [
            count(len(self), "argument"),
            count(attacks, "attack"),
            count(len(self.weights) - attacks, "support"),
        ]
        if self.topics:
            parts.append(f"topics {quote_names(self.topics, limit=6)}")
        if self.semantics:
            parts.append(self.semantics)
        return f"<Qbaf: {', '.join(parts)}>"

    # -- making another -------------------------------------------------------------------------------

    def restrict(self, keep: Iterable[Name]) -> Qbaf:
        """Restrict the graph to some arguments, with their base scores and the edges among them.

        Q↓A' = ⟨A', R⁻ ∩ (A'×A'), R⁺ ∩ (A'×A'), τ ∩ (A'×[0,1])⟩        (the paper, Definition 2)

        Parameters
        ----------
        keep : iterable
            The arguments A' that stay.

        Returns
        -------
        Qbaf

        Examples
        --------
        >>> Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, attacks=[("a", "b"), ("b", "c")]).restrict(["a", "b"])
        <Qbaf: 2 arguments, 1 attack, 0 supports>
        """
        if isinstance(keep, str):
            raise InvalidQbaf(f"restrict takes a collection of names, not the string {keep!r}; write [{keep!r}]")
        kept = np.zeros(len(self), bool)
        kept[[self.index(name) for name in keep]] = True
        return self._keep(kept)

    def _keep(self, kept: NDArray[np.bool_]) -> Qbaf:
        """Restrict the graph to the arguments where `kept` is true."""
        names = tuple([self.arguments[i] for i in kept.nonzero()[0].tolist()])
        members = set(names)
        return self._with(
            structure=self.structure.restrict(kept),
            arguments=names,
            _index=_index_of(names),
            base_array=self.base_array[kept],
            labels=MappingProxyType({name: text for name, text in self.labels.items() if name in members}),
            topics=tuple(name for name in self.topics if name in members),
            groups=_restrict_groups(self.groups, members),
            uncertain=_restrict_uncertain(self.uncertain, members),
        )

    def without(self, *names: Name) -> Qbaf:
        """Remove arguments, and the edges that begin or end at them.

        Parameters
        ----------
        names : str or int
            The arguments to remove.

        Returns
        -------
        Qbaf

        Examples
        --------
        >>> Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, attacks=[("a", "b"), ("b", "c")]).without("a")
        <Qbaf: 2 arguments, 1 attack, 0 supports>
        """
        gone = {self.index(name) for name in names}
        return self.restrict(name for i, name in enumerate(self.arguments) if i not in gone)

    def with_base_scores(self, base_scores: Mapping[Any, float]) -> Qbaf:
        """Set base scores; arguments that are not named keep theirs. A base score that is set is no longer uncertain.

        Parameters
        ----------
        base_scores : mapping
            Argument → base score between 0 and 1.

        Returns
        -------
        Qbaf

        Examples
        --------
        >>> dict(Qbaf({"a": 0.5, "b": 0.5}).with_base_scores({"a": 0.1}).base_scores)
        {'a': 0.1, 'b': 0.5}
        """
        names = tuple(base_scores)
        base = self.base_array.copy()
        base[[self.index(name) for name in names]] = read_numbers(names, base_scores.values(), "base score of argument")
        check_range(self.arguments, base)
        return self._with(
            base_array=base, uncertain=_restrict_uncertain(self.uncertain, self.uncertain.keys() - set(names))
        )

    def with_topics(self, topics: Iterable[Name]) -> Qbaf:
        """Set the topics.

        Parameters
        ----------
        topics : iterable
            The arguments that are the topics, in the order in which they are to be compared.

        Returns
        -------
        Qbaf

        Examples
        --------
        >>> Qbaf({"a": 0.5, "b": 0.5}).with_topics(["b", "a"]).topics
        ('b', 'a')
        """
        if isinstance(topics, str):
            raise InvalidQbaf(f"topics is the string {topics!r}; give a list: [{topics!r}]")
        resolved = tuple(self.arguments[self.index(name)] for name in topics)
        if len(set(resolved)) < len(resolved):
            raise InvalidQbaf(f"a topic is named twice among {quote_names(resolved)}")
        return self._with(topics=resolved)

    def with_groups(self, groups: Mapping[str, Iterable[Name]]) -> Qbaf:
        """Set the groups, which `players="groups"` makes players; all groups that were stored are replaced.

        Parameters
        ----------
        groups : mapping
            Name of a group → its members. An argument is in one group at most, and may be in none.

        Returns
        -------
        Qbaf

        Raises
        ------
        UnknownName
            If a member is not in the graph.
        InvalidQbaf
            If an argument is in two groups, or a group has the name of an argument.

        Examples
        --------
        >>> q = Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}).with_groups({"both": ["a", "b"]})
        >>> dict(q.groups), dict(q.without("a").groups), dict(q.with_groups({}).groups)
        ({'both': ('a', 'b')}, {'both': ('b',)}, {})
        """
        return self._with(groups=MappingProxyType(check_groups(groups, self.arguments, self._index)))

    # -- the rest of a value's manners ------------------------------------------------------------------

    def __setattr__(self, field: str, value: object) -> NoReturn:
        raise AttributeError(f"a Qbaf never changes; make a new one instead of setting {field}")

    def __delattr__(self, field: str) -> NoReturn:
        raise AttributeError(f"a Qbaf never changes; {field} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        """Equal arguments, base scores, edges, weights, labels, topics, semantics, groups and uncertain base scores.

        The order in which they were given does not matter.
        """
        if not isinstance(other, Qbaf):
            return NotImplemented
        return (
            len(self) == len(other)
            and len(self.weights) == len(other.weights)
            and (self.labels, self.topics, self.semantics) == (other.labels, other.topics, other.semantics)
            and {name: set(each) for name, each in self.groups.items()}
            == {name: set(each) for name, each in other.groups.items()}
            and self.uncertain == other.uncertain
            and all(np.array_equal(mine, theirs) for mine, theirs in zip(self._sorted(), other._sorted(), strict=True))
        )

    def __hash__(self) -> int:
        return hash(
            (len(self), len(self.weights), self.topics, self.semantics, (self._sorted()[1] + 0.0).tobytes())
        )  # −0.0 is 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        plain = tuple(self.arguments) if isinstance(self.arguments, tuple) else None
        keys = {
            "labels": dict(self.labels),
            "topics": self.topics,
            "semantics": self.semantics,
            "groups": dict(self.groups),
            "uncertain": dict(self.uncertain),
        }
        return _rebuild, (self.base_array, self.sources, self.targets, self.weights, plain, keys)

    def __copy__(self) -> Qbaf:
        return self

    def __deepcopy__(self, memo: object) -> Qbaf:
        return self

    def _with(self, **changed: Any) -> Qbaf:
        made = Qbaf.__new__(Qbaf)
        values = {field: changed.get(field, getattr(self, field)) for field in KEPT_FIELDS}
        values["structure"] = changed.get("structure", self.structure)
        if not changed.keys() <= {"base_array", "topics", "groups", "uncertain"} and "structure" not in changed:
            ends = (changed.get(field, getattr(self, field)) for field in ("sources", "targets", "weights"))
            values["structure"] = Structure(len(values["arguments"]), *ends)
        values["given_base"] = changed.get("base_array", self.given_base)
        made.__dict__.update(values)
        return made

    def _edges(self, kind: str) -> Mapping[Edge, float]:
        return self.attacks if kind == "attack" else self.supports

    def _entry(self, name: Name) -> dict[str, Any]:
        """An argument as ArgLLM's readers want it: with name, argument and initial_weight."""
        label = self.label(name)
        entry = {"name": str(name), "argument": label, "initial_weight": self.base_scores[name]}
        return entry | {"label": label} if label == str(name) and name in self.labels else entry

    def _parents(self, name: Name, attack: bool) -> Mapping[Name, float]:
        here = (self.targets == self.index(name)) & (np.signbit(self.weights) == attack)
        sources = (self.arguments[i] for i in self.sources[here].tolist())
        return MappingProxyType(dict(zip(sources, np.abs(self.weights[here]).tolist(), strict=True)))

    def _relation(self, edges: NDArray[np.bool_]) -> Mapping[Edge, float]:
        names = self.arguments
        ends = zip(self.sources[edges].tolist(), self.targets[edges].tolist(), strict=True)
        pairs = ((names[i], names[j]) for i, j in ends)
        return MappingProxyType(dict(zip(pairs, np.abs(self.weights[edges]).tolist(), strict=True)))

    def _sorted(self) -> tuple[NDArray[Any], ...]:
        """The graph in an order that does not depend on the order in which it was given."""
        if isinstance(self.arguments, range):
            order = np.arange(len(self))
            names: NDArray[Any] = order
        else:
            # a graph restricted from integer names has a mixture of neither: its names are all ints or all strings
            order = np.array(sorted(range(len(self)), key=self.arguments.__getitem__), dtype=np.intp)
            names = np.array([self.arguments[i] for i in order.tolist()], dtype=object)
        place = np.empty(len(self), np.int32)
        place[order] = np.arange(len(self))
        sources, targets = place[self.sources], place[self.targets]
        edges = np.lexsort((targets, sources))
        weights = self.weights[edges]
        return names, self.base_array[order], sources[edges], targets[edges], weights, np.signbit(weights)


class ArgumentValues(Mapping[Any, float]):
    """A mapping from argument to number over `array`, which is in the order of `qbaf`; `left_out` are not in it.

    Subclasses may have other keys, `keys_in_order`: edges, or groups.
    """

    qbaf: Any  # a Qbaf: a field or a property of the class that uses this
    array: Any  # Floats
    left_out: Any = ()  # tuple[Name, ...]
    member: ClassVar[str] = "argument"  # what messages call one

    @property
    def keys_in_order(self) -> Any:
        """The keys with `index(key)`, in the order of `array`: the graph, for arguments."""
        return self.qbaf

    def __getitem__(self, name: Any) -> float:
        place = self.keys_in_order.index(name)
        if name in self.left_out:
            raise unknown_name(name, list(self), self.member)
        return float(self.array[place])

    def __iter__(self) -> Iterator[Any]:
        return (name for name in self.keys_in_order if name not in self.left_out)

    def __len__(self) -> int:
        return len(self.keys_in_order) - len(set(self.left_out))

    def __contains__(self, name: object) -> bool:
        return name in self.keys_in_order and name not in self.left_out

    def items(self) -> ItemsView[Any, float]:
        """All pairs, taken from the array at once."""
        found = dict(zip(self.keys_in_order, self.array.tolist(), strict=True))
        for name in self.left_out:
            found.pop(name, None)
        return found.items()

    def values(self) -> ValuesView[float]:
        """All numbers, taken from the array at once."""
        return dict(self.items()).values()


def _restrict_groups(groups: Mapping[str, tuple[Name, ...]], members: set[Name]) -> Mapping[str, tuple[Name, ...]]:
    """The groups without the arguments that left."""
    if not groups:
        return groups
    kept = {name: tuple(each for each in group if each in members) for name, group in groups.items()}
    return MappingProxyType({name: group for name, group in kept.items() if group})


def _restrict_uncertain(uncertain: Mapping[Name, Distribution], members: set[Name]) -> Mapping[Name, Distribution]:
    """The uncertain base scores of these arguments."""
    return MappingProxyType({name: each for name, each in uncertain.items() if name in members})


class _Identity(Mapping[Any, int]):
    """The index of a graph whose names are 0 … n − 1, without a dictionary of them."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __getitem__(self, name: Any) -> int:
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and 0 <= name < self.size:
            return int(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.size))

    def __len__(self) -> int:
        return self.size


class _Numbers(dict[Any, int]):
    """The index of a graph whose names are some integers: True and 1.0 are no names, though they equal 1."""

    def __getitem__(self, name: Any) -> int:
        if not isinstance(name, (int, np.integer)) or isinstance(name, bool):
            raise KeyError(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (int, np.integer)) and not isinstance(name, bool) and super().__contains__(name)


def _index_of(names: Sequence[Name]) -> Mapping[Any, int]:
    """The place of each name."""
    kind = _Numbers if names and not isinstance(names[0], str) else dict
    return kind(zip(names, range(len(names)), strict=True))


def _rebuild(
    base: Floats, sources: Ends, targets: Ends, weights: Floats, names: tuple[Name, ...] | None, keys: Any
) -> Qbaf:
    made = Qbaf.__new__(Qbaf)
    known: Sequence[Name] = range(len(base)) if names is None else names
    index = _Identity(len(base)) if names is None else _index_of(names)
    children = check_arrays(known, base, sources, targets, weights)
    made._fill(known, index, base, Structure(len(known), sources, targets, weights, children=children), **keys)
    return made


def check_graph(qbaf: object) -> None:
    """Refuse what is no Qbaf, such as the name of a file."""
    if not isinstance(qbaf, Qbaf):
        raise InvalidInput(f"expected a Qbaf, not {type(qbaf).__name__}; qontrast.read(...) makes one from a file")
