"""From files to judgements side by side: fields, people together, both orders, layouts, replies, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.datasets.row import Row
from agentdebate.errors import UserError
from agentdebate.meta.expression import Term, parse_choice
from agentdebate.meta.fields import value_in
from agentdebate.meta.request import Gathered

TEXTS: list[dict[str, Any]] = [
    {"id": 1, "h": [1, 1, 4], "m": [2, 4], "grade": "A"},
    {"id": 2, "h": [2, 2, 5], "m": 3, "grade": "B"},
    {"id": 3, "h": [5, 4, None], "m": None, "grade": "A"},
]
PAIRS: list[dict[str, Any]] = [
    {"id": 1, "people": "A", "first": "A", "second": "B", "back": "A", "votes": ["A", "A", "B"]},
    {"id": 2, "people": "B", "first": "B", "second": "B", "back": "A", "votes": ["B", "tie"]},
    {"id": 3, "people": "tie", "first": "tie", "second": "TIE", "back": "Tie", "votes": ["tie"]},
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written("texts.jsonl", TEXTS)
    written("pairs.jsonl", PAIRS)


def written(name: str, rows: list[dict[str, Any]]) -> str:
    """Write rows of JSON, and give the name of the file."""
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def gathered(data: str = "texts.jsonl", **options: Any) -> Gathered:
    """One judge's judgements and people's."""
    (found,) = ad.agree(data=data, on="id", resamples=0, **options).gathered
    return found


def scores(**options: Any) -> list[tuple[object, object]]:
    """People's scores and the judge's."""
    (found,) = gathered(**options).entries
    return [(row.human, row.score) for row in found.rows]


def picks(choice: str, data: str = "pairs.jsonl", **options: Any) -> list[tuple[object, object]]:
    """People's choices and the judge's."""
    (found,) = gathered(data, choice=choice, **options).entries
    return [(row.human, row.score) for row in found.rows]


class TestScores:
    @pytest.mark.parametrize(
        ("human", "expected"),
        [
            ("h", [2, 3, 4.5]),
            ("mean(h)", [2, 3, 4.5]),
            ("majority(h)", [1, 2, None]),
            ("h.0", [1, 2, 5]),
        ],
    )
    def test_people_come_to_one_score(self, human: str, expected: list[float | None]) -> None:
        found = scores(human=f"q={human}", score="q=m")
        assert found == list(zip(expected, [3, 3, None], strict=True))

    def test_each_person_is_a_row_of_the_same_text(self) -> None:
        (found,) = gathered(human="q=each(h)", score="q=m").entries
        assert [(row.human, row.text) for row in found.rows] == [
            (1, 1), (1, 1), (4, 1), (2, 2), (2, 2), (5, 2), (5, 3), (4, 3),
        ]  # fmt: skip

    def test_samples_are_counted(self) -> None:
        (found,) = gathered(human="q=h", score="q=m").entries
        assert [(row.replies, row.unread) for row in found.rows] == [(2, 0), (0, 0), (0, 0)]

    def test_words_stand_for_scores(self) -> None:
        assert [score for _, score in scores(human="q=h", score="q=grade", grades="A=5,B=4")] == [5, 4, 5]

    def test_the_judge_of_another_file_is_matched_by_the_names_of_both(self) -> None:
        written("judge.jsonl", [{"text": "2", "m": 5}, {"text": 1.0, "m": 4}, {"text": 9, "m": 1}])
        (found,) = ad.agree(
            data="texts.jsonl", scores="judge.jsonl", on="id=text", human="q=h", score="q=m", resamples=0
        ).gathered
        (judged,) = found.entries
        assert [(row.human, row.score) for row in judged.rows] == [(2, 4), (3, 5), (4.5, None)]
        assert judged.left_out == {
            "scored texts that the data does not have": 1,
            "single judgements of people that are missing": 1,
        }

    def test_judges_of_one_file_stand_apart_and_conditions_hold_before(self) -> None:
        rows = [{"id": n, "model": model, "m": n} for model in ("x", "y", "z") for n in (1, 2)]
        written("judges.jsonl", rows)
        found = ad.agree(
            data="texts.jsonl", scores="judges.jsonl", on="id", human="q=h", score="q=m", by="model",
            where="model={x,y}", resamples=0,
        ).gathered  # fmt: skip
        assert [one.judge.name for one in found] == ["x", "y"]


class TestChoices:
    @pytest.mark.parametrize(
        ("choice", "expected"),
        [
            ("people=first", ["A", "B", "tie"]),
            ("people=flip(second)", ["A", "A", "tie"]),
            ("people=first+flip(second)", ["A", "tie", "tie"]),
            ("people=majority(votes)", ["A", "tie", "tie"]),
        ],
    )
    def test_a_judges_choices_come_to_one(self, choice: str, expected: list[str]) -> None:
        assert [said for _, said in picks(choice)] == expected

    def test_people_vote(self) -> None:
        assert [human for human, _ in picks("majority(votes)=first")] == ["A", "tie", "tie"]
        assert len(picks("each(votes)=first")) == 6

    def test_the_best_of_several_scores_is_the_choice(self) -> None:
        written("scores.jsonl", [{"id": n, "p": 1, "a": a, "b": 2} for n, a in enumerate((3, 2, 1))])
        found = picks("p=a,b", "scores.jsonl", labels="1=1,2=2,tie=tie")
        assert [said for _, said in found] == ["1", "tie", "2"]

    def test_an_answer_that_people_never_give_is_an_error_or_wrong(self) -> None:
        written("open.jsonl", [{"id": 1, "p": "A", "m": "A"}, {"id": 2, "p": "B", "m": "C"}])
        with pytest.raises(UserError, match=r"line 2, 'm': 'C' is not among the labels of the judge"):
            picks("p=m", "open.jsonl")
        assert picks("p=m", "open.jsonl", labels="open") == [("A", "A"), ("B", "another answer")]
        table = ad.agree(data="open.jsonl", choice="p=m", labels="open")
        assert table.to_dict()["coverage"][0]["other_answers"] == 1
        assert "1 of 2 texts have an answer that people never give, which is wrong." in table.caption

    def test_both_orders_may_be_rows_of_their_own(self) -> None:
        rows = [{"id": n, "o": o, "p": "A", "m": m} for n in (1, 2) for o, m in (("x", "A"), ("y", "B"))]
        written("long.jsonl", rows)
        found = picks("p=x.m+flip(y.m)", "long.jsonl", orders="o=x,y", labels="A=A,B=B,tie=tie")
        assert found == [("A", "A"), ("A", "A")]


class TestReplies:
    def test_scores_are_read_by_the_form_and_by_a_pattern(self) -> None:
        rows: list[dict[str, Any]] = [
            {"id": 1, "h": 3, "r": ["q: 3", "no idea"]},
            {"id": 2, "h": 4, "r": "q: 4"},
            {"id": 3, "h": 1, "r": None},
        ]
        written("replies.jsonl", rows)
        for read in ("auto", r"pattern=q: (\d)"):
            found = gathered("replies.jsonl", human="q=h", reply="r", scale="1-5", aspects="q", read=read)
            (judged,) = found.entries
            assert [(row.score, row.replies, row.unread) for row in judged.rows] == [
                (3, 2, 1),
                (4, 1, 0),
                (None, 0, 0),
            ]
            assert (found.judge.accounts[0].replies, found.judge.accounts[0].unread) == (3, 1)

    @pytest.mark.parametrize(("pattern", "said"), [("", "A"), (r"pattern=\[\[([AB])\]\]", "A")])
    def test_choices_are_read_in_peoples_words(self, pattern: str, said: str) -> None:
        written("replies.jsonl", [{"id": 1, "p": "A", "r": "[[A]]"}, {"id": 2, "p": "B", "r": "[[B]]"}])
        found = picks("p=r", "replies.jsonl", read=pattern or "auto")
        assert found == [("A", said), ("B", "B")]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"human": "q=h"}, "which judge"),
        ({"human": "q=h", "score": "q=n"}, "has no field 'n'"),
        ({"human": "q=h", "score": "q=grade"}, r"line 1, 'grade': a number is wanted here, not the text 'A'"),
        ({"human": "q=median(h)", "score": "q=m"}, r"takes ASPECT=FIELD.*before .median\(h\)"),
        ({"human": "q=h", "score": "q=m", "where": "id=9"}, "no row of 3 is left"),
        ({"human": "q=h", "score": "q=m", "orders": "o"}, "takes FIELD=FIRST,SECOND"),
        ({"scores": "texts.jsonl"}, "which scores?.*fields are id"),
    ],
)
def test_what_cannot_be_asked_says_what_to_do(options: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        gathered(**options)


@pytest.mark.parametrize(
    "text", ["a", "=", "a=b+c+d", "a=flip(flip(b))", "a=each(b)", "a=majority(b", "a=b,flip(c)", "a=b)"]
)
def test_an_expression_that_means_nothing_says_where(text: str) -> None:
    with pytest.raises(UserError, match=r"choice=\.\.\."):
        parse_choice(text)


def test_an_expression_is_read_as_it_is_written() -> None:
    found = parse_choice('majority(a, "b (1)") = c + flip(majority(d,e))')
    assert found.human == Term(("a", "b (1)"), "majority")
    assert found.terms == (Term(("c",)), Term(("d", "e"), "majority", "flip"))
    assert parse_choice("a=b+c,d").sums == (("b", "c"), ("d",))


def test_a_path_leads_into_lists_and_objects() -> None:
    row = Row("f", 1, {"a.b": 1, "a": {"b": 2, "c": [{"d": 3}, {"d": 4}, {}]}})
    paths = ("a.b", "a.c.1.d", "a.c.*.d", "a.x")
    assert [value_in(row, path) for path in paths] == [1, 4, [3, 4, None], None]
