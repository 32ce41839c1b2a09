"""Four lists, as QBAF-Py's constructor takes them: names, base scores, attacks, supports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import InvalidQbaf
from ..qbaf import Qbaf


def from_lists(
    names: Sequence[str],
    base_scores: Sequence[float],
    attacks: Iterable[tuple[str, str]] = (),
    supports: Iterable[tuple[str, str]] = (),
) -> Qbaf:
    """
    >>> from_lists(["a", "b"], [0.5, 1.0], attacks=[("a", "b")], supports=[])
    <Qbaf: 2 arguments, 1 attack, 0 supports>
    """
    if isinstance(names, str):
        raise InvalidQbaf(f"names is the string {names!r}; give a list: [{names!r}]")
    names, base_scores = list(names), list(base_scores)
    if len(names) != len(base_scores):
        raise InvalidQbaf(f"{len(names)} names and {len(base_scores)} base scores; give as many of each")
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None) if _repeats(names) else None
    if twice is not None:
        raise InvalidQbaf(f"argument {twice!r} is named twice; keep one")
    return Qbaf(dict(zip(names, base_scores, strict=True)), attacks=list(attacks), supports=list(supports))


def _repeats(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)
