"""Choose the two topics of a question that names fewer than two, and find the arguments and edges that it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..errors import Hint, InvalidInput
from ..graph.labels import shorten, visible
from ..graph.qbaf import Qbaf
from ..results.order import sort_by_size
from ..types import Edge, Name

MAX_CANDIDATES = 12  # arguments that a message suggests as topics
ARROW = "->"  # between the ends of an edge


def suggest_topics(qbaf: Qbaf) -> tuple[Name, ...]:
    """Return what a question may be about: two or more topics, else two or more sinks, else all arguments.

    >>> suggest_topics(Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, attacks=[("a", "b"), ("a", "c")]))
    ('b', 'c')
    """
    if len(qbaf.topics) > 1:
        return qbaf.topics
    sinks = qbaf.sinks()
    return sinks if len(sinks) > 1 and not qbaf.topics else tuple(qbaf.arguments)


def order_by_strength(names: Iterable[Name], strengths: Mapping[Name, float]) -> list[Name]:
    """Return the names, the strongest first; ties keep their order.

    >>> order_by_strength(["a", "b", "c"], {"a": 0.5, "b": 0.7, "c": 0.5 + 1e-15})
    ['b', 'a', 'c']
    """
    return sort_by_size(names, strengths.__getitem__)


def default_pair(
    qbaf: Qbaf, strengths: Mapping[Name, float], fact: Name | None = None, foil: Name | None = None
) -> tuple[Name, Name]:
    """Return fact and foil: as named, else the strongest of `suggest_topics` that are left.

    A graph with a single topic, or with a single sink and no topic, is about that argument: it is chosen before any
    stronger one. Ties keep the order of the file.

    >>> q = Qbaf({"a": 0.9, "b": 0.8, "t": 0.2}, supports=[("a", "t")], attacks=[("b", "t")], topics=["t", "b"])
    >>> default_pair(q, q.base_scores), default_pair(q, q.base_scores, fact="t")
    (('b', 't'), ('t', 'b'))
    >>> default_pair(q.with_topics([]), q.base_scores)
    ('t', 'a')
    """
    named = [name for name in (fact, foil) if name is not None]
    left = [name for name in suggest_topics(qbaf) if name not in named]
    left = left or [name for name in qbaf.arguments if name not in named]
    if len(named) + len(left) < 2:
        raise InvalidInput(f"a contrast needs two arguments, and the graph has {len(qbaf)}")
    about = qbaf.topics or qbaf.sinks()
    order = order_by_strength(left, strengths)
    if len(about) == 1:
        order.sort(key=lambda name: name != about[0])
    fact = order.pop(0) if fact is None else fact
    return fact, order[0] if foil is None else foil


def require_topics(qbaf: Qbaf, source: str, *hints: Hint, later: Iterable[Qbaf] = ()) -> None:
    """Refuse a graph with fewer than two topics, or fewer that its later versions have too.

    The message suggests arguments that could be topics.
    """
    shared = dict.fromkeys(name for name in qbaf.arguments if all(name in version for version in later))
    topics = [name for name in qbaf.topics if name in shared]
    if len(topics) > 1:
        return
    lasting = " that every version has" if len(topics) < len(qbaf.topics) else ""
    has = f"only one topic{lasting}, {topics[0]!r}" if topics else f"no topics{lasting}"
    if not shared and len(qbaf):
        raise InvalidInput(f"{source} has no argument that every version has; give versions of one graph")
    sinks = [name for name in qbaf.sinks() if name in shared and name not in topics]
    named = {*sinks, *topics}
    others = [name for name in shared if name not in named]
    names = [*sinks, *others]
    listed = ", ".join(_write_name_and_label(qbaf, name) for name in names[:MAX_CANDIDATES])
    more = f" and {len(names) - MAX_CANDIDATES:,} more" if len(names) > MAX_CANDIDATES else ""
    first = " (those that act on no other come first)" if sinks and others else ""
    candidates = f". Candidates{first}: {listed}{more}" if listed else ""
    raise InvalidInput(f"{source} has {has}{candidates}", hints=[*hints, Hint("topics")])


def _write_name_and_label(qbaf: Qbaf, name: Name) -> str:
    label = qbaf.label(name)
    return f"{name!r}" if label == str(name) else f"{name!r} (“{shorten(visible(label))}”)"


def find_element(qbaf: Qbaf, text: str) -> Name | Edge:
    """Find the argument, or the edge SOURCE->TARGET, of this name.

    >>> find_element(Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")]), "a -> b")
    ('a', 'b')
    """
    if text in qbaf or ARROW not in text:
        return qbaf.resolve(text)
    source, _, target = text.partition(ARROW)
    return qbaf.resolve(source.strip()), qbaf.resolve(target.strip())
