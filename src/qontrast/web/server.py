"""The web application: every question of the API as a route, the tables, the examples and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from .. import examples
from ..errors import unknown_name
from ..formats.qbaf_json import to_data
from ..graph.qbaf import Qbaf
from .answers import ANSWERS
from .guard import BODY_TOO_LONG, Guard, refuse
from .jobs import STOPPING, Disconnected, Pool, Unavailable, wait_for_first
from .limits import MAX_ANSWER_SECONDS, MAX_BODY_BYTES, MAX_DRAINED_BYTES
from .openapi import describe_api
from .scripts import STATIC, send_file
from .tables import list_tables, write_stylesheet

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY_SECONDS = 30.0  # in which a body has to arrive
CLIENT_GONE = 499  # the status of an answer that nobody reads

Handler = Callable[[Request], Any]


def app(
    start: Qbaf | None = None,
    name: str = "healthcare",
    *,
    hosts: Collection[str] = LOCAL_NAMES,
    token: str | None = None,
    seconds: float = MAX_ANSWER_SECONDS,
) -> Starlette:
    """Make the explorer as an ASGI application, for a server of your own.

    Parameters
    ----------
    start
        The graph that the page opens on; the example healthcare if None.
    name
        What the page calls that graph.
    hosts
        The host names that are answered, without port. Requests that name another are refused.
    token
        A secret that every request must have. Give one wherever others can reach the server.
    seconds
        The time limit of a question.

    Returns
    -------
    Starlette
        The application. It starts its worker processes when its lifespan begins and ends them with it.

    Examples
    --------
    >>> from qontrast.web import app
    >>> explorer = app(token="a secret", hosts=["explorer.example"])  # then: uvicorn module:explorer
    """
    pool = Pool(seconds)

    @asynccontextmanager
    async def run_workers(_: Starlette) -> AsyncIterator[None]:
        pool.start()
        yield
        await pool.stop()

    made = Starlette(
        routes=[
            *(Route(f"/api/{question}", _answer_by(pool, question), methods=["POST"]) for question in ANSWERS),
            *_make_tables(start if start is not None else examples.load("healthcare"), name),
            Route("/", lambda _: FileResponse(STATIC / "index.html")),
            Route("/static/{name}", send_file),
        ],
        middleware=[Middleware(Guard, hosts=frozenset(each.lower() for each in hosts), token=token)],
        exception_handlers={HTTPException: _format_http_error},
        lifespan=run_workers,
    )
    made.state.pool = pool
    return made


def _answer_by(pool: Pool, question: str) -> Handler:
    async def answer(request: Request) -> Response:
        reading = asyncio.ensure_future(_read_body(request))
        await wait_for_first(reading, pool.stopped, seconds=MAX_BODY_SECONDS)
        if not reading.done():
            reading.cancel()
            message = f"the request took longer than {MAX_BODY_SECONDS:g} seconds to arrive"
            return refuse(408, STOPPING if pool.stopped.done() else message, Connection="close")
        if isinstance(reading.exception(), ClientDisconnect):
            return Response(status_code=CLIENT_GONE)
        body = reading.result()
        if body is None:
            return refuse(413, BODY_TOO_LONG, Connection="close")
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != "application/json":
            return refuse(415, "send JSON, with Content-Type: application/json")
        gone = asyncio.ensure_future(_wait_until_gone(request))
        try:
            reply = await pool.ask(question, body, _name_client(request), gone)
        except Unavailable as error:
            data: dict[str, Any] = {"error": str(error), "kind": "Refused"}
            if error.methods:
                data["ways"] = [{"setting": "method", "values": error.methods}]
            return JSONResponse(data, 503, {"Retry-After": "1"} if error.again else None)
        except Disconnected:
            return Response(status_code=CLIENT_GONE)
        finally:
            gone.cancel()
        headers = {"Content-Disposition": "attachment"} if reply.media.startswith("text/html") else None
        return Response(reply.body, reply.status, headers, reply.media)  # a report is a file to keep, no page of ours

    return answer


def _name_client(request: Request) -> str:
    """Name who asks: the address, and the page, for many of one address."""
    host = request.client.host if request.client else ""
    return f"{host} {request.headers.get('x-qontrast-page', '')[:40]}"


async def _wait_until_gone(request: Request) -> None:
    """Wait until the client has disconnected; the body has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _read_body(request: Request) -> bytes | None:
    """Read the body; None if it is over the limit (its end is read and dropped, so that the client gets the answer)."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= MAX_BODY_BYTES:
            parts.append(part)
        elif size > MAX_DRAINED_BYTES:
            break
    return b"".join(parts) if size <= MAX_BODY_BYTES else None


def _make_tables(start: Qbaf, name: str) -> list[Route]:
    """Routes for what is always the same."""
    graph = to_data(start)
    is_example = name in examples.EXAMPLES and graph == to_data(examples.load(name))  # then a link may name it
    opened = {"schema": "qontrast/start/1", "name": name, "example": name if is_example else None, "graph": graph}
    tables = list_tables()
    constants = {
        "tables": tables,
        "start": opened,
        "examples": tables["examples"],
        "openapi.json": describe_api(),
    }
    return [
        *(Route(f"/api/{path}", JSONResponse(data), methods=["GET"]) for path, data in constants.items()),
        Route("/api/examples/{example}", _get_example),
        Route("/palette.css", Response(write_stylesheet(), media_type="text/css"), methods=["GET"]),
    ]


def _get_example(request: Request) -> Response:
    name = request.path_params["example"]
    if name not in examples.EXAMPLES:
        raise HTTPException(404, str(unknown_name(name[:80], examples.EXAMPLES, kind="example")))
    return JSONResponse(to_data(examples.load(name)))


async def _format_http_error(_: Request, error: Exception) -> Response:
    """Give 404 and 405 the shape of all errors."""
    assert isinstance(error, HTTPException)
    return refuse(error.status_code, str(error.detail), **dict(error.headers or {}))
