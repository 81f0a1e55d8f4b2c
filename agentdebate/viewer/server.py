"""Serving the viewer: on this machine alone, unless a token guards it."""

import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from agentdebate.errors import UsageError
from agentdebate.extras import optional, require
from agentdebate.viewer.app import EXTRA, app
from agentdebate.viewer.asked import address
from agentdebate.viewer.guard import is_loopback
from agentdebate.viewer.shelf import Shelf

PORT = 8270
"""The port that is taken where none is named; where it is not free, the system chooses one."""
_LEAST_TOKEN = 16


def view(
    run: str | None = None,
    *,
    store: str | Path = "agentdebate.db",
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    open_browser: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Show a store's runs in the browser until it is stopped (Ctrl-C); nothing is written.

    `run` is the run that is opened first, "last" the newest; all runs where it is None. `ready` is called with the address once
    it answers. On a host other than this machine's loopback everybody needs the `token`, of 16 characters at least. Raises
    MissingExtra where starlette or uvicorn are not installed, UsageError and StoreError.
    """
    for module in ("starlette", "uvicorn"):
        require(module, EXTRA)
    _check(host, token)
    shelf = Shelf(store)
    try:
        path = address("/run", run=shelf.reader().run_name(run)) if run else "/"
        with _socket(host, port) as listening:
            url = _url(host, listening.getsockname()[1], path, token)
            _serve(shelf, listening, host, token, lambda: _is_ready(url, ready, open_browser=open_browser))
    finally:
        shelf.close()


def _check(host: str, token: str | None) -> None:
    if not is_loopback(host) and not token:
        raise UsageError(f"on {host} others could read the store: give a token that they need (--token)")
    if token is not None and (
        len(token) < _LEAST_TOKEN
        or not token.isascii()
        or not token.isprintable()
        or set(' ";,\\') & set(token)
    ):
        raise UsageError(
            f"the token has to have {_LEAST_TOKEN} characters at least: letters, digits, dashes",
            option="--token",
        )


def _socket(host: str, port: int | None) -> socket.socket:
    """A socket that listens; on a free port where none was named and ours is taken."""
    for wanted in (PORT, 0) if port is None else (port,):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, wanted))
        except (OSError, OverflowError) as error:
            listening.close()
            problem = error
        else:
            return listening
    raise UsageError(
        f"{host} port {port if port is not None else 'any'} cannot be listened at: {problem}; name another with --port"
    )


def _url(host: str, port: int, path: str, token: str | None) -> str:
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - what a browser is to ask for
    url = f"http://{f'[{named}]' if ':' in named else named}:{port}{path}"
    return f"{url}{'&' if '?' in path else '?'}token={quote(token)}" if token else url


def _is_ready(url: str, ready: Callable[[str], None] | None, *, open_browser: bool) -> None:
    if ready is not None:
        ready(url)
    if open_browser:
        import webbrowser

        webbrowser.open(url)


def _serve(
    shelf: Shelf, listening: socket.socket, host: str, token: str | None, ready: Callable[[], None]
) -> None:
    uvicorn = optional("uvicorn", EXTRA)

    class Server(uvicorn.Server):  # type: ignore[misc, name-defined]
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        app(shelf, host=host, token=token),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    Server(config).run(sockets=[listening])
