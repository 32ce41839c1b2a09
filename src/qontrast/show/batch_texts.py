"""Put the short answers for many graphs into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph.labels import visible, write_contributor
from .numbers import number
from .phrasing import choose

if TYPE_CHECKING:
    from ..questions.many import Explained


def describe_explained(found: Explained, *, language: str = "en") -> str:
    """Say how strong the topics of a graph are and who contributes most; or why there is no answer."""
    if found.error is not None:
        return f"{visible(found.name)}: {found.error}"
    to = choose(language)
    topics = ", ".join(f"{visible(topic)} {to.number(number(value))}" for topic, value in found.strengths.items())
    gap = "" if found.gap is None else to.say("explained.gap", gap=number(found.gap, "+"))
    reasons = ", ".join(
        f"{visible(write_contributor(x))} {to.number(number(value, '+'))}" for x, value in found.reasons.items()
    )
    return f"{visible(found.name)}: {topics}{gap}{f'; {reasons}' if reasons else ''}"
