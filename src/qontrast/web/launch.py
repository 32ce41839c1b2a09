"""Start the explorer on this machine, and open it in a browser."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
import threading
import webbrowser
from ipaddress import ip_address
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ..errors import InvalidInput
from ..formats import read
from ..graph.qbaf import Qbaf
from .jobs import Pool
from .server import LOCAL_NAMES, app

MAX_HEADER_SECONDS = 20.0  # in which the head of a request has to arrive


def serve(
    file: str | Qbaf | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    token: str | None = None,
    name: str | None = None,
) -> None:
    """Serve the explorer until Ctrl-C.

    Parameters
    ----------
    file : str or Qbaf, optional
        The graph that the page opens on: any file, `examples:NAME`, or a graph. The example healthcare if None.
    host : str
        Where to listen. On another host than this machine alone a token is wanted.
    port : int
        0 takes a free one.
    open_browser : bool
        Whether to open the page in a browser.
    token : str, optional
        A secret that every request must have; on another host one is made unless it is given.
    name : str, optional
        What the page calls the graph.

    Examples
    --------
    Serve a graph of your own:

    >>> import qontrast as qx
    >>> qx.web.serve(qx.read("examples:zebra"))  # doctest: +SKIP
    """
    start = read(file) if isinstance(file, str) else file
    if name is None:
        name = Path(file).name.removeprefix("examples:") if isinstance(file, str) else "graph" if file else "healthcare"
    private = _is_local(host)
    if not private and token is None:
        token = secrets.token_urlsafe(24)
    listening = open_socket(host, port)
    address = _address(host, listening.getsockname()[1], token)
    if not private:
        print(
            f"Bound to {host}: everybody who can reach this machine can send it work, once they have the token in the "
            "address below. Traffic is not encrypted; put it behind a proxy with TLS on an open network.",
            file=sys.stderr,
        )
    print(f"qontrast explorer: {address}  (Ctrl-C stops it)", file=sys.stderr, flush=True)
    made = app(start, name, hosts=_names(host), token=token)
    config = configure(made, log_level="warning")
    if open_browser:
        threading.Timer(0.4, webbrowser.open, (address,)).start()
    try:
        Server(config, made.state.pool).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # uvicorn has stopped in order, and passes the signal on
    finally:
        listening.close()


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP that closes connections whose request does not arrive; uvicorn has a limit only between two requests."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(MAX_HEADER_SECONDS, self._close_if_silent)

    def data_received(self, data: bytes) -> None:
        """Wait until the head of a request is complete."""
        super().data_received(data)
        if not self._is_between_requests():
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(MAX_HEADER_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _close_if_silent(self) -> None:
        self._waiting = None
        if self._is_between_requests():
            self.transport.close()


class Server(uvicorn.Server):
    """A server that answers all questions at work before it stops, so that it stops at once."""

    def __init__(self, config: uvicorn.Config, pool: Pool) -> None:
        super().__init__(config)
        self.pool = pool

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse what is not answered yet, then stop."""
        self.pool.refuse_all()
        await super().shutdown(sockets)


def configure(made: Starlette, log_level: str) -> uvicorn.Config:
    """Return the settings of a server for the explorer."""
    return uvicorn.Config(made, http=Protocol, log_level=log_level, access_log=False, timeout_graceful_shutdown=2)


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def open_socket(host: str, port: int) -> socket.socket:
    """Open a socket that listens there and sends small answers at once."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.create_server((host, port), family=family)
        # asyncio sends small answers at once only through sockets that say they are TCP: else 40 ms are lost to Nagle
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())
    except (OSError, OverflowError) as error:
        raise InvalidInput(
            f"cannot listen on {host} port {port}: {getattr(error, 'strerror', None) or error}; give another port, "
            "or port 0 for a free one"
        ) from None


def _address(host: str, port: int, token: str | None) -> str:
    name = socket.gethostname() if host in ("0.0.0.0", "::") else _bracket(host)
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def _bracket(address: str) -> str:
    """Put an IPv6 address into brackets, as in the address of a page."""
    return f"[{address}]" if ":" in address else address


def _names(host: str) -> set[str]:
    """Return the names under which this server may be asked: those of this machine, and the host it listens on."""
    names = {*LOCAL_NAMES, _bracket(host)}
    if not _is_local(host):
        own = socket.gethostname()
        names |= {own, socket.getfqdn()}
        try:
            found = socket.getaddrinfo(own, None)
        except OSError:
            found = []
        names |= {_bracket(str(place[0])) for *_, place in found}
    return names
