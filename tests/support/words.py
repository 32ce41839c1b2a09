"""Words that claim something, such as proved and exact: where results set them, and where texts say them.

`WORDS` has a row for each word. `find_fields`, `find_phrases` and `find_strings` walk the library for places that set
or say one of them; `tests/surfaces/test_words.py` fails for a place without a row. Who adds a place adds its row, and a
case on either side of its border to one of the tests that the row names.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import qontrast
import qontrast.axioms
import qontrast.networks
import qontrast.questions.many
from qontrast.results.base import SCHEMAS
from qontrast.show.phrasing import LANGUAGES

SOURCE = Path(qontrast.__file__).parent
TALKING = ("show", "questions", "cli", "web")  # the packages that write texts; sentences are in show/languages


@dataclass(frozen=True)
class Word:
    """A word, how it is written, and its places.

    Attributes
    ----------
    names
        A pattern of the names of fields that hold it.
    written
        Language → a pattern of the word in texts.
    set_in
        The fields of results that hold it, as `Reach.proved`.
    phrases
        The keys of the phrases that say it, in one of the languages.
    strings
        Module or script → in how many other strings it is said there.
    tests
        The modules of tests that hold its border.
    """

    names: str
    written: dict[str, str]
    set_in: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    strings: dict[str, int] = field(default_factory=dict)
    tests: tuple[str, ...] = ()


def find_fields(word: Word) -> set[str]:
    """The fields, properties and JSON fields of results whose name holds the word."""
    found = set()
    for result in SCHEMAS.values():
        names = {*result.schema.fields, *result.schema.optional, *(each.name for each in dataclasses.fields(result))}  # type: ignore[arg-type]
        names |= {name for kind in result.__mro__ for name, value in vars(kind).items() if hasattr(value, "__get__")}
        found |= {f"{result.__name__}.{name}" for name in names if re.search(word.names, name) and name[0] != "_"}
    return found


def find_phrases(word: Word) -> set[str]:
    """The keys of phrases that say the word, in any language."""
    return {
        key
        for code, pattern in word.written.items()
        for key, text in LANGUAGES[code].phrases.items()
        if re.search(pattern, text)
    }


def find_strings(word: Word) -> dict[str, int]:
    """How many strings say the word in each module and script that writes texts, but for phrases."""
    counts: Counter[str] = Counter()
    for package in TALKING:
        for path in sorted((SOURCE / package).rglob("*")):
            if path.suffix in (".py", ".js", ".html") and "languages" not in path.parts:
                said = sum(bool(re.search(word.written["en"], text)) for text in list_strings(path))
                counts[path.relative_to(SOURCE).as_posix()] += said
    return {place: count for place, count in counts.items() if count}


@cache
def list_strings(path: Path) -> tuple[str, ...]:
    """The texts of a module or a script, but for its comments and docstrings."""
    return tuple(_iterate_strings(path))


def _iterate_strings(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        yield from re.findall(r">([^<>]+)<", text)
        return
    if path.suffix == ".js":
        text = re.sub(r"(?m)^\s*(//|\*|/\*).*$|\s//.*$", "", text)
        yield from (each for each in re.findall(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", text) if re.search(r"\w \w", each))
        return
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


WORDS: dict[str, Word] = {
    "proved": Word(
        names=r"proved",
        written={"en": r"\b([Pp]rov(e|ed|es)|proof|unproved)\b", "de": r"\b([Bb]ewiesen|beweisen|Beweis)\b"},
        set_in=frozenset(
            {
                "Flip.change_proved",
                "Flip.proved",
                "Reach.proved",
                "Reasons.unproved",
            }
        ),
        phrases=frozenset(
            {
                "flip.impossible",
                "reach.impossible.many",
                "reach.impossible.one",
                "reach.lower",
                "reach.none.many",
                "reach.none.one",
                "reach.proved",
                "reach.proved.fewest",
                "reach.unproved",
                "reasons.kind.unproved",
                "reasons.unproved.many",
                "reasons.unproved.one",
                "reasons.unproved.only.many",
                "reasons.unproved.only.one",
                "robustness.not certified",
                "robustness.nothing proved",
            }
        ),
        strings={
            "show/descriptions.py": 1,
            "show/frames.py": 1,
            "show/reach_texts.py": 3,
            "show/reason_texts.py": 2,
            "show/robustness_texts.py": 1,
            "questions/many.py": 1,
            "cli/commands/reach.py": 4,
            "cli/commands/reasons.py": 1,
            "web/answers.py": 1,
            "web/schemas.py": 1,
            "web/static/reach.js": 3,
            "web/static/safety.js": 1,
        },
        tests=("test_borders_of_proofs", "test_borders_of_sets", "test_show_claims"),
    ),
    "exact": Word(
        names=r"^exact$",
        written={"en": r"\bexact(ly)?\b", "de": r"\bexakt\w*"},
        set_in=frozenset(
            {
                "Robustness.exact",
            }
        ),
        phrases=frozenset(
            {
                "choice.few",
                "live.exact",
            }
        ),
        strings={
            "show/html/interactive.py": 3,
            "show/html/parts.py": 1,
            "show/html/report.js": 1,
        },
        tests=("test_borders_of_radii", "test_show_claims"),
    ),
    "certified": Word(
        names=r"certif",
        written={"en": r"\b[Cc]ertif\w*", "de": r"\bzertifi\w*|[Bb]ewiesener Radius"},
        set_in=frozenset(
            {
                "Explained.certified",
                "Robustness.certifiable",
                "Robustness.certified",
            }
        ),
        phrases=frozenset({}),
        strings={
            "show/html/batch.py": 3,
            "show/robustness_texts.py": 1,
            "questions/many.py": 2,
            "web/static/safety.js": 3,
        },
        tests=("test_borders_of_radii",),
    ),
    "impossible": Word(
        names=r"possible$",
        written={
            "en": r"\bimpossible\b|cannot be reached|; this is proved|ends the lead",
            "de": r"\bunmöglich\b|nicht erreichen|; das ist bewiesen|beendet den Vorsprung",
        },
        set_in=frozenset(
            {
                "Reach.possible",
                "Robustness.impossible",
            }
        ),
        phrases=frozenset(
            {
                "reach.apart.many",
                "reach.apart.one",
                "reach.impossible.many",
                "reach.impossible.one",
                "robustness.impossible",
                "robustness.none",
            }
        ),
        strings={
            "show/descriptions.py": 1,
            "show/reach_texts.py": 1,
            "show/robustness_texts.py": 1,
            "web/static/safety.js": 1,
        },
        tests=("test_borders_of_proofs", "test_borders_of_radii", "test_show_claims"),
    ),
    "complete": Word(
        names=r"complete|examined",
        written={
            "en": r"\b(in)?complete(ly)?\b|\b[Nn]ot all\b|may be missing|\bexamined\b",
            "de": r"\b(un)?vollständig\w*|[Nn]icht alle\b|können fehlen|geprüft",
        },
        set_in=frozenset(
            {
                "Flip.examined",
                "Reasons.complete",
                "Reasons.examined",
            }
        ),
        phrases=frozenset(
            {
                "flip.smaller.none",
                "flip.smaller.some.many",
                "flip.smaller.some.one",
                "reasons.incomplete",
                "reasons.incomplete.many",
                "reasons.incomplete.one",
            }
        ),
        strings={
            "show/reason_texts.py": 1,
        },
        tests=("test_borders_of_sets", "test_show_claims"),
    ),
    "stopped": Word(
        names=r"stopped|interrupted",
        written={"en": r"\b(stopped|interrupted)\b", "de": r"\b(vorzeitig|Zeitlimit|unterbrochen)\b"},
        set_in=frozenset(
            {
                "Flip.change_stopped",
                "Flip.interrupted",
                "Flip.removal_stopped",
                "Flip.stopped",
                "Reach.stopped",
                "Reasons.stopped",
                "Robustness.stopped",
            }
        ),
        phrases=frozenset(
            {
                "flip.interrupted",
                "flip.stopped",
                "flip.stopped.limit",
                "reach.stopped",
                "reasons.stopped",
                "robustness.stopped",
            }
        ),
        strings={
            "show/descriptions.py": 3,
            "show/reach_texts.py": 1,
            "show/reason_texts.py": 1,
            "show/robustness_texts.py": 1,
            "cli/commands/batch.py": 2,
            "cli/main.py": 3,
        },
        tests=("test_borders_of_proofs", "test_borders_of_radii", "test_borders_of_sets", "test_show_claims"),
    ),
    "defined": Word(
        names=r"defined",
        written={"en": r"\b(un)?defined\b", "de": r"\b(un)?definiert\w*"},
        set_in=frozenset(
            {
                "Change.undefined",
                "Change.undefined_count",
                "Check.defined",
                "Check.undefined",
                "Reasons.undefined",
                "Uncertainty.undefined",
            }
        ),
        phrases=frozenset(
            {
                "account.kinks.many",
                "account.kinks.one",
                "across.kink",
                "check.defined.many",
                "check.defined.one",
                "check.strengths.defined",
                "check.strengths.undefined",
                "check.undefined",
                "graph.legend.undefined",
                "history.refused",
                "kinks.short",
                "kinks.short.edges",
                "live.undefined",
                "number.undefined",
                "promises.kinks",
                "sure.undefined",
            }
        ),
        strings={
            "show/descriptions.py": 2,
            "show/html/interactive.py": 2,
            "show/legend.py": 1,
            "show/mpl/uncertainty.py": 1,
            "show/numbers.py": 1,
            "show/reason_texts.py": 1,
            "show/uncertainty_texts.py": 1,
            "questions/question.py": 1,
            "cli/commands/check.py": 3,
            "cli/main.py": 2,
            "cli/options.py": 1,
            "cli/output.py": 1,
            "web/agents.py": 1,
            "web/answers.py": 1,
            "web/openapi.py": 1,
            "web/page.py": 2,
            "web/static/open.js": 1,
        },
        tests=("test_borders_of_ties",),
    ),
    "tied": Word(
        names=r"^tied?$|^ties$",
        written={"en": r"\b([Tt]ied?|ties|level)\b", "de": r"\b(gleichauf|Gleichstand|gleich)\b"},
        set_in=frozenset(
            {
                "Ranking.tied",
                "Uncertainty.tie",
            }
        ),
        phrases=frozenset(
            {
                "change.becomes.level",
                "change.stays.level",
                "flip.best.tie",
                "flip.level",
                "rated.tied",
                "reasons.level.always",
                "reasons.level.broken",
                "reasons.level.many",
                "reasons.level.one",
                "robustness.found",
                "robustness.question",
                "robustness.then",
                "robustness.then.found",
                "robustness.tie",
                "semantics.all.level",
                "semantics.level",
                "sure.tied",
                "tie",
                "tied",
                "whatif.is.level",
                "whatif.was.level",
            }
        ),
        strings={
            "show/bar_rows.py": 1,
            "show/change_texts.py": 1,
            "show/descriptions.py": 3,
            "show/html/batch.py": 1,
            "show/html/interactive.py": 1,
            "show/mpl/semantics.py": 1,
            "show/mpl/topics.py": 2,
            "show/mpl/uncertainty.py": 1,
            "show/phrasing.py": 1,
            "show/reason_texts.py": 2,
            "show/robustness_texts.py": 2,
            "show/semantics_texts.py": 1,
            "show/uncertainty_texts.py": 1,
            "cli/commands/reach.py": 1,
            "web/schemas.py": 1,
            "web/static/pairs.js": 1,
            "web/static/question.js": 1,
            "web/static/safety.js": 1,
        },
        tests=("test_borders_of_ties",),
    ),
    "decisive": Word(
        names=r"decisive|^agree$|undecided",
        written={"en": r"\b(decisive|decides?|disagree)\b", "de": r"\b(entscheide\w*|Am meisten unterscheidet)\b"},
        set_in=frozenset(
            {
                "NotApplicable.undecided",
                "SemanticsComparison.agree",
                "SemanticsComparison.decisive",
                "Tried.undecided",
            }
        ),
        phrases=frozenset(
            {
                "reasons.question",
                "robustness.tie",
                "semantics.decisive",
            }
        ),
        strings={
            "show/semantics_texts.py": 1,
            "web/answers.py": 1,
        },
        tests=("test_borders_of_ties", "test_axioms"),
    ),
    "sure": Word(
        names=r"^sure$",
        written={"en": r"\b(sure|doubt)\b", "de": r"\b([Ss]icher|Zweifels?)\b"},
        set_in=frozenset(
            {
                "Attribution.sure",
                "Contrast.sure",
            }
        ),
        phrases=frozenset(
            {
                "robustness.heading",
                "sure.doubt",
                "sure.doubt.all",
                "sure.heading",
                "sure.question",
                "sure.table",
            }
        ),
        strings={
            "show/figures.py": 2,
            "show/html/report.py": 2,
            "show/presentation.py": 1,
            "show/uncertainty_texts.py": 21,
            "cli/commands/uncertainty.py": 2,
            "cli/main.py": 1,
            "web/answers.py": 1,
            "web/static/safety.js": 1,
            "web/static/sure.js": 1,
        },
        tests=("test_borders_of_ties", "test_edge_methods"),
    ),
}
