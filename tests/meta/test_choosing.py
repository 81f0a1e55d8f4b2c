"""Choices of people and of judges, as labels."""

from typing import Any

import pytest
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.choosing import Choosing, choices
from agentdebate.meta.joining import Naming, beside
from agentdebate.meta.judgements import Choices, Chosen, Judged, Judgements, as_labels

LABELS = {"CHATGPT": "1", "VICUNA": "2", "TIE": "tie"}
NAMING = Naming(("id",))


def chosen(choice: str, *records: dict[str, object], labels: dict[str, str] | None = None) -> Choices:
    """What people and the judge choose in these records."""
    rows = rows_of(*({"id": number, **record} for number, record in enumerate(records, 1)))
    return choices("mine", beside(rows), Choosing.parse(choice, labels or {}), NAMING)


def test_a_judges_labels_are_said_in_peoples_words() -> None:
    found = chosen(
        "human=pick", {"human": "TIE", "pick": 1}, {"human": "CHATGPT", "pick": "tie"}, labels=LABELS
    )
    assert found.labels == ("CHATGPT", "TIE", "VICUNA")
    assert found.rows == (Chosen("1", "", "TIE", "CHATGPT"), Chosen("2", "", "CHATGPT", "TIE"))


def test_no_choice_is_none_and_never_a_tie() -> None:
    found = chosen("human=pick", {"human": "TIE", "pick": None}, {"human": "", "pick": "2"}, labels=LABELS)
    assert [(row.human, row.choice) for row in found.rows] == [("TIE", None), (None, "VICUNA")]


@pytest.mark.parametrize(
    ("scores", "choice"), [((8, 7), "CHATGPT"), ((6, 7), "VICUNA"), ((7, 7.0), "TIE"), ((7, None), None)]
)
def test_of_scores_the_best_is_the_choice_and_equal_ones_are_a_tie(
    scores: tuple[float, float | None], choice: str | None
) -> None:
    record = {"human": "TIE", "first": scores[0], "second": scores[1]}
    assert chosen("human=first,second", record, labels=LABELS).rows[0].choice == choice
    by_field = {"CHATGPT": "first", "VICUNA": "second", "TIE": "tie"}
    assert chosen("human=first,second", record, labels=by_field).rows[0].choice == choice


@pytest.mark.parametrize(
    ("scores", "choice"),
    [
        ((8, 7, 6, 9), "CHATGPT"),
        ((7, 7, 9, 6), "VICUNA"),
        ((8, 7, 8, 7), "TIE"),
        ((8.1, 8.2, 7.2, 7.3), "TIE"),
        ((8, 7, None, 9), None),
    ],
)
def test_scores_of_both_orders_are_added_and_equal_sums_are_a_tie(
    scores: tuple[float | None, ...], choice: str | None
) -> None:
    """What is shown first when swapped is the second text: `c` is a score of it, and `d` one of the first."""
    record: dict[str, object] = {"human": "TIE", **dict(zip("abcd", scores, strict=True))}
    assert chosen("human=a+d,b+c", record, labels=LABELS).rows[0].choice == choice


def test_a_field_may_have_a_plus_in_its_name() -> None:
    record = {"human": "TIE", "a+b": 3, "c": 2}
    assert chosen("human=a+b,c", record, labels=LABELS).rows[0].choice == "CHATGPT"


def test_a_sum_of_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"the name of a field is missing, at ',b' \(character 9\)"):
        chosen("human=a+,b", {"human": "TIE", "a": 3, "b": 2}, labels=LABELS)


def test_without_labels_both_sides_say_the_same() -> None:
    found = chosen("human=pick", {"human": "A", "pick": "B"}, {"human": "B", "pick": "tie"})
    assert found.labels == ("A", "tie", "B")


@pytest.mark.parametrize("pick", ["Text B is better.", ["Text B is better.", "No idea."], 2])
def test_a_judges_label_that_people_never_use_is_an_error_though_others_are_shared(pick: Any) -> None:
    rows: list[dict[str, Any]] = [{"human": "A", "pick": "A"}, {"human": "tie", "pick": pick}]
    with pytest.raises(
        DataError, match=r"line 2, 'pick': mine says .*which people never say in 'human' \(A, tie\)"
    ):
        chosen("human=pick", *rows)


def test_the_other_of_two_usual_names_and_a_field_of_scores_need_no_labels() -> None:
    assert chosen("human=pick", {"human": 1, "pick": 2}, {"human": 1, "pick": 1}).labels == ("1", "2")
    assert chosen("human=a,b", {"human": "a", "a": 1, "b": 2}, {"human": "a", "a": 2, "b": 1}).labels == (
        "a",
        "b",
    )
    assert chosen(
        "majority(people)=pick", {"people": ["A", "A", "B"], "pick": "B"}, {"people": ["A"], "pick": "A"}
    ).rows


def test_labels_that_have_nothing_in_common_are_an_error() -> None:
    with pytest.raises(
        UsageError,
        match=r"people say A in 'human', and mine says 1: labels=\.\.\. says which is which, A=\.\.\.",
    ):
        chosen("human=pick", {"human": "A", "pick": 1})


def test_a_label_that_is_not_listed_is_an_error_at_its_line() -> None:
    with pytest.raises(
        DataError, match=r"line 1, 'human': labels=... does not list 'TIES'. Did you mean 'TIE'\?"
    ):
        chosen("human=pick", {"human": "TIES", "pick": 1}, labels=LABELS)
    with pytest.raises(DataError, match=r"line 1, 'pick': labels=... does not list '3'"):
        chosen("human=pick", {"human": "TIE", "pick": 3}, labels=LABELS)


@pytest.mark.parametrize("text", ["human", "human=", "=", "human=,"])
def test_what_is_no_choice_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match=r"^choice=... '"):
        Choosing.parse(text, {})


def test_whole_scores_are_labels_with_all_between() -> None:
    rows = (Judged("a", "s", "m", 1.0, 4.0), Judged("b", "s", "m", 2.0, None))
    found = as_labels(Judgements("mine", "coherence", rows))
    assert found.labels == ("1", "2", "3", "4")
    assert [(row.human, row.choice) for row in found.rows] == [("1", "4"), ("2", None)]


def test_fractions_are_no_labels() -> None:
    rows = (Judged("a", "s", "m", 1.0, 3.5),)
    with pytest.raises(UsageError, match=r"they have to be whole numbers; of coherence of mine, 3\.5 is"):
        as_labels(Judgements("mine", "coherence", rows))
