"""Put the difference between versions of a graph into words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..graph.labels import label_text, visible
from ..results.base import TIE_TOLERANCE
from .numbers import SHOWN_AS_ZERO, Number, number, with_error, write_move
from .phrasing import Statement, call, choose, state

if TYPE_CHECKING:
    from ..explain.change import Change
    from ..explain.history import History
    from ..graph.qbaf import Qbaf
    from ..types import Name

MAX_REASONS = 4  # changes that a sentence names
MAX_NAMES = 4  # arguments of a list


def describe_change(found: Change, *, language: str = "en") -> str:
    """Say how the gap changed, which changes did it, and which of them would do alone."""
    return "".join(map(choose(language).write, find_change(found))) + "."


def find_change(found: Change) -> list[Statement]:
    """Collect the parts of one sentence."""
    said = [_find_move(found.after, found.fact, found.foil, found.gap_before, found.gap_after)]
    if not found.alone:
        return [*said, state("change.nothing")]
    if found.shares is None:
        said.append(state("change.refused", count=found.undefined_count))
    else:
        said += _find_reasons(found)
    said += _find_sets(found)
    if found.largest_set is not None:
        said.append(state("change.small", count=found.largest_set))
    return said


def _find_move(qbaf: Qbaf, fact: Name, foil: Name | None, before: float, after: float) -> Statement:
    ends = {"old": number(before), "new": number(after)}
    if foil is None:
        same = abs(after - before) <= TIE_TOLERANCE
        return state("change.topic.same" if same else "change.topic", fact=call(qbaf, fact), **ends)
    fields = {"fact": call(qbaf, fact), "foil": call(qbaf, foil)} | ends
    signs = [0 if abs(gap) <= TIE_TOLERANCE else 1 if gap > 0 else -1 for gap in (before, after)]
    ways = {1: "ahead", 0: "level", -1: "behind"}
    return state(f"change.{'stays' if signs[0] == signs[1] else 'becomes'}.{ways[signs[1]]}", **fields)


def _find_reasons(found: Change) -> list[Statement]:
    """Name the changes with the largest shares."""
    moved = [each for each in found.ranked() if abs(each[1]) > TIE_TOLERANCE]
    if not moved:
        return [state("change.no effect")]
    ranked = [each for each in moved if abs(each[1]) >= SHOWN_AS_ZERO] or moved[:1]
    named = [
        state("change.share", what=find_unit(found, unit), share=write_share(found, unit))
        for unit, _ in ranked[:MAX_REASONS]
    ]
    more = len(ranked) - MAX_REASONS
    return [state("change.reasons", reasons=[*named, *([state("more", count=more)] if more > 0 else [])])]


def write_share(found: Change, unit: Any, digits: int = 3) -> Number:
    """Write the share of a unit, with its error where it is sampled."""
    if found.std_error:
        return with_error(found[unit], found.std_error[unit], digits)
    return number(found[unit], "+", digits)


def find_unit(found: Change, unit: Any) -> Statement:
    """Say what a changed unit is."""
    if not isinstance(unit, tuple):
        return state("change.argument", who=_call(found, unit))
    kind, *names = unit
    if kind == "edge":
        return _find_edge(found, names[0], names[1])
    if kind == "base":
        old, new = write_move(found.before.base_scores[names[0]], found.after.base_scores[names[0]])
        return state("change.base", who=_call(found, names[0]), old=old, new=new)
    return state(f"change.{kind}", who=_call(found, names[0]))


def _find_edge(found: Change, source: Name, target: Name) -> Statement:
    ends = {"source": _call(found, source), "target": _call(found, target)}
    kinds, weights = zip(*(_read_edge(version, source, target) for version in (found.before, found.after)), strict=True)
    if kinds[0] is None or kinds[1] is None:
        return state(f"change.edge.{'new' if kinds[0] is None else 'gone'}.{kinds[0] or kinds[1]}", **ends)
    if kinds[0] != kinds[1]:
        return state(f"change.edge.now.{kinds[1]}", **ends)
    old, new = write_move(*weights)
    return state(f"change.edge.{kinds[0]}", **ends, old=old, new=new)


def _read_edge(version: Any, source: Name, target: Name) -> tuple[str | None, float]:
    for kind, edges in (("attack", version.attacks), ("support", version.supports)):
        if (source, target) in edges:
            return kind, edges[source, target]
    return None, 0.0


def _call(found: Change, name: Name) -> Any:
    return call(found.version_of(name), name)


def _find_sets(found: Change) -> list[Statement]:
    """Name the arguments whose changes alone would do, else a smallest set; and those that would restore the order."""
    if found.foil is None or not found.sufficient or found.sufficient == [frozenset()]:
        return []
    said, ways = [], {"sufficient": "change.alone", "counterfactual": "change.restore"}
    for kind, key in ways.items():
        sets = getattr(found, kind)
        single = [name for each in sets if len(each) == 1 for name in each]
        if single:
            said.append(state(key, names=_list_names(found, single), count=len(single)))
        elif sets and kind == "sufficient":
            said.append(state("change.together", names=_list_names(found, sorted(sets[0], key=str))))
    return said


def _list_names(found: Change, names: list[Name]) -> list[Any]:
    more = [state("more", count=len(names) - MAX_NAMES)] if len(names) > MAX_NAMES else []
    return [*(_call(found, name) for name in names[:MAX_NAMES]), *more]


def describe_history(found: History, *, language: str = "en") -> str:
    """Say how the gap changed over all versions, then in each step."""
    to = choose(language)
    lines = [to.write(each) for each in find_history(found)]
    for k, step in enumerate(found.steps):
        names = " → ".join(map(visible, found.names[k : k + 2]))
        lines.append(f"{names}: {describe_change(step, language=language)}")
    return "\n".join(lines)


def find_history(found: History) -> list[Statement]:
    """Say how the gap changed from the first version to the last."""
    last = found.steps[-1].after
    move = _find_move(last, found.fact, found.foil, found.gaps[0], found.gaps[-1])
    return [state("history", count=len(found.names), move=move)]


def find_main_reason(step: Change) -> Statement:
    """Name the change with the largest share in a step."""
    if step.shares is None:
        return state("history.refused")
    ranked = [unit for unit, share in step.ranked()[:1] if abs(share) > TIE_TOLERANCE]
    if not ranked:
        return state("history.none")
    return state("change.share", what=find_unit(step, ranked[0]), share=write_share(step, ranked[0]))


def label_unit(found: Change, unit: Any) -> str:
    """Write a unit for a table: `base score of Fever`, `edge Fever → Flu`."""
    if not isinstance(unit, tuple):
        return label_text(found.version_of(unit), unit)
    words = {"base": "base score of ", "add": "added ", "drop": "dropped ", "edge": "edge "}
    return words[unit[0]] + " → ".join(label_text(found.version_of(name), name) for name in unit[1:])
