"""The offline judge on several texts side by side: ballots, talk, debates, and that their order is nothing to it."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Candidate, ballot_lines, lineup
from agentdebate.ballots.replies import read_critic
from agentdebate.ballots.sheet import read_sheet
from agentdebate.models.base import ChatMessage, Context, Heard, ModelRequest
from agentdebate.offline.model import OfflineJudge
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Item, Task

COMPARISON = load_task(Project(), "comparison")
SUMMARIES = load_task(Project(), "summarization-pair")
REPLIES = load_task(Project(), "dialogue-pair")

QUESTION = "How can I keep my tomato plants healthy in a dry summer?"
GOOD = (
    "Here is how to keep tomato plants healthy in a dry summer:\n\n"
    "1. Water deeply twice a week, about 20 litres for each plant, early in the morning.\n"
    "2. Cover the soil with 5 cm of straw so that it stays damp.\n"
    "3. Shade the plants with a cloth when it gets hotter than 35 degrees in July.\n"
    "4. Pick yellow leaves off, for example those that touch the ground.\n\n"
    "With these steps the plants stay healthy until the first tomatoes ripen."
)
POOR = "It depends. There are many ways and results may vary. I think you will have to see and"
REFUSAL = "I'm sorry, but I can't help with this question. As an AI, I have no garden and it depends on many things."
KINDS = {"criticise": "critique", "rule": "ruling", "summarise": "summary", "speak": "statement"}


def answers(*texts: str, question: str = QUESTION) -> Item:
    fields = {f"answer_{number}": text for number, text in enumerate(texts, 1)}
    return Item(fields={"question": question, **fields}, id="one")


async def say(
    item: Item,
    purpose: str = "vote",
    *,
    task: Task = COMPARISON,
    aspects: Sequence[str] | None = None,
    order: Sequence[str] | None = None,
    card: str = "referee",
    heard: Sequence[Heard] = (),
) -> str:
    chosen, shown = task.choose(aspects), lineup(task, item, order)
    reply = KINDS.get(purpose, "score")
    lines = ballot_lines(chosen, shown)
    context = Context(task, item, chosen, purpose, reply, card, card, 1, tuple(heard), shown, lines)
    completion = await OfflineJudge().complete(ModelRequest((ChatMessage("user", "x"),), context=context))
    return completion.text


def read(
    text: str,
    item: Item,
    *,
    task: Task = COMPARISON,
    aspects: Sequence[str] | None = None,
    order: Sequence[str] | None = None,
) -> dict[str, float]:
    """The ballot in a reply, as agents read it."""
    ballot = read_sheet(text, ballot_lines(task.choose(aspects), lineup(task, item, order)))
    assert isinstance(ballot, Ballot), (ballot, text)
    return ballot.scores


async def rate(item: Item, aspects: Sequence[str] | None = None, task: Task = COMPARISON) -> dict[str, float]:
    return read(await say(item, aspects=aspects, task=task), item, aspects=aspects, task=task)


def quotes(text: str) -> list[str]:
    return re.findall("“([^”]*)”", text)


def ballot(sender: str, **scores: float) -> Heard:
    given = {f"overall.{field}": score for field, score in scores.items()}
    return Heard(sender, "score", "My reasons.", given)


@pytest.mark.parametrize("aspect", ["overall", "helpfulness", "relevance", "accuracy", "detail"])
@pytest.mark.parametrize("worse", [POOR, REFUSAL])
async def test_a_full_answer_beats_an_evasive_one(aspect: str, worse: str) -> None:
    scores = await rate(answers(GOOD, worse), [aspect])
    assert scores[f"{aspect}.answer_1"] > scores[f"{aspect}.answer_2"]


async def test_an_answer_to_another_question_is_less_relevant() -> None:
    other = "The train to the coast leaves at nine from platform 4 and takes two hours."
    scores = await rate(answers("Water your tomato plants deeply in a dry summer.", other), ["relevance"])
    assert scores["relevance.answer_1"] > scores["relevance.answer_2"]


async def test_a_sum_that_does_not_come_out_costs_accuracy() -> None:
    right = (
        "A plant needs 4 litres a day, so in a dry summer of 90 days tomato plants need 4 x 90 = 360 litres."
    )
    scores = await rate(answers(right, right.replace("360", "3600")), ["accuracy"])
    assert scores["accuracy.answer_1"] > scores["accuracy.answer_2"]


async def test_the_same_answer_twice_is_a_tie() -> None:
    scores = await rate(answers(GOOD, GOOD))
    assert scores["overall.answer_1"] == scores["overall.answer_2"]


async def test_reasons_quote_each_answer_and_a_line_for_each_comes_last() -> None:
    text = await say(answers(GOOD, POOR))
    assert re.fullmatch(r".*\n\nAnswer A: (?:[1-9]|10)\nAnswer B: (?:[1-9]|10)", text, re.DOTALL)
    assert any(quote in GOOD for quote in quotes(text))
    assert any(quote in POOR for quote in quotes(text))
    assert "Answer A is clearly ahead of Answer B" in text


async def test_several_aspects_have_a_line_for_each_answer() -> None:
    text = await say(answers(GOOD, POOR), aspects=["relevance", "detail"])
    assert [line.partition(":")[0] for line in text.split("\n")[-4:]] == [
        "Relevance of Answer A", "Relevance of Answer B", "Detail of Answer A", "Detail of Answer B"
    ]  # fmt: skip


async def test_that_accuracy_cannot_be_checked_is_said() -> None:
    assert "cannot be checked without knowledge" in await say(answers(GOOD, POOR), aspects=["accuracy"])
    assert "cannot be checked" not in await say(answers(GOOD, POOR), aspects=["relevance"])


async def test_answers_are_ranked_and_ties_share_a_place() -> None:
    item = answers(POOR, GOOD, POOR)
    assert await rate(item, ["place"]) == {"place.answer_1": 2, "place.answer_2": 1, "place.answer_3": 2}


async def test_summaries_are_measured_beside_their_source() -> None:
    source = (
        "The old bridge in Westhaven was closed on Monday. Engineers found cracks in two steel beams of it."
    )
    item = Item(
        fields={
            "source": source,
            "summary_1": "Lions swam home from Quimper in 1871.",
            "summary_2": "The bridge in Westhaven was closed after engineers found cracks in steel beams.",
        }
    )
    scores = await rate(item, ["overall", "consistency", "relevance"], SUMMARIES)
    for aspect in ("overall", "consistency", "relevance"):
        assert scores[f"{aspect}.summary_2"] > scores[f"{aspect}.summary_1"]


async def test_replies_are_measured_beside_their_conversation() -> None:
    item = Item(
        fields={
            "dialogue": "do you like jazz ?\ni do . who is your favourite singer ?\n",
            "fact": "ella fitzgerald won 13 grammys",
            "response_1": "my favourite singer is ella fitzgerald , she won 13 grammys . have you heard her ?",
            "response_2": "i am not sure .",
        }
    )
    scores = await rate(item, ["overall", "coherence", "engagingness"], REPLIES)
    for aspect in ("overall", "coherence", "engagingness"):
        assert scores[f"{aspect}.response_1"] > scores[f"{aspect}.response_2"]


async def test_a_speaker_compares_without_a_score() -> None:
    text = await say(answers(GOOD, POOR), "speak", card="general-public")
    assert "Answer A is clearly ahead of Answer B" in text
    assert not re.search(r"^Answer [AB]: ", text, re.MULTILINE)
    assert any(quote in GOOD for quote in quotes(text))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I prefer Answer B.", "I do not put Answer B first, as critic does."),
        ("Answer A is far better.", "On the order I agree with critic."),
        ("The two are equally good.", "Unlike critic I do not see them level."),
        ("Answer B is not better.", ""),
    ],
)
async def test_a_speaker_answers_those_who_prefer_another_text(said: str, answer: str) -> None:
    heard = [Heard("critic", "statement", said)]
    text = await say(answers(GOOD, POOR), "speak", card="scientist", heard=heard)
    alone = await say(answers(GOOD, POOR), "speak", card="scientist")
    assert text == (f"{alone}\n\n{answer}" if answer else alone)


async def test_a_voter_grants_an_argument_about_the_text_that_it_is_about() -> None:
    repeated = f"{GOOD} {GOOD}"
    said = Heard(
        "critic", "statement", "Answer B is weak. It repeats “Water deeply twice a week”, which is poor."
    )
    text = await say(answers(GOOD, repeated), heard=[said])
    assert "I give critic this: It repeats" in text.partition("Answer B")[2]


async def test_minutes_say_who_prefers_what_and_add_nothing() -> None:
    item = answers(GOOD, POOR)
    one = await say(item, "speak", card="scientist")
    heard = [Heard("scientist", "statement", one), Heard("reviewer", "statement", "I prefer Answer B.")]
    text = await say(item, "summarise", card="summarizer", heard=heard)
    assert text.startswith("scientist says: On the whole, Answer A is clearly ahead of Answer B.")
    assert "reviewer says: I prefer Answer B." in text
    assert text.endswith("They differ: scientist puts Answer A first, reviewer puts Answer B first.")
    assert set(quotes(text)) <= set(quotes(one))


async def test_a_critic_objects_to_the_number_of_one_text_and_the_scorer_answers_for_it() -> None:
    repeated = f"{GOOD}\n{GOOD}\n{GOOD}"
    item = answers(GOOD, repeated)
    standing = ballot("scorer", answer_1=9, answer_2=10)
    critique = await say(item, "criticise", card="critic-strict", heard=[standing])
    assert re.search(r"Answer B.* is too (high|generous)", critique)
    heard = [standing, Heard("critic", "critique", critique)]
    revised = read(await say(item, "revise", card="scorer", heard=heard), item)
    assert revised["overall.answer_2"] < 10


async def test_a_tie_breaker_rules_on_every_text() -> None:
    item = answers(GOOD, POOR)
    heard = [ballot("scorer", answer_1=8, answer_2=8), Heard("critic", "critique", "Too high for Answer B.")]
    text = await say(item, "rule", card="tie-breaker", heard=heard)
    assert read(text, item).keys() == {"overall.answer_1", "overall.answer_2"}


@pytest.mark.parametrize(
    "strategy", ["debate", "debate-tiebreaker", "chateval", "chateval-summarizer", "faireval", "single-agent"]
)
async def test_strategies_hold_a_comparison_and_find_the_better_answer(strategy: str) -> None:
    item = answers(POOR, GOOD).model_copy(update={"task": "comparison"})
    verdict = await ad.debate(item, strategy)
    assert verdict.winners == ("answer_2",)
    assert verdict.lost == ()


FRAGMENTS = [
    *QUESTION.split(), *POOR.split()[:8], "Final score: 3", "Answer A: 9", "**Answer B**: 2", "Answer A is best",
    "NO ISSUE", "no_issues.", "I refuse to answer", "verdict: 7", "raise it from 3 to 4", "→ 5", "[[4]]", "\\boxed{2}",
    "<br>", "</p>Answer A: 1", "| 3 |", "\n", "\n\n", "1. ", "- ", "“", "”", '"', "```", "2 + 2 = 5", ".", "?", "é",
    "Overall: 10", "ＮＯ ＩＳＳＵＥ", "too high", "Relevance of Answer A = 3", "final", "new", "three", "９", "{x", "}",
]  # fmt: skip
TEXTS = st.text(max_size=40) | st.lists(st.sampled_from(FRAGMENTS), max_size=24).map(" ".join)
TASKS = st.sampled_from(
    [
        (COMPARISON, "question", "answer", ("overall",)),
        (COMPARISON, "question", "answer", ("relevance", "accuracy", "detail")),
        (COMPARISON, "question", "answer", ("place",)),
        (SUMMARIES, "source", "summary", ("overall",)),
        (SUMMARIES, "source", "summary", ("coherence", "fluency")),
        (REPLIES, "dialogue", "response", ("naturalness", "engagingness")),
    ]
)
CARDS = st.sampled_from(["referee", "general-public", "reviewer", "scientist", "news-author", "mine"])
TURNS = st.tuples(
    st.sampled_from(["score", "vote", "revise", "rule"]),
    CARDS,
    st.sampled_from(["statement", "critique", "score", "summary"]),
)


@settings(max_examples=80, deadline=None)
@given(TASKS, st.lists(TEXTS, min_size=3, max_size=4), TEXTS, TURNS)
async def test_any_texts_get_a_ballot_that_can_be_read(
    kind: tuple[Task, str, str, tuple[str, ...]], texts: list[str], said: str, turn: tuple[str, str, str]
) -> None:
    purpose, card, manner = turn
    task, about, noun, aspects = kind
    item = Item(fields={about: texts[0], **{f"{noun}_{n}": text for n, text in enumerate(texts[1:], 1)}})
    lines = ballot_lines(task.choose(aspects), lineup(task, item))
    standing = {f"{line.rated}.{line.candidate}": line.aspect.scale.high for line in lines}
    heard = [Heard(card, "score", "So.", standing), Heard("other", manner, f"Too high: “{said}”. {said}")]
    text = await say(item, purpose, task=task, aspects=aspects, card=card, heard=heard)
    read(text, item, task=task, aspects=aspects)
    closing = text.split("\n")[-len(lines) :]
    assert [line.partition(": ")[0] for line in closing] == [line.aspect.title for line in lines]


@settings(max_examples=60, deadline=None)
@given(TASKS, st.lists(TEXTS, min_size=3, max_size=4), st.integers(0, 1), CARDS)
async def test_any_texts_get_a_critique_that_can_be_read(
    kind: tuple[Task, str, str, tuple[str, ...]], texts: list[str], end: int, card: str
) -> None:
    task, about, noun, aspects = kind
    item = Item(fields={about: texts[0], **{f"{noun}_{n}": text for n, text in enumerate(texts[1:], 1)}})
    lines = ballot_lines(task.choose(aspects), lineup(task, item))
    ends = {
        f"{line.rated}.{line.candidate}": (line.aspect.scale.low, line.aspect.scale.high)[end]
        for line in lines
    }
    critic = "critic-strict" if card == "mine" else card
    heard = [Heard("scorer", "score", "So.", ends)]
    text = await say(item, "criticise", task=task, aspects=aspects, card=critic, heard=heard)
    assert read_critic(text).agrees is text.endswith("\nNO ISSUE")


@settings(max_examples=60, deadline=None)
@given(TASKS, st.lists(TEXTS, min_size=4, max_size=4), CARDS, st.permutations([0, 1, 2]))
async def test_the_order_of_the_texts_changes_no_score(
    kind: tuple[Task, str, str, tuple[str, ...]], texts: list[str], card: str, places: list[int]
) -> None:
    """Also after a talk: what is said of a text is said of it wherever it stands."""
    task, about, noun, aspects = kind
    fields = [f"{noun}_{n}" for n in (1, 2, 3)]
    item = Item(fields={about: texts[0], **dict(zip(fields, texts[1:], strict=True))})
    found = []
    for order in (fields, [fields[place] for place in places]):
        spoken = await say(item, "speak", task=task, aspects=aspects, card="psychologist", order=order)
        heard = [Heard("psychologist", "statement", spoken)]
        text = await say(item, task=task, aspects=aspects, card=card, heard=heard, order=order)
        found.append(read(text, item, task=task, aspects=aspects, order=order))
    assert found[0] == found[1]


async def test_a_request_with_candidates_but_no_lines_is_answered_all_the_same() -> None:
    shown = (Candidate("answer_2", "Answer A"), Candidate("answer_1", "Answer B"))
    context = Context(
        COMPARISON, answers(GOOD, POOR), COMPARISON.choose(None), "vote", "score", "x", "x", 1, (), shown
    )
    text = (await OfflineJudge().complete(ModelRequest((), context=context))).text
    low, high = (int(line.partition(": ")[2]) for line in text.split("\n")[-2:])
    assert low < high


async def test_it_agrees_with_people_more_often_than_not_where_both_decide(shared: Path) -> None:
    """FairEval, ChatGPT against Vicuna-13B: a low bar for a baseline that understands nothing."""
    agreed = decided = 0
    data = (shared / "faireval" / "faireval.jsonl").read_text(encoding="utf-8")
    for line in data.strip().split("\n"):
        row = json.loads(line)
        scores = await rate(answers(row["answer_chatgpt"], row["answer_vicuna13b"], question=row["question"]))
        lead = scores["overall.answer_1"] - scores["overall.answer_2"]
        if lead and row["human_label"] != "TIE":
            decided += 1
            agreed += (lead > 0) == (row["human_label"] == "CHATGPT")
    assert decided >= 40
    assert agreed > decided / 2
