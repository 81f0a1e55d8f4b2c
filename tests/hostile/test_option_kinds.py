"""A plug-in's options in somebody else's file: declared ones are what they are declared to be, and any other text counts as code."""

import sys
from functools import partial
from pathlib import Path

import pytest

from agentdebate import plugins
from agentdebate.errors import ContentError, UserError
from agentdebate.evaluators.registry import GROUP, check_said
from agentdebate.options import OptionKind, option_kind
from agentdebate.project.trust import Trust
from agentdebate.strategies.one_by_one import OneByOne

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
from packages import install

THEIRS = """
from typing import Annotated, Any, Literal
from agentdebate.options import OptionKind

def declares(rest, *, server: Annotated[str, OptionKind.ADDRESS] = "", key: Annotated[str, OptionKind.VARIABLE] = "",
             headers: Annotated[dict[str, str], OptionKind.SECRET] = {}, words: Annotated[str, OptionKind.FILE] = "",
             label: Annotated[str, OptionKind.TEXT] = "", share: float | None = 0.5, side: Literal["left", "right"] = "left",
             style: str = ""): ...

def vague(rest, *, label: Annotated[str, OptionKind.TEXT] = "", token: "NoSuchType" = ""): ...

def silent(rest, **options: Any): ...

def ends(rounds, context, *, where: str = "", share: float = 0.5): ...
"""


@pytest.fixture(autouse=True)
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that declares options, which is not installed by whoever wrote the file."""
    points = {name: f"theirs:{name}" for name in ("declares", "vague", "silent")}
    install(
        tmp_path, monkeypatch, "theirs", THEIRS, {GROUP: points, "agentdebate.stops": {"ends": "theirs:ends"}}
    )


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("declares:server=evil.test", r"option 'server', would send requests to evil\.test"),
        ("declares:key=AWS_SECRET_ACCESS_KEY", "with the key in AWS_SECRET_ACCESS_KEY"),
        ("declares:headers=x", "with the key in headers"),
        ("declares:words=../secret.txt", "the file in the option 'words' leads out of"),
        ("declares:label=http://evil.test", r"would send requests to evil\.test"),
        (
            "declares:style=plain",
            "option 'style', is a text, and nothing declares what it is for.*allow_code",
        ),
        ("silent:anything=evil.test", "option 'anything', is a text, and nothing declares"),
        ("vague:label=entailment", "option 'label', is a text, and nothing declares"),
        ("not-installed:label=entailment", "option 'label', is a text, and nothing declares"),
    ],
)
def test_a_file_sets_no_option_that_may_reach_anything(written: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        check_said(written, Trust.allowing(()).of(Path("strategies/trap.toml")))


@pytest.mark.parametrize(
    "written", ["declares:label=entailment,share=0.2,side=right,as=mine", "rouge-l:beta=1.2,premise=x"]
)
def test_a_file_sets_numbers_choices_and_declared_texts_and_the_user_who_allows_code_any_text(
    written: str,
) -> None:
    check_said(written, Trust.allowing(()).of("a store"))
    check_said("silent:anything=plain", Trust.allowing((), code=True).of("a store"))
    with pytest.raises(ContentError, match=r"evil\.test"):
        check_said("silent:anything=http://evil.test", Trust.allowing((), code=True).of(Path("trap.toml")))


def test_options_of_a_rule_are_what_the_rule_declares() -> None:
    def check(stop: object) -> None:
        kind_of = partial(option_kind, OneByOne)
        Trust.allowing(()).of("a store").check_options({"stop": stop}, kind_of, "the strategy")

    for said in ("ends", {"rule": "ends", "share": "0.5"}, {"rule": "majority", "share": 0.75}):
        check(said)
    with pytest.raises(UserError, match="option 'stop', is a text, and nothing declares"):
        check({"rule": "ends", "where": "evil.test"})


def test_the_options_of_built_in_strategies_that_name_a_file_are_declared_and_the_other_texts_are_known() -> (
    None
):
    """What a file may set without being asked about is known by name, so that a new one is thought of."""
    kinds = {
        (name, option_kind(strategy, name))
        for strategy in (point.load() for point in plugins.registered("agentdebate.strategies").values())
        for name, field in strategy.model_fields.items()
        if "str" in str(field.annotation)
    }
    assert {name for name, kind in kinds if kind is OptionKind.FILE} == {"plan", "steps"}
    assert {name for name, kind in kinds if kind is OptionKind.TEXT} == {
        "around", "ballot", "cast", "columns", "embedder", "evaluators", "hearing", "history", "merge", "models", "name", "ranges", "stages", "stop", "thresholds", "turn",
    }  # fmt: skip
