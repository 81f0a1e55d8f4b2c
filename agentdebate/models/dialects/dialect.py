"""How one endpoint wants its requests: which parameters, how they are spelled, how replies are held
to schemas.

A dialect starts from what is known of the model and learns from what the endpoint refuses. It is a value: to
learn is to get another dialect, so calls that are under way at once can learn the same thing without harm.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

from agentdebate.models.base import ChatMessage, Sampling
from agentdebate.models.dialects.parameters import Droppable, Limit, Parameters, Required
from agentdebate.models.dialects.problems import Problem
from agentdebate.visible import is_blank

SchemaForm = Literal["json_schema", "json_object", "none"]
"""How a schema is sent: OpenAI's form, llama.cpp's form (the schema beside the type), or not at all."""

_FORMS: tuple[SchemaForm, ...] = get_args(SchemaForm)
_LIMITS: tuple[Limit, ...] = get_args(Limit)
_DROPPABLE: tuple[str, ...] = get_args(Droppable)
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_LONGEST_NAME = 64
_TOP = 20
_NEUTRAL: Mapping[str, float] = {"temperature": 1, "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0}
"""Values with which a parameter changes nothing, so that a request without it is the same request."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a request to one endpoint may hold.

    A `limit` or `schema` that is fixed was chosen by the user and stays; the others follow the endpoint.
    """

    drops: frozenset[Droppable] = frozenset()
    refuses: frozenset[Required] = frozenset()
    limit: Limit = "max_tokens"
    limit_fixed: bool = False
    schema: SchemaForm = "json_schema"
    schema_fixed: bool = False
    system: bool = True
    single: bool = False
    """Whether a request gets one completion, however many are wanted; whoever wants more asks again."""
    seed: str = "seed"
    """How the seed is spelled."""
    free_at: str = ""
    """The effort at which the model would take what it is known to refuse; empty where there is none such."""
    forms: tuple[SchemaForm, ...] = _FORMS
    """The forms of a schema, in the order in which they are tried."""

    @classmethod
    def of(
        cls,
        known: Parameters,
        *,
        limit: Limit | Literal["auto"] = "auto",
        schema: SchemaForm | Literal["auto"] = "auto",
        system: bool = True,
        single: bool = False,
        forms: tuple[SchemaForm, ...] = _FORMS,
    ) -> "Dialect":
        """The dialect that a model's known parameters and the user's options come to."""
        return cls(
            drops=known.drops,
            refuses=known.refuses,
            limit=(known.limit or "max_tokens") if limit == "auto" else limit,
            limit_fixed=limit != "auto",
            schema="json_schema" if schema == "auto" else schema,
            schema_fixed=schema != "auto",
            system=system and known.system,
            single=single,
            seed=known.seed,
            free_at=known.free_at,
            forms=forms,
        )

    def after(
        self, problem: Problem, sent: Collection[str], spelled: Mapping[str, str] = MappingProxyType({})
    ) -> "Dialect | None":
        """The dialect that avoids this problem with what was sent; None where there is none.

        `spelled` has our name of what is sent under another one.
        """
        if self.system and problem.refuses_system:
            return replace(self, system=False)
        refused = problem.refuses(sent)
        name = spelled.get(refused, refused) if refused else None
        if name == "n" and refused in spelled and not self.single:
            return replace(self, single=True)
        if name == "response_format" and self.schema != "none" and not self.schema_fixed:
            return replace(self, schema=self.forms[self.forms.index(self.schema) + 1])
        if name == self.limit and not self.limit_fixed:
            other = _LIMITS[1 - _LIMITS.index(self.limit)]
            return replace(self, limit=other, limit_fixed=True)
        dropped = [one for one in get_args(Droppable) if one == name]
        return replace(self, drops=self.drops.union(dropped)) if dropped else None

    def changes(self, before: "Dialect") -> str:
        """In words, what differs from the dialect before."""
        parts = [f"without {name}" for name in sorted(self.drops - before.drops)]
        if self.limit != before.limit:
            parts.append(f"with {self.limit} in place of {before.limit}")
        if self.schema != before.schema:
            parts.append(f"with schemas as {self.schema} in place of {before.schema}")
        if self.system != before.system:
            parts.append("with the system message in the user's")
        if self.single != before.single:
            parts.append("one by one where several are wanted")
        return ", ".join(parts)

    def way_out(self) -> str:
        """What has the model take what it refuses, as the end of a message; empty where nothing does."""
        return f" (with the extra field reasoning_effort={self.free_at} it does)" if self.free_at else ""

    def refusals(self, sampling: Sampling) -> tuple[str, ...]:
        """The parameters that are asked for and that the model is known to refuse."""
        asked = {"logprobs": sampling.logprobs is not None, "seed": sampling.seed is not None}
        asked |= {"stop": bool(sampling.stop), "n": sampling.n > 1}
        return tuple(name for name in sorted(self.refuses) if asked[name])

    def dropped(self, sampling: Sampling) -> list[str]:
        """The parameters that are asked for and left out, where that makes a difference."""
        return [name for name in sorted(self.drops) if getattr(sampling, name) not in (None, _NEUTRAL[name])]

    def messages(self, messages: tuple[ChatMessage, ...]) -> Sequence[ChatMessage]:
        """The messages as they are sent."""
        return messages if self.system else _without_system(messages)

    def turns(self, messages: tuple[ChatMessage, ...]) -> tuple[str, list[ChatMessage]]:
        """What the system says, and the turns after it, for protocols that keep them apart and take no empty text."""
        said = [one for one in self.messages(messages) if not is_blank(one.content)]
        system = "\n\n".join(one.content for one in said if one.role == "system")
        rest = [one for one in said if one.role != "system"]
        # There has to be something that a user says.
        return (system, rest) if rest else ("", [ChatMessage("user", system)])

    def parameters(self, sampling: Sampling) -> dict[str, Any]:
        """The sampling parameters as they are sent."""
        sent = {name: getattr(sampling, name) for name in _DROPPABLE if name not in self.drops}
        sent[self.seed] = sampling.seed
        sent[self.limit] = sampling.max_tokens
        if sampling.n > 1 and not self.single:
            sent["n"] = sampling.n
        if sampling.logprobs is not None:
            # Some endpoints give nothing for zero alternatives, so one is asked for and cut off again.
            sent |= {"logprobs": True, "top_logprobs": min(max(sampling.logprobs, 1), _TOP)}
        if sampling.stop:
            sent["stop"] = list(sampling.stop)
        return {name: value for name, value in sent.items() if value is not None}

    def response_format(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """The field that holds the reply to a schema; empty where there is none to send."""
        if schema is None or self.schema == "none":
            return {}
        if self.schema == "json_object":
            return {"response_format": {"type": "json_object", "schema": schema}}
        named = {"name": _schema_name(schema), "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}


def _without_system(messages: tuple[ChatMessage, ...]) -> list[ChatMessage]:
    """The messages with what the system says in front of the first thing the user says."""
    text = "\n\n".join(message.content for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if not text:
        return rest
    for place, message in enumerate(rest):
        if message.role == "user":
            rest[place] = ChatMessage("user", f"{text}\n\n{message.content}")
            return rest
    return [ChatMessage("user", text), *rest]


def _schema_name(schema: Mapping[str, Any]) -> str:
    title = schema.get("title")
    if isinstance(title, str) and 0 < len(title) <= _LONGEST_NAME and _NAME.issuperset(title):
        return title
    return "reply"
