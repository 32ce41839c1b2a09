"""Graphs with everything a file may have to hold: weights, labels, topics that have parents, any Unicode name."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import strategies as st

from qontrast import Beta, Distribution, Interval, Normal, Qbaf, Samples

any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
any_name = any_text.filter(bool)
plain_name = st.text(string.ascii_letters + string.digits + "_←é", min_size=1, max_size=8)
# a label equal to the name is shown alike with and without it; formats that write the one as the other lose nothing
xml_text = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12)
score = st.floats(0, 1)
weight = st.one_of(st.just(1.0), st.floats(0, 1e6))
intervals = st.tuples(score, score).map(lambda pair: Interval(*sorted(pair)))
distributions: st.SearchStrategy[Distribution] = st.one_of(
    intervals,
    st.builds(Normal, score, st.floats(0.01, 1)),
    st.builds(Beta, st.floats(0.3, 20), st.floats(0.3, 20)),
    st.lists(score, min_size=1, max_size=4).map(Samples),
)


@st.composite
def qbafs(
    draw: Any,
    names: st.SearchStrategy[str] = any_name,
    labels: st.SearchStrategy[str] = any_text,
    scores: st.SearchStrategy[float] = score,
    weights: st.SearchStrategy[float] = weight,
    kinds: tuple[str, ...] = ("attack", "support"),
    with_topics: bool = True,
    with_semantics: bool = True,
    groups: st.SearchStrategy[str] = any_name,
    with_groups: bool = True,
    uncertain: st.SearchStrategy[Distribution] | None = distributions,
) -> Qbaf:
    chosen = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    ends = st.tuples(st.sampled_from(chosen), st.sampled_from(chosen))
    edges = draw(st.dictionaries(ends, st.tuples(st.sampled_from(kinds), weights), max_size=10))
    texts = draw(st.dictionaries(st.sampled_from(chosen), labels))
    return Qbaf(
        {name: draw(scores) for name in chosen},
        attacks={pair: w for pair, (kind, w) in edges.items() if kind == "attack"},
        supports={pair: w for pair, (kind, w) in edges.items() if kind == "support"},
        labels={name: text for name, text in texts.items() if text != name},
        topics=draw(st.permutations(chosen))[: draw(st.integers(0, 3))] if with_topics else (),
        semantics=draw(st.sampled_from([None, "qe", "df-quad"])) if with_semantics else None,
        groups=_draw_groups(draw, chosen, groups) if with_groups else {},
        uncertain={} if uncertain is None else draw(st.dictionaries(st.sampled_from(chosen), uncertain, max_size=2)),
    )


def _draw_groups(draw: Any, members: list[str], names: st.SearchStrategy[str]) -> dict[str, list[str]]:
    """Some of the arguments in groups, none of them empty and none with the name of an argument."""
    known = draw(st.lists(names.filter(lambda name: name not in members), max_size=3, unique=True))
    found: dict[str, list[str]] = {}
    for member in members if known else ():
        group = draw(st.sampled_from([None, *known]))
        if group is not None:
            found.setdefault(group, []).append(member)
    return found


bare = {
    "scores": st.just(0.5),
    "weights": st.just(1.0),
    "with_topics": False,
    "with_semantics": False,
    "with_groups": False,
    "uncertain": None,
}
