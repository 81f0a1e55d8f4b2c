"""The texts above a debate: folded in a terminal, whole elsewhere, with the quotes of the agents marked."""

from io import StringIO

from rich.console import Console

import agentdebate as ad
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.report.judged_text import (
    MOST_LINES,
    QUOTED,
    ItemText,
    print_texts,
    quotes_in,
    texts_of,
    with_marks,
    with_own_quotes,
)
from agentdebate.talk.messages import Statement
from agentdebate.tasks import Item

LONG = ItemText("summary", "One more word. " * 200, judged=True)


def printed(text: ItemText, quotes: tuple[str, ...] = (), *, terminal: bool) -> str:
    console = Console(
        file=StringIO(), width=40, force_terminal=terminal, color_system="standard" if terminal else None
    )
    print_texts(console, [text], quotes)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_terminal_gets_a_long_text_folded_and_a_file_all_of_it() -> None:
    folded, whole = printed(LONG, terminal=True), printed(LONG, terminal=False)
    assert len(folded.splitlines()) == MOST_LINES + 3
    assert "more lines" in folded
    assert whole.count("One") == 200


def test_quotes_are_marked_in_a_terminal_and_plain_elsewhere() -> None:
    text = ItemText("summary", "The bridge\nis closed.", judged=True)
    assert "\x1b[" in printed(text, ("Bridge is closed",), terminal=True).split("\n", 1)[1]
    assert printed(text, ("Bridge is closed",), terminal=False) == "summary\n  The bridge\n  is closed.\n\n"


def test_a_quote_is_found_across_line_ends_and_not_inside_a_word() -> None:
    marked = with_marks("A cat,\n  a category. THE CAT", ["cat, a", "cat"])
    assert [marked.plain[one.start : one.end] for one in marked.spans] == ["cat,\n  a", "cat", "CAT"]
    assert {one.style for one in marked.spans} == {QUOTED}


def test_of_a_reply_only_those_quotes_are_marked_that_stand_in_the_texts() -> None:
    said = with_own_quotes(
        'It says “the cat sat” and "the dog sat".', [ItemText("text", "The cat sat.", judged=True)]
    )
    assert [said.plain[one.start : one.end] for one in said.spans] == ["the cat sat"]


def test_what_replies_quote_is_gathered_once() -> None:
    said = Statement(
        sender="ann", to=("floor",), answers=1, text="“The cat” and “the mat.” and “The cat”, “a”"
    )
    assert quotes_in([said]) == ("The cat", "the mat")


def test_the_judged_text_comes_last_and_hidden_fields_not_at_all() -> None:
    item = Item(fields={"summary": "S.", "source": "Long.", "reference": "R."})
    shown = texts_of(item, Prompts(Project()).task("summarization"))
    assert [(one.name, one.judged) for one in shown] == [("source", False), ("summary", True)]


async def test_a_printed_transcript_cuts_long_texts_and_shows_all_that_are_compared() -> None:
    fields = {"question": "Why? " * 200, "answer_1": "For one reason.", "answer_2": "For two. " * 300}
    verdict = await ad.debate(ad.Item(task="comparison", fields=fields), "solo")
    shown = str(verdict.transcript)
    assert [line for line in shown.splitlines() if line in fields] == list(fields)
    assert "  For one reason." in shown
    assert shown.count("Why?") < 100
    assert shown.count("For two.") < 150
