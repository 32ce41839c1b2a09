"""Debates of key point analysis (KPA): one graph per motion, from a folder of three tables of CSV.

    arguments_*.csv    arg_id,argument,topic,stance
    key_points_*.csv   key_point_id,key_point,topic,stance
    labels_*.csv       arg_id,key_point_id,label

A stance is 1 for the motion and -1 against it; a label is 1 where people matched the argument with the key point. The
ending (`_train`, `_dev`) may be any, also none; a folder may hold several sets of three.

The graph of a motion has two topics: "for" and "against". A key point supports its side and attacks the other; an
argument supports every key point that it matches, with weight 0.1. Sides and arguments have base score 0.5, key points
0, so that a key point is as strong as the arguments behind it; the semantics is qe. Scores and weights are ours: the
data holds none. Each key point is a group with its arguments; an argument of several belongs to the first. Arguments
that match no key point are left out.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import FormatError, quote_names, unknown_name
from ..graph.qbaf import Qbaf
from .building import READ_ALL, excerpt, fail, file_context
from .csv_tables import read_rows
from .disk import read_file

FOR, AGAINST = "for", "against"
BASE_SCORE = 0.5  # of arguments and of both sides
WEIGHT = 0.1  # of the support that an argument gives to its key point
SIDES = {"1": (FOR, AGAINST), "-1": (AGAINST, FOR)}
TABLES = {
    "arguments": ("arg_id", "argument", "topic", "stance"),
    "key_points": ("key_point_id", "key_point", "topic", "stance"),
    "labels": ("arg_id", "key_point_id", "label"),
}

Row = tuple[int, tuple[str, ...]]  # line and the cells of the columns in `TABLES`


@dataclass
class Motion:
    """What the tables say of one motion: texts by id, and the stance of each key point."""

    arguments: dict[str, str] = field(default_factory=dict)
    key_points: dict[str, tuple[str, str]] = field(default_factory=dict)  # id → text and stance
    matches: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # key point → arguments


def is_kpa(folder: Path) -> bool:
    """Whether a folder holds the three tables."""
    return os.path.isdir(folder) and all(any(folder.glob(f"{table}*.csv")) for table in TABLES)


def read_debates(folder: Path) -> dict[str, Qbaf]:
    """Read the graph of every motion of a folder, by the text of the motion.

    Raises
    ------
    FormatError
        If a table is missing or says what makes no sense; the message names file and line.
    """
    endings = sorted({path.stem.removeprefix("arguments") for path in folder.glob("arguments*.csv")})
    if not endings:
        raise FormatError("holds no table arguments_*.csv, so no debates of key point analysis", str(folder))
    motions: dict[str, Motion] = defaultdict(Motion)
    for ending in endings:
        _read_set(folder, ending, motions)
    return {motion: _build(motion, found) for motion, found in motions.items() if found.matches}


def read_debate(folder: Path, motion: str | None) -> Qbaf:
    """Read the graph of one motion; without a motion, say how to name one."""
    debates = read_debates(folder)
    if motion is None:
        first = next(iter(debates), "MOTION")
        raise FormatError(
            f"a folder with the debates of {len(debates)} motions; '#{first}' after the path picks one of them",
            str(folder),
            hints=[READ_ALL],
        )
    if motion not in debates:
        raise unknown_name(motion, debates, "motion")
    return debates[motion]


def _read_set(folder: Path, ending: str, motions: dict[str, Motion]) -> None:
    """Add what the three tables of one ending say."""
    of_argument: dict[str, str] = {}
    of_key_point: dict[str, str] = {}
    for line, (name, text, motion, stance) in _read_table(folder, "arguments", ending):
        _check_new(name, of_argument, line)
        _check_stance(stance, line)
        of_argument[name] = motion
        motions[motion].arguments[name] = text
    for line, (name, text, motion, stance) in _read_table(folder, "key_points", ending):
        _check_new(name, of_key_point, line)
        of_key_point[name] = motion
        motions[motion].key_points[name] = text, _check_stance(stance, line)
    for line, (argument, key_point, label) in _read_table(folder, "labels", ending):
        motion = _find(argument, of_argument, "argument", line)
        if motion != _find(key_point, of_key_point, "key point", line):
            raise fail(f"{excerpt(argument)} and {excerpt(key_point)} belong to different motions", line)
        if label not in ("0", "1"):
            raise fail(f"the label is {excerpt(label)}; expected 0 or 1", line)
        if label == "1":
            motions[motion].matches[key_point].append(argument)


def _read_table(folder: Path, table: str, ending: str) -> Iterator[Row]:
    path = folder / f"{table}{ending}.csv"
    columns = TABLES[table]
    with file_context(str(path)):
        rows = ((line, cells) for line, cells in read_rows(read_file(path)) if cells)
        line, head = next(rows, (1, []))
        names = [cell.strip().lower() for cell in head]
        if not {*columns} <= {*names}:
            raise fail(f"the columns are {quote_names(head, limit=6)}; expected {','.join(columns)}", line)
        places = [names.index(column) for column in columns]
        for line, cells in rows:
            if len(cells) != len(names):
                raise fail(f"the row has {len(cells)} cells; expected {len(names)}", line)
            yield line, tuple(cells[place].strip() for place in places)


def _check_new(name: str, known: dict[str, str], line: int) -> None:
    if name in known or name in (FOR, AGAINST, ""):
        raise fail(f"the id {excerpt(name)} stands twice, or is empty, or is the name of a side", line)


def _check_stance(stance: str, line: int) -> str:
    if stance not in SIDES:
        raise fail(f"the stance is {excerpt(stance)}; expected 1 or -1", line)
    return stance


def _find(name: str, motions: dict[str, str], kind: str, line: int) -> str:
    if name not in motions:
        raise fail(f"no {kind} has the id {excerpt(name)}", line)
    return motions[name]


def _build(motion: str, found: Motion) -> Qbaf:
    """Build the graph of one motion."""
    labels = {FOR: motion, AGAINST: f"Not: {motion}"}
    scores = {FOR: BASE_SCORE, AGAINST: BASE_SCORE}
    supports: dict[tuple[str, str], float] = {}
    attacks: list[tuple[str, str]] = []
    groups: dict[str, list[str]] = {}
    placed: set[str] = set()
    for key_point, (text, stance) in found.key_points.items():
        own, other = SIDES[stance]
        scores[key_point], labels[key_point] = 0.0, text
        supports[key_point, own] = 1.0
        attacks.append((key_point, other))
        behind = dict.fromkeys(found.matches.get(key_point, ()))
        for argument in behind:
            scores[argument], labels[argument] = BASE_SCORE, found.arguments[argument]
            supports[argument, key_point] = WEIGHT
        members = [key_point, *(each for each in behind if each not in placed)]
        placed.update(members)
        groups[f"{key_point}: {text}"] = members
    return Qbaf(scores, attacks, supports, topics=[FOR, AGAINST], labels=labels, semantics="qe", groups=groups)
