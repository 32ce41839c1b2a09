"""The native format: JSON that holds everything, and a superset of what the ArgLLM tools write.

    {"format": "qbaf/1",
     "semantics": "qe",
     "topics": ["db0"],
     "arguments": {"db0": {"name": "db0", "argument": "Vitamin C cures colds", "initial_weight": 0.5}},
     "attacks": [["d1", "db0"]],
     "supports": [["d2", "db0"]],
     "edge_weights": [["attack", "d1", "db0", 0.2]]}

Only `arguments` is needed. An argument is an object or just its base score (`"zebra": 0.5`). In the object,
`base_score` is the same as `initial_weight` and `label` the same as `argument`; an `argument` text that
repeats the name is no label. Edges are pairs [source, target] of weight 1 unless `edge_weights` says
otherwise. `strength` is a result of other programs and is left aside; other unknown keys are left aside
with a warning.

An ArgLLM *results file* holds many graphs: `{"arguments": {options}, "data": [{"base": {"bag": {…}},
"estimated": {"bag": {…}}, …}, …]}`. `parse_many` gives them by address, '0/base', '0/estimated', '1/base', …

>>> parse('{"arguments": {"zebra": 0.5, "stripes": 0.8}, "supports": [["stripes", "zebra"]]}')
<Qbaf: 2 arguments, 0 attacks, 1 support>
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..errors import unknown
from ..qbaf import Qbaf
from ._draft import Draft
from ._json import dump_line, ignore, loads, need
from ._text import edges_of, fail, prepare, shown

VERSION = "qbaf/1"
TOP_KEYS = {"format", "semantics", "topics", "arguments", "attacks", "supports", "edge_weights"}
ARGUMENT_KEYS = {"name", "argument", "label", "initial_weight", "base_score", "strength"}


def sniff(text: str) -> bool:
    return bool(re.match(r"\s*\{", text) and re.search(r'"arguments"\s*:', text))


def parse(text: str) -> Qbaf:
    data = need(loads(text), dict, "the whole")
    if _is_results(data):
        first = next(iter(_bags(data)), ("0/base", None))[0]
        raise fail(f"a results file with many graphs: read_many reads them all, '#{first}' after the path picks one")
    return _graph(data)


def parse_many(text: str) -> dict[str, Qbaf]:
    """Every graph of a results file by its address; a file with one graph gives it under ''."""
    data = need(loads(text), dict, "the whole")
    return {key: _graph(bag) for key, bag in _bags(data)} if _is_results(data) else {"": _graph(data)}


def parse_one(text: str, address: str) -> Qbaf:
    """The graph at one address of a results file."""
    data = need(loads(text), dict, "the whole")
    bags = dict(_bags(data)) if _is_results(data) else {}
    if address not in bags:
        raise fail(str(unknown(address[:80], bags, kind="graph")))
    return _graph(bags[address])


def _is_results(data: dict[str, Any]) -> bool:
    return isinstance(data.get("data"), list)


def _bags(data: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    for place, item in enumerate(data["data"]):
        for key, value in need(item, dict, f"data[{place}]").items():
            if isinstance(value, dict) and "bag" in value:
                yield f"{place}/{key}", need(value["bag"], dict, f"the bag of data[{place}]")


def _graph(data: dict[str, Any]) -> Qbaf:
    if data.get("format", VERSION) != VERSION:
        raise fail(f"the format is {shown(data['format'])}; this version reads {VERSION!r}")
    if "arguments" not in data:
        raise fail("no 'arguments' in the object; expected at least {\"arguments\": {name: base score}}")
    ignore(data.keys() - TOP_KEYS, "the file")
    draft = Draft()
    _read_arguments(draft, need(data["arguments"], dict, "'arguments'"))
    weights = _weights(need(data.get("edge_weights", []), list, "'edge_weights'"))
    for kind in ("attack", "support"):
        for pair in need(data.get(f"{kind}s", []), list, f"'{kind}s'"):
            if not isinstance(pair, list) or len(pair) != 2:
                raise fail(f"{shown(dump_line(pair))} in '{kind}s' is no pair [source, target]")
            key = kind, str(pair[0]), str(pair[1])
            draft.edge(kind, pair[0], pair[1], weights.pop(key, 1.0))
    for kind, source, target in weights:
        raise fail(f"'edge_weights' has a weight for the {kind} from {shown(source)} to {shown(target)}; no such edge")
    return draft.build(_semantics(data), topics=_topics(draft, data))


def _read_arguments(draft: Draft, arguments: dict[str, Any]) -> None:
    strange: set[str] = set()
    for name, value in arguments.items():
        if isinstance(value, dict):
            strange |= value.keys() - ARGUMENT_KEYS
            draft.argument(name, _base_score(name, value), label=_label(name, value))
        elif value is None:
            raise fail(f"argument {shown(name)} is null; give a base score")
        else:
            draft.argument(name, value)
    ignore(strange, "arguments")


def _base_score(name: str, value: dict[str, Any]) -> Any:
    given = [value[key] for key in ("base_score", "initial_weight") if key in value]
    if len(given) == 2 and given[0] != given[1]:
        raise fail(f"argument {shown(name)} has base_score {given[0]} and initial_weight {given[1]}; keep one")
    if given and given[0] is None:
        raise fail(f"the base score of {shown(name)} is null; expected a number")
    return given[0] if given else None


def _label(name: str, value: dict[str, Any]) -> Any:
    if value.get("name", name) != name:
        raise fail(f"argument {shown(name)} calls itself {shown(value['name'])}; make them the same")
    label, argument = value.get("label"), value.get("argument")
    argument = None if argument == name else argument
    if label is not None and argument is not None and label != argument:
        raise fail(f"argument {shown(name)} has the label {shown(label)} and the argument {shown(argument)}; keep one")
    return argument if label is None else label


def _weights(rows: list[Any]) -> dict[tuple[str, str, str], Any]:
    weights: dict[tuple[str, str, str], Any] = {}
    for row in rows:
        if not isinstance(row, list) or len(row) != 4 or row[0] not in ("attack", "support"):
            raise fail(
                f'{shown(dump_line(row))} in \'edge_weights\' is not ["attack" or "support", source, target, weight]'
            )
        key = row[0], str(row[1]), str(row[2])
        if key in weights:
            raise fail(f"'edge_weights' has two weights for the {key[0]} from {shown(key[1])} to {shown(key[2])}")
        weights[key] = row[3]
    return weights


def _topics(draft: Draft, data: dict[str, Any]) -> list[str]:
    topics: list[str] = need(data.get("topics", []), list, "'topics'")
    for name in topics:
        if not isinstance(name, str) or name not in draft.base_scores:
            raise fail(f"'topics' names {shown(name)}: {unknown(str(name)[:80], draft.base_scores)}")
    return topics


def _semantics(data: dict[str, Any]) -> str | None:
    name = data.get("semantics")
    if name is not None and not isinstance(name, str):
        raise fail(f"'semantics' is {shown(dump_line(name))}; expected a name")
    return name


def render(qbaf: Qbaf) -> str:
    """One argument, one edge a line; nothing is lost."""
    qbaf = prepare(qbaf, "json")
    edges = list(edges_of(qbaf))
    parts = [f'"format": "{VERSION}"']
    if qbaf.semantics is not None:
        parts.append(f'"semantics": {dump_line(qbaf.semantics)}')
    if qbaf.topics:
        parts.append(f'"topics": {dump_line(list(qbaf.topics))}')
    arguments = [f"{dump_line(name)}: {dump_line(_entry(qbaf, str(name)))}" for name in qbaf.arguments]
    parts.append('"arguments": ' + _block("{", arguments, "}"))
    for kind in ("attack", "support"):
        parts.append(f'"{kind}s": ' + _block("[", [dump_line(edge[1:3]) for edge in edges if edge[0] == kind], "]"))
    weights = [dump_line(edge) for edge in edges if edge[3] != 1]
    if weights:
        parts.append('"edge_weights": ' + _block("[", weights, "]"))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _entry(qbaf: Qbaf, name: str) -> dict[str, Any]:
    """The ArgLLM readers want name, argument and initial_weight in every entry."""
    label = qbaf.label(name)
    entry = {"name": name, "argument": label, "initial_weight": qbaf.base_scores[name]}
    return entry | {"label": label} if label == name and name in qbaf.labels else entry


def _block(begin: str, rows: list[str], end: str) -> str:
    return begin + ("\n  " + ",\n  ".join(rows) + "\n" if rows else "") + end
