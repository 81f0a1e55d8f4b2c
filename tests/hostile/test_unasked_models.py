"""A run that was given no model asks no endpoint because a file names one, and says which seats files name models for."""

import asyncio
from pathlib import Path

import pytest
from listener import Listener
from test_folder_traps import MEAN, RECRUITED, SEATS, TRAP, Files, judged, lay
from typed import ITEM

import agentdebate as ad
from agentdebate.errors import UsageError, UserError
from agentdebate.project.trust import Trust
from agentdebate.strategies.strategy_words import StrategyWords

Capsys = pytest.CaptureFixture[str]
NAMING = {
    **{place: (files, "scorer") for place, files in SEATS.items()},
    "an evaluator": ({TRAP: f'{MEAN}evaluators = ["endpoint-probability/lure"]\n'}, "an evaluator"),
    "an embedder": ({TRAP: RECRUITED.replace("EMBEDDER", "openai/lure")}, "the embedder"),
}


@pytest.fixture
def usual(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> Listener:
    """A listener at the address that the environment names for OpenAI's models, with the key beside it."""
    monkeypatch.setenv("OPENAI_BASE_URL", listener.address)
    return listener


@pytest.mark.parametrize(("files", "seat"), NAMING.values(), ids=NAMING)
def test_without_a_model_of_the_users_no_endpoint_is_asked_and_the_error_names_the_seat(
    files: Files, seat: str, usual: Listener, capsys: Capsys
) -> None:
    lay(files, MODEL="openai/lure")
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
    lay(SEATS["models of a strategy"], MODEL="openai/lure")
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
    lay(SEATS["models of a strategy"], MODEL="openai/lure")
    words = ("--model openai/mine", f"--allow-endpoint {usual.place}", "--agent-model scorer=openai/mine", "")
    for said in words:
        if not said:  # the last of the user's words is a line of a file
            lay({"config/agentdebate/my-folders": f"{Path.cwd()}\n"})
        usual.requests.clear()
        assert "no model was given" not in judged(capsys, *said.split()).err
        assert usual.requests, said


def test_a_card_at_an_address_is_refused_of_who_may_not_name_it() -> None:
    card = ad.Card(
        name="c", title="C", persona="You judge.", model="openai/m:base_url=https://elsewhere.test/v1"
    )
    words = StrategyWords(cast={"critic": card})
    assert words.strategy("debate", ad.Project()).cast["critic"] == (card,)
    with pytest.raises(UserError, match=r"elsewhere\.test"):
        words.strategy("debate", ad.Project(), Trust.allowing(()).of("a store"))
