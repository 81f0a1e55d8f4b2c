"""Context of log lines, and OpenTelemetry spans where they are recorded.

The words of a debate are in neither: they are in the store. Names of attributes are those of OpenTelemetry's
conventions for generative AI where there is one; these are not stable yet, so they stand here alone.
"""

import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Self

ABOUT = ("run", "item", "debate", "agent", "round", "purpose")
"""Fields of the context, from the outside in. A turn is the agent's in the round."""

OPERATION, CHAT = "gen_ai.operation.name", "chat"
REQUEST_MODEL, RESPONSE_MODEL = "gen_ai.request.model", "gen_ai.response.model"
RESPONSE_ID, FINISH = "gen_ai.response.id", "gen_ai.response.finish_reasons"
INPUT_TOKENS, OUTPUT_TOKENS = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
ERROR = "error.type"

API = "opentelemetry.trace"
"""The module that a program has imported if it records spans."""
_NOTHING: Mapping[str, Any] = {}
_about: ContextVar[Mapping[str, Any]] = ContextVar("about", default=_NOTHING)


def about() -> Mapping[str, Any]:
    """Return the context of the current work: the run, item, debate, agent, round and purpose, as far as there are any."""
    return _about.get()


class AboutFilter(logging.Filter):
    """Gives every record of a handler what it is about, as attributes: `handler.addFilter(AboutFilter())`."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass."""
        for name, value in about().items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True


class Span:
    """Something that goes on. While it lasts, what is logged is about it, and other spans are inside it.

    Where no one records spans (no OpenTelemetry SDK was set up) it does nothing but that. An exception that leaves it is
    its error.
    """

    __slots__ = ("_about", "_attributes", "_name", "_recording", "_span", "_token")

    _recording: Any
    _span: Any

    def __init__(self, name: str, attributes: Mapping[str, Any] | None = None, **told: Any) -> None:
        self._name, self._attributes = name, attributes
        self._about: Mapping[str, Any] = told
        self._token: Token[Mapping[str, Any]]
        self._recording = self._span = None

    def __repr__(self) -> str:
        return f"<Span {self._name!r}{', recorded' if self._span is not None else ''}>"

    def __enter__(self) -> Self:
        if self._about:
            self._about = {**_about.get(), **self._about}
            self._token = _about.set(self._about)
        if API in sys.modules:
            self._record()
        return self

    def _record(self) -> None:
        """Begin a span of OpenTelemetry's, where spans are recorded."""
        tracer = recorder()
        if tracer is not None:
            given = {own(name): value for name, value in about().items()}
            attributes = {**given, **(self._attributes or _NOTHING)}
            self._recording = tracer.start_as_current_span(self._name, attributes=attributes)
            self._span = self._recording.__enter__()

    @property
    def recorded(self) -> bool:
        """True if the span is recorded."""
        return self._span is not None

    def tell(self, attributes: Mapping[str, Any]) -> None:
        """Say what came of it; what is None is left out."""
        if self._span is not None:
            self._span.set_attributes({name: v for name, v in attributes.items() if v is not None})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._about:
            _about.reset(self._token)
        if self._recording is not None:
            self._recording.__exit__(kind, error, trace)


def own(name: str) -> str:
    """The name of an attribute of ours."""
    return f"agentdebate.{name}"


def recorder() -> Any:
    """OpenTelemetry's tracer; None where no SDK was set up that records spans.

    A program that has set it up has imported its API, so nothing is imported here.
    """
    api = sys.modules.get(API)
    if api is None:
        return None
    provider = api.get_tracer_provider()
    return None if isinstance(provider, api.ProxyTracerProvider) else provider.get_tracer("agentdebate")
