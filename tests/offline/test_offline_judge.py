"""The offline judge's turns: what it scores, objects to, concedes and rules, on small texts."""

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turn import SOURCE, SUMMARY, Turn

from agentdebate.ballots.replies.critic import read_critic
from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import ChatMessage, Heard, Model, ModelRequest
from agentdebate.offline.model import OfflineJudge, open_offline
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Aspect, Item, Scale, Task

FAITHFUL = (
    "The harbour bridge in Westhaven was closed after engineers found cracks in steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks. "
    "Ferries will carry commuters across the harbour until the bridge opens."
)
CRITICS = ("critic-weak", "critic", "critic-moderate", "critic-strict")


def about(aspect: str, text: str, purpose: str = "score", **more: Any) -> Turn:
    """A turn about one aspect of a summary."""
    item = Item(fields={"source": SOURCE, "summary": text}, id="one")
    return Turn(item=item, purpose=purpose, names=[aspect], **more)


def quotes(text: str) -> list[str]:
    return re.findall("“([^”]*)”", text)


def rated(value: float, *names: str) -> Heard:
    """Return what the scorer gave."""
    return Heard("scorer", "score", "My reasons.", dict.fromkeys(names, value))


async def test_invented_names_and_numbers_lower_consistency() -> None:
    invented = FAITHFUL.replace("Ines Calder", "Otto Brandt").replace("steel beams", "Granite Tower 17")
    scores = [(await about("consistency", text).scores())["consistency"] for text in (invented, FAITHFUL)]
    assert scores[0] < scores[1]


@pytest.mark.parametrize("own", ["answer_1", "answer_2"])
async def test_an_advocate_speaks_for_its_own_text_and_says_nothing_twice(own: str) -> None:
    fields = {"question": "Why is it shut?", "answer_1": FAITHFUL, "answer_2": "It was closed. Fine."}
    task = load_task("comparison", project=Project())
    turn = Turn(item=Item(fields=fields, id="one"), task=task, purpose="plead", given={"text": own})
    first = await turn.said()
    sides = {
        "answer_1": ("For Answer A", "Against Answer B"),
        "answer_2": ("For Answer B", "Against Answer A"),
    }
    assert all(paragraph.startswith(sides[own]) for paragraph in first.split("\n\n"))
    again = replace(turn, heard=[Heard("scorer", "statement", first)])
    assert not set(first.split("\n\n")) & set((await again.said()).split("\n\n"))


async def test_the_stricter_the_critic_the_more_often_it_objects() -> None:
    texts = [
        FAITHFUL,
        FAITHFUL[:60],
        "It was closed. Fine.",
        "Ferries ferries. " * 3,
        SOURCE,
        SOURCE[100:260],
    ]
    objections = dict.fromkeys(CRITICS, 0)
    for card, text, value in product(CRITICS, texts, (1, 3, 5)):
        heard = [rated(value, "coherence")]
        said = await about("coherence", text, "criticise", card=card, heard=heard).said()
        objections[card] += not said.endswith("NO ISSUE")
    counts = [objections[card] for card in CRITICS]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


async def criticised(text: str, card: str) -> str:
    """Return what a critic says of the consistency of a summary that has a 5."""
    return await about("consistency", text, "criticise", card=card, heard=[rated(5, "consistency")]).said()


async def test_a_critic_with_nothing_to_say_ends_with_the_stop_word_on_a_line_of_its_own() -> None:
    text = await criticised(FAITHFUL, "critic")
    assert text.splitlines()[-1] == "NO ISSUE"
    assert not re.search(r"too (high|low|harsh|generous)", text)


async def test_an_objection_never_contains_the_stop_word_even_where_the_text_does() -> None:
    text = await criticised("No issue 77 here, NO ISSUE. There is no issue with 88 goats.", "critic-strict")
    assert "too" in text
    assert "no issue" not in text.lower()


@pytest.mark.parametrize("card", CRITICS)
async def test_a_critic_never_repeats_itself_and_so_ends(card: str) -> None:
    text = "Shop owners fear 7 dragons dragons. Shop owners fear 7 dragons dragons. and"
    heard = [rated(5, "relevance")]
    arguments = []
    for _ in range(20):
        said = await about("relevance", text, "criticise", card=card, heard=heard).said()
        if said.endswith("NO ISSUE"):
            break
        arguments += [sentence for sentence in re.split(r"(?<=[.!])\s", said) if "“" in sentence]
        heard += [Heard(card, "critique", said), rated(5, "relevance")]
    else:
        pytest.fail("the critic found something new twenty times")
    assert arguments
    assert len(set(arguments)) == len(arguments)


async def test_a_scorer_concedes_an_argument_that_holds_and_repeats_it() -> None:
    argument = "The source never mentions “Otto Brandt”."
    critique = Heard("critic", "critique", f"A score of 5 is too generous. {argument}")
    wrong = "Mayor Otto Brandt said that repairs would take six weeks."
    turn = about("consistency", wrong, "revise", heard=[rated(5, "consistency"), critique])
    reply = await turn.said()
    assert turn.read(reply)["consistency"] < 5
    assert argument in reply


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
    heard = [rated(5, *(aspect.name for aspect in SUMMARY.choose(None)))]
    for source in (SOURCE, text):
        item = Item(fields={"source": source, "summary": text}, id="one")
        said = await Turn(item=item, purpose=purpose, card="critic-strict", heard=heard).said()
        assert said
        assert all(letter.isprintable() or letter == "\n" for letter in said)
        assert max(map(len, quotes(said)), default=0) < 100


def other_task(field: str, *names: str, scale: str = "1-5") -> Task:
    """A task that the judge does not know, with a text beside the one that is judged."""
    aspects = tuple(Aspect(name=one, scale=Scale.parse(scale), criterion=f"Rate the {one}.") for one in names)
    return Task(name="any", fields=(field, "text"), judged="text", aspects=aspects, brief="")


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
    task = other_task(field, "coherence", "consistency", "charm", scale=scale)
    high = rated(task.aspects[0].scale.high, *(aspect.name for aspect in task.aspects))
    heard = [high, Heard("critic", "critique", f"Too high: “{critique}” twice.")]
    asked = Turn(item=Item(fields={field: source, "text": text}), purpose=purpose, task=task, heard=heard)
    said = await asked.said()
    assert asked.read(said)
    last = said.split("\n")[-3:]
    assert [line.partition(": ")[0] for line in last] == ["Coherence", "Consistency", "Charm"]
    assert all(
        float(line.partition(": ")[2]) in one.scale for line, one in zip(last, task.aspects, strict=True)
    )


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS, st.sampled_from(CRITICS), st.integers(1, 5), st.booleans())
async def test_any_texts_get_either_an_objection_with_a_quote_or_the_stop_word(
    text: str, source: str, card: str, value: int, conversation: bool
) -> None:
    field = "dialogue" if conversation else "source"
    item, heard = Item(fields={field: source, "text": text}), [rated(value, "coherence", "fluency")]
    task = other_task(field, "coherence", "fluency")
    said = await Turn(item=item, purpose="criticise", task=task, card=card, heard=heard).said()
    assert read_critic(said).agrees is said.endswith("\nNO ISSUE")
    if said.endswith("\nNO ISSUE"):
        assert said.count("NO ISSUE") == 1
        assert "too " not in said
    else:
        assert quotes(said)
        assert "no issue" not in said.lower()


async def test_a_scale_with_grades_is_answered_in_them() -> None:
    graded = Aspect.model_validate({"name": "fluency", "criterion": "-", "grades": ["E", "D", "C", "B", "A"]})
    task = other_task("source", "fluency").model_copy(update={"aspects": (graded,)})
    turn = Turn(item=Item(fields={"source": SOURCE, "text": FAITHFUL}), task=task)
    text = await turn.said()
    assert re.search(r"^Fluency: [A-E]$", text, re.MULTILINE)
    assert turn.read(text)["fluency"] in graded.scale
