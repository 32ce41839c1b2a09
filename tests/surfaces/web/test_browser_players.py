"""Edges, groups and pairs on the page, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.show.numbers import number
from tests.support.browser import Open, open_example, pick, row, until, upload

pytestmark = pytest.mark.heavy

HEALTHCARE = qx.examples.load("healthcare")
PAIR = ("antiviral", "antibiotic")


def choose_method(page: Any, method: str, players: str = "arguments") -> None:
    """Choose a method and wait for its answer."""
    pick(page, "methods", method)
    measures = qx.METHODS[method].for_players(players).measures
    page.wait_for_function("text => document.querySelector('#words')?.textContent.includes(text)", arg=measures)


def open_bar(page: Any, name: str) -> dict[str, str]:
    """Open a bar; target → value of the edges that it opens into."""
    page.click(f'#bars [data-name="{name}"]')
    return edges(page)


def edges(page: Any) -> dict[str, str]:
    page.wait_for_selector("#bars .inside[aria-busy=false]")
    rows = page.locator("#bars .inside .part").all()
    return {each.locator(".text").inner_text().split("\n")[-1]: each.locator(".value").inner_text() for each in rows}


def expected(source: str, method: str, qbaf: qx.Qbaf = HEALTHCARE) -> dict[str, str]:
    why = qx.contrast(qbaf, *PAIR, players="edges", method=method)
    return {qbaf.label(target): number(value, "+") for (start, target), value in why.items() if start == source}


# -- a bar opens into its edges -----------------------------------------------------------------------------------


def test_a_shapley_bar_opens_into_edges_that_add_up_to_it(page: Open) -> None:
    here = page()
    whole = here.locator("#bars svg").get_attribute("viewBox")
    assert here.get_attribute("#bars [data-name=asthma]", "aria-expanded") == "false"
    assert open_bar(here, "asthma") == expected("asthma", "owen")
    assert "add up to −0.001" in here.inner_text("#bars .inside")
    assert here.get_attribute("#bars [data-name=asthma]", "aria-expanded") == "true"
    assert open_bar(here, "viral") == expected("viral", "owen")  # opens instead of the other
    assert here.locator("#bars [aria-expanded=true]").count() == 1
    here.click('#bars [data-name="viral"]')
    here.wait_for_selector("#bars .inside", state="detached")
    assert here.locator("#bars [aria-expanded=true]").count() == 0
    assert here.locator("#bars svg").get_attribute("viewBox") == whole


def test_the_rows_below_an_open_bar_move_down(page: Open) -> None:
    here = page()
    before = here.locator("#bars [data-name=bacterial]").bounding_box()["y"]
    open_bar(here, "viral")
    inside = here.locator("#bars .inside").bounding_box()
    after = here.locator("#bars [data-name=bacterial]").bounding_box()["y"]
    assert after - before == pytest.approx(inside["height"], abs=2)
    assert after >= inside["y"] + inside["height"] - 2


def test_a_bar_opens_and_closes_by_keyboard(page: Open) -> None:
    here = page()
    here.locator("#bars [data-name=pcr]").focus()
    here.keyboard.press("Enter")
    assert edges(here) == expected("pcr", "owen")
    here.keyboard.press("Escape")
    here.wait_for_selector("#bars .inside", state="detached")
    here.keyboard.press("Space")
    assert edges(here) == expected("pcr", "owen")


def test_a_row_of_an_open_bar_lights_up_its_edge(page: Open) -> None:
    here = page()
    here.locator("#bars [data-name=viral]").focus()
    here.keyboard.press("Enter")
    edges(here)
    here.keyboard.press("Tab")
    focused = here.evaluate("document.activeElement.querySelector('.text').textContent")
    assert focused == "attacks Antibiotic therapy"
    for target, is_lit in (("antibiotic", True), ("antiviral", False)):
        edge = here.get_attribute(f'#graph .qx-edge[data-source="viral"][data-target="{target}"]', "class") or ""
        assert ("dim" not in edge) == is_lit
    here.keyboard.press("Escape")
    here.wait_for_selector("#bars .inside", state="detached")
    assert here.evaluate("document.activeElement.dataset.name") == "viral"


@pytest.mark.parametrize(
    ("method", "shown", "said"),
    [
        ("removal", "removal", "lost without each edge"),
        ("gradient", "gradient", "per unit of each edge's weight"),
        ("intrinsic", "removal", "intrinsic is not defined for edges"),
        ("sampled", "owen", "Shares of the bar (Owen values)"),  # which is exact here: that is quicker than sampling
    ],
)
def test_a_bar_of_another_method_says_what_its_edges_show(page: Open, method: str, shown: str, said: str) -> None:
    here = page()
    choose_method(here, method)
    assert open_bar(here, "viral") == expected("viral", shown)
    assert said in here.inner_text("#bars .inside")
    assert ("do not add up" in here.inner_text("#bars .inside")) == (method != "sampled")


def test_an_open_bar_follows_the_slider(page: Open) -> None:
    here = page()
    open_bar(here, "viral")
    row(here, "viral").locator("[type=range]").fill("0.9")
    changed = expected("viral", "owen", HEALTHCARE.with_base_scores({"viral": 0.9}))
    here.wait_for_function(
        "value => [...document.querySelectorAll('#bars .inside .value')].some((each) => each.textContent === value)",
        arg=changed["Antiviral therapy"],
    )
    assert edges(here) == changed


@pytest.mark.parametrize(
    ("method", "size", "said"),
    [("shapley", 20, "lost without each edge"), ("sampled", 30, "among all edges, estimated")],
)
def test_a_bar_whose_shares_are_too_many_says_what_it_shows_instead(
    page: Open, method: str, size: int, said: str
) -> None:
    here = page()
    names = [f"x{k}" for k in range(size)]
    graph = qx.Qbaf(
        dict.fromkeys(["p", "q", "z", *names], 0.5),
        supports=[("z", "p"), *((name, "p") for name in names), *((name, "q") for name in names[:8])],
        attacks=[("z", "q")],
        topics=["p", "q"],
    )
    pick(here, "methods", method)
    upload(here, "wide.json", write_text(graph, "json"))
    here.wait_for_selector("#bars [data-name=z]")
    assert set(open_bar(here, "z")) == {"p", "q"}
    assert "need more evaluations than this server allows" in here.inner_text("#bars .inside")
    assert said in here.inner_text("#bars .inside")


def test_another_graph_closes_the_bar(page: Open) -> None:
    here = page()
    open_bar(here, "viral")
    open_example(here, "zebra")
    here.wait_for_selector("#bars [data-name=stripes]")
    assert here.locator("#bars .inside").count() == 0


# -- the switch: arguments, edges, direct edges, groups -----------------------------------------------------------


def choose_players(page: Any, kind: str) -> None:
    """Choose who contributes and wait for the answer."""
    pick(page, "players", kind)
    page.wait_for_selector("#bars [data-source]" if kind in ("edges", "direct") else "#bars [data-name]")


def shown(page: Any) -> dict[str, float]:
    """Player → value of the bars, edges as `source → target`."""
    found: dict[str, float] = page.locator("#bars [data-value]").evaluate_all(
        """bars => Object.fromEntries(bars.filter(({ dataset }) => dataset.name ?? dataset.source).map(({ dataset }) =>
            [dataset.name ?? `${dataset.source} → ${dataset.target}`, Number(dataset.value)]))"""
    )
    return found


def test_each_kind_of_players_has_the_methods_that_are_defined_for_it(page: Open) -> None:
    here = page()
    for kind in ("edges", "groups", "direct", "arguments"):
        choose_players(here, kind)
        listed = here.locator("#methods input").evaluate_all("all => all.map(each => each.value)")
        assert listed == [name for name, entry in qx.METHODS.items() if kind in entry.players]
        assert here.locator("#methods input:checked").count() == 1
        assert here.locator(f"#players input[value={kind}]").is_checked()


def test_the_switch_shows_the_librarys_contributions_of_edges(page: Open) -> None:
    here = page()
    choose_players(here, "edges")
    why = qx.contrast(HEALTHCARE, *PAIR, players="edges", method="owen")
    found = shown(here)
    assert found["viral → antibiotic"] == pytest.approx(0.1699, abs=5e-5)
    assert found == pytest.approx({f"{a} → {b}": why[a, b] for a, b in why if f"{a} → {b}" in found}, abs=1e-9)
    assert here.locator("#bars [aria-expanded]").count() == 0  # an edge has nothing behind it
    here.hover('#bars [data-source="viral"][data-target="antibiotic"]')
    assert "dim" in (here.get_attribute('#graph .qx-edge[data-source="viral"][data-target="antiviral"]', "class") or "")
    lit = here.get_attribute('#graph .qx-edge[data-source="viral"][data-target="antibiotic"]', "class") or ""
    assert "dim" not in lit
    choose_players(here, "direct")
    direct = qx.contrast(HEALTHCARE, *PAIR, players="direct")
    here.wait_for_selector('#bars [data-source="pcr"]', state="detached")
    assert shown(here) == pytest.approx({f"{a} → {b}": direct[a, b] for a, b in direct}, abs=1e-9)


def test_a_link_restores_who_contributes_and_the_groups(page: Open) -> None:
    here = page()
    choose_players(here, "edges")
    here.wait_for_selector("body:not([data-behind])")
    there = page(here.evaluate("location.hash"))
    there.wait_for_selector("#bars [data-source]")
    assert there.locator("#players input[value=edges]").is_checked()
    assert there.locator("#methods input[value=owen]").is_checked()
    make_group(here, "tests", "pcr", "wbc")
    here.wait_for_selector("body:not([data-behind])")
    again = page(here.evaluate("location.hash"))
    again.wait_for_selector("#bars [data-name=tests]")
    assert again.locator("#groups .chip").count() == 1


@pytest.mark.parametrize(
    ("asked", "players", "method"),
    [
        ({"players": "edges", "method": "intrinsic"}, "edges", "shapley"),
        ({"players": "arguments", "method": "owen"}, "arguments", "shapley"),
        ({"players": "everyone", "method": "removal"}, "arguments", "removal"),
        ({"players": "groups", "method": "nothing"}, "groups", "shapley"),
    ],
)
def test_a_link_with_players_or_methods_that_do_not_fit_is_opened_with_those_that_do(
    page: Open, asked: dict[str, str], players: str, method: str
) -> None:
    script = "async state => (await import('/static/state.js')).packed(state)"
    fragment = page().evaluate(script, {"example": "zebra", "name": "zebra", **asked})
    there = page(f"#{fragment}")
    assert there.locator("#players input:checked").input_value() == players
    assert there.locator("#methods input:checked").input_value() == method
    assert there.locator("#bars svg").count() == 1


def test_a_refusal_among_edges_offers_sampled_values(page: Open) -> None:
    here = page()
    choose_players(here, "edges")
    pick(here, "methods", "shapley")
    status = "start => document.querySelector('#status-text')?.textContent.startsWith(start)"
    here.wait_for_function(status, arg="Quick values instead")
    here.get_by_role("button", name="Use sampled Shapley values").click()
    here.wait_for_function(status, arg="Computed by")
    here.wait_for_selector("#bars [data-source]")


def test_edges_are_compared_before_and_after(page: Open) -> None:
    here = page()
    choose_players(here, "edges")
    here.click("#tab-compare")
    here.click("#pin")
    row(here, "pcr").locator("[type=number]").fill("0.8")
    here.wait_for_function("() => document.querySelector('#pinned')?.textContent.includes('now')")
    here.wait_for_function("() => document.querySelector('#pinned')?.textContent.includes('now +0.120') === false")
    assert "Viral pneumonia → Antiviral therapy" in here.inner_text("#compare table")


def test_reports_and_pictures_of_edges_and_groups_are_downloaded(page: Open) -> None:
    here = page()
    make_group(here, "tests", "pcr", "wbc")
    for kind, said in (("groups", "tests"), ("edges", "→")):
        choose_players(here, kind)
        for save in ("report", "bars-svg", "graph-svg"):
            here.click("#save-menu summary")
            with here.expect_download() as started:
                here.click(f'[data-save="{save}"]')
            text = Path(started.value.path()).read_text(encoding="utf-8")
            assert said in text or save == "graph-svg"


# -- groups -------------------------------------------------------------------------------------------------------


def make_group(page: Any, name: str, *members: str) -> None:
    """Select arguments in the graph and make a group of them."""
    for member in members:
        page.click(f'#graph [data-name="{member}"]', modifiers=["Shift"])
        page.wait_for_selector(f'#graph .chosen[data-name="{member}"]')
    page.fill("#group-name", name)
    page.click("#make-group")
    page.wait_for_selector(f'#bars [data-name="{name}"]')


def test_groups_are_formed_in_the_graph_listed_and_removed(page: Open) -> None:
    here = page()
    make_group(here, "tests", "pcr", "wbc")
    assert here.locator("#players input[value=groups]").is_checked()
    groups = {"tests": ["pcr", "wbc"]}
    assert shown(here) == pytest.approx(dict(qx.contrast(HEALTHCARE, *PAIR, players=groups)), abs=1e-9)
    here.click("#new-group")
    here.click('#graph [data-name="fever"]')  # without shift, while a group is being formed
    here.locator('#graph [data-name="cough"]').focus()
    here.keyboard.press("Enter")
    here.wait_for_selector("#graph .chosen[data-name=cough]")
    here.fill("#group-name", "symptoms")
    here.keyboard.press("Enter")
    here.wait_for_selector("#bars [data-name=symptoms]")
    groups["symptoms"] = ["fever", "cough"]
    assert shown(here) == pytest.approx(dict(qx.contrast(HEALTHCARE, *PAIR, players=groups)), abs=1e-9)
    assert "Positive PCR test, Elevated WBC count" in (here.text_content("#groups") or "")
    here.get_by_role("button", name="Remove the group tests").click()
    here.wait_for_selector("#bars [data-name=pcr]")
    del groups["tests"]
    assert shown(here) == pytest.approx(dict(qx.contrast(HEALTHCARE, *PAIR, players=groups)), abs=1e-9)
    here.click("#undo")
    here.wait_for_selector("#bars [data-name=tests]")


def test_the_bar_of_a_group_opens_into_its_members(page: Open) -> None:
    here = page()
    make_group(here, "tests", "pcr", "wbc")
    members = open_bar(here, "tests")
    why = qx.contrast(HEALTHCARE, *PAIR, players={"tests": ["pcr", "wbc"]}, method="owen")
    assert members == {HEALTHCARE.label(name): number(why[name], "+") for name in ("pcr", "wbc")}
    assert "add up to +0.041" in here.inner_text("#bars .inside")
    choose_method(here, "gradient", "groups")
    here.wait_for_function("() => document.querySelector('#bars .inside')?.textContent.includes('base score')")
    slopes = qx.contrast(HEALTHCARE, *PAIR, method="gradient")
    assert edges(here) == {HEALTHCARE.label(name): number(slopes[name], "+") for name in ("pcr", "wbc")}


def test_a_topic_joins_no_group(page: Open) -> None:
    here = page()
    for topic in ("antiviral", "antibiotic", "bronchodilator"):
        here.click(f'#graph [data-name="{topic}"]', modifiers=["Shift"])
        here.wait_for_function("() => document.querySelector('#toast')?.textContent.includes('can be in no group')")
        assert here.locator("#graph .chosen").count() == 0
    assert here.locator("#make-group").count() == 0


def test_a_name_that_is_taken_by_an_argument_is_refused_beside_the_field(page: Open) -> None:
    here = page()
    here.click('#graph [data-name="pcr"]', modifiers=["Shift"])
    here.fill("#group-name", "fever")
    here.click("#make-group")
    here.wait_for_function(
        "() => document.querySelector('#groups .wrong')?.textContent.includes('name of an argument')"
    )
    here.click("#no-group")
    assert here.locator("#graph .chosen").count() == 0
    assert here.locator("#groups").is_hidden()


def test_the_groups_of_a_file_are_offered_at_once_and_saved_with_it(page: Open) -> None:
    here = page()
    graph = qx.Qbaf(
        {"p": 0.5, "q": 0.4, "a": 0.7, "b": 0.2, "c": 0.9},
        supports={("a", "p"): 0.5, ("c", "b"): 1.0},
        attacks={("a", "q"): 1.0, ("b", "p"): 0.8},
        topics=["p", "q"],
        groups={"one": ["a", "c"]},
    )
    upload(here, "groups.json", write_text(graph, "json"))
    here.wait_for_selector("#bars [data-name=a]")
    choose_players(here, "groups")
    here.wait_for_selector("#bars [data-name=one]")
    assert shown(here) == pytest.approx(dict(qx.contrast(graph, "p", "q", players="groups")), abs=1e-9)
    here.select_option("#foil", "a")  # a member that is compared leaves its group
    here.wait_for_function("() => document.querySelector('#foil')?.value === 'a'")
    here.wait_for_selector("#bars [data-name=q]")
    assert shown(here) == pytest.approx(dict(qx.contrast(graph, "p", "a", players={"one": ["c"]})), abs=1e-9)
    here.click("#save-menu summary")
    with here.expect_download() as started:
        here.click('[data-save="json"]')
    assert qx.read(Path(started.value.path()), "json").groups == {"one": ("a", "c")}


def test_groups_follow_an_argument_that_is_renamed_or_deleted(page: Open) -> None:
    here = page()
    make_group(here, "tests", "pcr", "wbc")
    here.click("#edit")
    name = here.locator(".edits .name").nth(0)
    assert name.input_value() == "pcr"
    name.fill("pcr-test")
    name.press("Tab")
    here.wait_for_selector('#graph [data-name="pcr-test"]')
    here.get_by_role("button", name="Delete wbc", exact=True).click()
    here.wait_for_selector('#graph [data-name="wbc"]', state="detached")
    here.click("#editor-done")
    assert "Positive PCR test" in (here.text_content("#groups .chip") or "")
    assert "WBC" not in (here.text_content("#groups .chip") or "")
    assert here.locator("#problem").is_hidden()


def test_markup_in_the_name_of_a_group_is_text(page: Open) -> None:
    here = page()
    here.click('#graph [data-name="pcr"]', modifiers=["Shift"])
    here.fill("#group-name", "<img src=x onerror='window.hacked = 1'>")
    here.click("#make-group")
    here.wait_for_selector("#groups .chip")
    here.locator("#bars [data-name^='<img']").click()
    here.wait_for_selector("#bars .inside[aria-busy=false]")
    assert here.evaluate("window.hacked") is None
    assert here.locator("main img").count() == 0


def test_the_page_stays_small_at_start(page: Open) -> None:
    here = page()
    size = here.evaluate(
        """async () => {
            const { startTime: ready } = performance.getEntriesByName("ready")[0]; // what comes later is not the start
            const loaded = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < ready);
            const all = [...loaded.map(({ name }) => name), location.href];
            const own = [...new Set(all)].filter((name) => !name.includes("/api/"));
            const size = async (name) => (await (await fetch(name)).arrayBuffer()).byteLength;
            return (await Promise.all(own.map(size))).reduce((a, b) => a + b, 0);
        }"""
    )
    assert 20_000 < size < 120_000


# -- pairs that work together -------------------------------------------------------------------------------------


def test_pairs_are_asked_for_only_when_their_tab_is_opened(page: Open) -> None:
    here = page()
    sent: list[str] = []
    here.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    here.click("#swap")
    until(here, "is rated below")
    here.wait_for_selector("body:not([data-behind])")
    assert "interactions" not in sent
    assert "together.js" not in sent
    here.click("#tab-together")
    here.wait_for_selector("#together table")
    assert "interactions" in sent


def test_the_strongest_pairs_are_the_librarys_and_follow_the_question(page: Open) -> None:
    here = page()
    here.click("#tab-together")
    first = here.locator("#together tbody tr").first
    first.wait_for()
    assert "Positive PCR test + Viral pneumonia" in first.inner_text()
    assert "+0.0918" in first.inner_text()
    assert "work together for “Antiviral therapy”" in first.inner_text()
    here.click("#swap")
    here.wait_for_function("() => document.querySelector('#together td')?.textContent === '−0.0918'")
    make_group(here, "tests", "pcr", "wbc")
    here.wait_for_function("() => document.querySelector('#together')?.textContent.includes('tests + ')")


def test_pairs_of_edges_that_are_too_many_give_way_to_pairs_of_arguments(page: Open) -> None:
    here = page()
    choose_players(here, "edges")
    here.click("#tab-together")
    here.wait_for_selector("#together table")
    assert "need more evaluations than this server allows" in here.inner_text("#together")
    assert "Positive PCR test + Viral pneumonia" in here.inner_text("#together")


def test_pairs_that_cannot_be_computed_say_why(page: Open) -> None:
    here = page()
    open_example(here, "debate")
    pick(here, "methods", "gradient")
    here.click("#tab-together")
    here.wait_for_selector("#together p:not([role])")
    assert here.locator("#together .problem, #together table").count() == 1
