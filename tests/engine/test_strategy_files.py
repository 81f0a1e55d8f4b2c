"""Strategy files and options: what loads, what runs, and what each mistake is told."""

from pathlib import Path
from typing import Any

import pytest
from engine_cases import ANN, OBJECTION, TASKS, hold, scoring

from agentdebate.ballots.lineup import Player
from agentdebate.debates.ready import ready
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.base import Model
from agentdebate.models.function import Function
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy
from agentdebate.strategies.tie_breaker import TieBreaker
from agentdebate.testing import replying

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


COMPARING = (*("chateval", "faireval"), *("drpe", "drpe-static", "drpe-swapped", "llmscore", "mdrpe"))
"""Strategies that need texts to compare."""


def everybody(**kinds: str) -> Function:
    """A model that has words for every purpose."""
    return replying({purpose: {**BY_KIND, **kinds}[kind] for purpose, kind in PURPOSES.items()})


@pytest.mark.parametrize("name", COMPARING)
async def test_what_compares_texts_says_so_where_there_is_one_before_a_call_is_paid_for(name: str) -> None:
    record = await hold(name, everybody())
    assert isinstance(record.error, StrategyError)
    assert str(record.error).endswith("texts that are compared, and task 'text' judges a single one")
    assert record.calls == ()


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


def models_of(chosen: Strategy) -> dict[str, str | Model | None]:
    """Which model each card was given."""
    return {
        seat.card if isinstance(seat.card, str) else seat.card.name: seat.model
        for seats in chosen.seats().values()
        for seat in seats
    }


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


async def test_an_unknown_card_in_the_cast_comes_with_the_nearest_known_one() -> None:
    with pytest.raises(ContentError, match=r"no agent 'reviewr'\. Did you mean 'reviewer'"):
        async with ready(strategy("debate", cast={"critic": "reviewr"}), tasks=TASKS):
            raise AssertionError("nothing is ready")
