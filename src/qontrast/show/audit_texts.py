"""Put contrasts of networks, and audits of them, into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..attribution.methods import METHODS
from ..graph.labels import quote, visible
from ..networks.result import QBAF
from ..results.base import TIE_TOLERANCE
from .numbers import SHOWN_AS_ZERO, fixed, significant, with_interval
from .phrasing import (
    Language,
    Quoted,
    Statement,
    TableText,
    choose,
    compare,
    name_value,
    state,
    write_amount,
    write_because,
)
from .uncertainty_texts import write_percent

if TYPE_CHECKING:
    from ..auditing.result import Audit
    from ..auditing.retraining import Runs
    from ..networks.result import NetworkContrast


def _call(name: object) -> Quoted:
    """Write the name of a class or a feature as it is called in a sentence."""
    return Quoted(quote(visible(name)))


def describe_network_contrast(found: NetworkContrast, *, language: str = "en") -> str:
    """Write the contrast of an instance in one sentence, with who played and what was explained."""
    to = choose(language)
    own, other = found.strengths[found.fact], found.strengths[found.foil]
    said = [compare(_call(found.fact), _call(found.foil), own, other, "rated.")]
    side = -1.0 if found.gap < -TIE_TOLERANCE else 1.0
    strong = [(write_amount(_call(x), value), value * side) for x, value in found.ranked()]
    leading = [each for each, value in strong if value >= SHOWN_AS_ZERO][:2]
    counter = [each for each, value in strong if value <= -SHOWN_AS_ZERO][:1]
    if found.method in METHODS and METHODS[found.method].adds_up:
        said += write_because(leading, counter)
    elif leading or counter:
        what = name_value(found.method, language=language)
        said.append(state("largest.values", what=what, reasons=[*leading, *counter]))
    who = state("network.inputs", count=len(found)) if found.players == "inputs" else state("network.all")
    function = state("network.function") if found.explains != QBAF else ""
    said.append(state("network.made", who=who, method=found.method, readout=found.readout, function=function))
    return "".join(map(to.write, said))


def describe_audit(audit: Audit, *, language: str = "en") -> str:
    """Say how often predictions flip, and list ranks and contributions of all features."""
    to = choose(language)
    lines = write_summary(audit, language=language)
    for method in audit.table:
        lines += ["", *_list_features(audit, method, to)]
    for key, runs in (("audit.runs", audit.runs), ("audit.null", audit.null)):
        if runs is not None:
            title = to.say(key, protected=_call(audit.protected))
            lines += ["", *_list_runs(audit.methods, title, runs, to)]
    return "\n".join(lines)


def write_summary(audit: Audit, *, language: str = "en") -> list[str]:
    """Write the question, who played, and how often predictions flip: a line for each."""
    to = choose(language)
    protected = _call(audit.protected)
    instances = state("audit.instances", count=len(audit.instances), rows=to.integer(audit.rows))
    choice = state("audit.given") if audit.given else state("audit.those", protected=protected)
    flips = {"flips": to.integer(audit.flips), "candidates": to.integer(audit.candidates)}
    question = {"fact": _call(audit.fact), "foil": _call(audit.foil), "protected": protected}
    return [
        to.say("audit.question", instances=instances, choice=choice, **question),
        to.say("audit.players", readout=audit.readout, explains=TableText(audit.explains)),
        to.say("audit.rate", rate=fixed(audit.flip_rate, 2), asked=_write_candidates(audit), **flips)
        + to.say("audit.changed", changed=write_percent(audit.changed), protected=protected),
    ]


def _write_candidates(audit: Audit) -> Statement:
    having: Statement | str = ""
    if audit.value is not None:
        having = state("audit.having", protected=_call(audit.protected), value=significant(audit.value, 6))
    return state("audit.rightly" if audit.labelled else "audit.predicted", fact=_call(audit.fact), having=having)


def _list_features(audit: Audit, method: str, to: Language) -> list[str]:
    width = max(len(visible(name)) for name in audit.features) + 2
    lines = [f"{method:<{width}}  {to.say('audit.heads')}"]
    for name, each in audit.table[method].items():
        one, two = each.individual_rank, each.contrastive_rank
        mark = "*" if name == audit.protected else " "
        ranks = " → ".join(to.number(with_interval(x.mean, x.low, x.high, 2, "[–]")) for x in (one, two))
        sizes = " → ".join(to.number(fixed(x.mean, 4)) for x in (each.individual, each.contrastive))
        lines.append(f"{mark}{visible(name):<{width}}  {ranks}   {sizes}")
    return lines


def _list_runs(methods: Iterable[str], title: str, runs: Runs, to: Language) -> list[str]:
    networks = state("audit.networks", count=len(runs.runs))
    without = state("audit.without", count=runs.without_flips)
    lines = [to.say("audit.again", title=title, networks=networks, rate=fixed(runs.rate, 2), without=without)]
    for method in methods:
        found = runs.rank(method)
        if found is not None:
            ranks = " → ".join(to.number(with_interval(*each, 2, "(–)")) for each in found)
            lines.append(to.say("audit.ranks", method=method, ranks=ranks))
    return lines
