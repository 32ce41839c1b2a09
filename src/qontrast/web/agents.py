"""Serve questions to language models: a server of the Model Context Protocol on standard input and output.

    assistant ─ MCP ─ server ─ bytes ─ worker process ─ qontrast

The tools are questions of the JSON API, with its schemas and within its limits. A graph is given as native JSON, or as
the path of a file in one folder; nothing outside that folder is read, and nothing is written.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._version import __version__
from ..errors import FormatError, InvalidInput, QontrastError, count, unknown_name
from ..extras import require
from . import limits
from .answers import ANSWERS
from .jobs import Pool, Reply, Unavailable

INSTRUCTIONS = (
    "Explains decisions that are read off argument graphs (QBAFs): why one topic is rated above another, what would "
    "change that, and how safe it is. Give a graph as JSON, or `file`: a path in the folder of this server. Begin with "
    "`check`, which lists the topics; every answer begins with its sentence in words."
)
FILE = {
    "type": "string",
    "description": "a file in the folder of this server, in any format, instead of the graph; 'results.json#0/base' "
    "picks one graph of a results file",
}
SOURCES = {"graph": "file", "before": "before_file"}  # field that holds a graph → field that names a file instead
MAX_NAME = 300  # characters of a file's name in a question


@dataclass(frozen=True)
class Tool:
    """A tool: the question of the API that answers it, its description, and fields that it always sends."""

    question: str
    description: str
    sends: Mapping[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of what a model may ask: that of the API, with files in place of graphs."""
        model = ANSWERS[self.question].asks.model_json_schema()
        fields = {name: part for name, part in model["properties"].items() if name not in self.sends}
        for graph, file in SOURCES.items():
            if graph in fields:
                fields[file] = FILE
        needed = [name for name in model.get("required", ()) if name not in SOURCES]
        return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}


TOOLS: dict[str, Tool] = {
    "strengths": Tool("strengths", "The strength of every argument of a graph."),
    "why": Tool(
        "explain",
        "Why is one topic (the fact) rated above another (the foil)? The contribution of every argument to the gap.",
        {"pictures": False, "palette": "default", "width": 640},
    ),
    "flip": Tool("flip", "The smallest change of base scores, or the fewest removals, that makes the foil win."),
    "reach": Tool("reach", "The cheapest change that reaches a goal, such as 'approve >= 0.7'."),
    "change": Tool(
        "change",
        "What changed the gap between two versions of a graph? `before` or `before_file` is the earlier one; without "
        "it, the graph is compared with itself after `set` and `remove`.",
    ),
    "check": Tool(
        "check", "What a graph holds: sizes, topics, cycles, whether it has strengths, how safe its order is."
    ),
    "draw": Tool("figure", "A picture of the graph, or another figure of an answer, as PNG."),
}


async def serve_agents(folder: Path) -> None:
    """Answer the calls of one client on standard input and output until it closes them."""
    types, lowlevel, stdio = (require_mcp(name) for name in ("types", "server.lowlevel", "server.stdio"))
    pool = Pool(limits.MAX_ANSWER_SECONDS)

    async def list_tools(_: Any, __: Any) -> Any:
        hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        listed = [
            types.Tool(name=name, description=tool.description, input_schema=tool.schema, annotations=hints)
            for name, tool in TOOLS.items()
        ]
        return types.ListToolsResult(tools=listed)

    async def call_tool(_: Any, asked: Any) -> Any:
        try:
            reply = await _answer(pool, folder, asked.name, asked.arguments or {})
        except (QontrastError, Unavailable) as error:
            return types.CallToolResult(content=[types.TextContent(text=str(error))], is_error=True)
        if reply.media != "application/json":
            picture = types.ImageContent(data=base64.b64encode(reply.body).decode(), mime_type=reply.media)
            return types.CallToolResult(content=[picture])
        data = json.loads(reply.body)
        if reply.status != 200:
            return types.CallToolResult(content=[types.TextContent(text=data["error"])], is_error=True)
        text = types.TextContent(text=f"{find_words(data)}\n\n{json.dumps(data, ensure_ascii=False)}".strip())
        return types.CallToolResult(content=[text], structured_content=data)

    server = lowlevel.Server(
        "qontrast",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    pool.start()
    try:
        async with stdio.stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        await pool.stop()


def require_mcp(name: str) -> Any:
    """Import a module of the package `mcp`, or say which extra installs it."""
    from importlib import import_module

    require("mcp", "qontrast mcp")
    return import_module(f"mcp.{name}")


def find_words(data: Mapping[str, Any]) -> str:
    """Return the sentence of an answer; '' where it has none.

    >>> find_words({"sentence": "It has stripes."})
    'It has stripes.'
    >>> find_words({"strengths": {"zebra": 0.9, "horse": 0.25}, "topics": ["zebra"]})
    'zebra 0.9'
    """
    for name in ("sentence", "words", "undefined", "refused"):
        if isinstance(data.get(name), str):
            return str(data[name])
    if isinstance(data.get("isolated"), list):
        return f"{count(data['arguments'], 'argument')}; topics: {', '.join(map(str, data['topics'])) or 'none'}"
    found = data.get("strengths")
    if isinstance(found, Mapping):
        return ", ".join(f"{name} {found[name]:.3g}" for name in data.get("topics") or found if name in found)
    return ""


async def _answer(pool: Pool, folder: Path, name: str, arguments: Mapping[str, Any]) -> Reply:
    """Ask a worker the question of a tool, with the graphs of the files that it names."""
    if name not in TOOLS:
        raise unknown_name(name, TOOLS, "tool")
    tool, body = TOOLS[name], dict(arguments)
    for sent in tool.sends.keys() & body.keys():
        raise InvalidInput(f"{name} has no field {sent!r}; leave it out")
    for graph, file in SOURCES.items():
        if file in body and graph in tool.schema["properties"]:
            if graph in body:
                raise InvalidInput(f"{graph} and {file} are both given; give one of them")
            body[graph] = await _read_graph(pool, folder, body.pop(file))
    if "graph" not in body:
        raise InvalidInput("no graph; give graph as JSON, or file as a path")
    if name == "change" and not body.keys() & {"before", "set", "remove"}:
        raise InvalidInput("no version before; give before as JSON, before_file as a path, or set or remove")
    if name == "draw":
        body = {"figure": "graph", "format": "png"} | body
    return await _ask(pool, tool.question, body | dict(tool.sends))


async def _ask(pool: Pool, question: str, body: Mapping[str, Any]) -> Reply:
    sent = json.dumps(body).encode()
    if len(sent) > limits.MAX_BODY_BYTES:
        raise InvalidInput(f"the question is longer than {limits.MAX_BODY_BYTES:,} bytes; use the library for it")
    return await pool.ask(question, sent)  # the session ends with its client


async def _read_graph(pool: Pool, folder: Path, file: Any) -> Any:
    """Read one graph of a file in the folder, in a worker."""
    if not isinstance(file, str):
        raise InvalidInput(f"file is {file!r}; give the path of a file as text")
    path, mark, address = file.rpartition("#")
    if not mark or (folder / file).is_file():
        path, address = file, ""
    text = await asyncio.to_thread(_read_text, folder, path)
    asked: dict[str, Any] = {"files": [{"name": path[-MAX_NAME:], "text": text}]}
    reply = await _ask(pool, "read", asked | ({"address": address} if address else {}))
    data = json.loads(reply.body)
    if reply.status != 200:
        raise FormatError(data["error"].removeprefix(f"{path[-MAX_NAME:]}:").lstrip(), path)
    graphs = data["graphs"]
    if len(graphs) > 1:
        first = next(iter(graphs))
        raise FormatError(f"has {len(graphs)} graphs; pick one: {path}#{first}", path)
    return next(iter(graphs.values()))


def _read_text(folder: Path, path: str) -> str:
    """Read a file that lies in the folder, and no other."""
    root = folder.resolve()
    place = (root / path).resolve()
    if not place.is_relative_to(root):
        raise FormatError("lies outside the folder of this server", path)
    if not place.is_file():
        raise FormatError("is no file in the folder of this server", path)
    if place.stat().st_size > limits.MAX_BODY_BYTES:
        raise FormatError(f"is longer than {limits.MAX_BODY_BYTES:,} bytes; use the library for it", path)
    try:
        return place.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read as UTF-8 text: {error}", path) from None
