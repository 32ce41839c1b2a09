"""The page while something changes, in a real Chromium: after each of many actions all that it shows is Python's."""

from __future__ import annotations

import contextlib
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from tests.support.browser import Open, pick, row, upload
from tests.support.page_checks import READ, check_choices, check_link, check_moving, check_settled
from tests.support.page_states import State, read_link
from tests.support.wait import wait_for_check

pytestmark = pytest.mark.heavy

SEEDS = range(4)
LENGTH = 14  # actions of one sequence, besides those that every sequence has
SEMANTICS = ("qe", "df-quad", "reb", "mlp", "df-quad-1-max")
METHODS = {
    "arguments": ("shapley", "removal", "gradient"),
    "edges": ("removal", "gradient"),
    "direct": ("shapley", "removal", "gradient"),
    "groups": ("shapley", "removal", "gradient"),
}
OWN = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "r": 0.6, "a": 0.3, "b": 1.0, "c": 0.0, "d": 0.75, "e": 0.9},
    supports={("a", "p"): 0.5, ("b", "q"): 1.0, ("d", "a"): 0.8, ("e", "r"): 0.3, ("c", "r"): 0.9},
    attacks={("a", "q"): 1.0, ("b", "p"): 0.8, ("d", "b"): 0.6, ("b", "d"): 0.7, ("e", "p"): 0.4, ("r", "q"): 0.2},
    topics=["p", "q", "r"],
    groups={"pair": ["a", "e"], "rest": ["c", "d"]},
    labels={"p": "Plan", "a": "An argument", "d": "Doubt"},
)
MOVE = f"""([name, value]) => {{
    const slider = document.querySelector(`.row[data-name="${{name}}"] [type=range]`);
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    return ({READ})();
}}"""


SETTLED = "body[data-ready]:not([data-quick], [data-stale], [data-behind], [data-busy])"


class Walk:
    """A page, the state that it must be in, and actions that change both."""

    def __init__(self, opened: Open, chance: random.Random, graph: qx.Qbaf | None = None) -> None:
        self.open, self.chance, self.page = opened, chance, opened()
        if graph is None:
            graph = qx.examples.load("healthcare")
            first = State(graph, "healthcare", "healthcare", None, None)
        else:
            upload(self.page, "own.json", json.dumps(graph.to_dict()))
            first = State(graph, "own.json", None, None, None, semantics=graph.semantics or "qe")
        self.states, self.at = [first.settle()], 0
        self.first_step = int(first.example is None)  # the example that a page begins with is a step of its history
        self.pinned: State | None = None
        self.moved: str | None = None  # the argument whose slider moved last: its next move would be the same step

    @property
    def now(self) -> State:
        return self.states[self.at]

    def change(self, moved: str | None = None, **part: Any) -> None:
        self.states[self.at + 1 :] = [replace(self.now, **part).tidy()]
        self.at, self.moved = self.at + 1, moved

    def check(self) -> None:
        """Wait until the page has come to rest, and compare all that it shows."""
        self.states[self.at] = self.now.settle()

        def compare() -> None:
            shown = self.page.evaluate(READ)
            check_settled(shown, self.now, self.pinned)
            buttons = self.at + self.first_step > 0, self.at < len(self.states) - 1
            assert (shown["buttons"]["undo"], shown["buttons"]["redo"]) == buttons

        self.page.wait_for_selector(SETTLED)
        wait_for_check(compare, lambda: self.page.wait_for_timeout(50))

    # -- actions: each returns False where it is not possible in this state

    def others(self) -> list[str]:
        return [name for name in self.now.graph.arguments if name not in self.now.removed and name != self.moved]

    def move(self, name: str | None = None, value: float | None = None, check: bool = True) -> bool:
        """Move a slider; what the page shows before the server has answered is compared with the quick method."""
        name, value = self.choose_score(name, value)
        shown = self.page.evaluate(MOVE, [name, value])
        self.set_score(name, value)
        if check:
            check_moving(shown, self.now, self.pinned)
        return True

    def type_number(self, name: str | None = None, value: float | None = None) -> bool:
        name, value = self.choose_score(name, value)
        row(self.page, name).locator("[type=number]").fill(str(value))
        self.set_score(name, value)
        return True

    def choose_score(self, name: str | None, value: float | None) -> tuple[str, float]:
        return name or self.chance.choice(self.others()), value or self.chance.randrange(2, 99) / 100

    def set_score(self, name: str, value: float) -> None:
        scores = {**self.now.set, name: value}
        if value == self.now.graph.base_scores[name]:
            del scores[name]
        self.change(moved=name, set=scores)

    def back_to_file(self) -> bool:
        known = [name for name in self.now.set if name not in self.now.removed]
        if not known:
            return False
        name = self.chance.choice(known)
        row(self.page, name).locator(".back").click()
        self.change(set={key: value for key, value in self.now.set.items() if key != name})
        return True

    def remove(self) -> bool:
        if len(self.now.removed) > 2:
            return False
        name = self.chance.choice([each for each in self.others() if each not in self.now.pair])
        return self.untick(name)

    def untick(self, name: str) -> bool:
        row(self.page, name).locator("[type=checkbox]").uncheck()
        self.change(removed=(*self.now.removed, name))
        return True

    def remove_topic(self) -> bool:
        name = self.chance.choice(self.now.pair)
        if len(self.now.removed) > 2 or len(self.now.graph.topics) - len(self.now.removed) < 3:
            return False
        return self.untick(name)

    def restore(self) -> bool:
        if not self.now.removed:
            return False
        name = self.chance.choice(self.now.removed)
        row(self.page, name).locator("[type=checkbox]").check()
        self.change(removed=tuple(each for each in self.now.removed if each != name))
        return True

    def swap(self) -> bool:
        self.page.click("#swap")
        fact, foil = self.now.pair
        self.change(fact=foil, foil=fact)
        return True

    def ask_other_pair(self) -> bool:
        fact, foil = self.now.pair
        name = self.chance.choice([each for each in self.others() if each not in (fact, foil)])
        which = self.chance.choice(["fact", "foil"])
        self.page.select_option(f"#{which}", name)
        self.change(**{"fact": fact, "foil": foil, which: name})
        return True

    def choose_semantics(self) -> bool:
        return self.choose("semantics", [each for each in SEMANTICS if each != self.now.semantics])

    def choose(self, what: str, values: list[str]) -> bool:
        value = self.chance.choice(values)
        pick(self.page, "methods" if what == "method" else what, value)
        self.change(**{what: value})
        return True

    def choose_solver(self) -> bool:
        if self.now.changed.structure.acyclic or self.now.method in ("shapley", "owen"):  # which would take long
            return False
        return self.choose("solver", ["continuous" if self.now.solver == "discrete" else "discrete"])

    def choose_method(self) -> bool:
        quick = ("removal", "gradient") if self.now.solver == "continuous" else METHODS[self.now.players]
        return self.choose("method", [each for each in quick if each != self.now.method])

    def choose_players(self) -> bool:
        kinds = [kind for kind in METHODS if kind != self.now.players and (kind != "groups" or self.now.graph.groups)]
        if self.now.method in ("shapley", "owen"):
            kinds = [kind for kind in kinds if kind != "edges"]  # whose Owen values take long
        kind = self.chance.choice(kinds)
        pick(self.page, "players", kind)
        method = "shapley" if self.now.method == "owen" and kind != "edges" else self.now.method
        self.change(players=kind, method=method)
        return True

    def undo(self) -> bool:
        if self.at == 0:
            return False
        self.page.click("#undo")
        self.at, self.moved = self.at - 1, None
        return True

    def redo(self) -> bool:
        if self.at == len(self.states) - 1:
            return False
        self.page.keyboard.press("Control+Shift+Z")
        self.at, self.moved = self.at + 1, None
        return True

    def reset(self) -> bool:
        if not self.now.set and not self.now.removed:
            return False
        self.page.click("#reset")
        self.change(set={}, removed=())
        return True

    def pin(self) -> bool:
        self.page.click("#tab-compare")
        self.page.click("#pin")
        self.pinned = self.now
        return True

    def unpin(self) -> bool:
        if self.pinned is None:
            return False
        self.page.locator("#pinned button").click()
        self.pinned = None
        return True

    def answer_late(self) -> bool:
        """Several changes while no question is answered; the questions are let go in a drawn order."""
        held: list[Any] = []
        self.page.route("**/api/*", lambda route: held.append(route))
        for action in self.chance.sample([self.swap, self.type_number, self.remove, self.choose_semantics], 2):
            before = len(held)
            if action():
                self.wait_for(lambda before=before: len(held) > before)  # type: ignore[misc]
        if self.chance.random() < 0.5:
            self.move(check=False)
        waiting = self.chance.sample(held, len(held))
        held.clear()
        self.page.route("**/api/*", lambda route: route.continue_())
        for route in waiting:
            with contextlib.suppress(Exception):  # a question that the page has given up
                route.continue_()
        return True

    def wait_for_link(self) -> None:
        """Wait until the page has come to rest, and compare what is chosen and the link."""

        def compare() -> None:
            shown = self.page.evaluate(READ)
            check_choices(shown, self.now)
            check_link(shown, self.now)

        self.page.wait_for_selector(SETTLED)
        wait_for_check(compare, lambda: self.page.wait_for_timeout(50))

    def wait_for(self, holds: Any) -> None:
        def check() -> None:
            assert holds()

        wait_for_check(check, lambda: self.page.wait_for_timeout(20))

    def open_link(self) -> bool:
        """The link of this state in a fresh window shows the same, and the walk goes on there."""
        self.page = self.open(self.page.evaluate("location.hash"))
        self.begin_again()
        return True

    def reload(self) -> bool:
        self.page.reload()
        self.begin_again()
        return True

    def begin_again(self) -> None:
        self.states, self.at, self.pinned, self.first_step, self.moved = [self.now], 0, None, 0, None

    def listed(self) -> list[Any]:
        return [
            *(self.move, self.type_number, self.back_to_file, self.remove, self.remove_topic, self.restore, self.swap),
            *(self.ask_other_pair, self.choose_semantics, self.choose_solver, self.choose_method, self.choose_players),
            *(self.undo, self.redo, self.reset, self.pin, self.unpin, self.answer_late, self.open_link, self.reload),
        ]


@pytest.mark.parametrize("seed", SEEDS)
def test_after_every_action_of_a_drawn_sequence_the_page_shows_pythons_numbers(page: Open, seed: int) -> None:
    chance = random.Random(seed)
    walk = Walk(page, chance, OWN if seed % 2 else None)
    walk.check()
    actions = walk.listed()
    chosen = [*range(len(actions)), *chance.choices(range(len(actions)), k=LENGTH)]
    chance.shuffle(chosen)
    done = []
    for k in chosen:
        try:
            if not actions[k]():
                continue
            done.append(actions[k].__name__)
            walk.check()
        except Exception as error:
            error.add_note(f"after {', '.join(done)} (now {actions[k].__name__}) in {walk.now.link()}")
            raise
    assert len(done) > len(actions) // 2


# Two stable balances: from the base scores the steps lead to one of them, the flow to the other.
TWO_BALANCES = qx.Qbaf(
    {"p": 0.2, "q": 0.7, "a": 0.75, "b": 0.2},
    attacks={("p", "a"): 8, ("q", "a"): 4, ("q", "b"): 6, ("a", "p"): 6, ("a", "q"): 8, ("b", "q"): 8},
    supports={("q", "p"): 6},
    topics=["p", "q"],
    semantics="mlp",
)


def test_numbers_while_a_slider_moves_are_of_the_solver_and_the_semantics_that_were_chosen(page: Open) -> None:
    walk = Walk(page, random.Random(0), TWO_BALANCES)
    solvers = [qx.strengths(TWO_BALANCES, solver=solver)["p"] for solver in ("discrete", "continuous")]
    assert abs(solvers[0] - solvers[1]) > 0.5
    walk.choose("method", ["gradient"])
    walk.check()
    for value, what, chosen in (
        (0.78, "solver", "continuous"),
        (0.8, "solver", "discrete"),
        (0.74, "semantics", "reb"),
    ):
        walk.move("a", value)
        walk.check()
        walk.choose(what, [chosen])
        walk.check()
        walk.move("b", round(value - 0.6, 2))
        walk.check()


def test_after_a_removal_and_a_swap_moving_sliders_and_the_pinned_state_are_seen_from_the_new_side(page: Open) -> None:
    walk = Walk(page, random.Random(0), OWN)
    walk.check()
    walk.pin()
    walk.check()
    walk.move("a", 0.9)
    walk.check()
    walk.swap()
    walk.check()
    walk.move("e", 0.2)
    walk.check()
    walk.untick("c")
    walk.check()
    walk.move("d", 0.1)
    walk.check()
    walk.restore()
    walk.check()
    walk.move("e", 0.3)
    walk.check()


def list_fields() -> set[str]:
    """The fields of a state, as the heading of state.js lists them."""
    text = (Path(qx.__file__).parent / "web/static/state.js").read_text(encoding="utf-8")
    heading = text.partition("import")[0]
    alone = re.findall(r"(?:^//|  ) +(\w+) +(?=native|what|base|names)", heading, re.MULTILINE)
    question = re.search(r"^// +((?:\w+, )+\w+) +the question", heading, re.MULTILINE)
    assert question
    return {*alone, *question[1].split(", ")}


@pytest.mark.parametrize("own", [False, True])
def test_every_field_of_a_state_survives_a_link_and_a_reload(page: Open, own: bool) -> None:
    walk = Walk(page, random.Random(0), OWN if own else None)
    walk.check()
    before = read_link(walk.page.evaluate("location.hash"))
    walk.choose("method", ["removal"])
    walk.choose("semantics", ["df-quad"])
    walk.choose("solver", ["continuous"])
    walk.choose_players()
    walk.check()
    walk.swap()
    walk.type_number(walk.now.graph.arguments[3], 0.2)
    walk.remove()
    walk.check()
    row(walk.page, walk.now.pair[0]).locator(".spread").click()
    score = walk.now.graph.base_scores[walk.now.pair[0]]
    walk.change(scores={walk.now.pair[0]: {"interval": [round(score - 0.1, 4), round(score + 0.1, 4)]}})
    walk.wait_for_link()
    fields = read_link(walk.page.evaluate("location.hash"))
    graph = "graph" if own else "example"
    assert fields.keys() == (list_fields() - {"graph"}) | {graph, "v"}
    same = {key for key in fields if fields[key] == before[key]}
    assert same == {"v", "name", graph}  # every other field was changed
    for again in (walk.open_link, walk.reload):
        again()
        walk.wait_for_link()
        assert read_link(walk.page.evaluate("location.hash")) == fields
    before = walk.now
    walk.change(scores={})
    walk.page.locator(f'.row[data-name="{before.pair[0]}"] .back').click()
    walk.check()


def test_moves_of_one_slider_in_quick_succession_are_one_step_and_those_of_two_are_two(page: Open) -> None:
    walk = Walk(page, random.Random(0), OWN)
    walk.check()
    script = f"""moves => {{
        for (const [name, value] of moves) ({MOVE})([name, value]);
    }}"""
    walk.page.evaluate(script, [["a", 0.5], ["a", 0.6], ["e", 0.2], ["e", 0.3], ["e", 0.4]])
    walk.set_score("a", 0.6)
    walk.set_score("e", 0.4)
    walk.check()
    for action in (walk.undo, walk.undo, walk.redo, walk.redo, walk.undo):
        assert action()
        walk.check()
    walk.type_number("b", 0.5)  # what was undone is forgotten
    walk.check()
