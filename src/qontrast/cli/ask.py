"""The commands that ask: why, strengths, pairs, rank, paths, whatif, flip."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..attribution import METHODS
from ..contrast import Contrast, contrast
from ..pairs import all_pairs
from ..pairs import rank as ranking
from ..paths import paths as signed_paths
from ..qbaf import Qbaf
from ..solve import strengths as solved
from ..whatif import whatif as compare
from ..words import SMALL, TIE, reasons
from . import complete, load
from .options import By, Fact, Foil, Graph, Json, Topics, Under
from .screen import FACT, FOIL, diverging, gauge, heading, indented, note, put, put_json, signed, table

Contributor = Annotated[
    str, typer.Argument(metavar="ARGUMENT", help="Where paths begin.", autocompletion=complete.arguments)
]
Topic = Annotated[str, typer.Argument(metavar="TOPIC", help="Where they end.", autocompletion=complete.arguments)]


def strengths(graph: Graph, under: Under, json: Json = False) -> None:
    """How strong every argument is."""
    qbaf = load.graph(graph)
    found = solved(qbaf, **under.chosen())
    if json:
        return put_json(found.to_dict())
    topics = set(qbaf.topics)
    rows = [
        (
            heading(qbaf.label(x)) if x in topics else qbaf.label(x),
            f"{qbaf.base_scores[x]:.4f}",
            f"{found[x]:.4f}",
            gauge(found[x]),
        )
        for x in qbaf.arguments
    ]
    put(table([("argument", "text"), ("base score", "number"), ("strength", "number"), ("", "bar")], rows))
    steps = "one pass" if found.solver == "one pass" else f"{found.solver}, {found.steps} steps"
    return note(f"semantics {found.semantics}, {steps}" + ("; topics in bold" if topics else ""))


def why(graph: Graph, under: Under, by: By, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Why one topic is rated as it is rather than another."""
    qbaf = load.graph(graph)
    one, other = load.pair(qbaf, fact, foil, under, graph)
    found = contrast(qbaf, one, other, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(heading(f"Why {qbaf.label(one)} rather than {qbaf.label(other)}?"), "", _words(found), "", bars(found), "")
    return put(*_sums(found))


def _words(why: Contrast) -> str:
    return str(why)


def bars(why: Contrast) -> Any:
    """A bar for each contributor, the most telling first, and the cross-topic component."""
    from rich.text import Text

    from .screen import console

    label, half = why.qbaf.label, 12 if console().width >= 100 else 8
    ranked = why.ranked()
    cross = why.cross_topic.component
    most = max((abs(value) for _, value in (*ranked, ("", cross)) if value == value), default=0.0)
    one, two = (why.individual[topic] for topic in (why.fact, why.foil))
    rows: list[Any] = [
        (label(x), diverging(value, most, half), signed(value), signed(one[x]), signed(two[x])) for x, value in ranked
    ]
    rows.append(
        (
            Text("the two on each other", style="italic"),
            diverging(cross, most, half),
            signed(cross),
            signed(why.cross_topic.fact_from_foil),
            signed(why.cross_topic.foil_from_fact),
        )
    )
    sides = Text("◀ foil".ljust(half), style=FOIL).append(" ").append("fact ▶".rjust(half), style=FACT)
    numbers: list[tuple[Any, str]] = [(each, "number") for each in ("contrast", "on fact", "on foil")]
    return table([("", "text"), (sides, "bar"), *numbers], rows)


def _sums(why: Contrast) -> list[str]:
    """The gap, what it is made of, and what the method promises."""
    entry = METHODS.get(why.method)
    made = f"gap {signed(why.gap)} = base scores {signed(why.base_gap)}"
    total = sum(value for value in why.values() if value == value)
    if abs(why.residual) <= 1e-9:
        made += f" + contributions {signed(total)} + on each other {signed(why.cross_topic.component)}"
    else:
        made = f"gap {signed(why.gap)}, base scores {signed(why.base_gap)}; contributions add up to {signed(total)}"
    lines = [made]
    if why.std_error is not None:
        lines.append(f"standard error of a contribution: at most {max(why.std_error.values(), default=0.0):.2g}")
    if why.kinks:
        names = ", ".join(why.qbaf.label(x) for x in why.kinks)
        lines.append(f"kink at {names}: --json gives the slopes from below and from above")
    how = f"{why.method} under {why.semantics}: {why.way}"
    return [*lines, how, *([f"{why.method} promises: {entry.promises}"] if entry else [])]


def pairs(graph: Graph, under: Under, by: By, topic: Topics = None, json: Json = False) -> None:
    """Every topic against every other: the gap, and the strongest reason."""
    qbaf = load.graph(graph)
    found = all_pairs(qbaf, topic or None, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    rows = []
    for one in found.topics:
        cells = [_cell(qbaf, found[one, other]) if one != other else "–" for other in found.topics]
        rows.append((heading(qbaf.label(one)), *cells))
    put(table([("rather than →", "text"), *((qbaf.label(each), "text") for each in found.topics)], rows))
    return note(
        f"gap, and the contribution that speaks most for the row ({found.phi.method} under "
        f"{found.phi.problem.semantics.name})"
    )


def _cell(qbaf: Qbaf, why: Contrast) -> str:
    best = [(x, value) for x, value in reasons(why, 1.0, most=1) if value >= SMALL]
    gap = "tied" if abs(why.gap) <= TIE else signed(why.gap)
    return gap + "".join(f"\n{qbaf.label(x)} {signed(value)}" for x, value in best)


def rank(graph: Graph, under: Under, by: By, topic: Topics = None, json: Json = False) -> None:
    """The topics from the strongest down, each step explained."""
    qbaf = load.graph(graph)
    found = ranking(qbaf, topic or None, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    for k, each in enumerate(found.order):
        put(heading(f"{found.places[k]}. {qbaf.label(each)}  {found.strengths[each]:.4f}"))
        if k < len(found.steps):
            put(indented(_words(found.steps[k])))
    return None


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
    return put(str(found))


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
    label = qbaf.label
    put(heading(str(found)), "")
    rows = []
    for x in qbaf.arguments:
        after = found.after.get(x)
        if after is None or abs(after - found.before[x]) > TIE:
            shown = ("removed", "") if after is None else (f"{after:.4f}", signed(after - found.before[x]))
            rows.append((label(x), f"{found.before[x]:.4f}", *shown))
    put(table([("argument", "text"), ("before", "number"), ("after", "number"), ("change", "number")], rows))
    if found.why_before is not None and found.why_after is not None:
        old, new = found.why_before, found.why_after
        lines = [(label(x), signed(old[x]), signed(new[x]) if x in new else "removed") for x, _ in old.ranked()]
        title = f"contributions, {label(old.fact)} rather than {label(old.foil)} ({old.method})"
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
    norm: Annotated[str, typer.Option("--norm", metavar="l1|l2", help="How a change is measured.")] = "l1",
    json: Json = False,
) -> None:
    """What would have to change for the foil to win."""
    from ..flip import flip as search

    qbaf = load.graph(graph)
    one, other = load.pair(qbaf, fact, foil, under, graph)
    found = search(qbaf, one, other, fixed=fix or (), norm=norm, **under.chosen())
    if json:
        return put_json(found.to_dict())
    return put(heading(f"What would make {qbaf.label(other)} win over {qbaf.label(one)}?"), "", str(found))
