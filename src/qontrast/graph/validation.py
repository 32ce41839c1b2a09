"""What a user gave as a graph, checked: names, base scores, edges, weights, as arrays.

Each refusal names the culprit and the way out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from numbers import Real
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidQbaf, UnknownName, count, quote_names, unknown_name, with_article
from ..types import Edges, Ends, Floats, Name
from .structure import Structure

_ENDS = (itemgetter(0), itemgetter(1))
MAX_WEIGHT = 1e300  # so that a sum over any number of parents stays finite


def check_names(names: Sequence[object]) -> None:
    if set(map(type, names)) <= {str} and "" not in names:
        return
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise InvalidQbaf(f"argument {place + 1} is named {name!r}; a name is a string: {str(name)!r}?")
        if not name:
            raise InvalidQbaf(f"argument {place + 1} has an empty name; give every argument a name")


def read_numbers(names: Sequence[object], values: Iterable[Any], what: str) -> Floats:
    values = list(values)
    if any(kind is bool or not issubclass(kind, Real) for kind in set(map(type, values))):
        for name, value in zip(names, values, strict=True):
            if not isinstance(value, Real) or isinstance(value, bool):
                raise InvalidQbaf(f"the {what} {name!r} is {value!r}, not a number")
    try:
        return np.array(values, np.float64)
    except OverflowError:
        raise InvalidQbaf(f"a {what} is too large for a float") from None


def check_range(names: Sequence[Name], base: Floats) -> None:
    if not len(base) or (base.min() >= 0 and base.max() <= 1):  # NaN compares false, so it is caught here
        return
    bad = np.flatnonzero(~((base >= 0) & (base <= 1)))
    if len(bad):
        raise InvalidQbaf(
            f"the base score of argument {names[bad[0]]!r} is {base[bad[0]]:g}; base scores lie between 0 and 1"
            + (f" ({len(bad) - 1} more are outside)" if len(bad) > 1 else "")
        )


def check_weights(names: Sequence[Name], sources: Ends, targets: Ends, weights: Floats) -> None:
    if not len(weights) or (weights.min() >= -MAX_WEIGHT and weights.max() <= MAX_WEIGHT):
        return
    bad = np.flatnonzero(~(np.abs(weights) <= MAX_WEIGHT))
    if len(bad):
        pair = (names[sources[bad[0]]], names[targets[bad[0]]])
        raise InvalidQbaf(f"the weight of edge {pair} is {weights[bad[0]]:g}; give a number of at most {MAX_WEIGHT:g}")


def check_duplicates(names: Sequence[Name], sources: Ends, targets: Ends, weights: Floats) -> Ends:
    """Refuse an edge that is there twice; return the targets of all edges, source after source, each in order."""
    key = sources * np.int64(len(names)) + targets
    key.sort()
    same = np.flatnonzero(key[1:] == key[:-1])
    if len(same):
        i, j = divmod(int(key[same[0]]), len(names))
        kinds = np.signbit(weights[(sources == i) & (targets == j)])
        twice = "both an attack and a support; keep one" if kinds.any() and not kinds.all() else "given twice; keep one"
        raise InvalidQbaf(f"the edge from {names[i]!r} to {names[j]!r} is {twice}")
    key %= max(len(names), 1)
    return key.astype(np.int32)


def read_edges(edges: Edges, index: Mapping[str, int], kind: str) -> tuple[Ends, Ends, Floats]:
    """Sources, targets and weights of a relation that came as pairs or as a mapping."""
    if isinstance(edges, str):
        raise InvalidQbaf(f"{kind}s is the string {edges!r}; give pairs: [('source', 'target')]")
    pairs = list(edges)
    if not pairs:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    if not (set(map(type, pairs)) <= {tuple, list} and set(map(len, pairs)) == {2}):
        bad = next(p for p in pairs if not isinstance(p, (tuple, list)) or len(p) != 2)
        one = with_article(kind)
        raise InvalidQbaf(f"{bad!r} is not {one}: give pairs (source, target), or a mapping from pairs to weights")
    try:
        ends = [np.fromiter(map(index.__getitem__, map(end, pairs)), np.int32, len(pairs)) for end in _ENDS]
    except (KeyError, TypeError):
        pair, place, name = next((p, k, p[k]) for p in pairs for k in (0, 1) if not is_known(p[k], index))
        way = ("comes from", "leads to")[place]
        raise InvalidQbaf(f"the {kind} {tuple(pair)} {way} nowhere: {unknown_name(name, index)}") from None
    if not isinstance(edges, Mapping):
        return ends[0], ends[1], np.ones(len(pairs))
    weights = read_numbers(pairs, edges.values(), f"weight of {kind}")
    if np.signbit(weights).any():
        bad = int(np.flatnonzero(np.signbit(weights))[0])
        other = "a support" if kind == "attack" else "an attack"
        raise InvalidQbaf(f"the weight of {kind} {pairs[bad]} is {weights[bad]:g}; make it {other} of weight ≥ 0")
    return ends[0], ends[1], weights


def list_numbers(names: Sequence[object], values: Iterable[Any], what: str) -> list[float]:
    """The same numbers as `read_numbers` reads, as a list."""
    values = list(values)
    if set(map(type, values)) == {float}:
        return values
    return read_numbers(names, values, what).tolist()


def list_edges(edges: Edges, index: Mapping[str, int], kind: str) -> tuple[list[int], list[int], list[float] | None]:
    """The same as `read_edges`, as lists; no weights means all 1."""
    if isinstance(edges, (list, tuple)) and set(map(type, edges)) <= {tuple}:
        try:
            return [index[source] for source, _ in edges], [index[target] for _, target in edges], None
        except (KeyError, TypeError, ValueError):
            pass  # `read_edges` says what is wrong
    sources, targets, weights = read_edges(edges, index, kind)
    return sources.tolist(), targets.tolist(), None if (weights == 1).all() else weights.tolist()


def check_arrays(names: Sequence[Name], base: Floats, sources: Ends, targets: Ends, weights: Floats) -> Ends:
    """Refuse numbers out of range, and edges given twice; return the targets of all edges, source after source."""
    check_range(names, base)
    check_weights(names, sources, targets, weights)
    return check_duplicates(names, sources, targets, weights)


def check_groups(groups: object, names: Iterable[Name], index: Mapping[Any, int]) -> dict[str, tuple[Name, ...]]:
    """Groups as a mapping from name to members; no argument is in two of them."""
    if not isinstance(groups, Mapping):
        raise InvalidQbaf(f"groups is {with_article(type(groups).__name__)}; give a mapping from name to arguments")
    found: dict[str, tuple[Name, ...]] = {}
    group_of: dict[Name, str] = {}
    for group, members in groups.items():
        if not isinstance(group, str) or not group:
            raise InvalidQbaf(f"a group is named {group!r}; a name is a string that is not empty")
        if is_known(group, index):
            raise InvalidQbaf(f"group {group!r} has the name of an argument; give it another name")
        if isinstance(members, str) or not isinstance(members, Iterable):
            raise InvalidQbaf(f"the members of group {group!r} are {members!r}; give a list of arguments")
        found[group] = tuple(members)
        for member in found[group]:
            if not is_known(member, index):
                raise UnknownName(f"group {group!r}: {unknown_name(member, tuple(names))}")
            if member in group_of:
                other = group_of[member]
                where = f"twice in group {group!r}" if other == group else f"in the groups {other!r} and {group!r}"
                raise InvalidQbaf(f"argument {member!r} is {where}; an argument is in one group at most")
            group_of[member] = group
    return found


def is_known(name: object, index: Mapping[str, int]) -> bool:
    try:
        return name in index
    except TypeError:
        return False


def read_floats(values: ArrayLike, what: str) -> Floats:
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "iufO":
            raise TypeError
        array = np.array(given, np.float64)  # a copy: the caller may go on writing into theirs
    except (TypeError, ValueError):
        raise InvalidQbaf(f"{what} cannot be read as numbers; give a one-dimensional array of floats") from None
    if array.ndim != 1:
        raise InvalidQbaf(f"{what} has shape {array.shape}; give a one-dimensional array")
    return array


def read_indices(values: ArrayLike, what: str, size: int) -> Ends:
    array = np.asarray(values)
    if array.size == 0:
        return np.empty(0, np.int32)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise InvalidQbaf(f"{what} is {array.dtype} of shape {array.shape}; give a one-dimensional array of integers")
    if array.min() < 0 or array.max() >= size:
        bad = int(np.flatnonzero((array < 0) | (array >= size))[0])
        room = f"with {count(size, 'argument')} an index lies in 0 … {size - 1}"
        raise InvalidQbaf(f"{what}[{bad}] is {array[bad]}; {room}")
    return array.astype(np.int32)


def make_countable(edges: Any) -> Any:
    """Edges that can be counted: an iterator is read into a list."""
    if type(edges) in (list, tuple, dict):
        return edges
    return list(edges) if isinstance(edges, Iterable) and not isinstance(edges, Sized) else edges


def read_as_lists(
    names: Sequence[str], index: dict[str, int], base_scores: Mapping[str, float], attacks: Any, supports: Any
) -> tuple[list[float] | Floats, Structure]:
    """Base scores and edges of a small graph as lists, checked."""
    base = list_numbers(names, base_scores.values(), "base score of argument")
    att, sup = list_edges(attacks, index, "attack"), list_edges(supports, index, "support")
    sources, targets, weights = att[0] + sup[0], att[1] + sup[1], None
    if att[2] is not None or sup[2] is not None:
        weights = (att[2] or [1.0] * len(att[0])) + (sup[2] or [1.0] * len(sup[0]))
    structure = Structure(len(names), sources, targets, weights, len(att[0]))
    inside = [score for score in base if 0 <= score <= 1]
    finite = weights is None or all(weight <= MAX_WEIGHT for weight in weights)
    if len(inside) < len(base) or len(set(zip(sources, targets, strict=True))) < len(sources) or not finite:
        check_arrays(names, np.array(base), structure.sources, structure.targets, structure.weights)
    return base, structure


def read_as_arrays(
    names: Sequence[str], index: dict[str, int], base_scores: Mapping[str, float], attacks: Any, supports: Any
) -> tuple[list[float] | Floats, Structure]:
    """Base scores and edges as arrays, checked."""
    base = read_numbers(names, base_scores.values(), "base score of argument")
    att, sup = read_edges(attacks, index, "attack"), read_edges(supports, index, "support")
    sources, targets = np.concatenate((att[0], sup[0])), np.concatenate((att[1], sup[1]))
    weights = np.concatenate((-att[2], sup[2]))
    children = check_arrays(names, base, sources, targets, weights)
    return base, Structure(len(names), sources, targets, weights, children=children)


def check_texts(
    names: Sequence[Name], index: Mapping[Any, int], topics: tuple[Name, ...], labels: Any, semantics: object
) -> None:
    """Refuse topics and labels of arguments that are not there, and what is no text."""
    for name in (*topics, *labels):
        if name not in index:
            raise unknown_name(name, names)
    for name, label in dict(labels).items():
        if not isinstance(label, str):
            raise InvalidQbaf(f"the label of argument {name!r} is {label!r}; give a string")
    if len(set(topics)) < len(topics):
        raise InvalidQbaf(f"a topic is named twice among {quote_names(topics)}")
    if semantics is not None and not isinstance(semantics, str):
        raise InvalidQbaf(f"a Qbaf holds the name of its semantics, not {semantics!r}; pass it to strengths(...)")
