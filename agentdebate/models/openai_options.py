"""What can be set about a chat-completions endpoint."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import Field, ValidationError

from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.models.credentials import HIDDEN
from agentdebate.models.dialect import SchemaForm
from agentdebate.models.parameters import Limit
from agentdebate.models.reach import Reach

_SECRET = re.compile(
    r"(^|[_-])(key|apikey|secret|password|authorization|(access|auth|bearer)[_-]?token)$", re.IGNORECASE
)
"""Names of fields whose text is a key."""


class OpenAIOptions(Reach):
    """How to reach an endpoint and what to send it beside the request."""

    ours: ClassVar[frozenset[str]] = frozenset(("messages", "model", "response_format", "stream"))

    schema_form: SchemaForm | Literal["auto"] = Field(default="auto", alias="schema")
    """How replies are held to schemas; "auto" starts with "json_schema" and follows the endpoint."""
    max_tokens_field: Limit | Literal["auto"] = "auto"
    """How the token limit is spelled; "auto" goes by the model's name, then by what the endpoint says."""
    system: bool = True
    """Whether the chat template has a system role."""
    sampling: Sampling = Sampling()
    """Parameters for requests that leave them open."""

    def settings(self, address: str, hide: Callable[[str], str]) -> dict[str, Any]:
        """The options that were given, as JSON for the record, with the address that is used.

        `hide` takes known keys out of a text. No header's value is there, and no text under a name such as api_key.
        """
        kept = self.model_dump(
            mode="json",
            by_alias=True,
            exclude_unset=True,
            exclude={"api_key_env", "headers", "client", "transport"},
        )
        more = {"headers": sorted(self.headers)} if self.headers else {}
        found: dict[str, Any] = without_keys({**kept, **more, "base_url": plain_address(address)}, hide)
        return found

    @classmethod
    def read(cls, options: Mapping[str, object]) -> "OpenAIOptions":
        """Read options by name; sampling parameters may stand among them. Raises UsageError."""
        known = {field.alias or name for name, field in cls.model_fields.items()}
        for name in options:
            if name not in known | Sampling.model_fields.keys():
                raise UsageError(f"openai models have no option {name!r}. {nearest(name, known)}")
        flat = {name: value for name, value in options.items() if name in Sampling.model_fields}
        try:
            read = cls.model_validate({name: value for name, value in options.items() if name not in flat})
            return read.model_copy(update={"sampling": read.sampling.overlaid(Sampling.model_validate(flat))})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise UsageError(f"option {'.'.join(map(str, first['loc']))!r}: {first['msg']}") from error


def without_keys(value: Any, hide: Callable[[str], str]) -> Any:
    """JSON without keys: `hide` takes known ones out, and the text of fields that are called like one goes as well."""
    if isinstance(value, Mapping):
        return {
            name: HIDDEN if isinstance(inner, str) and _SECRET.search(name) else without_keys(inner, hide)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [without_keys(inner, hide) for inner in value]
    return hide(value) if isinstance(value, str) else value


def plain_address(address: str) -> str:
    """The address without what its query may hold of keys; an API's version stays."""
    parts = urlsplit(address.strip())
    query = [(name, value if name == "api-version" else HIDDEN) for name, value in parse_qsl(parts.query)]
    return parts._replace(query=urlencode(query, safe="[]"), fragment="").geturl()
