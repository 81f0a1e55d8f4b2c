"""--agents and --agent-model: who sits on the panel, and which model speaks for whom."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed import FIELDS, RUN, numbered, typed, write

from agentdebate.cli.options.cast import CastOptions
from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.testing import replying

TALK = ("run", "chateval-one-by-one", *RUN[2:])
SCORE = ("score", "chateval-one-by-one", "--task", "summarization", "--aspects", "coherence", *FIELDS)
GRAPH = ("graph", "chateval-one-by-one")


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
@pytest.mark.parametrize("command", [TALK, SCORE])
def test_agents_fill_the_panel_in_their_order(
    command: tuple[str, ...],
    agents: str,
    cards: list[str],
    asked: list[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(numbered(1))
    assert typed(capsys, *command, "--agents", agents).code == 0
    assert [card for card, _ in asked] == cards * 2


def test_options_may_be_such_that_only_fit_the_new_panel(
    asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    words = ("--set", "merge=weighted", "--set", "weights=[1, 2, 1]", "--agents", "3")
    assert typed(capsys, *TALK, *words).code == 0


@pytest.mark.parametrize(
    ("strategy", "count", "cards"),
    [
        ("drpe-static", "2", ["public-reader", "style-critic"]),
        ("chateval-same-role", "3", ["annotator"] * 3),
        ("chateval-one-by-one", "3", ["general-public", "reviewer", "news-author"]),
    ],
)
def test_a_number_of_agents_never_seats_those_of_another_method(
    strategy: str, count: str, cards: list[str]
) -> None:
    made = CastOptions(agents=count).strategy(strategy, Project())
    assert made.panel is not None
    assert list(made.cast[made.panel]) == cards


def test_a_number_counts_the_readers_by_hand_and_recruits_stay() -> None:
    made = CastOptions(agents="2").strategy("drpe", Project())
    assert isinstance(made, Wrapper)
    assert made.around.cast["players"] == ("public-reader", "style-critic", "recruit")


@pytest.mark.parametrize("count", ["1", "3", "6", "9"])
def test_a_number_of_agents_is_refused_where_an_option_counts_them(
    count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    failed = typed(capsys, "run", "mdrpe", "data.jsonl", "--task", "summarization-pair", "--agents", count)
    assert failed.code == 2
    assert "'k' says how many sit beside them: write --set k=2 for two of these" in failed.err.replace(
        "\n", " "
    )


@pytest.mark.parametrize(
    "named", ["scientist", "student,nurse,farmer,teacher,scientist,reviewer,critic-weak"]
)
def test_named_agents_are_all_of_a_panel_that_a_file_counts(named: str) -> None:
    made = CastOptions(agents=named).strategy("mdrpe", Project())
    assert ",".join(map(str, made.seats()["players"][0].plays)) == named


def test_agents_fill_the_panel_inside_a_wrapper(
    asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write([{"question": "How?", "answer_1": "So.", "answer_2": "Not so."}])
    typed(capsys, "run", "chateval", "data.jsonl", "--task", "comparison", "--agents", "scientist,reviewer")
    assert {card for card, _ in asked} == {"scientist", "reviewer"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("chateval", "--agents", "6"),
            "--agents counts 1 to 5 agents (general-public, reviewer, news-author,",
        ),
        (("chateval", "--agents", "0"), "--agents counts 1 to 5 agents"),
        (("chateval", "--agents=-2"), "--agents counts 1 to 5 agents"),
        (("chateval", "--agents", ","), "--agents takes agents with commas between them, or a number"),
        (("chateval", "--agents", "reviewer,nobody"), "there is no agent 'nobody'"),
        (("debate", "--agents", "3"), "'debate' has no panel; its roles are commander, scorer, critic"),
        (
            ("chateval", "--agents", "2", "--cast", "debaters=reviewer"),
            "--agents and --cast both say who plays",
        ),
        (("chateval", "--agent-model", "reviewr=openai/x"), "Did you mean 'reviewer'?"),
        (("chateval", "--agent-model", "reviewer"), "--agent-model takes NAME=VALUE"),
        (("chateval", "--set", "cast=x"), "--set: 'cast' is not an option of a strategy; --cast says it"),
        (("chateval", "--set", "name=x"), "--set: 'name' is not an option"),
    ],
)
def test_a_cast_that_cannot_be_is_one_clear_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    came = typed(capsys, "graph", *words)
    assert (came.code, came.err.count("\n"), said in came.err) == (2, 1, True), came.err


@pytest.mark.parametrize(
    "models", [("reviewer=openai/other",), ("reviewer=openai/other", "general-public=third")]
)
def test_agents_may_speak_with_models_of_their_own(
    models: tuple[str, ...], asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    words = [word for model in models for word in ("--agent-model", model)]
    assert typed(capsys, *TALK, "--model", "first", *words).code == 0
    chosen = dict(model.split("=") for model in models)
    assert set(asked) == {(card, chosen.get(card, "first")) for card in ("general-public", "reviewer")}


def test_a_model_for_a_role_is_for_everyone_in_it(
    asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    typed(capsys, *TALK, "--agent-model", "debaters=second")
    assert {model for _, model in asked} == {"second"}


def test_show_says_which_model_said_what(
    asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    typed(capsys, *TALK, "--model", "first", "--agent-model", "reviewer=second")
    assert "model first, reviewer by second" in typed(capsys, "show").out
    cast = [line.split() for line in typed(capsys, "show", "last", "i1").out.splitlines()]
    assert ["general-public", "2", "4", "first", "text/form"] in cast
    assert ["reviewer", "2", "4", "second", "text/form"] in cast
    assert typed(capsys, "export").json[0]["models"] == ["first", "second"]


@pytest.mark.parametrize("option", ["--base-url", "--api-key-env"])
def test_an_address_for_one_model_is_not_taken_for_another(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or texts would go to an endpoint that nobody named."""
    write(numbered(1))
    words = (option, "http://127.0.0.1:9/v1", "--agent-model", "reviewer=openai/other")
    came = typed(capsys, *TALK, "--model", "openai/mine", *words)
    assert (came.code, f"{option} is for --model alone" in came.err) == (2, True)
    assert ":base_url=..., or set" in came.err
    assert not Path("agentdebate.db").exists()


class TestGraph:
    def test_a_strategy_is_drawn_without_calling_a_model(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("agents").mkdir()
        card = "---\nname: mine\ntitle: Mine\nmodel: openai/no-key-for-this\n---\nHi.\n"
        Path("agents/mine.md").write_text(card, encoding="utf-8")
        words = ("--agents", "mine,reviewer", "--agent-model", "reviewer=openai/nor-this")
        came = typed(capsys, *GRAPH, *words)
        assert came.code == 0
        assert came.out.splitlines()[:3] == ["flowchart LR", '    n0["mine"]', '    n1["reviewer"]']
        assert "on the task summarization: 4 calls at the most" in came.err

    def test_json_has_the_arrows_one_by_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        (drawn,) = typed(capsys, *GRAPH, "--set", "audience=later", "--json").json
        assert (drawn["strategy"], drawn["task"], drawn["calls"]) == (GRAPH[1], "summarization", 4)
        arrows = [(one["speaker"], one["hearer"], one["rounds"]) for one in drawn["hearings"]]
        assert arrows == [
            ("general-public", "reviewer", [1, 2]),
            ("general-public", "verdict", [2]),
            ("reviewer", "verdict", [2]),
        ]
        assert drawn["mermaid"].startswith("flowchart LR\n")

    def test_what_has_to_compare_is_rehearsed_on_a_comparison(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert "on the task comparison: 8 calls" in typed(capsys, "graph", "chateval").err
        came = typed(capsys, "graph", "chateval", "--task", "summarization")
        assert (came.code, "'chateval' cannot judge this task" in came.err) == (2, True)

    def test_the_built_in_strategies_can_all_be_drawn(self, capsys: pytest.CaptureFixture[str]) -> None:
        names = [row["name"] for row in typed(capsys, "list", "strategies", "--json").json]
        assert [name for name in names if typed(capsys, "graph", name).code != 0] == []

    @pytest.mark.parametrize(
        ("name", "arrows"),
        [
            ("fusion", [("planner", "judge"), ("judge", "verdict")]),
            ("geval", [("writer", "scorer"), ("scorer", "verdict")]),
        ],
    )
    def test_what_is_written_for_all_debates_comes_from_whoever_wrote_it(
        self, name: str, arrows: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """And not from the floor, which announces it."""
        (drawn,) = typed(capsys, "graph", name, "--json").json
        assert [(one["speaker"], one["hearer"]) for one in drawn["hearings"]] == arrows
        assert [one["rounds"] for one in drawn["hearings"]] == [[0], [0]]

    def test_what_another_debate_wrote_comes_from_the_floor(
        self, capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
    ) -> None:
        speaks(replying({"steps": "1. Read.\n2. Score.", "fill": "Coherence: 4"}))
        write(numbered(2))
        words = ("--set", "mode=single", "-c", "1", *RUN[2:])
        assert typed(capsys, "run", "geval", *words).code == 0
        drawn = [typed(capsys, "show", "last", item, "--graph").out.splitlines() for item in ("i1", "i2")]
        assert drawn[0][1:3] == ['    n0["writer"]', '    n1["scorer"]']
        assert drawn[1][1:3] == ['    n0["floor"]', '    n1["scorer"]']
        assert drawn[0][3:] == drawn[1][3:]

    def test_a_stored_debate_is_drawn_as_it_was(
        self, capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
    ) -> None:
        speaks(replying(agree))
        write(numbered(1))
        typed(capsys, *TALK)
        drawn = typed(capsys, "show", "last", "i1/coherence", "--graph").out
        assert drawn == typed(capsys, *GRAPH).out
        (data,) = typed(capsys, "show", "last", "i1", "--graph", "--json").json
        assert (data["debate"], data["mermaid"] + "\n") == ("i1/coherence", drawn)
        came = typed(capsys, "show", "last", "--graph")
        assert (came.code, "name it behind the run" in came.err) == (2, True)
