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
otherwise. `strength` is a result of other programs and no part of the graph: `RECORDED` compares it
with ours and warns where they differ. Other keys are left aside with a warning.

An ArgLLM *results file* holds many graphs: `{"arguments": {options}, "data": [{"base": {"bag": {…}},
"estimated": {"bag": {…}}, …}, …]}`. `parse_many` gives them by address, '0/base', '0/estimated', '1/base', …

>>> parse('{"arguments": {"zebra": 0.5, "stripes": 0.8}, "supports": [["stripes", "zebra"]]}')
<Qbaf: 2 arguments, 0 attacks, 1 support>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import quoted, unknown
from ..graph.qbaf import Qbaf
from ._draft import Draft
from ._json import Path, dump_line, ignore, loads, need, read_with_lines
from ._text import count, fail, prepare, shown, warn

VERSION = "qbaf/1"
TOP_KEYS = {"format", "semantics", "topics", "arguments", "attacks", "supports", "edge_weights"}
ROWS = {"attacks", "supports", "edge_weights"}  # written with a line for each
ARGUMENT_KEYS = {"name", "argument", "label", "initial_weight", "base_score", "strength"}

RECORDED: list[Callable[[Qbaf, Mapping[str, float]], str | None]] = []  # say how recorded strengths differ from ours

LineOf = Callable[..., int | None]  # of the value under these keys


def sniff(text: str) -> bool:
    return bool(re.match(r"\s*\{", text) and re.search(r'"arguments"\s*:', text))


def parse(text: str) -> Qbaf:
    data = need(loads(text), dict, "the whole")
    if _is_results(data):
        first = next(iter(_bags(data)), ("0/base", None))[0]
        raise fail(f"a results file with many graphs: read_many reads them all, '#{first}' after the path picks one")
    return _read_and_compare(text, data)


def parse_many(text: str) -> dict[str, Qbaf]:
    """Every graph of a results file by its address; a file with one graph gives it under ''."""
    data = need(loads(text), dict, "the whole")
    if not _is_results(data):
        return {"": parse(text)}
    bags = dict(_bags(data))
    graphs = {address: _read(text, bag, address) for address, bag in bags.items()}
    said = {key: message for key, bag in bags.items() for message in _compare(graphs[key], bag)}
    if said:
        first = next(iter(said))
        warn(f"in {len(said):,} of {count(len(bags), 'graph')}, first in '#{first}': {said[first]}")
    return graphs


def parse_one(text: str, address: str) -> Qbaf:
    """The graph at one address of a results file."""
    data = need(loads(text), dict, "the whole")
    bags = dict(_bags(data)) if _is_results(data) else {}
    if address not in bags:
        raise fail(str(unknown(address[:80], bags, kind="graph")))
    return _read_and_compare(text, bags[address], address)


def _is_results(data: dict[str, Any]) -> bool:
    return isinstance(data.get("data"), list)


def _bags(data: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    for place, item in enumerate(data["data"]):
        for key, value in need(item, dict, f"data[{place}]").items():
            if isinstance(value, dict) and "bag" in value:
                yield f"{place}/{key}", need(value["bag"], dict, f"the bag of data[{place}]")


def _read_and_compare(text: str, data: dict[str, Any], address: str | None = None) -> Qbaf:
    qbaf = _read(text, data, address)
    for message in _compare(qbaf, data):
        warn(message)
    return qbaf


def _compare(qbaf: Qbaf, data: dict[str, Any]) -> list[str]:
    """How the strengths in the file differ from ours, in words."""
    recorded = {
        name: entry["strength"]
        for name, entry in data["arguments"].items()
        if isinstance(entry, dict) and type(entry.get("strength")) in (int, float) and abs(entry["strength"]) < 1e9
    }
    messages = (compare(qbaf, recorded) for compare in RECORDED) if recorded else ()
    return [message for message in messages if message]


def _read(text: str, data: dict[str, Any], address: str | None = None) -> Qbaf:
    place, _, key = (address or "").partition("/")
    above: Path = () if address is None else ("data", int(place), key, "bag")
    return read_with_lines(text, lambda lines: _graph(data, lambda *path: lines.get((*above, *path))))


def _graph(data: dict[str, Any], line_of: LineOf) -> Qbaf:
    if data.get("format", VERSION) != VERSION:
        raise fail(f"the format is {shown(data['format'])}; this version reads {VERSION!r}", line_of("format"))
    if "arguments" not in data:
        keys = f" among the keys {quoted(data, most=6)}" if data else ""
        expected = '{"arguments": {name: base score}}, or lists of nodes and edges'
        raise fail(f"no 'arguments'{keys}; expected at least {expected}")
    ignore(data.keys() - TOP_KEYS, "the file")
    draft = Draft()
    _read_arguments(draft, need(data["arguments"], dict, "'arguments'", "an object {name: base score}"), line_of)
    weights = _weights(need(data.get("edge_weights", []), list, "'edge_weights'"), line_of)
    for kind in ("attack", "support"):
        for place, pair in enumerate(need(data.get(f"{kind}s", []), list, f"'{kind}s'")):
            line = line_of(f"{kind}s", place)
            if not isinstance(pair, list) or len(pair) != 2:
                raise fail(f"{shown(dump_line(pair))} in '{kind}s' is not a pair [source, target]", line)
            weight, at = weights.pop((kind, str(pair[0]), str(pair[1])), (1.0, line))
            draft.edge(kind, pair[0], pair[1], weight, line=at)
    for (kind, source, target), (_, line) in weights.items():
        message = f"'edge_weights' has a weight for the {kind} from {shown(source)} to {shown(target)}; no such edge"
        raise fail(message, line)
    return draft.build(_semantics(data), topics=_topics(draft, data, line_of))


def _read_arguments(draft: Draft, arguments: dict[str, Any], line_of: LineOf) -> None:
    strange: set[str] = set()
    for name, value in arguments.items():
        line = line_of("arguments", name)
        if isinstance(value, dict):
            strange |= value.keys() - ARGUMENT_KEYS
            draft.argument(name, _base_score(name, value, line), label=_label(name, value, line), line=line)
        elif value is None:
            raise fail(f"argument {shown(name)} is null; give a base score", line)
        else:
            draft.argument(name, value, line=line)
    ignore(strange, "arguments")


def _base_score(name: str, value: dict[str, Any], line: int | None) -> Any:
    given = [value[key] for key in ("base_score", "initial_weight") if key in value]
    if len(given) == 2 and given[0] != given[1]:
        raise fail(f"argument {shown(name)} has base_score {given[0]} and initial_weight {given[1]}; keep one", line)
    if given and given[0] is None:
        raise fail(f"the base score of {shown(name)} is null; expected a number", line)
    return given[0] if given else None


def _label(name: str, value: dict[str, Any], line: int | None) -> Any:
    if value.get("name", name) != name:
        raise fail(f"argument {shown(name)} calls itself {shown(value['name'])}; make them the same", line)
    label, argument = value.get("label"), value.get("argument")
    argument = None if argument == name else argument
    if label is not None and argument is not None and label != argument:
        both = f"the label {shown(label)} and the argument {shown(argument)}"
        raise fail(f"argument {shown(name)} has {both}; keep one", line)
    return argument if label is None else label


def _weights(rows: list[Any], line_of: LineOf) -> dict[tuple[str, str, str], tuple[Any, int | None]]:
    """Weight and line of every edge that has one."""
    weights: dict[tuple[str, str, str], tuple[Any, int | None]] = {}
    for place, row in enumerate(rows):
        line = line_of("edge_weights", place)
        if not isinstance(row, list) or len(row) != 4 or row[0] not in ("attack", "support"):
            expected = '["attack" or "support", source, target, weight]'
            raise fail(f"{shown(dump_line(row))} in 'edge_weights' is not {expected}", line)
        key = row[0], str(row[1]), str(row[2])
        if key in weights:
            raise fail(f"'edge_weights' has two weights for the {key[0]} from {shown(key[1])} to {shown(key[2])}", line)
        weights[key] = row[3], line
    return weights


def _topics(draft: Draft, data: dict[str, Any], line_of: LineOf) -> list[str]:
    topics: list[str] = need(data.get("topics", []), list, "'topics'")
    for place, name in enumerate(topics):
        if not isinstance(name, str) or name not in draft.base_scores:
            reason = unknown(str(name)[:80], draft.base_scores)
            raise fail(f"'topics' names {shown(name)}: {reason}", line_of("topics", place))
    return topics


def _semantics(data: dict[str, Any]) -> str | None:
    name = data.get("semantics")
    if name is not None and not isinstance(name, str):
        raise fail(f"'semantics' is {shown(dump_line(name))}; expected a name")
    return name


def render(qbaf: Qbaf) -> str:
    """One argument, one edge a line; nothing is lost."""
    data = prepare(qbaf, "json").to_dict()
    return "{\n" + ",\n".join(f"{dump_line(key)}: {_block(value, key)}" for key, value in data.items()) + "\n}\n"


def _block(value: Any, key: str) -> str:
    if isinstance(value, dict):
        rows = [f"{dump_line(name)}: {dump_line(entry)}" for name, entry in value.items()]
        return "{" + _rows(rows) + "}"
    return dump_line(value) if key not in ROWS else "[" + _rows([dump_line(row) for row in value]) + "]"


def _rows(rows: list[str]) -> str:
    return "\n  " + ",\n  ".join(rows) + "\n" if rows else ""
