"""Graphs whose pages are hard to print: labels without a blank, from right to left, blank ones; many topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import qontrast as qx

LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
ARABIC, HEBREW = "\u0627\u062e\u062a\u0628\u0627\u0631 [1]!", "\u05e9\u05dc\u05d5\u05dd"


def unbroken() -> qx.Qbaf:
    """Names and labels without a blank, also from right to left, and blank ones."""
    return qx.Qbaf(
        {f"p{LONG}": 0.6, f"q{LONG}": 0.4, f"a{LONG}": 0.5, "b": 0.7, " ": 0.2, "x\u202ey": 0.3},
        attacks=[(f"a{LONG}", f"q{LONG}"), (" ", f"p{LONG}")],
        supports=[("b", f"p{LONG}"), ("x\u202ey", f"q{LONG}")],
        labels={"b": ARABIC},
        topics=[f"p{LONG}", f"q{LONG}"],
    )


def many_topics() -> qx.Qbaf:
    topics = [f"t{k}" for k in range(15)]
    labels = {topic: f"Possible answer {topic} with a longer title" for topic in topics}
    scores = {topic: k / 14 for k, topic in enumerate(topics)} | {"a": 0.5, "b": 0.25}
    return qx.Qbaf(
        scores, attacks=[("a", each) for each in topics[::2]], supports=[("b", "t1")], labels=labels, topics=topics
    )


GRAPHS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "debate": lambda: (qx.examples.load("debate"), "fares", "levy"),
    "unbroken": lambda: (unbroken(), f"p{LONG}", f"q{LONG}"),
    "topics": lambda: (many_topics(), "t0", "t1"),
}
