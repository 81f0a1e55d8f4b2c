"""The addresses of the viewer, and the page that each one gives. Every page is a GET with all that it asks for in its address."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.store.reader import LAST, RunHead
from agentdebate.viewer.agreement_page import AgreementAsking, agreement_page
from agentdebate.viewer.asked import OF_A_RUN, Asked, BadAddress, page_number, whole_number
from agentdebate.viewer.ballots_page import ballots_page
from agentdebate.viewer.call_page import call_page
from agentdebate.viewer.colours import colours_of
from agentdebate.viewer.compare_page import Asking, compare_page
from agentdebate.viewer.costs_page import costs_page
from agentdebate.viewer.debate_page import debate_page, quotes_of
from agentdebate.viewer.failures_page import failures_page
from agentdebate.viewer.guard import App, Guard
from agentdebate.viewer.live import Look, Streams, Watch
from agentdebate.viewer.pages import draw, load_templates
from agentdebate.viewer.plain_text import plain_text
from agentdebate.viewer.run_page import run_page
from agentdebate.viewer.runs_page import runs_page
from agentdebate.viewer.runs_watch import RunsWatch
from agentdebate.viewer.shelf import Shelf
from agentdebate.viewer.static_files import EXTRA, static_routes

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_STATIC = {"view.css": "text/css", "view.js": "text/javascript", "htmx.min.js": "text/javascript"}
_NOT_FOUND, _BAD_QUERY, _BROKEN, _BUSY = 404, 400, 500, 503


@dataclass(frozen=True)
class Query:
    """What an address says behind its question mark."""

    words: Mapping[str, str]
    many: Mapping[str, tuple[str, ...]]
    known: frozenset[str] = frozenset()
    """The words that the page at the address reads."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that it does not read."""
        return tuple(sorted(self.words.keys() - self.known))

    @property
    def page(self) -> int:
        """The number of the page of a list. Raises BadAddress."""
        return page_number(self.words)

    def run(self, shelf: Shelf, name: str = "run") -> RunHead:
        """The run that is asked for; the newest where none is named. Raises UsageError."""
        return shelf.reader().run(self.words.get(name) or LAST)

    @property
    def debate(self) -> str:
        """The id of the debate that is asked for."""
        return self.words.get("id", "")

    def number(self, name: str) -> int | None:
        """A whole number; None where it is not there. Raises BadAddress."""
        return whole_number(self.words, name)


def _runs(shelf: Shelf, query: Query) -> str:
    return draw("runs.html", page=runs_page(shelf, query.page), **_base(shelf, query))


def _run(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    return draw("run.html", page=run_page(shelf, head, Asked.read(query.words)), **_base(shelf, query, head))


def _agreement(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    names = ("statistic", "level", "convention")
    asked = AgreementAsking(**{name: query.words.get(name, "") for name in names})
    return draw("agreement.html", page=agreement_page(shelf, head, asked), **_base(shelf, query, head))


def _failures(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    return draw("failures.html", page=failures_page(shelf, head), **_base(shelf, query, head))


def _costs(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    return draw(
        "costs.html",
        page=costs_page(shelf, head),
        colours=colours_of(shelf, head),
        **_base(shelf, query, head),
    )


def _debate(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    at, focus, part = map(query.number, ("at", "focus", "part"))
    page = debate_page(shelf, head, query.debate, Asked.read(query.words), at=at, focus=focus, part=part)
    return draw("debate.html", page=page, **_base(shelf, query, head))


def _ballots(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    page = ballots_page(shelf, head, query.debate, Asked.read(query.words), at=query.number("at"))
    return draw("ballots.html", page=page, **_base(shelf, query, head))


def _call(shelf: Shelf, query: Query) -> str:
    head = query.run(shelf)
    page = call_page(shelf, head, query.debate, query.number("number") or 0)
    return draw(
        "call_body.html" if query.words.get("fragment") else "call.html",
        page=page,
        **_base(shelf, query, head),
    )


def _compare(shelf: Shelf, query: Query) -> str:
    names = [
        name for name in (query.words.get("a"), query.words.get("b"), *query.many.get("run", ())) if name
    ]
    if len(names) > 2:  # noqa: PLR2004 - a pair
        raise BadAddress(f"two runs are compared, not {len(names)}: mark two")
    head = shelf.reader().run(names[0] if names else LAST)
    asking = Asking(
        name=query.words.get("score", ""),
        show=query.words.get("show") or "all",  # type: ignore[arg-type]  # it is checked there
        page=query.page,
        statistic=query.words.get("statistic", ""),
        level=query.words.get("level") or "pooled",
    )
    page = compare_page(shelf, head, shelf.reader().run(names[1]) if len(names) > 1 else None, asking)
    return draw("compare.html", page=page, **_base(shelf, query, head))


def _pair(shelf: Shelf, query: Query) -> str:
    heads = query.run(shelf, "a"), query.run(shelf, "b")
    quotes = quotes_of(shelf, heads[0], query.debate)
    debates = [debate_page(shelf, head, query.debate, Asked(), quotes=quotes) for head in heads]
    return draw("pair.html", pages=debates, **_base(shelf, query, heads[0]))


def _keys(shelf: Shelf, query: Query) -> str:
    return draw("keys.html", **_base(shelf, query))


@dataclass(frozen=True)
class Page:
    """One of the pages."""

    draw: Callable[[Shelf, Query], str]
    words: frozenset[str]
    """What its address may say behind the question mark."""


def _page(draw: Callable[[Shelf, Query], str], *words: str) -> Page:
    return Page(draw, frozenset(words))


PAGES: Mapping[str, Page] = {
    "/": _page(_runs, "page"),
    "/run": _page(_run, "run", *OF_A_RUN),
    "/agreement": _page(_agreement, "run", "statistic", "level", "convention"),
    "/failures": _page(_failures, "run"),
    "/costs": _page(_costs, "run"),
    "/debate": _page(_debate, "run", "id", "at", "focus", "part", *OF_A_RUN),
    "/ballots": _page(_ballots, "run", "id", "at", *OF_A_RUN),
    "/call": _page(_call, "run", "id", "number", "fragment"),
    "/compare": _page(_compare, "a", "b", "run", "score", "show", "page", "statistic", "level"),
    "/pair": _page(_pair, "a", "b", "id"),
    "/keys": _page(_keys),
}
"""The pages by their addresses."""


def app(
    shelf: Shelf, *, token: str, host: str = "127.0.0.1", once: str = "", streams: Streams | None = None
) -> App:
    """The viewer of a store as an ASGI app, with its templates loaded. Raises MissingExtra where starlette is not installed."""
    load_templates()
    routing, applications = optional("starlette.routing", EXTRA), optional("starlette.applications", EXTRA)
    routes = [routing.Route(path, _endpoint(shelf, page), methods=["GET"]) for path, page in PAGES.items()]
    routes.append(routing.Route("/text", _text(shelf), methods=["GET"]))
    routes.append(routing.Route("/news", _news(shelf, streams or Streams()), methods=["GET"]))
    routes += static_routes(_STATIC)
    missing = {_NOT_FOUND: _missing(shelf)}
    pages = applications.Starlette(routes=routes, exception_handlers=missing)
    return Guard(pages, host=host, token=token, once=once)


def _base(shelf: Shelf, query: Query | None = None, head: RunHead | None = None) -> dict[str, Any]:
    """What every page is told."""
    unknown = query.unknown if query else ()
    return {"place": shelf.place, "run_id": head.id if head else "", "unknown": unknown}


def _endpoint(shelf: Shelf, page: Page) -> Callable[["Request"], "Response"]:
    responses = optional("starlette.responses", EXTRA)

    def endpoint(request: "Request") -> "Response":
        try:
            status, text = 200, page.draw(shelf, _query(request, page.words))
        except AgentDebateError as error:
            status, text = _problem(shelf, error)
        return responses.HTMLResponse(text, status, headers={"cache-control": "no-store"})  # type: ignore[no-any-return]

    return endpoint


def _query(request: "Request", known: frozenset[str] = frozenset()) -> Query:
    items = request.query_params.multi_items()
    names = dict.fromkeys(name for name, _ in items)
    many = {name: tuple(value for key, value in items if key == name) for name in names}
    return Query(dict(items), many, known)


def _problem(shelf: Shelf, error: AgentDebateError) -> tuple[int, str]:
    if isinstance(error, UsageError):
        bad = isinstance(error, BadAddress)
        status, title = (_BAD_QUERY, "This address means nothing") if bad else (_NOT_FOUND, "Not found")
    else:
        status, title = _BROKEN, "The store cannot be read"
    return status, draw("problem.html", title=title, problem=str(error), **_base(shelf))


def _missing(shelf: Shelf) -> Callable[["Request", Exception], Awaitable["Response"]]:
    responses = optional("starlette.responses", EXTRA)

    async def missing(request: "Request", error: Exception) -> "Response":  # noqa: ARG001 - starlette's signature
        text = draw(
            "problem.html", title="Not found", problem="There is no page at this address.", **_base(shelf)
        )
        return responses.HTMLResponse(text, _NOT_FOUND)  # type: ignore[no-any-return]

    return missing


def _text(shelf: Shelf) -> Callable[["Request"], "Response"]:
    """One text in whole, as plain text."""
    responses = optional("starlette.responses", EXTRA)

    def endpoint(request: "Request") -> "Response":
        query = _query(request)
        try:
            number = {name: query.number(name) for name in ("seq", "call", "part")}
            text = plain_text(shelf, query.run(shelf), query.debate, field=query.words.get("field"), **number)
        except AgentDebateError as error:
            status, page = _problem(shelf, error)
            return responses.HTMLResponse(page, status)  # type: ignore[no-any-return]
        return responses.PlainTextResponse(text, headers={"cache-control": "no-store"})  # type: ignore[no-any-return]

    return endpoint


def _news(shelf: Shelf, streams: Streams) -> Callable[["Request"], Awaitable["Response"]]:
    """What is new in a run, a debate or the list of runs, as server-sent events, until it ends or nobody listens any more."""
    responses = optional("starlette.responses", EXTRA)

    async def endpoint(request: "Request") -> "Response":
        query = _query(request)
        try:
            watch = await anyio.to_thread.run_sync(_watch, shelf, query)
        except AgentDebateError as error:
            status, page = _problem(shelf, error)
            return responses.HTMLResponse(page, status)  # type: ignore[no-any-return]
        if streams.full:
            return responses.PlainTextResponse("Too many pages are followed at once.\n", _BUSY)  # type: ignore[no-any-return]
        seen = request.headers.get("last-event-id") or query.words.get("seen", "")
        events = streams.of(watch, seen)
        return responses.StreamingResponse(  # type: ignore[no-any-return]
            events, media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    return endpoint


def _watch(shelf: Shelf, query: Query) -> Look:
    """What looks at that of which the news are asked for. Raises UsageError."""
    if query.words.get("of") == "runs":
        return RunsWatch(shelf, query.page)
    return Watch(shelf, query.run(shelf).id, query.debate or None)
