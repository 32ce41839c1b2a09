"""The native format: JSON that holds everything, and a superset of what the ArgLLM tools write.

    {"format": "qbaf/1",
     "semantics": "qe",
     "topics": ["db0"],
     "groups": {"studies": ["d1", "d2"]},
     "uncertain": {"d1": {"interval": [0.6, 0.9]}},
     "arguments": {"db0": {"name": "db0", "argument": "Vitamin C cures colds", "initial_weight": 0.5}},
     "attacks": [["d1", "db0"]],
     "supports": [["d2", "db0"]],
     "edge_weights": [["attack", "d1", "db0", 0.2]]}

Only `arguments` is needed. An argument is an object or just its base score (`"zebra": 0.5`). In the object,
`base_score` is the same as `initial_weight` and `label` the same as `argument`; an `argument` text that
repeats the name is no label. Edges are pairs [source, target] of weight 1 unless `edge_weights` says
otherwise. `groups` lists the arguments of each group; no argument is in two of them. `uncertain` says what base scores
may be that are not known exactly: {"interval": [low, high]}, {"normal": [mean, sd]}, {"beta": [a, b]} or {"samples":
[...]}. Other keys are left aside with a warning.

`strength` is a result of other programs, which do not name their semantics, and no part of the graph: it is compared
with ours, and a warning says where they differ and which semantics gives what the file says.

An ArgLLM *results file* holds many graphs: `{"arguments": {options}, "data": [{"base": {"bag": {…}},
"estimated": {"bag": {…}}, …}, …]}`, or that list alone, or one item of it, or one item per line. An item may be a graph
itself, or have it under `bag`. `parse_many` gives them by address, '0/base', '0/estimated', '1/base', '2/bag', …; an
item that is a graph is '0'. Items of a list count from 0. An item on a line of its own has the number of its line, as
messages have it: '1/base', '2', ….

>>> parse('{"arguments": {"zebra": 0.5, "stripes": 0.8}, "supports": [["stripes", "zebra"]]}')
<Qbaf: 2 arguments, 0 attacks, 1 support>
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..engine.problem import strengths
from ..errors import FormatError, InvalidQbaf, UndefinedStrength, count, quote_names, unknown_name
from ..graph.qbaf import Qbaf
from ..semantics import DEFAULT, SEMANTICS
from ..types import Name
from .building import (
    READ_ALL,
    GraphBuilder,
    describe_taken_name,
    excerpt,
    fail,
    line_context,
    prepare,
    warn,
    warn_ignored,
)
from .groups import GroupLists, LineOf, read_object
from .strict_json import Path, check_type, dump_line, dump_rows, loads, read_with_lines

LOSES: tuple[str, ...] = ()
VERSION = "qbaf/1"
LINE_SUFFIXES = (".jsonl", ".ndjson")  # of files with a graph, or an item of a results file, on every line
TOP_KEYS = {"format", "semantics", "topics", "groups", "uncertain", "arguments", "attacks", "supports", "edge_weights"}
EXPECTED = "expected an object {…} with 'arguments', or a list of them"
ARGUMENT_KEYS = {"name", "argument", "label", "initial_weight", "base_score", "strength"}

# the comparison of recorded strengths with ours
MAX_EDGES = 100_000
MAX_STEPS = 200  # of the iteration, where the graph has cycles
ROUNDING = 1e-6  # by which two programs may differ that compute the same
MAX_DIGITS = 7


def recognise(text: str) -> bool:
    return bool(re.match(r"\s*(\[\s*)?\{", text) and re.search(r'"arguments"\s*:', text))


def parse(text: str) -> Qbaf:
    lines = find_lines(text)
    if lines:
        raise refuse_many(next(iter(list_line(*lines[0]))))
    text, bags = _list_bags(text)
    if not bags:
        raise fail(f"a list without any graph; {EXPECTED}")
    if "" not in bags:
        raise refuse_many(next(iter(bags)))
    return _read_and_compare(text, bags, "")


def refuse_many(first: str) -> FormatError:
    """The error for a file with several graphs, the first of them at this address, that is read as one."""
    return fail(f"many graphs, not one; '#{first}' after the path picks one of them", hints=[READ_ALL])


def parse_many(text: str, name: str = "") -> dict[str, Qbaf]:
    """Read every graph of a results file by its address; a file with one graph gives it under ''.

    The suffix of `name` may say that the text has an item per line.
    """
    lines = find_lines(text, name)
    if lines:
        bags, graphs = _read_lines(lines)
    else:
        text, bags = _list_bags(text)
        if "" in bags:
            return {"": _read_and_compare(text, bags, "")}
        graphs = {address: _read(text, bag, address) for address, bag in bags.items()}
    differing = {key: message for key, bag in bags.items() if (message := _compare_recorded(graphs[key], bag))}
    if differing:
        first = next(iter(differing))
        warn(f"in {len(differing):,} of {count(len(bags), 'graph')}, first in '#{first}': {differing[first]}")
    return graphs


def _read_lines(lines: Iterable[tuple[int, str]]) -> tuple[dict[str, Any], dict[str, Qbaf]]:
    """Return the data and the graphs of a file with an item per line, by address."""
    bags: dict[str, Any] = {}
    graphs: dict[str, Qbaf] = {}
    for line, text in lines:
        found = list_line(line, text)
        with line_context(line):
            graphs |= {address: from_data(bag) for address, bag in found.items()}
        bags |= found
    return bags, graphs


def parse_one(text: str, address: str, name: str = "") -> Qbaf:
    """Read the graph at one address of a results file; of a file with an item per line no other line is read."""
    lines = {str(line): item for line, item in find_lines(text, name)}
    if lines:
        place = address.partition("/")[0]
        if place not in lines:
            raise refuse_line(place, list(lines))
        return parse_line(int(place), lines[place], address)
    text, bags = _list_bags(text)
    if not address or address not in bags:
        raise refuse_address(address, [key for key in bags if key])
    return _read_and_compare(text, bags, address)


def parse_line(line: int, text: str, address: str) -> Qbaf:
    """Read the graph at one address of a file with an item per line from the text of its line."""
    bags = list_line(line, text)
    with line_context(line):
        if address not in bags:
            raise refuse_address(address, bags)
        return read_bag(bags[address])


def refuse_address(address: str, known: Collection[str]) -> FormatError:
    """The error for a graph that a file does not have."""
    return fail(str(unknown_name(address[:80], known, "graph")))


def refuse_line(place: str, known: Sequence[str]) -> FormatError:
    """The error for a line that is blank, or that a file does not have."""
    others = "the file has no line with a graph"
    if known:
        others = (
            f"the file has {count(len(known), 'graph')}, the first on line {known[0]}, the last on line {known[-1]}"
        )
    return fail(f"no graph on line {place[:80]!r}; {others}")


def list_bags(text: str) -> dict[str, Any]:
    """Return the data of every graph of a file by its address, '' where the file is one graph."""
    return _list_bags(text)[1]


def list_line(line: int, text: str) -> dict[str, Any]:
    """Return the data of every graph of one line of a file with an item per line, by its address: '3', or '3/base'."""
    with line_context(line):
        return _list_item(loads(text), str(line), "the line")


def read_bag(data: dict[str, Any]) -> Qbaf:
    """Read a graph from its data."""
    return _read_and_compare("", {"": data}, "")


def has_lines(name: str) -> bool:
    """Whether the suffix of a file says that it has an item per line."""
    return name.lower().endswith(LINE_SUFFIXES)


def find_lines(text: str, name: str = "") -> list[tuple[int, str]]:
    """Return number and text of the lines of a file with an item per line, without blank ones; [] for another file.

    The suffix of its name may say that it is one. Else its lines do: no JSON text of several lines has a line that is
    an object and is followed by one that begins like an object, or by nothing.

    >>> find_lines('{"a": 1}\\n\\n{"b": \\n{"c": 1}'), find_lines('{"a":\\n{"b": 1}\\n}')
    ([(1, '{"a": 1}'), (3, '{"b": '), (4, '{"c": 1}')], [])
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if has_lines(name):
        return lines
    if len(lines) < 2 or not all(line.startswith("{") for _, line in (lines[0], lines[-1])):
        return []
    following = [line.startswith("{") for _, line in lines[1:]] + [True]
    return lines if any(more and _is_object(line) for (_, line), more in zip(lines, following, strict=True)) else []


def _is_object(text: str) -> bool:
    try:
        return text.startswith("{") and text.rstrip().endswith("}") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _list_bags(text: str) -> tuple[str, dict[str, Any]]:
    """Return the text with the data of every graph by its address, '' where the file is one graph."""
    if text.lstrip().startswith("["):
        text = f'{{"data": {text}}}'
    data = check_type(loads(text), dict, "the whole")
    if not isinstance(data.get("data"), list):
        if "arguments" in data or not _find_bags(data):
            return text, {"": data}
        text, data = f'{{"data": [{text}]}}', {"data": [data]}
    bags: dict[str, Any] = {}
    items = [check_type(item, dict, f"data[{place}]") for place, item in enumerate(data["data"])]
    if items and not any(isinstance(item.get("arguments"), dict) or _find_bags(item) for item in items):
        keys = quote_names(dict.fromkeys(key for item in items for key in item), limit=6)
        raise fail(f"a list of {count(len(items), 'item')} without any graph (keys: {keys or 'none'}); {EXPECTED}")
    for place, item in enumerate(items):
        bags |= _list_item(item, str(place), f"data[{place}]")
    return text, bags


def _list_item(item: Any, address: str, what: str) -> dict[str, Any]:
    """Return the data of every graph of one item: of a list, or of a line."""
    found = _find_bags(check_type(item, dict, what))
    # without bags: a graph itself, or an item without one, which is refused where it is read
    return {f"{address}/{key}": check_type(bag, dict, f"the bag of {what}") for key, bag in found.items()} or {
        address: item
    }


def _find_bags(item: dict[str, Any]) -> dict[str, Any]:
    """The graphs under the keys of an item, or the one under `bag`."""
    if "bag" in item:
        return {"bag": item["bag"]}
    return {key: value["bag"] for key, value in item.items() if isinstance(value, dict) and "bag" in value}


def _read_and_compare(text: str, bags: dict[str, Any], address: str) -> Qbaf:
    qbaf = _read(text, bags[address], address)
    if message := _compare_recorded(qbaf, bags[address]):
        warn(message)
    return qbaf


def _read(text: str, data: dict[str, Any], address: str) -> Qbaf:
    place, slash, key = address.partition("/")
    inside = () if not slash else ("bag",) if key == "bag" else (key, "bag")
    above: Path = ("data", int(place), *inside) if address else ()
    return read_with_lines(text, lambda lines: from_data(data, lambda *path: lines.get((*above, *path))))


def from_data(data: dict[str, Any], line_of: LineOf = lambda *path: None) -> Qbaf:
    """Build the graph of a parsed file; `line_of` gives the line of the value under these keys."""
    if data.get("format", VERSION) != VERSION:
        raise fail(f"the format is {excerpt(data['format'])}; this version reads {VERSION!r}", line_of("format"))
    if "arguments" not in data:
        keys = f" among the keys {quote_names(data, limit=6)}" if data else ""
        expected = '{"arguments": {name: base score}}, or lists of nodes and edges'
        raise fail(f"no 'arguments'{keys}; expected at least {expected}")
    warn_ignored(sorted(data.keys() - TOP_KEYS), where=" in the file")
    builder = GraphBuilder()
    arguments = check_type(data["arguments"], dict, "'arguments'", "an object {name: base score}")
    _read_arguments(builder, arguments, line_of)
    weights = _read_weights(check_type(data.get("edge_weights", []), list, "'edge_weights'"), line_of)
    for kind in ("attack", "support"):
        for place, pair in enumerate(check_type(data.get(f"{kind}s", []), list, f"'{kind}s'")):
            line = line_of(f"{kind}s", place)
            if not isinstance(pair, list) or len(pair) != 2:
                raise fail(f"{excerpt(dump_line(pair))} in '{kind}s' is not a pair [source, target]", line)
            weight, at = weights.pop((kind, str(pair[0]), str(pair[1])), (1.0, line))
            builder.add_edge(kind, pair[0], pair[1], weight, line=at)
    for (kind, source, target), (_, line) in weights.items():
        edge = f"the {kind} from {excerpt(source)} to {excerpt(target)}"
        raise fail(f"'edge_weights' has a weight for {edge}; no such edge", line)
    _read_uncertain(builder, data.get("uncertain", {}), line_of)
    topics = _read_names(builder, data.get("topics", []), line_of, "topics")
    groups = _read_groups(builder, data["groups"], line_of) if "groups" in data else {}
    return builder.build(data.get("semantics"), topics=topics, groups=groups)


def _read_arguments(builder: GraphBuilder, arguments: dict[str, Any], line_of: LineOf) -> None:
    strange: set[str] = set()
    for name, value in arguments.items():
        line = line_of("arguments", name)
        if isinstance(value, dict):
            strange |= value.keys() - ARGUMENT_KEYS
            builder.add_argument(
                name, _take_base_score(name, value, line), label=_take_label(name, value, line), line=line
            )
        elif value is None:
            raise fail(f"argument {excerpt(name)} is null; give a base score", line)
        else:
            builder.add_argument(name, value, line=line)
    warn_ignored(sorted(strange), where=" in arguments")


def _take_base_score(name: str, value: dict[str, Any], line: int | None) -> Any:
    given = [value[key] for key in ("base_score", "initial_weight") if key in value]
    if len(given) == 2 and given[0] != given[1]:
        raise fail(f"argument {excerpt(name)} has base_score {given[0]} and initial_weight {given[1]}; keep one", line)
    if given and given[0] is None:
        raise fail(f"the base score of {excerpt(name)} is null; expected a number", line)
    return given[0] if given else None


def _take_label(name: str, value: dict[str, Any], line: int | None) -> Any:
    if value.get("name", name) != name:
        raise fail(f"argument {excerpt(name)} calls itself {excerpt(value['name'])}; make them the same", line)
    label, argument = value.get("label"), value.get("argument")
    argument = None if argument == name else argument
    if label is not None and argument is not None and label != argument:
        both = f"the label {excerpt(label)} and the argument {excerpt(argument)}"
        raise fail(f"argument {excerpt(name)} has {both}; keep one", line)
    return argument if label is None else label


def _read_weights(rows: list[Any], line_of: LineOf) -> dict[tuple[str, str, str], tuple[Any, int | None]]:
    """Return weight and line of every edge that has one."""
    weights: dict[tuple[str, str, str], tuple[Any, int | None]] = {}
    for place, row in enumerate(rows):
        line = line_of("edge_weights", place)
        if not isinstance(row, list) or len(row) != 4 or row[0] not in ("attack", "support"):
            expected = '["attack" or "support", source, target, weight]'
            raise fail(f"{excerpt(dump_line(row))} in 'edge_weights' is not {expected}", line)
        key = row[0], str(row[1]), str(row[2])
        if key in weights:
            edge = f"the {key[0]} from {excerpt(key[1])} to {excerpt(key[2])}"
            raise fail(f"'edge_weights' has two weights for {edge}", line)
        weights[key] = row[3], line
    return weights


def _read_names(builder: GraphBuilder, names: Any, line_of: LineOf, *keys: str) -> list[str]:
    """Return a list of arguments that stands under these keys of the file."""
    found: list[str] = check_type(names, list, f"'{keys[-1]}'")
    for place, name in enumerate(found):
        if not isinstance(name, str) or name not in builder.base_scores:
            reason = unknown_name(str(name)[:80], builder.base_scores)
            raise fail(f"'{keys[-1]}' names {excerpt(name)}: {reason}", line_of(*keys, place))
    return found


def _read_groups(builder: GraphBuilder, data: Any, line_of: LineOf) -> GroupLists:
    """Return the groups, whose members are all arguments."""
    groups = read_object(data, line_of, "groups")
    for group, members in groups.items():
        if group in builder.base_scores:
            raise fail(describe_taken_name(group), line_of("groups", group))
        for place, name in enumerate(members):
            if name not in builder.base_scores:
                reason = unknown_name(name[:80], builder.base_scores)
                raise fail(f"group {excerpt(group)}: {reason}", line_of("groups", group, place))
    return groups


def _read_uncertain(builder: GraphBuilder, data: Any, line_of: LineOf) -> None:
    """Read what uncertain base scores may be."""
    expected = 'an object {argument: {"interval": [low, high]}}'
    for name, value in check_type(data, dict, "'uncertain'", expected, line_of("uncertain")).items():
        line = line_of("uncertain", name)
        builder.add_uncertain(
            name, check_type(value, dict, f"the uncertain base score of {excerpt(name)}", line=line), line=line
        )


def to_data(qbaf: Qbaf) -> dict[str, Any]:
    """Return the graph as plain data; nothing is lost."""
    return prepare(qbaf, "json", LOSES).to_dict()


def render(qbaf: Qbaf) -> str:
    """Write one argument and one edge per line."""
    return dump_rows(to_data(qbaf), ("groups", "uncertain", "arguments", "attacks", "supports", "edge_weights"))


def _compare_recorded(qbaf: Qbaf, data: dict[str, Any]) -> str | None:
    """Say where the strengths in a file differ from ours, and under which semantics they agree.

    Strengths that all repeat the base scores were never computed and are not compared; neither are those of a graph
    with more than `MAX_EDGES` edges.

    >>> q = Qbaf({"claim": 0.5, "doubt": 0.8}, attacks=[("doubt", "claim")])
    >>> print(_compare_recorded(q, {"arguments": {"claim": {"strength": 0.1}, "doubt": {"strength": 0.8}}}))
    the recorded strengths are not those of qe: 'claim' has 0.1 in the file and 0.305 here; they are those of df-quad
    """
    recorded = {
        name: entry["strength"]
        for name, entry in data["arguments"].items()
        if isinstance(entry, dict) and type(entry.get("strength")) in (int, float) and abs(entry["strength"]) < 1e9
    }
    own = qbaf.semantics or DEFAULT
    repeated = all(qbaf.base_scores[name] == value for name, value in recorded.items())
    if repeated or len(qbaf.weights) > MAX_EDGES or own not in SEMANTICS:
        return None
    tolerance = max(ROUNDING, 0.5 * 10.0 ** -_count_digits(recorded))
    differing = _find_differing(qbaf, own, recorded, tolerance)
    if not differing:
        return None
    name, ours = max(differing.items(), key=lambda item: abs(item[1] - recorded[str(item[0])]))
    others = [each for each in SEMANTICS if each != own and _find_differing(qbaf, each, recorded, tolerance) == {}]
    known = f"they are those of {' and '.join(others)}" if others else "no built-in semantics gives them"
    more = f", and {len(differing) - 1} more differ" if len(differing) > 1 else ""
    there = f"{quote_names([name])} has {recorded[str(name)]:.3g} in the file and {ours:.3g} here"
    return f"the recorded strengths are not those of {own}: {there}{more}; {known}"


def _find_differing(
    qbaf: Qbaf, semantics: str, recorded: Mapping[str, float], tolerance: float
) -> dict[Name, float] | None:
    """Return our strengths of the arguments that differ; None where ours are undefined."""
    try:
        ours = strengths(qbaf, semantics=semantics, max_steps=MAX_STEPS)
    except (UndefinedStrength, InvalidQbaf):
        return None
    return {name: ours[name] for name, value in recorded.items() if not abs(ours[name] - value) <= tolerance}


def _count_digits(recorded: Mapping[str, float]) -> int:
    """Count digits after the point of the most precise strength: rounded ones agree with all that rounds to them."""
    exponents = (Decimal(repr(float(value))).as_tuple().exponent for value in recorded.values())
    return min(MAX_DIGITS, max((-each for each in exponents if isinstance(each, int)), default=MAX_DIGITS))
