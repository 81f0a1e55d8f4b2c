"""The settings of debates: one value for all of them, with its fields as keywords of every function that takes it."""

import math
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from engine_cases import ITEM, TASK

import agentdebate as ad
from agentdebate.cli.console.command_lines import in_options
from agentdebate.errors import UsageError
from agentdebate.runs.settings import Settings, SettingsChanges


def test_the_keywords_are_the_settings_and_of_the_same_types() -> None:
    """A new setting is a field of both; whoever passes a keyword on is checked by mypy."""
    settings, keywords = get_type_hints(Settings), get_type_hints(SettingsChanges)
    assert {name: set(get_args(kind | None)) for name, kind in settings.items()} == {
        name: set(get_args(kind | None)) for name, kind in keywords.items()
    }
    assert {name for name, kind in keywords.items() if NoneType not in get_args(kind)} == {"model"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": 0}, "patience=... is at least 1, not 0"),
        ({"deadline": 0}, "deadline=... is more than 0 seconds, not 0"),
        ({"deadline": -1.5}, "deadline=... is more than 0 seconds, not -1.5"),
        ({"deadline": math.nan}, "deadline=... is more than 0 seconds, not nan"),
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
        ({"patience": "3"}, "patience is a whole number of replies, not '3'"),
        ({"patience": True}, "patience is a whole number of replies, not True"),
        ({"deadline": "5"}, "deadline is a number of seconds, not '5'"),
        ({"debate_limits": 5}, "debate_limits is DebateLimits(...), not 5"),
        ({"limits": 5}, "limits takes limits such as Limits(in_flight=8), not 5"),
        ({"sampling": {"temperature": 1}}, "sampling is Sampling(...), not {'temperature': 1}"),
        ({"tasks": [TASK]}, "tasks is a mapping of names to tasks, not [<Task "),
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
