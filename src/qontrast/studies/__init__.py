"""The paper's own examples and experiments, each by one call: *paper, ours, difference* for every number.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     sorted(path.name for path in reproduce(["counterexamples"], folder))
['counterexamples.json', 'counterexamples.md']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ..errors import unknown_name
from ..types import Progress
from . import complexity, counterexamples, figures, healthcare, properties, zebra
from .page import Claim, Number, Page

__all__ = ["STUDIES", "Claim", "Number", "Page", "Study", "reproduce"]


@dataclass(frozen=True)
class Study:
    """One row of the table: everything about a study.

    Parameters
    ----------
    title : str
        One line of help.
    run : callable
        progress → the page.
    draw : callable, optional
        folder → file and caption of each figure that it drew there.
    slow : bool
        Whether it takes minutes; such a study runs only where it is asked for.
    """

    title: str
    run: Callable[[Progress | None], Page]
    draw: Callable[[Path], figures.Figures] | None = None
    slow: bool = False


STUDIES: dict[str, Study] = {
    "zebra": Study("Zebra, horse or tiger: the introduction's example", zebra.run, figures.zebra),
    "healthcare": Study("Antiviral rather than antibiotic: the case study", healthcare.run, figures.healthcare),
    "counterexamples": Study("The three counterexamples of the proofs", counterexamples.run),
    "axioms": Study("Which CAF satisfies what, searched for counterexamples; takes minutes", properties.run, slow=True),
    "complexity": Study("CAF calls of Algorithm 1 against the naive way", complexity.run),
}


def reproduce(names: str | Iterable[str], out: str | PathLike[str], progress: Progress | None = None) -> list[Path]:
    """Run studies, and write their pages and figures into a folder.

    Parameters
    ----------
    names : str or iterable of str
        "all", or some of STUDIES.
    out : str or os.PathLike
        The folder; it is made where it does not exist.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    UnknownName
        If there is no such study.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sorted(path.name for path in reproduce(["counterexamples"], folder))
    ['counterexamples.json', 'counterexamples.md']
    """
    selected = list(STUDIES) if names == "all" else [names] if isinstance(names, str) else list(names)
    if "all" in selected:
        selected = list(STUDIES)
    for name in selected:
        if name not in STUDIES:
            raise unknown_name(name, [*STUDIES, "all"], "study")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name in selected:
        study = STUDIES[name]
        page = study.run(progress)
        drawn = study.draw(folder) if study.draw else []
        written += [*page.write(name, folder, drawn), *(folder / file for file, _ in drawn)]
    return written
