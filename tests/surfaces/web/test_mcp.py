"""An assistant calls every tool of `qontrast mcp` over standard input and output."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.web.agents import TOOLS

pytestmark = pytest.mark.heavy
LOAN = json.loads(qx.write_text(qx.examples.load("loan")))
PAIR = {"fact": "approve", "foil": "refer"}
CALLS: dict[str, dict[str, Any]] = {
    "strengths": {"file": "loan.json"},
    "why": {"file": "loan.json", "method": "removal", **PAIR},
    "flip": {"graph": LOAN, **PAIR},
    "reach": {"file": "loan.json", "goal": ["refer >= approve"]},
    "change": {"file": "later.json", "before_file": "loan.json", **PAIR},
    "check": {"file": "loan.json"},
    "draw": {"file": "loan.json"},
}
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "strengths": ({"file": "../secret.json"}, "../secret.json: lies outside the folder of this server"),
    "why": ({"file": "loan.json", "fact": "aprove"}, "did you mean 'approve'?"),
    "flip": ({"graph": LOAN, "fact": "approve"}, "foil"),
    "reach": ({"file": "loan.json", "goal": ["refer > 2"]}, "refer"),
    "change": ({"file": "loan.json", "graph": LOAN}, "graph and file are both given"),
    "check": ({}, "no graph; give graph as JSON, or file as a path"),
    "draw": ({"file": "loan.json", "figure": "nonsense"}, "nonsense"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    graph = qx.examples.load("loan")
    place = tmp_path / "graphs"
    place.mkdir()
    qx.write(graph, place / "loan.json")
    qx.write(graph.with_base_scores({"debt": 1.0}), place / "later.json")
    qx.write(graph, tmp_path / "secret.json")
    (place / "link.json").symlink_to(tmp_path / "secret.json")
    (place / "bad.json").write_text('{"arguments": {"a": 2}}', encoding="utf-8")
    (place / "results.json").write_text(json.dumps({"data": [{"base": {"bag": LOAN}}] * 2}), encoding="utf-8")
    return place


def talk(folder: Path, conversation: Callable[[Any], Awaitable[None]]) -> None:
    """Start the server and a client of the official package, and let them talk."""
    from mcp import ClientSession, StdioServerParameters, stdio_client

    async def run() -> None:
        variables = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        words = ["-m", "qontrast", "mcp", str(folder)]
        server = StdioServerParameters(command=sys.executable, args=words, env=variables)
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            await conversation(session)

    asyncio.run(run())


def test_every_tool_answers_good_questions_and_refuses_bad_ones(folder: Path) -> None:
    async def conversation(session: Any) -> None:
        listed = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(listed) == set(TOOLS) == set(CALLS) == set(WRONG)
        for name, asked in CALLS.items():
            assert set(asked) <= set(listed[name].input_schema["properties"])
            found = await session.call_tool(name, asked)
            assert not found.is_error, found.content
            if name == "draw":
                assert found.content[0].mime_type == "image/png"
                assert base64.b64decode(found.content[0].data).startswith(b"\x89PNG")
                continue
            words = found.content[0].text.partition("\n\n")[0]
            assert words
            assert "approve" in found.content[0].text
            if name == "strengths":
                expected = dict(qx.strengths(qx.examples.load("loan")))
                assert found.structured_content["strengths"] == pytest.approx(expected)
        for name, (asked, said) in WRONG.items():
            found = await session.call_tool(name, asked)
            assert found.is_error
            assert said in found.content[0].text

    talk(folder, conversation)


def test_only_files_of_the_folder_are_read(folder: Path) -> None:
    outside = ["/etc/hostname", "../secret.json", "link.json", str(folder.parent / "secret.json")]

    async def conversation(session: Any) -> None:
        for file in outside:
            found = await session.call_tool("check", {"file": file})
            assert (found.is_error, "lies outside the folder" in found.content[0].text) == (True, True), file
        for file, said in {
            "nowhere.json": "nowhere.json: is no file in the folder",
            ".": "is no file in the folder",
            "bad.json": "bad.json",
            "results.json": "has 2 graphs; pick one: results.json#0/base",
        }.items():
            found = await session.call_tool("check", {"file": file})
            assert (found.is_error, said in found.content[0].text) == (True, True), found.content[0].text
        found = await session.call_tool("check", {"file": "results.json#1/base"})
        assert not found.is_error
        found = await session.call_tool("nothing", {})
        assert "no tool 'nothing'" in found.content[0].text

    talk(folder, conversation)
