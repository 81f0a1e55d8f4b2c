"""The settings of debates: one value for all of them, with its fields as keywords of every function that takes it."""

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from engine_cases import FLUENCY, ITEM, TASK, TASKS, Played, end

import agentdebate as ad
from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.console.command_lines import in_options
from agentdebate.cli.options.again import Consent
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.settings import DebateOptions, ModelOptions, SpendingOptions
from agentdebate.errors import UsageError
from agentdebate.models.base import Sampling
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.project.project import Project
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.testing import replying

OTHERWISE = {"debate_limits", "sampling", "tasks", "model_options", "limits", "budget", "cache", "cache_mode"}
"""Settings that are made of options of other names."""
ELSEWHERE = {"rehearsal", "listeners", "configuration"}
"""Settings that no option makes."""

OTHERS: Mapping[str, Any] = {
    "form": "text",
    "patience": 1,
    "deadline": 7.5,
    "debate_limits": DebateLimits(tokens=900),
    "sampling": Sampling(temperature=0.5),
    "tasks": TASKS,
    "rehearsal": True,
    "model": "openai/any",
    "model_options": {"timeout": 5},
    "tokenizer": "endpoint",
    "aspects": ("fluency",),
    "together": True,
    "concurrency": 3,
    "limits": Limits(in_flight=2),
    "budget": Budget(tokens=9),
    "cache": "cache.db",
    "cache_mode": "read",
    "project": Project.here(),
    "listeners": (print,),
    "configuration": {"paper": "mine"},
}
"""Another value of every setting."""


def test_the_keywords_are_the_settings_and_of_the_same_types() -> None:
    """A new setting is a field of both; whoever passes a keyword on is checked by mypy."""
    settings, keywords = get_type_hints(Settings), get_type_hints(SettingsChanges)
    assert {name: set(get_args(kind | None)) for name, kind in settings.items()} == {
        name: set(get_args(kind | None)) for name, kind in keywords.items()
    }
    assert {name for name, kind in keywords.items() if NoneType not in get_args(kind)} == {"model"}


def test_every_setting_is_an_option_with_its_name_and_default_or_made_of_options() -> None:
    groups = (Order, DebateOptions, ModelOptions, SpendingOptions, Consent)
    options = {one.name: one.default for group in groups for one in fields(group)}
    here = {one.name for one in fields(Settings)} - OTHERWISE - ELSEWHERE
    assert {name: options[name] for name in here} == {name: getattr(USUAL, name) for name in here}
    assert options["limits"] == USUAL.limits


@pytest.mark.parametrize("name", [one.name for one in fields(Settings)])
def test_a_keyword_changes_one_setting_and_none_leaves_it(name: str) -> None:
    changed = USUAL.but(**{name: OTHERS[name]})
    assert getattr(changed, name) == OTHERS[name] != getattr(USUAL, name)
    assert [
        one.name for one in fields(changed) if getattr(changed, one.name) != getattr(USUAL, one.name)
    ] == [name]
    if name != "model":
        unchanged: dict[str, Any] = {name: None}
        assert changed.but(**unchanged) == changed


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": 0}, "patience=... is a whole number of replies, at least 1, not 0"),
        ({"deadline": 0}, "deadline=... is a number of seconds, more than 0, not 0"),
        ({"deadline": -1.5}, "deadline=... is a number of seconds, more than 0, not -1.5"),
        ({"deadline": math.nan}, "deadline=... is a number of seconds, more than 0, not nan"),
        ({"form": "json"}, "form=... is auto, text or schema, not 'json'"),
        ({"concurrency": 0}, "concurrency=... is at least 1, not 0: so many debates are held at once"),
        ({"cache_mode": "on and off"}, "cache_mode=... is off, read, write or on, not 'on and off'"),
    ],
)
def test_a_value_that_means_nothing_is_refused_with_words_that_name_its_option(
    wrong: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError) as library:
        Settings(**wrong)
    assert str(library.value) == says
    assert in_options(says).startswith("--")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": "3"}, "patience=... is a whole number of replies, at least 1, not '3'"),
        ({"patience": True}, "patience=... is a whole number of replies, at least 1, not True"),
        ({"deadline": "5"}, "deadline=... is a number of seconds, more than 0, not '5'"),
        ({"debate_limits": 5}, "debate_limits=... is DebateLimits(...), not 5"),
        ({"limits": 5}, "limits takes limits such as Limits(in_flight=8), not 5"),
        ({"sampling": {"temperature": 1}}, "sampling=... is Sampling(...), not {'temperature': 1}"),
        ({"tasks": [TASK]}, "tasks=... is a mapping of names to tasks, not [<Task "),
    ],
)
def test_a_value_of_another_kind_is_told_with_what_is_wanted(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**wrong)
    assert str(caught.value).startswith(says)


async def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'patiance' is neither .* Did you mean 'patience'"):
        await ad.debate(ITEM, "solo", patiance=2)  # type: ignore[call-arg]  # which is what is tried
    with pytest.raises(UsageError, match=r"'nothing' is neither .* Known: aspects, budget"):
        ad.Judge("solo", nothing=2)  # type: ignore[call-arg]  # which is what is tried


@pytest.mark.parametrize("given", [{"source": "a", "summary": "b"}, "a text", [ITEM]])
async def test_a_debate_about_something_else_than_an_item_is_refused_in_words(given: Any) -> None:
    with pytest.raises(UsageError, match=r"about one Item\(task=\.\.\., fields=\{\.\.\.\}\), not "):
        await ad.debate(given, "debate")


async def test_a_run_is_stored_with_its_settings() -> None:
    settings = Settings(**{**OTHERS, "tasks": {"text": TASK}})
    async with ad.ready(Played(play=end), model=replying("x"), settings=settings) as debate:
        kept = configuration_of(debate, settings, {}, together=False)
    names = ("form", "patience", "deadline", "debate_limits", "sampling", "aspects", "concurrency")
    assert {name: kept[name] for name in names} == {
        "form": "text",
        "patience": 1,
        "deadline": 7.5,
        "debate_limits": {"tokens": 900},
        "sampling": {"temperature": 0.5},
        "aspects": ["fluency"],
        "concurrency": 3,
    }
    assert list(kept["tasks"]) == ["text"]
    assert FLUENCY.name in str(kept["tasks"])
    assert "rehearsal" not in kept


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"settings": 3}, r"settings takes Settings\(\.\.\.\), not 3"),
        ({"cache": "on"}, "cache takes a file such as 'cache.db'"),
        ({"budget": 30_000}, r"budget takes a budget such as Budget\(tokens=30_000\)"),
        ({"model": None}, "model takes a name"),
        ({"concurrency": 2.5}, "concurrency=... is at least 1"),
        ({"project": "judging"}, "project takes a project"),
    ],
)
def test_a_setting_of_another_kind_is_told_by_its_name(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        ad.Judge("debate", task="summarization", **wrong)
    assert not Path("on").exists()
