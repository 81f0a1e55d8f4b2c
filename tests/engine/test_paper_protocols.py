"""Each method's conversation beside its paper: slots and their order, scales, temperature and samples, section by section.

A row of a table is a slot of the paper, where the paper has it, and the words by which it is found in what a model is sent. What
stands elsewhere here, or is not in the paper, is listed on the pages docs/how-to/reproduce-*.md.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from conversation_cases import NEWS, OBJECTION, OTHER, SHORT, SOURCE, SUMMARY, conversation

from agentdebate.models.base import ModelRequest, Sampling
from agentdebate.tasks import Item

TWO = Item(
    task="comparison",
    fields={"question": "When does the bridge close?", "answer_1": "On 3 March.", "answer_2": "Never."},
)
TALK = Item(
    task="dialogue",
    fields={"dialogue": "Do you like cats?", "response": "They sleep a lot.", "fact": "Cats sleep 15 hours."},
)
ZERO = Sampling(temperature=0)

Slot = tuple[str, str, str]
"""The paper's section, what stands there, and words of ours that stand there."""


def purposes(requests: Iterable[ModelRequest]) -> list[str]:
    return [f"{one.context.agent} {one.context.purpose}" for one in requests if one.context]


def whole(request: ModelRequest) -> str:
    return "\n\n".join(message.content for message in request.messages)


def check(request: ModelRequest, table: Sequence[Slot]) -> None:
    """Every slot is there, each behind the one before it."""
    text = whole(request)
    places = [(slot, text.find(words)) for _, slot, words in table]
    assert [slot for slot, place in places if place < 0] == [], text
    for (one, before), (other, behind) in pairwise(places):
        assert before < behind, f"{other} stands before {one}:\n{text}"


# DEBATE: Algorithm 1, Appendices B.1, C.1, C.3, E.1 and E.2.

DEBATE_TEMPLATE: Sequence[Slot] = (
    ("E.2, prompt", "what the text is", "summary of the source text"),
    ("E.2, example", "source text", SOURCE),
    ("E.2, example", "summary", SHORT),
    ("E.2, criteria", "aspect and scale", "Coherence, from 1 to 5"),
    ("E.2, steps", "steps to a score", "How to come to a score:\n1."),
)
DEBATE: dict[str, Sequence[Slot]] = {
    "score": (
        *DEBATE_TEMPLATE,
        (
            "B.1, step 2",
            "the commander asks for score and rationale",
            "Commander:\n~~~~\nPlease score the text on coherence",
        ),
        ("E.1", "the scorer's role", "Your role: Scorer"),
        ("E.2, form", "the score", '"Coherence:" and behind it a whole number from 1 to 5'),
    ),
    "criticise": (
        *DEBATE_TEMPLATE,
        (
            "Algorithm 1, line 6",
            "the score, passed on by the commander",
            "Scorer, passed on by the Commander:\n~~~~\n",
        ),
        ("3 and E.1", "the critic's role", "Your role: Critic. You are the devil's advocate"),
        ("3", "a review, step by step", "Review the latest score"),
        ("Algorithm 1, line 8", "the stop word", "NO ISSUE"),
    ),
    "revise": (
        *DEBATE_TEMPLATE,
        (
            "Algorithm 1, line 11",
            "the criticism, passed on",
            f"Critic, passed on by the Commander:\n~~~~\n{OBJECTION}",
        ),
        ("E.1", "the scorer's role", "Your role: Scorer"),
        ("B.1, step 5", "the score is to be adjusted", "Reconsider your score"),
        ("E.2, form", "the score", '"Coherence:" and behind it a whole number from 1 to 5'),
    ),
    "rule": (
        *DEBATE_TEMPLATE,
        ("E.1", "the debate log: what scorer and critic said", f"Critic:\n~~~~\n{OBJECTION}"),
        ("E.1", "the tie-breaker's role", "Your role: Tie-breaker"),
        ("C.3", "the final score", "give the final\nscore"),
        ("E.2, form", "the score", '"Coherence:" and behind it a whole number from 1 to 5'),
    ),
}


async def test_debate_is_held_as_algorithm_1_with_the_papers_parameters() -> None:
    requests = await conversation("debate-tiebreaker", SUMMARY, "coherence")
    rounds = ["critic criticise", "scorer revise"] * 4
    assert purposes(requests) == ["scorer score", *rounds, "tie-breaker rule"], "n = 4 (Figure 2)"
    greedy = Sampling(temperature=0, top_p=1, frequency_penalty=0, presence_penalty=0)
    assert {one.sampling for one in requests} == {greedy}, "Appendix C.1"
    for request in requests:
        assert request.context is not None
        check(request, DEBATE[request.context.purpose])


async def test_debates_commander_speaks_to_one_side_at_a_time() -> None:
    """Appendix B.1, steps 2, 4 and 5: what it says to the scorer is for the scorer."""
    requests = await conversation("debate-tiebreaker", SUMMARY, "coherence", commander="model", rounds=1)
    asked = ["commander open", "scorer score", "commander forward", "critic criticise", "commander forward"]
    assert purposes(requests) == [*asked, "scorer revise", "tie-breaker rule"]
    assert "Pass on to the Critic" in whole(requests[2])
    assert "Pass on to the Scorer" in whole(requests[4])
    heard = {one.context.agent: one.context.heard for one in requests if one.context}
    assert [said.sender for said in heard["tie-breaker"]] == ["scorer", "critic", "scorer"]
    assert len(heard["critic"]) == 1, "the score, and not the request for one"


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("multiagent", "critic-plain"),
        ("debate-weak", "critic-weak"),
        ("debate-moderate", "critic-moderate"),
        ("debate", "critic-strict"),
    ],
)
async def test_debates_critics_differ_in_their_persona_alone(name: str, card: str) -> None:
    """Figure 2, middle, and Appendix E.1: each can say NO ISSUE, and none is told to be silent."""
    _, request, *_ = await conversation(name, SUMMARY, "coherence", rounds=1)
    assert request.context is not None
    assert request.context.card == card
    text = whole(request)
    assert "If, and only if, you have nothing to object to, write NO ISSUE" in text
    if card != "critic-strict":
        assert text.count("you have nothing to object to") == 2, "the persona says when, in the form's words"


# ChatEval: Section 3.1, Appendix A (Table 6) and Appendix B.

TABLE_6: Sequence[Slot] = (
    ("Table 6", "source text", "Question:\n~~~~\nWhen does"),
    ("Table 6", "first text", "Answer A:\n~~~~\nOn 3 March."),
    ("Table 6", "second text", "Answer B:\n~~~~\nNever."),
    ("Table 6", "overall score from 1 to 10", "Overall, from 1 to 10."),
    ("Table 6", "the four qualities", "how helpful, relevant, accurate and detailed"),
)
NAME_AND_BALLOT: Sequence[Slot] = (
    ("Table 6", "the agent's name, last of all", "It is your turn"),
    ("Table 6", "short and clear", "Keep it short and clear"),
)


def table_6(history: str, role: str) -> Sequence[Slot]:
    return (
        *TABLE_6,
        ("Table 6", "discussion history", history),
        ("Table 6", "role description", role),
        *NAME_AND_BALLOT,
    )


async def test_chateval_one_by_one_fills_table_6_and_calibrates_positions() -> None:
    """Section 3.3: 2 agents, 2 turns, both orders; Section 3.1: temperature 0."""
    requests = await conversation("chateval", TWO, "overall")
    first, second = "general-public", "reviewer"
    turns = [f"{first} speak", f"{second} speak", f"{first} vote", f"{second} vote"]
    assert purposes(requests[:4]) == turns
    assert purposes(requests[4:]) == [turn.replace(" ", "#2 ") for turn in turns]
    assert {one.sampling for one in requests} == {ZERO}
    check(requests[0], (*TABLE_6, ("A", "role description", "Your role: General public"), *NAME_AND_BALLOT))
    check(requests[1], table_6("General public:\n", "Your role: Critic"))
    check(requests[3], table_6("Critic:\n", "Your role: Critic"))
    assert "others have said" not in requests[0].messages[-1].content, "nobody has spoken yet"
    assert "others have said" in requests[1].messages[-1].content
    assert "Answer A:\n~~~~\nNever." in whole(requests[4]), "the other order"


async def test_chatevals_single_agent_has_the_same_template_without_history_and_role() -> None:
    """Section 3.3, footnote 3."""
    (request,) = await conversation("single-agent", TWO, "overall")
    assert request.sampling == ZERO
    check(request, (*TABLE_6, *NAME_AND_BALLOT))
    assert "heard and said" not in whole(request)
    assert "others" not in request.messages[-1].content


@pytest.mark.parametrize(
    ("item", "aspect", "slots"),
    [(TALK, "groundedness", ("Dialogue:\n", "Fact:\n", "Response:\n", "Groundedness, from 0 to 1"))],
)
async def test_dialogues_are_judged_with_the_fact_before_the_response(
    item: Item, aspect: str, slots: Sequence[str]
) -> None:
    """Fusion-Eval, Appendix A.3; DEBATE and ChatEval judge the same data."""
    for name in ("chateval-one-by-one", "debate", "solo"):
        requests = await conversation(name, item, aspect)
        check(requests[0], [("A.3", slot, slot) for slot in slots])


async def test_a_dialogue_without_a_fact_shows_none() -> None:
    for nothing in ("_nofact", "_nofact\n", "", "  "):
        item = TALK.model_copy(update={"fields": {**TALK.fields, "fact": nothing}})
        (request,) = await conversation("solo", item, "coherence")
        assert "nofact" not in whole(request)
        assert "Fact:" not in whole(request)


async def test_chatevals_simultaneous_talk_gives_all_one_history_in_one_order() -> None:
    """Algorithm 2: all prompts of the second turn begin with the same buffer."""
    requests = await conversation("chateval-simultaneous", TWO, "overall")
    assert [one.split()[1] for one in purposes(requests)] == ["speak"] * 3 + ["vote"] * 3
    histories = {one.messages[-1].content.partition("Your role:")[0] for one in requests[3:]}
    assert len(histories) == 1
    check(
        requests[3],
        [("Algorithm 2", name, f"{name}:\n") for name in ("General public", "Critic", "News author")],
    )
    assert {one.sampling for one in requests} == {ZERO}


async def test_chatevals_summary_takes_the_place_of_the_talk() -> None:
    """Algorithm 3, lines 6 to 8: one's own words too."""
    requests = await conversation("chateval-summarizer", TWO, "overall", rounds=3)
    order = ["speak"] * 3 + ["summarise"] + ["speak"] * 3 + ["summarise"] + ["vote"] * 3
    assert [one.split()[1] for one in purposes(requests)] == order
    for request in [*requests[4:7], *requests[8:]]:
        assert request.context is not None
        assert {said.sender for said in request.context.heard} == {"summarizer"}
    assert [len(one.context.heard) for one in requests[8:] if one.context] == [2, 2, 2]


async def test_chatevals_same_role_is_one_card_for_all() -> None:
    requests = await conversation("chateval-same-role", TWO, "overall")
    assert {one.context.card for one in requests if one.context} == {"annotator"}, "Section 4.1"
    roles = [
        line for one in requests for line in one.messages[-1].content.splitlines() if "Your role:" in line
    ]
    assert [role.split(".")[0] for role in roles] == ["Your role: Alice", "Your role: Bob"] * 2, "Figure 2"


# FairEval: Section 3 (MEC and BPC).


async def test_faireval_samples_three_times_in_each_order_with_reasons_before_scores() -> None:
    requests = await conversation("faireval", TWO, "overall")
    assert len(requests) == 6, "k = 3, both orders"
    assert {one.sampling for one in requests} == {Sampling(temperature=1)}
    assert len({(one.messages, one.sample) for one in requests}) == 6, "each a sample of its own"
    for request in requests:
        text = request.messages[-1].content
        assert text.index("Give your reasons first") < text.index(
            '"Answer A:" and behind it a whole number from 1 to 10'
        )
        assert "others" not in text


# DRPE: Sections 3.1, 3.2 and 4.1, Figures 3 to 5.

READERS = ("General public", "Critic", "News author")


async def test_drpe_recruits_in_one_call_and_votes_in_another() -> None:
    """Section 4.2: two calls an item; Section 4.1: temperature 0, 3 static roles and 5 dynamic ones."""
    requests = await conversation("drpe", NEWS, "overall")
    assert purposes(requests) == ["recruiter recruit", "players play"]
    assert {one.sampling for one in requests} == {ZERO}
    recruit, play = requests
    assert recruit.context is not None
    assert sum(recruit.context.given.values()) == 5
    check(
        recruit,
        [
            ("3.1", "the text as context", SOURCE),
            ("3.1", "each generated text", SHORT),
            ("Figure 4", "coarse: occupations", "by walk of life"),
            ("Figure 4", "fine: familiarity with the topic", "by how much they know"),
            ("3.1", "user type and user description", "the type of reader"),
        ],
    )
    check(
        play,
        [
            ("Figure 5", "article", SOURCE),
            ("Figure 5", "first summary", SHORT),
            ("Figure 5", "second summary", OTHER),
            *(("Figure 3", title, f"\n{number}. {title}\n") for number, title in enumerate(READERS, 1)),
            ("3.1", "the first dynamic role", "\n4. "),
            ("3.2", "each in their point of view", "from their own point of view"),
            (
                "3.2",
                "a reason and a vote for every role",
                'Role 1: General public\n"Reason:" and behind it a sentence or two\n"Vote:" and behind it a name',
            ),
            ("3.2", "the last static role", "Role 3: News author"),
        ],
    )


async def test_drpes_readers_share_no_criterion_unless_one_aspect_is_named() -> None:
    """Section 3.1: what matters to subjective roles is theirs to say; objective roles are their criterion."""
    _, play = await conversation("drpe", NEWS, "overall")
    for words in ("What is judged", "coherence", "criterion", "as a whole"):
        assert words not in whole(play)
    assert "the one that this reader finds better" in whole(play)
    assert "A reader whose description says what they check votes by that alone." in whole(play)
    _, named = await conversation("drpe", NEWS, "coherence")
    assert "is better as to coherence" in whole(named)
    assert "How well the sentences of the summary belong together" in whole(named)


async def test_drpes_baselines_have_six_readers_and_none() -> None:
    """Section 4.1: ManualDRPEScore and LLMScore."""
    (manual,) = await conversation("mdrpe", NEWS, "overall")
    assert manual.context is not None
    titles = [player.title for player in manual.context.players]
    assert titles == ["Student", "Business person", "Politician", *READERS]
    (plain,) = await conversation("llmscore", NEWS, "overall")
    assert plain.context is not None
    assert plain.context.players == ()
    assert (manual.sampling, plain.sampling) == (ZERO, ZERO)
    assert "Role 1" not in whole(plain)


# Fusion-Eval: Sections 2 and 3.1, Table 1, Appendices A.2 and A.3.

EVALUATORS: dict[str, Any] = {"evaluators": ("rouge-1", "chrf")}
ALL = ("coherence", "consistency", "fluency", "relevance")


def fusion_slots(*, planned: bool) -> Sequence[Slot]:
    plan: Sequence[Slot] = (("A.2", "the plan", "\nPlan:\n"),) if planned else ()
    return (
        ("A.2, input", "source", SOURCE),
        ("A.2, input", "answer", SHORT),
        *(("A.2, criteria", one, f"{one.capitalize()}, from 1 to 5") for one in ALL),
        ("A.2, evaluation summary", "overall, from 1 to 5", "Overall, from 1 to 5"),
        *plan,
        ("Table 1", "evaluator, score, range, premise, direction", "- rouge-1: "),
        ("Table 1", "what the evaluator is", "; higher is better; ROUGE-1:"),
        ("Table 1", "the next evaluator", "- chrf: "),
        ("A.2, output", "score and explanation", "For each of them explain"),
        *(
            ("A.2, output", one, f'"{one.capitalize()}:" and behind it a number from 1 to 5')
            for one in (*ALL, "overall")
        ),
    )


async def test_fusion_eval_plans_once_and_judges_all_aspects_eight_times() -> None:
    plan, judge = await conversation("fusion", SUMMARY, ALL, **EVALUATORS)
    assert purposes([plan, judge]) == ["planner plan", "judge fuse"]
    assert judge.sampling == Sampling(temperature=0.5, n=8), "Section 2, PaLM 2"
    check(judge, fusion_slots(planned=True))
    check(
        plan,
        [
            ("A.1", "criteria", "Coherence, from 1 to 5"),
            (
                "A.1",
                "evaluators",
                "- rouge-1, from 0 to 1; it compares the text with the reference; higher is better",
            ),
            (
                "Table 4",
                "which evaluator informs which aspect",
                '"Coherence:" and behind it a list of evaluators',
            ),
        ],
    )
    assert SHORT not in whole(plan), "one plan for all items"


async def test_fusion_eval_without_a_plan_differs_by_the_plan_alone() -> None:
    (judge,) = await conversation("fusion-noplan", SUMMARY, ALL, **EVALUATORS)
    check(judge, fusion_slots(planned=False))
    assert judge.sampling == Sampling(temperature=0.5, n=8)
    assert " plan" not in whole(judge).lower()
    _, planned = await conversation("fusion", SUMMARY, ALL, **EVALUATORS)
    assert planned.messages[0] == judge.messages[0]
    start, end = (
        planned.messages[1].content.index("Plan:\n"),
        planned.messages[1].content.index("Evaluators:\n"),
    )
    without = planned.messages[1].content[:start] + planned.messages[1].content[end:]
    assert without.replace(" Follow the plan.", "") == judge.messages[1].content


async def test_fusion_evals_scales_for_dialogues_are_the_papers() -> None:
    """Appendix A.3: 1 to 3, 0 to 1, and 1 to 5 for the overall quality, any number between."""
    aspects = ("coherence", "engagingness", "naturalness", "groundedness", "understandability")
    (judge,) = await conversation("fusion-noplan", TALK, aspects, evaluators=("rouge-1:premise=fact",))
    assert judge.context is not None
    scales = {line.rated: str(line.aspect.scale) for line in judge.context.lines}
    assert scales == {
        **dict.fromkeys(aspects[:3], "1 to 3"),
        **dict.fromkeys(aspects[3:], "0 to 1"),
        "overall": "1 to 5",
    }
    assert all(line.aspect.scale.step is None for line in judge.context.lines)


# G-Eval (arXiv 2303.16634): Section 2.


@pytest.mark.parametrize(
    ("mode", "sampling"),
    [
        ("sampled", Sampling(temperature=1, top_p=1, n=20)),
        ("expected", Sampling(temperature=1, top_p=1, logprobs=20)),
        ("single", Sampling(temperature=1, top_p=1)),
    ],
)
async def test_geval_writes_steps_once_and_fills_in_a_form_of_scores(mode: str, sampling: Sampling) -> None:
    """Sections 2.2 and 2.3: n = 20 at temperature 1, or the expectation over the score's tokens."""
    steps, fill, *_ = await conversation("geval", SUMMARY, "coherence", mode=mode)
    assert purposes([steps, fill]) == ["writer steps", "scorer fill"]
    assert SHORT not in whole(steps)
    check(
        steps,
        [("2.2", "task", "evaluated one after the other"), ("2.2", "criterion", "Coherence, from 1 to 5")],
    )
    check(
        fill,
        [
            ("2.1", "source", SOURCE),
            ("2.1", "text", SHORT),
            ("2.1", "criterion and scale", "Coherence, from 1 to 5"),
            ("2.2", "the written steps", "Given to all:\n~~~~\n1."),
            ("2.3", "the form, scores only", "Coherence (a whole number from 1 to 5):"),
        ],
    )
    assert fill.sampling == sampling
