"""What cannot be swept is told before anything is held, with what varies and its value, in plain words."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import UsageError, UserError
from agentdebate.runs.settings import Settings
from agentdebate.studies.sweep import SweepSetting, further_controls, planned, settings_of
from agentdebate.testing import replying

ITEM = ad.Item(id="a", task="summarization", fields={"source": "The bridge closes.", "summary": "It closes."})
SOLO = ad.strategy("solo")
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"vary": {"rounds": ["a"]}}, "vary=... rounds=a: strategy 'debate', option 'rounds': it is a whole number, not 'a'"),
    ({"vary": {"rounds": [True]}}, "vary=... rounds=true: strategy 'debate', option 'rounds': it is a whole number, not True"),
    ({"vary": {"rounds": [2, 0]}}, "vary=... rounds=0: strategy 'debate', option 'rounds': it is at least 1, not 0"),
    ({"vary": {"commander": ["x"]}}, "vary=... commander=x: strategy 'debate', option 'commander': it is 'relay' or 'model', not 'x'"),
    ({"vary": {"ruonds": [1]}}, "vary=... ruonds=1: strategy 'debate' has no option 'ruonds'. Did you mean 'rounds'?"),
    ({"vary": {"modle": ["offline"]}}, "vary=... modle=offline: strategy 'debate' has no option 'modle'. Known: agreement, ballot, blind, commander, confidence, fences, history, repeats, rounds, stop. Did you mean 'model'?"),
    ({"vary": {"strategy": ["slo"]}}, "there is no strategy 'slo'. Did you mean 'solo'?"),
    ({"vary": {}, "cells": [{"strategy": "slo", "x": 1}]}, "cells=... strategy=slo, x=1: there is no strategy 'slo'"),
    ({"vary": {}, "cells": [{"strategy": "solo", "x": 1}]}, "cells=... x=1: strategy 'solo' has no option 'x'"),
    ({"vary": {}, "strategy": "slo", "cells": [{"strategy": "solo"}]}, "there is no strategy 'slo'"),
    ({"vary": {"strategy": [SOLO]}}, "vary=... strategy: a strategy goes by its name, such as debate, not <Solo "),
    ({"vary": {"model": [replying("x")]}}, "vary=... model: a model goes by its name, such as openai/gpt-6-luna, not <"),
    ({"vary": {"model": ["gpt-4o"]}}, "vary=... model=gpt-4o: there is no model provider 'gpt-4o' (a model is named PROVIDER/NAME, such as openai/gpt-4o)"),
    ({"vary": {"temperature": [-1]}}, "vary=... temperature: -1 is not a number of at least 0"),
    ({"vary": {"persona": [3]}}, "vary=... persona=3: cast=...: 'critic' is played by cards, and not by 3"),
    ({"vary": {"cast.critic": [3]}}, "vary=... cast.critic=3: cast=...: 'critic' is played by cards, and not by 3"),
    ({"vary": {"rounds": 1}}, "vary=... takes a list of values for 'rounds', not 1"),
    ({"vary": {"rounds": "12"}}, "vary=... takes a list of values for 'rounds', not '12'"),
    ({"vary": {3: [1]}}, "vary=... takes a list of values for 3, not [1]"),
    ({"vary": ["rounds"]}, "vary=... has names with a list of values each: {'rounds': [1, 2]}, not ['rounds']"),
    ({"agents": 2}, "agents=...: the strategy 'debate' has no panel"),
    ({"control": "slo"}, "control=...: there is no strategy 'slo'. Did you mean 'solo'?"),
    ({"control": SOLO}, "control=... is a strategy by its name, such as 'solo', and not <Solo "),
    ({"control": "debate"}, "control=... is a single judge, with which debates are compared, and in 'debate' several agents judge (scorer, critic): take"),
    ({"control": "chateval"}, "control=... is a single judge, with which debates are compared, and in 'chateval' several agents judge (debaters"),
    ({"control_temperature": "x"}, "control_temperature=... is a number of at least 0, not 'x'"),
    ({"model": replying("x")}, "model: a sweep takes it by its name, and not <"),
    ({"strategy": SOLO}, "strategy: a sweep takes it by its name, and not <Solo "),
    ({"options": 3}, "options=... has names with a value each, and is not 3"),
    ({"cast": {"critic": 3}}, "cast=...: 'critic' is played by cards, and not by 3"),
    ({"extra": 3}, "extra takes names with a value each, not 3"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "says"), WRONG, ids=[says[:60] for _, says in WRONG])
def test_what_is_wrong_is_named_before_anything_is_stored(
    given: dict[str, Any], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = {"strategy": "debate", "vary": {"rounds": [1]}, "aspects": "coherence", **given}
    with pytest.raises(UserError) as caught:
        asyncio.run(ad.sweep([ITEM], **told))
    assert str(caught.value).startswith(says)
    assert not list(tmp_path.iterdir())


def test_the_judge_that_thinks_longer_is_told_so_in_its_requests_alone() -> None:
    common = SweepSetting(
        [ITEM], "solo", "s.db", Settings(model="openai/m"), controls=True, control_effort="high"
    )
    (cell,) = planned(common, {})
    alone, longer = further_controls(common, cell)
    assert (alone.kind, settings_of(common, alone).sampling.effort) == ("one judge", None)
    assert (longer.kind, settings_of(common, longer).sampling.effort) == ("thinks longer", "high")
    assert common.mark(alone)["key"] != common.mark(longer)["key"]


@pytest.mark.parametrize(
    ("items", "strategy", "says"),
    [
        ("debate", [ITEM], "strategy: a sweep takes it by its name, and not [<Item 'a'"),
        ("items.jsonl", "debate", "items are a list of Item, or a stream of them, not a str"),
        ([{"source": "x"}], "debate", "item 1 is a dict, and not an Item"),
        (ITEM, "debate", "items are a list of Item, or a stream of them, not one Item"),
    ],
)
@pytest.mark.parametrize("call", [ad.sweep, ad.sweep_forecast])
def test_items_that_are_none_are_refused_by_what_they_are(
    call: Any, items: Any, strategy: Any, *, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        asyncio.run(call(items, strategy, vary={"rounds": [1]}))
    assert str(caught.value).startswith(says)
    assert not list(tmp_path.iterdir())


def test_a_forecast_refuses_the_words_of_the_question() -> None:
    words: dict[str, Any] = {"vary": {"rounds": [1]}, "statistic": "rho"}
    with pytest.raises(UsageError, match="statistic"):
        asyncio.run(ad.sweep_forecast([ITEM], "debate", **words))
