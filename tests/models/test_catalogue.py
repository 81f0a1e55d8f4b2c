"""What is known of models before anything is asked of them."""

from pathlib import Path

import pytest

import agentdebate
from agentdebate.errors import UsageError
from agentdebate.models.catalogue import KnownModel, known_models
from agentdebate.project.project import Project


def known(name: str, project: Project | None = None) -> KnownModel:
    provider = name.partition("/")[0]
    return next(one for one in known_models(provider, project=project) if one.name == name)


def test_what_a_model_refuses_is_a_no_and_what_nobody_has_said_is_unknown() -> None:
    assert (known("openai/gpt-4o").logprobs, known("openai/gpt-5").logprobs) == (True, False)
    assert (known("openai/gpt-4o").temperature, known("openai/gpt-5").temperature) == (True, False)
    assert (known("openai/gpt-6-sol").logprobs, known("openai/gpt-6-sol").n) == (False, None)
    assert known("anthropic/NAME").n is False
    assert known("mistral/NAME").logprobs is False
    assert known("vllm/NAME").n is None
    assert known("anthropic/NAME").cache_floor == 512
    assert known("vllm/NAME").cache_floor is None


def test_models_have_the_price_of_the_tables_and_others_none() -> None:
    price = known("openai/gpt-4o").price
    assert price is not None
    assert price.output == 10
    assert known("openai/NAME").price is None


def test_a_projects_own_models_are_listed_at_its_own_prices(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(
        '[[models]]\nmatch = ["claude-mine", "gpt-4o"]\ninput = 7\noutput = 7\n', encoding="utf-8"
    )
    project = Project(tmp_path)
    for name in ("anthropic/claude-mine", "openai/gpt-4o"):
        price = known(name, project).price
        assert price is not None
        assert price.input == 7


def test_every_registered_provider_is_there_and_an_unknown_one_is_a_usage_error() -> None:
    providers = {one.name.partition("/")[0] for one in known_models()}
    assert {"anthropic", "gemini", "openai", "azure", "bedrock", "vllm", "offline"} <= providers
    with pytest.raises(UsageError, match="anthropic"):
        known_models("antropic")


def test_the_package_of_models_can_be_called() -> None:
    assert agentdebate.models("openai") == known_models("openai")  # type: ignore[operator] # a module, which can be called
