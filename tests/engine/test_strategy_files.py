"""Strategy files and options: what loads, which layer goes before which, and what each mistake is told and whose it is."""

from pathlib import Path
from typing import Any

import pytest
from engine_cases import ANN, hold
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.tie_breaker import TieBreaker


def write(text: str, name: str = "mine", folder: Path = Path()) -> Path:
    """A strategy file of the project in a folder."""
    path = folder / "strategies" / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def head(name: str = "mine", uses: str = "devils-advocate") -> str:
    return f'name = "{name}"\nabout = "A test."\nuses = "{uses}"\n'


@pytest.mark.parametrize(
    "name", ["chateval", "faireval", "drpe", "drpe-static", "drpe-swapped", "llmscore", "mdrpe"]
)
async def test_what_compares_texts_says_so_where_there_is_one_before_a_call_is_paid_for(name: str) -> None:
    record = await hold(name, ad.Function("asked", lambda _: pytest.fail("asked")))
    assert isinstance(record.error, StrategyError)
    assert str(record.error).endswith("texts that are compared, and task 'text' judges a single one")


def test_a_cast_goes_through_a_wrapper_to_whoever_has_the_role() -> None:
    chosen = ad.strategy("debate-tiebreaker", cast={"critic": "reviewer", "tie-breaker": ANN})
    assert isinstance(chosen, TieBreaker)
    assert chosen.cast == {"tie-breaker": (ANN,)}
    assert chosen.around.cast == {**ad.strategy("debate").cast, "critic": ("reviewer",)}
    cards = {role: seats[0].card for role, seats in chosen.seats().items()}
    assert cards == {"commander": "commander", "scorer": "scorer", "critic": "reviewer", "tie-breaker": ANN}


# Order: each layer of overrides goes before the next, whatever else is said.

ROUNDS = st.none() | st.integers(1, 9)
CRITICS = st.none() | st.sampled_from(["critic-strict", "critic-weak", "critic-moderate", "critic-plain"])


def file_of(
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
    inner = file_of("inner", "devils-advocate", rounds=rounds[1], critic=critics[2], model=models[2])
    outer = file_of("outer", "tie-breaker", around="inner", critic=critics[1], model=models[1])
    write(inner, "inner", folder)
    write(outer, "outer", folder)
    said: dict[str, Any] = {"rounds": rounds[0]} if rounds[0] else {}
    said |= {"cast": {"critic": critics[0]}} if critics[0] else {}
    said |= {"models": {"critic": models[0]}} if models[0] else {}
    chosen = ad.strategy("outer", project=ad.Project(folder), **said)
    assert isinstance(chosen, TieBreaker)
    assert isinstance(chosen.around, DevilsAdvocate)
    usual = DevilsAdvocate()
    assert chosen.around.rounds == next((one for one in rounds if one), usual.rounds)
    (seat,) = chosen.seats()["critic"]
    assert seat.card == next((one for one in critics if one), usual.cast["critic"][0])
    assert seat.model == next((one for one in models if one), None)


# Mistakes in files.


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
        (head(uses="swapped-positions") + "[options]\nall_order = true", "'options.all_order': .*'all_orders'"),
        (head(uses="tie-breaker"), "'options.around': names the strategy"),
        (head(uses="tie-breaker") + "[options]\naround = 3", "'options.around': names the strategy"),
        (head(uses="tie-breaker") + '[options]\naround = "mine"', "'options.around': .*around itself"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_names_the_file_and_the_key(text: str, says: str) -> None:
    path = write(text)
    with pytest.raises(ContentError, match=f"(?s)^{Path.cwd() / path}.*{says}"):
        ad.strategy("mine")


def test_a_wrapper_that_comes_back_to_itself_is_an_error() -> None:
    write(head("one", "tie-breaker") + '[options]\naround = "two"\n', "one")
    write(head("two", "tie-breaker") + '[options]\naround = "one"\n', "two")
    with pytest.raises(ContentError, match="around itself"):
        ad.strategy("one")


# Mistakes in a call.


@pytest.mark.parametrize(
    ("name", "said", "says"),
    [
        ("chateval", {"around": 3}, "strategy 'chateval', option 'around': names the strategy .* is not 3;"),
        ("chateval", {"around": "chateval"}, "'around': a strategy cannot go around itself: chateval around chateval$"),
        ("chateval", {"cast": "critic"}, "cast=... has names with a value each, and is not 'critic'"),
        ("chateval", {"cast": {"debaters": 3}}, "cast=...: 'debaters' is played by cards, and not by 3"),
        ("chateval", {"cast": {"debaters": None}}, "cast=...: 'debaters' is played by cards, and not by None"),
        ("chateval", {"k": 2}, "strategy 'chateval' has no option 'k'"),
        ("chateval", {"sampling": {}}, "strategy 'chateval' has no option 'sampling'"),
        ("debate", {"around": "solo"}, "strategy 'debate' has no option 'around'"),
        *((name, said, says) for name in ("debate", "debate-tiebreaker") for said, says in (
            ({"round": 2}, "has no option 'round'. Did you mean 'rounds'"),
            ({"rounds": "many"}, "'debate', option 'rounds': .*not 'many'"),
            ({"rounds": 0}, "'debate', option 'rounds': .*not 0"),
            ({"commander": "boss"}, "option 'commander': .*not 'boss'"),
            ({"cast": {"critics": "critic"}}, "has no role 'critics'. Did you mean 'critic'"),
            ({"cast": {"critic": ()}}, "cast=...: 'critic' is played by cards"),
        )),
        *((name, said, says) for name in ("chateval-one-by-one", "chateval", "debate-tiebreaker") for said, says in (
            ({"models": {"criticc": "m"}}, "models names 'criticc', .*(Did you mean|Known)"),
            ({"models": {"critic": 3}}, "option 'models': .*not 3"),
            ({"models": "m"}, "models=... has names with a value each, and is not 'm'"),
        )),
    ],
)  # fmt: skip
def test_a_mistake_of_the_call_is_the_callers_through_a_wrapper_too(
    name: str, said: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        ad.strategy(name, **said)
