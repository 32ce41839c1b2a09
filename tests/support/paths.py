"""Where the repository and the files of its tests are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests" / "numbers" / "peers.json"  # results of other implementations
