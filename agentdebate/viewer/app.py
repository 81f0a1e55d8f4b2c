"""The addresses of the viewer, and the page that each one gives. Every page is a GET with all that it asks for in its address."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.extras import optional
from agentdebate.store.reader import LAST
from agentdebate.store.run_head import RunHead
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.ballots_page import ballots_page
from agentdebate.viewer.call_page import call_page
from agentdebate.viewer.colours import colours_of
from agentdebate.viewer.compare_page import compare_page
from agentdebate.viewer.costs_page import costs_page
from agentdebate.viewer.debate_page import debate_page, quotes_of
from agentdebate.viewer.failures_page import failures_page
from agentdebate.viewer.guard import App, Guard
from agentdebate.viewer.pages import draw, load_templates
from agentdebate.viewer.query import BadAddress, RunQuery, page_number, whole_number
from agentdebate.viewer.run_page import run_page
from agentdebate.viewer.runs_page import runs_page
from agentdebate.viewer.shelf import Shelf

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams
    from starlette.requests import Request
    from starlette.responses import Response

EXTRA = "view"
"""The extra that brings what serves pages."""
_NOT_FOUND, _BAD_QUERY, _BROKEN = 404, 400, 500


def _runs(shelf: Shelf, query: "QueryParams") -> str:
    return _draw(shelf, "runs.html", page=runs_page(shelf, page_number(query)))


def _run(shelf: Shelf, query: "QueryParams") -> str:
    head = _head(shelf, query)
    return _draw(shelf, "run.html", head, page=run_page(shelf, head, RunQuery.read(query)))


def _of_run(template: str, page: Callable[[Shelf, RunHead], Any], shelf: Shelf, query: "QueryParams") -> str:
    head = _head(shelf, query)
    return _draw(shelf, template, head, page=page(shelf, head))


def _of_debate(template: str, page: Callable[..., Any], shelf: Shelf, query: "QueryParams") -> str:
    head, at = _head(shelf, query), whole_number(query, "at")
    return _draw(
        shelf, template, head, page=page(shelf, head, query.get("id", ""), RunQuery.read(query), at=at)
    )


def _costs(shelf: Shelf, query: "QueryParams") -> str:
    head = _head(shelf, query)
    return _draw(shelf, "costs.html", head, page=costs_page(shelf, head), colours=colours_of(shelf, head))


def _call(shelf: Shelf, query: "QueryParams") -> str:
    head = _head(shelf, query)
    page = call_page(shelf, head, query.get("id", ""), whole_number(query, "number") or 0)
    return _draw(shelf, "call.html", head, page=page)


def _compare(shelf: Shelf, query: "QueryParams") -> str:
    names = [name for name in (query.get("a"), query.get("b"), *query.getlist("run")) if name]
    if len(names) > 2:  # noqa: PLR2004 - a pair
        raise BadAddress(f"two runs are compared, not {len(names)}: mark two")
    head = shelf.reader().run(names[0] if names else LAST)
    second = shelf.reader().run(names[1]) if len(names) > 1 else None
    page = compare_page(shelf, head, second, name=query.get("score", ""), page=page_number(query))
    return _draw(shelf, "compare.html", head, page=page)


def _pair(shelf: Shelf, query: "QueryParams") -> str:
    heads, debate = [_head(shelf, query, name) for name in ("a", "b")], query.get("id", "")
    quotes = quotes_of(shelf, heads[0], debate)
    debates = [debate_page(shelf, head, debate, RunQuery(), quotes=quotes) for head in heads]
    return _draw(shelf, "pair.html", heads[0], pages=debates)


PAGES: Mapping[str, Callable[[Shelf, "QueryParams"], str]] = {
    "/": _runs,
    "/run": _run,
    "/agreement": partial(_of_run, "agreement.html", agreement_page),
    "/failures": partial(_of_run, "failures.html", failures_page),
    "/costs": _costs,
    "/debate": partial(_of_debate, "debate.html", debate_page),
    "/ballots": partial(_of_debate, "ballots.html", ballots_page),
    "/call": _call,
    "/compare": _compare,
    "/pair": _pair,
}
"""The pages by their addresses."""


def app(shelf: Shelf, *, token: str, host: str = "127.0.0.1", once: str = "") -> App:
    """The viewer of a store as an ASGI app, with its templates loaded. Raises MissingExtra where starlette is not installed."""
    load_templates()
    routing, applications = optional("starlette.routing", EXTRA), optional("starlette.applications", EXTRA)
    routes = [routing.Route(path, _endpoint(shelf, page), methods=["GET"]) for path, page in PAGES.items()]
    pages = applications.Starlette(
        routes=[*routes, static_files()], exception_handlers={_NOT_FOUND: _missing(shelf)}
    )
    return Guard(pages, host=host, token=token, once=once)


def static_files() -> Any:
    """The route of the files that pages load. Raises MissingExtra where starlette is not installed."""
    routing, static = optional("starlette.routing", EXTRA), optional("starlette.staticfiles", EXTRA)
    return routing.Mount("/static", static.StaticFiles(packages=[("agentdebate.viewer", "static")]))


def _head(shelf: Shelf, query: Mapping[str, str], name: str = "run") -> RunHead:
    """The run that an address names; the newest where it names none. Raises UsageError."""
    return shelf.reader().run(query.get(name) or LAST)


def _draw(shelf: Shelf, template: str, head: RunHead | None = None, **page: Any) -> str:
    return draw(template, place=shelf.place, run_id=head.id if head else "", **page)


def _endpoint(shelf: Shelf, page: Callable[[Shelf, "QueryParams"], str]) -> Callable[["Request"], "Response"]:
    responses = optional("starlette.responses", EXTRA)

    def endpoint(request: "Request") -> "Response":
        try:
            status, text = 200, page(shelf, request.query_params)
        except AgentDebateError as error:
            status, text = _problem(shelf, error)
        return responses.HTMLResponse(text, status)  # type: ignore[no-any-return]

    return endpoint


def _problem(shelf: Shelf, error: AgentDebateError) -> tuple[int, str]:
    status, title = _BROKEN, "The store cannot be read"
    if isinstance(error, BadAddress):
        status, title = _BAD_QUERY, "This address means nothing"
    elif isinstance(error, UsageError):
        status, title = _NOT_FOUND, "Not found"
    return status, _draw(shelf, "problem.html", title=title, problem=str(error))


def _missing(shelf: Shelf) -> Callable[["Request", Exception], Awaitable["Response"]]:
    responses = optional("starlette.responses", EXTRA)

    async def missing(request: "Request", error: Exception) -> "Response":  # noqa: ARG001 - starlette's signature
        text = _draw(shelf, "problem.html", title="Not found", problem="There is no page at this address.")
        return responses.HTMLResponse(text, _NOT_FOUND)  # type: ignore[no-any-return]

    return missing
