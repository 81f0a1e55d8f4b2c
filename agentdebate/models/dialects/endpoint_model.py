"""A model behind an endpoint, whatever the endpoint's dialect: what is sent, what comes back, and what is learnt from refusals."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agentdebate.codec import plain_json
from agentdebate.errors import ModelError, ModelTimeout, RequestRefused, UsageError
from agentdebate.log import get_log
from agentdebate.models.base import Completion, ModelRequest, Sampling
from agentdebate.models.completion_check import check_size, largest_answer
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.marks import written
from agentdebate.models.dialects.options import SamplingOptions
from agentdebate.models.dialects.problems import Problem
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.dialects.reply import Response, tidy
from agentdebate.models.http import Answer
from agentdebate.models.provider_keys import Provider
from agentdebate.project.model_spec import APART, placed_name
from agentdebate.visible import is_blank

_log = get_log(__name__)


@dataclass(frozen=True, slots=True)
class RequestForm:
    """A request with its sampling parameters in a dialect, which may have become another one meanwhile."""

    request: ModelRequest
    sampling: Sampling
    dialect: Dialect
    parameters: Mapping[str, Any]
    """The parameters as chat completions spell them."""
    tier: str = ""
    """Service tier to ask at; empty where none is chosen."""


class EndpointModel(ABC):
    """A model behind an endpoint.

    Of what is known not to be taken, a temperature, top_p or penalty is left out with one warning in the log; a seed, stop or
    log-probability is RequestRefused, for a caller that asks for it relies on it. Once the endpoint has refused a schema, none is
    sent. A dialect writes requests (`body`) and reads replies (`read`); the rest is the same in all.
    """

    schema_field: ClassVar[str] = "response_format"
    """The field of a request that holds the reply to a schema."""

    def __init__(
        self, model: str, provider: Provider, options: SamplingOptions, dialect: Dialect, path: str
    ) -> None:
        self.name = f"{provider.name}/{model}"
        """The provider and the model, "openai/gpt-6-luna", and the host where it is not the provider's own: "... at localhost:8000"."""
        self._model, self._extra = model, options.extra
        self.sampling = options.sampling
        """Parameters for requests that leave them open."""
        self._endpoint = ProviderEndpoint(self.name, path, options, provider)
        self.name = provider.placed(self.name, self._endpoint.address)
        self._place = "" if self._endpoint.is_own else self._endpoint.place
        """Name in completions, beside the model's."""
        self.settings = options.settings(self._endpoint.address, self._endpoint.hide)
        """The options it was opened with, for the record. There is no key in them."""
        self.tier: str = getattr(options, "tier", None) or ""
        """Service tier that calls are made at, or "1h-writes"; empty where none is chosen."""
        self._dialect = dialect
        self._warned: set[str] = set()
        self.prompt_caching = options.caching(self.name)
        """Rules of the endpoint's cache of prompts; None where nothing is known of one, and where it is not to be used."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._model} at {self._endpoint.place}>"

    @property
    def structured(self) -> bool:
        """Tell whether replies are held to schemas, as far as the endpoint has shown."""
        return self._dialect.holds

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request, without its schema where the endpoint refuses that. Raises ModelError."""
        said = await self._ask(request)
        if isinstance(said, Problem) and self._leaves_schema(said, request):
            said = await self._ask(request)
        if isinstance(said, Problem):
            raise self._endpoint.failure(said)
        if isinstance(said, ModelError):
            raise said
        if said.finish == "length" and is_blank(said.text):
            self._tell_of_thinking(said)
        return said

    async def _ask(self, request: ModelRequest) -> Completion | Problem | ModelError:
        tier = "standard" if self.tier and request.standard else self.tier
        form = self._form(request, tier)
        held = request.schema is not None and form.dialect.holds
        started = time.perf_counter()
        # The answer has no name here: an error that is raised here would hold on to it.
        return self._read(await self._post(request, form), form, started, held)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    def way_out(self, parameter: str) -> str:
        """Say how the model takes a parameter that it refuses, as words behind its name; empty where nothing does."""
        return self._dialect.way_out(parameter)

    def _at(self, whole: Sampling) -> Dialect:
        """The dialect where requests ask for this effort; one in `extra` goes before it."""
        return self._dialect.at(self._extra.get("reasoning_effort", whole.effort))

    def refuses(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these that the model is known to refuse, so that no request with them makes sense."""
        whole = self.sampling.overlaid(sampling)
        return self._at(whole).refusals(whole)

    def leaves_out(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these that the model is known not to take, so that requests go out without them."""
        whole = self.sampling.overlaid(sampling)
        return tuple(self._at(whole).dropped(whole))

    def warn_of(self, sampling: Sampling) -> None:
        """Warn, once for each, of the parameters that the model is known not to take."""
        for name in self.leaves_out(sampling):
            if name not in self._warned:
                self._warned.add(name)
                _log.warning(
                    "%s takes no %s%s: requests go out without it", self.name, name, self.way_out(name)
                )

    def written(self, request: ModelRequest) -> list[str] | None:
        """Texts of the prompt that the endpoint may write into its cache; None where that may be all."""
        return written(request, self.prompt_caching)

    @abstractmethod
    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:
        """The body of a request. What the user gave in `extra` goes before ours."""

    @abstractmethod
    def read(self, body: bytes, form: RequestForm) -> Response | None:
        """The reply in the body of an answer with a status of success; None where the body says what went wrong.

        It has log-probabilities where the form's sampling wants them, with so many alternatives. Raises ModelError.
        """

    async def _post(self, request: ModelRequest, form: RequestForm) -> Answer:
        body = plain_json(self.body(request, form))
        try:
            return await self._endpoint.post(body, largest_answer(form.sampling))
        except ModelTimeout as error:  # at flex after 15 minutes: the standard tier is next
            error.retryable = form.tier != "flex"
            raise

    def _form(self, request: ModelRequest, tier: str) -> RequestForm:
        """Make the form of a request, in the dialect as far as it is known."""
        whole = self.sampling.overlaid(request.sampling)
        dialect = self._at(whole)
        if refused := self.refuses(whole):
            raise RequestRefused(
                f"this model does not take {refused[0]!r}{self.way_out(refused[0])}: do not ask for it",
                model=self.name,
            ).about(refused[0])
        self.warn_of(whole)
        return RequestForm(request, whole, dialect, dialect.parameters(whole), tier)

    def _read(
        self, answer: Answer, form: RequestForm, started: float, held: bool
    ) -> Completion | Problem | ModelError:
        """Read an answer, whether it is a completion or a refusal."""
        if not answer.ok:
            return replace(self._endpoint.problem(answer), tier=form.tier)
        try:
            reply = self.read(answer.body, form)
            if reply is None:
                return replace(self._endpoint.problem(answer), tier=form.tier)
            model = tidy(reply.model or "") or self._model
            tier = reply.tier or form.tier
            place = f"{self._place} {tier}".strip() if tier in APART else self._place
            completion = reply.completion(
                form.sampling,
                model=placed_name(model, place) if place else model,
                structured=held,
                latency=time.perf_counter() - started,
                request_id=self._endpoint.id(answer),
            )
            return check_size(completion)
        except ModelError as error:
            return self._endpoint.placed(error, answer)

    def _leaves_schema(self, problem: Problem, request: ModelRequest) -> bool:
        """Tell whether another try makes sense, since the endpoint refused the schema."""
        dialect = self._dialect
        if request.schema is None or not (dialect.follows and problem.refuses_schema(self.schema_field)):
            return False
        if dialect.holds:  # else another call has learnt it meanwhile
            self._dialect = dialect.model_copy(update={"holds": False})
            _log.info("%s: requests go out without schemas from now on", self.name)
        return True

    def _tell_of_thinking(self, said: Completion) -> None:
        """Warn, once, of a reply that was cut before its first word."""
        if "max_tokens" in self._warned:
            return
        self._warned.add("max_tokens")
        _log.warning(
            "%s: a reply of %d tokens ended at the token limit before its first word, of which %d went into thinking: "
            "allow more (max_tokens=...), or have it think less (effort=...)",
            self.name,
            said.usage.completion_tokens,
            said.usage.reasoning_tokens,
        )


class Opener:
    """Opens the models of a provider: what is registered under `agentdebate.models`.

    `kind` makes a model of the dialect, `options` are what can be set about it, and `about` says in a sentence whose models these are.
    """

    def __init__(
        self,
        provider: Provider,
        kind: Callable[..., EndpointModel],
        options: type[SamplingOptions],
        about: str,
    ) -> None:
        self.__doc__ = f"{provider.name}/MODEL: {about}"  # what `list models` says of it
        self.provider = provider
        """Provider whose models it opens."""
        self.takes = options, Sampling
        """Classes whose fields are the options."""
        self._kind, self._options = kind, options

    def __repr__(self) -> str:
        return f"<Opener of {self.provider.name}/...>"

    def writes(self, name: str, options: Mapping[str, object]) -> Callable[[ModelRequest], list[str] | None]:
        """Make the function that says which texts of a prompt a model with these options may write into the endpoint's cache."""
        full = f"{self.provider.name}/{name}"
        read = self._options.read(options, of=full)
        caching = read.caching(self.provider.placed(full, read.base_url))
        return lambda request: written(request, caching)

    def __call__(self, name: str, *, connections: object = None, **options: object) -> EndpointModel:
        """Open the model `name`. The options are those of the dialect, and sampling parameters.

        `connections` is a parameter of its own, so that an evaluation can set it without knowing whose model it opens.
        Raises UsageError where a key or an address is missing, or an option means nothing.
        """
        model = name.strip()
        if not model:
            raise UsageError(f"name a model after the provider: {self.provider.name}/NAME")
        given = options if connections is None else {**options, "connections": connections}
        read = self._options.read(given, of=f"{self.provider.name}/{model}")
        return self._kind(model, read, self.provider)
