"""A model behind an endpoint, whatever the endpoint's dialect: what is sent, what comes back, and what is learnt from refusals."""

import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from agentdebate.errors import ModelError, RequestRefused
from agentdebate.log import get_log
from agentdebate.models.base import Completion, ModelRequest, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.problems import Problem, wait_of
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.dialects.sampling_options import SamplingOptions
from agentdebate.models.dialects.shutdowns import ending
from agentdebate.models.http import Answer
from agentdebate.models.limits.quota import Quota, read_quota
from agentdebate.models.prompt_caching import PromptCaching
from agentdebate.models.provider_keys import Provider
from agentdebate.project.model_spec import placed_name
from agentdebate.visible import is_blank

_ADAPTIONS = 8
"""More refusals than this of one request are no dialect."""
_FORMS = 256
"""Sets of sampling parameters for which it is kept what requests look like."""
_ERRORS = 400

_log = get_log(__name__)


class Form(Protocol):
    """What requests with the same sampling parameters look like in a dialect."""

    sampling: Sampling
    dialect: Dialect
    largest: int
    """The bytes up to which the answer is read."""

    def body(self, request: ModelRequest) -> bytes:
        """The body of a request."""
        ...

    def sent(self, *, held: bool) -> Collection[str]:
        """The fields of a body that are ours to change; `held` says that there is a schema in it."""
        ...


FormType = TypeVar("FormType", bound=Form)


class EndpointModel(ABC, Generic[FormType]):
    """A model behind an endpoint. It adapts to parameters that the endpoint refuses.

    A refused temperature, top_p or penalty is left out with one warning in the log; a refused seed, stop or
    log-probability is RequestRefused, for whoever asks for it relies on it. A dialect says what a request looks like
    (`_make_form`) and what an answer says (`_said`); the rest is the same in all.
    """

    spelled: ClassVar[Mapping[str, str]] = {}
    """Our names of the parameters that the dialect spells otherwise, by what it and its errors call them."""
    hottest: ClassVar[float] = 2
    """The highest temperature that the dialect's providers take."""

    def __init__(
        self, model: str, provider: Provider, options: SamplingOptions, dialect: Dialect, path: str
    ) -> None:
        self.name = f"{provider.name}/{model}"
        """The provider and the model, "openai/gpt-6-luna", and the host where it is not the provider's own: "... at localhost:8000"."""
        self._model, self._sampling, self._extra = model, options.sampling, options.extra
        self._endpoint = ProviderEndpoint(self.name, path, options, provider)
        self.name = provider.placed(self.name, self._endpoint.address)
        self._place = "" if self._endpoint.is_own else self._endpoint.place
        """What completions name beside the model."""
        self.settings = options.settings(self._endpoint.address, self._endpoint.hide)
        """The options it was opened with, for the record. There is no key in them."""
        self._dialect = dialect
        if ends := ending(self.name, datetime.now(UTC).date()) if self._endpoint.is_own else "":
            _log.warning("%s", ends)
        self._forms: dict[tuple[object, ...], FormType] = {}
        self._warned: set[str] = set()
        self.prompt_caching: PromptCaching | None = None
        """What the endpoint's cache of prompts takes; None where nothing is known of one, and where it is not to be used."""
        self.quota: Quota | None = None
        """What the newest answer that said anything of rate limits said of them."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._model} at {self._endpoint.place}>"

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
                if said.finish == "length" and is_blank(said.text):
                    self._tell_of_thinking(said)
                return said
            if isinstance(said, ModelError):
                raise said
            if not self._learns(form, said, held=held) or tries == _ADAPTIONS:
                raise self._endpoint.failure(said)
        raise AssertionError("the last try returns or raises")  # pragma: no cover

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    @property
    def way_out(self) -> str:
        """What has the model take what it refuses, as words behind its name; empty where nothing does."""
        return self._dialect.way_out()

    def refuses(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these that the model is known to refuse, so that no request with them makes sense."""
        refused = self._dialect.refusals(self._sampling.overlaid(sampling))
        hot = self._too_hot(sampling) if self._endpoint.is_hosted else ""
        return (*refused, hot) if hot else refused

    def leaves_out(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters among these that the model is known not to take, so that requests go out without them."""
        return tuple(self._dialect.dropped(self._sampling.overlaid(sampling)))

    def warn_of(self, sampling: Sampling) -> None:
        """Warn, once for each, of the parameters that the model is known not to take."""
        for name in self.leaves_out(sampling):
            if name not in self._warned:
                self._warned.add(name)
                _log.warning("%s takes no %s%s: requests go out without it", self.name, name, self.way_out)
        hot = self._too_hot(sampling)
        if hot and hot not in self._warned:
            self._warned.add(hot)
            _log.warning("%s may take no %s: the usual servers do not", self.name, hot)

    def _too_hot(self, sampling: Sampling) -> str:
        """Name a temperature that the dialect's providers do not take, with the range that they do; empty for another."""
        whole = self._sampling.overlaid(sampling)
        sent = whole.temperature is not None and "temperature" not in self._dialect.dropped(whole)
        too_hot = sent and (whole.temperature or 0) > self.hottest
        return f"temperature of {whole.temperature:g} (0 to {self.hottest:g})" if too_hot else ""

    @abstractmethod
    def _make_form(self, sampling: Sampling, dialect: Dialect) -> FormType:
        """What a request with these parameters looks like."""

    @abstractmethod
    def _said(
        self, answer: Answer, form: FormType, about: dict[str, Any], /
    ) -> Completion | Problem | ModelError:
        """What the body of an answer with a status of success says.

        `about` are fields of the completion: structured, model, latency, request_id. May raise ModelError.
        """

    def _form(self, sampling: Sampling) -> FormType:
        """What a request with these parameters looks like, in the dialect as far as it is known."""
        given = (*sampling.__dict__.values(), frozenset(sampling.model_fields_set))
        form = self._forms.get(given)
        if form is None or form.dialect is not self._dialect:
            if len(self._forms) >= _FORMS:
                self._forms.clear()
            form = self._forms[given] = self._new_form(self._sampling.overlaid(sampling))
        return form

    def _new_form(self, sampling: Sampling) -> FormType:
        dialect = self._dialect
        if refused := self.refuses(sampling):
            raise RequestRefused(
                f"this model does not take {refused[0]!r}{self.way_out}: do not ask for it", model=self.name
            ).about(refused[0].partition(" ")[0])
        self.warn_of(sampling)
        return self._make_form(sampling, dialect)

    def _read(
        self, answer: Answer, form: FormType, started: float, held: bool
    ) -> Completion | Problem | ModelError:
        """What an answer says, of rate limits too, whether it is a completion or a refusal."""
        wait = wait_of(answer) if answer.status >= _ERRORS else None
        self.quota = read_quota(answer.headers, retry_after=wait) or self.quota
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            return self._endpoint.problem(answer)
        about: dict[str, Any] = {
            "structured": held,
            "model": self._model,
            "latency": time.perf_counter() - started,
            "request_id": self._endpoint.id(answer),
        }
        try:
            said = self._said(answer, form, about)
        except ModelError as error:
            return self._endpoint.placed(error, answer)
        if self._place and isinstance(said, Completion):
            return replace(said, model=placed_name(said.model, self._place))
        return said

    def _learns(self, form: FormType, problem: Problem, *, held: bool) -> bool:
        """Whether another try makes sense, because there is a dialect that avoids the problem."""
        used = form.dialect
        learnt = used.after(problem, form.sent(held=held), self.spelled)
        if learnt is None:
            return False
        if self._dialect == used:  # else another call has learnt something meanwhile
            self._dialect = learnt
            _log.info("%s: requests go out %s from now on", self.name, learnt.changes(used))
        return True

    def _tell_of_thinking(self, said: Completion) -> None:
        """Warn, once, of a reply that was cut before its first word."""
        if "max_tokens" in self._warned:
            return
        self._warned.add("max_tokens")
        _log.warning(
            "%s: a reply of %d tokens ended at the token limit before its first word, of which %d went into thinking: "
            "allow more (max_tokens=...), or have it think less",
            self.name,
            said.usage.completion_tokens,
            said.usage.reasoning_tokens,
        )
