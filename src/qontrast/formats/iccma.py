"""The ICCMA 2023 format: an abstract argumentation framework with numbered arguments.

    p af 3
    # 1 attacks 2
    1 2
    2 3

Arguments are called '1' … 'n'. `#` begins a comment. An attack that is repeated counts once, and a warning says
so. There are attacks only, and no base scores: every argument gets 0.5, and a warning says so.

Files of other programs number otherwise. Each of these is read, with a warning:
- numbers from 0 to n − 1;
- other numbers, or names: the arguments are those that the file mentions. If they are fewer than n, the others
  take part in no attack and are left out; if they are more, the header is wrong;
- no header, if the attacks are between numbers;
- a number of attacks after the number of arguments, `p af 3 2`;
- a line with one name: an argument, whether or not it takes part in an attack;
- sections of other tools after a line such as `--clusters--`: their lines that name no argument or attack are
  left aside.
Numbers beside names are refused, for one of them must be a slip.

Writing numbers the arguments in their order, keeps their names as comments for people, and warns that a
reader will not see them; a graph with supports is refused, for without them it would be another graph.

>>> import warnings; warnings.simplefilter("ignore")
>>> parse("p af 2\\n0 1").attacks
mappingproxy({('0', '1'): 1.0})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..errors import count
from ..graph.qbaf import Qbaf
from .building import GraphBuilder, excerpt, fail, list_edges, prepare, split_lines, warn

LOSES = (
    "base scores",
    "weights",
    "labels",
    "topics",
    "semantics",
    "groups",
    "uncertain base scores",
    "names",
    "supports",
)
MAX_ARGUMENTS = 1_000_000

_HEADER = re.compile(r"p\s+af\s+([0-9]{1,12})(?:\s+([0-9]{1,12}))?", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,12}")
_NAME = re.compile(r"[^\W\d][^\s#]*")


def recognise(text: str) -> bool:
    return bool(re.match(r"(?:\s|#[^\n]*\n)*p\s+af\s+[0-9]+\s", text + "\n", re.IGNORECASE))


def parse(text: str) -> Qbaf:
    reader = _Reader()
    for line, content in split_lines(text):
        content = content.partition("#")[0].strip()
        if content:
            reader.read(content, line)
    return reader.build()


class _Reader:
    """Collects the header, the attacks and the arguments that they mention."""

    def __init__(self) -> None:
        self.builder = GraphBuilder(merge=("argument", "edge"))
        self.size: int | None = None
        self.announced: int | None = None  # attacks, where the header says how many
        self.attacks = 0
        self.mentioned: dict[str, int] = {}  # argument → its first line
        self.section = ""
        self.left_aside: Counter[str] = Counter()  # lines of a section

    def read(self, content: str, line: int) -> None:
        if header := _HEADER.fullmatch(content):
            self._read_header(header, line)
        elif re.fullmatch(r"--\s*\w[\w ]{0,40}--", content):
            self.section = content
        else:
            self._read_names(content, line)

    def _read_header(self, header: re.Match[str], line: int) -> None:
        if self.size is not None or self.mentioned:
            raise fail(f"{excerpt(header[0])} is out of place; expected it once, before the attacks", line)
        self.size = int(header[1])
        self.announced = int(header[2]) if header[2] else None
        if self.size > MAX_ARGUMENTS:
            raise fail(f"{self.size:,} arguments are announced; the limit is {MAX_ARGUMENTS:,}", line)

    def _read_names(self, content: str, line: int) -> None:
        parts = content.split()
        fits = len(parts) <= 2 and all(_NUMBER.fullmatch(part) or _NAME.fullmatch(part) for part in parts)
        if not fits and self.section:
            self.left_aside[self.section] += 1
            return
        if not fits:
            raise fail(f"{excerpt(content)} is not an attack; expected two numbers", line)
        names = [str(int(part)) if part.isdecimal() else part for part in parts]
        for name in names:
            self.mentioned.setdefault(name, line)
        if len(names) == 2:
            self.attacks += 1
            self.builder.add_edge("attack", *names, line=line)

    def build(self) -> Qbaf:
        for name in self._list_arguments():
            self.builder.add_argument(name, line=self.mentioned.get(name))
        if self.announced not in (None, self.attacks):
            warn(f"the header announces {count(int(self.announced or 0), 'attack')} and {self.attacks:,} follow")
        for section, number in self.left_aside.items():
            warn(f"ignored: {count(number, 'line')} under {excerpt(section)}")
        return self.builder.build()

    def _list_arguments(self) -> Iterable[str]:
        """Return the arguments; a warning says where they are not 1 … n."""
        names = sorted((name for name in self.mentioned if not name.isdecimal()), key=self.mentioned.__getitem__)
        numbers = sorted(int(name) for name in self.mentioned if name.isdecimal())
        if names and (numbers or self.size is None):
            expected = "numbers, as in other lines" if numbers else "a line 'p af <number of arguments>' first"
            line = self.mentioned[names[0]]
            raise fail(f"the argument {excerpt(names[0])} is not a number; expected {expected}", line)
        if self.size is None and not numbers:
            raise fail("no line 'p af <number of arguments>'")
        if self.size is not None and not names:
            first = 0 if numbers[:1] == [0] and numbers[-1] < self.size else 1
            if not numbers or first <= numbers[0] <= numbers[-1] < first + self.size:
                if first == 0:
                    warn(f"arguments are numbered from 0 to {self.size - 1}; ICCMA numbers from 1")
                return map(str, range(first, first + self.size))
        self._warn_of_numbering(len(names) + len(numbers), bool(names))
        return names or map(str, numbers)

    def _warn_of_numbering(self, found: int, named: bool) -> None:
        kept = f"kept as the file has them, {count(found, 'argument')}"
        if self.size is None:
            warn(f"no line 'p af <number of arguments>'; numbers are {kept}")
            return
        announced = count(self.size, "argument")
        warn(f"names instead of numbers, {kept}" if named else f"numbers other than 1 to {self.size}, {kept}")
        if found < self.size:
            warn(f"{self.size - found:,} of {announced} announced are not mentioned and are left out")
        elif found > self.size:
            warn(f"the header announces {announced} and {found:,} are mentioned")


def render(qbaf: Qbaf) -> str:
    """Attacks between numbers; names, where they are others, as comments."""
    if qbaf.supports:
        supports = count(len(qbaf.supports), "support")
        raise fail(f"iccma holds attacks only and this graph has {supports}; apx and tgf hold both")
    qbaf = prepare(qbaf, "iccma", LOSES)
    numbers = {str(name): str(place) for place, name in enumerate(qbaf.arguments, start=1)}
    rows = [f"p af {len(qbaf)}"]
    if any(name != place for name, place in numbers.items()):
        warn("iccma cannot hold names; arguments are numbered in their order and names become comments")
        rows += [f"# {place} is {name!r}" for name, place in numbers.items()]
    rows += [f"{numbers[source]} {numbers[target]}" for _, source, target, _ in list_edges(qbaf)]
    return "".join(row + "\n" for row in rows)
