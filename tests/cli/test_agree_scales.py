"""agentdebate agree where judges and people score on different scales, as --scale declares them."""

import json
from typing import Any

import pytest
from typed import typed, write

DATA: list[dict[str, Any]] = [
    {"id": n, "h": human, "ten": ten, "five": five}
    for n, (human, ten, five) in enumerate([(1, 2, 1), (2, 5, 3), (3, 6, 3), (4, 9, 4), (5, None, None)])
]
WORDS = ("--data", "data.jsonl", "--human", "q=h", "--statistic", "bias", "--resamples", "0")
TWO = ("--scores", "a=a.jsonl", "--scores", "b=b.jsonl", "--on", "id")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(DATA)
    write([{"id": row["id"], "q": row["ten"]} for row in DATA], "a.jsonl")
    write([{"id": row["id"], "q": row["five"]} for row in DATA], "b.jsonl")


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    done = typed(capsys, "agree", *WORDS, *words, "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    done = typed(capsys, "agree", *WORDS, *words)
    assert (done.code, done.out) == (2, "")
    return done.err


def test_a_scale_may_be_that_of_one_judge_and_people_have_their_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = agreed(capsys, *TWO, "--scale", "a=1-10", "--scale", "b=1-5", "--scale", "people=1-5")["caption"]
    assert (
        "Scales, as declared: a, q on 1 to 10, people's on 1 to 5 (scores from 1 to 4); b, q on 1 to 5, people's on 1 to 5"
        in said
    )
    assert "Judge and people are declared to be on different scales (a, q). Bias, errors, calibration" in said


def test_one_aspect_of_a_judge_goes_before_the_judge_and_that_before_the_aspect(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = agreed(capsys, *TWO, "--scale", "q=1-5,a=1-7,a:q=1-10")["caption"]
    assert "a, q on 1 to 10, people's from 1 to 4; b, q on 1 to 5, people's from 1 to 4." in said


def test_the_judge_is_off_peoples_scale_where_only_that_is_declared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = agreed(capsys, "--score", "q=ten", "--scale", "people=1-5")["caption"]
    assert "The judge's scores lie beyond people's scale (data, q): these are different scales." in said


def test_wrong_is_the_end_that_is_farthest_from_where_people_are_on_their_own_scale(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """People say 5 of 1 to 5 of what is missing; on 1 to 10 that alone would be nearer to 1."""
    wrong = ("--score", "q=ten", "--missing", "wrong", "--scale", "data=1-10")
    (alone,) = agreed(capsys, *wrong)["rows"]
    (known,) = agreed(capsys, *wrong, "--scale", "people=1-5")["rows"]
    gaps = 1 + 3 + 3 + 5
    assert alone["value"] == pytest.approx((gaps + 10 - 5) / 5)
    assert known["value"] == pytest.approx((gaps + 1 - 5) / 5)


def test_people_off_their_own_scale_cannot_be_farthest_from_anything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--score", "q=ten", "--missing", "wrong", "--scale", "data=1-10,people=1-4")
    assert "people's scores to be on people's scale, 1 to 4, and that of 'row 5' is 5" in refused(
        capsys, *words
    )


def test_replies_of_two_judges_are_read_on_their_own_scales(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"id": 0, "out": "Score: 7"}, {"id": 1, "out": "Score: 9"}], "a.jsonl")
    write([{"id": 0, "out": "Score: 4"}, {"id": 1, "out": "Score: 7"}], "b.jsonl")
    two = ("--replies", "a=a.jsonl", "--replies", "b=b.jsonl", "--on", "id", "--reply", "q=out")
    found = agreed(
        capsys, *two, "--where", "id!=2", "--where", "id!=3", "--where", "id!=4", "--scale", "a=1-10,b=1-5"
    )
    assert [one["unread"] for one in found["coverage"]] == [0, 1]
    assert "a: Replies are read as ballots on the scale 1-10;" in found["caption"]
    assert "b: Replies are read as ballots on the scale 1-5;" in found["caption"]


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        ("c=1-5", "there is no aspect 'c', and no judge of that name. Known: a, b, people, q"),
        ("a:z=1-5", "there is no aspect 'a:z', and no judge of that name"),
        ("1-5,2-6", "is not a scale"),
    ],
)
def test_a_scale_of_nothing_is_an_error(capsys: pytest.CaptureFixture[str], scale: str, said: str) -> None:
    assert said in refused(capsys, *TWO, "--scale", scale)


def test_a_name_that_could_be_either_is_an_error_where_it_matters(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"id": row["id"], "q": row["ten"]} for row in DATA], "q.jsonl")
    two = ("--scores", "q.jsonl", "--scores", "b=b.jsonl", "--on", "id")
    assert "'q' is an aspect and a judge: JUDGE:ASPECT=SCALE says which" in refused(
        capsys, *two, "--scale", "q=1-5"
    )
    one = agreed(capsys, "--scores", "q.jsonl", "--on", "id", "--scale", "q=1-10")
    assert "q, q on 1 to 10" in one["caption"]
    write(DATA, "people.jsonl")
    named = ("--scores", "people.jsonl", "--on", "id", "--score", "q=ten", "--scale", "people=1-5")
    assert "'people' is a judge and people's own scale: give the judge" in refused(capsys, *named)
