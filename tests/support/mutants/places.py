"""Every place in the library where a defect can be planted, and a seeded sample of them."""

from __future__ import annotations

import difflib
import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.support.mutants.parts import PACKAGE, PARTS, ROOT, list_modules

AT_LEAST = 12  # defects of each part, where all parts are sampled


@dataclass(frozen=True)
class Mutant:
    """One defect: the module, the lines of the changed statement, and the whole text of the changed module.

    `statement` is empty for what lies outside of functions and so runs when the module is imported.
    """

    part: str
    module: str
    line: int
    statement: range
    before: str = field(repr=False)
    text: str = field(repr=False)

    def compare(self) -> tuple[list[str], list[str]]:
        """The lines that the defect takes away, and those that it puts there, without indentation."""
        lines = list(difflib.unified_diff(self.before.splitlines(), self.text.splitlines(), n=0, lineterm=""))[2:]
        return ([x[1:].strip() for x in lines if x[0] == "-"], [x[1:].strip() for x in lines if x[0] == "+"])

    def diff(self) -> str:
        gone, there = self.compare()
        return "\n".join([f"  - {line}" for line in gone] + [f"  + {line}" for line in there])

    def key(self) -> str:
        return hashlib.sha256(repr((self.module, self.compare(), self.line)).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Place:
    """One expression: its module and line, its statement, and functions that write the module with a defect in it."""

    module: str
    line: int
    statement: range
    texts: list[Callable[[], str]]


def find_places(module: str) -> Iterator[Place]:
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider
    from mutmut.mutation.mutators import mutation_operators

    wrapper = MetadataWrapper(cst.parse_module((ROOT / PACKAGE / module).read_text(encoding="utf-8")))
    position = wrapper.resolve(PositionProvider)

    def walk(node: Any, statement: range, inside: bool = False) -> Iterator[Place]:
        if _without_effect(node):
            return
        if inside and isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            where = position[node]
            last = where.end.line
            if isinstance(node, cst.BaseCompoundStatement):
                inner = node.cases[0] if isinstance(node, cst.Match) else node.body
                last = position[inner].start.line - 1
            statement = range(where.start.line, max(where.start.line, last) + 1)
        made = [new for kind, operator in mutation_operators if isinstance(node, kind) for new in operator(node)]
        made = [new for new in made if not _only_strict(wrapper.module, node, new)]
        if made and node in position:
            texts = [lambda new=new: wrapper.module.deep_replace(node, new).code for new in made]
            yield Place(module, position[node].start.line, statement, texts)
        for child in node.children:
            yield from walk(child, statement, inside or (isinstance(node, cst.FunctionDef) and child is node.body))

    yield from walk(wrapper.module, range(1, 1))


def _only_strict(module: Any, node: Any, new: Any) -> bool:
    """Whether a defect changes nothing but `strict=` of a `zip`, which is a check of our own assumptions."""
    import libcst as cst

    if isinstance(node, cst.Arg):
        return False
    before, after = (re.sub(r",?\s*strict=\w+|[,\s]", "", module.code_for_node(each)) for each in (node, new))
    return before == after


def _without_effect(node: Any) -> bool:
    """What no test can notice: annotations, imports for types, names of types, documentation."""
    import libcst as cst
    import libcst.matchers as m

    text = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
    for_types = m.If(test=m.Name("TYPE_CHECKING"))
    alias = m.Assign(targets=[m.AssignTarget(m.Name(m.MatchRegex(r"[A-Z][a-z]\w*$")))])
    of_type = m.Subscript() | m.BinaryOperation(operator=m.BitOr())
    strict = m.Arg(keyword=m.Name("strict"))
    variable = m.Assign(value=m.Call(func=m.Name("TypeVar") | m.Name("ParamSpec")))
    if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom) or m.matches(
        node, text | for_types | strict | variable
    ):
        return True
    return m.matches(node, alias) and m.matches(node.value, of_type)


@cache
def places_of(part: str) -> list[Place]:
    return [place for module in list_modules(part) for place in find_places(module)]


def share_out(size: int, places: dict[str, int]) -> dict[str, int]:
    """How many defects each part gets: at least some, and the others in proportion to the places that it has."""
    least = min(AT_LEAST, size // len(places))
    others, total = size - least * len(places), sum(places.values())
    ends = [round(others * sum(list(places.values())[:k]) / total) for k in range(len(places) + 1)]
    return {part: least + ends[k + 1] - ends[k] for k, part in enumerate(places)}


def draw_sample(part: str, size: int, seed: int) -> list[Mutant]:
    """A seeded sample of places, evenly over the part, and one defect for each."""
    draw = random.Random(f"{seed} {part}")
    every = places_of(part)
    mutants = []
    for place in draw.sample(every, min(size, len(every))):
        before = (ROOT / PACKAGE / place.module).read_text(encoding="utf-8")
        text = draw.choice(place.texts)()
        mutants.append(Mutant(part, place.module, place.line, place.statement, before, text))
    return sorted(mutants, key=lambda mutant: (mutant.module, mutant.line))


def draw_from_all_parts(size: int, seed: int) -> list[Mutant]:
    sizes = share_out(size, {part: len(places_of(part)) for part in PARTS})
    return [mutant for part, own in sizes.items() for mutant in draw_sample(part, own, seed)]
