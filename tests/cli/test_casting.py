"""--agents and --agent-model: who sits on the panel, and which model speaks for whom."""

from pathlib import Path
from typing import Any

import pytest
from typed import FIELDS, RUN, numbered, typed, write

from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function

Capsys = pytest.CaptureFixture[str]
TALK = ("run", "chateval-one-by-one", *RUN[2:])
SCORE = ("score", "chateval-one-by-one", "--task", "summarization", "--aspects", "coherence", *FIELDS)


def agree(request: ModelRequest) -> str:
    assert request.context is not None
    return "Fine.\n\nCoherence: 4" if request.context.reply == "score" else "Fine."


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Who was asked by which model; every model has the name by which it was opened."""
    calls: list[tuple[str, str]] = []

    def open_model(name: str, **_: Any) -> Model:
        def reply(request: ModelRequest) -> str:
            assert request.context is not None
            calls.append((request.context.card, name))
            return agree(request)

        return Function(name, reply)

    monkeypatch.setattr("agentdebate.runs.run.opener", lambda *_: open_model)
    return calls


@pytest.mark.parametrize(
    ("agents", "cards"),
    [
        ("general-public,reviewer,scientist", ["general-public", "reviewer", "scientist"]),
        ("3", ["general-public", "reviewer", "news-author"]),
        ("5", ["general-public", "reviewer", "news-author", "psychologist", "scientist"]),
        ("1", ["general-public"]),
        ("annotator,annotator", ["annotator", "annotator"]),
    ],
)
def test_agents_fill_the_panel_in_their_order(
    agents: str, cards: list[str], asked: list[tuple[str, str]], capsys: Capsys
) -> None:
    write(numbered(1))
    for command in (TALK, SCORE):
        asked.clear()
        assert typed(capsys, *command, "--agents", agents).code == 0
        assert [card for card, _ in asked] == cards * 2


@pytest.mark.parametrize("count", ["1", "3", "6", "9"])
def test_a_number_of_agents_is_refused_where_an_option_counts_them(count: str, capsys: Capsys) -> None:
    write(numbered(1))
    failed = typed(capsys, "run", "mdrpe", "data.jsonl", "--task", "summarization-pair", "--agents", count)
    assert failed.code == 2
    assert "'k' says how many sit beside them: write --set k=2 for two of these" in failed.err.replace(
        "\n", " "
    )


@pytest.mark.parametrize("option", ["--base-url", "--api-key-env"])
def test_an_address_for_one_model_is_not_taken_for_another(option: str, capsys: Capsys) -> None:
    """Or texts would go to an endpoint that nobody named."""
    write(numbered(1))
    words = (option, "http://127.0.0.1:9/v1", "--agent-model", "reviewer=openai/other")
    came = typed(capsys, *TALK, "--model", "openai/mine", *words)
    assert (came.code, "--base-url and --api-key-env are for --model alone" in came.err) == (2, True)
    assert ":base_url=... too" in came.err
    assert not Path("agentdebate.db").exists()
