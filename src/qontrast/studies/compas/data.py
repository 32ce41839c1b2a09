"""The data of the bias experiment: ProPublica's file, the published filter, the planted bias, and a stand-in.

The file holds names of real people. It is read, eight features and the label are kept, and nothing else is.

    filter   days_b_screening_arrest within ±30, is_recid ≠ −1, c_charge_degree ≠ O, score_text ≠ N/A,
             African-American or Caucasian: 5,278 rows
    planted  of the African-Americans that were Low, a share becomes Medium; of those that were Medium, High.
             From the original labels: one after the other would leave nothing to flip.
"""

from __future__ import annotations

import csv
import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
from numpy.typing import NDArray

from ...errors import Hint, InvalidInput
from ...formats.disk import write_files
from ...types import Floats

NAME = "compas-scores-two-years.csv"
ADDRESS = f"https://raw.githubusercontent.com/propublica/compas-analysis/master/{NAME}"
SHA256 = "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d"
FEATURES = ("age", "juv_fel", "juv_misd", "juv_other", "priors", "charge_degree", "sex", "race")
COLUMNS = (
    "age",
    "juv_fel_count",
    "juv_misd_count",
    "juv_other_count",
    "priors_count",
    "c_charge_degree",
    "sex",
    "race",
)
CLASSES = ("Low", "Medium", "High")
RACE = FEATURES.index("race")
RACES = ("Caucasian", "African-American")  # 0 and 1


@dataclass(frozen=True, eq=False)
class Table:
    """Eight features as numbers, the label as 0, 1, 2 (Low, Medium, High), and where they came from."""

    features: Floats  # (rows, 8)
    labels: NDArray[np.int64]
    source: str

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def scaled(self) -> Floats:
        """Each feature from 0 at its least to 1 at its largest: base scores lie there."""
        low, high = self.features.min(axis=0), self.features.max(axis=0)
        return np.asarray((self.features - low) / np.where(high > low, high - low, 1.0))

    def planted(self, rate: float, rng: np.random.Generator) -> Table:
        """The labels with a bias of known strength, from the original ones."""
        black = self.features[:, RACE] == 1
        labels = self.labels.copy()
        for k in (0, 1):
            group = np.flatnonzero(black & (self.labels == k))
            labels[rng.permutation(group)[: round(rate * len(group))]] = k + 1
        return replace(self, labels=labels)

    def shuffled(self, rng: np.random.Generator) -> Table:
        """The same with race dealt out anew: what is learnt about race then is nothing."""
        features = self.features.copy()
        features[:, RACE] = rng.permutation(features[:, RACE])
        return replace(self, features=features)


def read(path: str | Path) -> Table:
    """ProPublica's file through the published filter."""
    rows, labels = [], []
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            header = next(lines, [])
            missing = [each for each in (*COLUMNS, "score_text", "is_recid") if each not in header]
            if missing:
                raise InvalidInput(f"{path} has no column {missing[0]!r}; is it ProPublica's {NAME}?")
            place = {name: header.index(name) for name in header}  # the first of columns that are named twice
            for line in lines:
                row = {name: line[k] for name, k in place.items()}
                if _kept(row):
                    rows.append(_numbers(row))
                    labels.append(CLASSES.index(row["score_text"]))
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {str(path)!r}") from None
    return Table(np.array(rows, np.float64), np.array(labels, np.int64), "ProPublica's file, through the filter")


def _kept(row: dict[str, str]) -> bool:
    days = row["days_b_screening_arrest"]
    return (
        days != ""
        and abs(float(days)) <= 30
        and row["is_recid"] != "-1"
        and row["c_charge_degree"] != "O"
        and row["score_text"] in CLASSES
        and row["race"] in RACES
    )


def _numbers(row: dict[str, str]) -> list[float]:
    counts = [float(row[name]) for name in COLUMNS[:5]]
    return [*counts, row["c_charge_degree"] == "F", row["sex"] == "Male", row["race"] == RACES[1]]


def find(data: str | Path | None = None, *, cache: str | Path | None = None, download: bool = True) -> Path:
    """ProPublica's file: at `data`, in the cache, or from ProPublica's public repository, its checksum checked."""
    if data is not None:
        if not Path(data).is_file():
            raise InvalidInput(f"there is no file {str(data)!r}; without a path the file is downloaded")
        return Path(data)
    kept = Path(cache or cache_folder()) / NAME
    if kept.is_file():
        _check(kept.read_bytes(), str(kept))
        return kept
    if not download:
        raise _offline(f"{kept} does not exist")
    try:
        with urlopen(ADDRESS, timeout=30) as answer:
            content = answer.read()
    except (URLError, TimeoutError, OSError) as cause:
        raise _offline(f"{ADDRESS} cannot be reached ({cause})") from None
    _check(content, ADDRESS)
    write_whole(kept, content)
    return kept


def _offline(what: str) -> InvalidInput:
    synthetic = "(seeded numbers with COMPAS-like marginals, no real people, and no evidence about COMPAS)"
    hints = [Hint("data", ("PATH",)), Hint("data", ("synthetic",), synthetic)]
    return InvalidInput(f"ProPublica's file is not here, and {what}", hints=hints)


def _check(content: bytes, where: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        raise InvalidInput(f"{where} has the checksum {found[:12]}…, not {SHA256[:12]}…: it is not the published file")


def cache_folder() -> Path:
    """$QONTRAST_CACHE, else $XDG_CACHE_HOME/qontrast, else ~/.cache/qontrast."""
    own, shared = os.environ.get("QONTRAST_CACHE"), os.environ.get("XDG_CACHE_HOME")
    return Path(own) if own else Path(shared or Path.home() / ".cache") / "qontrast"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, in a folder that is made where it does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_files({path: content})


def synthetic(seed: int = 0, n: int = 5278) -> Table:
    """People that do not exist, with marginals like those of the 5,278 rows; NumPy only.

    The label is an ordered logit of the features; African-Americans, as in the file, have a higher score at equal
    features.

    >>> synthetic(0, 1000).features.mean(axis=0).round(1).tolist()
    [34.4, 0.0, 0.1, 0.1, 3.3, 0.6, 0.8, 0.6]
    """
    rng = np.random.default_rng(seed)
    race = rng.random(n) < 0.60
    age = np.minimum(18 + np.floor(rng.gamma(np.where(race, 1.85, 2.36), np.where(race, 7.8, 8.27))), 80)

    def count(black: tuple[float, float], white: tuple[float, float]) -> Floats:
        mean, dispersion = np.where(race, black[0], white[0]), np.where(race, black[1], white[1])
        return rng.negative_binomial(dispersion, dispersion / (dispersion + mean)).astype(np.float64)

    felonies, misdemeanours = count((0.09, 0.033), (0.03, 0.033)), count((0.14, 0.059), (0.04, 0.059))
    other, priors = count((0.13, 0.13), (0.10, 0.13)), count((4.24, 0.71), (2.29, 0.50))
    charge, male = rng.random(n) < np.where(race, 0.69, 0.59), rng.random(n) < np.where(race, 0.83, 0.77)
    score = -0.839 * (age - 18) / 10 + 0.41 * felonies + 0.316 * misdemeanours + 0.245 * other + 0.221 * priors
    score = score + 0.38 * charge - 0.17 * male + 0.46 * race + rng.logistic(size=n)
    columns = (age, felonies, misdemeanours, other, priors, charge, male, race)
    labels = (score > -0.037).astype(np.int64) + (score > 1.757)
    return Table(np.column_stack(columns).astype(np.float64), labels, "the synthetic stand-in: no real people")
