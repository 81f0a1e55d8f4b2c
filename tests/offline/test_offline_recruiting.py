"""The offline judge as a recruiter: roles that fit a text, in a form that can be read, whatever the text is."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.lineup import ballot_lines, lineup
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.roster import read_roster
from agentdebate.models.base import ChatMessage, Context, ModelRequest
from agentdebate.offline.model import OfflineJudge
from agentdebate.offline.source import Source
from agentdebate.offline.topics import topics
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Item, Task

SUMMARY = load_task(Project(), "summarization")
SUMMARIES = load_task(Project(), "summarization-pair")
COMPARISON = load_task(Project(), "comparison")
REPLIES = load_task(Project(), "dialogue-pair")

TRIAL = (
    "(CNN)Johnny Depp told the jury on Monday that Amber Heard had started every fight of their marriage. "
    "A lawyer for Heard asked the actor about a film that he lost after the lawsuit began. "
    "The judge sent the jury home early. Depp is suing Heard over an article, and Heard has sued him as well. "
    "Fans of Depp waited outside the court for the actor. The trial goes on."
)
LINE = re.compile(r"(\d+)\. ([^:\n]+): ([^\n]+)")


def pair(source: str, one: str = "Depp spoke.", two: str = "Heard spoke.") -> Item:
    return Item(fields={"source": source, "summary_1": one, "summary_2": two})


async def roster(
    item: Item, task: Task = SUMMARIES, given: Mapping[str, Any] | None = None, purpose: str = "recruit"
) -> str:
    chosen, shown = task.choose(None), lineup(task, item)
    lines = ballot_lines(chosen, shown)
    context = Context(
        task, item, chosen, purpose, "roster", "recruiter", "recruiter", 1, (), shown, lines, (), given or {}
    )
    completion = await OfflineJudge().complete(ModelRequest((ChatMessage("user", "x"),), context=context))
    return completion.text


def read(text: str, wanted: int) -> list[tuple[str, str]]:
    """The roles of a reply, which has to be of the form that is asked for."""
    recruits = read_roster(text, wanted)
    assert not isinstance(recruits, Problem), (recruits, text)
    found = [LINE.fullmatch(line) for line in text.split("\n")]
    matches = [match for match in found if match]
    assert len(matches) == len(found) == wanted, text
    assert [match[1] for match in matches] == [str(number) for number in range(1, wanted + 1)]
    roles = [(match[2], match[3]) for match in matches]
    assert [(role.type, role.description) for role in recruits] == roles
    for title, description in roles:
        assert len(title) <= 60, title
        assert len(title.split()) <= 8, title
        assert re.search(r"[^\W\d_]", title), title
        assert len(description) <= 300, description
    assert len({title.casefold() for title, _ in roles}) == wanted, text
    return roles


async def test_coarse_roles_are_of_the_fields_that_the_text_is_about() -> None:
    roles = read(await roster(pair(TRIAL), given={"coarse": 2, "fine": 0}), 2)
    assert [title for title, _ in roles] == ["Lawyer", "Celebrity watcher"]


async def test_a_coarse_role_names_the_words_of_its_field_that_the_text_has() -> None:
    (_, description), _ = read(await roster(pair(TRIAL), given={"coarse": 2, "fine": 0}), 2)
    assert "jury" in description


async def test_fine_roles_are_about_the_names_of_the_text() -> None:
    roles = read(await roster(pair(TRIAL), given={"coarse": 0, "fine": 2}), 2)
    assert [title for title, _ in roles] == [
        "Follower of news about Amber Heard",
        "Newcomer to the story of Johnny Depp",
    ]


async def test_a_fine_role_names_its_topic_in_its_description() -> None:
    for title, description in read(await roster(pair(TRIAL), given={"coarse": 0, "fine": 6}), 6):
        topic = re.sub(r"^.*? (?:about|of|on|to) ", "", title)
        assert topic.rpartition(" of ")[2] in description


async def test_coarse_roles_come_first_and_there_are_five_where_the_turn_names_no_number() -> None:
    roles = read(await roster(pair(TRIAL)), 5)
    assert [title.startswith(("Follower", "Newcomer", "Expert")) for title, _ in roles] == [False] * 2 + [
        True
    ] * 3


async def test_texts_on_other_matters_get_other_roles() -> None:
    storm = "The storm flooded the harbour. Firefighters led the rescue in heavy rain as the flood rose in Westhaven."
    ours = {title for title, _ in read(await roster(pair(TRIAL)), 5)}
    theirs = {title for title, _ in read(await roster(pair(storm)), 5)}
    assert not ours & theirs
    assert "Firefighter" in theirs


async def test_a_single_text_has_readers_too() -> None:
    item = Item(fields={"source": TRIAL, "summary": "Depp spoke."})
    assert read(await roster(item, SUMMARY), 5) == read(await roster(pair(TRIAL)), 5)


async def test_a_question_without_a_source_is_what_the_readers_are_found_for() -> None:
    item = Item(
        fields={
            "question": "How do I cook a meal of vegetables from the garden?",
            "answer_1": "Follow a recipe: bake the tomatoes with bread.",
            "answer_2": "Ask a chef.",
        }
    )
    roles = read(await roster(item, COMPARISON, {"coarse": 2, "fine": 2}), 4)
    assert "Cook" in [title for title, _ in roles]
    assert not any("news" in title for title, _ in roles)


async def test_the_positions_of_the_candidates_do_not_change_the_roles() -> None:
    fields = {
        "question": "Which way?",
        "answer_1": "Take the train.",
        "answer_2": "Take the ferry to Westhaven.",
    }
    task, item = COMPARISON, Item(fields=fields)
    chosen = task.choose(None)
    found = []
    for order in (["answer_1", "answer_2"], ["answer_2", "answer_1"]):
        shown = lineup(task, item, order)
        lines = ballot_lines(chosen, shown)
        context = Context(task, item, chosen, "recruit", "roster", "r", "r", 1, (), shown, lines)
        request = ModelRequest((ChatMessage("user", "x"),), context=context)
        found.append((await OfflineJudge().complete(request)).text)
    assert found[0] == found[1]


async def test_a_conversation_has_readers_too() -> None:
    item = Item(
        fields={
            "dialogue": "do you like jazz music ?\ni love the band of ella fitzgerald .",
            "fact": "",
            "response_1": "me too .",
            "response_2": "no .",
        }
    )
    assert "Musician" in [
        title for title, _ in read(await roster(item, REPLIES, {"coarse": 3, "fine": 0}), 3)
    ]


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "?!",
        "Football",
        "no",
        "12 34 5,6",
        "警察は昨日、東京で男を逮捕した。警察によると、男は銀行にいた。",
        "Полиция задержала мужчину в Москве.",
        "경찰은 어제 서울에서 남자를 체포했다.",
        "POLICE ARREST A MAN IN BOSTON",
        "x" * 5000,
        "a: b: c: 1. Editor: Reads. Vote: Summary B\n2. Type: Description",
        "\x00\ud800\u202e {{ given }} <script>",
    ],
)
@pytest.mark.parametrize("numbers", [(2, 3), (0, 1), (1, 0), (30, 40), (120, 120)])
async def test_any_text_gets_as_many_roles_as_are_wanted(source: str, numbers: tuple[int, int]) -> None:
    coarse, fine = numbers
    read(await roster(pair(source), given={"coarse": coarse, "fine": fine}), coarse + fine)


@settings(max_examples=60)
@given(st.text(max_size=200), st.integers(0, 9), st.integers(1, 9))
async def test_whatever_the_text_the_form_holds(source: str, coarse: int, fine: int) -> None:
    read(await roster(pair(source), given={"coarse": coarse, "fine": fine}), coarse + fine)


async def test_the_same_text_gets_the_same_roles() -> None:
    assert await roster(pair(TRIAL)) == await roster(pair(TRIAL))


async def test_a_roster_is_what_an_unknown_turn_that_wants_one_gets() -> None:
    assert await roster(pair(TRIAL), purpose="find readers") == await roster(pair(TRIAL))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mayor Ines Calder spoke. Calder left.", "Mayor Ines Calder"),
        ("On Monday the (CNN) team met Ines Calder.", "Ines Calder"),
        ("Russia's Victory Day came. Crowds saw Victory Day.", "Victory Day"),
        ("they sailed to New York. ships like New York.", "New York"),
        ("tomato plants need water; tomato plants need shade", "plants"),
    ],
)
def test_topics_are_names_before_words(text: str, expected: str) -> None:
    assert topics(Source.read(text), 1) == [expected]


def test_a_sentence_opens_with_a_capital_and_no_name() -> None:
    found = topics(Source.read("Officers met Ines. The officers talked to Ines."), 5)
    assert found[0] == "Ines"
    assert "Officers" not in found
