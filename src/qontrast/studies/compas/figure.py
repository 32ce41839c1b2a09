"""The paper's figure: contributions to Medium alone, beside those to Medium rather than Low, as bars."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROTECTED, OTHER = "#d97700", "#4477aa"


def draw(shown: Mapping[str, Any], folder: Path) -> list[tuple[str, str]]:
    """`compas.png` in the folder; nothing where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return []
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    axes = figure.subplots(1, 2)
    bars(shown["individual"], "(a) Medium alone", axes[0])
    bars(shown["contrastive"], "(b) Medium rather than Low", axes[1])
    figure.savefig(folder / "compas.png", dpi=150)
    return [("compas.png", "Contributions by gradient, individual and contrastive, of one instance that flips")]


def bars(contributions: Mapping[str, float], title: str, ax: Any) -> Any:
    """Features by |contribution|, the largest on top; race stands out. Returns `ax`."""
    ordered = sorted(contributions.items(), key=lambda item: abs(item[1]))
    names, values = [name for name, _ in ordered], [value for _, value in ordered]
    found = ax.barh(names, values, color=[PROTECTED if name == "race" else OTHER for name in names])
    ax.bar_label(found, [f"{value:+.4f}" for value in values], padding=3)
    ax.axvline(0, color="0.3", linewidth=0.8)
    ax.margins(x=0.25)
    ax.set(title=title, xlabel="slope in the feature's base score")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
