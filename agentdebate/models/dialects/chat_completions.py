"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and many
more.
"""

from typing import Any

from agentdebate.errors import ModelError
from agentdebate.models.base import Completion, Sampling
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.dialects.openai_options import OpenAIOptions
from agentdebate.models.dialects.opener import Opener, Profile
from agentdebate.models.dialects.parameters import Parameters, parameters_of
from agentdebate.models.dialects.problems import Problem
from agentdebate.models.dialects.request_form import RequestForm
from agentdebate.models.dialects.usual_reply import usual_completion
from agentdebate.models.dialects.wire import ChatReply
from agentdebate.models.http import Answer
from agentdebate.models.prompt_caching import PromptCaching
from agentdebate.models.provider_keys import OPENAI, Provider
from agentdebate.models.reply_size import check_size

_PATH = "/chat/completions"
_FLOOR = 1024
"""Tokens that OpenAI's cache keeps at the least."""


class OpenAIChat(EndpointModel[RequestForm]):
    """A model behind a chat-completions endpoint. A refused token limit or schema is spelled another way."""

    def __init__(
        self,
        model: str,
        options: OpenAIOptions,
        provider: Provider = OPENAI,
        known: Parameters = Parameters(),
    ) -> None:
        dialect = Dialect.of(
            parameters_of(model).at(options.extra.get("reasoning_effort")).over(known),
            limit=options.max_tokens_field,
            schema=options.schema_form,
            system=options.system,
        )
        super().__init__(model, provider, options, dialect, _PATH)
        self._keeping = ""
        if options.prompt_cache in {"in_memory", "24h"}:
            self._keeping = options.prompt_cache
        own = provider.name == OPENAI.name and self._endpoint.is_own
        if options.prompt_cache != "off" and (own or options.prompt_cache != "auto"):
            self.prompt_caching = PromptCaching(parameters_of(model).cache_floor or _FLOOR)

    def _make_form(self, sampling: Sampling, dialect: Dialect) -> RequestForm:
        return RequestForm(
            self._model, sampling, dialect, self._extra, caching=self.prompt_caching, keeping=self._keeping
        )

    def _said(
        self, answer: Answer, form: RequestForm, about: dict[str, Any]
    ) -> Completion | Problem | ModelError:
        usual = usual_completion(answer.body, **about) if form.plain else None
        if usual is not None:
            return usual
        reply = ChatReply.read(answer.body)
        if not reply.choices:
            return self._endpoint.problem(answer)
        return check_size(reply.completion(form.sampling, **about))


open_openai = Opener(
    OPENAI,
    OpenAIChat,
    OpenAIOptions,
    profile=Profile(
        can=frozenset({"n", "logprobs", "schema", "temperature", "seed"}),
        of=("gpt-4*", "gpt-5*", "o[1-9]*"),  # of n and seed with GPT-6 its maker says nothing
        cache_floor=_FLOOR,
        names=("gpt-*", "o[1-9]*", "chatgpt-*"),
    ),
)
"""Opens "openai/NAME"."""
