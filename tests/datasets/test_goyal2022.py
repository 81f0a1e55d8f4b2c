"""The human study of Goyal et al. 2022, and all published datasets as they lie beside the project, counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from published_files import as_json, as_jsonl

import agentdebate as ad
from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.published import PUBLISHED, load_dataset
from agentdebate.errors import DataError, UsageError

SUMMARIES = {"a": "Summary a.", "b": "Summary b.", "c": "Summary c."}
FIRST, SECOND = "cnn-1", "cnn-2"
"""Articles whose best summary is shown as the first and as the second."""


def ticks(*pairs: tuple[str, str]) -> list[dict[str, list[str]]]:
    """Annotators by what they ticked as best and as worst, one letter a system."""
    return [{"best": list(best), "worst": list(worst)} for best, worst in pairs]


CLEAR = ticks(("a", "b"), ("a", "b"), ("c", "c"))
NONE = ticks(("a", "b"), ("b", "b"), ("c", "b"))
UNDECIDED = "no best or no worst summary has 2 of 3 votes"


def row(**data: Any) -> dict[str, Any]:
    known = {"article_id": FIRST, "article": "News.", "summaries": SUMMARIES, "annotators": CLEAR}
    return {**known, **data}


def read(*rows: dict[str, Any], **options: Any) -> Taken:
    return load_dataset("goyal2022", as_jsonl("study.jsonl", rows), **{"subset": True, **options})


def pair(**data: Any) -> ad.Item:
    (item,) = read(row(**data)).items
    return item


def left_out(*annotators: tuple[str, str]) -> str:
    taken = read(row(annotators=ticks(*annotators)), row(article_id="clear"))
    ((reason, ids),) = taken.left_out.items()
    assert ids == (FIRST,)
    return reason


def test_a_pair_is_the_best_and_the_worst_summary_of_an_article() -> None:
    assert pair() == ad.Item(
        fields={"source": "News.", "summary_1": "Summary a.", "summary_2": "Summary b."},
        task="summarization-pair",
        id=FIRST,
        group=FIRST,
        system="a/b",
        human={"overall.summary_1": 1.0, "overall.summary_2": 0.0},
    )


@pytest.mark.parametrize(
    ("annotators", "reason"),
    [
        ([("a", "b"), ("b", "b"), ("c", "b")], UNDECIDED),
        ([("a", "b"), ("a", "a"), ("a", "c")], UNDECIDED),
        ([("a", "b"), ("b", "c"), ("c", "a")], UNDECIDED),
        ([("a", "b"), ("a", "a"), ("c", "a")], "the same summary is best and worst"),
    ],
)
def test_an_article_that_gives_no_pair_says_why(annotators: list[tuple[str, str]], reason: str) -> None:
    assert left_out(*annotators) == reason


@pytest.mark.parametrize(
    ("data", "place", "said"),
    [
        ({"article_id": None}, "'article_id'", "a name or a number is wanted here, not null"),
        ({"summaries": []}, "'summaries'", "an object is wanted here, not a list"),
        ({"summaries": {**SUMMARIES, "a": None}}, "'summaries.a'", "a text is wanted here, not null"),
        ({"summaries": {**SUMMARIES, "b": " "}}, "'summary_2'", "there is no text here to judge"),
        ({"summaries": {"a": "x", "c": "z"}}, "'annotators[0].worst'", "'b' is not a system with a summary"),
        ({"annotators": CLEAR[:2]}, "'annotators'", "3 annotators are wanted here, not 2"),
        ({"annotators": [*CLEAR[:2], {"best": ["a"]}]}, "'annotators[2].worst'", "no such field"),
        (
            {"annotators": [{"best": [["a"]], "worst": ["b"]}, *CLEAR[:2]]},
            "'annotators[0].best'",
            "not a system",
        ),
    ],
)
def test_what_is_wrong_with_a_row_is_named_with_file_line_and_place(
    data: dict[str, Any], place: str, said: str
) -> None:
    with pytest.raises(DataError) as raised:
        read(row(article_id="clear"), row(**data))
    assert str(raised.value).startswith(f"study.jsonl, line 2, {place}: ")
    assert said in str(raised.value)


class TestTheWholeFile:
    def test_behind_the_limit_nothing_is_read(self) -> None:
        taken = read(row(article_id="x", annotators=NONE), row(), row(article_id=None), limit=1)
        assert (len(taken.items), taken.rows, list(taken.left_out.values())) == (1, 2, [("x",)])

    def test_an_article_that_is_there_twice_is_an_error_whether_or_not_it_gives_a_pair(self) -> None:
        for first in (row(), row(annotators=NONE)):
            with pytest.raises(DataError, match=r"study\.jsonl, line 2: the id 'cnn-1' is on line 1 too"):
                read(first, row())

    def test_a_task_of_ones_own_takes_the_items_where_it_needs_none_but_their_fields(self) -> None:
        good = ad.Aspect(name="good", scale=ad.Scale(low=1, high=5), criterion="")
        both = ("summary_1", "summary_2")
        mine = ad.Task(name="mine", fields=both, candidates=both, aspects=(good,), brief="")
        assert read(row(), task=mine).items[0].task == "mine"
        other = mine.model_copy(update={"name": "other", "fields": (*both, "headline")})
        with pytest.raises(UsageError, match="goyal2022 have no 'headline', which task 'other' needs"):
            read(row(), task=other)


def study(shared: Path, name: str) -> Taken:
    return load_dataset("goyal2022", shared / "goyal2022" / f"{name}.jsonl")


@pytest.mark.shared
@pytest.mark.parametrize(("name", "pairs", "first"), [("cnn", 81, 43), ("bbc", 84, 46)])
def test_the_published_files_give_the_papers_pairs_about_half_of_them_with_the_best_first(
    shared: Path, name: str, pairs: int, first: int
) -> None:
    """81 is the number in DRPE, section 4.1; all of an annotator's ticks would give 84."""
    taken = study(shared, name)
    assert (len(taken.items), taken.rows) == (pairs, 100)
    assert sum(item.human["overall.summary_1"] == 1.0 for item in taken.items) == first
    assert sum(map(len, taken.left_out.values())) == 100 - pairs


# Whole datasets, and the same from other forms.


pytestmark = pytest.mark.shared

FILES = {
    "summeval": "summeval",
    "topical-chat": "topical_chat",
    "faireval": "faireval",
    "goyal2022": "goyal2022/cnn.jsonl",
    "hanna": "hanna",
}
WHOLE = {"summeval": 1600, "topical-chat": 360, "faireval": 80, "goyal2022": 81, "hanna": 1056}


@pytest.fixture
def whole(shared: Path) -> Callable[..., Taken]:
    def load(name: str, **options: Any) -> Taken:
        return load_dataset(name, shared / FILES[name], **options)

    return load


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", WHOLE)
def test_all_of_it_is_there_and_fits_its_task(name: str, whole: Callable[..., Taken]) -> None:
    taken, task = whole(name), ad.load_task(PUBLISHED[name].task, project=ad.Project())
    assert len(taken.items) == WHOLE[name]
    named = {f"{aspect.name}.{field}" for aspect in task.aspects for field in task.candidates}
    named |= {aspect.name for aspect in task.aspects}
    for item in taken.items:
        task.check(item)
        assert item.human.keys() <= named
        assert None not in item.human.values()


def test_the_authors_form_of_goyal_gives_the_same_pairs(shared: Path, whole: Callable[..., Taken]) -> None:
    published = {
        row["article_id"].removeprefix("cnn-"): {
            "article": row["article"],
            "annotators": [
                {f"{verdict}_summary": one[verdict] for verdict in ("best", "worst")}
                for one in row["annotators"]
            ],
            **{system: {"text": text} for system, text in row["summaries"].items()},
        }
        for row in rows_of(shared / "goyal2022" / "cnn.jsonl")
    }
    taken, own = load_dataset("goyal2022", as_json("cnn_human.json", published)), whole("goyal2022")
    assert (taken.items, taken.left_out, taken.ratings) == (own.items, own.left_out, own.ratings)


def test_the_authors_files_of_faireval_give_the_same_pairs(shared: Path, whole: Callable[..., Taken]) -> None:
    rows = rows_of(shared / "faireval" / "faireval.jsonl")
    questions = [
        {"question_id": row["question_id"], "text": row["question"], "category": row["category"]}
        for row in rows
    ]
    as_jsonl("fair/question.jsonl", questions)
    for name, field in (("gpt35", "answer_chatgpt"), ("vicuna-13b", "answer_vicuna13b")):
        answers = [{"question_id": row["question_id"], "text": row[field]} for row in rows]
        as_jsonl(f"fair/answer/answer_{name}.jsonl", answers)
    review = Path("fair/review/review_gpt35_vicuna-13b_human.txt")
    review.parent.mkdir()
    review.write_text("".join(f"{row['human_label']}\n" for row in rows), encoding="utf-8")
    assert load_dataset("faireval", "fair").items == whole("faireval").items
