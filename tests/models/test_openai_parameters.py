"""What is known of models by their names."""

import pytest

from agentdebate.models.dialects.dialect import dialect_of


@pytest.mark.parametrize("name", ["o3-mini", "openai/o3-mini", "O3-Mini", "gpt-5-nano-2026-01-01"])
def test_a_reasoning_model_is_known_by_its_name(name: str) -> None:
    found = dialect_of(name)
    assert "temperature" in found.drops
    assert found.limit == "max_completion_tokens"


@pytest.mark.parametrize(
    "name", ["gpt-6-luna", "gpt-6.1-terra", "gpt-6-astra", "gpt-6.2-sol", "openai/gpt-6.1-sol", "gpt-5.6-sol"]
)
def test_a_later_model_takes_no_sampling_while_it_thinks(name: str) -> None:
    for effort in (None, "low", "max"):
        found = dialect_of(name).at(effort)
        assert {"temperature", "top_p"} <= found.drops
        assert found.refuses == {"logprobs"}
        assert found.limit == "max_completion_tokens"


@pytest.mark.parametrize(
    "name", ["gpt-6-luna", "gpt-6-sol", "gpt-6.1-terra", "gpt-5.4-mini", "gpt-5.6-terra"]
)
def test_without_thinking_it_takes_all_of_it(name: str) -> None:
    found = dialect_of(name).at("none")
    assert not found.drops
    assert not found.refuses
    assert found.limit == "max_completion_tokens"
