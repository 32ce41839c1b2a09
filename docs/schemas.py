"""Write docs/json.md from the table of schemas: `python docs/schemas.py`."""

from pathlib import Path

from qontrast import axioms, studies  # noqa: F401 -- whose results name their schemas
from qontrast.results.schemas import write_page

if __name__ == "__main__":
    (Path(__file__).parent / "json.md").write_text(write_page(), encoding="utf-8")
