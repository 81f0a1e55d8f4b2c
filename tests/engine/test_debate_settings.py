"""The settings of debates: one value for all of them, with its fields as keywords of every function that takes it."""

import math
from dataclasses import fields
from inspect import signature
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from cyclopts import App, Parameter
from engine_cases import ITEM, TASK

import agentdebate as ad
from agentdebate.cli.app import build
from agentdebate.cli.console.command_lines import in_options, option_of
from agentdebate.cli.options.settings import SettingGroup, SettingOptions
from agentdebate.errors import UsageError
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.testing import replying

ELSEWHERE = {"rehearsal", "listeners", "configuration", "tasks", "project"}
"""Settings that only Python has, or that other options say: --task, --project with what it allows."""

NESTED = {
    *("--temperature", "--top-p", "--max-tokens", "--seed", "--effort"),
    *("--in-flight", "--requests-per-minute", "--tokens-per-minute"),
    *("--budget-tokens", "--budget-money"),
    *("--debate-tokens", "--debate-money", "--debate-seconds"),
}
"""Options of `sampling`, `limits`, `budget` and `debate_limits`."""

PLAIN = {one.name for one in fields(Settings)} - ELSEWHERE - {"sampling", "limits", "budget", "debate_limits"}
"""Settings that are one option each."""


def test_the_keywords_are_the_settings_and_of_the_same_types() -> None:
    """A new setting is a field of both; whoever passes a keyword on is checked by mypy."""
    settings, keywords = get_type_hints(Settings), get_type_hints(SettingsChanges)
    assert {name: set(get_args(kind | None)) for name, kind in settings.items()} == {
        name: set(get_args(kind | None)) for name, kind in keywords.items()
    }
    assert {name for name, kind in keywords.items() if NoneType not in get_args(kind)} == {"model"}


def options_of(app: App) -> dict[str, Any]:
    """The options of a command, each with its default."""
    return {one.name: one.field_info.default for one in app.assemble_argument_collection() if one.parse}


def setting_options() -> dict[str, Any]:
    """The options that fill the settings, each with its default."""
    app = App(default_parameter=Parameter(negative=()))

    @app.default
    def alone(*, settings: SettingGroup = SettingOptions()) -> None:
        """Nothing but settings."""

    return {name: default for name, default in options_of(app).items() if name != "*"}


@pytest.mark.parametrize("command", ["run", "sweep", "score", "resume", "work", "ray"])
def test_every_command_that_holds_debates_has_the_same_setting_options(command: str) -> None:
    assert setting_options().items() <= options_of(build()[command]).items()


def test_every_setting_is_an_option_with_its_name_and_default_and_nothing_else_is() -> None:
    options = setting_options()
    assert options.keys() == {option_of(one) for one in PLAIN} | NESTED
    assert {name: options[option_of(name)] for name in PLAIN} == {
        name: getattr(USUAL, name) for name in PLAIN
    }
    assert {options[name] for name in NESTED} == {None}


@pytest.mark.parametrize("call", [ad.evaluate, ad.Judge, ad.debate, ad.work, ad.enqueue, ad.forecast])
def test_a_call_takes_at_most_ten_arguments_beside_the_settings(call: Any) -> None:
    assert len(signature(call).parameters.keys() - {"settings", "changes"}) <= 10


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patience": 0}, "patience=... is a whole number of replies, at least 1, not 0"),
        ({"deadline": 0}, "deadline=... is a number of seconds, more than 0, not 0"),
        ({"deadline": -1.5}, "deadline=... is a number of seconds, more than 0, not -1.5"),
        ({"deadline": math.nan}, "deadline=... is a number of seconds, more than 0, not nan"),
        ({"form": "json"}, "form=... is auto, text or schema, not 'json'"),
        ({"concurrency": 0}, "concurrency=... is at least 1, not 0: so many debates are held at once"),
        ({"cache": "on and off"}, "cache=... is off, read, write or on, not 'on and off'"),
        ({"patience": "3"}, "patience=... is a whole number of replies, at least 1, not '3'"),
        ({"patience": True}, "patience=... is a whole number of replies, at least 1, not True"),
        ({"deadline": "5"}, "deadline=... is a number of seconds, more than 0, not '5'"),
        ({"debate_limits": 5}, "debate_limits=... is DebateLimits(...), not 5"),
        ({"limits": 5}, "limits takes limits such as Limits(in_flight=8), not 5"),
        ({"sampling": {"temperature": 1}}, "sampling=... is Sampling(...), not {'temperature': 1}"),
        ({"tasks": [TASK]}, "tasks=... is a mapping of names to tasks, not [<Task "),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_words_that_name_its_option(
    wrong: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**wrong)
    assert str(caught.value).startswith(says)
    assert in_options(says).startswith("--") == ("=..." in says)


@pytest.mark.parametrize("given", [{"source": "a", "summary": "b"}, "a text", [ITEM]])
async def test_a_debate_about_something_else_than_an_item_is_refused_in_words(given: Any) -> None:
    with pytest.raises(UsageError, match=r"about one Item\(task=\.\.\., fields=\{\.\.\.\}\), not "):
        await ad.debate(given, "debate")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"patiance": 2}, r"'patiance' is neither .* Did you mean 'patience'"),
        ({"nothing": 2}, r"'nothing' is neither .* Known: api_key_env, aspects, base_url, budget"),
        ({"settings": 3}, r"settings takes Settings\(\.\.\.\), not 3"),
        ({"cache_file": 3}, "cache_file takes a file such as 'cache.db'"),
        ({"model": replying("x"), "base_url": "http://h/v1"}, "go with a model that is named"),
        ({"budget": 30_000}, r"budget takes a budget such as Budget\(tokens=30_000\)"),
        ({"model": None}, "model takes a name"),
        ({"concurrency": True}, "concurrency=... is at least 1"),
        ({"project": "judging"}, "project takes a project"),
    ],
)
def test_a_setting_that_is_unknown_or_of_another_kind_is_told_by_its_name(
    wrong: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        ad.Judge("debate", task="summarization", **wrong)
