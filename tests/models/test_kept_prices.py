"""Prices that genai-prices keeps, where it is installed: what they are for, and what goes before them."""

from pathlib import Path

import pytest

from agentdebate.models.prices import built_in, prices
from agentdebate.project.project import Project


def test_a_price_is_looked_up_by_provider_and_name() -> None:
    price = built_in().price_of("gemini/gemini-2.5-flash")
    assert price is not None
    assert price.source.startswith("genai-prices 0.")
    assert 0 < price.input < price.output
    assert price.cached_input is not None
    assert price.cached_input < price.input


@pytest.mark.parametrize("name", ["openai/nothing-such", "vllm/gpt-4o-of-mine", "gemini-2.5-flash", "tiny"])
def test_what_neither_has_stays_unknown(name: str) -> None:
    assert built_in().price_of(name) is None


def test_a_projects_own_file_goes_first(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(
        '[[models]]\nmatch = "gemini-2.5-flash"\ninput = 7\noutput = 9\n', encoding="utf-8"
    )
    price = prices(project=Project(tmp_path)).price_of("gemini/gemini-2.5-flash")
    assert price is not None
    assert (price.input, price.source) == (7, "")
