"""Write statements in a language; the table LANGUAGES says how each language writes phrases, numbers and names.

A statement is language-free: the key of a phrase, and what fills it in. `narrative` makes statements; the phrases are
in `languages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..attribution.methods import METHODS
from ..attribution.players import Edges, Players
from ..errors import unknown_name
from ..graph.labels import quote_label
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE
from ..types import Edge, Name

if TYPE_CHECKING:
    from ..attribution.methods import MethodEntry
    from ..explain.compare_semantics import SemanticsComparison
    from ..explain.contrast import Contrast
    from ..explain.flip import Flip
    from ..explain.reasons import Reasons
    from ..explain.uncertainty import Uncertainty
from .languages import de, en
from .numbers import MIN_DECIMAL, Number, add_up, number


class Statement(NamedTuple):
    """What is said: the key of a phrase, and names, numbers, texts, statements or lists of these by field."""

    key: str
    fields: Mapping[str, Any]


class Quoted(str):
    """The name of an argument as it is called in a sentence."""

    __slots__ = ()


class TableText(str):
    """An English text of a table, such as METHODS, that a language may translate."""

    __slots__ = ()


def state(key: str, **fields: Any) -> Statement:
    """Make a statement; with a field `count` the phrase has one form for 1 and another for all other numbers."""
    return Statement(key, fields)


def call(qbaf: Qbaf, name: Name) -> Quoted:
    """Write an argument as it is called in a sentence."""
    return Quoted(quote_label(qbaf, name))


def call_some(qbaf: Qbaf, names: Sequence[Name], limit: int = 5) -> list[Quoted | Statement]:
    """Write the first arguments of a list as they are called in a sentence, and how many more there are."""
    more = [state("more", count=len(names) - limit)] if len(names) > limit else []
    return [*(call(qbaf, name) for name in names[:limit]), *more]


def call_player(players: Players, name: Any) -> Quoted | Statement:
    """Write a player as it is called in a sentence: an argument or a group by its label, an edge as what it is."""
    if not isinstance(players, Edges):
        return call(players.qbaf, name)
    source, target = (call(players.qbaf, end) for end in name)
    if name[0] == name[1]:
        return state(f"{find_relation(players, name)}.self", source=source)
    return state(find_relation(players, name), source=source, target=target)


def find_relation(players: Edges, edge: Edge) -> str:
    """Return the key of the phrase for what an edge is: an attack or a support."""
    attacks = np.signbit(players.qbaf.weights[players.numbers[players.index(edge)]])
    return "edge.attack" if attacks else "edge.support"


@dataclass(frozen=True, eq=False)
class Language:
    """Phrases by key, and the marks of numbers, lists and quotations."""

    code: str
    phrases: Mapping[str, str] = field(repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)  # English text of a table → the same here
    decimal: str = "."
    thousands: str = ","
    quotes: str = "“”"

    def write(self, said: Any) -> str:
        """Write a statement, name, number or text, or a list of them."""
        match said:
            case Statement(key, fields):
                return self.count(key, **fields) if "count" in fields else self.say(key, **fields)
            case Number():
                return self.number(said)
            case Quoted():
                return self.name(said)
            case TableText():
                return self.text(said)
            case list():
                return self.join(map(self.write, said))
        return str(said)

    def say(self, key: str, **fields: Any) -> str:
        """Fill in a phrase."""
        return self.phrases[key].format(**{name: self.write(each) for name, each in fields.items()})

    def count(self, key: str, count: int, **fields: Any) -> str:
        """Fill in a phrase that has one form for 1 and another for all other numbers."""
        form = f"{key}.one" if count == 1 else f"{key}.many"
        return self.say(form, count=self.integer(count), **fields)

    def integer(self, value: int) -> str:
        """Write a whole number with this language's mark between thousands."""
        return f"{value:,}".replace(",", self.thousands)

    def number(self, text: str) -> str:
        """Write a number of `numbers` with this language's decimal mark and words."""
        return self.phrases.get(f"number.{text}") or text.replace(".", self.decimal)

    def name(self, text: str) -> str:
        """Write the name of an argument with this language's quotation marks; the name itself stays."""
        if self.quotes == "“”" or not text.startswith("“"):
            return text
        end = text.rindex("”")
        return f"{self.quotes[0]}{text[1:end]}{self.quotes[1]}{text[end + 1 :]}"

    def join(self, parts: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        *first, last = parts
        return self.say("and", first=", ".join(first), last=last) if first else last

    def text(self, english: str) -> str:
        """Translate a text of a table, such as what a method measures; an unknown one stays as it is."""
        return self.texts.get(english, english)


class MarkedNames(Language):
    """A language that puts the control characters STX and ETX, which no text of ours has, around names."""

    def name(self, text: str) -> str:
        """Write a name between the two marks."""
        return f"\x02{super().name(text)}\x03"


LANGUAGES: dict[str, Language] = {
    "en": Language("en", en.PHRASES),
    "de": Language("de", de.PHRASES, de.TEXTS, decimal=",", thousands=".", quotes="„“"),
}


def write_pieces(said: Iterable[Any], roles: Mapping[str, str], language: str = "en") -> list[tuple[str, str | None]]:
    """Write statements and texts, one after the other, in pieces: a text, and its role where it is a name that has one.

    >>> write_pieces([Quoted("a"), " is ahead of ", Quoted("b"), "."], {"a": "fact", "b": "foil"})
    [('a', 'fact'), (' is ahead of ', None), ('b', 'foil'), ('.', None)]
    """
    to = choose(language)
    marked = MarkedNames(**{each.name: getattr(to, each.name) for each in fields(to)})
    known = {to.name(name): role for name, role in roles.items()}
    parts = re.split("\x02(.*?)\x03", "".join(map(marked.write, said)))
    found = [(text, known.get(text) if k % 2 else None) for k, text in enumerate(parts) if text]
    return [("".join(text for text, _ in each), role) for role, each in groupby(found, key=lambda piece: piece[1])]


def write_size(qbaf: Qbaf, to: Language) -> str:
    """Write how many arguments, attacks and supports a graph has."""
    sizes = {"arguments": len(qbaf), "attacks": len(qbaf.attacks), "supports": len(qbaf.supports)}
    return ", ".join(to.count(f"size.{what}", size) for what, size in sizes.items())


def choose(language: str) -> Language:
    """Look up a language by its code.

    >>> choose("de").number("+0.328")
    '+0,328'
    """
    if language not in LANGUAGES:
        raise unknown_name(language, LANGUAGES, "language")
    return LANGUAGES[language]


def name_value(
    method: str, whole: str = "gap", *, players: str = "arguments", combined: bool = False, language: str = "en"
) -> str:
    """Say what one number of a method is, of the "gap" or of one topic's "strength": `share of the gap`.

    `players` is the kind of the players whose numbers these are.

    >>> name_value("shapley"), name_value("gradient", "strength", language="de")
    ('share of the gap', 'Steigung der Stärke je Einheit des Basiswerts')
    """
    to = choose(language)
    if combined or method not in METHODS:
        return to.say("value.combined" if combined else "value")
    return to.text(METHODS[method].for_players(players).value).format(
        whole=to.say(f"whole.{whole}"), of=to.say(f"of.{whole}")
    )


# -- what texts of contrasts and of other results share --------------------------------------------------------


def call_topics(why: Contrast | Flip | Reasons | SemanticsComparison | Uncertainty) -> dict[str, Any]:
    return {"fact": call(why.qbaf, why.fact), "foil": call(why.qbaf, why.foil)}


def write_amount(who: str | Statement, value: float, sign: str = "+") -> Statement:
    """Write `Viral pneumonia (+0.328)`."""
    return state("amount", who=who, value=number(value, sign))


def write_because(leading: list[Statement], counter: list[Statement]) -> list[Statement]:
    """Say what speaks for a gap, and what against it."""
    sides = (("because", leading), ("counterweight", counter))
    return [state(key, reasons=reasons) for key, reasons in sides if reasons]


def choose_phrase(key: str, why: Contrast) -> str:
    """Return the key of a phrase for the players of a contrast: arguments, edges or groups."""
    kind = "edges" if why.players.kind == "direct" else why.players.kind
    return key if kind == "arguments" else f"{key}.{kind}"


def find_entry(why: Contrast) -> MethodEntry | None:
    """Look up what the values are; None where nothing is known about them."""
    return None if why.combined else METHODS.get(why.method)


def are_shares(why: Contrast) -> bool:
    """Say whether contributions, base scores and the effect of the topics on each other add up to the gap."""
    entry = find_entry(why)
    return entry is not None and entry.adds_up


def compare(fact: str, foil: str, own: float, other: float, style: str = "") -> Statement:
    """Say which strength is larger, in a sentence or with the style "rated." as the beginning of one."""
    gap, names = abs(own - other), {"fact": fact, "foil": foil}
    if gap <= TIE_TOLERANCE:
        return state(f"{style}tied", **names, own=number(own), gap=Number("0"))
    relation = "ahead" if own > other else "behind"
    if gap < MIN_DECIMAL:
        return state(f"{style}close.{relation}", **names, own=number(own), gap=number(gap))
    low, apart, high = add_up(min(own, other), gap, total=max(own, other))
    first, second = (high, low) if own > other else (low, high)
    return state(f"{style}{relation}", **names, own=first, other=second, gap=apart)


def find_texts(why: Contrast) -> MethodEntry | None:
    """Look up the texts of the method about the players of this contrast; None where nothing is known."""
    entry = find_entry(why)
    return entry and entry.for_players(why.players.kind)


def choose_for_edges(key: str, why: Contrast) -> str:
    """Return the key of a phrase that is the same for arguments and groups."""
    return key if why.players.kind == "groups" else choose_phrase(key, why)


def write_aside(text: str) -> Statement | str:
    """Write a text of a table in passing; nothing where there is none."""
    return state("aside", text=TableText(text)) if text else ""
