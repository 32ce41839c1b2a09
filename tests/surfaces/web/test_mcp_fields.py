"""Every field that a tool of `qontrast mcp` has reaches the question of the API, and the answer is the API's own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.web import agents
from qontrast.web.agents import SOURCES, TOOLS, find_words
from qontrast.web.answers import answer
from qontrast.web.jobs import Reply
from tests.surfaces.web.test_web_numbers import BASE, FIELDS, GRAPH, OTHER


class PoolHere:
    """Answers in this process, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    async def ask(self, question: str, body: bytes) -> Reply:
        self.asked.append((question, json.loads(body)))
        status, media, content = answer(question, body)
        return Reply(status, media, content)


def call(name: str, arguments: Any, folder: Path = Path()) -> tuple[Reply, list[tuple[str, Any]]]:
    pool: Any = PoolHere()
    return asyncio.run(agents._answer(pool, folder, name, arguments)), pool.asked


def list_fields(name: str) -> set[str]:
    return set(TOOLS[name].schema["properties"]) - set(SOURCES.values())


def test_every_field_of_a_tool_is_a_field_of_its_question() -> None:
    for name, tool in TOOLS.items():
        assert list_fields(name) == FIELDS[tool.question].keys() - tool.sends.keys()


@pytest.mark.parametrize("name", TOOLS)
def test_every_field_of_a_tool_reaches_the_question(name: str) -> None:
    """All of them at once; the question may refuse them together, but it has heard of each."""
    question = TOOLS[name].question
    given = {field: FIELDS[question][field][1] for field in list_fields(name)}
    _, ((asked, body),) = call(name, given)
    assert asked == question
    assert body == given | dict(TOOLS[name].sends)


@pytest.mark.parametrize("name", [name for name in TOOLS if name != "draw"])
def test_the_answer_of_a_tool_is_that_of_the_api_and_begins_with_its_words(name: str) -> None:
    tool = TOOLS[name]
    body = BASE[tool.question] | dict(tool.sends)
    reply, _ = call(name, BASE[tool.question])
    assert (reply.status, reply.body) == (200, answer(tool.question, json.dumps(body).encode())[2])
    assert find_words(json.loads(reply.body))


def test_a_picture_is_a_graph_as_png_unless_another_is_asked_for() -> None:
    _, ((_, body),) = call("draw", {"graph": GRAPH, "format": "svg"})
    assert (body["figure"], body["format"]) == ("graph", "svg")
    _, ((_, body),) = call("draw", {"graph": GRAPH, "figure": "bars", "format": "svg"})
    assert body["figure"] == "bars"


def test_files_stand_for_the_graphs_that_they_hold(tmp_path: Path) -> None:
    for file, graph in {"now.json": GRAPH, "before.json": OTHER}.items():
        (tmp_path / file).write_text(json.dumps(graph), encoding="utf-8")
    given = {"file": "now.json", "before_file": "before.json", "fact": "x0", "foil": "x1"}
    reply, asked = call("change", given, tmp_path)
    assert [question for question, _ in asked] == ["read", "read", "change"]
    before, after = (qx.read_text(json.dumps(graph), "json") for graph in (OTHER, GRAPH))
    expected = qx.change(before, after, "x0", "x1")
    assert json.loads(reply.body)["changes"] == expected.to_dict()["changes"]
