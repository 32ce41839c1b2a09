"""A page of a study: for every number the paper's, ours and the difference; as Markdown and as JSON.

The paper's number is kept as it is printed, so that its last digit says how far apart the two may be.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import count
from ..extras import require
from ..results.base import Result, Schema, to_plain
from ..show.numbers import markdown_table, number, significant

ROUNDING = 1e-12  # of a fraction, computed in floating point

Figures = Sequence[tuple[str, str]]  # file and caption of each


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

    def list_cells(self) -> tuple[str, ...]:
        """Write the number as a row of a table: what, place, paper, ours, difference, explanation."""
        paper, off = self.paper.replace("-", "−") or "—", "—"
        if self.difference is not None:
            off = "0" if abs(self.difference) <= ROUNDING else number(self.difference, "+")
        return self.what, self.place, paper, significant(self.ours, 8), off, self.explanation

    def to_dict(self) -> dict[str, Any]:
        """Give the number as plain data."""
        fields = ("what", "place", "paper", "ours", "difference", "agrees", "explanation")
        return {name: getattr(self, name) for name in fields} | {"paper": self.paper or None}


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
    def markdown(self, figures: Figures = ()) -> str:
        """Write the page as Markdown; figures are (file, caption)."""

    def draw(self, folder: Path) -> Figures:
        """Draw the figures into a folder, where matplotlib is installed; return file and caption of each."""
        return ()

    def write(self, name: str, folder: Path, figures: Figures | None = None) -> list[Path]:
        """Write `name.md` and `name.json`, and draw the figures.

        Parameters
        ----------
        name : str
            The name of the study.
        folder : Path
            Where to write.
        figures : sequence of (str, str), optional
            File and caption of figures that are there already, in place of the study's own.

        Returns
        -------
        list of Path
            The files written.
        """
        text, data = folder / f"{name}.md", folder / f"{name}.json"
        drawn = self.draw(folder) if figures is None else ()
        text.write_text(self.markdown(drawn if figures is None else figures), encoding="utf-8")
        data.write_text(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return [text, data, *(folder / file for file, _ in drawn)]


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
    draw_figures : callable, optional
        folder → file and caption of each figure that it drew there.
    """

    title: str
    introduction: str
    numbers: Sequence[Number] = ()
    claims: Sequence[Claim] = ()
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[object]]]] = ()
    notes: Sequence[str] = ()
    data: dict[str, Any] = field(default_factory=dict)
    draw_figures: Callable[[Path], Figures] | None = None

    def draw(self, folder: Path) -> Figures:
        """Draw the figures, where matplotlib is installed.

        Parameters
        ----------
        folder : Path
            Where to write them.

        Returns
        -------
        sequence of (str, str)
            File and caption of each.
        """
        return self.draw_figures(folder) if self.draw_figures else ()

    def markdown(self, figures: Figures = ()) -> str:
        """Write the page as Markdown.

        Parameters
        ----------
        figures : sequence of (str, str)
            File and caption of each figure.

        Returns
        -------
        str
        """
        parts = [self.introduction]
        if self.numbers:
            off = sum(not each.agrees for each in self.numbers)
            printed = sum(bool(each.paper) for each in self.numbers)
            verdict = "all agree to every printed digit" if not off else f"{off} do not agree"
            head = ("number", "place", "paper", "ours", "difference", "explanation")
            table = markdown_table(head, [each.list_cells() for each in self.numbers])
            parts.append(f"## Numbers\n\n{count(printed, 'number')} printed in the paper; {verdict}.\n\n{table}")
        if self.claims:
            statements = [(each.what, each.holds, each.ours) for each in self.claims]
            parts += ["## Statements", markdown_table(("the paper says", "holds", "ours"), statements)]
        parts += [f"## {title}\n\n{markdown_table(head, rows)}" for title, head, rows in self.tables]
        return join_page(self.title, *parts, *show_figures(figures), *self.notes)

    @property
    def statements(self) -> list[dict[str, Any]]:
        """For each sentence of the paper the `claim`, whether it `holds`, and what we found (`ours`)."""
        return [each.to_dict() for each in self.claims]

    def _computed_fields(self) -> dict[str, Any]:
        return {
            "numbers": [each.to_dict() for each in self.numbers],
            "tables": {title: [dict(zip(head, row, strict=True)) for row in rows] for title, head, rows in self.tables},
        }

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/study/1`."""
        return super().to_dict() | to_plain(self.data)

    def to_frame(self) -> Any:
        """A pandas row for each number: the paper's, ours, the difference."""
        return require("pandas", "to_frame").DataFrame([each.to_dict() for each in self.numbers])


def join_page(title: str, *parts: str) -> str:
    """Put a heading and its paragraphs together."""
    return "\n\n".join([f"# {title}", *parts]) + "\n"


def show_figures(figures: Figures) -> list[str]:
    """Write the figures as Markdown."""
    return [f"![{caption}]({file})" for file, caption in figures]
