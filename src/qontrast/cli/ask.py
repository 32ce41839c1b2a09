"""The commands that ask: why, pairs, rank, paths, whatif, flip."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..attribution import value_title
from ..contrast import contrast
from ..pairs import all_pairs
from ..pairs import rank as ranking
from ..paths import paths as signed_paths
from ..qbaf import Qbaf
from ..whatif import whatif as compare
from ..words import TIE, called, label_and_name
from . import complete, load
from .options import By, Fact, Foil, Graph, Json, Topics, Under
from .screen import heading, note, put, put_json, signed, table

Contributor = Annotated[
    str, typer.Argument(metavar="ARGUMENT", help="Where paths begin.", autocompletion=complete.arguments)
]
Topic = Annotated[str, typer.Argument(metavar="TOPIC", help="Where they end.", autocompletion=complete.arguments)]


def why(graph: Graph, under: Under, by: By, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Why one topic is rated as it is rather than another."""
    qbaf = load.graph(graph)
    one, other = load.pair(qbaf, fact, foil, under, graph)
    found = contrast(qbaf, one, other, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.terminal import contrast_bars
    from ..show.words import account, sentences

    told, all_told = sentences(found, measured=False), sentences(found)
    put(heading(f"Why {called(qbaf, one)} rather than {called(qbaf, other)}?"), "", " ".join(told), "")
    put(contrast_bars(found, words=False), "", account(found), " ".join(all_told[len(told) :]))
    return None


def pairs(graph: Graph, under: Under, by: By, topic: Topics = None, json: Json = False) -> None:
    """Every topic against every other: the gap, and the strongest reason."""
    qbaf = load.graph(graph)
    found = all_pairs(qbaf, topic or None, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.terminal import pairs_table

    put(pairs_table(found), "")
    for step in (found[pair] for pair in found.ahead()):
        put(str(step))
    return None


def rank(graph: Graph, under: Under, by: By, topic: Topics = None, json: Json = False) -> None:
    """The topics from the strongest down, each step explained."""
    qbaf = load.graph(graph)
    found = ranking(qbaf, topic or None, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.terminal import ranking_table

    return put(ranking_table(found))


def paths(
    graph: Graph,
    under: Under,
    contributor: Contributor,
    topic: Topic,
    most: Annotated[int, typer.Option("--most", help="At most so many.")] = 20,
    json: Json = False,
) -> None:
    """Through which paths one argument acts on another."""
    found = signed_paths(load.graph(graph), contributor, topic, most=most, **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(str(found))
    if any(path.share is None for path in found):
        note("no numbers: with cycles or kinks a path has no share of the slope")
    return None


def whatif(graph: Graph, under: Under, by: By, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Before and after: what --set and --remove change."""
    qbaf = load.unchanged(graph)
    scores, gone = load.scores(graph), load.removed(graph)
    if not scores and not gone:
        raise typer.BadParameter("whatif needs a change: --set NAME=SCORE or --remove NAME")
    one, other = (fact, foil) if fact and foil else _pair_if_any(qbaf, fact, foil, under, graph)
    found = compare(qbaf, one, other, set=scores, remove=gone, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(heading(str(found)), "")
    rows = []
    for x in qbaf.arguments:
        after = found.after.get(x)
        if after is None or abs(after - found.before[x]) > TIE:
            shown = ("removed", "") if after is None else (f"{after:.4f}", signed(after - found.before[x]))
            rows.append((label_and_name(qbaf, x), f"{found.before[x]:.4f}", *shown))
    put(table([("argument", "text"), ("before", "number"), ("after", "number"), ("change", "number")], rows))
    if found.why_before is not None and found.why_after is not None:
        old, new = found.why_before, found.why_after
        lines = [
            (label_and_name(qbaf, x), signed(old[x]), signed(new[x]) if x in new else "removed")
            for x, _ in old.ranked()
        ]
        title = (
            f"{value_title(old.method)}, {called(qbaf, old.fact)} rather than {called(qbaf, old.foil)} ({old.method})"
        )
        put("", table([(title, "text"), ("before", "number"), ("after", "number")], lines))
    return None


def _pair_if_any(qbaf: Qbaf, fact: Fact, foil: Foil, under: Under, asked: Graph) -> tuple[Any, Any]:
    """The pair as in `why`; a file without two topics still has strengths to compare."""
    if fact is None and len([each for each in qbaf.topics if each not in load.removed(asked)]) < 2:
        return None, None
    return load.pair(load.graph(asked), fact, foil, under, asked)


def flip(
    graph: Graph,
    under: Under,
    fact: Fact = None,
    foil: Foil = None,
    fix: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="NAME", help="Hold this one; repeat it.", autocompletion=complete.arguments),
    ] = None,
    move_topics: Annotated[
        bool, typer.Option("--move-topics", help="Let the base scores of the two topics change too.")
    ] = False,
    norm: Annotated[str, typer.Option("--norm", metavar="l1|l2", help="How a change is measured.")] = "l1",
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop the search after this time; 0: never.")
    ] = 30.0,
    json: Json = False,
) -> None:
    """What would have to change for the foil to win."""
    from ..flip import flip as search

    qbaf = load.graph(graph)
    one, other = load.pair(qbaf, fact, foil, under, graph)
    chosen: dict[str, Any] = {"fixed": fix or (), "move_topics": move_topics, "norm": norm, **under.chosen()}
    found = search(qbaf, one, other, time_limit=time_limit or None, progress=True, **chosen)
    if json:
        return put_json(found.to_dict())
    return put(heading(f"What would make {called(qbaf, other)} win over {called(qbaf, one)}?"), "", str(found))
