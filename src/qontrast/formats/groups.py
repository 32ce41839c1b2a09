"""Groups of arguments in a file of their own, for graphs in formats that hold no groups.

JSON is an object with a list of arguments for each group, CSV a table with the columns `argument` and `group`:

    {"tests": ["pcr", "wbc"],            argument,group
     "history": ["asthma"]}              pcr,tests
                                         wbc,tests
                                         asthma,history

A row of the table without a group is skipped: its argument is in no group. Whether the arguments exist is checked
when the groups meet a graph.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import count, quote_names
from .building import check_text, excerpt, fail, file_context, warn_ignored
from .csv_tables import read_rows
from .disk import read_file
from .strict_json import check_type, loads, read_with_lines

COLUMNS = ("argument", "group")
EXPECTED = 'JSON {"group": ["argument", …], …} or CSV with the columns argument,group'
EXPECTED_OBJECT = "an object {group: [argument, …]}"

LineOf = Callable[..., int | None]  # of the value under these keys
GroupLists = dict[str, list[str]]  # name → members


def read_groups(path: str | os.PathLike[str]) -> GroupLists:
    """Read groups of arguments from a file, for `players=` or `Qbaf(groups=)`.

    Parameters
    ----------
    path : str or os.PathLike
        JSON `{name: [members]}`, or CSV with the columns argument,group. A text that begins with a brace is JSON.

    Returns
    -------
    dict
        Name of the group → list of its members, in the order of the file.

    Raises
    ------
    FormatError
        If the file cannot be read, or an argument stands in two groups; the message names file and line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "themes.csv").write_text("argument,group\\npcr,tests\\nwbc,tests\\n")
    ...     read_groups(Path(folder, "themes.csv"))
    {'tests': ['pcr', 'wbc']}
    """
    text = read_file(Path(path))
    with file_context(os.fspath(path)):
        if not text.strip():
            raise fail(f"is empty; expected {EXPECTED}")
        groups = _parse_json(text) if text.lstrip()[0] in "{[" else _parse_csv(text)
        if not groups:
            raise fail(f"names no group; expected {EXPECTED}")
    return groups


def _add_to_group(groups: GroupLists, seen: dict[str, str], group: str, member: str, line: int | None) -> None:
    """Add an argument to a group; `seen` holds the group of every argument so far."""
    if member in seen:
        other = seen[member]
        where = f"twice in group {excerpt(group)}"
        if other != group:
            where = f"in the groups {excerpt(other)} and {excerpt(group)}"
        raise fail(f"argument {excerpt(member)} is {where}; an argument is in one group at most", line)
    seen[member] = group
    groups.setdefault(group, []).append(member)


def read_object(data: Any, line_of: LineOf, *keys: str) -> GroupLists:
    """Check an object {name: [members]} that stands under these keys of a JSON file."""
    groups: GroupLists = {}
    seen: dict[str, str] = {}
    what = f"'{keys[-1]}'" if keys else "the whole"
    for group, members in check_type(data, dict, what, EXPECTED_OBJECT, line_of(*keys)).items():
        line = line_of(*keys, group)
        if not check_text(group, "the name of a group", line):
            raise fail("a group has an empty name; give every group a name", line)
        if not isinstance(members, list):
            raise fail(f"the members of group {excerpt(group)} are {excerpt(members)}; expected a list […]", line)
        groups[group] = []
        for place, member in enumerate(members):
            at = line_of(*keys, group, place)
            _add_to_group(groups, seen, group, check_text(member, f"a member of group {excerpt(group)}", at), at)
    return groups


def _parse_json(text: str) -> GroupLists:
    data = loads(text)
    return read_with_lines(text, lambda lines: read_object(data, lambda *path: lines.get(path)))


def _parse_csv(text: str) -> GroupLists:
    rows = [(line, cells) for line, cells in read_rows(text) if cells]
    if not rows:
        return {}
    line, head = rows[0]
    columns = [cell.strip().lower() for cell in head]
    if not {*COLUMNS} <= {*columns} or len({*columns}) < len(columns):
        raise fail(f"the columns are {quote_names(head, limit=6)}; expected {EXPECTED}", line)
    warn_ignored((cell for cell in columns if cell not in COLUMNS), "columns ")
    groups: GroupLists = {}
    seen: dict[str, str] = {}
    for line, cells in rows[1:]:
        if len(cells) != len(columns):
            long = f"{count(len(cells), 'cell')} for {count(len(columns), 'column')}"
            raise fail(f"{long}: {excerpt(','.join(cells))}", line)
        row = dict(zip(columns, cells, strict=True))
        if not row["argument"]:
            raise fail("the argument is empty; expected its name", line)
        if row["group"]:
            _add_to_group(groups, seen, row["group"], row["argument"], line)
    return groups
