"""Check who may see the pages: by host, token and origin; and say what a browser may do with what it gets."""

import hmac
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from agentdebate.viewer.pages import draw

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_ANYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, and bound only where the user names it
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/]+))(?::(\d+))?")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""Policy on what a page may load: nothing but our own files. No script and no style stands in a page."""

_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Stands before the pages. `host` is where they are served; requests need the `token`.

    The token in an address (`?token=...`) becomes a cookie and leaves the address. `once` opens the pages too, the first time that
    it is shown: the command line of a browser, which other users of the machine can list, has that one. `posts` are the addresses
    that take a form; a page of a stranger cannot send one.
    """

    def __init__(
        self, app: App, *, host: str, token: str, once: str = "", posts: frozenset[str] = frozenset()
    ) -> None:
        self._app, self._host, self._token, self._once, self._posts = app, host, token, once, posts

    def __repr__(self) -> str:
        return f"<Guard of {self._host}>"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not self._knows(headers.get("host", "")):
            await _answer(send, 421, "This is not the host that you asked for.\n")
        elif scope["method"] not in ("GET", "HEAD") and not self._is_form(scope):
            await _answer(send, 405, "There is nothing to change here.\n", (b"allow", b"GET, HEAD"))
        elif scope["method"] == "POST" and not _is_ours(headers):
            await _answer(send, 403, "A form is sent from our own page.\n")
        else:
            await self._let_in(scope, headers, receive, send)

    async def _let_in(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        """Take the token out of the address, or let a request through that shows it, or answer that it is needed."""
        known = self._is_known(headers)
        shown, path = _without_token(scope)
        if shown is not None and (known or self._opens(shown)):
            await _way_on(send, headers, path, *([] if known else [(b"set-cookie", self._cookie(headers))]))
        elif known:
            await self._app(scope, receive, _with_headers(send))
        else:
            await _answer(send, 401, draw("locked.html"), kind="text/html")

    def _knows(self, said: str) -> bool:
        """Tell whether the Host header names us: a page of a stranger that points its name at us does not."""
        host = _host_of(said)
        if host in LOOPBACK or host == self._host.lower():
            return True
        return self._host in _ANYWHERE and (_is_address(host) or host == socket.gethostname().lower())

    def _is_form(self, scope: Scope) -> bool:
        """Tell whether a request is a form that is taken at its address."""
        return scope["method"] == "POST" and scope["path"] in self._posts

    def _is_known(self, headers: dict[str, str]) -> bool:
        """Tell whether a browser shows the token in its cookie, or a program as a bearer."""
        if self._is_token(headers.get("authorization", "").removeprefix("Bearer ")):
            return True
        cookies = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
        return any(name == cookie_name(headers) and self._is_token(value) for name, _, value in cookies)

    def _cookie(self, headers: dict[str, str]) -> bytes:
        return f"{cookie_name(headers)}={self._token}; Path=/; HttpOnly; SameSite=Strict".encode()

    def _opens(self, said: str) -> bool:
        """Tell whether a word of an address opens the pages; the one that does so once is used up by that."""
        if self._once and hmac.compare_digest(said.encode(), self._once.encode()):
            self._once = ""
            return True
        return self._is_token(said)

    def _is_token(self, said: str) -> bool:
        return hmac.compare_digest(said.encode(), self._token.encode())


def cookie_name(headers: Mapping[str, str]) -> str:
    """Name the cookie by the port that the browser asked for: browsers send a host's cookies to all its ports."""
    found = _HOST.fullmatch(headers.get("host", "").strip().lower())
    return f"agentdebate-{(found and found[3]) or 80}"


def _without_token(scope: Scope) -> tuple[str | None, str]:
    """Split an address into the token in it, None where there is none, and the rest."""
    words = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([(name, value) for name, value in words if name != "token"])
    path = "/" + scope.get("raw_path", b"/").decode("latin-1").partition("?")[0].lstrip("/\\")
    return dict(words).get("token"), f"{path}?{rest}" if rest else path


def _host_of(said: str) -> str:
    """The host of a Host header, without its port."""
    host = said.strip().lower()
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]) if found else ""


def _is_ours(headers: dict[str, str]) -> bool:
    """Tell whether a form was sent by a page of ours, which every browser says in Origin."""
    origin = headers.get("origin", "")
    return bool(origin) and origin.partition("://")[2].lower() == headers.get("host", "").strip().lower()


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending


async def _way_on(send: Send, headers: Mapping[str, str], path: str, *more: tuple[bytes, bytes]) -> None:
    """Lead to an address of ours without the token in it.

    A browser that follows a stranger's link (in a chat, a mail, a notebook) shows no strict cookie after a redirect either: there
    a page of ours leads on.
    """
    if headers.get("sec-fetch-site") == "cross-site":
        leads = f'<meta http-equiv="refresh" content="0; url={escape(path)}"><link rel="icon" href="data:,">'
        page = f"<!doctype html><title>agentdebate</title>{leads}"
        await _answer(send, 200, page, *more, kind="text/html")
    else:
        await _answer(send, 303, "", (b"location", path.encode()), *more)


async def _answer(
    send: Send, status: int, text: str, *more: tuple[bytes, bytes], kind: str = "text/plain"
) -> None:
    body = text.encode()
    headers = [
        (b"content-type", f"{kind}; charset=utf-8".encode()),
        (b"content-length", str(len(body)).encode()),
        *_HEADERS,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
