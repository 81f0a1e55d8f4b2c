"""Who may see the pages: which hosts are spoken to, who has the token, and what a browser may do with what it gets."""

import hmac
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_ANYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, and bound only where the user names it and a token
_COOKIE = "agentdebate-token"
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/]+))(?::\d+)?")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: nothing but our own files. No script and no style stands in a page."""

_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    try:
        return host in LOOPBACK or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Stands before the pages. `host` is where they are served, `token` what has to be shown, where there is one.

    `posts` are the addresses that take a form; a page of a stranger cannot send one.
    """

    def __init__(
        self, app: App, *, host: str, token: str | None = None, posts: frozenset[str] = frozenset()
    ) -> None:
        self._app, self._host, self._token, self._posts = app, host, token, posts

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
        elif self._token is None or self._shows(headers):
            await self._app(scope, receive, _with_headers(send))
        elif (rest := self._in_query(scope)) is not None:
            cookie = f"{_COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, "", (b"location", rest.encode()), (b"set-cookie", cookie.encode()))
        else:
            await _answer(
                send, 401, "Open the address with ?token=..., as agentdebate view has printed it.\n"
            )

    def _knows(self, said: str) -> bool:
        """Whether the Host header names us: a page of a stranger that points its name at us does not."""
        host = _host_of(said)
        if host in LOOPBACK or host == self._host.lower():
            return True
        return self._host in _ANYWHERE and (_is_address(host) or host == socket.gethostname().lower())

    def _is_form(self, scope: Scope) -> bool:
        """Whether a request is a form that is taken at its address."""
        return scope["method"] == "POST" and scope["path"] in self._posts

    def _shows(self, headers: dict[str, str]) -> bool:
        """Whether a request shows the token, in its cookie or as a bearer's."""
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            morsel = None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return any(map(self._is_token, (morsel.value if morsel else "", bearer)))

    def _in_query(self, scope: Scope) -> str | None:
        """The address without the token, where the token stands in it."""
        words = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not any(name == "token" and self._is_token(value) for name, value in words):
            return None
        rest = urlencode([(name, value) for name, value in words if name != "token"])
        path = "/" + scope.get("raw_path", b"/").decode("latin-1").partition("?")[0].lstrip("/\\")
        return f"{path}?{rest}" if rest else path

    def _is_token(self, said: str) -> bool:
        return bool(self._token) and hmac.compare_digest(said.encode(), str(self._token).encode())


def _host_of(said: str) -> str:
    """The host of a Host header, without its port."""
    host = said.strip().lower()
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]) if found else ""


def _is_ours(headers: dict[str, str]) -> bool:
    """Whether a form was sent by a page of ours, which every browser says in Origin."""
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


async def _answer(send: Send, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *_HEADERS,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
