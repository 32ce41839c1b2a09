"""The paper's bias experiment (section "CAFs for Bias Detection") over many seeds.

ProPublica's COMPAS file, a planted bias, an 8–16–3 network; how prominent race is in the explanation of Medium, and
of Medium rather than Low. Two minutes or so for forty seeds in five settings; a run that was interrupted goes on
where it was.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import InvalidInput
from ...settings import check_integer, check_progress
from ...types import Progress
from .data import CLASSES, FEATURES, RACE, SHA256, Table, cache_folder, find, read, synthetic
from .experiment import SETTINGS, Outcome, Setting, experiment, split
from .result import Check, Compas
from .train import Recipe, train

__all__ = [
    "CLASSES",
    "FEATURES",
    "RACE",
    "SETTINGS",
    "SHA256",
    "Check",
    "Compas",
    "Outcome",
    "Recipe",
    "Setting",
    "Table",
    "find",
    "read",
    "run",
    "split",
    "synthetic",
    "train",
]
SYNTHETIC = "synthetic"


def run(
    data: str | Path | None = None,
    seeds: int = 40,
    out: str | Path | None = None,
    progress: Progress | None = None,
    *,
    cache: str | Path | None = None,
    download: bool = True,
    recipe: Recipe | None = None,
    write: bool = True,
) -> Compas:
    """The whole study: `data` is ProPublica's file (found or downloaded if left out), or "synthetic".

    Finished seeds are kept in `out`, else in the cache. With `out`, the page, its figures and its data are written
    there, unless `write` is False. `progress` is told hundredths of seeds.
    """
    check_integer(seeds, "seeds", 1)
    made = data == SYNTHETIC
    table = synthetic() if made else read(find(data, cache=cache, download=download))
    if not made and data is not None and len(table) != 5278:
        raise InvalidInput(
            f"the published filter keeps {len(table):,} rows of {data}, not 5,278: is it the whole file?"
        )
    report = check_progress(progress)
    found = experiment(
        table,
        range(seeds),
        Path(out or cache or cache_folder()) / "compas-seeds",
        recipe=recipe,
        report=None if report is None else lambda done: report(round(100 * done), 100 * seeds),
    )
    result = Compas(seeds=found, source=table.source, rows=len(table), real=not made)
    if out is not None and write:
        result.write("compas", Path(out))
    return result
