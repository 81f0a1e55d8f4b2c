"""What the debates of a run cost together, as pages divide and round it, and in which order a filter leaves them."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import correlation, fmean

import pytest
import sqlalchemy as sa

from agentdebate.store._debates import DEBATES, SCORES, SORTED
from agentdebate.store._runs import enter_run
from agentdebate.store.debate_list import EVERY, DebateFilter, DebateList, DebateOrder
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader

HEAD = {"id": "r", "created": 1.0, "strategy": "solo", "task": "summarization", "model": "m"}


def test_sums_are_plain_numbers_however_large(new_store: Callable[[str], str]) -> None:
    """A server adds up large whole numbers into a decimal, by which no float can be divided."""
    database = open_database(new_store("runs"), create=True)
    try:
        number = database.change(partial(enter_run, row={**HEAD, "configuration": "{}"}))

        def fill(connection: sa.Connection) -> None:
            for place in range(3):
                row = {
                    "run": number,
                    "id": f"d{place}",
                    "item": "i",
                    "outcome": "verdict",
                    "said": 0,
                    "asked": 0,
                }
                cost = {"calls": 2, "tokens": 2_000_000, "money": 0.5, "seconds": 1.5, "row": "{}"}
                connection.execute(DEBATES.insert(), {**row, **cost})

        database.change(fill)
        sums = DebateList(Reader(database), "r").sums()
    finally:
        database.close()
    assert (sums["calls"], sums["tokens"], sums["priced"]) == (6, 6_000_000, 3)
    assert f"{(sums['tokens'] or 0) / 1e6:.1f}" == "6.0"
    assert (sums["money"], sums["seconds"]) == pytest.approx((1.5, 4.5))


@pytest.mark.parametrize("descending", [False, True])
def test_what_a_filter_leaves_comes_by_id_and_by_the_page(
    new_store: Callable[[str], str], descending: bool
) -> None:
    database = open_database(new_store("runs"), create=True)
    names = ["b/x", "a/x", "é/x", "Z/x", "a-b/x"]
    try:
        number = database.change(partial(enter_run, row={**HEAD, "configuration": "{}"}))

        def fill(connection: sa.Connection) -> None:
            for name in [*names, "c/x"]:
                outcome = "verdict" if name == "c/x" else "failure"
                row = {
                    "run": number,
                    "id": name,
                    "item": name[:-2],
                    "outcome": outcome,
                    "said": 0,
                    "asked": 0,
                }
                told = f'{{"id": "{name[:-2]}", "debate": "{name}"}}'
                connection.execute(DEBATES.insert(), {**row, "row": told})

        database.change(fill)
        debates, order = DebateList(Reader(database), "r"), DebateOrder(descending=descending)
        failed = DebateFilter(outcome="failure")
        found = [debates._ids(failed, order, start, 2) for start in (0, 2, 4, 6)]
        whole = debates._ids(failed, order, 0, 50)
        bytewise = database.dialect == "sqlite"
    finally:
        database.close()
    assert [len(part) for part in found] == [2, 2, 1, 0]
    assert [name for part in found for name in part] == whole
    assert sorted(whole) == sorted(names)
    assert not bytewise or whole == sorted(names, reverse=descending)


Debate = tuple[str, str, float | None, float | None, int | None]
"""The item, the score's name, the verdict's score, people's, and tokens."""


def debates_at_random() -> list[Debate]:
    """Debates with many equal scores, some of them missing, several about some items."""
    rng = random.Random(7)
    return [
        (
            f"i{rng.randrange(40):02}",
            rng.choice(("coherence", "fluency")),
            rng.choice((None, 1.0, 2.0, 2.5, 4.0)),
            rng.choice((None, 1.0, 3.0, 4.5)),
            rng.choice((None, 10, 20, 30)),
        )
        for _ in range(120)
    ]


@contextmanager
def listed(store: str, debates: list[Debate]) -> Iterator[DebateList]:
    """The list of a run that has these debates, in a store with another run of the same ones."""
    database = open_database(store, create=True)
    try:
        for name in ("other", "r"):
            database.change(partial(_fill, name=name, debates=debates, first=1 if name == "r" else 1000))
        yield DebateList(Reader(database), "r")
    finally:
        database.close()


def _fill(connection: sa.Connection, *, name: str, debates: list[Debate], first: int) -> None:
    number = enter_run(connection, {**HEAD, "id": name, "configuration": "{}"})
    for talk, (item, aspect, score, human, tokens) in enumerate(debates, first):
        debate = f"{item}/{aspect}-{talk - first:03}"
        row = {"run": number, "id": debate, "number": talk, "item": item, "outcome": "verdict", "row": "{}"}
        connection.execute(DEBATES.insert(), {**row, "tokens": tokens, "said": 0, "asked": 0})
        value = {"run": number, "debate": talk, "name": aspect, "score": score, "human": human}
        connection.execute(SCORES.insert(), value)


def value_of(debate: Debate, order: DebateOrder) -> float | None:
    """What a debate is sorted by."""
    _, aspect, score, human, tokens = debate
    if order.by == "tokens":
        return tokens
    if aspect != order.name:
        return None
    apart = None if score is None or human is None else abs(score - human)
    return {"score": score, "human": human, "apart": apart}[order.by]


ORDERS = [
    DebateOrder(by, "coherence" if by != "tokens" else None, descending)
    for by in ("apart", "score", "human", "tokens")
    for descending in (False, True)
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda one: f"{one.by} {'down' if one.descending else 'up'}")
def test_items_come_by_the_best_of_their_debates_and_then_by_id(
    new_store: Callable[[str], str], order: DebateOrder
) -> None:
    debates = debates_at_random()
    best = dict[str, float]()
    for one in debates:
        value = value_of(one, order)
        if value is not None:
            of_item = best.get(one[0], value)
            best[one[0]] = max(of_item, value) if order.descending else min(of_item, value)
    sign = -1 if order.descending else 1
    without = sorted({one[0] for one in debates} - best.keys())
    expected = [*sorted(best, key=lambda item: (sign * best[item], item)), *without]
    with listed(new_store("runs"), debates) as found:
        parts = [found.items(EVERY, order, start=start, most=7) for start in range(0, 49, 7)]
    assert [item for part in parts for item in part] == expected


@pytest.mark.parametrize(
    "order", ORDERS[:6], ids=lambda one: f"{one.by} {'down' if one.descending else 'up'}"
)
def test_debates_come_by_a_score_and_those_without_last(
    new_store: Callable[[str], str], order: DebateOrder
) -> None:
    debates = debates_at_random()
    sign = -1 if order.descending else 1
    names = [f"{one[0]}/{one[1]}-{number:03}" for number, one in enumerate(debates)]
    values = {name: value_of(one, order) for name, one in zip(names, debates, strict=True)}
    scored = sorted((sign * value, names.index(name)) for name, value in values.items() if value is not None)
    expected = [names[place] for _, place in scored]
    expected += sorted(name for name, value in values.items() if value is None)
    with listed(new_store("runs"), debates) as found:
        parts = [found._ids(EVERY, order, start, 9) for start in range(0, 126, 9)]
    assert [name for part in parts for name in part] == expected


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", SORTED)
def test_items_can_be_sorted_by_each_column(
    new_store: Callable[[str], str], by: str, descending: bool
) -> None:
    with listed(new_store("runs"), debates_at_random()) as found:
        found._database.change(lambda connection: connection.execute(DEBATES.update().values(settled=True)))
        items = found.items(EVERY, DebateOrder(by, None, descending), most=50)
    assert sorted(items) == sorted({item for item, *_ in debates_at_random()})


def test_means_and_correlation_are_those_of_the_scores_that_are_there(
    new_store: Callable[[str], str],
) -> None:
    debates = debates_at_random()
    with listed(new_store("runs"), debates) as found:
        means = found.means()
    assert [one.name for one in means] == ["coherence", "fluency"]
    for one in means:
        of_name = [(score, human) for _, aspect, score, human, _ in debates if aspect == one.name]
        scores = [score for score, _ in of_name if score is not None]
        people = [human for _, human in of_name if human is not None]
        pairs = [pair for pair in of_name if None not in pair]
        assert (one.scores, one.people, one.both) == (len(scores), len(people), len(pairs))
        assert (one.mean, one.people_mean) == pytest.approx((fmean(scores), fmean(people)))
        assert one.correlation == pytest.approx(correlation(*zip(*pairs, strict=True)))


@pytest.mark.parametrize(
    "scores",
    [[], [(3.0, 1.0)] * 5, [(None, 2.0)] * 4, [(2.0, None)] * 4, [(1.0, 1.0), (2.0, 2.0)]],
    ids=["no debate", "no spread", "people alone", "the judge alone", "two pairs"],
)
def test_a_correlation_that_is_not_defined_is_none(
    new_store: Callable[[str], str], scores: list[tuple[float | None, float | None]]
) -> None:
    debates: list[Debate] = [
        (f"i{at}", "coherence", score, human, 1) for at, (score, human) in enumerate(scores)
    ]
    with listed(new_store("runs"), debates) as found:
        means = found.means()
    assert [one.correlation for one in means] == [None] * bool(scores)
    assert [one.people for one in means] == [sum(human is not None for _, human in scores)] * bool(scores)


@pytest.mark.parametrize("descending", [False, True])
def test_items_that_a_filter_leaves_come_with_their_count(
    new_store: Callable[[str], str], descending: bool
) -> None:
    debates = debates_at_random()
    left = {item for item, aspect, score, _, _ in debates if aspect == "fluency" and (score or 9) <= 2}
    wanted = DebateFilter(aspect="fluency", score=(None, 2.0))
    with listed(new_store("runs"), debates) as found:
        order = DebateOrder(descending=descending)
        parts = [found.items(wanted, order, start=start, most=4) for start in (0, 4, 400)]
        count = found.count_items(wanted)
    items = sorted(left, reverse=descending)
    assert (parts, count) == ([items[:4], items[4:8], []], len(left))


def test_debates_of_some_numbers_are_found_however_many_they_are(new_store: Callable[[str], str]) -> None:
    debates = debates_at_random()
    with listed(new_store("runs"), debates) as found:
        numbers = [_counted(found, talks) for talks in ((), (5,), (3, 4, 9), tuple(range(1, 2000)))]
    assert numbers == [0, 1, 3, len(debates)]


def _counted(debates: DebateList, numbers: tuple[int, ...]) -> int:
    return debates.count(DebateFilter(numbers=numbers))
