"""Strategy files and options: what loads, what runs, and what each mistake is told."""

from pathlib import Path
from typing import Any

import pytest
from engine_cases import ANN, BEN, ITEM, OBJECTION, PAIR, TASKS, hold, overall, scoring

from agentdebate.agents.card import Card
from agentdebate.ballots.lineup import Player
from agentdebate.debates.ready import ready
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.base import Model, Sampling
from agentdebate.models.function import Function
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.load import registered, strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.solo import Solo
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.testing import replying

BUILT_IN = sorted(Project().names("strategies"))
BY_KIND: dict[str, Any] = {
    "steps": "1. Read the text.\n2. Score it.",
    "score": scoring(3),
    "ruling": scoring(2),
    "critique": OBJECTION,
    "statement": "I say so.",
    "summary": "They differ.",
    "plan": lambda request: "\n".join(f"{aspect.title}: rouge-1, chrf" for aspect in request.context.aspects),
    "roster": lambda request: "\n".join(
        f"{n}. Reader {n}: Reads page {n}." for n in range(1, sum(request.context.given.values()) + 1)
    ),
    "poll": lambda request: "\n".join(
        f"Role {n}: {player.title}\nReason: It says more.\nVote: {request.context.candidates[0].label}\n"
        for n, player in enumerate(request.context.players or [Player("", "")], 1)
    ),
}


def write(text: str, name: str = "mine") -> Path:
    """A strategy file of the project in the current folder."""
    path = Path("strategies") / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def head(name: str = "mine", uses: str = "devils-advocate") -> str:
    return f'name = "{name}"\nabout = "A test."\nuses = "{uses}"\n'


PURPOSES = {
    "speak": "statement",
    "open": "statement",
    "forward": "statement",
    "score": "score",
    "vote": "score",
    "revise": "score",
    "criticise": "critique",
    "summarise": "summary",
    "rule": "ruling",
    "recruit": "roster",
    "play": "poll",
    "fuse": "score",
    "fill": "score",
    "plan": "plan",
    "steps": "steps",
}
COMPARING = (
    *("chateval", "faireval"),
    *("drpe", "drpe-static", "drpe-swapped", "llmscore", "mdrpe"),
)
COMPUTING = {"avg", "avg-with-judge", "llmsel"}
"""Strategies whose scores come out of evaluators', all or in part."""
ALONE = ("geval",)
"""Strategies that judge a single text."""
REFERRED = ITEM.model_copy(update={"fields": {**ITEM.fields, "reference": "A cat sat there."}})
REFERRED_PAIR = PAIR.model_copy(update={"fields": {**PAIR.fields, "reference": "It rained."}})
VOTING = {"drpe", "drpe-static", "llmscore", "mdrpe"}
"""In one order, so that the votes for whatever stands first are not added up to a tie."""
"""Strategies that need texts to compare."""


def everybody(**kinds: str) -> Function:
    """A model that has words for every purpose."""
    return replying({purpose: {**BY_KIND, **kinds}[kind] for purpose, kind in PURPOSES.items()})


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - set(COMPARING)))
async def test_every_built_in_strategy_runs_to_a_verdict(name: str) -> None:
    record = await hold(name, everybody(), item=REFERRED, aspects="fluency")
    assert record.verdict is not None, record.failure
    assert 1 <= record.verdict.score <= 5
    assert record.verdict.score in {2.0, 3.0} or name in COMPUTING
    assert (record.strategy, record.verdict.winners) == (name, ())


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - set(ALONE)))
async def test_every_built_in_strategy_compares_texts(name: str) -> None:
    record = await hold(
        name, everybody(score=overall(8, 8), ruling=overall(7, 7)), item=REFERRED_PAIR, aspects="overall"
    )
    assert record.verdict is not None, record.failure
    assert set(record.verdict.scores) == {"overall.answer_1", "overall.answer_2"}
    won = ("answer_1",) if name in VOTING else ("answer_1", "answer_2")
    assert record.verdict.winners == won or name in COMPUTING


@pytest.mark.parametrize("name", COMPARING)
async def test_what_compares_texts_says_so_where_there_is_one_before_a_call_is_paid_for(name: str) -> None:
    record = await hold(name, everybody())
    assert isinstance(record.error, StrategyError)
    assert str(record.error).endswith("texts that are compared, and task 'text' judges a single one")
    assert record.calls == ()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_strategy_says_what_it_follows(name: str) -> None:
    assert strategy(name).name == name
    assert 'source = "' in Project().find("strategies", name).read_text(encoding="utf-8")


def test_our_classes_are_registered_like_anybody_elses() -> None:
    assert registered().keys() >= {
        "devils-advocate", "one-by-one", "repeated", "simultaneous-talk", "simultaneous-talk-with-summarizer",
        "solo", "swapped-positions", "tie-breaker",
    }  # fmt: skip


def test_the_papers_settings_are_in_the_file() -> None:
    chosen = strategy("debate")
    assert isinstance(chosen, DevilsAdvocate)
    assert (chosen.rounds, chosen.commander) == (4, "relay")
    assert chosen.cast == {"commander": ("commander",), "scorer": ("scorer",), "critic": ("critic-strict",)}
    assert chosen.sampling == Sampling(temperature=0, top_p=1, frequency_penalty=0, presence_penalty=0)


@pytest.mark.parametrize(
    ("name", "critic"),
    [("multiagent", "critic-plain"), ("debate-weak", "critic-weak"), ("debate-moderate", "critic-moderate")],
)
def test_the_persona_of_the_critic_is_what_differs(name: str, critic: str) -> None:
    paper, other = strategy("debate").model_dump(), strategy(name).model_dump()
    assert other["cast"]["critic"] == (critic,)
    assert {key for key in paper if paper[key] != other[key]} == {"name", "cast"}


def test_options_go_before_the_files() -> None:
    assert strategy("debate", rounds=2).model_dump() == {**strategy("debate").model_dump(), "rounds": 2}


def test_a_cast_may_be_given_by_name_by_list_or_in_code() -> None:
    for given, seated in [("critic", ("critic",)), (["critic-weak"], ("critic-weak",)), (ANN, (ANN,))]:
        chosen = strategy("debate", cast={"critic": given})
        assert chosen.cast == {**strategy("debate").cast, "critic": seated}


def test_a_cast_goes_through_a_wrapper_to_whoever_has_the_role() -> None:
    chosen = strategy("debate-tiebreaker", cast={"critic": "reviewer", "tie-breaker": ANN})
    assert isinstance(chosen, TieBreaker)
    assert chosen.cast == {"tie-breaker": (ANN,)}
    assert chosen.around.cast == {**strategy("debate").cast, "critic": ("reviewer",)}
    assert {role: seats[0].card for role, seats in chosen.seats().items()} == {
        "commander": "commander",
        "scorer": "scorer",
        "critic": "reviewer",
        "tie-breaker": ANN,
    }


def test_a_cast_reaches_the_innermost_of_wrappers_within_wrappers() -> None:
    write(head("outer", "tie-breaker") + '[options]\naround = "inner"\n', "outer")
    write(head("inner", "tie-breaker") + '[options]\naround = "debate"\n', "inner")
    chosen = strategy("outer", rounds=2, cast={"critic": "reviewer"})
    assert isinstance(chosen, TieBreaker)
    assert isinstance(chosen.around, TieBreaker)
    innermost = chosen.around.around
    assert isinstance(innermost, DevilsAdvocate)
    assert (innermost.rounds, innermost.cast["critic"]) == (2, ("reviewer",))


async def test_a_cast_given_in_code_speaks() -> None:
    critic = Card(name="grump", title="Grump", persona="You are a grump.")
    model = replying({"scorer": scoring(3), "critic": OBJECTION})
    record = await hold(strategy("debate", rounds=1, cast={"critic": critic}), model)
    turns = [call.request.messages[-1].content for call in record.calls if call.agent == "critic"]
    assert ["Your role: Grump. You are a grump." in turn for turn in turns] == [True]


def models_of(chosen: Strategy) -> dict[str, str | Model | None]:
    """Which model each card was given."""
    return {
        seat.card if isinstance(seat.card, str) else seat.card.name: seat.model
        for seats in chosen.seats().values()
        for seat in seats
    }


def test_a_file_gives_models_to_cards_and_roles() -> None:
    write(
        head(uses="one-by-one")
        + '[cast]\ndebaters = ["general-public", "reviewer", "scientist"]\n'
        + '[models]\ndebaters = "one"\nreviewer = "two"\n'
    )
    chosen = strategy("mine")
    assert chosen.models == {"debaters": "one", "reviewer": "two"}
    assert models_of(chosen) == {"general-public": "one", "reviewer": "two", "scientist": "one"}


def test_models_of_the_call_go_before_the_files() -> None:
    write(head(uses="one-by-one") + '[models]\nreviewer = "two"\ngeneral-public = "one"\n')
    chosen = strategy("mine", models={"reviewer": "three"})
    assert models_of(chosen) == {"general-public": "one", "reviewer": "three"}


def test_models_reach_through_wrappers_to_whoever_has_the_role() -> None:
    chosen = strategy("chateval", models={"reviewer": "two"}, rounds=3)
    assert isinstance(chosen, SwappedPositions)
    assert isinstance(chosen.around, OneByOne)
    assert (chosen.around.rounds, models_of(chosen)) == (3, {"general-public": None, "reviewer": "two"})
    inner = strategy("faireval", models={"scorer": "three"})
    assert models_of(inner) == {"referee": "three"}


def test_a_wrappers_models_go_before_those_of_the_strategy_inside() -> None:
    write(head("inner", "one-by-one") + '[models]\nreviewer = "in"\ngeneral-public = "in"\n', "inner")
    write(
        head("outer", "swapped-positions") + '[options]\naround = "inner"\n[models]\nreviewer = "out"\n',
        "outer",
    )
    assert models_of(strategy("outer")) == {"general-public": "in", "reviewer": "out"}
    assert models_of(strategy("outer", models={"reviewer": "call"})) == {
        "general-public": "in",
        "reviewer": "call",
    }


@pytest.mark.parametrize("name", ["inner", "outer"])
def test_who_is_replaced_needs_no_model_any_more(name: str) -> None:
    """A panel that the caller fills is not held up by what the file says of its own."""
    write(head("inner", "one-by-one") + '[models]\nreviewer = "one"\ndebaters = "two"\n', "inner")
    write(head("outer", "repeated") + '[options]\naround = "inner"\n', "outer")
    chosen = strategy(name, cast={"debaters": (ANN, "scientist")})
    assert models_of(chosen) == {"ann": "two", "scientist": "two"}


@pytest.mark.parametrize("name", ["chateval-one-by-one", "chateval", "debate-tiebreaker"])
@pytest.mark.parametrize(
    ("models", "says"),
    [
        ({"criticc": "m"}, "models names 'criticc', .*(Did you mean|Known)"),
        ({"critic": 3}, "option 'models': .*not 3"),
        ("m", "models=... has names with a value each, and is not 'm'"),
    ],
)
def test_a_mistake_in_models_is_the_callers(name: str, models: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        strategy(name, models=models)


def test_a_panel_is_filled_through_a_wrapper() -> None:
    chosen = strategy("chateval", cast={"debaters": [ANN, BEN, "scientist"]})
    assert [seat.card for seat in chosen.seats()["debaters"]] == [ANN, BEN, "scientist"]


def test_options_that_do_not_go_together_are_the_callers_mistake_where_the_caller_gave_one() -> None:
    with pytest.raises(UsageError, match="'chateval-one-by-one': weights are for by ="):
        strategy("chateval-one-by-one", weights=(1, 2))
    chosen = strategy("chateval-one-by-one", weights=(1, 2), merge="weighted")
    assert isinstance(chosen, OneByOne)
    assert chosen.weights == (1, 2)


def test_a_file_of_ones_own_goes_before_the_built_in_one() -> None:
    write(head("debate") + "[options]\nrounds = 7\n", "debate")
    assert strategy("debate").model_dump()["rounds"] == 7
    assert strategy("debate", project=Project()).model_dump()["rounds"] == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = mine", "not TOML.*line 1"),
        (head() + 'abuot = "x"', "'abuot': .*Did you mean 'about'"),
        ('name = "mine"\nuses = "solo"', "'about': this key is missing"),
        (head("other"), "'name': the file is called 'mine'"),
        (head(uses="devil-advocate"), "'uses': no strategy class.*Did you mean 'devils-advocate'"),
        (head() + "[options]\nround = 2", "'options.round': .*Did you mean 'rounds'"),
        (head() + "[options]\nrounds = 0", "'rounds': it is at least 1, not 0"),
        (head() + '[cast]\ncritics = "critic"', "'cast.critics': .*Did you mean 'critic'"),
        (head() + "[cast]\ncritic = []", "'cast.critic': .*at least 1"),
        (head() + "[sampling]\ntemprature = 0", "'sampling.temprature': .*Did you mean 'temperature'"),
        (head() + "[sampling]\ntemperature = -1", "'sampling.temperature': "),
        (head() + '[models]\ncritik = "m"', "'models.critik': .*Did you mean 'critic'"),
        (head() + "[models]\ncritic = 3", "'models.critic': it is text, not 3"),
        (head() + '[options]\nmodels = {critic = "m"}', "'options.models': this key means nothing here"),
        (head() + 'models = "m"', "'models': it is a table of names and values, not 'm'"),
        (head(uses="one-by-one") + "[options]\nweights = [1, 2]", ': weights are for by = "votes"'),
        (
            head(uses="swapped-positions") + "[options]\nall_order = true",
            "'options.all_order': .*'all_orders'",
        ),
        (head(uses="tie-breaker"), "'options.around': names the strategy"),
        (head(uses="tie-breaker") + "[options]\naround = 3", "'options.around': names the strategy"),
        (head(uses="tie-breaker") + '[options]\naround = "mine"', "'options.around': .*around itself"),
    ],
)
def test_a_mistake_in_a_file_names_the_file_and_the_key(text: str, says: str) -> None:
    path = write(text)
    with pytest.raises(ContentError, match=f"(?s)^{Path.cwd() / path}.*{says}"):
        strategy("mine")


def test_a_wrapper_that_comes_back_to_itself_is_an_error() -> None:
    path = write(head("one", "tie-breaker") + '[options]\naround = "two"\n', "one")
    write(head("two", "tie-breaker") + '[options]\naround = "one"\n', "two")
    with pytest.raises(ContentError, match="around itself"):
        strategy("one")
    assert path.exists()


def test_a_file_that_is_not_utf8_is_an_error() -> None:
    path = write("")
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ContentError, match=r"mine\.toml: this is not UTF-8 \(byte 8\)"):
        strategy("mine")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"round": 2}, "has no option 'round'. Did you mean 'rounds'"),
        ({"rounds": "many"}, "'debate', option 'rounds': .*not 'many'"),
        ({"rounds": 0}, "'debate', option 'rounds': .*not 0"),
        ({"commander": "boss"}, "option 'commander': .*not 'boss'"),
        ({"cast": {"critics": "critic"}}, "has no role 'critics'. Did you mean 'critic'"),
        ({"cast": {"critic": ()}}, "cast=...: 'critic' is played by cards"),
    ],
)
@pytest.mark.parametrize("name", ["debate", "debate-tiebreaker"])
def test_a_mistake_in_an_option_is_the_callers(name: str, options: dict[str, Any], says: str) -> None:
    """Through a wrapper too."""
    with pytest.raises(UsageError, match=says):
        strategy(name, **options)


def test_a_strategy_made_in_code_is_wrapped_in_code() -> None:
    with pytest.raises(UsageError, match="in code, make the one around it yourself"):
        strategy("debate-tiebreaker", around=DevilsAdvocate(rounds=1))


def test_an_unknown_strategy_comes_with_the_nearest_known_one() -> None:
    with pytest.raises(ContentError, match=r"no strategy 'debat'\. Did you mean 'debate'"):
        strategy("debat")


async def test_an_unknown_card_in_the_cast_comes_with_the_nearest_known_one() -> None:
    with pytest.raises(ContentError, match=r"no agent 'reviewr'\. Did you mean 'reviewer'"):
        async with ready(strategy("debate", cast={"critic": "reviewr"}), tasks=TASKS):
            raise AssertionError("nothing is ready")


def test_strategies_are_frozen_and_called_by_their_file_or_class() -> None:
    chosen = strategy("solo")
    assert (chosen.title, Solo().title) == ("solo", "Solo")
    with pytest.raises(ValueError, match="frozen"):
        chosen.name = "x"  # type: ignore[misc]  # that is the point
