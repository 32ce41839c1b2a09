"""A page of a study: for every number the paper's, ours and the difference; as Markdown and as JSON.

The paper's number is kept as it is printed, so that its last digit says how far apart the two may be.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..extras import require
from ..results.base import Result, Schema
from ..results.serialize import to_plain

ROUNDING = 1e-12  # of a fraction, computed in floating point


@dataclass(frozen=True)
class Number:
    """A number of the paper beside ours; `paper` is "" where the paper prints none."""

    what: str
    paper: str
    ours: float
    place: str = ""
    note: str = ""

    @property
    def difference(self) -> float | None:
        return self.ours - float(Fraction(self.paper)) if self.paper else None

    @property
    def allowed(self) -> float:
        """Half a unit of the last printed digit; rounding alone for a fraction."""
        if "/" in self.paper or "." not in self.paper:
            return ROUNDING
        return 0.5 * 10.0 ** -len(self.paper.split(".")[1]) * (1 + 1e-9)

    @property
    def agrees(self) -> bool:
        return self.difference is None or abs(self.difference) <= self.allowed

    @property
    def explanation(self) -> str:
        """Where the difference comes from."""
        if self.note or self.difference is None:
            return self.note or "not printed in the paper"
        if abs(self.difference) <= ROUNDING:
            return "none"
        return "the paper's rounding" if self.agrees else "UNEXPLAINED"

    def to_dict(self) -> dict[str, Any]:
        """Give the number as plain data."""
        return {
            "what": self.what,
            "place": self.place,
            "paper": self.paper or None,
            "ours": self.ours,
            "difference": self.difference,
            "agrees": self.agrees,
            "explanation": self.explanation,
        }


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and whether our numbers bear it out."""

    what: str
    holds: bool
    ours: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the sentence as plain data."""
        return {"claim": self.what, "holds": self.holds, "ours": self.ours}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StudyResult(
    Result,
    schema=Schema(
        "qontrast/study/1",
        {
            "title": "of the study",
            "numbers": "for every number of the paper its value, ours and the difference",
        },
        optional={
            "statements": "what the paper says, whether it holds, and what we found",
            "tables": "title → rows of further numbers of ours",
        },
        source="the page of one study, as `reproduce` writes it",
    ),
):
    """The findings of a study; a study may add fields of its own to those of the schema.

    Attributes
    ----------
    qbaf, semantics, method
        None: a study is about several.
    """

    qbaf: None = None
    semantics: None = None
    method: None = None

    def __str__(self) -> str:
        return self.markdown()

    @abstractmethod
    def markdown(self, figures: Sequence[tuple[str, str]] = ()) -> str:
        """Write the page as Markdown; figures are (file, caption)."""

    def write(self, name: str, folder: Path, figures: Sequence[tuple[str, str]] = ()) -> list[Path]:
        """Write `name.md` and `name.json`.

        Parameters
        ----------
        name : str
            The name of the study.
        folder : Path
            Where to write.
        figures : sequence of (str, str)
            File and caption of each figure.

        Returns
        -------
        list of Path
            The two files.
        """
        text, data = folder / f"{name}.md", folder / f"{name}.json"
        text.write_text(self.markdown(figures), encoding="utf-8")
        data.write_text(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return [text, data]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Page(StudyResult):
    """The findings of a study.

    Attributes
    ----------
    title, introduction : str
        What the study is about.
    numbers, claims : sequence
        Numbers and sentences of the paper beside ours.
    tables : sequence of (title, head, rows)
        Further numbers of ours.
    notes : sequence of str
        Paragraphs at the end.
    data : dict
        What the JSON file holds besides.
    """

    title: str
    introduction: str
    numbers: Sequence[Number] = ()
    claims: Sequence[Claim] = ()
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[object]]]] = ()
    notes: Sequence[str] = ()
    data: dict[str, Any] = field(default_factory=dict)

    def markdown(self, figures: Sequence[tuple[str, str]] = ()) -> str:
        """Write the page as Markdown.

        Parameters
        ----------
        figures : sequence of (str, str)
            File and caption of each figure.

        Returns
        -------
        str
        """
        parts = [f"# {self.title}", self.introduction]
        if self.numbers:
            off = sum(not each.agrees for each in self.numbers)
            printed = sum(bool(each.paper) for each in self.numbers)
            verdict = "all agree to every printed digit" if not off else f"{off} do not agree"
            rows = (
                (n.what, n.place, n.paper or "—", f"{n.ours:.8g}", _difference(n), n.explanation) for n in self.numbers
            )
            head = ("number", "place", "paper", "ours", "difference", "explanation")
            parts += [f"## Numbers\n\n{printed} numbers printed in the paper; {verdict}.", grid(head, rows)]
        if self.claims:
            statements = ((c.what, "yes" if c.holds else "NO", c.ours) for c in self.claims)
            parts += ["## Statements", grid(("the paper says", "holds", "ours"), statements)]
        parts += [f"## {title}\n\n{grid(head, rows)}" for title, head, rows in self.tables]
        parts += [f"![{caption}]({file})" for file, caption in figures]
        parts += self.notes
        return "\n\n".join(parts) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/study/1`."""
        data = {
            "schema": self.schema.name,
            "title": self.title,
            "numbers": [each.to_dict() for each in self.numbers],
            "statements": [each.to_dict() for each in self.claims],
            "tables": {title: [dict(zip(head, row, strict=True)) for row in rows] for title, head, rows in self.tables},
            **self.data,
        }
        return to_plain(data)

    def to_frame(self) -> Any:
        """A pandas row for each number: the paper's, ours, the difference."""
        pandas = require("pandas", "to_frame")
        return pandas.DataFrame([each.to_dict() for each in self.numbers])


def grid(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; floats with six digits.

    >>> print(grid(("x", "y"), [("a", 0.5)]))
    | x | y |
    |---|---|
    | a | 0.5 |
    """
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += ["| " + " | ".join(f"{c:.6g}" if isinstance(c, float) else str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def _difference(number: Number) -> str:
    if number.difference is None:
        return "—"
    return "0" if abs(number.difference) <= ROUNDING else f"{number.difference:+.1e}"
