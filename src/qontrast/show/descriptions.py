"""Put results other than contrasts into words, in a sentence or a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from ..attribution.methods import METHODS, rank_contributions
from ..errors import count, quote_names
from ..explain.flip import MARGIN, NORMS
from ..graph.labels import label_and_name, label_text, name_suffix, quote, quote_label, shorten, visible
from ..networks.result import QBAF
from ..results.base import TIE_TOLERANCE
from .narrative import sentence
from .numbers import SHOWN_AS_ZERO, fixed, markdown_table, number, significant, with_interval, write_move
from .phrasing import (
    Quoted,
    Statement,
    call,
    call_topics,
    choose,
    compare,
    name_value,
    state,
    write_amount,
    write_because,
)

if TYPE_CHECKING:
    from ..attribution.matrix import Phi
    from ..attribution.methods import Attribution
    from ..auditing.result import Audit
    from ..auditing.retraining import Runs
    from ..axioms import AxiomTable, NotApplicable, Tried, Witness
    from ..engine.problem import Strengths
    from ..explain.check import Check
    from ..explain.flip import Flip
    from ..explain.pairs import Chained, Pairs
    from ..explain.paths import Path, Paths
    from ..explain.ranking import Ranking
    from ..explain.trajectory import Trajectory
    from ..explain.whatif import WhatIf
    from ..graph.qbaf import Qbaf
    from ..networks.result import NetworkContrast
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
    seconds = found.time_limit if found.removal_stopped else found.time_limit / 2  # the share of the changes
    return [state("flip.stopped.limit", what=what, seconds=significant(seconds, 6))]


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


def describe_strengths(found: Strengths) -> str:
    """List the strengths of the first arguments."""
    shown = [f"{label_and_name(found.qbaf, x)} {fixed(value, 4)}" for x, value in islice(found.items(), MAX_ITEMS)]
    return f"strengths under {found.semantics}: {_cut(shown, len(found))}"


def describe_attribution(one: Attribution) -> str:
    """List the strongest contributions to one topic."""
    shown = [f"{_short_name(one.qbaf, x)} {_or_kink(value)}" for x, value in one.ranked()[:MAX_CONTRIBUTIONS]]
    what = f"{name_value(one.method, 'strength', players=one.players.kind)} ({one.method}, {one.semantics})"
    topic = quote_label(one.qbaf, one.topic)
    own = f"{topic} has strength {fixed(one.strength, 4)} (base score {fixed(one.base_score, 4)})"
    return f"{own}; {what}: {_cut(shown, len(one)) or 'none'}"


def _cut(shown: Sequence[str], size: int) -> str:
    more = f", … ({size - len(shown):,} more)" if size > len(shown) else ""
    return ", ".join(shown) + more


def _short_name(qbaf: Qbaf, name: Name) -> str:
    """Write a short label in quotation marks, and the name that one types."""
    return quote(shorten(label_text(qbaf, name))) + name_suffix(qbaf, name)


def _or_kink(value: float) -> str:
    return "kink" if value != value else number(value, "+", 4)


def describe_contributions(phi: Phi) -> str:
    """Say how large Φ is, and of which topics."""
    who = "player" if phi.players.kind == "groups" else phi.players.noun
    size = f"{count(len(phi.topics), 'topic')} by {count(phi.values.shape[1], who)}"
    return f"{phi.method} under {phi.problem.semantics.name}, {size}: topics {quote_names(phi.topics, 5)}"


def describe_pairs(pairs: Pairs) -> str:
    """List the gaps of the first pairs."""
    qbaf, gaps = pairs.qbaf, pairs.gaps
    head = f"{count(len(pairs.topics), 'topic')}, {pairs.phi.method} under {pairs.phi.problem.semantics.name}"
    labels = [label_and_name(qbaf, topic) for topic in pairs.topics]
    ends = islice(combinations(range(len(labels)), 2), MAX_ITEMS)
    lines = [f"{labels[i]} over {labels[j]} {number(gaps[i, j], '+')}" for i, j in ends]
    return "\n".join([head, *_cut_lines(lines, len(labels) * (len(labels) - 1) // 2)])


def describe_chained(found: Chained) -> str:
    """List the strongest contributions of the first pairs."""
    calls = f"{count(found.calls, 'call')} of the CAF"
    head = f"{count(len(found.topics), 'topic')}, {calls}, {count(found.additions, 'addition')}"
    lines = []
    for (fact, foil), each in islice(found.values.items(), MAX_ITEMS):
        said = ", ".join(f"{x} {number(value, '+')}" for x, value in rank_contributions(each)[:3])
        lines.append(f"{fact} over {foil}: {said or 'no contributors'}{', …' if len(each) > 3 else ''}")
    return "\n".join([head, *_cut_lines(lines, len(found.values))])


def _cut_lines(lines: Sequence[str], size: int) -> list[str]:
    return [*lines, *([f"… ({count(size - len(lines), 'more pair')})"] if size > len(lines) else [])]


def describe_trajectory(run: Trajectory) -> str:
    """List the first and the last strengths."""
    ends = islice(zip(run.qbaf, run.strengths[0].tolist(), run.strengths[-1].tolist(), strict=True), MAX_ITEMS)
    shown = [f"{label_and_name(run.qbaf, name)} {fixed(first, 4)} → {fixed(last, 4)}" for name, first, last in ends]
    head = f"{run.solver} strengths under {run.semantics} from {run.times[0]:g} to {run.times[-1]:g}"
    return f"{head} ({count(len(run.times), 'time')}): {_cut(shown, len(run.qbaf))}"


def describe_check(found: Check) -> str:
    """Say what a graph holds, and whether its strengths are defined."""
    edges = f"{count(found.attacks, 'attack')}, {count(found.supports, 'support')}"
    parts = [f"{count(found.arguments, 'argument')}, {edges}"]
    if found.weighted:
        parts.append(f"{count(found.weighted, 'weight')} other than 1")
    if found.isolated:
        parts.append(f"{count(len(found.isolated), 'argument')} without any edge: {quote_names(found.isolated, 5)}")
    if found.qbaf.uncertain:
        parts.append(count(len(found.qbaf.uncertain), "uncertain base score"))
    on = f"{count(found.cyclic, 'argument')} on {count(found.cycles, 'group')} of cycles"
    parts.append(on if found.cycles else "acyclic")
    if found.undefined is not None:
        parts.append(f"strengths are undefined: {found.undefined}")
    else:
        parts.append(f"strengths are defined under {found.semantics} ({count(found.steps or 0, 'step')})")
    return "; ".join(parts)


def write_path(path: Path) -> tuple[str, str]:
    """Write what a path does, and its arguments: `raises t by 0.250 per unit of base score`, `a —attacks→ t`."""
    steps = zip(path.relations, path.names[1:], strict=True)
    trail = path.names[0] + "".join(f" —{how}→ {name}" for how, name in steps)
    amount = "" if path.share is None else f" by {number(abs(path.share))} per unit of base score"
    return f"{'raises' if path.sign > 0 else 'lowers'} {path.names[-1]}{amount}", trail


def describe_path(path: Path) -> str:
    """Write `raises t by 0.250 per unit of base score: a —attacks→ b —attacks→ t`."""
    return ": ".join(write_path(path))


def describe_paths(found: Paths) -> str:
    """List the paths, and say how many are left out."""
    ends = quote(visible(found.contributor)), quote(visible(found.topic))
    lines = [describe_path(path) for path in found] or ["no path leads from {} to {}".format(*ends)]
    if found.left_out:
        which = "other" if any(path.share is None for path in found) else "weaker"
        lines.append(f"({'' if found.counted_all else 'at least '}{count(found.left_out, f'{which} path')} left out)")
    return "\n".join(lines)


def describe_whatif(found: WhatIf) -> str:
    """Say how the gap changes, or how many strengths do."""
    if found.why_before is None or found.why_after is None:
        moved = [x for x in found.after if abs(found.after[x] - found.before[x]) > TIE_TOLERANCE]
        return f"The strength of {len(moved)} of {count(len(found.after), 'argument')} changes."
    qbaf, why = found.before.qbaf, found.why_before
    fact, foil = quote_label(qbaf, why.fact), quote_label(qbaf, why.foil)
    return f"{fact} was {_ahead(why.gap, foil)}; it is now {_ahead(found.why_after.gap, 'it')}."


def _ahead(gap: float, foil: str) -> str:
    if abs(gap) <= TIE_TOLERANCE:
        return f"level with {foil}"
    return f"{'ahead of' if gap > 0 else 'behind'} {foil} by {number(abs(gap))}"


def describe_witness(found: Witness) -> str:
    """Say which property is violated, by what, and in which graph."""
    from ..axioms.outcomes import describe_graph

    where = describe_graph(found.qbaf)
    return f"{found.axiom} is violated by {found.caf} under {found.semantics}: {found.words}; in {where}"


def describe_not_applicable(found: NotApplicable) -> str:
    """Say why a property was not tested or not decided."""
    return f"{found.axiom} {'is not decided' if found.undecided else 'does not apply'}: {found.reason}"


def describe_tried(found: Tried) -> str:
    """Say in how many graphs no violation was found."""
    text = f"none in {count(found.graphs, 'graph')}"
    if found.applied < found.graphs:
        text += f" ({found.applied:,} apply)"
    return text + (f", {found.undecided:,} not decided" if found.undecided else "")


def describe_axioms(table: AxiomTable) -> str:
    """Write a Markdown table, with the witnesses below it."""
    from ..axioms import AXIOMS, Witness

    rows = [[AXIOMS[axiom].title, *(_describe_cell(table[axiom, caf]) for caf in table.cafs)] for axiom in table.axioms]
    notes = [f"- {describe_witness(each)}" for each in table.cells.values() if isinstance(each, Witness)]
    return "\n".join([markdown_table((table.semantics, *table.cafs), rows), *([""] if notes else []), *notes])


def _describe_cell(found: Witness | Tried) -> str:
    from ..axioms import Tried

    if isinstance(found, Tried):
        return describe_tried(found)
    return f"violated, {count(len(found.qbaf), 'argument')}, {count(len(found.qbaf.weights), 'edge')}"


def describe_network_contrast(found: NetworkContrast) -> str:
    """Write the contrast of an instance in one sentence, with who played and what was explained."""
    fact, foil = Quoted(quote(visible(found.fact))), Quoted(quote(visible(found.foil)))
    said = [compare(fact, foil, found.strengths[found.fact], found.strengths[found.foil], "rated.")]
    side = -1.0 if found.gap < -TIE_TOLERANCE else 1.0
    strong = [(write_amount(Quoted(quote(visible(x))), value), value * side) for x, value in found.ranked()]
    leading = [each for each, value in strong if value >= SHOWN_AS_ZERO][:2]
    counter = [each for each, value in strong if value <= -SHOWN_AS_ZERO][:1]
    if found.method in METHODS and METHODS[found.method].adds_up:
        said += write_because(leading, counter)
    elif leading or counter:
        said.append(state("largest.values", what=name_value(found.method), reasons=[*leading, *counter]))
    who = f"the {count(len(found), 'input')}" if found.players == "inputs" else "all arguments"
    marked = ", of the network's own function" if found.explains != QBAF else ""
    text = "".join(map(choose("en").write, said))
    return f"{text}; players: {who} ({found.method}, {found.readout} readout{marked})."


def describe_audit(audit: Audit) -> str:
    """Say how often predictions flip, and list ranks and contributions of all features."""
    fact, foil, protected = (quote(visible(each)) for each in (audit.fact, audit.foil, audit.protected))
    lines = [
        f"Why {fact} rather than {foil}, with {protected} protected: "
        f"{count(len(audit.instances), 'instance')} of {audit.rows:,} ({visible(audit.choice)})",
        f"players: the inputs; {audit.network.readout} readout; explains {visible(audit.explains)}",
        f"flip rate {fixed(audit.flip_rate, 2)} ({audit.flips} of {audit.candidates} {visible(audit.asked)}); "
        f"{audit.changed:.0%} of all predictions change with {protected} alone",
    ]
    for method in audit.table:
        lines += ["", *_list_features(audit, method)]
    for title, runs in (("over seeds", audit.runs), (f"null, {protected} shuffled", audit.null)):
        if runs is not None:
            lines += ["", *_list_runs(audit.methods, title, runs)]
    return "\n".join(lines)


def _list_features(audit: Audit, method: str) -> list[str]:
    width = max(len(visible(name)) for name in audit.network.inputs) + 2
    lines = [f"{method:<{width}}  rank, individual → contrastive            |φ|, individual → contrastive"]
    for name, each in audit.table[method].items():
        one, two = each.individual_rank, each.contrastive_rank
        mark = "*" if name == audit.protected else " "
        lines.append(
            f"{mark}{visible(name):<{width}} {one.mean:5.2f} [{one.low:.2f}, {one.high:.2f}] → {two.mean:5.2f} "
            f"[{two.low:.2f}, {two.high:.2f}]   {each.individual.mean:7.4f} → {each.contrastive.mean:7.4f}"
        )
    return lines


def _list_runs(methods: Iterable[str], title: str, runs: Runs) -> list[str]:
    without = f"{runs.without_flips} of them without a flip"
    lines = [f"{title}: {count(len(runs.runs), 'network')}, flip rate {fixed(runs.rate, 2)}, {without}"]
    for method in methods:
        found = runs.rank(method)
        if found is not None:
            lines.append(f"  {method}: rank {' → '.join(with_interval(*each, 2, '(–)') for each in found)}")
    return lines
