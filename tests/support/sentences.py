"""Read the numbers and names of a text, and look each of them up in the result that the text is about.

    assert find_problems(describe(result, language="de"), collect(result), "de") == []

A number is looked up with its sign and its unit: a percentage among shares from 0 to 1, a count among whole numbers and
the sizes of collections, any other number among all numbers, to within its last printed digit. A number in brackets
behind a name is looked up among the numbers that belong to that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, is_dataclass
from html.parser import HTMLParser
from math import isfinite
from typing import Any

import numpy as np

import qontrast as qx
from qontrast import SEMANTICS, Qbaf, QontrastError
from qontrast.explain.flip import NORMS
from qontrast.explain.whatif import WhatIf
from qontrast.results.base import TIE_TOLERANCE, Result
from qontrast.show.numbers import write_move
from qontrast.show.phrasing import LANGUAGES

Names = frozenset[str]
NUMBER = re.compile(r"(?<![\w.,])([+−]?)(\d+(?:[.,]\d+)*)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|e([+−-]\d+))?( ?%)?(?!\w)")
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
QUOTED = re.compile("“([^“”]*)”|„([^„“]*)“")
FIRST_MARK = 0xE000  # private characters that stand for names while numbers are read
CLAUSE = re.compile("[^;:.]*$")
OWNER = re.compile("([\ue000-\uf8ff])(?: \\[[^\\]]*\\])? \\([^()]*$")  # the name before the bracket of a number
REST = re.compile(r" (more|others?|weaker|weitere|schwächere)")  # behind a count of what is not named
BOUNDS = {"more than": "more", "mehr als": "more", "less than": "less", "weniger als": "less"}
BOUND = re.compile(rf"({'|'.join(BOUNDS)}) $")
GOAL = re.compile(r"[<>=] *([\d.]+)$")  # the number in a goal, such as "p >= 0.9"
MAX_NAMED = 25  # items that a text names before it counts the others
PARTS = {  # shares in words
    "half of": 0.5, "a third of": 1 / 3, "two thirds of": 2 / 3, "a quarter of": 0.25, "three quarters of": 0.75,
    "die Hälfte de": 0.5, "ein Drittel de": 1 / 3, "zwei Drittel de": 2 / 3, "ein Viertel de": 0.25,
    "drei Viertel de": 0.75,
}  # fmt: skip
NEAR_PART = 0.03  # how far a share may be from its words
UNSEEN = ("style", "script", "title", "desc")  # elements of a page
MAX_ARRAY = 200  # numbers; a sample is no list of numbers that a text could say
MAX_DEPTH = 8


@dataclass(frozen=True)
class Amount:
    """A number as a text writes it: its value, one unit of its last digit, its sign and its unit.

    `about` is the name that it stands in brackets behind, or None, and `clause` are the names up to there;
    `bound` is "more" or "less" of a percentage that is one; `rest` tells whether it counts what is not named.
    """

    text: str
    value: float
    step: float
    sign: str
    unit: str  # "number", "percent" or "count"
    about: str | None
    clause: tuple[str, ...]
    bound: str
    rest: bool

    @property
    def tolerance(self) -> float:
        """What rounding may do: one unit of the last digit where there are three or more, else half of it."""
        if self.unit == "count":
            return 1e-5  # 0 may be about 0
        return self.step * (1.0 if self.step < 0.0051 else 0.5) * (1 + 1e-6) + 1e-12


@dataclass
class Facts:
    """What a result holds: numbers with the names that they belong to, sizes, and what is called how."""

    numbers: list[tuple[float, Names]] = field(default_factory=list)
    counts: set[int] = field(default_factory=set)
    names: dict[str, set[str]] = field(default_factory=dict)  # label or name → names
    arguments: set[str] = field(default_factory=set)

    def add(self, value: float, *about: str) -> None:
        """Add a number, and the names that it belongs to."""
        if isfinite(value):
            self.numbers.append((float(value), frozenset(about)))

    def call(self, text: str, name: str) -> None:
        """Add how something is called."""
        self.names.setdefault(" ".join(text.split()), set()).add(name)

    def join(self, other: Facts) -> None:
        """Add all that others hold."""
        self.numbers += other.numbers
        self.counts |= other.counts
        self.arguments |= other.arguments
        for text, names in other.names.items():
            self.names.setdefault(text, set()).update(names)

    def find(self, text: str) -> set[str]:
        """Return the names of what is called so; a label may be cut off, and an edge has two."""
        if " →" in text and text not in self.names:
            ends = [self.find(end) for end in re.split(" → ?", text) if end != "…"]
            return set().union(*ends) if all(ends) else set()
        if not text.endswith("…"):
            return self.names.get(text, set())
        return {name for label, names in self.names.items() if label.startswith(text[:-1]) for name in names}


# -- what a result holds --------------------------------------------------------------------------------------------


def collect(*things: Any) -> Facts:
    """Collect the numbers, sizes and names of results, graphs and plain data."""
    facts = Facts()
    for thing in things:
        _walk(thing, frozenset(), facts, {}, 0)
    return facts


def collect_result(result: Any) -> Facts:
    """Collect what a result holds, and what follows from it by one sum, difference or count."""
    facts = collect(result)
    if isinstance(result, qx.Contrast):
        facts.add(sum(result.values()))  # of the account
        if result.players.kind == "edges":
            for source in {edge[0] for edge in result}:
                facts.add(sum(value for edge, value in result.items() if edge[0] == source))
        if result.players.kind == "groups" and result.method in ("shapley", "removal", "intrinsic"):
            for group in result.players.groups:  # type: ignore[attr-defined]
                facts.add(result.excess(group), group)
    if isinstance(result, qx.Interactions):  # pairs, and pairs with the other topic
        facts.counts.add(sum(abs(x) > TIE_TOLERANCE for x in (*result.values(), *result.cross_topic.values())))
    if isinstance(result, WhatIf):
        facts.counts.add(sum(abs(result.after[x] - result.before[x]) > TIE_TOLERANCE for x in result.after))
    if isinstance(result, qx.Flip) and result.change:  # the cost is that of the base scores as they are printed
        printed = [write_move(*scores) for scores in result.change.values()]
        facts.add(np.linalg.norm([float(new) - float(old) for old, new in printed], NORMS[result.norm]))
    if isinstance(result, qx.Uncertainty) and result.delta is not None:  # of the foil
        facts.add(1 - result.delta.probability)
    if isinstance(result, qx.Uncertainty):  # the risk that is left
        for name, drop in result.expected_drop.items():
            facts.add(result.wrong_order - drop, str(name))
    return facts


def _walk(thing: Any, about: Names, facts: Facts, seen: dict[int, Any], depth: int) -> None:
    if isinstance(thing, str):
        for each in (thing, *SEMANTICS.keys() & set(re.split(r"[^\w-]+", thing))):
            facts.call(each, each)
        for goal in GOAL.finditer(thing):
            facts.add(float(goal[1]), *about)
    elif isinstance(thing, int | np.integer) and not isinstance(thing, bool):
        facts.counts.add(int(thing))
        facts.add(thing, *about)
    elif isinstance(thing, float | np.floating):
        facts.add(thing, *about)
    elif thing is not None and not isinstance(thing, bool) and id(thing) not in seen and depth < MAX_DEPTH:
        seen[id(thing)] = thing  # kept, so that no other object gets its id
        facts.arguments.update(getattr(getattr(thing, "players", None), "groups", ()))
        if isinstance(thing, Qbaf):
            facts.arguments.update(map(str, (*thing, *thing.groups)))
            for name in thing:
                facts.call(thing.label(name), str(name))
        for names, part in _list_parts(thing, facts):
            _walk(part, about | names, facts, seen, depth + 1)


def _list_parts(thing: Any, facts: Facts) -> Iterator[tuple[Names, Any]]:
    """List the parts of a thing, each with the names that it belongs to."""
    nobody: Names = frozenset()
    if isinstance(thing, Qbaf):
        facts.counts.add(len(thing.weights))
        uncertain = {name: each.to_dict() for name, each in thing.uncertain.items()}
        yield from (
            (nobody, each) for each in (thing.base_scores, thing.attacks, thing.supports, uncertain, thing.groups)
        )
        return
    if isinstance(thing, Result):
        yield nobody, thing.to_dict()
    elif isinstance(thing, Mapping):
        facts.counts.add(len(thing))
        # the names in a record of a list, such as "source" and "target", are those that its numbers belong to
        record = {each for each in thing.values() if isinstance(each, str)} if "schema" not in thing else set()
        for key, each in thing.items():
            ends = [str(end) for end in key] if isinstance(key, tuple) else [str(key)]
            yield from ((nobody, end) for end in ends)
            yield frozenset(record.union(ends)), each
    elif isinstance(thing, np.ndarray):
        yield from ((nobody, each) for each in thing.ravel().tolist() if thing.size <= MAX_ARRAY)
    elif isinstance(thing, Sequence | Set):
        facts.counts.add(len(thing))
        yield from ((nobody, each) for each in thing)
    for name, each in _list_attributes(thing):
        yield frozenset({name}), each


def _list_attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    """List the public fields and properties of a result, or of a part of one."""
    if not is_dataclass(thing) or isinstance(thing, type) or not type(thing).__module__.startswith("qontrast"):
        return
    names = {each.name for each in fields(thing)}
    names |= {name for name in dir(type(thing)) if isinstance(getattr(type(thing), name), property)}
    for name in sorted(names - {"problem", "phi", "players", "network", "refusal", "reason"}):
        if not name.startswith("_"):
            try:
                yield name, getattr(thing, name)
            except QontrastError:  # of results about edges alone, for example
                continue


# -- what a text says -----------------------------------------------------------------------------------------------


def read_amounts(text: str, names: Sequence[str] = (), code: str = "en") -> list[Amount]:
    """Read the numbers of a text in which marks stand for names."""
    decimal, thousands = LANGUAGES[code].decimal, LANGUAGES[code].thousands
    found = []
    for match in NUMBER.finditer(text):
        sign, digits, power, exponent, percent = match.groups()
        if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+", digits):
            digits = digits.replace(thousands, "")
        plain = digits.replace(decimal, ".")
        scale = 10.0 ** int((power or exponent or "0").translate(POWERS).replace("−", "-"))
        whole = "." not in plain and not sign and scale == 1.0
        before = text[: match.start()]
        owner = OWNER.search(before)
        clause = CLAUSE.search(before[: owner.start() + 1] if owner else "")
        bound = BOUND.search(before) if percent else None
        found.append(
            Amount(
                text=match[0],
                value=float(plain) * scale * (-1.0 if sign == "−" else 1.0),
                step=10.0 ** -len(plain.partition(".")[2]) * scale,
                sign=sign,
                unit="percent" if percent else "count" if whole else "number",
                about=names[ord(owner[1]) - FIRST_MARK] if owner else None,
                clause=tuple(names[ord(x) - FIRST_MARK] for x in clause[0] if x >= chr(FIRST_MARK)) if clause else (),
                bound=BOUNDS[bound[1]] if bound else "",
                rest=bool(REST.match(text[match.end() :])),
            )
        )
    return found


def mark_names(text: str, known: Iterable[str]) -> tuple[str, list[str]]:
    """Put marks in the place of names in quotation marks and of known ones; return the names, too."""
    names: list[str] = []

    def mark(match: re.Match[str]) -> str:
        names.append(next(each for each in match.groups() if each is not None))
        return chr(FIRST_MARK + len(names) - 1)

    known = [each for each in known if each.strip()]
    text = QUOTED.sub(mark, text)
    for cut in {label[:k] for label in known for k in range(1, len(label)) if f"{label[:k]}…" in text}:
        text = re.sub(rf"(?<!\w)({re.escape(cut)})…", mark, text)
    longest_first = "|".join(re.escape(each) for each in sorted(known, key=lambda each: -len(each)))
    return (re.sub(rf"(?<![\w-])({longest_first})(?![\w-])", mark, text) if longest_first else text), names


def read_page(html: str) -> str:
    """Read the texts of a page that are seen."""
    found: list[str] = []

    class Reader(HTMLParser):
        hidden = 0

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            self.hidden += tag in UNSEEN

        def handle_endtag(self, tag: str) -> None:
            self.hidden -= tag in UNSEEN

        def handle_data(self, data: str) -> None:
            if not self.hidden:
                found.append(data)

    Reader().feed(html)
    return " ".join(found)


# -- whether the one has the other ----------------------------------------------------------------------------------


def find_problems(text: str, facts: Facts, code: str = "en", *, bare: str = r"(?!)") -> list[str]:
    """List the names and numbers of a text that are not in the facts.

    `bare` matches names without quotation marks, such as those of other graphs of a test.
    """
    text = " ".join(text.split())
    quoted = [one or other for one, other in QUOTED.findall(text)]
    problems = [f"the name {name}" for name in quoted if not facts.find(name)]
    words = {name for name in facts.names if not re.fullmatch(r"[\d.,+−-]*", name)}
    marked, names = mark_names(text, words)
    unknown = "|".join(
        [bare, *(re.escape(each) for each in sorted(SEMANTICS.keys() - words, key=lambda each: -len(each)))]
    )
    problems += [f"the name {name}" for name in re.findall(rf"(?<![\w-])(?:{unknown})(?![\w-])", marked)]
    for each in read_amounts(marked, names, code):
        if not has_amount(facts, each):
            behind = f" behind {each.about}" if each.about else ""
            problems.append(f"{each.text}{behind}")
    shares = [share for part, share in PARTS.items() if part in text]
    problems += [
        f"{s:.2f} in words" for s in shares if not any(abs(x - s) <= NEAR_PART + 1e-9 for x, _ in facts.numbers)
    ]
    return problems


def find_slips(text: str, facts: Facts, code: str = "en") -> list[str]:
    """List words that stand twice in a row, and plurals behind a 1 in English."""
    marked, _ = mark_names(" ".join(text.split()), facts.names)
    slips = [match[0] for match in re.finditer(r"\b([^\W\d_]+) \1\b", marked)]
    return slips + (re.findall(r"(?<![\d.,^])1 (?:other |weaker )?[a-z]+s\b", marked) if code == "en" else [])


def has_amount(facts: Facts, amount: Amount) -> bool:
    """Say whether the facts have a number: with its sign, in its unit, and of its name where it belongs to one."""
    if amount.unit == "count" and amount.value in facts.counts:
        return True
    if amount.rest:
        return any(0 < size - amount.value <= MAX_NAMED for size in facts.counts)
    return any(_fits(amount, value) and _belongs(amount, about, facts) for value, about in facts.numbers)


def _fits(amount: Amount, value: float) -> bool:
    own = (100.0 if amount.unit == "percent" else 1.0) * (value if amount.sign else abs(value))
    if amount.bound:
        return amount.value < own < 100.0 if amount.bound == "more" else 0.0 < own < amount.value
    return abs(own - amount.value) <= amount.tolerance


def _belongs(amount: Amount, about: Names, facts: Facts) -> bool:
    """Say whether a number that belongs to some names may stand behind this one; that of nobody may stand anywhere."""
    own = about & facts.arguments
    if amount.about is None or not own or own & facts.find(amount.about):
        return True
    return len(own) > 1 and own <= {name for each in amount.clause for name in facts.find(each)}
