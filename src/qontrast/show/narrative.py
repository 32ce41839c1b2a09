"""Put results into words: every sentence about a result is written here.

`statements` says what is said, a language how; this module joins the two. The longer text of a contrast, `paragraph`,
says who is ahead and by how much, the strongest reasons on both sides, what is strong on both topics and so cancels,
what would be missed by looking at the fact alone, what the two topics do to each other, and how it was measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

from ..attribution.methods import METHODS, rank_contributions
from ..errors import quote_names
from ..graph.labels import label_and_name, label_text, name_suffix, quote, quote_label, shorten, visible
from ..networks.result import QBAF
from ..results.base import TIE_TOLERANCE
from . import statements as st
from .numbers import SHOWN_AS_ZERO, fixed, number
from .phrasing import choose, list_amounts, render, render_order, render_short

if TYPE_CHECKING:
    from ..attribution.matrix import Phi
    from ..attribution.methods import Attribution
    from ..auditing.result import Audit
    from ..auditing.retraining import Runs
    from ..axioms import AxiomTable, NotApplicable, Tried, Witness
    from ..engine.problem import Strengths
    from ..explain.check import Check
    from ..explain.contrast import Contrast
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
MAX_MOVING = 3  # arguments without a strength that a sentence names
MAX_ITEMS = 20  # arguments or pairs that a text shows


def sentence(why: Contrast, *, language: str = "en") -> str:
    """Write a contrast in one sentence: both topics, the gap, the strongest reasons for and against.

    Parameters
    ----------
    why : Contrast
        The contrast.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The sentence, which is also `str(why)`.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse")
    >>> sentence(why).partition(",")[0]
    '“It is a zebra” (0.875) is rated above “It is a horse” (0.500) by 0.375'
    >>> sentence(why, language="de").partition(";")[0]
    '„It is a zebra“ (0,875) liegt um 0,375 vor „It is a horse“ (0,500)'
    """
    return render_short(st.summarize(why), choose(language))


def paragraph(why: Contrast, *, limit: int = 3, measured: bool = True, language: str = "en") -> str:
    """Write a contrast as a paragraph that a patient or a judge can read.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Reasons on each side.
    measured : bool
        Whether the last sentences say how it was measured and what the method promises.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The paragraph.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse")
    >>> paragraph(why, limit=1, measured=False).rpartition("; ")[2]
    'in favour of “It is a horse”, “It eats plants” (−0.062).'
    """
    return " ".join(sentences(why, limit=limit, measured=measured, language=language))


def sentences(why: Contrast, *, limit: int = 3, measured: bool = True, language: str = "en") -> list[str]:
    """Write the sentences of `paragraph`, one by one.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Reasons on each side.
    measured : bool
        Whether the last sentences say how it was measured and what the method promises.
    language : str
        "en" or "de".

    Returns
    -------
    list of str
        The sentences.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> sentences(contrast(examples.load("zebra"), "zebra", "horse"))[0]
    '“It is a zebra” is ahead of “It is a horse”: 0.875 against 0.500, a gap of 0.375.'
    """
    said = [*st.find_answer(why, limit), *st.find_context(why), *(st.find_measurement(why) if measured else [])]
    return render(said, choose(language))


def account(why: Contrast, *, language: str = "en") -> str:
    """Say what the gap is made of, in one line; of values that are no shares of it, that they are not added up.

    Parameters
    ----------
    why : Contrast
        The contrast.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> account(contrast(examples.load("zebra"), "zebra", "horse"))
    'Gap +0.3750 = base scores 0, contributions +0.3750, effect of the two topics on each other 0.'
    """
    return render([st.find_account(why)], choose(language))[0]


def write_comparison(
    qbaf: Qbaf, strengths: Mapping[Name, float], fact: Name, foil: Name, *, language: str = "en"
) -> str:
    """Say which of two topics is stronger and by how much, where no contrast says why."""
    order = st.compare(quote_label(qbaf, fact), quote_label(qbaf, foil), strengths[fact], strengths[foil])
    return render_order(order, choose(language)) + "."


def write_undefined(qbaf: Qbaf, moving: Sequence[Name]) -> str:
    """Say that there are no strengths, since some arguments do not converge."""
    listed = ", ".join(quote_label(qbaf, name) for name in moving[:MAX_MOVING])
    others = " and others" if len(moving) > MAX_MOVING else ""
    return f"No strengths here: {listed}{others} do not converge, so nothing can be compared."


def write_nothing_to_compare(qbaf: Qbaf) -> str:
    """Say that a graph of fewer than two arguments has no contrast."""
    only = next(iter(qbaf), None)
    return "There is no argument here." if only is None else f"{quote_label(qbaf, only)} has nothing to compare with."


def write_question(why: Contrast, *, language: str = "en") -> str:
    """Write the question that a contrast answers."""
    order, to = st.find_order(why), choose(language)
    key = "question.behind" if order.relation.endswith("behind") else "question"
    return to.say(key, fact=to.name(order.fact), foil=to.name(order.foil))


def name_value(method: str, whole: str = "gap", *, combined: bool = False, language: str = "en") -> str:
    """Say what one number of a method is, of the "gap" or of one topic's "strength": `share of the gap`.

    >>> name_value("shapley"), name_value("gradient", "strength", language="de")
    ('share of the gap', 'Steigung der Stärke je Einheit des Basiswerts')
    """
    to = choose(language)
    if combined or method not in METHODS:
        return to.say("value.combined" if combined else "value")
    return to.text(METHODS[method].value).format(whole=to.say(f"whole.{whole}"), of=to.say(f"of.{whole}"))


# -- the other results ------------------------------------------------------------------------------------------------


def describe_flip(found: Flip, *, language: str = "en") -> str:
    """Say what would make the foil win, and what was tried to find it."""
    return " ".join(render(st.find_flip(found), choose(language)))


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
    what = f"{name_value(one.method, 'strength')} ({one.method}, {one.semantics})"
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
    size = f"{len(phi.topics)} topics by {phi.values.shape[1]:,} arguments"
    return f"{phi.method} under {phi.problem.semantics.name}, {size}: topics {quote_names(phi.topics, 5)}"


def describe_pairs(pairs: Pairs) -> str:
    """List the gaps of the first pairs."""
    qbaf, gaps = pairs.qbaf, pairs.gaps
    head = f"{len(pairs.topics)} topics, {pairs.phi.method} under {pairs.phi.problem.semantics.name}"
    labels = [label_and_name(qbaf, topic) for topic in pairs.topics]
    ends = islice(combinations(range(len(labels)), 2), MAX_ITEMS)
    lines = [f"{labels[i]} over {labels[j]} {number(gaps[i, j], '+')}" for i, j in ends]
    return "\n".join([head, *_cut_lines(lines, len(labels) * (len(labels) - 1) // 2)])


def describe_chained(found: Chained) -> str:
    """List the strongest contributions of the first pairs."""
    head = f"{len(found.topics)} topics, {found.calls} calls of the CAF, {found.additions} additions"
    lines = []
    for (fact, foil), each in islice(found.values.items(), MAX_ITEMS):
        said = ", ".join(f"{x} {number(value, '+')}" for x, value in rank_contributions(each)[:3])
        lines.append(f"{fact} over {foil}: {said or 'no contributors'}{', …' if len(each) > 3 else ''}")
    return "\n".join([head, *_cut_lines(lines, len(found.values))])


def _cut_lines(lines: Sequence[str], size: int) -> list[str]:
    return [*lines, *([f"… ({size - len(lines):,} more pairs)"] if size > len(lines) else [])]


def describe_trajectory(run: Trajectory) -> str:
    """List the first and the last strengths."""
    ends = islice(zip(run.qbaf, run.strengths[0].tolist(), run.strengths[-1].tolist(), strict=True), MAX_ITEMS)
    shown = [f"{label_and_name(run.qbaf, name)} {fixed(first, 4)} → {fixed(last, 4)}" for name, first, last in ends]
    head = f"{run.solver} strengths under {run.semantics} from {run.times[0]:g} to {run.times[-1]:g}"
    return f"{head} ({len(run.times)} times): {_cut(shown, len(run.qbaf))}"


def describe_check(found: Check) -> str:
    """Say what a graph holds, and whether its strengths are defined."""
    edges = f"{_count(found.attacks, 'attack')}, {_count(found.supports, 'support')}"
    parts = [f"{_count(found.arguments, 'argument')}, {edges}"]
    if found.weighted:
        parts.append(f"{_count(found.weighted, 'weight')} other than 1")
    if found.isolated:
        parts.append(f"{_count(len(found.isolated), 'argument')} without any edge: {quote_names(found.isolated, 5)}")
    on = f"{_count(found.cyclic, 'argument')} on {_count(found.cycles, 'group')} of cycles"
    parts.append(on if found.cycles else "acyclic")
    if found.undefined is not None:
        parts.append(f"strengths are undefined: {found.undefined}")
    else:
        parts.append(f"strengths are defined under {found.semantics} ({_count(found.steps or 0, 'step')})")
    return "; ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


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
        lines.append(f"({'' if found.counted_all else 'at least '}{found.left_out:,} {which} paths left out)")
    return "\n".join(lines)


def describe_whatif(found: WhatIf) -> str:
    """Say how the gap changes, or how many strengths do."""
    if found.why_before is None or found.why_after is None:
        moved = [x for x in found.after if abs(found.after[x] - found.before[x]) > TIE_TOLERANCE]
        return f"The strength of {len(moved)} of {len(found.after)} arguments changes."
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
    text = f"none in {found.graphs:,} graphs"
    if found.applied < found.graphs:
        text += f" ({found.applied:,} apply)"
    return text + (f", {found.undecided:,} not decided" if found.undecided else "")


def describe_axioms(table: AxiomTable) -> str:
    """Write a Markdown table, with the witnesses below it."""
    from ..axioms import AXIOMS, Witness

    lines = ["| " + " | ".join((table.semantics, *table.cafs)) + " |", "|---" * (len(table.cafs) + 1) + "|"]
    for axiom in table.axioms:
        cells = (_describe_cell(table[axiom, caf]) for caf in table.cafs)
        lines.append(f"| {AXIOMS[axiom].title} | {' | '.join(cells)} |")
    notes = [f"- {describe_witness(each)}" for each in table.cells.values() if isinstance(each, Witness)]
    return "\n".join([*lines, "", *notes] if notes else lines)


def _describe_cell(found: Witness | Tried) -> str:
    from ..axioms import Tried

    if isinstance(found, Tried):
        return describe_tried(found)
    return f"violated, {len(found.qbaf)} arguments, {len(found.qbaf.weights)} edges"


def describe_network_contrast(found: NetworkContrast) -> str:
    """Write the contrast of an instance in one sentence, with who played and what was explained."""
    to = choose("en")
    fact, foil = quote(visible(found.fact)), quote(visible(found.foil))
    order = st.compare(fact, foil, found.strengths[found.fact], found.strengths[found.foil])
    side = -1.0 if found.gap < -TIE_TOLERANCE else 1.0
    strong = [(st.Amount(quote(visible(n)), number(v, "+")), v * side) for n, v in found.ranked()]
    leading = tuple(each for each, value in strong if value >= SHOWN_AS_ZERO)[:2]
    counter = tuple(each for each, value in strong if value <= -SHOWN_AS_ZERO)[:1]
    text = render_order(order, to)
    if found.method in METHODS and METHODS[found.method].adds_up:
        text += to.say("because", reasons=list_amounts(leading, to)) if leading else ""
        text += to.say("counterweight", reasons=list_amounts(counter, to)) if counter else ""
    elif leading or counter:
        values = list_amounts([*leading, *counter], to)
        text += to.say("largest.values", what=name_value(found.method), reasons=values)
    who = f"the {len(found)} inputs" if found.players == "inputs" else "all arguments"
    marked = ", of the network's own function" if found.explains != QBAF else ""
    return f"{text}; players: {who} ({found.method}, {found.readout} readout{marked})."


def describe_audit(audit: Audit) -> str:
    """Say how often predictions flip, and list ranks and contributions of all features."""
    fact, foil, protected = (quote(visible(each)) for each in (audit.fact, audit.foil, audit.protected))
    lines = [
        f"Why {fact} rather than {foil}, with {protected} protected: "
        f"{len(audit.instances)} instances of {audit.rows} ({visible(audit.choice)})",
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
    lines = [f"{title}: {len(runs.runs)} networks, flip rate {fixed(runs.rate, 2)}, {without}"]
    for method in methods:
        found = runs.rank(method)
        if found is not None:
            (a, low, high), (b, least, most) = found
            lines.append(f"  {method}: rank {a:.2f} ({low:.2f}–{high:.2f}) → {b:.2f} ({least:.2f}–{most:.2f})")
    return lines
