"""The page on how replies are read shows the tables of patterns as they are."""

import re

from snippets import ROOT

from agentdebate.ballots.replies import choice_patterns, score_patterns

PAGE = (ROOT / "docs" / "explanation" / "reading-replies.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"^\| `([\w ]+)` \| (.+) \|$", re.MULTILINE)
MOST = 1200


def test_the_page_has_every_pattern_with_its_example_in_order_and_no_other() -> None:
    rows = (*score_patterns.ROWS, *choice_patterns.ROWS)
    assert SHOWN.findall(PAGE) == [(row.name, re.sub(r"\n+", " ⏎ ", row.example)) for row in rows]


def test_the_page_is_short() -> None:
    assert len([word for word in PAGE.split() if re.search(r"\w", word)]) <= MOST
