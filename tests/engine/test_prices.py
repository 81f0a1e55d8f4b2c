"""Prices: a dated table, a user's own before ours, and what nobody priced is unknown."""

from pathlib import Path

import pytest

from agentdebate.errors import ContentError
from agentdebate.models.prices import Price, built_in, cost, price_of, prices, read_prices
from agentdebate.project.project import Project
from agentdebate.usage import Usage

PRICE = Price(input=2, output=8, cached_input=0.5)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_fresh_prompt_cached_prompt_and_completion_are_priced_apart() -> None:
    usage = Usage(calls=1, prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=500_000)
    assert cost(usage, PRICE) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)


@pytest.mark.parametrize(
    "name", ["openai/llama3", "openai/meta-llama/Llama-3.1-8B", "qwen2.5", "ft:gpt-4o-mini:us::1", ""]
)
def test_what_nobody_priced_is_unknown(name: str) -> None:
    """Local models and variants of priced ones too: unknown is not 0, and not what a cousin costs."""
    assert price_of(name, built_in()) is None


ENTRY = '[[models]]\nmatch = "gpt-4o-mini"\ninput = {}\noutput = 1\n'


def test_the_file_that_is_named_goes_before_the_projects_and_that_before_ours(tmp_path: Path) -> None:
    project = Project(tmp_path)
    named = written(tmp_path / "mine.toml", ENTRY.format(7))

    def found(path: Path | None = None) -> float | None:
        price = price_of("openai/gpt-4o-mini", prices(path, project=project))
        return price.input if price else None

    assert (found(), found(named)) == (0.15, 7)
    written(tmp_path / "prices.toml", ENTRY.format(3))
    assert (found(), found(named)) == (3, 7)
    other = price_of("openai/gpt-4o", prices(named, project=project))
    assert other is not None, "what one's own file does not have is looked up in ours"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[models]", "not TOML"),
        ('[[model]]\nmatch = "a"', "Did you mean 'models'"),
        ("models = 3", "models"),
        ("models = [3]", "models"),
        ('[[models]]\nmatch = "a"\ninput = 1', r"'models\.0\.output': this key is missing"),
        ("[[models]]\ninput = 1\noutput = 1", "match': this key is missing"),
        *((f"[[models]]\noutput = 1\n{line}", says) for line, says in (
            ('match = "a"\ninput = 1\noutptu = 1', "Did you mean 'output'"),
            *((f'match = "a"\ninput = {wrong}', r"models\.0\.input") for wrong in ("-1", "nan", "inf", '"free"', "false")),
            *((f"match = {wrong}\ninput = 1", r"models\.0\.match") for wrong in ("[]", '""', "3")),
            ('match = "a"\ninput = 1\ncurrency = "dollars"', r"models\.0\.currency"),
            ('match = "a"\ninput = 1\ndate = "soon"', r"models\.0\.date"),
        )),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_an_error_that_names_file_and_key(
    text: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(ContentError, match=problem) as caught:
        read_prices(written(tmp_path / "p.toml", text))
    assert "p.toml" in str(caught.value)


def test_a_file_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"gone\.toml.*cannot be read"):
        prices(tmp_path / "gone.toml")
