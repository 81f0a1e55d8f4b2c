"""The page on how replies are read shows the tables of patterns as they are."""

import re

from snippets import ROOT

from agentdebate.ballots.replies import choice_patterns, score_patterns

PAGE = (ROOT / "docs" / "explanation" / "reading-replies.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"^\| `([\w ]+)` \| (.+) \|$", re.MULTILINE)
MOST = 1200


def test_the_page_has_every_pattern_with_its_example_in_order_and_no_other() -> None:
    scores = [(row.name, row.example) for row in score_patterns.ROWS]
    choices = [(row.name, row.example) for row in choice_patterns.ROWS]
    assert SHOWN.findall(PAGE) == [(name, re.sub(r"\n+", " ⏎ ", example)) for name, example in scores + choices]


def test_the_page_is_short() -> None:
    assert len([word for word in PAGE.split() if re.search(r"\w", word)]) <= MOST
