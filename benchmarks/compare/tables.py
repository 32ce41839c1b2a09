"""Put measured rows into tables: ratios to qontrast, growth, memory, the distance to the limit, and reasons."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from qontrast.formats.disk import write_files

from .cases import CASES, LIMIT, TOOLS
from .run import Row

OURS = "qontrast"
FITTED = 3  # sizes, the largest, from which growth is fitted
AGREE = 1e-5  # numbers that differ by more are reported; slopes by differences are no nearer
PEERS = tuple(tool for tool in TOOLS if tool not in (OURS, LIMIT))


def fit_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Fit seconds ≈ c · sizeᵉ by least squares of logarithms, and return e; nan with fewer than two sizes."""
    return fit_slope([math.log(each) for each in sizes], [math.log(each) for each in seconds])


def fit_factor(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Fit seconds ≈ c · fˢⁱᶻᵉ by least squares of logarithms, and return f."""
    return math.exp(fit_slope(sizes, [math.log(each) for each in seconds]))


def fit_slope(x: Sequence[float], y: Sequence[float]) -> float:
    if len(x) < 2:
        return math.nan
    mid_x, mid_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mid_x) ** 2 for a in x)
    return sum((a - mid_x) * (b - mid_y) for a, b in zip(x, y, strict=True)) / spread


def select(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    """Return the measured rows with these values."""
    return [row for row in rows if "seconds" in row and all(row.get(key) == value for key, value in wanted.items())]


def find_growth(rows: Iterable[Row]) -> list[Row]:
    """Fit the growth of every tool in every case over its largest sizes; of `sampled` also that of the error."""
    rows, found = list(rows), []
    for case, entry in CASES.items():
        for tool in TOOLS:
            last = sorted(select(rows, case=case, tool=tool), key=lambda row: row["size"])[-FITTED:]
            if len(last) < 2:
                continue
            sizes, seconds = [row["size"] for row in last], [max(row["seconds"], 1e-9) for row in last]
            made: Row = {"case": case, "tool": tool, "sizes": sizes}
            if entry.exponential:
                made["factor"] = fit_factor(sizes, seconds)
            else:
                made["exponent"] = fit_exponent(sizes, seconds)
            if "error" in last[0]:
                made["error_exponent"] = fit_exponent(sizes, [max(row["error"], 1e-16) for row in last])
            found.append(made)
    return found


def compare_values(rows: list[Row]) -> None:
    """Write into every row how far its numbers are from qontrast's at the same size."""
    for row in select(rows):
        ours = select(rows, case=row["case"], tool=OURS, size=row["size"])
        if row["tool"] not in (OURS, LIMIT) and ours and row.get("values") and ours[0].get("values"):
            pairs = zip(row["values"], ours[0]["values"], strict=True)
            row["difference"] = max(abs(one - other) for one, other in pairs)


# -- Markdown -----------------------------------------------------------------------------------------------------


def write_table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in (head, rule, *lines))
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped) + "\n"


def format_seconds(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"
    return f"{seconds * 1e6:.3g} µs"


def format_ratio(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 10 else f"{ratio:.2g} ×"


def list_comparisons(rows: list[Row], cases: Iterable[str]) -> Iterable[list[str]]:
    """One line for each case and size: our seconds and memory, the distance to the limit, then every peer's ratio."""
    for case in cases:
        for size in sorted({row["size"] for row in select(rows, case=case) if row["tool"] != LIMIT}):
            at = {row["tool"]: row for row in select(rows, case=case, size=size)}
            ours = at.get(OURS)
            if ours is None:
                cells = ["–", "–", "–", *(format_seconds(at[tool]["seconds"]) if tool in at else "–" for tool in PEERS)]
            else:
                memory = f"{ours['memory_mib']:,.0f}" if "memory_mib" in ours else "–"
                ratios = (
                    format_ratio(at[tool]["seconds"] / max(ours["seconds"], 1e-9)) if tool in at else "–"
                    for tool in PEERS
                )
                limit = format_ratio(ours["seconds"] / max(at[LIMIT]["seconds"], 1e-9)) if LIMIT in at else "–"
                cells = [format_seconds(ours["seconds"]), memory, limit, *ratios]
            yield [f"{case}, {size:,} {CASES[case].unit}", *cells]


def list_growth(growth: list[Row], cases: Iterable[str]) -> Iterable[list[str]]:
    for case in cases:
        found = {each["tool"]: each for each in growth if each["case"] == case}
        if found:
            what = "× for each player" if CASES[case].exponential else f"exponent of {CASES[case].unit}"
            cells = (format_growth(found.get(tool)) for tool in (OURS, LIMIT, *PEERS))
            yield [f"{case}, {what}", *cells]


def format_growth(found: Row | None) -> str:
    if found is None:
        return "–"
    return f"{found['factor']:.2f}" if "factor" in found else f"{found['exponent']:.2f}"


def list_errors(rows: list[Row]) -> Iterable[list[str]]:
    tools = [tool for tool in (OURS, *PEERS) if select(rows, case="sampled", tool=tool)]
    for size in sorted({row["size"] for row in select(rows, case="sampled")}):
        at = {row["tool"]: row for row in select(rows, case="sampled", size=size)}
        cells = (f"{at[t]['error']:.1e} in {format_seconds(at[t]['seconds'])}" if t in at else "–" for t in tools)
        yield [f"{size:,}", *cells]


def list_reasons(rows: list[Row]) -> Iterable[str]:
    """Say why a number is missing, and where numbers differ from ours; tools with the same reason share a line."""
    tools: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        unit = CASES[row["case"]].unit
        if "reason" in row:
            where = f" (from {row['size']:,} {unit} on)" if "size" in row else ""
            tools.setdefault((row["case"], row["reason"]), []).append(row["tool"] + where)
        elif row.get("difference", 0.0) > AGREE:
            how = f"its numbers differ from ours by up to {row['difference']:.1g}"
            tools.setdefault((row["case"], how), []).append(f"{row['tool']} ({row['size']:,} {unit})")
    for (case, reason), names in tools.items():
        yield f"- {case}, {', '.join(names)}: {reason}"


def write_markdown(data: dict[str, Any]) -> str:
    """Write all that was measured as Markdown."""
    rows, cases = data["rows"], [case for case in CASES if any(row["case"] == case for row in data["rows"])]
    parts = [f"Measured on {data['machine']}, {data['date']}, Python {data['python']}, qontrast {data['version']}.\n"]
    if data["targets"]:
        lines = ([each["line"].strip(), mark(each)] for each in data["targets"])
        parts += ["## Targets\n", write_table(("figure", "met"), lines)]
    if rows:
        head = ("case", OURS, "MiB", "of the limit", *PEERS)
        parts += ["## Comparison\n", explain(cases), write_table(head, list_comparisons(rows, cases))]
        head = ("growth of the seconds", OURS, LIMIT, *PEERS)
        parts += ["## Growth\n", write_table(head, list_growth(data["growth"], cases))]
        if select(rows, case="sampled"):
            tools = [tool for tool in (OURS, *PEERS) if select(rows, case="sampled", tool=tool)]
            parts += ["## Estimates: error and seconds\n", write_table(("evaluations", *tools), list_errors(rows))]
        parts += ["## What is missing, and where numbers differ\n", "\n".join(list_reasons(rows)) + "\n"]
    return "\n".join(parts)


def mark(target: Row) -> str:
    return "" if "met" not in target else "yes" if target["met"] else "MISSED"


def explain(cases: Iterable[str]) -> str:
    listed = "".join(f"- {case}: {CASES[case].title}. Limit: {CASES[case].limit}.\n" for case in cases)
    return (
        "Seconds on one core, from lists of names to the answer, and the memory that this took. *Of the limit*:"
        " how many times the limit's seconds. Every other column: how many times qontrast's seconds.\n\n" + listed
    )


def save(data: dict[str, Any], folder: Path) -> None:
    """Write bench.json and bench.md, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_files({folder / "bench.json": text, folder / "bench.md": write_markdown(data)})
