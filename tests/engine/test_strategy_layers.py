"""Options of the call, of files around files, and of classes: which go before which, and whose mistake a mistake is."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_strategy_files import head, models_of

from agentdebate.errors import UsageError
from agentdebate.project.project import Project
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import strategy
from agentdebate.strategies.tie_breaker import TieBreaker


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"around": 3}, "strategy 'chateval', option 'around': names the strategy .* is not 3;"),
        ({"around": "chateval"}, "'around': a strategy cannot go around itself: chateval around chateval$"),
        ({"cast": "critic"}, "cast=... has names with a value each, and is not 'critic'"),
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
