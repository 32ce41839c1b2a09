"""The paper's own examples and experiments, each by one call: *paper, ours, difference* for every number.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     sorted(path.name for path in reproduce(["counterexamples"], folder))
['counterexamples.json', 'counterexamples.md']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from ..settings import check_choice
from ..types import Progress
from . import complexity, counterexamples, healthcare, properties, zebra
from .page import Claim, Number, Page, StudyResult

__all__ = ["STUDIES", "Claim", "Number", "Page", "Study", "reproduce"]


@dataclass(frozen=True)
class Study:
    """One row of the table: everything about a study.

    Parameters
    ----------
    title : str
        One line of help.
    run : callable
        progress, and the settings by name → the page.
    slow : bool
        Whether it takes minutes; such a study runs only where it is asked for.
    settings : tuple of str
        What it takes of the settings of `reproduce`: "out", "data", "seeds".
    """

    title: str
    run: Callable[..., StudyResult] = field(repr=False)
    slow: bool = False
    settings: tuple[str, ...] = ()


def _run_compas(progress: Progress | None, **settings: Any) -> StudyResult:
    from .compas import run  # here: what trains networks takes long to import

    return run(progress=progress, write=False, **settings)


STUDIES: dict[str, Study] = {
    "zebra": Study("Zebra, horse or tiger: the introduction's example", zebra.run),
    "healthcare": Study("Antiviral rather than antibiotic: the case study", healthcare.run),
    "counterexamples": Study("The three counterexamples of the proofs", counterexamples.run),
    "axioms": Study("Which CAF satisfies what, searched for counterexamples; takes minutes", properties.run, slow=True),
    "complexity": Study("CAF calls of Algorithm 1 against the naive way", complexity.run),
    "compas": Study(
        "The paper's bias experiment over many seeds; takes minutes",
        _run_compas,
        slow=True,
        settings=("out", "data", "seeds"),
    ),
}


def reproduce(
    names: str | Iterable[str],
    out: str | PathLike[str],
    progress: Progress | None = None,
    *,
    data: str | PathLike[str] | None = None,
    seeds: int = 40,
) -> list[Path]:
    """Run studies, and write their pages and figures into a folder.

    Parameters
    ----------
    names : str or iterable of str
        "all", or some of STUDIES.
    out : str or os.PathLike
        The folder; it is made where it does not exist.
    progress : callable, optional
        Called with (done, total).
    data : str or os.PathLike, optional
        ProPublica's file for the study compas, which downloads it unless given; "synthetic" for made-up data.
    seeds : int
        How many networks compas trains, each from another seed.

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
    selected = [names] if isinstance(names, str) else list(names)
    if "all" in selected:
        selected = list(STUDIES)
    for name in selected:
        check_choice(name, [*STUDIES, "all"], "study")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"out": folder, "data": data, "seeds": seeds}
    written: list[Path] = []
    for name in selected:
        study = STUDIES[name]
        page = study.run(progress, **{key: settings[key] for key in study.settings})
        written += page.write(name, folder)
    return written
