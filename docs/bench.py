"""Write docs/bench.md and its figures from the numbers of a run: `make bench`, then `python docs/bench.py`.

Without an argument the numbers are those of out/bench.json; they are kept in docs/bench.json.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.compare import figures, page  # noqa: E402 -- found only now

if __name__ == "__main__":
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "out" / "bench.json"
    data = json.loads(source.read_text(encoding="utf-8"))
    if not data["finished"]:
        sys.exit(f"{source}: the run was not finished; run `make bench` again")
    for row in data["rows"]:
        row.pop("values", None)  # they were compared when they were measured
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (HERE / "bench.json").write_text(text, encoding="utf-8")
    (HERE / "bench.md").write_text(page.write_page(data), encoding="utf-8")
    figures.draw(data, HERE)
