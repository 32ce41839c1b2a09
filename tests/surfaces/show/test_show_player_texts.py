"""Sentences about edges and groups: how edges are called, through which an argument acts, what a group adds."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.examples import load
from qontrast.show import account, paragraph, sentence

PAIR = ("antiviral", "antibiotic")
LONG = "The applicant can afford the monthly rate of the loan that was asked for"


def test_owen_values_of_edges_are_told_by_argument_the_direct_way_first() -> None:
    why = qx.contrast(load("healthcare"), *PAIR, players="edges", method="owen")
    english, german = (paragraph(why, language=language, measured=False) for language in ("en", "de"))
    assert (
        "“Viral pneumonia” speaks for “Antiviral therapy” by 0.158 directly and by 0.170 by attacking “Antibiotic "
        "therapy”."
    ) in english
    assert (
        "Asthma speaks for “Antibiotic therapy” by 0.122 by attacking “Antiviral therapy”, and for “Antiviral therapy” "
        "by 0.121 by attacking “Antibiotic therapy”; all its edges together leave −0.001."
    ) in english
    assert (
        "Für „Antiviral therapy“ spricht „Viral pneumonia“ mit 0,158 unmittelbar und mit 0,170 durch Angriff auf "
        "„Antibiotic therapy“."
    ) in german


def test_what_the_edges_of_an_argument_leave_is_what_the_argument_contributes() -> None:
    single = qx.contrast(load("healthcare"), *PAIR)["asthma"]
    why = qx.contrast(load("healthcare"), *PAIR, players="edges", method="owen")
    assert f"together leave {single:+.3f}".replace("-", "−") in paragraph(why)


@pytest.mark.parametrize("method", ["shapley", "removal", "gradient", "sampled"])
def test_an_edge_is_called_by_what_it_is_and_neither_end_is_cut_off(method: str) -> None:
    q = qx.Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, attacks=[("x", "q")], supports=[("x", "p")], labels={"x": LONG})
    settings: dict[str, Any] = {"budget": 40} if method == "sampled" else {}
    why = qx.contrast(q, "p", "q", players="edges", method=method, **settings)
    for text in (sentence(why), paragraph(why)):
        assert "the support of “The applicant can afford the monthly…” for p (+" in text or method == "removal"
        assert "the attack of “The applicant can afford the monthly…” on q (" in text
        assert "→" not in text


def test_an_edge_of_an_argument_to_itself_is_called_so() -> None:
    q = qx.Qbaf({"p": 0.5, "q": 0.5}, attacks={("p", "p"): 0.5})
    assert "the attack of p on itself" in paragraph(qx.contrast(q, "p", "q", players="edges", method="removal"))


def test_edges_into_the_foil_are_not_called_overlooked_and_others_are() -> None:
    scores = {"p": 0.3, "q": 0.6, "a": 0.5, "b": 0.5}
    q = qx.Qbaf(scores, attacks=[("a", "b")], supports=[("b", "q"), ("a", "p")])
    text = paragraph(qx.contrast(q, "p", "q", players="edges"))
    assert "one would overlook the attack of a on b" in text
    assert text.count("overlook") == 1
    assert "overlook the support of b for q" not in text


@pytest.mark.parametrize("players", ["edges", "direct"])
def test_the_account_of_edges_has_no_effect_of_the_topics_on_each_other(players: str) -> None:
    why = qx.contrast(load("healthcare"), *PAIR, players=players, method="owen" if players == "edges" else "shapley")
    assert account(why) == "Gap +0.1196 = base scores 0, contributions of edges +0.1196."
    assert account(why, language="de") == "Abstand +0,1196 = Basiswerte 0, Beiträge der Kanten +0,1196."


@pytest.mark.parametrize("pair", [("p", "q"), ("q", "p")])
def test_what_a_group_does_beyond_its_members_is_told_for_the_topic_that_gains(pair: tuple[str, str]) -> None:
    q = qx.Qbaf({"p": 0.5, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "p")], semantics="df-quad")
    why = qx.contrast(q, *pair, players={"both": ["x", "y"]}, method="removal")
    assert "Together, the members of both do 0.125 more for p than one by one." in paragraph(why)
    assert "um 0,125 mehr für p als einzeln" in paragraph(why, language="de")


def test_a_group_that_does_less_together_is_told_so_for_the_topic_that_it_helps() -> None:
    why = qx.contrast(load("healthcare"), *PAIR, players={"tests": ["pcr", "wbc"]}, method="removal")
    less = sum(qx.contrast(load("healthcare"), *PAIR, method="removal")[x] for x in ("pcr", "wbc")) - why["tests"]
    said = f"Together, the members of tests do {less:.3f} less for “Antiviral therapy” than one by one."
    assert said in paragraph(why)


def test_slopes_of_groups_are_per_unit_by_which_their_members_move_together() -> None:
    why = qx.contrast(load("healthcare"), *PAIR, players={"tests": ["pcr", "wbc"]}, method="gradient")
    assert str(why).endswith(", in slopes per unit by which the base scores of a group move together.")
    assert "one by one" not in paragraph(why)
