"""Options about the model, and those of them that are said once more to go on with a run."""

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from cyclopts import Parameter
from pydantic import ValidationError

from agentdebate.cli.options.common import MODEL, json_pairs
from agentdebate.errors import UsageError
from agentdebate.models.base import Sampling
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.secrets import plain_address, without_keys, without_secrets
from agentdebate.wrong_values import plain_problem

_SAMPLING = ("temperature", "top_p", "max_tokens", "seed")


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True)
class ModelOptions:
    """The model, its address and its sampling."""

    model: Annotated[str, Parameter(name=["--model", "-m"])] = "offline"
    """offline, openai/NAME for any chat-completions endpoint, anthropic/NAME, gemini/NAME, ...; options follow a colon:
    openai/NAME:timeout=30."""
    base_url: str | None = None
    """The endpoint's address up to /v1 [OPENAI_BASE_URL, or the provider's]."""
    api_key_env: str | None = None
    """The environment variable that holds the key [such as OPENAI_API_KEY]."""
    temperature: float | None = None
    """The sampling temperature."""
    top_p: float | None = None
    """Nucleus sampling: the share of probability that is drawn from."""
    max_tokens: int | None = None
    """Tokens a reply may have."""
    seed: int | None = None
    """The seed that the model gets, and that of --sample."""
    extra: tuple[str, ...] = ()
    """KEY=JSON: a further field of the request's body."""
    tokenizer: str | None = None
    """A tokenizer.json that counts the model's tokens [tiktoken]."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the model that were given, as `model` takes them. Raises UsageError."""
        given = {"base_url": self.base_url, "api_key_env": self.api_key_env}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return options | ({"extra": json_pairs(self.extra, "--extra")} if self.extra else {})

    @property
    def sampling(self) -> Sampling:
        """The sampling parameters that were given. Raises UsageError."""
        given = {name: getattr(self, name) for name in _SAMPLING if getattr(self, name) is not None}
        try:
            return Sampling(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]).replace("_", "-")
            raise UsageError(f"--{name}: {plain_problem(first)}, not {first['input']!r}") from error

    def described(self) -> dict[str, Any]:
        """Describe the options as JSON for the record, without keys."""
        extra = without_secrets(json_pairs(self.extra, "--extra"))
        return {
            **asdict(self),
            "model": shown_model(self.model),
            "extra": [f"{name}={json.dumps(value)}" for name, value in extra.items()],
            "base_url": plain_address(self.base_url) if self.base_url else None,
        }


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True)
class SaidAgain:
    """Options that the user repeats to go on with a run: a store may not decide them, or does not hold them."""

    base_url: str | None = field(default=None, repr=False)
    """The endpoint's address, in the place of the one in the store."""
    api_key_env: str | None = None
    """The environment variable that holds the key, in the place of the one in the store."""
    extra: tuple[str, ...] = field(default=(), repr=False)
    """KEY=JSON of the run once more, where its value was a secret and is not kept."""

    @classmethod
    def of(cls, models: ModelOptions) -> "SaidAgain":
        """Repeat what was said of a model."""
        return cls(models.base_url, models.api_key_env, models.extra)

    def words(self) -> list[str]:
        """Write the command line that says the same."""
        return [*self.shown_words(secrets=True), *(f"--extra={text}" for text in self.extra)]

    def shown_words(self, *, secrets: bool = False) -> list[str]:
        """Write the command line without what may be a secret, unless `secrets` are wanted."""
        said = {"--base-url": self.base_url, "--api-key-env": self.api_key_env}
        words = [f"{name}={value}" for name, value in said.items() if value]
        return [word for word in words if secrets or without_keys(word) == word]
