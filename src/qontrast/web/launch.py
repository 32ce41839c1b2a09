"""Start the explorer on this machine, and open it in a browser."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import webbrowser
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from ..errors import InvalidInput
from ..formats import read
from ..graph.qbaf import Qbaf
from .server import LOCAL_NAMES, app


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
    config = uvicorn.Config(made, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
    if open_browser:
        threading.Timer(0.4, webbrowser.open, (address,)).start()
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # uvicorn has stopped in order, and passes the signal on
    finally:
        listening.close()


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
