"""Put into words how sure an order is, and where the doubt comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .numbers import Number, fixed, number, significant
from .phrasing import Language, Statement, call, call_topics, choose, state

if TYPE_CHECKING:
    from ..explain.uncertainty import Uncertainty
    from ..graph.distributions import Distribution
    from ..types import Name

MIN_SHARE = 0.1  # of the variance: smaller sources of doubt are not named
MAX_SOURCES = 2
MAX_SAMPLES = 3  # that a table names one by one
PARTS = {  # a share in words, where it is within 0.03 of the number
    "half": 0.5,
    "third": 1 / 3,
    "two thirds": 2 / 3,
    "quarter": 0.25,
    "three quarters": 0.75,
}
NEAR = 0.03
NEARLY_ALL = 0.95


def describe_uncertainty(found: Uncertainty, *, language: str = "en") -> str:
    """Say how probable the order is, where the doubt comes from, and what to check next."""
    return "".join(map(choose(language).write, find_uncertainty(found)))


def find_uncertainty(found: Uncertainty) -> list[Statement]:
    """Say how probable the order is, where the doubt comes from, and what to check next."""
    said = [_find_order(found), *_find_rest(found), *_find_sources(found)]
    return [*said, state("sure.end"), *_find_next(found)]


def write_percent(part: float) -> Statement:
    """Write a probability as a whole percentage, and never as 0 % or 100 % where it is neither.

    >>> choose("en").write(write_percent(0.913)), choose("en").write(write_percent(0.9999))
    ('91 %', 'more than 99 %')
    """
    if part > 0.99 and part < 1:
        return state("sure.percent.most")
    if 0 < part < 0.01:
        return state("sure.percent.least")
    return state("sure.percent", number=f"{100 * part:.0f}")


def _find_order(found: Uncertainty) -> Statement:
    """Say how often the topic is ahead that is ahead more often."""
    names = call_topics(found)
    first, second = names.values() if _is_fact_first(found) else reversed(names.values())
    part = max(found.probability, found.behind)
    if part == 1 and found.samples:
        return state("sure.all", first=first, second=second)
    return state("sure.ahead", first=first, second=second, part=write_percent(part))


def _is_fact_first(found: Uncertainty) -> bool:
    """Say whether the fact is ahead at least as often as the foil: the sentence is about the one that is."""
    return found.probability >= found.behind


def _find_rest(found: Uncertainty) -> list[Statement]:
    """Say how often the two are tied, and how often there are no strengths."""
    parts = {"tied": found.tie, "undefined": found.undefined}
    return [state(f"sure.{key}", part=write_percent(part)) for key, part in parts.items() if part > 0]


def _find_sources(found: Uncertainty) -> list[Statement]:
    """Say from which arguments the doubt comes, or the spread of the gap where there is no doubt."""
    strong = [(name, share) for name, share in found.ranked() if share >= MIN_SHARE][:MAX_SOURCES]
    if not strong:
        return []
    key = "sure.doubt" if found.wrong_order > 0 else "sure.spread"
    (name, share), *others = strong
    if share >= NEARLY_ALL:
        return [state("sure.source", what=state(f"{key}.all"), who=call(found.qbaf, name))]
    said = state("sure.source", what=state(key, share=_write_share(share)), who=call(found.qbaf, name))
    return [said, *(state("sure.source.more", share=_write_share(s), who=call(found.qbaf, x)) for x, s in others)]


def _write_share(share: float) -> Statement:
    """Write a share of the doubt: `half`, or a percentage."""
    near = [key for key, value in PARTS.items() if abs(share - value) <= NEAR]
    return state(f"sure.part.{near[0]}") if near else write_percent(share)


def _find_next(found: Uncertainty) -> list[Statement]:
    """Say what to check next, and by how much that would lower the risk of the wrong order."""
    name: Name | None = found.check_next
    if name is None or len(found.scores) == 1:
        return []
    who, drop = call(found.qbaf, name), found.expected_drop.get(name, 0.0)
    now, then = found.wrong_order, max(0.0, found.wrong_order - drop)
    if drop <= 2 * found.expected_drop_error.get(name, 0.0) or f"{now:.2f}" == f"{then:.2f}":
        return [state("sure.next", who=who)]
    return [state("sure.next.risk", who=who, now=write_percent(now), then=write_percent(then))]


def list_shares(found: Uncertainty, to: Language) -> list[tuple[Name, tuple[str, ...]]]:
    """List the uncertain arguments, each with what it may be, both shares, and how much less risk if it were known."""
    rows: list[tuple[Name, tuple[str, ...]]] = []
    for name, share in found.ranked():
        drop = fixed(found.expected_drop[name], 3) if name in found.expected_drop else Number("–")
        numbers = (fixed(share, 3), fixed(found.total[name], 3), drop)
        rows.append((name, (to.write(write_distribution(found.scores[name])), *map(to.number, numbers))))
    return rows


def write_distribution(scores: Distribution) -> Statement:
    """Write what a base score may be; many samples are counted.

    >>> from qontrast import Beta, Interval
    >>> choose("en").write(write_distribution(Interval(0.6, 0.9))), choose("de").write(write_distribution(Beta(8, 2.5)))
    ('0.6 to 0.9', 'Beta(8; 2,5)')
    """
    numbers = [significant(each) for each in scores.parameters]
    if scores.kind != "samples":
        return state(f"sure.scores.{scores.kind}", one=numbers[0], other=numbers[1])
    if len(numbers) > MAX_SAMPLES:
        return state("sure.scores.samples", count=len(numbers))
    return state("sure.scores.listed", numbers=numbers)


def describe_sampling(found: Uncertainty, *, language: str = "en") -> str:
    """Say how the numbers were found, with the error of the probability and the quick answer beside.

    Cases are drawn for two tables of `samples` rows, and the probability is of both.
    """
    to = choose(language)
    if not found.samples:
        return to.say("sure.made.delta")
    quick = ""
    if found.delta is not None:
        ahead = found.delta.probability
        quick = to.say("sure.made.beside", part=write_percent(ahead if _is_fact_first(found) else 1 - ahead))
    error = number(100 * found.std_error, digits=1)
    return to.count("sure.made", found.samples, error=error, seed=str(found.seed), quick=quick)
