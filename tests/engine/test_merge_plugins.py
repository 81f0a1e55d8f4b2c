"""Merges of other packages: found by their entry point, given ballots and context, and checked in what they give."""

import math
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint

import pytest
from engine_cases import COHERENCE, FLUENCY

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import GROUP, MergeContext, Merged, MergeRule, merge, rule_of
from agentdebate.errors import MergeFailed, UsageError


def strictest(ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
    """The lowest score. Ties are ties."""
    for column in context.columns(ballots):
        yield column.rating(min(column.scores))


class Shifted(MergeRule):
    """The highest score, and something more."""

    weights = "optional"
    by: float = 0.0

    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
        return [column.rating(max(column.scores) + self.by) for column in context.columns(ballots)]


def broken(_: Sequence[Ballot], __: MergeContext) -> Iterable[Rating]:
    raise ZeroDivisionError("division by zero")


def numbers(ballots: Sequence[Ballot], _: MergeContext) -> Iterable[float]:
    return [3.0 for _ in ballots]


def number(_: Sequence[Ballot], __: MergeContext) -> float:
    return 3.0


def nothing(_: Sequence[Ballot], __: MergeContext) -> Iterable[Rating]:
    return []


def twice(ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
    return [*strictest(ballots, context), *strictest(ballots, context)]


def other(_: Sequence[Ballot], __: MergeContext) -> Iterable[Rating]:
    return [Rating(aspect="tone", score=1), Rating(aspect="coherence", score=1)]


def infinite(ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
    return [column.rating(math.nan) for column in context.columns(ballots)]


@pytest.fixture(autouse=True)
def _with_foreign_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    made = (strictest, broken, numbers, number, nothing, twice, other, infinite)
    named = {"shifted": "Shifted", **{one.__name__: one.__name__ for one in made}}
    points = {name: EntryPoint(name, f"{__name__}:{place}", GROUP) for name, place in named.items()}
    real = plugins.registered
    monkeypatch.setattr(
        plugins, "registered", lambda group: {**real(group), **(points if group == GROUP else {})}
    )


def ballot(fluency: float, coherence: float) -> Ballot:
    return Ballot(
        ratings=(Rating(aspect="fluency", score=fluency), Rating(aspect="coherence", score=coherence))
    )


BALLOTS = [ballot(4, 2), None, ballot(3, 5)]
ABOUT = MergeContext(aspects=(FLUENCY, COHERENCE), agents=("ann", "ben", "cat"), rounds=2)


def scores(how: str | dict[str, object], context: MergeContext = ABOUT) -> dict[str, float]:
    result = merge(BALLOTS, how, context=context)
    assert isinstance(result, Merged)
    return {rating.name: rating.score for rating in result.ratings}


def test_the_fields_of_a_rule_are_its_options() -> None:
    assert scores({"rule": "shifted", "by": -1}) == {"fluency": 3, "coherence": 4}
    assert str(rule_of({"rule": "shifted", "by": -1})) == "shifted (by=-1)"
    with pytest.raises(UsageError, match=r"merge 'shifted', option 'by': .*not 'much'"):
        rule_of({"rule": "shifted", "by": "much"})
    with pytest.raises(UsageError, match="merge 'strictest' has no option 'by'"):
        rule_of({"rule": "strictest", "by": 1})


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("broken", "merge 'broken' raised ZeroDivisionError: division by zero"),
        ("numbers", "merge 'numbers' gave 3.0: a merge gives ratings"),
        ("number", "merge 'number' gave 3.0: a merge gives ratings"),
        ("nothing", "merge 'nothing' rated nothing: it has to rate each of these once: fluency, coherence"),
        (
            "twice",
            "merge 'twice' rated fluency, coherence, fluency, coherence: it has to rate each of these once",
        ),
        ("other", "merge 'other' rated tone, coherence: it has to rate each"),
        ("infinite", "merge 'infinite' gave nan for fluency, which is not a finite number"),
        (
            {"rule": "shifted", "by": 3},
            "merge 'shifted' gave 7 for fluency, which lies off its scale: 1 to 5",
        ),
        (
            {"rule": "shifted", "by": -6},
            "merge 'shifted' gave -2 for fluency, which lies off its scale: 1 to 5",
        ),
    ],
)
def test_what_a_merge_gives_is_a_rating_on_the_scale_of_each_thing_or_an_error_that_names_it(
    how: str | dict[str, object], says: str
) -> None:
    with pytest.raises(MergeFailed, match=says):
        merge(BALLOTS, how, context=ABOUT)
