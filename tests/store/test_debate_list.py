"""The debates of a run by the page: filtered, sorted, counted and added up by the database."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import correlation, fmean
from typing import Any

import pytest
import sqlalchemy as sa

from agentdebate.store.debate_list import EVERY, DebateFilter, DebateList, DebateOrder
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader
from agentdebate.store.schema import DEBATES, SCORES, enter_run

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

HEAD = {"created": 1.0, "strategy": "solo", "task": "summarization", "model": "m", "configuration": "{}"}

Debate = tuple[str, str, float | None, float | None, int | None]
"""The item, the score's name, the verdict's score, people's, and tokens."""

ROW: dict[str, Any] = {
    "id": "i", "group": None, "system": None, "task": "summarization", "aspects": [], "scores": {}, "agreed": None,
    "settled": None, "rounds": None, "models": [], "human": {}, "failure": None, "calls": 1, "prompt_tokens": 1,
    "completion_tokens": 1, "seconds": None,
}  # fmt: skip


def debates_at_random() -> list[Debate]:
    """Debates with many equal scores, some of them missing, several about some items."""
    rng = random.Random(7)
    return [
        (
            f"i{rng.randrange(40):02}",
            rng.choice(("coherence", "fluency")),
            rng.choice((None, 1.0, 2.0, 2.5, 4.0)),
            rng.choice((None, 1.0, 3.0, 4.5)),
            rng.choice((None, 10, 2_000_000)),
        )
        for _ in range(120)
    ]


def name_of(number: int, debate: Debate) -> str:
    return f"{debate[0]}/{debate[1]}-{number:03}"


@contextmanager
def listed(store: str, debates: list[Debate]) -> Iterator[DebateList]:
    """The list of a run that has these debates, in a store with another run of the same ones."""
    database = open_database(store, create=True)
    try:
        for name, first in (("other", 1000), ("r", 0)):
            database.change(partial(_fill, name=name, debates=debates, first=first))
        yield DebateList(Reader(database), "r")
    finally:
        database.close()


def _fill(connection: sa.Connection, *, name: str, debates: list[Debate], first: int) -> None:
    run = enter_run(connection, {**HEAD, "id": name})
    for place, one in enumerate(debates):
        item, aspect, score, human, tokens = one
        number, text = first + place, str(ROW).replace("'", '"').replace("None", "null")
        row = {"run": run, "id": name_of(place, one), "number": number, "item": item, "row": text}
        outcome = "failure" if score is None else "verdict"
        told = {"outcome": outcome, "tokens": tokens, "money": 0.5, "said": 0, "asked": 0}
        connection.execute(DEBATES.insert(), {**row, **told})
        value = {"run": run, "debate": number, "name": aspect, "score": score, "human": human}
        connection.execute(SCORES.insert(), value)


def names(
    debates: DebateList, wanted: DebateFilter, order: DebateOrder, start: int = 0, most: int = 200
) -> list[str]:
    return [row["debate"] for row in debates.part(wanted, order, start=start, most=most)]


def value_of(debate: Debate, by: str) -> float | None:
    _, _, score, human, tokens = debate
    apart = None if score is None or human is None else abs(score - human)
    return {"score": score, "human": human, "apart": apart, "tokens": tokens}[by]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", ["apart", "score", "human", "tokens"])
def test_debates_come_by_a_value_and_those_without_last(
    new_store: Callable[[str], str], by: str, descending: bool
) -> None:
    debates = list(enumerate(debates_at_random()))
    order = DebateOrder(by, None if by == "tokens" else "coherence", descending)
    about = [(number, one) for number, one in debates if by == "tokens" or one[1] == "coherence"]
    sign = -1 if descending else 1
    valued = sorted((sign * v, n) for n, one in about if (v := value_of(one, by)) is not None)
    without = [number for number, one in about if value_of(one, by) is None]
    expected = [name_of(n, debates[n][1]) for n in [*(n for _, n in valued), *without]]
    failed = [name for name in expected if debates[int(name[-3:])][1][2] is None]
    with listed(new_store("runs"), [one for _, one in debates]) as found:
        parts = [names(found, EVERY, order, start=start, most=9) for start in range(0, 126, 9)]
        wanted = DebateFilter(outcome="failure")
        some, counts = (
            names(found, wanted, order),
            (found.count(EVERY, order), found.count(wanted, order)),
        )
    assert [name for part in parts for name in part] == expected
    assert (some, counts) == (failed, (len(expected), len(failed)))


@pytest.mark.parametrize("descending", [False, True])
def test_what_a_filter_leaves_comes_by_id_and_by_the_page(
    new_store: Callable[[str], str], descending: bool
) -> None:
    debates = debates_at_random()
    left = [name_of(n, one) for n, one in enumerate(debates) if one[2] is None and "i1" in one[0]]
    wanted, order = DebateFilter(outcome="failure", find="I1"), DebateOrder(descending=descending)
    with listed(new_store("runs"), debates) as found:
        parts = [names(found, wanted, order, start=start, most=4) for start in range(0, 40, 4)]
        items, count = found.items(wanted, most=100), found.count_items(wanted)
        page = found.items(wanted, start=1, most=2)
    assert [name for part in parts for name in part] == sorted(left, reverse=descending)
    assert items == sorted({name.partition("/")[0] for name in left})
    assert (page, count) == (items[1:3], len(items))


def test_means_and_correlation_are_those_of_the_scores_that_are_there(
    new_store: Callable[[str], str],
) -> None:
    debates = debates_at_random()
    with listed(new_store("runs"), debates) as found:
        means = found.means()
        assert [one.name for one in means] == found.score_names() == ["coherence", "fluency"]
    for one in means:
        of_name = [(score, human) for _, aspect, score, human, _ in debates if aspect == one.name]
        scores = [score for score, _ in of_name if score is not None]
        pairs = [pair for pair in of_name if None not in pair]
        assert (one.scores, one.people) == (len(scores), len(pairs))
        assert (one.mean, one.people_mean) == pytest.approx(
            (fmean(scores), fmean(y for _, y in pairs if y is not None))
        )
        assert one.correlation == pytest.approx(correlation(*zip(*pairs, strict=True)))


@pytest.mark.parametrize(
    "scores",
    [[(3.0, 1.0)] * 5, [(None, 2.0)] * 4, [(1.0, 1.0), (2.0, 2.0)]],
    ids=["no spread", "people alone", "two pairs"],
)
def test_a_correlation_that_is_not_defined_is_none(
    new_store: Callable[[str], str], scores: list[tuple[float | None, float | None]]
) -> None:
    debates: list[Debate] = [(f"i{at}", "coherence", *both, 1) for at, both in enumerate(scores)]
    with listed(new_store("runs"), debates) as found:
        (one,) = found.means()
    assert (one.correlation, one.people) == (None, sum(None not in both for both in scores))
