"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and many
more.
"""

import time
from collections.abc import Mapping
from typing import Any

from agentdebate.errors import ModelError, RequestRefused, UsageError
from agentdebate.log import get_log
from agentdebate.models.base import Completion, ModelRequest, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.openai_endpoint import OpenAIEndpoint
from agentdebate.models.dialects.openai_options import OpenAIOptions
from agentdebate.models.dialects.parameters import parameters_of
from agentdebate.models.dialects.problems import Problem, retry_after
from agentdebate.models.dialects.request_form import RequestForm
from agentdebate.models.dialects.usual_reply import usual_completion
from agentdebate.models.dialects.wire import ChatReply
from agentdebate.models.http import Answer
from agentdebate.models.limits.quota import Quota, read_quota
from agentdebate.models.reply_size import check_size

_PATH = "/chat/completions"
_ADAPTIONS = 8
"""More refusals than this of one request are no dialect."""
_FORMS = 256
"""Sets of sampling parameters for which it is kept what requests look like."""

_log = get_log(__name__)


class OpenAIChat:
    """A model behind a chat-completions endpoint. It adapts to parameters that the endpoint refuses.

    A refused temperature, top_p or penalty is left out with one warning in the log, a token limit or a schema
    is spelled another way; a refused seed, stop or log-probability is RequestRefused, for whoever asks for it
    relies on it.
    """

    def __init__(self, model: str, options: OpenAIOptions | None = None) -> None:
        chosen = options or OpenAIOptions()
        self._model, self._sampling, self._extra = model, chosen.sampling, chosen.extra
        self.name = f"openai/{model}"
        """The provider and the model: "openai/gpt-4o-mini"."""
        self._endpoint = OpenAIEndpoint(self.name, _PATH, chosen)
        self.settings = chosen.settings(self._endpoint.address, self._endpoint.hide)
        """The options it was opened with, for the record. There is no key in them."""
        self._dialect = Dialect.of(
            parameters_of(model),
            limit=chosen.max_tokens_field,
            schema=chosen.schema_form,
            system=chosen.system,
        )
        self._forms: dict[tuple[object, ...], RequestForm] = {}
        self._warned: set[str] = set()
        self.quota: Quota | None = None
        """What the newest answer that said anything of rate limits said of them."""

    def __repr__(self) -> str:
        return f"<OpenAIChat {self._model} at {self._endpoint.place}>"

    @property
    def structured(self) -> bool:
        """Whether replies are held to schemas, as far as the endpoint has shown."""
        return self._dialect.schema != "none"

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request. Raises ModelError."""
        for tries in range(1, _ADAPTIONS + 1):
            form = self._form(request.sampling)
            held = request.schema is not None and form.dialect.schema != "none"
            started = time.perf_counter()
            # The answer has no name here: an error that is raised here would hold on to it.
            said = self._read(
                await self._endpoint.post(form.body(request), form.largest), form, started, held
            )
            if isinstance(said, Completion):
                return said
            if isinstance(said, ModelError):
                raise said
            if not self._learns(form, said, held=held) or tries == _ADAPTIONS:
                raise self._endpoint.failure(said)
        raise AssertionError("the last try returns or raises")  # pragma: no cover

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    def _form(self, sampling: Sampling) -> RequestForm:
        """What a request with these parameters looks like, in the dialect as far as it is known."""
        given = (*sampling.__dict__.values(), frozenset(sampling.__pydantic_fields_set__))
        form = self._forms.get(given)
        if form is None or form.dialect is not self._dialect:
            if len(self._forms) >= _FORMS:
                self._forms.clear()
            form = self._forms[given] = self._new_form(self._sampling.overlaid(sampling))
        return form

    def _new_form(self, sampling: Sampling) -> RequestForm:
        dialect = self._dialect
        if refused := dialect.refused(sampling):
            raise RequestRefused(
                f"this model does not take {refused!r}: do not ask for it", model=self.name
            ).about(refused)
        for name in dialect.dropped(sampling):
            if name not in self._warned:
                self._warned.add(name)
                _log.warning("%s takes no %s: requests go out without it", self.name, name)
        return RequestForm(self._model, sampling, dialect, self._extra)

    def _read(
        self, answer: Answer, form: RequestForm, started: float, held: bool
    ) -> Completion | Problem | ModelError:
        """What an answer says."""
        self._meter(answer)
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            return self._endpoint.problem(answer)
        about: dict[str, Any] = {
            "structured": held,
            "model": self._model,
            "latency": time.perf_counter() - started,
            "request_id": self._endpoint.id(answer),
        }
        usual = usual_completion(answer.body, **about) if form.plain else None
        return usual or self._completion(answer, form.sampling, about)

    def _completion(
        self, answer: Answer, sampling: Sampling, about: Mapping[str, Any]
    ) -> Completion | Problem | ModelError:
        """What an answer says that is odd in some way."""
        try:
            reply = ChatReply.read(answer.body)
            if not reply.choices:
                return self._endpoint.problem(answer)
            return check_size(reply.completion(sampling, **about))
        except ModelError as error:
            return self._endpoint.placed(error, answer)

    def _meter(self, answer: Answer) -> None:
        """Note what the answer says of rate limits, whether it is a completion or a refusal."""
        wait = retry_after(answer.headers) if answer.status >= 400 else None  # noqa: PLR2004 - errors
        self.quota = read_quota(answer.headers, retry_after=wait) or self.quota

    def _learns(self, form: RequestForm, problem: Problem, *, held: bool) -> bool:
        """Whether another try makes sense, because there is a dialect that avoids the problem."""
        used = form.dialect
        learnt = used.after(problem, [*form.names, *(("response_format",) if held else ())])
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
