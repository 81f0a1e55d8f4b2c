"""Strategies as plain data: each file read once, each strategy made once, and whose mistake a mistake is."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_strategy_files import head, models_of, write

from agentdebate.cli.options.casting import CastOptions
from agentdebate.errors import ContentError, UsageError
from agentdebate.project import project
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.repetition import Repeated
from agentdebate.strategies.tie_breaker import TieBreaker


class Counts:
    """How often which strategy file was read, and how often which class was made."""

    def __init__(self) -> None:
        self.read, self.made = Counter[str](), Counter[str]()


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    counts, read_bytes, init, copy = Counts(), project.read_bytes, Strategy.__init__, Strategy.model_copy

    def reading(path: Path) -> bytes:
        if path.suffix == ".toml":
            counts.read[path.stem] += 1
        return read_bytes(path)

    def making(self: Strategy, **fields: Any) -> None:
        counts.made[type(self).__name__] += 1
        init(self, **fields)

    def copying(self: Strategy, **how: Any) -> Strategy:
        counts.made[type(self).__name__] += 1
        return copy(self, **how)

    monkeypatch.setattr(project, "read_bytes", reading)
    monkeypatch.setattr(Strategy, "__init__", making)
    monkeypatch.setattr(Strategy, "model_copy", copying)
    return counts


def test_the_counter_counts(counts: Counts) -> None:
    """Or the tests below could not fail."""
    for _ in range(2):
        Repeated(around=OneByOne())
        project.read_toml(Project().find("strategies", "solo"))
    assert (counts.made, counts.read) == ({"OneByOne": 2, "Repeated": 2}, {"solo": 2})
    OneByOne().model_copy()
    assert counts.made["OneByOne"] == 4


CHATEVAL = {"chateval": 1, "chateval-one-by-one": 1}
MADE = {"SwappedPositions": 1, "OneByOne": 1}


@pytest.mark.parametrize(
    ("casting", "made"),
    [
        (CastOptions(), MADE),
        (CastOptions(agents="3"), MADE),
        (CastOptions(agents="3", option=("rounds=3",), agent_model=("reviewer=openai/x",)), MADE),
        (CastOptions(cast=("debaters=reviewer,scientist",), option=("all_orders=true",)), MADE),
        (CastOptions(agents="reviewer,recruit", option=("k=2",)), {**MADE, "Recruited": 1}),
        (
            CastOptions(cast=("debaters=recruit", "recruiter=reviewer"), agent_model=("recruiter=openai/x",)),
            {**MADE, "Recruited": 1},
        ),
    ],
)
def test_the_command_line_reads_each_file_once_and_makes_each_strategy_once(
    casting: CastOptions, made: dict[str, int], counts: Counts
) -> None:
    """`chateval --agents 3`: two files, and one strategy with the one inside it."""
    casting.words.strategy("chateval", Project())
    assert (counts.read, counts.made) == (CHATEVAL, made)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"rounds": 2, "cast": {"critic": "reviewer"}, "models": {"critic": "m"}},
        {"cast": {"critic": ["reviewer", "recruit"]}, "k": 3, "models": {"recruiter": "m", "scorer": "n"}},
    ],
)
def test_layers_within_layers_are_read_and_made_once(said: dict[str, Any], counts: Counts) -> None:
    write(
        head("outer", "repeated") + '[options]\naround = "middle"\n[cast]\ncritic = "critic-weak"\n', "outer"
    )
    write(head("middle", "tie-breaker") + '[options]\naround = "debate"\n[models]\nscorer = "x"\n', "middle")
    strategy("outer", **said)
    assert counts.read == {"outer": 1, "middle": 1, "debate": 1}
    assert counts.made.pop("Recruited", 0) == ("k" in said)
    assert counts.made == {"Repeated": 1, "TieBreaker": 1, "DevilsAdvocate": 1}


# Whose mistake it is.


def test_a_misspelt_model_of_a_file_is_the_files_mistake_whoever_is_cast() -> None:
    path = write(head(uses="one-by-one") + '[models]\ncritik = "m"\n')
    calls: list[dict[str, Any]] = [{}, {"cast": {"debaters": ["scientist"]}}]
    for said in calls:
        with pytest.raises(ContentError, match=rf"{path}, 'models.critik': models names 'critik'"):
            strategy("mine", **said)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"around": 3}, "strategy 'chateval', option 'around': names the strategy .* is not 3;"),
        ({"around": "chateval"}, "'around': a strategy cannot go around itself: chateval around chateval$"),
        (
            {"cast": "critic"},
            "cast=... has names with a value each, and is not 'critic'",
        ),
        ({"cast": {"debaters": 3}}, "cast=...: 'debaters' is played by cards, and not by 3"),
        ({"cast": {"debaters": None}}, "cast=...: 'debaters' is played by cards, and not by None"),
        ({"k": 2}, "strategy 'chateval' has no option 'k'"),
        ({"sampling": {}}, "strategy 'chateval' has no option 'sampling'"),
    ],
)
def test_a_mistake_of_the_call_is_the_callers(said: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        strategy("chateval", **said)


def test_an_option_for_a_strategy_that_goes_around_nothing_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="strategy 'debate' has no option 'around'") as caught:
        strategy("debate", around="solo")
    assert caught.value.option == "around"


def test_what_the_caller_replaces_in_a_file_need_not_be_allowed() -> None:
    """What counts is what is used."""
    write(
        head(uses="evaluator-mean")
        + '[options]\nevaluators = ["endpoint-probability/m:base_url=http://a.test/v1"]\ntake = "all"\n'
    )
    with pytest.raises(ContentError, match=r"a\.test"):
        strategy("mine")
    assert strategy("mine", evaluators=["rouge-l"]).model_dump()["evaluators"] == ("rouge-l",)


# Order: each layer of overrides goes before the next, whatever else is said.

ROUNDS = st.none() | st.integers(1, 9)
CRITICS = st.none() | st.sampled_from(["critic-strict", "critic-weak", "critic-moderate", "critic-plain"])


def _file(
    name: str,
    uses: str,
    *,
    around: str = "",
    rounds: int | None = None,
    critic: str | None,
    model: str | None,
) -> str:
    options = (f'around = "{around}"\n' if around else "") + (f"rounds = {rounds}\n" if rounds else "")
    cast = f'critic = "{critic}"\n' if critic else ""
    models = f'critic = "{model}"\n' if model else ""
    return f"{head(name, uses)}[options]\n{options}[cast]\n{cast}[models]\n{models}"


@given(
    rounds=st.tuples(ROUNDS, ROUNDS),
    critics=st.tuples(CRITICS, CRITICS, CRITICS),
    models=st.tuples(*[st.none() | st.sampled_from("abc")] * 3),
)
@settings(deadline=None)
def test_the_call_goes_before_the_outer_file_which_goes_before_the_inner_one_which_goes_before_the_class(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: tuple[int | None, ...],
    critics: tuple[str | None, ...],
    models: tuple[str | None, ...],
) -> None:
    folder = tmp_path_factory.mktemp("project")
    (folder / "strategies").mkdir()
    inner = _file("inner", "devils-advocate", rounds=rounds[1], critic=critics[2], model=models[2])
    outer = _file("outer", "tie-breaker", around="inner", critic=critics[1], model=models[1])
    (folder / "strategies/inner.toml").write_text(inner, encoding="utf-8")
    (folder / "strategies/outer.toml").write_text(outer, encoding="utf-8")
    said: dict[str, Any] = {"rounds": rounds[0]} if rounds[0] else {}
    said |= {"cast": {"critic": critics[0]}} if critics[0] else {}
    said |= {"models": {"critic": models[0]}} if models[0] else {}
    chosen = strategy("outer", project=Project(folder), **said)
    assert isinstance(chosen, TieBreaker)
    assert isinstance(chosen.around, DevilsAdvocate)
    usual = DevilsAdvocate()
    assert chosen.around.rounds == next((one for one in rounds if one), usual.rounds)
    critic = next((one for one in critics if one), usual.cast["critic"][0])
    assert [seat.card for seat in chosen.seats()["critic"]] == [critic]
    assert models_of(chosen)[str(critic)] == next((one for one in models if one), None)
