"""The table of formats, and which of them a text is in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..errors import FormatError, Hint, unknown_name
from ..graph.qbaf import Qbaf
from . import aif, apx, bag, csv_tables, graphml, iccma, kialo, node_link, qbaf_json, tgf

PARTS_OF_A_GRAPH = ("names", "base scores", "supports", "weights", "labels", "topics", "semantics")
AMBIGUOUS_SUFFIXES = {".json", ".txt", ".xml"}  # of several formats: the text decides


@dataclass(frozen=True)
class Format:
    """One row of the table: everything about a format.

    Parameters
    ----------
    name : str
        What `format=` takes.
    suffixes : tuple of str
        Of its files, with the dot; the first is the usual one.
    description : str
        One line of help.
    parse : callable
        text → graph.
    render : callable
        graph → text.
    recognise : callable
        text → whether it looks like this format.
    loses : tuple of str
        What of a graph it cannot hold.
    title : str
        The name for people; the name itself where none is given.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    parse: Callable[[str], Qbaf]
    render: Callable[..., str]
    recognise: Callable[[str], bool]
    loses: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name)

    @property
    def keeps(self) -> tuple[str, ...]:
        """What of a graph it holds."""
        return tuple(part for part in PARTS_OF_A_GRAPH if part not in self.loses)


class _FormatModule(Protocol):
    """What the module of a format defines."""

    @property
    def LOSES(self) -> tuple[str, ...]: ...
    def parse(self, text: str, /) -> Qbaf: ...
    def render(self, qbaf: Qbaf, /) -> str: ...
    def recognise(self, text: str, /) -> bool: ...


def _row(name: str, title: str, suffixes: str, module: _FormatModule, description: str) -> Format:
    return Format(
        name,
        tuple(suffixes.split()),
        description,
        module.parse,
        module.render,
        module.recognise,
        module.LOSES,
        title,
    )


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (  # in the order in which they look at a text
        _row("json", "qontrast JSON", ".json", qbaf_json, "native JSON, a superset of ArgLLM's; holds everything"),
        _row("aif", "AIF", ".json", aif, "AIF and xAIF JSON, from AIFdb and OVA"),
        _row("node-link", "networkx JSON", ".json", node_link, "networkx node-link JSON; holds everything"),
        _row("graphml", "GraphML", ".graphml .xml", graphml, "GraphML, for graph editors; holds everything"),
        _row("bag", "BAG", ".bag", bag, "facts of Uncertainpy and Attractor"),
        _row("apx", "APX", ".apx", apx, "facts for argumentation solvers"),
        _row("iccma", "ICCMA 2023", ".af", iccma, "ICCMA 2023, attacks between numbers"),
        _row("csv", "CSV", ".csv", csv_tables, "tables of arguments and relations"),
        _row("kialo", "Kialo", ".txt", kialo, "the text that Kialo exports"),
        _row("tgf", "TGF", ".tgf", tgf, "Trivial Graph Format"),
    )
}


def find_format(name: str) -> Format:
    """Return the format of this name."""
    if name not in FORMATS:
        raise unknown_name(name, FORMATS, kind="format")
    return FORMATS[name]


def detect_format(text: str, suffix: str = "", name: str = "<text>") -> Format:
    """Return the format of a text: by the suffix of its file, else the first that recognises it."""
    suffix = suffix.lower()
    by_suffix = [each for each in FORMATS.values() if suffix in each.suffixes]
    if by_suffix and suffix not in AMBIGUOUS_SUFFIXES:
        return by_suffix[0]
    recognised = [each for each in FORMATS.values() if each.recognise(text)]
    candidates = recognised or by_suffix  # where none recognises it, the reader of its suffix says what is wrong
    if not text.strip():
        raise FormatError("is empty", name)
    if not candidates:
        raise FormatError("its format is not recognised", name, hints=[Hint("read_as", tuple(FORMATS))])
    return candidates[0]


def choose_format_to_write(path: Path) -> Format:
    """Return the first format that has the suffix of this file."""
    found = next((each for each in FORMATS.values() if path.suffix.lower() in each.suffixes), None)
    if found is None:
        raise FormatError(
            f"no format has the suffix {path.suffix!r}", str(path), hints=[Hint("write_as", tuple(FORMATS))]
        )
    return found
