"""The model of an agent that has one of its own: written with its options, or made in code."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, InstanceOf, PlainSerializer

from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.secrets import HIDDEN, plain_address, without_secrets
from agentdebate.project.model_spec import ModelSpec, spec_text

_ADDRESS = re.compile(r"(?<![\w:])base_url=\.\.\.")


def shown(model: str | Model) -> str:
    """The model as it may be stored and shown: without a password in its address, and without keys."""
    if not isinstance(model, str):
        return model.name
    spec = ModelSpec.parse(model)
    options = dict(without_secrets(spec.options))
    if isinstance(options.get("headers"), Mapping):  # whatever they are called
        options["headers"] = dict.fromkeys(options["headers"], HIDDEN)
    if isinstance(options.get("base_url"), str):
        options["base_url"] = plain_address(options["base_url"])
    return str(ModelSpec(spec.name, options))


def own_error(model: str | Model, whose: str, error: UsageError) -> UsageError:
    """Describe what is wrong with an agent's own model, which names the agent; an address is given behind the model's name."""
    name = model.name if isinstance(model, Model) else ModelSpec.parse(model).name
    told = _ADDRESS.sub(f"{name}:base_url=...", str(error))
    return UsageError(f"the model of the agent {whose!r}: {told}", option=error.option)


class SpecText(str):
    """Describe a model; its `repr` has no secret in it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(shown(str(self)))


def _text(given: object) -> object:
    try:
        return spec_text(given)
    except UsageError as error:
        raise ValueError(str(error)) from error  # whoever reads it says where it stands


def _kept(model: str) -> str:
    try:
        ModelSpec.parse(model)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return SpecText(model)


ModelText = Annotated[str, BeforeValidator(_text), AfterValidator(_kept)]
"""A text such as "openai/gpt-6.1-sol:base_url=https://...,api_key_env=OTHER_KEY", or a table of the same."""

OwnModel = Annotated[
    ModelText | InstanceOf[Model],
    PlainSerializer(shown, return_type=str, when_used="unless-none"),
]
"""A model as a text, a table, or made in code."""
