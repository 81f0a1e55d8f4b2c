"""What notebooks and print show of verdicts, records, runs, transcripts, agreement and tables."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.report.notebook import ROWS, drawn
from agentdebate.tables.column import Column
from agentdebate.tables.table import Table
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.testing import replying

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202e&amp; {{ 7 * 7 }} \x1b[31m"
AGREEMENT = ad.meta.Agreement(
    judge=HOSTILE,
    aspect="coherence",
    statistic="spearman",
    level="group",
    value=0.5,
    low=0.25,
    high=0.75,
    n=9,
    groups=3,
)
TAGS = {
    "div", "style", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "b", "pre",
}  # fmt: skip


class Tags(HTMLParser):
    """The tags and attributes of a page, and whether every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names, self.attributes, self.open = set[str](), set[str](), list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def agreement_table() -> ad.report.AgreementTable:
    rows = [{"id": f"{HOSTILE[:20]}{n}", "a": 1 + n % 3, "b": 1 + n % 2} for n in range(6)]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    aspect = "coherence"
    return ad.agree(data="rows.jsonl", human=f"{aspect}=a", score=f"{aspect}=b", aspects=aspect, resamples=0)


@pytest.fixture
async def shown() -> dict[str, Any]:
    """A value of each kind, of a debate in which everybody is hostile."""
    item = ad.Item(
        task="summarization",
        id=HOSTILE[:30],
        fields={"source": HOSTILE, "summary": HOSTILE},
        group=HOSTILE,
        system=HOSTILE,
    )
    model = replying(
        {"scorer": f"{HOSTILE}\n\nCoherence: 3", "critic": f"{HOSTILE} NO ISSUE"}, name=HOSTILE[:40]
    )
    async with ad.evaluate([item], "debate", model=model, aspects="coherence", store="runs.db") as evaluation:
        (record,) = [one async for one in evaluation]
    store = ad.open_store("runs.db")
    run = store.run()
    return {
        "verdict": record.verdict,
        "record": record,
        "transcript": record.transcript,
        "agreement": AGREEMENT,
        "agreement table": agreement_table(),
        "dynamics": ad.dynamics(run),
        "run": run,
        "stored record": run.records()[0],
        **{
            f"table {name}": getattr(run, name)()
            for name in ("items", "records", "ballots", "calls", "messages", "costs")
        },
    }


async def test_html_is_static_and_escapes_what_others_wrote_and_a_repr_is_a_short_line(
    shown: dict[str, Any],
) -> None:
    for kind, value in shown.items():
        page = value._repr_html_()
        tags = Tags(page)
        assert tags.open == []
        assert tags.names <= TAGS, kind
        assert tags.attributes <= {"class", "open"}, "nothing acts, links or is loaded"
        assert not re.search("[\u202e\x1b]|url\\(|@import", page), kind
        assert len(repr(value)) < 200
        assert repr(value).isprintable()
    verdict = re.sub(r"<style>.*?</style>", "", shown["verdict"]._repr_html_(), flags=re.DOTALL)
    assert "49" not in verdict, "no template is run"


async def test_the_transcript_of_a_verdict_is_no_part_of_what_is_compared_or_stored() -> None:
    item = ad.Item(task="summarization", fields={"source": "The cat sat.", "summary": "A cat sat."})
    verdict = await ad.debate(item, "solo", aspects="coherence")
    read = message_in(message_line(verdict))
    assert isinstance(read, ad.Verdict)
    assert read == verdict
    assert (len(verdict.transcript) > 2, len(read.transcript)) == (True, 0)


def test_a_long_table_says_that_it_goes_on_and_a_long_cell_is_cut() -> None:
    rows = [{"text": "x" * 100_000} for _ in range(ROWS + 1)]
    page = drawn(Table.of("long", [Column("text")], rows))
    assert f"the first {ROWS} rows" in page
    assert page.count("<tr>") == ROWS + 1
    assert len(page) < 20_000


def test_what_has_no_html_is_an_error() -> None:
    with pytest.raises(TypeError, match="int has no HTML"):
        drawn(3)
