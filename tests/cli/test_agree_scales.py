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
