"""From a request to the graph that it is about, and to the two topics that it asks for.

A slider sends the same graph again and again with other base scores. What depends on the structure alone (compiled
arrays, connected sets, the layout of the picture) is kept with a graph, so a graph that is known lends its structure.
"""

from __future__ import annotations

import json
import warnings
from collections import OrderedDict
from typing import Any

from ..engine.problem import strengths
from ..errors import FormatWarning, InvalidInput
from ..explain.whatif import apply_changes
from ..formats import csv_tables, qbaf_json, read_text
from ..graph.qbaf import Qbaf
from ..types import Name
from . import limits, schemas

KNOWN = 16  # graphs whose structure is kept

_known: OrderedDict[tuple[Any, ...], Qbaf] = OrderedDict()


def graph_of(asked: schemas.Graph) -> Qbaf:
    """The graph asked about: its base scores set, arguments removed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # said when the file was read
        qbaf = limits.small(parsed(asked.graph))
    remove = [qbaf.resolve(name) for name in asked.remove]
    scores = {qbaf.resolve(name): score for name, score in asked.set.items()}
    kept = apply_changes(qbaf, {name: score for name, score in scores.items() if name not in remove}, remove)
    return _familiar(kept) if remove else kept


def parsed(data: dict[str, Any]) -> Qbaf:
    """The graph of native JSON that is an object already."""
    return _familiar(read_text(json.dumps(data), "json", name="the graph"))


def _familiar(qbaf: Qbaf) -> Qbaf:
    """The same graph, with the structure of one that was seen before, if there is one."""
    structure = (
        tuple(qbaf.arguments),
        qbaf.sources.tobytes(),
        qbaf.targets.tobytes(),
        qbaf.weights.tobytes(),
        tuple(qbaf.labels.items()),
        qbaf.topics,
        qbaf.semantics,
    )
    known = _known.pop(structure, qbaf)
    _known[structure] = known
    while len(_known) > KNOWN:
        _known.popitem(last=False)
    return qbaf if known is qbaf else known.with_base_scores(qbaf.base_scores)


def native(qbaf: Qbaf) -> dict[str, Any]:
    """The graph as native JSON, as an object."""
    data: dict[str, Any] = json.loads(qbaf_json.render(qbaf))
    return data


def candidates(qbaf: Qbaf) -> tuple[Name, ...]:
    """What a question may be about unless it says so: the topics, else arguments that act on nothing, else all."""
    if len(qbaf.topics) > 1:
        return qbaf.topics
    ends = qbaf.sinks()
    return ends if len(ends) > 1 and not qbaf.topics else tuple(qbaf.arguments)


def pair(qbaf: Qbaf, asked: schemas.Contrast) -> tuple[Name, Name]:
    """Fact and foil: as asked, else the strongest candidate against the second; what a graph is about comes first."""
    fact, foil = (None if name is None else qbaf.resolve(name) for name in (asked.fact, asked.foil))
    if fact is not None and foil is not None:
        return fact, foil
    given = fact if fact is not None else foil
    names = [name for name in candidates(qbaf) if name != given] or [n for n in qbaf.arguments if n != given]
    if len(names) + (given is not None) < 2:
        raise InvalidInput(f"a contrast needs two arguments, and the graph has {len(qbaf)}")
    found = strengths(qbaf, semantics=asked.semantics, solver=asked.solver)
    about = qbaf.topics or qbaf.sinks()
    names.sort(key=lambda name: (len(about) != 1 or name != about[0], -found[name]))
    if fact is not None:
        return fact, names[0]
    return (names[0], foil) if foil is not None else (names[0], names[1])


def read_files(asked: schemas.Read) -> tuple[dict[str, Qbaf], list[str]]:
    """Every graph in the files by its address ('' where there is one), and what the reader had to assume."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = _read(asked)
    for qbaf in found.values():
        limits.small(qbaf)
    return found, [str(each.message) for each in said if issubclass(each.category, FormatWarning)]


def _read(asked: schemas.Read) -> dict[str, Qbaf]:
    for file in asked.files:
        if "\0" in file.text:
            raise InvalidInput(f"{file.name}: is binary, not text: it has a NUL")
    first = asked.files[0]
    if len(asked.files) == 2:
        return {"": csv_tables.parse_files([(file.name, file.text) for file in asked.files])}
    if asked.address is not None:
        return {asked.address: qbaf_json.parse_one(first.text, asked.address)}
    if asked.format in (None, "json") and qbaf_json.recognise(first.text):
        many = qbaf_json.parse_many(first.text)
        if list(many) != [""]:
            return many
    return {"": read_text(first.text, asked.format, first.name)}
