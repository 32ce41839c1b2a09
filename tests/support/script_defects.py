"""Every defect that can be planted in a script of the page by one change of its text.

The operators are those of Stryker (comparisons, arithmetic, logic, literals, conditions, statements, calls of arrays),
and some for mistakes of this page: an entry of a list left out, two values exchanged, fact for foil. There is no parser
of JavaScript here: the text is split into tokens, and `node --check` refuses what is no script any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

OPEN, CLOSED = "([{", ")]}"
KEYWORDS = {
    *("await", "async", "break", "case", "catch", "class", "const", "continue", "default", "delete", "do", "else"),
    *("export", "extends", "finally", "for", "function", "get", "if", "import", "in", "instanceof", "let", "new", "of"),
    *("return", "set", "static", "switch", "throw", "try", "typeof", "void", "while", "yield"),
}
BEGINS_EXPRESSION = {"await", "delete", "new"}  # keywords with which a statement that can be left out begins
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<number>0x[\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)
    |(?P<name>\#?[$\w]+)
    |(?P<sign>>>>=|\.\.\.|===|!==|\*\*=|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|/=|%=|\*\*
        |<<|>>|[^\s])""",
    re.VERBOSE | re.DOTALL,
)
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
TEXT = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(`|\$\{)", re.DOTALL)  # of a template, up to its end or to an expression

SIGNS = dict(
    pair.split()
    for pair in (
        *("< <=", "<= <", "> >=", ">= >", "=== !==", "!== ===", "== !=", "!= ==", "&& ||", "|| &&", "?? &&"),
        *("+ -", "- +", "* /", "/ *", "% *", "** *", "+= -=", "-= +=", "*= /=", "/= *=", "++ --", "-- ++"),
    )
)
PAIRS = [
    *(("min", "max"), ("some", "every"), ("startsWith", "endsWith"), ("true", "false"), ("fact", "foil")),
    *(("own", "other"), ("before", "after"), ("low", "high"), ("left", "right"), ("was", "is"), ("source", "target")),
    *(("undo", "redo"), ("semantics", "solver"), ("top", "bottom"), ("width", "height"), ("attack", "support")),
]
OTHER_NAME = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
ANYWHERE = {"min", "max", "some", "every", "startsWith", "endsWith", "true", "false"}  # others: beside each other only
CALLS_LEFT_OUT = {"sort", "reverse", "filter", "slice", "trim", "toLowerCase", "concat"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Defect:
    """A part of a script and the text that is put in its place."""

    kind: str
    start: int
    end: int
    text: str

    def plant(self, script: str) -> str:
        return script[: self.start] + self.text + script[self.end :]


def split(script: str) -> list[Token]:
    """Split a script into tokens, without its comments.

    >>> [each.text for each in split("a = b / 2 + `x ${c[0]} y`; // end")]
    ['a', '=', 'b', '/', '2', '+', '`x ${', 'c', '[', '0', ']', '} y`', ';']
    """
    found: list[Token] = []
    inside: list[int] = []  # for each template that is open, how many braces are open in its expression
    at = 0
    while at < len(script):
        if script[at].isspace():
            at += 1
            continue
        if script[at] == "`" or (script[at] == "}" and inside and inside[-1] == 0):
            if script[at] == "}":
                inside.pop()
            text = TEXT.match(script, at + 1)
            assert text, f"a template without an end at {at}"
            if text[1] == "${":
                inside.append(0)
            found.append(Token("template", script[at : text.end()], at))
        elif script[at] == "/" and script[at + 1] not in "/*" and _may_be_regex(found):
            text = REGEX.match(script, at)
            assert text, f"no regular expression at {at}"
            found.append(Token("regex", text[0], at))
        else:
            text = TOKEN.match(script, at)
            assert text
            if inside and text[0] in "{}":
                inside[-1] += 1 if text[0] == "{" else -1
            if text.lastgroup != "comment":
                found.append(Token(str(text.lastgroup), text[0], at))
        at = text.end()
    return found


def _may_be_regex(before: list[Token]) -> bool:
    if not before:
        return True
    last = before[-1]
    return last.text in KEYWORDS or (last.kind == "sign" and last.text not in CLOSED)


class Script:
    """A script in tokens, with the partner of every bracket."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = split(text)
        self.partner: dict[int, int] = {}
        opened: list[int] = []
        for k, token in enumerate(self.tokens):
            begins = token.kind == "template" and token.text.endswith("${")
            if token.kind == "template" and token.text.startswith("}"):
                self._close(opened, k)
            if begins or (token.kind == "sign" and token.text in OPEN):
                opened.append(k)
            elif token.kind == "sign" and token.text in CLOSED:
                self._close(opened, k)
        assert not opened, "a bracket is not closed"

    def _close(self, opened: list[int], k: int) -> None:
        first = opened.pop()
        self.partner[first], self.partner[k] = k, first

    def word(self, k: int) -> str:
        return self.tokens[k].text if 0 <= k < len(self.tokens) else ""

    def part(self, first: int, last: int) -> str:
        """The text from one token to another, both included."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def replace(self, kind: str, first: int, last: int, text: str) -> Defect:
        return Defect(kind, self.tokens[first].start, self.tokens[last].end, text)

    def skip(self, k: int) -> int:
        """The next token on the same level; the parts of a template are one."""
        while self.partner.get(k, -1) > k:
            k = self.partner[k]
        return k + 1

    def ends_level(self, k: int) -> bool:
        """Whether the level ends before this token."""
        if k >= len(self.tokens) or self.partner.get(k, k) < k:
            return True
        return self.tokens[k].kind == "template" and self.word(k).startswith("}")

    def split_entries(self, first: int) -> list[tuple[int, int]]:
        """The entries between a bracket and its partner, each from one token to another; none if it is a block."""
        entries, begin, k, last = [], first + 1, first + 1, self.partner[first]
        while k < last:
            if self.word(k) == ";":
                return []
            if self.word(k) == ",":
                entries.append((begin, k - 1))
                begin = k + 1
            k = self.skip(k)
        return [each for each in (*entries, (begin, last - 1)) if each[0] <= each[1]]


def list_defects(text: str) -> list[Defect]:
    """Every defect of a script, of each kind, in the order of their places."""
    script = Script(text)
    imported = [range(m.start(), m.end()) for m in re.finditer(r"^import .*$|^export \{.*$", text, re.MULTILINE)]
    makers = (_tokens, _conditions, _statements, _entries, _calls, _choices)
    found = [each for maker in makers for each in maker(script)]
    kept = [each for each in found if not any(each.start in lines for lines in imported)]
    return sorted(kept, key=lambda each: (each.start, each.end, each.text))


def _tokens(script: Script) -> Iterator[Defect]:
    lines: dict[int, set[str]] = {}
    number = [script.text.count("\n", 0, token.start) for token in script.tokens]
    for k, token in enumerate(script.tokens):
        lines.setdefault(number[k], set()).add(token.text)
    for k, token in enumerate(script.tokens):
        before, after = script.word(k - 1), script.word(k + 1)
        if token.kind == "number":
            value = token.text.replace("_", "")
            more = str(int(value, 0) + 1) if re.fullmatch(r"\d+|0x.*", value) else f"({value} * 2)"
            yield script.replace("number", k, k, more)
        elif token.kind == "string" and token.text != '""' and before not in ("from", "className"):
            named = before == ":" and script.word(k - 2) == "className"
            if not named and not (before == "(" and script.word(k - 2) == "import") and after != ":":
                yield script.replace("text", k, k, '""')
        elif token.kind == "sign" and token.text in SIGNS:
            yield script.replace("sign", k, k, SIGNS[token.text])
        elif token.text == "!" and token.kind == "sign":
            yield script.replace("negation", k, k, "")
        elif token.text in OTHER_NAME and token.kind == "name":
            other = OTHER_NAME[token.text]
            if token.text in ANYWHERE or (other in lines[number[k]] and before not in ("const", "let")):
                yield script.replace("name", k, k, other)


def _conditions(script: Script) -> Iterator[Defect]:
    for k, token in enumerate(script.tokens):
        if token.text == "if" and script.word(k + 1) == "(":
            for value in ("true", "false"):
                yield script.replace("condition", k + 1, script.partner[k + 1], f"({value})")


def _statements(script: Script) -> Iterator[Defect]:
    """Statements that only do something, `break` and `continue` left out."""
    for k, token in enumerate(script.tokens):
        before = script.word(k - 1)
        after_head = before == ")" and script.word(script.partner[k - 1] - 1) in ("if", "for", "while")
        if k and before not in (";", "{", "}", "else") and not after_head:
            continue
        if token.kind != "name" and token.text not in "[(":
            continue
        if token.text in KEYWORDS - BEGINS_EXPRESSION - {"break", "continue"}:
            continue
        end = k
        while not script.ends_level(end) and script.word(end) != ";":
            end = script.skip(end)
        if script.word(end) == ";":
            yield script.replace("statement", k, end, ";")


def _entries(script: Script) -> Iterator[Defect]:
    """An entry of a list, an object or a call left out; two values of a call exchanged."""
    for k, token in enumerate(script.tokens):
        if k not in script.partner or script.partner[k] < k or token.text not in OPEN or token.kind != "sign":
            continue
        before, after, entries = script.word(k - 1), script.word(script.partner[k] + 1), script.split_entries(k)
        declares = after in ("=>", "=", "of") or before in ("const", "let", "catch", "function", "import", "export")
        is_head = token.text == "(" and (before in KEYWORDS or after == "{" or before == "function")
        if declares or is_head or len(entries) < 2:
            continue
        for n, (first, last) in enumerate(entries):
            if token.text != "(":
                begin, end = (first, entries[1][0] - 1) if n == 0 else (entries[n - 1][1] + 1, last)
                yield script.replace("entry", begin, end, "")
        if token.text == "(":
            yield script.replace("entry", entries[-2][1] + 1, entries[-1][1], "")
            for (a, b), (c, d) in pairwise(entries):
                one, other = script.part(a, b), script.part(c, d)
                if one != other and max(len(one), len(other)) <= 40 and not re.search('=>|["`{]', one + other):
                    yield script.replace("exchange", a, d, f"{other}, {one}")


def _calls(script: Script) -> Iterator[Defect]:
    for k, token in enumerate(script.tokens):
        if token.text in CALLS_LEFT_OUT and script.word(k - 1) in (".", "?.") and script.word(k + 1) == "(":
            yield script.replace("call", k - 1, script.partner[k + 1], "")


def _choices(script: Script) -> Iterator[Defect]:
    """The two branches of `a ? b : c` exchanged."""
    for k, token in enumerate(script.tokens):
        if token.text != "?" or token.kind != "sign":
            continue
        colon, open_choices = k + 1, 0
        while not script.ends_level(colon) and (script.word(colon) != ":" or open_choices):
            open_choices += {"?": 1, ":": -1}.get(script.word(colon), 0)
            colon = script.skip(colon)
        end, open_choices = colon + 1, 0
        while not script.ends_level(end) and script.word(end) not in (",", ";"):
            if script.word(end) == ":" and not open_choices:
                break
            open_choices += {"?": 1, ":": -1}.get(script.word(end), 0)
            end = script.skip(end)
        if script.word(colon) == ":" and end > colon + 1:
            one, other = script.part(k + 1, colon - 1), script.part(colon + 1, end - 1)
            yield script.replace("choice", k + 1, end - 1, f"({other}) : ({one})")
