"""The tables of the library as data, for menus and for clients; and the colours as a style sheet."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..attribution.methods import DEFAULT, METHODS
from ..engine.discrete import SOLVERS
from ..examples import EXAMPLES
from ..formats import FORMATS
from ..semantics import DEFAULT as DEFAULT_SEMANTICS
from ..semantics import SEMANTICS
from ..show.figures import FIGURES
from ..show.palette import PALETTES, Palette, find_palette, write_style
from ..show.phrasing import choose
from . import limits

PLAYERS = {  # name → title, explanation
    "arguments": ("arguments", "every argument contributes by itself"),
    "edges": ("attacks and supports", "every attack and support contributes by itself"),
    "direct": ("direct edges", "the edges into the two topics contribute, and all else stays as it is"),
    "groups": ("groups", "groups of arguments contribute, each as one player; all others by themselves"),
}
SOLVER_TEXTS = {  # name → title, explanation
    "discrete": ("step by step", "all strengths are computed again and again from the last ones, until they stay"),
    "continuous": ("continuously", "strengths move slowly; this settles in some cycles where steps go on for ever"),
}


def list_tables() -> dict[str, Any]:
    """List everything that can be chosen, with what it means."""
    return {
        "schema": "qontrast/tables/1",
        "methods": {
            name: {
                "title": entry.title,
                "titles": {kind: entry.for_players(kind).title for kind in entry.players},
                "measures": entry.measures,
                "promises": entry.promises,
                "players": list(entry.players),
                "measures_of": {kind: entry.for_players(kind).measures for kind in entry.players},
            }
            for name, entry in METHODS.items()
        },
        "players": {name: text for name, (_, text) in PLAYERS.items()},
        "player_titles": {name: title for name, (title, _) in PLAYERS.items()},
        "semantics": {
            name: {"title": each.title, "formula": each.formula, "source": each.source}
            for name, each in SEMANTICS.items()
        },
        "solvers": list(SOLVERS),
        "solver_titles": {name: SOLVER_TEXTS[name][0] for name in SOLVERS},
        "solver_texts": {name: SOLVER_TEXTS[name][1] for name in SOLVERS},
        "formats": {
            each.name: {
                "suffixes": list(each.suffixes),
                "description": each.description,
                "loses": list(each.loses),
            }
            for each in FORMATS.values()
        },
        "figures": {name: figure.title for name, figure in FIGURES.items()},
        "palettes": list(PALETTES),
        "phrases": {key: text for key, text in choose("en").phrases.items() if key.startswith("rated.")},
        "examples": {name: each.description for name, each in EXAMPLES.items()},
        "defaults": {"method": DEFAULT, "semantics": DEFAULT_SEMANTICS, "solver": "discrete"},
        "limits": {
            "body": limits.MAX_BODY_BYTES,
            "arguments": limits.MAX_ARGUMENTS,
            "edges": limits.MAX_EDGES,
            "coalitions": limits.MAX_COALITIONS,
            "connected_sets": limits.MAX_CONNECTED_SETS,
            "drawn": limits.MAX_ARGUMENTS_IN_PICTURE,
        },
    }


def write_stylesheet() -> str:
    """Write the rules of our pictures, with variables for colours, and the colours of every palette, light and dark.

    Which of the two applies is the `color-scheme` of the page, which its own switch decides, else what the system
    prefers. The page itself uses the same variables. A palette has only those colours that differ from the first one's.
    """
    names = [each.name for each in fields(Palette)]
    rules = [write_style(Palette(**{name: f"var(--{name.replace('_', '-')})" for name in names}))]
    first = _write_variables(next(iter(PALETTES)))
    rules.append(f":root{{{';'.join(first)}}}")
    for palette in list(PALETTES)[1:]:
        own = [each for each in _write_variables(palette) if each not in first]
        rules.append(f':root[data-palette="{palette}"]{{{";".join(own)}}}')
    return "\n".join(rules)


def _write_variables(palette: str) -> list[str]:
    light, dark = find_palette(palette), find_palette(palette, dark=True)
    names = [each.name for each in fields(Palette)]
    return [f"--{name.replace('_', '-')}:light-dark({light[name]},{dark[name]})" for name in names]
