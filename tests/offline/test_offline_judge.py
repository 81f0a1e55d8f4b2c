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
from agentdebate.models.base import ChatMessage, Context, Heard, Model, ModelRequest, Sampling
from agentdebate.offline.model import OfflineJudge, open_offline
from agentdebate.tasks import Aspect, Item, Scale, Task

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
            "2004", "he", ".", "!\n", "“", '"', "(", "NO ISSUE", "Coherence: 9", "final charm: 2", "{0",
            "<p>Charm: 1",
        ]
    )
).map(" ".join)  # fmt: skip
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
