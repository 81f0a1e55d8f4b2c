"""The model of an agent that has one of its own: written with its options, or made in code."""

from typing import Annotated

from pydantic import BeforeValidator, InstanceOf, PlainSerializer

from agentdebate.models.base import Model
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.project.model_spec import ModelSpec, spec_text


def shown(model: str | Model) -> str:
    """The model as it may be stored and shown: without a password in its address, and without keys."""
    if not isinstance(model, str):
        return model.name
    spec = ModelSpec.parse(model)
    options = dict(without_secrets(spec.options))
    if isinstance(options.get("base_url"), str):
        options["base_url"] = plain_address(options["base_url"])
    return str(ModelSpec(spec.name, options))


OwnModel = Annotated[
    str | InstanceOf[Model],
    BeforeValidator(spec_text),
    PlainSerializer(shown, return_type=str, when_used="unless-none"),
]
"""A text such as "openai/gpt-4o:base_url=https://...,api_key_env=OTHER_KEY", a table of the same, or a Model."""
