"""The languages of sentences and reports: tables of phrases, and how a language writes numbers and names.

Adding a language takes a module with PHRASES (the keys of `en`), TEXTS (translations of the texts in METHODS) and a row
in LANGUAGES. A test compares its keys and its fields with the English ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import unknown_name
from . import de, en


@dataclass(frozen=True, eq=False)
class Language:
    """Phrases by key, and the marks of numbers, lists and quotations."""

    code: str
    phrases: Mapping[str, str] = field(repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)  # English text of a table → the same here
    decimal: str = "."
    thousands: str = ","
    quotes: str = "“”"

    def say(self, key: str, **fields: Any) -> str:
        """Fill in a phrase."""
        return self.phrases[key].format(**fields)

    def count(self, key: str, number: int, **fields: Any) -> str:
        """Fill in a phrase that has one form for 1 and another for all other numbers."""
        form = f"{key}.one" if number == 1 else f"{key}.many"
        return self.say(form, count=f"{number:,}".replace(",", self.thousands), **fields)

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


LANGUAGES: dict[str, Language] = {
    "en": Language("en", en.PHRASES),
    "de": Language("de", de.PHRASES, de.TEXTS, decimal=",", thousands=".", quotes="„“"),
}


def choose(language: str) -> Language:
    """Look up a language by its code.

    >>> choose("de").number("+0.328")
    '+0,328'
    """
    if language not in LANGUAGES:
        raise unknown_name(language, LANGUAGES, "language")
    return LANGUAGES[language]
