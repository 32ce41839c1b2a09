"""Words such as proved, incomplete, stopped and `=` stand in a text exactly where the result has the evidence."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.show import account, describe
from qontrast.show.change_texts import find_main_reason
from qontrast.show.narrative import SUM_TOLERANCE
from qontrast.show.phrasing import LANGUAGES
from qontrast.types import Floats
from tests.support import worded_results

Evidence = Callable[[Any], bool]
# what a text says, by language, and when it may and must
CLAIMS: dict[str, list[tuple[dict[str, str], Evidence]]] = {
    "reasons": [
        ({"en": "Not all sets were examined", "de": "Nicht alle Mengen wurden geprüft"},
         lambda each: not each.complete),
        ({"en": "it is not proved", "de": "es ist nicht bewiesen"}, lambda each: bool(each.unproved)),
        ({"en": "was stopped by", "de": "wurde durch das Zeitlimit"},
         lambda each: each.stopped and each.time_limit is not None),
    ],
    "reached": [
        ({"en": "It is proved that (no change is cheaper|fewer moves)",
          "de": "Es ist bewiesen, dass (keine Änderung um mehr|weniger Änderungen)"},
         lambda each: bool(each.change) and each.proved),
        ({"en": "every such change costs at least", "de": "jede solche Änderung mindestens"},
         lambda each: bool(each.change) and not each.proved and each.lower > 0),
        ({"en": "That no cheaper change exists is not proved",
          "de": "Dass es keine billigere Änderung gibt, ist nicht bewiesen"},
         lambda each: bool(each.change) and not each.proved and not each.lower > 0),
        ({"en": "; this is proved|cannot be reached", "de": "; das ist bewiesen|nicht erreichen"},
         lambda each: each.change is None and each.possible is False),
        ({"en": "That none exists is not proved", "de": "Dass es keine gibt, ist nicht bewiesen"},
         lambda each: each.change is None and each.possible is not False),
        ({"en": "was stopped early", "de": "vorzeitig beendet"},
         lambda each: each.change != {} and each.stopped and not each.proved),
    ],
    "flips": [
        ({"en": "It is proved that no change", "de": "Es ist bewiesen, dass keine Änderung"},
         lambda each: is_open(each) and each.change is None and each.change_proved and each.movable > 0),
        ({"en": "; no smaller set does it", "de": "; keine kleinere Menge genügt"},
         lambda each: is_open(each) and each.removal is not None and len(each.removal) > 1 and each.proved),
        ({"en": "Removing arguments (does not do it|brings)", "de": "Der Wegfall von Argumenten"},
         lambda each: is_open(each) and each.removal is None and each.removable > 0 and each.proved),
        ({"en": "was stopped by|was interrupted", "de": "Zeitlimit|wurde unterbrochen"},
         lambda each: is_open(each) and each.stopped),
    ],
    "robustnesses": [
        ({"en": "No change of (?!.*was found)", "de": "Keine Änderung .* beendet den Vorsprung"},
         lambda each: each.ahead is not None and each.impossible),
        ({"en": "The order holds as long as", "de": "Die Reihenfolge gilt, solange"},
         lambda each: each.ahead is not None and not each.impossible and each.certified > 0),
        ({"en": "beyond that,", "de": "darüber kann"},
         lambda each: each.ahead is not None and 0 < each.certified < np.inf > each.found and each.exact),
        ({"en": "was stopped early", "de": "vorzeitig beendet"},
         lambda each: each.ahead is not None and not each.impossible and each.stopped),
    ],
}  # fmt: skip


def is_open(found: qx.Flip) -> bool:
    """Whether something has to change at all."""
    return found.gap > -1e-6


FLAGS: dict[str, dict[str, tuple[Any, ...]]] = {  # what is changed in every result, one combination after the other
    "reasons": {"complete": (True, False), "stopped": (True, False), "examined": (0, 1, 3), "time_limit": (None, 2.5)},
    "reached": {"proved": (True, False), "lower": (0.0, 0.125), "stopped": (True, False),
                "possible": (None, True, False)},
    "flips": {"proved": (True, False), "change_proved": (True, False), "change_stopped": (True, False),
              "removal_stopped": (True, False), "interrupted": (True, False)},
    "robustnesses": {"exact": (True, False), "stopped": (True, False), "found": (0.25, np.inf)},
}  # fmt: skip


@cache
def vary(kind: str) -> list[Any]:
    """The results of one kind, each with every combination of what is known about it."""
    names = list(FLAGS[kind])
    return [
        dataclasses.replace(found, **dict(zip(names, values, strict=True)))
        for found in getattr(worded_results, kind)()
        for values in product(*FLAGS[kind].values())
    ]


@pytest.mark.parametrize("kind", CLAIMS)
def test_what_is_claimed_is_known_and_what_is_known_is_claimed(kind: str) -> None:
    seen: dict[int, set[bool]] = {k: set() for k in range(len(CLAIMS[kind]))}
    for found in vary(kind):
        texts = {code: describe(found, language=code) for code in LANGUAGES}
        for k, (words, evidence) in enumerate(CLAIMS[kind]):
            known = bool(evidence(found))
            seen[k].add(known)
            for code, text in texts.items():
                assert (re.search(words[code], text) is not None) == known, text
    for k, (words, _) in enumerate(CLAIMS[kind]):
        assert seen[k] == {True, False}, words


def test_a_search_for_reasons_that_was_cut_off_says_up_to_which_size_sets_are_missing() -> None:
    for found in worded_results.reasons():
        for examined, said in (
            (0, "sets may be missing"),
            (1, "more than 1 player may"),
            (4, "more than 4 players may"),
        ):
            text = str(dataclasses.replace(found, complete=False, examined=examined, stopped=False))
            assert said in text


# -- what a gap is made of ------------------------------------------------------------------------------------------


def shift(why: qx.Contrast, by: float) -> qx.Contrast:
    """The same with one contribution that is larger."""
    array: Floats = why.array.copy()
    array[next(why.players.index(x) for x in why)] += by
    return dataclasses.replace(why, array=array)


def make_contrasts() -> Iterator[qx.Contrast]:
    yield from worded_results.contrasts()
    for why in worded_results.contrasts():
        if len(why) and np.isfinite(list(why.values())).all():
            yield from (shift(why, by) for by in (0.5 * SUM_TOLERANCE, 2 * SUM_TOLERANCE, 1e-6, -0.01))


def test_a_gap_is_said_to_be_a_sum_exactly_where_its_parts_are_shares_and_add_up() -> None:
    seen = set()
    for why in make_contrasts():
        parts = why.base_gap + sum(why.values()) + why.cross_topic.component
        adds_up = abs(why.gap - parts) <= SUM_TOLERANCE
        shares = why.method in ("shapley", "sampled", "owen", "mine") and not why.combined and why.fact != why.foil
        seen.add((adds_up, shares))
        for code in LANGUAGES:
            assert (" = " in account(why, language=code)) == (adds_up and shares), (why.method, why.gap - parts)
    assert seen == {(True, True), (False, True), (True, False), (False, False)}


@pytest.mark.parametrize(("by", "moved"), [(0.0, False), (1e-12, False), (1e-7, True), (1e-4, True), (0.1, True)])
def test_a_change_made_no_difference_exactly_where_the_gap_is_the_same(by: float, moved: bool) -> None:
    graph = qx.Qbaf({"p": 0.6, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p")], semantics="df-quad")
    changed = graph.with_base_scores({"x": 0.5 + by, "y": 0.75})
    found = qx.change(graph, changed, "p", "q")
    steps = qx.history([graph, changed, graph], "p", "q")
    for code, words in {"en": "no change made a difference", "de": "keine Änderung wirkte sich"}.items():
        assert (words in describe(found, language=code)) == (not moved)
        assert (words in describe(steps, language=code)) == (not moved)
        said = LANGUAGES[code].write(find_main_reason(steps.steps[0]))
        assert (words in said) == (not moved)
