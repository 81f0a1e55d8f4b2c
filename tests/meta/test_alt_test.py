"""The alternative annotator test: a judge in the place of each annotator in turn."""

import random

import pytest
from alt_test_script import Said, alternative_annotator_test

from agentdebate.errors import UsageError
from agentdebate.meta.alt_test import TOO_FEW, UNMATCHED, alt_test
from agentdebate.meta.judgements import Judged, Judgements, Rated, Ratings

LABELS = ("A", "B", "tie")


def drawn(seed: int, texts: int, people: int, *, choices: bool) -> tuple[Judgements, Ratings]:
    """People and a judge who mostly say what is true; some say nothing of some texts."""
    draw = random.Random(seed)

    def said(truth: int, noise: float) -> str | float | None:
        one = truth if draw.random() > noise else draw.randrange(3)
        return None if draw.random() < 0.1 else LABELS[one] if choices else float(one)

    rows, judged = list[Rated](), list[Judged]()
    for k in range(texts):
        truth = draw.randrange(3)
        rows.append(Rated(str(k), "", "", tuple(said(truth, 0.2 + 0.1 * one) for one in range(people))))
        judged.append(Judged(str(k), "", "", None, said(truth, 0.3)))
    labels = LABELS if choices else None
    return Judgements("judge", "best", judged, labels=labels), Ratings("best", tuple(rows), labels=labels)


@pytest.mark.parametrize("choices", [True, False])
@pytest.mark.parametrize(("seed", "epsilon"), [(1, 0.2), (2, 0.1), (3, 0.0), (4, 0.15)])
def test_it_says_what_an_independent_script_does(seed: int, epsilon: float, choices: bool) -> None:
    entry, people = drawn(seed, 60, 3 + seed, choices=choices)
    found = alt_test(entry, people, epsilon=epsilon)
    judge = {row.id: row.score for row in entry.rows if row.score is not None}
    each: list[Said] = [
        {row.id: one for row in people.rows if (one := row.ratings[place]) is not None}
        for place in range(3 + seed)
    ]
    rate, advantage, p_values = alternative_annotator_test(judge, each, epsilon, 0.05)
    assert (found.winning_rate, found.advantage) == pytest.approx((rate, advantage), abs=1e-6)
    assert [one.p for one in found.annotators] == pytest.approx(p_values, abs=1e-6)
    assert found.passed == (rate >= 0.5)
    assert found.left_out == {UNMATCHED: 60 - len(judge)}


@pytest.mark.parametrize(("texts", "people"), [(29, 3), (60, 2), (0, 0)])
def test_fewer_than_three_annotators_or_thirty_texts_are_refused(texts: int, people: int) -> None:
    entry, ratings = drawn(1, texts, people, choices=True)
    with pytest.raises(UsageError, match="3 annotators or more of 30 texts each"):
        alt_test(entry, ratings)


def test_an_annotator_of_few_texts_is_compared_with_and_not_replaced() -> None:
    rows = [Rated(str(k), "", "", (1.0, 1.0, 2.0, *([1.0] if k < 9 else []))) for k in range(40)]
    entry = Judgements("judge", "x", [Judged(row.id, "", "", None, 1.0) for row in rows])
    found = alt_test(entry, Ratings("x", tuple(rows)))
    assert [(one.annotator, one.p, one.replaced) for one in found.annotators] == [
        (1, 0.0, True),
        (2, 0.0, True),
        (3, 0.0, True),
    ]
    assert (found.winning_rate, found.left_out) == (1.0, {TOO_FEW: 1})


@pytest.mark.parametrize(("epsilon", "q"), [(-0.1, 0.05), (2, 0.05), (0.2, 0), (0.2, 1)])
def test_an_epsilon_or_q_that_means_nothing_is_refused(epsilon: float, q: float) -> None:
    entry, people = drawn(1, 40, 3, choices=True)
    with pytest.raises(UsageError, match=r"epsilon=\.\.\."):
        alt_test(entry, people, epsilon=epsilon, q=q)
