"""The pages on which a person labels: an item at a time, and nothing else of the store, which would say what the judge thinks."""

import hmac
from collections.abc import Callable, Mapping
from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import anyio.to_thread

from agentdebate.errors import AgentDebateError
from agentdebate.extras import optional
from agentdebate.viewer.app import EXTRA, static_files
from agentdebate.viewer.guard import App, Guard
from agentdebate.viewer.label_session import LabelSession, NotALabel
from agentdebate.viewer.pages import draw
from agentdebate.viewer.query import address

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

POSTS = frozenset({"/", "/undo"})
"""The addresses that take a form."""
_LONGEST = 20_000
"""Bytes of a form."""


def label_app(labelling: LabelSession, *, token: str, host: str = "127.0.0.1", once: str = "") -> App:
    """The pages of a labelling as an ASGI app. Raises MissingExtra where starlette is not installed."""
    routing, applications = optional("starlette.routing", EXTRA), optional("starlette.applications", EXTRA)
    desk = Desk(labelling)
    routes = [
        routing.Route("/", desk.show, methods=["GET"]),
        routing.Route("/", desk.label, methods=["POST"]),
        routing.Route("/undo", desk.undo, methods=["POST"]),
        static_files(),
    ]
    return Guard(applications.Starlette(routes=routes), host=host, token=token, once=once, posts=POSTS)


class Desk:
    """Puts one item after the other before a person, and takes the answers."""

    def __init__(self, labelling: LabelSession) -> None:
        self._labelling = labelling
        self._proof = token_urlsafe(16)
        self._responses = optional("starlette.responses", EXTRA)

    def __repr__(self) -> str:
        return f"<Desk of {self._labelling!r}>"

    async def show(self, request: "Request") -> "Response":
        """The next item."""
        return self._page(_number(request.query_params.get("after", "")))

    async def label(self, request: "Request") -> "Response":
        """Take the answers about an item, and go on to the next."""
        said = await _form(request)
        number = _number(said.get("number", ""))
        return await self._taken(said, partial(self._labelling.label, number, said), number - 1)

    async def undo(self, request: "Request") -> "Response":
        """Take the last label back, and show its item."""
        said = await _form(request)
        return await self._taken(said, partial(self._labelling.undo, _number(said.get("rows", ""))), 0)

    async def _taken(self, said: Mapping[str, str], take: Callable[[], int], after: int) -> "Response":
        """Do what a form asks for and lead to the next item; where it cannot be done, say why behind the place `after`."""
        if not hmac.compare_digest(said.get("proof", "").encode(), self._proof.encode()):
            return self._page(
                0, {}, "This page is of an earlier start; nothing was kept of it. Go on here.", 403
            )
        try:
            place = await anyio.to_thread.run_sync(take)
        except AgentDebateError as error:
            return self._page(after, said, str(error), 422 if isinstance(error, NotALabel) else 500)
        return self._responses.RedirectResponse(address("/", after=place or None), 303)  # type: ignore[no-any-return]

    def _page(
        self, after: int, said: Mapping[str, str] | None = None, problem: str = "", status: int = 200
    ) -> "Response":
        sheet = self._labelling.sheet(after)
        same = said and sheet and _number(said.get("number", "")) == sheet.number
        text = draw(
            "label.html",
            sheet=sheet,
            labelling=self._labelling,
            proof=self._proof,
            said=said if same else {},  # answers about one item never stand in the form of another
            problem=problem,
        )
        return self._responses.HTMLResponse(text, status)  # type: ignore[no-any-return]


async def _form(request: "Request") -> dict[str, str]:
    """The fields of a form; none of one that is too long to be ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            return {}
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _number(said: str) -> int:
    """A place in the order; 0 for what is none."""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 0  # noqa: PLR2004 - no place has more digits
