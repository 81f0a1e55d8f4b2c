"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and many
more.
"""

import json
import logging
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from agentdebate.errors import ModelError, RequestRefused, UsageError
from agentdebate.models.base import Completion, ModelRequest, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.openai_endpoint import OpenAIEndpoint
from agentdebate.models.dialects.openai_options import OpenAIOptions
from agentdebate.models.dialects.parameters import parameters_of
from agentdebate.models.dialects.problems import Problem, retry_after
from agentdebate.models.dialects.wire import ChatReply
from agentdebate.models.http import Answer
from agentdebate.models.limits.quota import Quota, read_quota
from agentdebate.models.reply_size import check_size, largest_answer

_PATH = "/chat/completions"
_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_ADAPTIONS = 8
"""More refusals than this of one request are no dialect."""

_log = logging.getLogger(__name__)


class OpenAIChat:
    """A model behind a chat-completions endpoint. It adapts to parameters that the endpoint refuses.

    A refused temperature, top_p or penalty is left out with one warning in the log, a token limit or a schema
    is spelled another way; a refused seed, stop or log-probability is RequestRefused, for whoever asks for it
    relies on it.
    """

    def __init__(self, model: str, options: OpenAIOptions | None = None) -> None:
        chosen = options or OpenAIOptions()
        self._model, self._sampling, self._extra = model, chosen.sampling, chosen.extra
        self._endpoint = OpenAIEndpoint(self.name, _PATH, chosen)
        self.settings = chosen.settings(self._endpoint.address, self._endpoint.hide)
        """The options it was opened with, for the record. There is no key in them."""
        self._dialect = Dialect.of(
            parameters_of(model),
            limit=chosen.max_tokens_field,
            schema=chosen.schema_form,
            system=chosen.system,
        )
        self._warned: set[str] = set()
        self.quota: Quota | None = None
        """What the newest answer that said anything of rate limits said of them."""

    def __repr__(self) -> str:
        return f"<OpenAIChat {self._model} at {self._endpoint.place}>"

    @property
    def name(self) -> str:
        """The provider and the model: "openai/gpt-4o-mini"."""
        return f"openai/{self._model}"

    @property
    def structured(self) -> bool:
        """Whether replies are held to schemas, as far as the endpoint has shown."""
        return self._dialect.schema != "none"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises ModelError."""
        sampling = self._sampling.overlaid(request.sampling)
        for tries in range(1, _ADAPTIONS + 1):
            dialect = self._dialect
            body = self._body(request, sampling, dialect)
            said = await self._said(
                body, sampling, held=request.schema is not None and dialect.schema != "none"
            )
            if isinstance(said, Completion):
                return said
            if isinstance(said, ModelError):
                raise said
            if not self._learns(dialect, said, body) or tries == _ADAPTIONS:
                raise self._endpoint.failure(said)
        raise AssertionError("the last try returns or raises")  # pragma: no cover

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def _said(
        self, body: Mapping[str, Any], sampling: Sampling, *, held: bool
    ) -> Completion | Problem | ModelError:
        """What the endpoint says to a body. An error in it is returned: raised here, it would hold on to the answer."""
        started = time.perf_counter()
        answer = await self._endpoint.post(_ENCODE(body).encode(), largest_answer(sampling))
        self._meter(answer)
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            return self._endpoint.problem(answer)
        try:
            reply = ChatReply.read(answer.body)
            if not reply.choices:
                return self._endpoint.problem(answer)
            seconds = time.perf_counter() - started
            return self._completion(reply, answer, sampling, seconds, structured=held)
        except ModelError as error:
            return self._endpoint.placed(error, answer)

    def _body(self, request: ModelRequest, sampling: Sampling, dialect: Dialect) -> dict[str, Any]:
        if refused := dialect.refused(sampling):
            raise RequestRefused(
                f"this model does not take {refused!r}: do not ask for it", model=self.name
            ).about(refused)
        for name in dialect.dropped(sampling):
            if name not in self._warned:
                self._warned.add(name)
                _log.warning("%s takes no %s: requests go out without it", self.name, name)
        return {
            "model": self._model,
            "messages": dialect.messages(request.messages),
            **dialect.parameters(sampling),
            **dialect.response_format(request.schema),
            **self._extra,
        }

    def _meter(self, answer: Answer) -> None:
        """Note what the answer says of rate limits, whether it is a completion or a refusal."""
        wait = retry_after(answer.headers) if answer.status >= HTTPStatus.BAD_REQUEST else None
        self.quota = read_quota(answer.headers, retry_after=wait) or self.quota

    def _completion(
        self, reply: ChatReply, answer: Answer, sampling: Sampling, seconds: float, *, structured: bool
    ) -> Completion:
        return check_size(
            reply.completion(
                sampling,
                structured=structured,
                model=self._model,
                latency=seconds,
                request_id=self._endpoint.id(answer),
            )
        )

    def _learns(self, used: Dialect, problem: Problem, body: Mapping[str, object]) -> bool:
        """Whether another try makes sense, because there is a dialect that avoids the problem."""
        learnt = used.after(problem, [name for name in body if name not in self._extra])
        if learnt is None:
            return False
        if self._dialect == used:  # else another call has learnt something meanwhile
            self._dialect = learnt
            _log.info("%s: requests go out %s from now on", self.name, learnt.changes(used))
        return True


def open_openai(name: str, *, connections: object = None, **options: object) -> OpenAIChat:
    """Open the model `name` of an endpoint. The options are those of OpenAIOptions, and sampling parameters.

    `connections` is a parameter of its own, so that an evaluation can set it without knowing whose model it opens. Raises UsageError where there is no key for OpenAI's own address, or an option means nothing.
    """
    if not name.strip():
        raise UsageError("name a model after the provider: openai/gpt-4o-mini")
    given = options if connections is None else {**options, "connections": connections}
    return OpenAIChat(name.strip(), OpenAIOptions.read(given, of=f"openai/{name.strip()}"))
