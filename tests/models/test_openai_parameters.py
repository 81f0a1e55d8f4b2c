"""What is known of models by their names."""

import pytest

from agentdebate.models.dialects.parameters import Parameters, known, parameters_of


def test_every_entry_matches_something() -> None:
    assert known()
    assert all(entry.match for entry in known())


@pytest.mark.parametrize("name", ["o3-mini", "openai/o3-mini", "O3-Mini", "gpt-5-nano-2026-01-01"])
def test_a_reasoning_model_is_known_by_its_name(name: str) -> None:
    found = parameters_of(name)
    assert "temperature" in found.drops
    assert found.limit == "max_completion_tokens"


@pytest.mark.parametrize("name", ["gpt-4o-mini", "llama3", "olmo-2", "qwen/qwen3-o1x"])
def test_nothing_is_known_of_others(name: str) -> None:
    assert parameters_of(name) == Parameters()


def test_a_later_entry_goes_before_an_earlier_one() -> None:
    assert parameters_of("gpt-5-chat-latest").drops == frozenset()
    assert parameters_of("gpt-5-chat-latest").limit == "max_completion_tokens"
    assert not parameters_of("o1-mini").system
    assert "temperature" in parameters_of("o1-mini").drops
