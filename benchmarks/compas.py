"""Check the bias experiment on ProPublica's own file, which is not part of the repository.

    python -m benchmarks.compas PATH/compas-scores-two-years.csv

It checks the file's checksum, what the published filter keeps, that three seeds give what forty and sixty gave
before, and that no name, date of birth or case number of a person gets into a result.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from qontrast.studies.compas import FEATURES, RACE, Setting, find, read
from qontrast.studies.compas.data import SHA256
from qontrast.studies.compas.experiment import experiment
from qontrast.studies.compas.result import Compas

PERSONAL = ("name", "first", "last", "dob", "c_case_number")
SHORTEST = 6  # a shorter name is part of other words


def checks(path: Path) -> Iterator[tuple[str, bool]]:
    """What should hold of the file and of the experiment on it, and whether it does."""
    yield "the checksum is the published one", hashlib.sha256(find(path).read_bytes()).hexdigest() == SHA256
    table = read(path)
    black = int((table.features[:, RACE] == 1).sum())
    yield "the filter keeps 5,278 rows: 3,175 and 2,103", (len(table), black, len(table) - black) == (5278, 3175, 2103)
    yield "the most priors are 38", table.features[:, FEATURES.index("priors")].max() == 38
    with TemporaryDirectory() as folder:
        seeds = experiment(table, range(3), Path(folder), (Setting("planted 0.7", 0.7),))
        found = Compas(seeds=seeds, source=table.source, rows=len(table))
        kept = "".join(each.read_text(encoding="utf-8") for each in Path(folder).rglob("*.json"))
    for each in found.checks():
        yield each.what, each.holds
    text = found.markdown() + json.dumps(found.to_dict()) + kept
    with path.open(newline="", encoding="utf-8") as file:
        personal = {row[column] for row in csv.DictReader(file) for column in PERSONAL}
    yield "nothing personal is in a result", not any(len(each) >= SHORTEST and each in text for each in personal)


def main() -> int:
    results = list(checks(Path(sys.argv[1])))
    for what, holds in results:
        print(f"{what}  {'ok' if holds else 'FAILED'}")
    return 0 if all(holds for _, holds in results) else 1


if __name__ == "__main__":
    sys.exit(main())
