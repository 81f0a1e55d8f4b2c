"""Each method's conversation beside its paper: who is asked for what, sampling, slots and their order, scales, section by section.

A row of a table is a slot of the paper, where the paper has it, and the words by which it is found in what a model is sent. What
stands elsewhere here, or is not in the paper, is listed on the pages docs/how-to/reproduce-*.md.
"""

from collections.abc import Sequence
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
ALL = ("coherence", "consistency", "fluency", "relevance")
EVALUATORS: dict[str, Any] = {"evaluators": ("rouge-1", "chrf")}

ZERO = Sampling(temperature=0)
GREEDY = Sampling(temperature=0, top_p=1, frequency_penalty=0, presence_penalty=0)
"""DEBATE, Appendix C.1."""
EIGHT = Sampling(temperature=0.5, n=8)
"""Fusion-Eval, Section 2, PaLM 2."""
FIRST, SECOND, THIRD = "general-public", "reviewer", "news-author"
IN_TURN = [f"{FIRST} speak", f"{SECOND} speak", f"{FIRST} vote", f"{SECOND} vote"]
JUDGES = ["judge vote", "judge-2 vote", "judge-3 vote"]
TRIAL = ["advocate plead", "advocate-2 plead", "judge weigh"]
SPEAK, VOTE = ([f"{name} {what}" for name in (FIRST, SECOND, THIRD)] for what in ("speak", "vote"))

Protocol = tuple[str, Item, str | Sequence[str], dict[str, Any], list[str], Sampling]
PROTOCOLS: Sequence[Protocol] = [
    # DEBATE, Algorithm 1 and Figure 2: n = 4.
    ("debate-tiebreaker", SUMMARY, "coherence", {}, ["scorer score", *["critic criticise", "scorer revise"] * 4, "tie-breaker rule"], GREEDY),
    # ChatEval, Section 3.3: 2 agents, 2 turns, both orders; Section 3.1: temperature 0; Algorithms 2 and 3.
    ("chateval", TWO, "overall", {}, [*IN_TURN, *(turn.replace(" ", "#2 ") for turn in IN_TURN)], ZERO),
    ("single-agent", TWO, "overall", {}, ["scorer vote"], ZERO),
    ("chateval-simultaneous", TWO, "overall", {}, [*SPEAK, *VOTE], ZERO),
    ("chateval-summarizer", TWO, "overall", {"rounds": 3}, [*[*SPEAK, "summarizer summarise"] * 2, *VOTE], ZERO),
    # PoLL (arXiv 2404.18796): three judges, no talk. Society of minds (2305.14325): 3 agents, 2 rounds.
    ("jury", TWO, "overall", {}, JUDGES, Sampling()),
    ("society", TWO, "overall", {}, JUDGES * 2, Sampling(temperature=1)),
    # D3 (2410.04663), SAMRE: at most 4 rounds, temperature 0.7; 3 to 5 jurors.
    ("d3", TWO, "overall", {"stop": "never"}, [*TRIAL * 4, *(f"{name} vote" for name in (FIRST, SECOND, THIRD, "psychologist"))], Sampling(temperature=0.7)),
    # FairEval, Section 3 (MEC and BPC): k = 3 in both orders.
    ("faireval", TWO, "overall", {}, ["scorer vote", *(f"scorer#{k} vote" for k in range(2, 7))], Sampling(temperature=1)),
    # DRPE, Sections 4.1 and 4.2: two calls an item, temperature 0; ManualDRPEScore and LLMScore.
    ("drpe", NEWS, "overall", {}, ["recruiter recruit", "players play"], ZERO),
    ("mdrpe", NEWS, "overall", {}, ["players play"], ZERO),
    ("llmscore", NEWS, "overall", {}, ["players play"], ZERO),
    # Fusion-Eval, Section 2.
    ("fusion", SUMMARY, ALL, EVALUATORS, ["planner plan", "judge fuse"], EIGHT),
    ("fusion-noplan", SUMMARY, ALL, EVALUATORS, ["judge fuse"], EIGHT),
    # G-Eval (arXiv 2303.16634), Sections 2.2 and 2.3: n = 20 at temperature 1, or the expectation over the score's tokens.
    ("geval", SUMMARY, "coherence", {"mode": "sampled"}, ["writer steps", "scorer fill"], Sampling(temperature=1, top_p=1, n=20)),
    ("geval", SUMMARY, "coherence", {"mode": "expected"}, ["writer steps", "scorer fill"], Sampling(temperature=1, top_p=1, logprobs=20)),
    ("geval", SUMMARY, "coherence", {"mode": "single"}, ["writer steps", "scorer fill"], Sampling(temperature=1, top_p=1)),
]  # fmt: skip


def purposes(requests: Sequence[ModelRequest]) -> list[str]:
    return [f"{one.context.agent} {one.context.purpose}" for one in requests if one.context]


@pytest.mark.parametrize(
    "protocol", PROTOCOLS, ids=lambda one: " ".join([one[0], *map(str, one[3].values())])
)
async def test_agents_are_asked_in_the_papers_order_with_the_papers_parameters(protocol: Protocol) -> None:
    name, item, aspects, options, asked, sampling = protocol
    requests = await conversation(name, item, aspects, **options)
    found = purposes(requests)
    assert found[: len(asked)] == asked
    assert len(found) == len(asked) or name == "geval"
    assert len({(one.messages, one.sample) for one in requests}) == len(requests), "each a sample of its own"
    judging = requests if name not in {"fusion", "geval"} else requests[1:2]
    assert {one.sampling for one in judging} == {sampling}


# Slots.

Slot = tuple[str, str, str]
"""The paper's section, what stands there, and words of ours that stand there."""
SCORE = ("E.2, form", "the score", '"Coherence:" and behind it a whole number from 1 to 5')
LOG = ("E.1", "the debate log: what scorer and critic said", f"Critic:\n~~~~\n{OBJECTION}")
DEBATE_TEMPLATE: Sequence[Slot] = (
    ("E.2, prompt", "what the text is", "summary of the source text"),
    ("E.2, example", "source text", SOURCE),
    ("E.2, example", "summary", SHORT),
    ("E.2, criteria", "aspect and scale", "Coherence, from 1 to 5"),
    ("E.2, steps", "steps to a score", "How to come to a score:\n1."),
)
DEBATE: dict[str, Sequence[Slot]] = {
    "score": (
        ("B.1, step 2", "asked for score and rationale", "Commander:\n~~~~\nPlease score the text on coherence"),
        ("E.1", "the scorer's role", "Your role: Scorer"),
        SCORE,
    ),
    "criticise": (
        ("Algorithm 1, line 6", "the score, passed on", "Scorer, passed on by the Commander:\n~~~~\n"),
        ("3 and E.1", "the critic's role", "Your role: Critic. You are the devil's advocate"),
        ("3", "a review, step by step", "Review the latest score"),
        ("Algorithm 1, line 8", "the stop word", "NO ISSUE"),
    ),
    "revise": (
        ("Algorithm 1, line 11", "the criticism", f"Critic, passed on by the Commander:\n~~~~\n{OBJECTION}"),
        ("E.1", "the scorer's role", "Your role: Scorer"),
        ("B.1, step 5", "the score is to be adjusted", "Reconsider your score"),
        SCORE,
    ),
    "rule": (
        LOG,
        ("E.1", "the tie-breaker's role", "Your role: Tie-breaker"),
        ("C.3", "the final score", "give the final\nscore"),
        SCORE,
    ),
}  # fmt: skip
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


def whole(request: ModelRequest) -> str:
    return "\n\n".join(message.content for message in request.messages)


def check(request: ModelRequest, table: Sequence[Slot]) -> None:
    """Every slot is there, each behind the one before it."""
    text = whole(request)
    places = [(slot, text.find(words)) for _, slot, words in table]
    assert [slot for slot, place in places if place < 0] == [], text
    for (one, before), (other, behind) in pairwise(places):
        assert before < behind, f"{other} stands before {one}:\n{text}"


async def test_debate_fills_its_templates() -> None:
    for request in await conversation("debate-tiebreaker", SUMMARY, "coherence"):
        assert request.context is not None
        check(request, (*DEBATE_TEMPLATE, *DEBATE[request.context.purpose]))


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
    [("multiagent", "critic-plain"), ("debate-weak", "critic-weak"), ("debate-moderate", "critic-moderate"), ("debate", "critic-strict")],
)  # fmt: skip
async def test_debates_critics_differ_in_their_persona_alone(name: str, card: str) -> None:
    """Figure 2, middle, and Appendix E.1: each can say NO ISSUE, and none is told to be silent."""
    _, request, *_ = await conversation(name, SUMMARY, "coherence", rounds=1)
    assert request.context is not None
    assert request.context.card == card
    text = whole(request)
    assert "If, and only if, you have nothing to object to, write NO ISSUE" in text
    if card != "critic-strict":
        assert text.count("you have nothing to object to") == 2, "the persona says when, in the form's words"


async def test_chateval_fills_table_6_and_calibrates_positions() -> None:
    requests = await conversation("chateval", TWO, "overall")
    for place, history, role in (
        (0, "", "General public"),
        (1, "General public", "Critic"),
        (3, "Critic", "Critic"),
    ):
        talk = [("Table 6", "discussion history", f"{history}:\n")] if history else []
        role_slot = ("Table 6", "role description", f"Your role: {role}")
        check(requests[place], (*TABLE_6, *talk, role_slot, *NAME_AND_BALLOT))
    assert "others have said" not in requests[0].messages[-1].content, "nobody has spoken yet"
    assert "others have said" in requests[1].messages[-1].content
    assert "Answer A:\n~~~~\nNever." in whole(requests[4]), "the other order"
    (single,) = await conversation("single-agent", TWO, "overall")
    check(single, (*TABLE_6, *NAME_AND_BALLOT))
    assert "heard and said" not in whole(single), "Section 3.3, footnote 3: without history and role"
    assert "others" not in single.messages[-1].content


async def test_dialogues_are_judged_with_the_fact_before_the_response_and_one_without_shows_none() -> None:
    """Fusion-Eval, Appendix A.3; DEBATE and ChatEval judge the same data."""
    for name in ("chateval-one-by-one", "debate", "solo"):
        request, *_ = await conversation(name, TALK, "groundedness")
        slots = ("Dialogue:\n", "Fact:\n", "Response:\n", "Groundedness, from 0 to 1")
        check(request, [("A.3", slot, slot) for slot in slots])
    for nothing in ("_nofact", "_nofact\n", "", "  "):
        item = TALK.model_copy(update={"fields": {**TALK.fields, "fact": nothing}})
        (request,) = await conversation("solo", item, "coherence")
        assert "nofact" not in whole(request)
        assert "Fact:" not in whole(request)


async def test_chatevals_same_role_is_one_card_for_all() -> None:
    requests = await conversation("chateval-same-role", TWO, "overall")
    assert {one.context.card for one in requests if one.context} == {"annotator"}, "Section 4.1"
    lines = [line for one in requests for line in one.messages[-1].content.splitlines()]
    roles = [line.split(".")[0] for line in lines if "Your role:" in line]
    assert roles == ["Your role: Alice", "Your role: Bob"] * 2, "Figure 2"


async def test_faireval_has_reasons_before_scores() -> None:
    for request in await conversation("faireval", TWO, "overall"):
        text, scores = request.messages[-1].content, '"Answer A:" and behind it a whole number from 1 to 10'
        assert text.index("Give your reasons first") < text.index(scores)
        assert "others" not in text


READERS = ("General public", "Critic", "News author")
VOTES = 'Role 1: General public\n"Reason:" and behind it a sentence or two\n"Vote:" and behind it a name'
RECRUIT: Sequence[Slot] = (
    ("3.1", "the text as context", SOURCE),
    ("3.1", "each generated text", SHORT),
    ("Figure 4", "coarse: occupations", "by walk of life"),
    ("Figure 4", "fine: familiarity with the topic", "by how much they know"),
    ("3.1", "user type and user description", "the type of reader"),
)
PLAY: Sequence[Slot] = (
    ("Figure 5", "article", SOURCE),
    ("Figure 5", "first summary", SHORT),
    ("Figure 5", "second summary", OTHER),
    *(("Figure 3", title, f"\n{number}. {title}\n") for number, title in enumerate(READERS, 1)),
    ("3.1", "the first dynamic role", "\n4. "),
    ("3.2", "each in their point of view", "from their own point of view"),
    ("3.2", "a reason and a vote for every role", VOTES),
    ("3.2", "the last static role", "Role 3: News author"),
)


async def test_drpe_recruits_five_readers_and_plays_them_beside_three_static_ones() -> None:
    """And its baselines have six readers and none (Section 4.1)."""
    recruit, play = await conversation("drpe", NEWS, "overall")
    assert recruit.context is not None
    assert sum(recruit.context.given.values()) == 5
    check(recruit, RECRUIT)
    check(play, PLAY)
    (manual,) = await conversation("mdrpe", NEWS, "overall")
    (plain,) = await conversation("llmscore", NEWS, "overall")
    titles = [[player.title for player in one.context.players] for one in (manual, plain) if one.context]
    assert titles == [["Student", "Business person", "Politician", *READERS], []]
    assert "Role 1" not in whole(plain)


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


def fusion_slots(*, planned: bool) -> Sequence[Slot]:
    plan: Sequence[Slot] = (("A.2", "the plan", "\nPlan:\n"),) if planned else ()
    form = [(one, f'"{one.capitalize()}:" and behind it a number from 1 to 5') for one in (*ALL, "overall")]
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
        *(("A.2, output", one, words) for one, words in form),
    )


ROUGE = "- rouge-1, from 0 to 1; it compares the text with the reference; higher is better"
PLAN: Sequence[Slot] = (
    ("A.1", "criteria", "Coherence, from 1 to 5"),
    ("A.1", "evaluators", ROUGE),
    ("Table 4", "which evaluator informs which aspect", '"Coherence:" and behind it a list of evaluators'),
)


async def test_fusion_eval_judges_with_and_without_a_plan_by_the_same_words() -> None:
    plan, planned = await conversation("fusion", SUMMARY, ALL, **EVALUATORS)
    check(plan, PLAN)
    assert SHORT not in whole(plan), "one plan for all items"
    check(planned, fusion_slots(planned=True))
    (judge,) = await conversation("fusion-noplan", SUMMARY, ALL, **EVALUATORS)
    check(judge, fusion_slots(planned=False))
    assert " plan" not in whole(judge).lower()
    assert planned.messages[0] == judge.messages[0]
    text = planned.messages[1].content
    without = text[: text.index("Plan:\n")] + text[text.index("Evaluators:\n") :]
    assert without.replace(" Follow the plan.", "") == judge.messages[1].content


async def test_fusion_evals_scales_for_dialogues_are_the_papers() -> None:
    """Appendix A.3: 1 to 3, 0 to 1, and 1 to 5 for the overall quality, any number between."""
    aspects = ("coherence", "engagingness", "naturalness", "groundedness", "understandability")
    (judge,) = await conversation("fusion-noplan", TALK, aspects, evaluators=("rouge-1:premise=fact",))
    assert judge.context is not None
    scales = {line.rated: str(line.aspect.scale) for line in judge.context.lines}
    papers = {**dict.fromkeys(aspects[:3], "1 to 3"), **dict.fromkeys(aspects[3:], "0 to 1")}
    assert scales == {**papers, "overall": "1 to 5"}
    assert all(line.aspect.scale.step is None for line in judge.context.lines)


FILL: Sequence[Slot] = (
    ("2.1", "source", SOURCE),
    ("2.1", "text", SHORT),
    ("2.1", "criterion and scale", "Coherence, from 1 to 5"),
    ("2.2", "the written steps", "Given to all:\n~~~~\n1."),
    ("2.3", "the form, scores only", "Coherence (a whole number from 1 to 5):"),
)


async def test_geval_writes_steps_and_fills_in_a_form_of_scores() -> None:
    steps, fill, *_ = await conversation("geval", SUMMARY, "coherence")
    assert SHORT not in whole(steps)
    check(
        steps,
        [("2.2", "task", "evaluated one after the other"), ("2.2", "criterion", "Coherence, from 1 to 5")],
    )
    check(fill, FILL)
