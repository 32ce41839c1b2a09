"""What stands before every request: whose it is, where it comes from, how large it may be.

A page of another site can make a browser send requests to this server. Its host or origin gives it away: only names
that this server is known by are answered (so that no foreign domain can be pointed at it), and a request that names
another origin is refused. Where a token is wanted it comes as `Authorization: Bearer …`, or in a cookie that
`/?token=…` sets once.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .limits import BODY, DRAINED

COOKIE = "qontrast-token"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def refused(status: int, message: str, **headers: str) -> JSONResponse:
    """An answer that says no, in the shape of all of them."""
    return JSONResponse({"error": message, "kind": "Refused"}, status, headers)


@dataclass(frozen=True)
class Guard:
    """ASGI middleware; `hosts` are the names that this server answers to, without port."""

    app: ASGIApp
    hosts: Collection[str]
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _dressed(MutableHeaders(scope=message))
            await send(message)

        answer = self._refusal(scope) or self._unlocked(scope)
        return await (answer or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            return refused(400, f"this server does not answer to the name {host[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return refused(403, "requests from pages of another origin are not answered")
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > DRAINED:  # below, the body is read to its end, so that the answer arrives
            return refused(413, too_long(), Connection="close")
        return None

    def _unlocked(self, scope: Scope) -> Response | None:
        """The way in, or the door: None where the request may go on."""
        if self.token is None:
            return None
        headers = Headers(scope=scope)
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["path"] == "/" and self._right(query.get("token", [""])[0]):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        bearer = headers.get("authorization", "")
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if self._right(bearer.removeprefix("Bearer ")) or self._right(cookie):
            return None
        way = "open the address with its token, or send it as 'Authorization: Bearer TOKEN'"
        return refused(401, f"this server wants its token: {way}", **{"WWW-Authenticate": "Bearer"})

    def _right(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())


def too_long() -> str:
    """Why a body is refused."""
    return f"the request is longer than {BODY:,} bytes; send a smaller graph, or use the command line"


def _dressed(headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


def _name(host: str) -> str:
    """A host without its port, in small letters; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _netloc(origin: str) -> str:
    """Host and port of an origin; '' where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
