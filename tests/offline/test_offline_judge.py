"""The offline judge's turns: what it scores, objects to, concedes and rules, on small texts."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import ballot_lines
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import ChatMessage, Completion, Context, Heard, Model, ModelRequest, Sampling
from agentdebate.offline.model import OfflineJudge, open_offline
from agentdebate.tasks import Aspect, Item, Scale, Task
from agentdebate.usage import Usage

SOURCE = (
    "The harbour bridge in Westhaven was closed on Monday after engineers found cracks in two steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks and cost 4 million euros. "
    "Ferries will carry commuters across the harbour until the bridge opens again. "
    "Shop owners near the bridge fear that they will lose customers. "
    "The bridge was built in 1931 and last painted in 2004."
)
FAITHFUL = (
    "The harbour bridge in Westhaven was closed after engineers found cracks in steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks. "
    "Ferries will carry commuters across the harbour until the bridge opens."
)
CRITICS = ("critic-weak", "critic", "critic-moderate", "critic-strict")


def aspects(*names: str, scale: str = "1-5") -> tuple[Aspect, ...]:
    return tuple(Aspect(name=name, scale=Scale.parse(scale), criterion=f"Rate the {name}.") for name in names)


def summarization(*names: str) -> Task:
    return Task(
        name="summarization",
        fields=("source", "summary"),
        judged="summary",
        aspects=aspects(*(names or ("coherence", "consistency", "fluency", "relevance"))),
        brief="",
    )


def request(
    task: Task,
    item: Item,
    purpose: str = "score",
    *,
    card: str = "scorer",
    heard: Sequence[Heard] = (),
    reply: str = "score",
    sampling: Sampling | None = None,
) -> ModelRequest:
    context = Context(task, item, task.aspects, purpose, reply, card, card, 1, tuple(heard))
    return ModelRequest((ChatMessage("user", "prompt"),), sampling or Sampling(), context=context)


def summary(text: str, source: str = SOURCE) -> Item:
    return Item(fields={"source": source, "summary": text}, id="one")


async def say(
    task: Task, item: Item, purpose: str = "score", card: str = "scorer", heard: Sequence[Heard] = ()
) -> str:
    kinds = {
        "criticise": "critique",
        "rule": "ruling",
        "summarise": "summary",
        "score": "score",
        "vote": "score",
        "revise": "score",
    }
    reply = kinds.get(purpose, "statement")
    completion = await OfflineJudge().complete(
        request(task, item, purpose, card=card, heard=heard, reply=reply)
    )
    return completion.text


async def score(aspect: str, text: str, source: str = SOURCE) -> float:
    task = summarization(aspect)
    return read_lines(await say(task, summary(text, source)), task.aspects)[aspect]


def read_lines(text: str, rated: Sequence[Aspect]) -> dict[str, float]:
    """The ballot in a reply, as agents read it; empty where there is none."""
    ballot = read_sheet(text, ballot_lines(rated, ()), patterns=False)
    return ballot.scores if isinstance(ballot, Ballot) else {}


def quotes(text: str) -> list[str]:
    return re.findall("“([^”]*)”", text)


def given_score(task: Task, value: float, sender: str = "scorer") -> Heard:
    return Heard(sender, "score", "My reasons.", {aspect.name: value for aspect in task.aspects})


async def test_invented_names_and_numbers_lower_consistency() -> None:
    invented = FAITHFUL.replace("Ines Calder", "Otto Brandt").replace("steel beams", "Granite Tower 17")
    assert await score("consistency", invented) < await score("consistency", FAITHFUL)


async def test_an_invented_name_is_quoted_as_the_reason() -> None:
    text = await say(summarization("consistency"), summary(FAITHFUL.replace("Ines Calder", "Ottokar")))
    assert any("Ottokar" in quote for quote in quotes(text))


async def test_shuffled_sentences_lower_coherence() -> None:
    one, two, three = FAITHFUL.split(". ")
    shuffled = f"{three.rstrip('.')}. {two}. {one}."
    assert await score("coherence", shuffled) < await score("coherence", FAITHFUL)


async def test_repeated_words_lower_fluency() -> None:
    stumbling = FAITHFUL.replace("engineers", "engineers engineers").replace("weeks", "weeks weeks weeks")
    assert await score("fluency", stumbling) < await score("fluency", FAITHFUL)


async def test_a_summary_beside_the_subject_has_low_relevance() -> None:
    aside = "Painters love old photographs. Nobody knows who keeps the albums in the attic."
    assert await score("relevance", aside) < await score("relevance", FAITHFUL)


async def test_a_reply_that_uses_the_fact_is_better_grounded_than_one_that_does_not() -> None:
    task = Task(
        name="talk",
        fields=("dialogue", "fact", "response"),
        judged="response",
        aspects=aspects("groundedness", "engagingness"),
        brief="",
    )
    fields = {
        "dialogue": "do you like jazz ?\ni do . who is your favourite ?\n",
        "fact": "ella fitzgerald won 13 grammys",
    }
    good = Item(
        fields={**fields, "response": "i love ella fitzgerald , she won 13 grammys . have you heard her ?"}
    )
    dull = Item(fields={**fields, "response": "i am not sure ."})
    rated = [read_lines(await say(task, item), task.aspects) for item in (good, dull)]
    assert rated[0]["groundedness"] > rated[1]["groundedness"]
    assert rated[0]["engagingness"] > rated[1]["engagingness"]


async def test_an_unknown_aspect_is_measured_by_the_words_of_its_criterion() -> None:
    """ "truthfulness" asks for what the source supports, so invention costs it, and repetition alone does not."""
    aspect = Aspect(
        name="veracity", scale=Scale.parse("1-5"), criterion="Is every claim supported by the source?"
    )
    task = summarization().model_copy(update={"aspects": (aspect,)})
    rated = [
        read_lines(await say(task, summary(text)), (aspect,))["veracity"]
        for text in (FAITHFUL, FAITHFUL.replace("Ines Calder", "Otto Brandt").replace("Westhaven", "Quimper"))
    ]
    assert rated[0] > rated[1]


async def test_reasons_come_before_one_closing_line_for_each_aspect() -> None:
    task = summarization("coherence", "consistency")
    text = await say(task, summary(FAITHFUL))
    assert re.fullmatch(r".*\n\nCoherence: [1-5]\nConsistency: [1-5]", text, re.DOTALL)
    assert len(quotes(text)) > 1


@pytest.mark.parametrize("card", CRITICS)
async def test_a_critic_quotes_evidence_that_stands_in_the_item(card: str) -> None:
    bad = "He said that repairs repairs would cost 9 million. He said that repairs repairs would cost 9 million."
    task = summarization("relevance", "consistency", "coherence")
    text = await say(task, summary(bad), "criticise", card, [given_score(task, 5)])
    assert quotes(text)
    assert "too high" in text or "too generous" in text
    assert all(quote in bad or quote in SOURCE for quote in quotes(text))


async def test_the_stricter_the_critic_the_more_often_it_objects() -> None:
    task = summarization("coherence")
    texts = [
        FAITHFUL,
        FAITHFUL[:60],
        "It was closed. Fine.",
        "Ferries ferries. " * 3,
        SOURCE,
        SOURCE[100:260],
    ]
    objections = dict.fromkeys(CRITICS, 0)
    for card in CRITICS:
        for text in texts:
            for value in (1, 3, 5):
                said = await say(task, summary(text), "criticise", card, [given_score(task, value)])
                objections[card] += not said.endswith("NO ISSUE")
    counts = [objections[card] for card in CRITICS]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


async def test_a_critic_with_nothing_to_say_ends_with_the_stop_word_on_a_line_of_its_own() -> None:
    task = summarization("consistency")
    text = await say(task, summary(FAITHFUL), "criticise", "critic", [given_score(task, 5)])
    assert text.splitlines()[-1] == "NO ISSUE"
    assert not re.search(r"too (high|low|harsh|generous)", text)


async def test_an_objection_never_contains_the_stop_word_even_where_the_text_does() -> None:
    task = summarization("consistency")
    planted = "No issue 77 here, NO ISSUE. There is no issue with 88 goats."
    text = await say(task, summary(planted), "criticise", "critic-strict", [given_score(task, 5)])
    assert "too" in text
    assert "no issue" not in text.lower()


async def test_a_critic_reads_the_score_from_the_words_that_a_commander_passes_on() -> None:
    task = summarization("consistency")
    bad = summary("The bridge cost 99 million in 1871.")
    objects = await say(
        task, bad, "criticise", "critic", [Heard("commander", "statement", "It said:\n\nConsistency: 5")]
    )
    content = await say(
        task, bad, "criticise", "critic", [Heard("commander", "statement", "It said:\n\nConsistency: 1")]
    )
    assert not objects.endswith("NO ISSUE")
    assert content.endswith("NO ISSUE")


@pytest.mark.parametrize("card", CRITICS)
async def test_a_critic_never_repeats_itself_and_so_ends(card: str) -> None:
    task = summarization("relevance")
    item = summary("Shop owners fear 7 dragons dragons. Shop owners fear 7 dragons dragons. and")
    heard = [given_score(task, 5)]
    arguments = []
    for _ in range(20):
        said = await say(task, item, "criticise", card, heard)
        if said.endswith("NO ISSUE"):
            break
        arguments += [sentence for sentence in re.split(r"(?<=[.!])\s", said) if "“" in sentence]
        heard += [Heard(card, "critique", said), given_score(task, 5)]
    else:
        pytest.fail("the critic found something new twenty times")
    assert arguments
    assert len(set(arguments)) == len(arguments)


async def revised(text: str, *said: str, value: float = 5) -> tuple[float, str]:
    """The scorer's number for consistency after these critiques, and its reply."""
    task = summarization("consistency")
    heard = [given_score(task, value), *(Heard("critic", "critique", one) for one in said)]
    reply = await say(task, summary(text), "revise", heard=heard)
    return read_lines(reply, task.aspects)["consistency"], reply


WRONG = "Mayor Otto Brandt said that repairs would take six weeks."


async def test_a_scorer_concedes_an_argument_that_holds_and_repeats_it() -> None:
    score, reply = await revised(
        WRONG, "A score of 5 is too generous. The source never mentions “Otto Brandt”."
    )
    assert score < 5
    assert "The source never mentions “Otto Brandt”." in reply


async def test_a_scorer_turns_down_what_the_text_contradicts() -> None:
    score, reply = await revised(
        WRONG, "Too harsh. “Mayor Otto Brandt said that” is what the source says.", value=1
    )
    assert score == 1
    assert "nothing new that I can find" in reply


async def test_a_scorer_gives_way_upwards_too() -> None:
    """The text has one name, and the source has it."""
    text = "Repairs were announced, said Calder."
    score, _ = await revised(
        text, "A score of 1 for consistency is too harsh. The source mentions “Calder”, too.", value=1
    )
    assert 1 < score <= 5


@pytest.mark.parametrize(
    "critique", ["Too high!", "The figure in “sold in 1999” is wrong, so the score is too high."]
)
async def test_a_scorer_stays_where_it_finds_nothing_of_what_was_said(critique: str) -> None:
    assert (await revised(WRONG, critique))[0] == 5


async def test_a_scorer_does_not_pay_twice_for_one_argument() -> None:
    task, item = summarization("consistency"), summary(WRONG)
    critique = Heard("critic", "critique", "Too generous. The source never mentions “Otto Brandt”.")
    passed_on = Heard("commander", "statement", critique.text)
    first = await say(task, item, "revise", heard=[given_score(task, 5), critique, passed_on])
    after = read_lines(first, task.aspects)
    heard = [given_score(task, 5), critique, passed_on, Heard("scorer", "score", first, after), critique]
    assert read_lines(await say(task, item, "revise", heard=heard), task.aspects) == after
    assert first.count("You have a point") == 1


async def test_a_scorer_that_hears_no_issue_stands_by_its_score() -> None:
    assert (await revised(FAITHFUL, "Nothing more.\n\nNO ISSUE", value=2))[0] == 2


async def test_a_whole_debate_between_two_offline_agents_ends() -> None:
    task = summarization("coherence")
    item = summary("It says bridge bridge. The year 2004 came. It says bridge bridge. and the")
    heard: list[Heard] = []
    for _ in range(20):
        text = await say(task, item, "revise" if heard else "score", heard=heard)
        heard.append(Heard("scorer", "score", text, read_lines(text, task.aspects)))
        critique = await say(task, item, "criticise", "critic-strict", heard)
        heard.append(Heard("critic-strict", "critique", critique))
        if critique.endswith("NO ISSUE"):
            return
    pytest.fail("twenty rounds without an end")


async def test_a_tie_breaker_sides_with_a_critic_whose_evidence_holds() -> None:
    task = summarization("consistency")
    claim = Heard("critic", "critique", "Too generous. The source never mentions “Otto Brandt”.")
    text = await say(task, summary(WRONG), "rule", "tie-breaker", [given_score(task, 5), claim])
    assert read_lines(text, task.aspects)["consistency"] < 5
    assert "side with the objection" in text


async def test_a_tie_breaker_sides_with_the_score_where_no_objection_holds() -> None:
    task = summarization("consistency")
    heard = [
        given_score(task, 5),
        Heard("critic", "critique", "Too high: the source never mentions “Lions”."),
    ]
    text = await say(task, summary(FAITHFUL), "rule", "tie-breaker", heard)
    assert read_lines(text, task.aspects) == {"consistency": 5}
    assert "side with the score" in text


async def test_a_commander_passes_on_the_last_message_word_for_word() -> None:
    last = Heard("critic", "critique", "First line.\n\nSecond “line”.")
    text = await say(
        summarization(), summary(FAITHFUL), "forward", "commander", [Heard("x", "score", "older"), last]
    )
    assert text.endswith(f"\n\n{last.text}")
    assert "older" not in text


async def test_a_commander_opens_without_a_score_of_its_own() -> None:
    task = summarization("coherence", "fluency", "relevance")
    opened = await say(task, summary(FAITHFUL), "open", "commander")
    assert "coherence, fluency and relevance" in opened
    heard = [Heard("commander", "statement", opened)]
    assert await say(task, summary(FAITHFUL), heard=heard) == await say(task, summary(FAITHFUL))


async def test_a_summary_has_what_each_speaker_said_last() -> None:
    heard = [
        Heard(name, "statement", said) for name, said in (("ann", "One."), ("bob", "Two."), ("ann", "Three."))
    ]
    text = await say(summarization("coherence"), summary(FAITHFUL), "summarise", "summarizer", heard)
    assert text == "bob says: Two.\n\nann says: Three."


async def test_cards_look_at_a_text_from_viewpoints_of_their_own() -> None:
    task = summarization("relevance").rescaled({"relevance": Scale.parse("0-100")})
    item = summary(FAITHFUL)
    rated = {
        await say(task, item, "vote", card) for card in ("scientist", "psychologist", "news-author", "author")
    }
    assert len(rated) > 1


async def test_a_voter_moves_a_little_towards_an_argument_that_the_text_bears_out_and_says_whose_it_is() -> (
    None
):
    task = summarization("relevance").rescaled({"relevance": Scale.parse("0-100")})
    item = summary(f"{FAITHFUL} Otto Brandt, Lisa Amsel and 17 lions disagree, said Amsel.")
    alone = await say(task, item, "vote", "scientist")
    objection = await say(task, item, "criticise", "critic-strict", [given_score(task, 100)])
    moved = await say(task, item, "vote", "scientist", [Heard("author", "statement", objection)])
    one, other = (read_lines(said, task.aspects)["relevance"] for said in (alone, moved))
    assert one - 25 < other < one
    assert f"I give author this: {objection.partition('. ')[2]}" in moved


async def test_a_voter_does_not_move_for_what_it_does_not_find_in_the_text() -> None:
    task = summarization("coherence")
    heard = [Heard("author", "statement", "It says “elephants ferry commuters” twice. Dreadful.")]
    moved = await say(task, summary(FAITHFUL), "vote", "scientist", heard)
    assert moved == await say(task, summary(FAITHFUL), "vote", "scientist")


async def test_a_speaker_gives_an_opinion_with_quotes_and_no_score() -> None:
    task = summarization("coherence", "relevance")
    said = await say(task, summary(FAITHFUL), "speak", "general-public")
    assert quotes(said)
    assert read_lines(said, task.aspects) == {}
    assert read_lines(await say(task, summary(FAITHFUL), "vote", "general-public"), task.aspects).keys() == {
        "coherence",
        "relevance",
    }


async def test_a_speaker_answers_an_argument_that_the_text_does_not_bear_out() -> None:
    task, said = summarization("consistency"), "The source never mentions “Otto Brandt”."
    item = summary(f"{FAITHFUL} {WRONG} Ines Calder, Westhaven and Monday are in it, said Calder.")
    text = await say(task, item, "speak", "scientist", [Heard("critic", "statement", said)])
    assert "Against what I heard from critic I say this: The source mentions" in text


@pytest.mark.parametrize(
    ("reply", "like"),
    [("critique", "criticise"), ("summary", "summarise"), ("ruling", "rule"), ("rhyme", "speak")],
)
async def test_a_purpose_of_somebody_elses_is_answered_by_the_kind_of_reply(reply: str, like: str) -> None:
    task = summarization("coherence")
    heard = [given_score(task, 1)]
    own = request(task, summary(FAITHFUL), "cross-examine", card="critic", heard=heard, reply=reply)
    known = request(task, summary(FAITHFUL), like, card="critic", heard=heard, reply=reply)
    judge = OfflineJudge()
    assert (await judge.complete(own)).text == (await judge.complete(known)).text


async def test_a_judge_fresh_or_used_gives_the_same_request_the_same_text() -> None:
    task = summarization()
    used = OfflineJudge()
    await used.complete(request(task, summary("Something else entirely.")))
    asked = request(task, summary(FAITHFUL))
    texts = {(await judge.complete(asked)).text for judge in (used, used, OfflineJudge())}
    assert len(texts) == 1


async def test_a_completion_costs_one_call_and_no_tokens() -> None:
    asked = request(summarization(), summary(FAITHFUL), sampling=Sampling(n=3))
    completion = await OfflineJudge().complete(asked)
    assert completion == Completion(
        text=completion.text,
        model="offline",
        usage=Usage(calls=1),
        others=(completion.text,) * 2,
        latency=completion.latency,
    )
    assert completion.latency > 0


async def test_a_request_without_a_context_is_refused() -> None:
    with pytest.raises(RequestRefused, match="context"):
        await OfflineJudge().complete(ModelRequest((ChatMessage("user", "hello"),)))


async def test_it_is_opened_by_name_and_takes_no_options() -> None:
    judge = open_offline("offline")
    assert isinstance(judge, Model)
    assert (judge.name, judge.structured) == ("offline", False)
    await judge.aclose()
    with pytest.raises(UsageError, match="temperature"):
        open_offline("offline", temperature=1)
    with pytest.raises(UsageError, match="large"):
        open_offline("large")


@pytest.mark.parametrize(
    "text", ["", "word", "...", "\x00\x1b[31m\ud800\u202e red\x07", "漢字かな。交じり文。", "é" * 10_000]
)
@pytest.mark.parametrize(
    "purpose", ["score", "criticise", "revise", "rule", "speak", "vote", "summarise", "forward"]
)
async def test_odd_texts_are_answered_in_printable_words(text: str, purpose: str) -> None:
    task = summarization()
    for source in (SOURCE, text):
        said = await say(task, summary(text, source), purpose, "critic-strict", [given_score(task, 5)])
        assert said
        assert all(letter.isprintable() or letter == "\n" for letter in said)
        assert max(map(len, quotes(said)), default=0) < 100


WORDS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        [
            *SOURCE.split(),
            "2004",
            "he",
            ".",
            "!\n",
            "“",
            '"',
            "(",
            "NO ISSUE",
            "Coherence: 9",
            "final charm: 2",
            "{0",
            "<p>Charm: 1",
        ]
    )
).map(" ".join)
TURNS = st.tuples(
    st.sampled_from(["score", "revise", "rule", "vote"]), st.sampled_from(["source", "dialogue", "question"])
)
SCALES = st.sampled_from(["1-5", "0-1", "1-3", "1-5 any", "0-1 any", "0-100"])


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS, WORDS, SCALES, TURNS)
async def test_any_texts_get_a_reply_with_closing_lines_on_their_scales(
    text: str, source: str, critique: str, scale: str, turn: tuple[str, str]
) -> None:
    purpose, field = turn
    rated = aspects("coherence", "consistency", "charm", scale=scale)
    task = Task(name="any", fields=(field, "text"), judged="text", aspects=rated, brief="")
    heard = [
        given_score(task, rated[0].scale.high),
        Heard("critic", "critique", f"Too high: “{critique}” twice."),
    ]
    said = await say(task, Item(fields={field: source, "text": text}), purpose, heard=heard)
    assert isinstance(read_sheet(said, ballot_lines(rated, ())), Ballot), said
    last = said.split("\n")[-3:]
    assert [line.partition(": ")[0] for line in last] == ["Coherence", "Consistency", "Charm"]
    assert all(
        float(line.partition(": ")[2]) in aspect.scale for line, aspect in zip(last, rated, strict=True)
    )


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS, st.sampled_from(CRITICS), st.integers(1, 5), st.booleans())
async def test_any_texts_get_either_an_objection_with_a_quote_or_the_stop_word(
    text: str, source: str, card: str, value: int, conversation: bool
) -> None:
    field = "dialogue" if conversation else "source"
    rated = aspects("coherence", "fluency")
    task = Task(name="any", fields=(field, "text"), judged="text", aspects=rated, brief="")
    said = await say(
        task, Item(fields={field: source, "text": text}), "criticise", card, [given_score(task, value)]
    )
    assert read_critic(said).agrees is said.endswith("\nNO ISSUE")
    if said.endswith("\nNO ISSUE"):
        assert said.count("NO ISSUE") == 1
        assert "too " not in said
    else:
        assert quotes(said)
        assert "no issue" not in said.lower()


async def test_a_scale_with_grades_is_answered_in_them() -> None:
    graded = Aspect.model_validate({"name": "fluency", "criterion": "-", "grades": ["E", "D", "C", "B", "A"]})
    task = summarization("fluency").model_copy(update={"aspects": (graded,)})
    text = await say(task, summary(FAITHFUL))
    assert re.search(r"^Fluency: [A-E]$", text, re.MULTILINE)
    assert read_lines(text, task.aspects)["fluency"] in graded.scale
