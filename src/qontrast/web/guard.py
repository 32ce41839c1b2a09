"""Refuse requests of other sites, requests without the token, and bodies that are too long.

A page of another site can make a browser send requests to this server. So requests are answered only if they name a
host that this server is known by (a foreign domain may point at its address) and no other origin. If a token is
required, it comes as `Authorization: Bearer …`, or in a cookie that `/?token=…` sets.
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

from .limits import MAX_BODY_BYTES, MAX_DRAINED_BYTES

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


BODY_TOO_LONG = f"the request is longer than {MAX_BODY_BYTES:,} bytes; send a smaller graph, or use the command line"


def refuse(status: int, message: str, **headers: str) -> JSONResponse:
    """Make the response for a request that no worker sees."""
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

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._check_request(scope) or self._check_token(scope)
        return await (answer or self.app)(scope, receive, send_with_headers)

    def _check_request(self, scope: Scope) -> Response | None:
        """Return the refusal of a request; None if it is allowed."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _host_name(host) not in self.hosts:
            return refuse(400, f"this server does not answer to the name {host[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return refuse(403, "requests from pages of another origin are not answered")
        length = headers.get("content-length", "0")
        # a body within the limit is read to its end, so that the answer arrives
        if length.isdigit() and int(length) > MAX_DRAINED_BYTES:
            return refuse(413, BODY_TOO_LONG, Connection="close")
        return None

    def _check_token(self, scope: Scope) -> Response | None:
        """Return the refusal of a request without the token, or the response that sets the cookie; else None."""
        if self.token is None:
            return None
        headers = Headers(scope=scope)
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["path"] == "/" and self._is_token(query.get("token", [""])[0]):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        bearer = headers.get("authorization", "")
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if self._is_token(bearer.removeprefix("Bearer ")) or self._is_token(cookie):
            return None
        message = "this server wants its token: open the address with its token, or send it as "
        return refuse(401, f"{message}'Authorization: Bearer TOKEN'", **{"WWW-Authenticate": "Bearer"})

    def _is_token(self, text: str) -> bool:
        return self.token is not None and hmac.compare_digest(text.encode(), self.token.encode())


def _host_name(host: str) -> str:
    """Return a host without its port, in small letters; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _netloc(origin: str) -> str:
    """Return host and port of an origin; '' where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
