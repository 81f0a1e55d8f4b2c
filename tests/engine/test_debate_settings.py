"""The settings of debates: one value for all of them, with its fields as keywords of every function that takes it."""

import math
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from engine_cases import FLUENCY, ITEM, TASK, TASKS, Played, end, scoring

import agentdebate as ad
from agentdebate.agents.debate_settings import USUAL, DebateChanges, DebateSettings
from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.options.common import DebateOptions
from agentdebate.errors import UsageError
from agentdebate.models.base import Sampling
from agentdebate.models.function import Function
from agentdebate.runs.configuration import configuration_of
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import SCORE
from agentdebate.testing import replying

ELSEWHERE = {"limits", "sampling", "tasks", "rehearsal"}
"""Settings whose options belong to the model, the spending or the task, and the one that no user chooses."""

OTHERS: Mapping[str, Any] = {
    "form": "text",
    "patience": 1,
    "deadline": 7.5,
    "limits": DebateLimits(tokens=900),
    "sampling": Sampling(temperature=0.5),
    "tasks": TASKS,
    "rehearsal": True,
}
"""Another value of every setting."""


def test_the_keywords_are_the_settings_and_of_the_same_types() -> None:
    """A new setting is a field of both; whoever passes a keyword on is checked by mypy."""
    settings, keywords = get_type_hints(DebateSettings), get_type_hints(DebateChanges)
    assert {name: set(get_args(kind | None)) for name, kind in settings.items()} == {
        name: set(get_args(kind)) for name, kind in keywords.items()
    }
    assert all(NoneType in get_args(kind) for kind in keywords.values())


def test_every_setting_of_the_command_line_is_an_option_with_its_name_and_default() -> None:
    options = {one.name: one.default for one in fields(DebateOptions)}
    here = {one.name: getattr(USUAL, one.name) for one in fields(DebateSettings) if one.name not in ELSEWHERE}
    assert {name: options[name] for name in here} == here


@pytest.mark.parametrize("name", [one.name for one in fields(DebateSettings)])
def test_a_keyword_changes_one_setting_and_none_leaves_it(name: str) -> None:
    changed = USUAL.but(**{name: OTHERS[name]})
    assert getattr(changed, name) == OTHERS[name] != getattr(USUAL, name)
    assert [
        one.name for one in fields(changed) if getattr(changed, one.name) != getattr(USUAL, one.name)
    ] == [name]
    assert changed.but(**{name: None}) == changed


def test_settings_do_not_change_once_made() -> None:
    tasks = {"text": TASK}
    settings = DebateSettings(tasks=tasks)
    tasks.clear()
    assert settings.tasks == {"text": TASK}
    with pytest.raises(FrozenInstanceError):
        settings.patience = 9  # type: ignore[misc]  # which is what is tried
    with pytest.raises(TypeError):
        settings.tasks["other"] = TASK  # type: ignore[index]  # which is what is tried


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": 0}, "patience is at least 1, not 0"),
        ({"deadline": 0}, "deadline is more than 0 seconds, not 0"),
        ({"deadline": -1.5}, "deadline is more than 0 seconds, not -1.5"),
        ({"deadline": math.nan}, "deadline is more than 0 seconds, not nan"),
        ({"form": "json"}, "form is auto, text or schema, not 'json'"),
    ],
)
def test_a_value_that_means_nothing_is_refused_alike_in_the_library_and_on_the_command_line(
    wrong: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError) as library:
        DebateSettings(**wrong)
    with pytest.raises(UsageError) as command:
        DebateOptions(**wrong).settings(TASK, Sampling())
    assert (str(library.value), str(command.value)) == (says, f"--{says}")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": "3"}, "patience is a whole number of replies, not '3'"),
        ({"patience": True}, "patience is a whole number of replies, not True"),
        ({"deadline": "5"}, "deadline is a number of seconds, not '5'"),
        ({"limits": 5}, "limits is DebateLimits(...), not 5"),
        ({"sampling": {"temperature": 1}}, "sampling is Sampling(...), not {'temperature': 1}"),
        ({"tasks": [TASK]}, "tasks is a mapping of names to tasks, not [<Task "),
    ],
)
def test_a_value_of_another_kind_is_told_with_what_is_wanted(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        DebateSettings(**wrong)
    assert str(caught.value).startswith(says)


async def test_debates_take_settings_and_keywords_which_go_before() -> None:
    """The agents get them whole: a patience of 1 leaves no second try, and a sampling of the call is in the request."""
    asked: list[float | None] = []

    def answer(request: ad.ModelRequest) -> str:
        asked.append(request.sampling.temperature)
        return scoring(4)

    settings = DebateSettings(tasks=TASKS, sampling=Sampling(temperature=0.1))
    played, model = Played(play=end), Function("noting", answer)
    for sampling in (None, Sampling(temperature=0.9)):
        await ad.debate(ITEM, played, model=model, aspects="fluency", settings=settings, sampling=sampling)
    assert asked == [0.1, 0.9]


async def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'patiance' is neither .* Did you mean 'patience'"):
        await ad.debate(ITEM, "solo", patiance=2)  # type: ignore[call-arg]  # which is what is tried
    with pytest.raises(UsageError, match=r"'nothing' is neither .* Known: deadline, form"):
        ad.Judge("solo", nothing=2)  # type: ignore[call-arg]  # which is what is tried


async def test_an_option_of_the_strategy_that_is_given_to_the_debate_is_sent_to_the_strategy() -> None:
    with pytest.raises(UsageError, match=r"'rounds' is neither .* strategy\('debate', rounds=\.\.\.\)"):
        await ad.debate(ITEM, "debate", rounds=2)  # type: ignore[call-arg]  # which is what is tried


@pytest.mark.parametrize("given", [{"source": "a", "summary": "b"}, "a text", [ITEM]])
async def test_a_debate_about_something_else_than_an_item_is_refused_in_words(given: Any) -> None:
    with pytest.raises(UsageError, match=r"about one Item\(task=\.\.\., fields=\{\.\.\.\}\), not "):
        await ad.debate(given, "debate")


async def test_a_rehearsal_is_a_setting_that_the_floor_has() -> None:
    seen: list[bool] = []

    async def play(floor: Floor) -> Any:
        seen.append(floor.rehearsal)
        return floor.verdict(
            await floor.ask(floor.cast("debaters")[0], SCORE), settled=True, ended="one opinion"
        )

    for rehearsal in (False, True):
        model = replying(scoring(4))
        await ad.debate(
            ITEM, Played(play=play), model=model, aspects="fluency", tasks=TASKS, rehearsal=rehearsal
        )
    assert seen == [False, True]


async def test_a_run_is_stored_with_its_settings() -> None:
    settings = DebateSettings(**{**OTHERS, "tasks": {"text": TASK}})
    async with ad.ready(Played(play=end), model=replying("x"), settings=settings) as debate:
        kept = configuration_of(debate, aspects=None, together=False, concurrency=1, tasks={})
    assert {name: kept[name] for name in ("form", "patience", "deadline", "limits", "sampling")} == {
        "form": "text",
        "patience": 1,
        "deadline": 7.5,
        "limits": {"tokens": 900},
        "sampling": {"temperature": 0.5},
    }
    assert list(kept["tasks"]) == ["text"]
    assert FLUENCY.name in str(kept["tasks"])
    assert "rehearsal" not in kept
