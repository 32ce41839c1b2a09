"""Put results other than contrasts into words, in a sentence or a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from ..explain.flip import MARGIN, NORMS
from ..graph.labels import label_and_name, label_text, name_suffix, quote, shorten
from ..results.base import TIE_TOLERANCE
from ..results.order import rank_contributions
from .narrative import sentence
from .numbers import fixed, number, significant, write_move
from .phrasing import (
    Language,
    Quoted,
    Statement,
    TableText,
    call,
    call_some,
    call_topics,
    choose,
    compare,
    name_value,
    state,
    write_size,
)

if TYPE_CHECKING:
    from ..attribution.matrix import Phi
    from ..attribution.methods import Attribution
    from ..engine.problem import Strengths
    from ..explain.check import Check
    from ..explain.flip import Flip
    from ..explain.pairs import Chained, Pairs
    from ..explain.paths import Path, Paths
    from ..explain.ranking import Ranking
    from ..explain.trajectory import Trajectory
    from ..explain.whatif import WhatIf
    from ..graph.qbaf import Qbaf
    from ..types import Name

MAX_CONTRIBUTIONS = 8  # of an attribution that its text shows
MAX_MOVES = 5  # changed base scores that a flip names
MAX_MOVING = 3  # arguments without a strength that a sentence names
MAX_ITEMS = 20  # arguments or pairs that a text shows


def write_comparison(
    qbaf: Qbaf, strengths: Mapping[Name, float], fact: Name, foil: Name, *, language: str = "en"
) -> str:
    """Say which of two topics is stronger and by how much, where no contrast says why."""
    order = compare(call(qbaf, fact), call(qbaf, foil), strengths[fact], strengths[foil], "rated.")
    return choose(language).write(order) + "."


def find_undefined(qbaf: Qbaf, moving: Sequence[Name]) -> list[str]:
    """Say, in parts, that there are no strengths, since some arguments do not converge."""
    listed = [part for name in moving[:MAX_MOVING] for part in (", ", call(qbaf, name))][1:]
    others = " and others" if len(moving) > MAX_MOVING else ""
    return ["No strengths here: ", *listed, f"{others} do not converge, so nothing can be compared."]


def find_nothing_to_compare(qbaf: Qbaf) -> list[str]:
    """Say, in parts, that a graph of fewer than two arguments has no contrast."""
    only = next(iter(qbaf), None)
    return ["There is no argument here."] if only is None else [call(qbaf, only), " has nothing to compare with."]


def describe_flip(found: Flip, *, language: str = "en") -> str:
    """Say what would make the foil win, and what was tried to find it."""
    return " ".join(map(choose(language).write, find_flip(found)))


def find_flip(found: Flip) -> list[Statement]:
    """Say what would make the foil win, and what was tried to find it."""
    if found.gap <= -MARGIN:
        return [state("flip.already", gap=number(-found.gap), **call_topics(found))]
    return [_find_change(found), _find_removal(found), *_find_stopped(found)]


def _find_change(found: Flip) -> Statement:
    names = call_topics(found)
    if found.change is None:
        key = "flip.impossible" if found.change_proved else "flip.no change"
        best = _write_best(found.change_gap)
        return state(key, best=best, **names) if found.movable else state("flip.fixed", **names)
    moves, steps = [], []
    for k, (x, (before, after)) in enumerate(found.change.items()):
        key = f"flip.{'and ' if k else ''}{'rise' if after > before else 'fall'}"
        old, new = write_move(before, after)
        moves.append(state(key, who=call(found.qbaf, x), old=old, new=new))
        steps.append(float(new) - float(old))
    cost = found.cost or 0.0
    if len(moves) <= MAX_MOVES:  # all are printed, so the cost is that of the printed scores
        cost = float(np.linalg.norm(steps, NORMS[found.norm]))
    more = [state("flip.more", count=len(moves) - MAX_MOVES)] if len(moves) > MAX_MOVES else []
    total = state(f"flip.cost.{found.norm}", cost=number(cost)) if len(moves) > 1 else ""
    return state("flip.change", foil=names["foil"], moves=[*moves[:MAX_MOVES], *more], cost=total)


def _find_removal(found: Flip) -> Statement:
    if found.removal is None:
        return _find_no_removal(found)
    smaller: Statement | str = ""
    if len(found.removal) > 1:
        smaller = state("flip.smaller.none")
        if found.examined:
            smaller = state("flip.smaller.some", count=found.examined)
        if found.proved:
            smaller = state("flip.smaller.proved")
    names = [call(found.qbaf, x) for x in found.removal]
    key = "flip.removal" if found.change is None else "flip.removal.also"
    return state(key, foil=call(found.qbaf, found.foil), names=names, smaller=smaller)


def _find_no_removal(found: Flip) -> Statement:
    if not found.removable:
        return state("flip.nothing to remove")
    if found.proved:
        tied = abs(found.removal_gap) < MARGIN
        return state("flip.level") if tied else state("flip.stays", gap=number(found.removal_gap))
    searched = state("flip.searched.larger" if found.examined else "flip.searched")
    fields = {"searched": "" if found.removal_stopped else searched, "best": _write_best(found.removal_gap)}
    return state("flip.no removal", **fields, **({"count": found.examined} if found.examined else {}))


def _write_best(gap: float) -> Statement:
    return state("flip.best.tie") if abs(gap) < MARGIN else state("flip.best.gap", gap=number(gap))


def _find_stopped(found: Flip) -> list[Statement]:
    """Say which searches the time limit ended."""
    searches = {"change": found.change_stopped, "removal": found.removal_stopped}
    what = [state(f"flip.what.{name}") for name, stopped in searches.items() if stopped]
    if not what:
        return []
    if found.interrupted:
        return [state("flip.interrupted", what=what)]
    if found.time_limit is None:
        return [state("flip.stopped", what=what)]
    return [state("flip.stopped.limit", what=what, seconds=significant(found.time_limit, 6))]


# -- the other results ------------------------------------------------------------------------------------------------


def describe_ranking(ranking: Ranking, *, language: str = "en") -> str:
    """List the topics from the strongest down, each step with its reasons."""
    to, lines = choose(language), []
    for k, topic in enumerate(ranking.order):
        strength = to.number(fixed(ranking.strengths[topic], 4))
        name = label_and_name(ranking.qbaf, topic)
        lines.append(to.say("rank.place", place=ranking.places[k], topic=name, strength=strength))
        if k < len(ranking.steps):
            lines.append(f"   {sentence(ranking.steps[k], language=language)}")
    return "\n".join(lines)


def describe_strengths(found: Strengths, *, language: str = "en") -> str:
    """List the strengths of the first arguments."""
    to = choose(language)
    shown = [
        f"{label_and_name(found.qbaf, x)} {to.number(fixed(value, 4))}" for x, value in islice(found.items(), MAX_ITEMS)
    ]
    return to.say("strengths", semantics=found.semantics, items=_cut(shown, len(found), to))


def write_solving(found: Strengths, *, language: str = "en") -> str:
    """Say under which semantics and in how many steps strengths were found."""
    to = choose(language)
    solver = TableText(found.solver)
    how = solver if found.solver == "one pass" else state("strengths.steps", solver=solver, count=found.steps)
    first = state("strengths.first") if found.qbaf.topics else ""
    return to.say("strengths.made", semantics=found.semantics, how=how, first=first)


def describe_attribution(one: Attribution, *, language: str = "en") -> str:
    """List the strongest contributions to one topic."""
    to = choose(language)
    shown = []
    for x, value in one.ranked()[:MAX_CONTRIBUTIONS]:
        said = to.say("bars.kink") if isnan(value) else to.number(number(value, "+", 4))
        shown.append(f"{to.name(_short_name(one.qbaf, x))} {said}")
    return to.say(
        "attribution",
        topic=call(one.qbaf, one.topic),
        own=fixed(one.strength, 4),
        base=fixed(one.base_score, 4),
        what=name_value(one.method, "strength", players=one.players.kind, language=language),
        method=one.method,
        semantics=one.semantics,
        items=_cut(shown, len(one), to) or state("none"),
    )


def _cut(shown: Sequence[str], size: int, to: Language) -> str:
    more = [to.count("list.more", size - len(shown))] if size > len(shown) else []
    return ", ".join([*shown, *more])


def _short_name(qbaf: Qbaf, name: Name) -> str:
    """Write a short label in quotation marks, and the name that one types."""
    return quote(shorten(label_text(qbaf, name))) + name_suffix(qbaf, name)


def describe_contributions(phi: Phi, *, language: str = "en") -> str:
    """Say how large Φ is, and of which topics."""
    who = "edges" if phi.players.kind == "direct" else phi.players.kind
    return choose(language).say(
        "contributions",
        method=phi.method,
        semantics=phi.problem.semantics.name,
        topics=state("size.topics", count=len(phi.topics)),
        players=state(f"size.{who}", count=phi.values.shape[1]),
        names=call_some(phi.qbaf, phi.topics),
    )


def describe_pairs(pairs: Pairs, *, language: str = "en") -> str:
    """List the gaps of the first pairs."""
    to, qbaf, gaps = choose(language), pairs.qbaf, pairs.gaps
    topics = state("size.topics", count=len(pairs.topics))
    head = to.say("gaps.head", topics=topics, method=pairs.method, semantics=pairs.semantics)
    labels = [label_and_name(qbaf, topic) for topic in pairs.topics]
    ends = islice(combinations(range(len(labels)), 2), MAX_ITEMS)
    lines = [to.say("gaps.pair", one=labels[i], other=labels[j], said=number(gaps[i, j], "+")) for i, j in ends]
    return "\n".join([head, *_cut_lines(lines, len(labels) * (len(labels) - 1) // 2, to)])


def describe_chained(found: Chained, *, language: str = "en") -> str:
    """List the strongest contributions of the first pairs."""
    to = choose(language)
    sizes = {"topics": len(found.topics), "calls": found.calls, "additions": found.additions}
    lines = []
    for (fact, foil), each in islice(found.values.items(), MAX_ITEMS):
        shown = [f"{x} {to.number(number(value, '+'))}" for x, value in rank_contributions(each)[:3]]
        said = ", ".join([*shown, *(["…"] if len(each) > 3 else [])]) or state("gaps.nobody")
        lines.append(to.say("gaps.chained", one=fact, other=foil, said=said))
    head = ", ".join(to.count(f"size.{what}", size) for what, size in sizes.items())
    return "\n".join([head, *_cut_lines(lines, len(found.values), to)])


def _cut_lines(lines: Sequence[str], size: int, to: Language) -> list[str]:
    return [*lines, *([to.count("gaps.more", size - len(lines))] if size > len(lines) else [])]


def describe_trajectory(run: Trajectory, *, language: str = "en") -> str:
    """List the first and the last strengths."""
    to = choose(language)
    ends = islice(zip(run.qbaf, run.strengths[0].tolist(), run.strengths[-1].tolist(), strict=True), MAX_ITEMS)
    shown = [
        f"{label_and_name(run.qbaf, name)} {to.number(fixed(first, 4))} → {to.number(fixed(last, 4))}"
        for name, first, last in ends
    ]
    return to.say(
        "trajectory",
        solver=TableText(run.solver),
        semantics=run.semantics,
        start=significant(run.times[0], 6),
        end=significant(run.times[-1], 6),
        times=state("size.times", count=len(run.times)),
        items=_cut(shown, len(run.qbaf), to),
    )


def describe_graph(qbaf: Qbaf, *, language: str = "en") -> str:
    """Say how large a graph is."""
    return write_size(qbaf, choose(language))


def describe_check(found: Check, *, language: str = "en") -> str:
    """Say what a graph holds, and whether its strengths are defined."""
    to = choose(language)
    parts = [write_size(found.qbaf, to)]
    if found.weighted:
        parts.append(to.count("check.weights", found.weighted))
    if found.isolated:
        parts.append(to.count("check.isolated", len(found.isolated), names=call_some(found.qbaf, found.isolated)))
    if found.uncertain:
        parts.append(to.count("check.uncertain", len(found.uncertain)))
    parts.append(write_cycles(found, to) if found.cycles else to.say("check.acyclic"))
    if found.undefined is not None:
        parts.append(to.say("check.undefined", reason=found.undefined))
    else:
        parts.append(to.count("check.defined", found.steps or 0, semantics=found.semantics))
    return "; ".join(parts)


def write_cycles(found: Check, to: Language) -> str:
    """Write how many arguments are on cycles, and in how many groups."""
    return to.count("check.cycles", found.cycles, arguments=state("size.arguments", count=found.cyclic))


def write_path(path: Path, *, language: str = "en") -> tuple[str, str]:
    """Write what a path does, and its arguments: `raises t by 0.250 per unit of base score`, `a —attacks→ t`."""
    to = choose(language)
    steps = zip(path.relations, path.names[1:], strict=True)
    trail = to.name(path.names[0]) + "".join(f" —{to.say(f'path.{how}')}→ {to.name(name)}" for how, name in steps)
    key, topic = f"path.{'raises' if path.sign > 0 else 'lowers'}", Quoted(path.names[-1])
    if path.share is None:
        return to.say(key, topic=topic), trail
    return to.say(f"{key}.share", topic=topic, share=number(abs(path.share))), trail


def describe_path(path: Path, *, language: str = "en") -> str:
    """Write `raises t by 0.250 per unit of base score: a —attacks→ b —attacks→ t`."""
    return ": ".join(write_path(path, language=language))


def describe_paths(found: Paths, *, language: str = "en") -> str:
    """List the paths, and say how many are left out."""
    to = choose(language)
    ends = {"start": call(found.qbaf, found.contributor), "end": call(found.qbaf, found.topic)}
    lines = [describe_path(path, language=language) for path in found] or [to.say("paths.none", **ends)]
    if found.left_out:
        which = "other" if any(path.share is None for path in found) else "weaker"
        least = "" if found.counted_all else state("paths.least")
        lines.append(to.count(f"paths.{which}", found.left_out, least=least))
    return "\n".join(lines)


def describe_whatif(found: WhatIf, *, language: str = "en") -> str:
    """Say how the gap changes, or how many strengths do."""
    to = choose(language)
    if found.why_before is None or found.why_after is None:
        moved = sum(abs(found.after[x] - found.before[x]) > TIE_TOLERANCE for x in found.after)
        return to.count("whatif.moved", len(found.after), moved=to.integer(moved))
    topics = call_topics(found.why_before)
    before, after = (
        state(f"whatif.{when}.{_find_relation(why.gap)}", gap=number(abs(why.gap)), **topics)
        for when, why in (("was", found.why_before), ("is", found.why_after))
    )
    return to.say("whatif", before=before, after=after)


def _find_relation(gap: float) -> str:
    return "level" if abs(gap) <= TIE_TOLERANCE else "ahead" if gap > 0 else "behind"
