"""Draw the figures of the page: seconds against size for every case, and the error of estimates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .cases import CASES, LIMIT
from .run import Row
from .tables import OURS, PEERS, select

COLOURS = dict(
    zip(
        (OURS, *PEERS, LIMIT),
        ("#1d4ed8", "#0f172a", "#ea580c", "#2b8a3e", "#c92a2a", "#7c3aed", "#b45309", "#0891b2", "#94a3b8"),
        strict=True,
    )
)
MARKERS = dict(zip(COLOURS, "os^vD<>P.", strict=True))
PAGES = {
    "bench-graphs": ("strengths", "cyclic", "gradient", "removal"),
    "bench-games": ("shapley", "pairs", "lanes", "batch", "audit"),
}


def draw(data: dict[str, Any], folder: Path) -> None:
    """Write the figures as SVG."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "bench", "svg.fonttype": "none", "font.size": 9})
    for name, cases in PAGES.items():
        save(draw_cases(data["rows"], cases), folder / name)
    save(draw_errors(data["rows"]), folder / "bench-sampled")


def save(figure: Any, path: Path) -> None:
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None, "Creator": None})


def draw_cases(rows: list[Row], cases: tuple[str, ...]) -> Any:
    from matplotlib.figure import Figure

    columns = 2
    lines = -(-len(cases) // columns)
    figure = Figure(figsize=(9, 3.2 * lines + 0.6), layout="constrained")
    places = list(figure.subplots(lines, columns, squeeze=False).flat)
    for ax, case in zip(places, cases, strict=False):
        draw_lines(ax, select(rows, case=case), "size", "seconds")
        ax.set(title=case, xlabel=CASES[case].unit, ylabel="seconds")
        if CASES[case].exponential:
            ax.set_xscale("linear")
            ax.set_xticks(CASES[case].sizes)
    for ax in places[len(cases) :]:
        ax.axis("off")
    add_legend(figure)
    return figure


def draw_errors(rows: list[Row]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    for ax, x in zip(figure.subplots(1, 2), ("evaluations", "seconds"), strict=True):
        draw_lines(ax, select(rows, case="sampled"), x, "error")
        ax.set(xlabel=x, ylabel="error")
    add_legend(figure)
    return figure


def draw_lines(ax: Any, rows: list[Row], x: str, y: str) -> None:
    for tool, colour in COLOURS.items():
        found = [(row[x], row[y]) for row in select(rows, tool=tool) if row.get(y)]
        if found:
            style = {"linewidth": 2.2 if tool == OURS else 1.2, "linestyle": ":" if tool == LIMIT else "-"}
            ax.plot(*zip(*found, strict=True), color=colour, marker=MARKERS[tool], markersize=4, label=tool, **style)
    ax.set(xscale="log", yscale="log")
    ax.minorticks_off()
    ax.grid(color="#e2e8f0", linewidth=0.6)


def add_legend(figure: Any) -> None:
    handles = {
        label: handle for ax in figure.axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    known = [tool for tool in COLOURS if tool in handles]
    figure.legend([handles[tool] for tool in known], known, loc="outside lower center", ncols=5, frameon=False)
