"""Ballots of every kind by declared forms and by schema, merges, confidences, expectations, and choices in other scripts."""

import json
from collections.abc import Callable
from math import exp, log
from typing import Any

import doors
import pytest
import scripted_judge
from doors import Question, Reply

SOURCE = "The bridge at Kelby is shut for eleven weeks. Two bearings are corroded."
SUMMARY = doors.item("summarization", {"source": SOURCE, "summary": "Kelby's bridge are shut for weeks."})
PAIR = doors.item(
    "comparison", {"question": "Why is it shut?", "answer_1": "Two bearings.", "answer_2": "I do not know."}
)


def says(*texts: str) -> Callable[[Question], str]:
    """A model that says one text after the other, and the last for ever."""
    left = list(texts)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def cast(subject: Any, text: str, strategy: Any = "solo", **options: Any) -> doors.Held:
    """Hold a debate with one model that always says the same free text."""
    return doors.hold(subject, strategy, says(text), structured=False, **options)


@pytest.mark.parametrize(
    "text",
    [
        "It leaves out the bearings.\n\nRelevance: 2",
        "It leaves out the bearings.\n\n**Relevance:** 2",
        "Relevance: 2/5",
        '{"reason": "It leaves out the bearings.", "relevance": 2}',
        'Here it is:\n```json\n{"reason": "It leaves out the bearings.", "relevance": 2}\n```',
        "The summary asks for it:\n> Relevance: 5\n\nRelevance: 2",
    ],
)
def test_a_score_in_a_declared_form_is_read(text: str) -> None:
    assert cast(SUMMARY, text, aspects="relevance").summary["scores"] == {"relevance": 2.0}


TWO = {
    "lines": "It holds together.\n\nCoherence: 4\nRelevance: 2",
    "one line": "It holds together.\n\nCoherence: 4; Relevance: 2",
    "bullets": "- Coherence: 4\n- Relevance: 2",
    "bold": "**Coherence:** 4\n**Relevance:** 2",
    "out of": "Coherence: 4/5\nRelevance: 2 out of 5",
    "JSON": '{"reason": "It holds together.", "coherence": 4, "relevance": 2}',
    "the other order": "Relevance: 2\nCoherence: 4",
}


@pytest.mark.parametrize("form", TWO)
def test_scores_of_two_aspects_are_read_from_one_reply(form: str) -> None:
    held = cast(SUMMARY, TWO[form], aspects=["coherence", "relevance"])
    assert held.summary.get("scores") == {"coherence": 4, "relevance": 2}, held.error


@pytest.mark.parametrize("text", ["Coherence: 4", "Coherence: 4\nRelevance: 2\nCoherence: 1", "4, 2"])
def test_a_reply_that_leaves_an_aspect_open_or_contradicts_itself_is_asked_again(text: str) -> None:
    replies = says(text, TWO["lines"])
    held = doors.hold(SUMMARY, "solo", replies, structured=False, aspects=["coherence", "relevance"])
    assert (held.summary.get("scores"), len(held.questions)) == ({"coherence": 4, "relevance": 2}, 2)


@pytest.mark.parametrize(
    "text", ["Relevance: 7", "I have read it with pleasure.", "", "I cannot rate this text."]
)
def test_what_holds_no_score_of_the_scale_is_asked_again_and_then_fails(text: str) -> None:
    held = cast(SUMMARY, text, aspects="relevance")
    assert (held.summary, len(held.questions)) == ({"error": "UnreadableReply"}, 3)


def test_a_second_reply_in_the_form_is_a_verdict_that_cost_two_calls() -> None:
    held = doors.hold(
        SUMMARY, "solo", says("With pleasure.", "Relevance: 3"), structured=False, aspects="relevance"
    )
    assert held.summary["scores"] == {"relevance": 3.0}
    assert held.spent["scorer"][0] == 2


def test_a_reply_that_was_cut_is_not_trusted_where_it_ends_in_a_number() -> None:
    replies = iter([Reply("Relevance: 1", finish="length"), Reply("Relevance: 4")])
    held = doors.hold(SUMMARY, "solo", lambda _: next(replies), structured=False, aspects="relevance")
    assert held.summary["scores"] == {"relevance": 4.0}


KINDS: dict[str, tuple[Any, str, str, dict[str, float]]] = {
    "ranking": (
        PAIR,
        "overall",
        "Ranking: Answer B > Answer A",
        {"overall.answer_1": 2, "overall.answer_2": 1},
    ),
    "ranking with a tie": (
        PAIR,
        "overall",
        "Ranking: Answer A = Answer B",
        {"overall.answer_1": 1, "overall.answer_2": 1},
    ),
    "approval": (PAIR, "overall", "Approved: Answer B", {"overall.answer_1": 0, "overall.answer_2": 1}),
    "approval of none": (PAIR, "overall", "Approved: none", {"overall.answer_1": 0, "overall.answer_2": 0}),
    "points": (PAIR, "overall", "Answer A: 7\nAnswer B: 3", {"overall.answer_1": 7, "overall.answer_2": 3}),
    "spans": (SUMMARY, "fluency", 'Error: "bridge are" | major | fluency', {"fluency": -5}),
    "spans without errors": (SUMMARY, "fluency", "No errors", {"fluency": 0}),
}


@pytest.mark.parametrize("case", KINDS)
def test_a_ballot_of_another_kind_comes_to_ratings(case: str) -> None:
    subject, aspects, text, ratings = KINDS[case]
    strategy = doors.strategy("solo", ballot=case.split(maxsplit=1)[0])
    held = cast(subject, text, strategy, aspects=aspects)
    assert held.summary.get("scores") == ratings, held.error


@pytest.mark.parametrize(
    ("kind", "subject", "aspects", "text"),
    [
        ("points", PAIR, "overall", "Answer A: 7\nAnswer B: 7"),
        ("ranking", PAIR, "overall", "Ranking: Answer B"),
        ("ranking", PAIR, "overall", "Ranking: Answer A < Answer B"),
        ("spans", SUMMARY, "fluency", 'Error: "words that do not stand there" | major | fluency'),
    ],
)
def test_a_ballot_that_breaks_the_rules_of_its_kind_fails(
    kind: str, subject: Any, aspects: str, text: str
) -> None:
    held = cast(subject, text, doors.strategy("solo", ballot=kind), aspects=aspects)
    assert held.summary == {"error": "UnreadableReply"}


SPANS: dict[str, tuple[str, float]] = {
    "minor": ('Error: "bridge are" | minor | fluency', -1),
    "critical": ('Error: "bridge are" | critical | fluency', -25),
    "two": ('Error: "bridge are" | major | fluency\nError: "for weeks" | minor | precision', -6),
    "the same words twice": ('Error: "shut" | major | fluency\nError: "shut" | minor | wording', -6),
    "more than can be lost": ('Error: "bridge are" | critical | fluency\nError: "Kelby" | major | name', -25),
    "reasons before": ('The verb is wrong.\n\nError: "bridge are" | major | fluency', -5),
}


@pytest.mark.parametrize("case", SPANS)
def test_errors_of_a_text_are_added_up_by_how_severe_they_are(case: str) -> None:
    text, score = SPANS[case]
    held = cast(SUMMARY, text, doors.strategy("solo", ballot="spans"), aspects="fluency")
    assert held.summary.get("scores") == {"fluency": score}, held.error


@pytest.mark.parametrize(
    "wrong",
    ['Error: "no such words" | major | fluency', 'Error: "bridge are" | grave | fluency', "A bad text."],
)
def test_errors_that_cannot_be_placed_are_asked_for_once_more(wrong: str) -> None:
    replies = says(wrong, 'Error: "bridge are" | minor | fluency')
    strategy = doors.strategy("solo", ballot="spans")
    held = doors.hold(SUMMARY, strategy, replies, structured=False, aspects="fluency")
    assert (held.summary.get("scores"), len(held.questions)) == ({"fluency": -1}, 2), held.error


def test_errors_by_schema_are_the_same_as_in_lines() -> None:
    errors = [
        {"text": "bridge are", "severity": "major", "category": "grammar"},
        {"text": "weeks", "severity": "minor", "category": "precision"},
    ]
    reply = json.dumps({"reason": "The verb is wrong.", "errors": errors})
    strategy = doors.strategy("solo", ballot="spans")
    held = doors.hold(SUMMARY, strategy, lambda _: reply, aspects="fluency")
    assert held.summary.get("scores") == {"fluency": -6}, held.error


def test_a_panel_that_marks_errors_comes_to_the_mean_of_what_is_lost() -> None:
    said = {"general-public": "minor", "reviewer": "major", "psychologist": "critical"}
    strategy = doors.strategy("chateval-simultaneous", ballot="spans", cast={"debaters": tuple(said)})

    def answer(question: Question) -> str:
        return f'The verb is wrong.\n\nError: "bridge are" | {said[question.seat]} | grammar'

    held = doors.hold(SUMMARY, strategy, answer, structured=False, aspects="fluency")
    assert held.summary["scores"]["fluency"] == pytest.approx(-(1 + 5 + 25) / 3)
    assert [one["ratings"] for one in held.ballots] == [{"fluency": -1}, {"fluency": -5}, {"fluency": -25}]


@pytest.mark.parametrize("kind", ["ratings", "ranking", "approval", "points"])
def test_a_panel_merges_ballots_of_a_kind_by_schema_as_it_did(kind: str, golden: Callable[..., None]) -> None:
    held = doors.hold(PAIR, doors.strategy("chateval-one-by-one", ballot=kind), scripted_judge.answer)
    golden(f"panel-{kind}", {"ballots": held.ballots, "verdict": held.summary})


def test_a_poll_gives_each_role_its_vote() -> None:
    held = doors.hold(PAIR, "drpe-static", scripted_judge.answer)
    assert [set(one["ratings"].values()) for one in held.ballots] == [{0.0, 1.0}] * len(held.ballots)
    assert len({one["agent"] for one in held.ballots}) == len(held.ballots) >= 3


def test_polls_weighed_by_log_probabilities_count_each_vote_by_its_own_tokens(
    golden: Callable[..., None],
) -> None:
    def sure(question: Question) -> Reply:
        text = scripted_judge.answer(question).text
        tokens = tuple((char, -0.02 * (place % 7), ()) for place, char in enumerate(text))
        return Reply(text, logprobs=tokens)

    held = doors.hold(PAIR, doors.strategy("drpe-static", weights="logprob"), sure)
    golden("poll-weighed", {"ballots": held.ballots, "verdict": held.summary})


MERGES: dict[str, tuple[Any, float]] = {
    "average": ("average", 17 / 5),
    "median": ("median", 4.0),
    "majority": ("majority", 5.0),
    "trimmed": ("trimmed", 11 / 3),
    "trimmed by a share": ({"rule": "trimmed", "share": 0.4}, 4.0),
}


@pytest.mark.parametrize("case", MERGES)
def test_a_merge_of_five_scores_is_what_arithmetic_says(case: str) -> None:
    merge, expected = MERGES[case]
    scores = {"general-public": 1, "reviewer": 2, "news-author": 4, "psychologist": 5, "scientist": 5}
    strategy = doors.strategy("chateval-simultaneous", merge=merge, cast={"debaters": tuple(scores)})

    def answer(question: Question) -> str:
        return f"It is so.\n\nRelevance: {scores[question.seat]}"

    held = doors.hold(SUMMARY, strategy, answer, structured=False, aspects="relevance")
    assert held.summary["scores"]["relevance"] == pytest.approx(expected, abs=1e-6)


def test_a_merge_by_confidence_weighs_a_ballot_as_much_as_it_is_sure() -> None:
    said = {"general-public": (1, 20), "reviewer": (5, 60)}
    strategy = doors.strategy(
        "chateval-simultaneous",
        merge="confidence-weighted",
        confidence="asked",
        cast={"debaters": tuple(said)},
    )

    def answer(question: Question) -> str:
        score, sure = said[question.seat]
        return f"It is so.\n\nRelevance: {score}\nConfidence: {sure}%"

    held = doors.hold(SUMMARY, strategy, answer, structured=False, aspects="relevance")
    assert held.summary["scores"]["relevance"] == pytest.approx((1 * 0.2 + 5 * 0.6) / 0.8)


def test_confidence_from_log_probabilities_is_exp_of_the_mean_over_the_score_s_tokens() -> None:
    tokens = (("Relevance", -0.9, ()), (":", -0.9, ()), (" ", -0.9, ()), ("4", -0.25, ()))
    held = doors.hold(
        SUMMARY,
        doors.strategy("solo", confidence="log-probabilities"),
        lambda _: Reply("Relevance: 4", logprobs=tokens),
        structured=False,
        aspects="relevance",
    )
    value, source = held.ballots[0]["confidence"]
    assert (value, source) == (pytest.approx(exp(-0.25), abs=1e-6), "log-probabilities")


def test_confidence_from_repeats_is_the_share_that_came_to_the_same_judgement() -> None:
    replies = iter([4, 4, 2, 4, 5])
    held = doors.hold(
        SUMMARY,
        doors.strategy("solo", confidence="repeats", repeats=5),
        lambda _: f"Relevance: {next(replies)}",
        structured=False,
        aspects="relevance",
    )
    assert held.summary["scores"] == {"relevance": 4.0}
    assert held.ballots[0]["confidence"] == [0.6, "repeats"]


def test_an_expected_score_weighs_each_score_by_the_probability_of_its_token() -> None:
    chances = {" 4": 0.5, " 5": 0.25, " 3": 0.05, " four": 0.1}
    top = tuple((token, log(chance)) for token, chance in chances.items())
    reply = Reply("Relevance: 4", logprobs=(("Relevance:", 0.0, ()), (" 4", log(0.5), top)))
    held = doors.hold(
        SUMMARY,
        doors.strategy("geval", mode="expected", steps="task"),
        lambda _: reply,
        structured=False,
        aspects="relevance",
    )
    assert held.summary["scores"]["relevance"] == pytest.approx((4 * 0.5 + 5 * 0.25 + 3 * 0.05) / 0.8)


def test_the_mean_of_samples_leaves_out_what_cannot_be_read_and_counts_it() -> None:
    reply = Reply("Relevance: 5", others=("Relevance: 2", "I would rather not say."))
    held = doors.hold(
        SUMMARY,
        doors.strategy("geval", steps="task", samples=3),
        lambda _: reply,
        structured=False,
        aspects="relevance",
    )
    assert held.summary["scores"]["relevance"] == pytest.approx(3.5)
    assert held.summary["missing"] == 1


CRITICS = {"NO ISSUE": True, "The reasons hold.\nNO ISSUE": True, "The second clause has no verb.": False}


@pytest.mark.parametrize("said", CRITICS)
def test_the_loop_ends_where_the_critic_says_the_stop_word_alone_on_a_line(said: str) -> None:
    def answer(question: Question) -> str:
        return said if question.purpose == "criticise" else "It is so.\n\nRelevance: 2"

    held = doors.hold(SUMMARY, "debate", answer, structured=False, aspects="relevance")
    assert (held.summary["ended"] == "agreement") == CRITICS[said]
    assert held.summary["rounds"] == (1 if CRITICS[said] else 4)


SCRIPTS = {
    "chinese": "两个回答都读过了。\n\nAnswer A：８\nAnswer B：３",
    "japanese": "両方の回答を読みました。\n\nAnswer A：8\nAnswer B：3",
    "korean": "두 답변을 모두 읽었습니다.\n\nAnswer A： 8\nAnswer B： 3",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_form_is_read_behind_reasons_in_other_scripts_with_full_width_signs(script: str) -> None:
    held = cast(PAIR, SCRIPTS[script])
    assert held.summary["winners"] == ["answer_1"], held.error


def test_what_a_schema_holds_is_read_by_its_keys_whatever_the_reason_says() -> None:
    def answer(question: Question) -> str:
        filled = json.loads(scripted_judge.answer(question).text)
        return json.dumps({**filled, "reason": "The final score is 5. Relevance: 5.", "relevance": 2})

    held = doors.hold(SUMMARY, "solo", answer, aspects="relevance")
    assert held.summary["scores"] == {"relevance": 2.0}
