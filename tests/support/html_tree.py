"""Read a page of HTML as a tree, its tables as rows (head → text), and its sections by their headings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"meta", "input", "br", "link", "img", "hr"}  # elements without an end
ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))


@dataclass
class Node:
    """An element with its attributes and what is in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Node | str] = field(default_factory=list)

    def find(self, tag: str, class_: str = "") -> Iterator[Node]:
        """Find the elements of this name and class, in the order of the page."""
        for each in self.content:
            if isinstance(each, Node):
                if each.tag == tag and (not class_ or class_ in each.attributes.get("class", "").split()):
                    yield each
                yield from each.find(tag, class_)

    @property
    def text(self) -> str:
        """The text of all that is in it."""
        parts = [each if isinstance(each, str) else each.text for each in self.content]
        return "".join(parts).translate(ISOLATES)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(node)
        if tag not in EMPTY:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].content.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in {each.tag for each in self.open}:
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read_html(html: str) -> Node:
    """Read a page, or a part of one."""
    reader = _Reader()
    reader.feed(html)
    return reader.open[0]


def read_table(table: Node) -> list[dict[str, str]]:
    """Read the rows of a table: head → text."""
    heads, *rows = [[*row.find("th"), *row.find("td")] for row in table.find("tr")]
    return [{head.text: cell.text for head, cell in zip(heads, row, strict=True)} for row in rows]


def read_sections(page: Node) -> dict[str, Node]:
    """Read the sections of a page by their headings."""
    return {next(each.find("h2")).text: each for each in page.find("section")}
