"""Four lists, as QBAF-Py's constructor takes them: names, base scores, attacks, supports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import InvalidQbaf, count
from ..graph.qbaf import Qbaf


def from_lists(
    names: Sequence[str],
    base_scores: Sequence[float],
    attacks: Iterable[tuple[str, str]] = (),
    supports: Iterable[tuple[str, str]] = (),
) -> Qbaf:
    """Make a graph from four lists, as QBAF-Py's constructor takes them.

    Parameters
    ----------
    names : sequence of str
        The arguments.
    base_scores : sequence of float
        Their base scores, in the same order.
    attacks, supports : iterable of (str, str)
        Pairs of source and target.

    Returns
    -------
    Qbaf

    Raises
    ------
    InvalidQbaf
        If there are not as many base scores as names, or a name is repeated.

    Examples
    --------
    >>> from_lists(["a", "b"], [0.5, 1.0], attacks=[("a", "b")], supports=[])
    <Qbaf: 2 arguments, 1 attack, 0 supports>
    """
    if isinstance(names, str):
        raise InvalidQbaf(f"names is the string {names!r}; give a list: [{names!r}]")
    names, base_scores = list(names), list(base_scores)
    if len(names) != len(base_scores):
        raise InvalidQbaf(
            f"{count(len(names), 'name')} and {count(len(base_scores), 'base score')}; give as many of each"
        )
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise InvalidQbaf(f"an argument is named {name!r}; a name is a string: {str(name)!r}?")
        if name in seen:
            raise InvalidQbaf(f"argument {name!r} is named twice; keep one")
        seen.add(name)
    return Qbaf(dict(zip(names, base_scores, strict=True)), attacks=list(attacks), supports=list(supports))
