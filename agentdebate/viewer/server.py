"""Serve the viewer to those who have its token."""

import socket
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from threading import get_ident
from urllib.parse import quote

import anyio.to_thread

from agentdebate.errors import UsageError
from agentdebate.extras import optional, require
from agentdebate.viewer.app import EXTRA, app
from agentdebate.viewer.guard import App
from agentdebate.viewer.label_app import label_app
from agentdebate.viewer.label_file import LabelFile
from agentdebate.viewer.label_session import LabelSession
from agentdebate.viewer.label_set import label_set
from agentdebate.viewer.query import address
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
    label: str | Path | None = None,
    seed: int = 0,
    data: str | Path | None = None,
    task: str | None = None,
    aspects: Sequence[str] | str | None = None,
    ready: Callable[[str], None] = print,
) -> None:
    """Show a store's runs in the browser until it is stopped (Ctrl-C); nothing is written.

    With `label`, a file of JSON lines, a person labels the items of the run instead, blind and in the order of the `seed`: each
    label is appended to that file, which `agree` reads. The items are those of `data` where it is given, a file with the fields of
    the `task`. `aspects` are those that are asked for [the run's, or the task's usual ones].

    `run` is the run that is opened first, "last" the newest; all runs where it is None. `ready` is called with the address once
    it answers. The address has the `token` in it, of 16 characters at least [a new one at each start]: without it no request is
    answered, on any host, since other users of this machine can reach its loopback as well. Raises MissingExtra where starlette or
    uvicorn are not installed, UsageError and StoreError.
    """
    for module in ("starlette", "uvicorn"):
        require(module, EXTRA)
    token, once = token or token_urlsafe(24), token_urlsafe(24) if open_browser else ""
    _check(token)
    told = partial(_is_ready, ready, token, once)
    if label is not None:
        wanted = label_set(run, store=store, data=data, task=task, aspects=aspects)
        with closing(LabelFile(label)) as file, _socket(host, port) as listening:
            pages = label_app(LabelSession(wanted, file, seed=seed), host=host, token=token, once=once)
            _serve(pages, listening, lambda: told(_url(host, listening, "/")))
        return
    if data is not None or task is not None or aspects is not None:
        raise UsageError("data=..., task=... and aspects=... say what is labelled: they go with label=...")
    with closing(Shelf(store)) as shelf, _socket(host, port) as listening:
        path = address("/run", run=shelf.reader().run_name(run)) if run else "/"
        pages = app(shelf, host=host, token=token, once=once)
        _serve(pages, listening, lambda: told(_url(host, listening, path)))


def _check(token: str) -> None:
    if (
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
    """Open a socket that listens; on a free port where none was named and ours is taken."""
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


def _url(host: str, listening: socket.socket, path: str) -> str:
    port = listening.getsockname()[1]
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - what a browser is to ask for
    return f"http://{f'[{named}]' if ':' in named else named}:{port}{path}{'&' if '?' in path else '?'}token="


def _is_ready(ready: Callable[[str], None], token: str, once: str, url: str) -> None:
    """Tell the address, and open the browser where there is a token that opens the pages once.

    Other users of the machine can list the browser's command line, so the token that lasts is not in it.
    """
    ready(url + quote(token))
    if once:
        import webbrowser

        webbrowser.open(url + once)


def _serve(pages: App, listening: socket.socket, ready: Callable[[], None]) -> None:
    uvicorn = optional("uvicorn", EXTRA)

    class Server(uvicorn.Server):  # type: ignore[misc, name-defined]
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await anyio.to_thread.run_sync(get_ident)  # loads what threads need, before a page waits for it
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        pages,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    Server(config).run(sockets=[listening])
