"""The files that pages load, served as they are."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from agentdebate.extras import optional

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

EXTRA = "view"
"""The extra that brings what serves pages."""


def static_routes(kinds: Mapping[str, str]) -> list[Any]:
    """A route for each file, whose media type stands beside its name. Raises MissingExtra where starlette is not installed."""
    routing = optional("starlette.routing", EXTRA)
    return [
        routing.Route(f"/static/{name}", _endpoint(name, kind), methods=["GET"])
        for name, kind in kinds.items()
    ]


def _endpoint(name: str, kind: str) -> Callable[["Request"], "Response"]:
    responses = optional("starlette.responses", EXTRA)
    content = files("agentdebate.viewer").joinpath("static", name).read_bytes()

    def endpoint(request: "Request") -> "Response":  # noqa: ARG001 - starlette's signature
        return responses.Response(content, media_type=kind, headers={"cache-control": "no-cache"})  # type: ignore[no-any-return]

    return endpoint
