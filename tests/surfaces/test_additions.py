"""An item that is added to one table is met in Python, in sentences, on the command line, in the explorer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.additions import ADDITIONS
from tests.support.paths import ROOT


@pytest.mark.parametrize("kind", ADDITIONS)
def test_a_new_row_of_a_table_is_met_wherever_users_meet_the_others(kind: str, tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.additions", kind],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) >= 1
    assert [place for place, met in found.items() if not met] == []
