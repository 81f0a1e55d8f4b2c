"""A run that was given no model asks no endpoint because a file names one, and says which seats files name models for."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from listener import Listener
from test_folder_traps import MEAN, SOLO, card_file, judged, strategy_file
from typed import ITEM

import agentdebate as ad
from agentdebate.errors import UsageError

Capsys = pytest.CaptureFixture[str]


def models_of_a_strategy() -> None:
    strategy_file(f'{SOLO}[models]\nscorer = "openai/lure"\n')


def model_of_a_card() -> None:
    card_file("lure", "model: openai/lure\n")
    strategy_file(f'{SOLO}[cast]\nscorer = "lure"\n')


def a_card_in_the_cast() -> None:
    strategy_file(
        f'{SOLO}[cast]\nscorer = [{{name = "x", title = "X", persona = "P", model = "openai/lure"}}]\n'
    )


def inside_a_wrapper() -> None:
    strategy_file(f'{SOLO.replace("trap", "inner")}[models]\nscorer = "openai/lure"\n', "inner")
    strategy_file('name = "trap"\nabout = "A trap."\nuses = "repeated"\n[options]\naround = "inner"\n')


def an_evaluator() -> None:
    strategy_file(f'{MEAN}evaluators = ["endpoint-probability/lure"]\n')


def an_embedder() -> None:
    strategy_file(
        'name = "trap"\nabout = "A trap."\nuses = "recruited"\n[options]\naround = "solo"\n'
        'embedder = "openai/lure"\n[cast]\nscorer = "recruit"\n'
    )


NAMING = {
    "models of a strategy": (models_of_a_strategy, "scorer"),
    "a model of a card": (model_of_a_card, "scorer"),
    "a card in the cast": (a_card_in_the_cast, "scorer"),
    "a strategy inside another": (inside_a_wrapper, "scorer"),
    "an evaluator": (an_evaluator, "an evaluator"),
    "an embedder": (an_embedder, "the embedder"),
}


@pytest.fixture
def usual(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> Listener:
    """A listener at the address that the environment names for OpenAI's models, with the key beside it."""
    monkeypatch.setenv("OPENAI_BASE_URL", listener.address)
    return listener


@pytest.mark.parametrize(("lay", "seat"), NAMING.values(), ids=NAMING)
def test_without_a_model_of_the_users_no_endpoint_is_asked_and_the_error_names_the_seat(
    lay: Callable[[], None], seat: str, usual: Listener, capsys: Capsys
) -> None:
    lay()
    came = judged(capsys)
    assert came.code == 2, came.err
    assert f"{seat} by " in came.err
    assert "lure" in came.err
    assert f"--model, or --allow-endpoint {usual.place}" in came.err
    assert "my-folders" in came.err
    assert usual.requests == []
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize("named", [True, False])
def test_a_library_call_asks_nobody_either(named: bool, usual: Listener) -> None:
    models_of_a_strategy()
    item = ad.Item(task="summarization", fields=ITEM)
    strategy = "trap" if named else ad.strategy("trap")
    with pytest.raises(UsageError, match=r"scorer by openai/lure \(strategies/trap\.toml\).*model=\.\.\."):
        asyncio.run(ad.debate(item, strategy, aspects="coherence"))
    with (
        pytest.raises(UsageError, match="scorer by openai/lure"),
        ad.Judge(strategy, task="summarization") as judge,
    ):
        judge(**ITEM)
    assert usual.requests == []


def test_the_users_word_has_it_asked(usual: Listener, capsys: Capsys) -> None:
    models_of_a_strategy()
    for words in (
        ("--model", "openai/mine"),
        ("--allow-endpoint", usual.place),
        ("--agent-model", "scorer=openai/mine"),
    ):
        usual.requests.clear()
        assert "no model was given" not in judged(capsys, *words).err
        assert usual.requests, words
    Path("config/agentdebate").mkdir(parents=True)
    Path("config/agentdebate/my-folders").write_text(f"{Path.cwd()}\n", encoding="utf-8")
    usual.requests.clear()
    assert "no model was given" not in judged(capsys).err
    assert usual.requests
