"""Numbers that are not, or not surely, the judge's score: of a match or another year, put in doubt, shares in per cent, items of a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

EVENTS = (
    ("Manchester won with a final score of 4.", None, 5),
    ("Manchester won with a final score of 4. The summary is good.", None, 5),
    ("The match ended with a final score of 3.", None, 5),
    ("The film got a rating of 4 from critics.", None, 5),
    ("The movie has a rating of 3.", None, 5),
    ("The student received a grade of 2 in the exam.", None, 5),
    ("She passed the test with a score of 5.", None, 5),
    ("The restaurant was rated 4 stars by its guests.", None, 5),
    ("The hotel has 5 stars.", None, 5),
    ("The home side took the lead and the final score was 3.", None, 5),
    ("The team finished with a total score of 5.", None, 5),
    ("He scored 4 in the second half.", None, 5),
    ("Arsenal scored 3.", None, 5),
    ("Smith scored a 4 on the first hole.", None, 5),
    ("The country got a score of 2 in the index.", None, 5),
    ("The bank's credit rating was cut to 3.", None, 5),
    ("The article says the film earned 4 stars.", None, 5),
    ("According to the article, the exam was graded 3.", None, 5),
    ("The hurricane was rated a 4.", None, 5),
    ("The storm was a category 5.", None, 5),
    ("In 2019 it was 85.", None, 100),
    ("In the exam she got 85.", None, 100),
    ("His final mark in maths was 72.", None, 100),
    ("The approval rating fell to 40.", None, 100),
    ("The approval rating is 40.", None, 100),
    ("Last year it scored 85.", None, 100),
    ("At the time the index stood at 60.", None, 100),
    ("The school's rating rose from 2 to 4.", None, 5),
    ("The judges gave the skater a 5.", None, 5),
    ("The critics gave it 4 stars.", None, 5),
    ("Liverpool lost with a final score of 2, and the summary says so. Score: 4", 4, 5),
    ("The film got a rating of 4 from critics, which the summary omits. I rate it 2.", 2, 5),
    ("The player finished with a score of 3, as the summary reports. I give the summary a 5.", 5, 5),
    ("Manchester won with a final score of 4. Coherence: 3", 3, 5),
    ("Real Madrid beat Barcelona with a final score of 3.", None, 5),
    ("The final score of the game was 4.", None, 5),
    ("The final score in the match was 2.", None, 5),
    ("The visitors went home with a score of 1.", None, 5),
    ("The film earned a final rating of 4.", None, 5),
    ("The movie's rating is 4.", None, 5),
    ("The patient got an Apgar score of 4.", None, 5),
    ("The athlete received a score of 4 from the jury.", None, 5),
    ("His exam score is 4.", None, 5),
    ("Her credit score rose to 80.", None, 100),
    ("The unemployment rate fell to 4.", None, 5),
    ("The consumer confidence score fell to 60.", None, 100),
    ("Its safety rating stands at 5.", None, 5),
    ("The air quality score reached 85.", None, 100),
    ("By 2020 it had risen to 85.", None, 100),
    ("Since 2015 it stood at 60.", None, 100),
    ("Ten years ago it was 85.", None, 100),
    ("In March it was 85.", None, 100),
    ("In the 2010 poll it was 40.", None, 100),
    ("The temperature was 35.", None, 100),
    ("He was 85.", None, 100),
    ("She died at 85.", None, 100),
    ("He is 72 years old.", None, 100),
    ("The minister is 62.", None, 100),
    ("The book got 4 stars on Amazon.", None, 5),
    ("The game was given a 4 by reviewers.", None, 5),
    ("Chelsea took 3 points.", None, 5),
    ("The quarterback completed 4 of 5 passes.", None, 5),
    ("The court gave him 3.", None, 5),
    ("The vote was 4 to 1.", None, 5),
    ("The jury awarded her 4 points.", None, 5),
    ("The match report is easy to follow. I give it a 4.", 4, 5),
    ("The summary says who won the match and when, and nothing is out of order. 4/5.", 4, 5),
    ("The game is described in the right order, so the score is 4.", 4, 5),
    ("The film review is well structured; my score is 4.", 4, 5),
    ("The summary of the match gets a score of 3.", 3, 5),
    ("In 2019 the company failed, and the summary says so. I'd rate it 85.", 85, 100),
    (
        "The team's win is mentioned first, then the score, then the quotes. Overall, a final score of 4.",
        4,
        5,
    ),
    ("The summary won me over: a score of 5.", 5, 5),
    ("Teams and players are named correctly. Final score: 5", 5, 5),
    ("The order of the game is kept. Coherence is 4.", 4, 5),
    ("The final score is missing from the summary, so it gets a 3.", 3, 5),
    ("The final score of the match is wrong in the summary. Score: 2", 2, 5),
)
DOUBTS = (
    ("4. Hmm, or maybe 3.", None, 5),
    ("4. Hmm, maybe 3.", None, 5),
    ("4, or maybe 3", None, 5),
    ("Score: 4. Or perhaps 3.", None, 5),
    ("Score: 4... actually, 3?", None, 5),
    ("I'd give it a 4. Or a 3, I'm not sure.", None, 5),
    ("I'd give it a 4. Well, maybe a 3.", None, 5),
    ("I would say 4. Then again, 3 could be right too.", None, 5),
    ("4? Or 3?", None, 5),
    ("4 (maybe 3)", None, 5),
    ("4 (or 3)", None, 5),
    ("4. On second thought, maybe 3.", None, 5),
    ("4\n\nHmm, or maybe 3.", None, 5),
    ("4\nOr 3.", None, 5),
    ("Score: 4 (possibly 3)", None, 5),
    ("Rating: 4. It could also be a 3.", None, 5),
    ("A 4, I think. Or is it a 3?", None, 5),
    ("4. Perhaps 3.", None, 5),
    ("4. Or 3?", None, 5),
    ("4. Hmm. 3.", None, 5),
    ("4. No, 3.", 3, 5),
    ("4. Wait, 3.", 3, 5),
    ("4. Actually, 3.", 3, 5),
    ("4. Hmm, no: 3.", 3, 5),
    ("Score: 4. Hmm, or should it be 3?", None, 5),
    ("It is a 4. Or maybe it is a 3.", None, 5),
    ("I'd say 4, but it might be 3.", None, 5),
    ("It deserves a 4. Maybe even a 5.", None, 5),
    ("4 or so. Maybe 3.", None, 5),
    ("4. Some may say 3.", 4, 5),
    ("4. A 3 would be too harsh.", 4, 5),
    ("I'd say 4, maybe 3.", None, 5),
    ("3, perhaps even 4.", None, 5),
    ("My score is 4. Could be 3.", None, 5),
    ("Score: 4? Maybe 3?", None, 5),
    ("Score: 4\nAlternatively, 3.", None, 5),
    ("Score: 4, alternatively 3", None, 5),
    ("I think 4. Not sure, 3 might also fit.", None, 5),
    ("4. Or, if I'm strict, 3.", None, 5),
    ("Rating: 4. On reflection, perhaps 3.", None, 5),
    ("It's between a 3 and a 4.", None, 5),
    ("4 - or 3, depending on how strict one is.", None, 5),
    ("Score: 4 / 3", None, 5),
    ("4. Perhaps the ending could be clearer.", 4, 5),
    ("4. Maybe 2 sentences could be cut.", 4, 5),
    ("Score: 4. It could be a 5 with a better ending.", 4, 5),
    ("I'd give it a 4, or maybe even higher if the ending were better.", 4, 5),
    ("4. It might be too long for some readers.", 4, 5),
    ("Score: 4, but perhaps 2 of the facts are unclear.", 4, 5),
    ("4. Or rather, 3.", 3, 5),
    ("Not 4 but 3.", 3, 5),
    ("A 3, or perhaps a 4? No: 3.", 3, 5),
    ("4 (good, maybe very good)", 4, 5),
    ("Score: 4 (maybe a bit generous)", 4, 5),
    ("Some would say 3 or maybe 4; I say 4.", 4, 5),
    ("I hesitated between 3 and 4, maybe 3 is too harsh. 4.", 4, 5),
)
SHARES = (
    ("It is 50% shorter. Score: 85", 85, 100),
    ("It is 50% shorter than the article. Score: 85", 85, 100),
    ("The summary is 20% longer. I give it 70.", 70, 100),
    ("About 10% is missing. Score: 85", 85, 100),
    ("The text is 100% accurate. Score: 90", 90, 100),
    ("I am 90% sure. Score: 75", 75, 100),
    ("Unemployment rose by 4%. Score: 85", 85, 100),
    ("It covers 80% of the facts. 75/100", 75, 100),
    ("85%, mainly because it is complete.", 85, 100),
    ("I'd give it 85% overall.", 85, 100),
    ("Score: 85% (good)", 85, 100),
    ("It gets 85% from me.", 85, 100),
    ("Rating: 85%. It is 20% too long.", 85, 100),
    ("90% of it is right. Score: 80", 80, 100),
    ("It is 100% correct. 95", 95, 100),
    ("The summary is 85% accurate.", None, 100),
    ("85% accurate", None, 100),
    ("Score: 85% accurate", None, 100),
)
LISTS = (
    ("1. The summary is good.\n2. It flows.\n3.", None, 5),
    ("1. 4\n2. 3\n3.", None, 5),
    ("1. 4/5\n2. 3/5\n3.", None, 5),
    ("First, it is good.\n\n3.", 3, 5),
    ("1) good\n2) flows\n3)", None, 5),
    ("- good\n- clear\n4.", 4, 5),
    ("The 2. part is weak.\n3.", 3, 5),
    ("1. good\n2. clear\n4.", 4, 5),
)
REMARKS = (
    ("4 (good)", 4, 5),
    ("4 (good, maybe very good)", 4, 5),
    ("The summary of the match gets a score of 3.", 3, 5),
    ("The summary of the trial gets a score of 3.", 3, 5),
    ("The summary of the film deserves a 4.", 4, 5),
)


def _score(said: str, high: int) -> float | None:
    aspect = Aspect(
        name="coherence", scale=Scale(low=high == 5, high=high, step=0.5), criterion="How well it reads."
    )
    found = read_ballot(said, [aspect])
    return None if isinstance(found, Problem) else found.scores["coherence"]


@pytest.mark.parametrize(("said", "score", "high"), EVENTS)
def test_a_score_of_what_a_text_tells_of_is_not_the_judges(said: str, score: float | None, high: int) -> None:
    assert _score(said, high) == score


@pytest.mark.parametrize(("said", "score", "high"), DOUBTS)
def test_a_score_beside_another_one_in_doubt_is_refused(said: str, score: float | None, high: int) -> None:
    assert _score(said, high) == score


@pytest.mark.parametrize(("said", "score", "high"), SHARES)
def test_per_cent_of_something_are_not_a_score(said: str, score: float | None, high: int) -> None:
    assert _score(said, high) == score


@pytest.mark.parametrize(("said", "score", "high"), LISTS)
def test_the_number_of_an_item_is_not_a_score(said: str, score: float | None, high: int) -> None:
    assert _score(said, high) == score


@pytest.mark.parametrize(("said", "score", "high"), REMARKS)
def test_a_remark_behind_a_score_and_what_a_text_is_of_leave_the_score(
    said: str, score: float, high: int
) -> None:
    assert _score(said, high) == score


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6))
def test_a_numbered_list_of_several_scores_is_refused(scores: list[int]) -> None:
    said = "\n".join(f"{k}. {score}" for k, score in enumerate(scores, 1))
    assert _score(said, 5) is None
    assert _score(f"{said}\n{len(scores) + 1}.", 5) is None


@given(
    st.integers(1, 5),
    st.integers(1, 5),
    st.sampled_from(["Or maybe", "Hmm, or perhaps", "Maybe", "Well, possibly"]),
)
def test_of_two_numbers_of_which_neither_is_sure_none_is_read(first: int, second: int, doubt: str) -> None:
    assert _score(f"{first}. {doubt} {second}.", 5) in ({first, None} if first == second else {None})
