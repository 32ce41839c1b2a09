"""The web application: every question of the API as a route, the tables, the examples and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from .. import examples
from .._version import __version__
from ..errors import unknown
from ..graph.qbaf import Qbaf
from .answers import ANSWERS, Answer
from .documents import described, responses
from .graphs import native
from .guard import Guard, refused, too_long
from .jobs import Pool, Unavailable
from .limits import BODY, DRAINED, SECONDS
from .tables import stylesheet, tables

LOCAL = ("127.0.0.1", "localhost", "[::1]")
STATIC = Path(str(files(__package__).joinpath("static")))
SLOWEST = 30.0  # seconds that a body may take to arrive


def app(
    start: Qbaf | None = None,
    name: str = "healthcare",
    *,
    hosts: Collection[str] = LOCAL,
    token: str | None = None,
    seconds: float = SECONDS,
) -> FastAPI:
    """The application. It opens on the graph `start`, or on an example; `hosts` are the names it answers to.

    Without a `token` anybody who reaches it is answered, so give one wherever that may be someone else.
    """
    pool = Pool(seconds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        pool.start()
        yield
        await pool.stop()

    made = FastAPI(
        title="qontrast",
        version=__version__,
        summary="Why P rather than Q? Contrastive explanations for quantitative argumentation.",
        description="Stateless: every question brings its graph, as native JSON. See docs/api-server.md.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    made.state.pool = pool
    for question, call in ANSWERS.items():
        _add(made, pool, question, call)
    _add_tables(made, native(start) if start is not None else native(examples.load("healthcare")), name)
    made.add_exception_handler(HTTPException, _failed)
    made.mount("/static", StaticFiles(directory=STATIC), name="static")
    made.openapi = partial(described, made)  # type: ignore[method-assign] # FastAPI's own way to change the document
    made.add_middleware(Guard, hosts=frozenset(each.lower() for each in hosts), token=token)
    return made


def _add(made: FastAPI, pool: Pool, question: str, call: Answer) -> None:
    async def route(request: Request) -> Response:
        try:
            body = await asyncio.wait_for(_body(request), SLOWEST)
        except TimeoutError:
            return refused(408, f"the request took longer than {SLOWEST:g} seconds to arrive", Connection="close")
        if body is None:
            return refused(413, too_long(), Connection="close")
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != "application/json":
            return refused(415, "send JSON, with Content-Type: application/json")
        try:
            reply = await pool.ask(question, body, request.is_disconnected)
        except Unavailable as error:
            return refused(503, str(error), **{"Retry-After": "1"})
        headers = {"Content-Disposition": "attachment"} if reply.media.startswith("text/html") else None
        return Response(reply.body, reply.status, headers, reply.media)  # a report is for keeping, not a page of ours

    made.add_api_route(
        f"/api/{question}",
        route,
        methods=["POST"],
        summary=call.summary,
        description=(call.asks.__doc__ or "").strip(),
        operation_id=question,
        response_class=Response,
        responses=responses(call),
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{call.asks.__name__}"}}},
            }
        },
    )


async def _body(request: Request) -> bytes | None:
    """All of the body, or None where it is over the limit; what is over it is read and dropped."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= BODY:
            parts.append(part)
        elif size > DRAINED:
            break
    return b"".join(parts) if size <= BODY else None


def _add_tables(made: FastAPI, start: dict[str, Any], name: str) -> None:
    """What can be asked for without a question."""
    known, styles = tables(), stylesheet()
    same = name in examples.EXAMPLES and start == native(examples.load(name))  # so that a link may name it

    @made.get("/api/tables", operation_id="tables", summary="Methods, semantics, formats, figures, palettes, limits")
    async def get_tables() -> dict[str, Any]:
        return known

    @made.get("/api/start", operation_id="start", summary="The graph that this server was started with")
    async def get_start() -> dict[str, Any]:
        return {"schema": "qontrast/start/1", "name": name, "example": name if same else None, "graph": start}

    @made.get("/api/examples", operation_id="examples", summary="The bundled examples, by name")
    async def get_examples() -> dict[str, str]:
        return examples.EXAMPLES

    @made.get("/api/examples/{example}", operation_id="example", summary="One example as native JSON")
    async def get_example(example: str) -> Any:
        if example not in examples.EXAMPLES:
            raise HTTPException(404, str(unknown(example[:80], examples.EXAMPLES, kind="example")))
        return native(examples.load(example))

    @made.get("/palette.css", include_in_schema=False)
    async def get_palette() -> Response:
        return Response(styles, media_type="text/css")

    @made.get("/", include_in_schema=False)
    async def get_page() -> Response:
        return FileResponse(STATIC / "index.html")


async def _failed(_: Request, error: Exception) -> Response:
    """404, 405 and their like, in the shape of all errors."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail), "kind": "Refused"}, error.status_code, dict(error.headers or {}))
