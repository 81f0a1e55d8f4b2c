"""Pages shown to users: those of the viewer, the one for labels, and those that `report` writes, as a reader reads them.

Texts, headings, links, tables and fields stand in the goldens; names of runs, dates, times, addresses and versions do not.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import doors
import pytest
import scripted_judge
from browser import Viewer, hidden, read, viewing
from patience import until

ITEMS = [
    doors.item(
        "summarization",
        {"source": f"The bridge is shut. #{n}", "summary": f"It is shut. #{n}"},
        name=f"{source}/{n}",
        human={"relevance": 1 + (n * step) % 5},
        group=source,
        system=f"s{n}",
    )
    for source, step in (("a", 2), ("b", 3))
    for n in range(1, 4)
]
PAGES = {
    "runs": "/",
    "run": "/run?run={a}",
    "run-sorted": "/run?run={a}&sort=score%3Arelevance",
    "run-by-items": "/run?run={a}&layout=items",
    "run-found": "/run?run={b}&outcome=failure",
    "agreement": "/agreement?run={a}",
    "failures": "/failures?run={b}",
    "costs": "/costs?run={a}",
    "debate": "/debate?run={a}&id={debate}",
    "ballots": "/ballots?run={a}&id={debate}",
    "call": "/call?run={a}&id={debate}&number=1",
    "compare": "/compare?a={a}&b={b}",
    "pair": "/pair?a={a}&b={b}&id={debate}",
    "no-such-run": "/run?run=none",
}


def unsure(question: doors.Question) -> doors.Reply:
    """Answer as the scripted judge does, and about one item with nothing that could be read."""
    return (
        doors.Reply("I would rather not say.") if question.item == "b/2" else scripted_judge.answer(question)
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A store with a run of DEBATE and one of a single judge that failed at one item: where it is, and its names."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        kept = {"aspects": "relevance", "store": "agentdebate.db", "concurrency": 1}
        doors.evaluate(ITEMS, "debate", scripted_judge.answer, **kept)
        doors.evaluate(ITEMS, "solo", unsure, **kept)
        names = doors.runs("agentdebate.db")
        (debate, *_) = doors.typed("export", names["debate"]).json
        yield {
            "store": str(folder / "agentdebate.db"),
            "a": names["debate"],
            "b": names["solo"],
            "debate": quote(debate["debate"], safe=""),
        }


@pytest.fixture(scope="module")
def viewer(store: dict[str, str]) -> Iterator[Viewer]:
    """A viewer of the store."""
    with viewing(store["store"]) as found:
        found.enter()
        yield found


def plain(page: str, store: dict[str, str]) -> str:
    """A page as a reader reads it, without what differs from run to run."""
    text = read(page)
    for name, instead in ((store["a"], "RUN-A"), (store["b"], "RUN-B"), (store["store"], "STORE")):
        text = text.replace(quote(name), instead).replace(name, instead)
    for pattern, instead in (
        (r"(?ms)^\{$.*?^\}$", "CONFIGURATION"),  # digests of prompts among it
        (r"127\.0\.0\.1:\d+", "HOST"),
        (r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| UTC|[+-]\d{2}:\d{2})?", "DATE"),
        (r"#d[0-9a-f]{12}\b", "#DEBATE"),
        (r"\b(just now|(a|\d+) (seconds?|minutes?) ago)", "AGO"),
        (r"(?:(?:< ?)?[\d.]+ (?:ms|s|min|seconds)\b ?)+", "TIME"),
        (r"\b\d+\.\d+\.\d+[\w.+]*", "VERSION"),
    ):
        text = re.sub(pattern, instead, text)
    return text


def whole(viewer: Viewer, path: str) -> str:
    """A page with all its figures: where the machine is busy, some are left out the first time, and are there when it is asked for again."""
    pages: list[str] = []

    def complete() -> bool:
        pages.append(viewer.get(path).body)
        return not re.search("work it out|being worked out", pages[-1])

    until(complete)
    return pages[-1]


@pytest.mark.parametrize("name", PAGES)
def test_pages_of_the_viewer(
    name: str, viewer: Viewer, store: dict[str, str], golden: Callable[..., None]
) -> None:
    page = plain(whole(viewer, PAGES[name].format_map(store)), store)
    golden(f"view-{name}", page.partition("\n## Keys\n")[0])


REPORTS = {
    "report-page": ("--debates", "rows"),
    "report-page-public": ("--public",),
    "report-page-failures": ("--debates", "failures"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_pages_that_report_writes(name: str, store: dict[str, str], golden: Callable[..., None]) -> None:
    words = (store["a"], store["b"], "--store", store["store"], "-o", "report.html", *REPORTS[name])
    assert doors.typed("report", *words).code == 0
    golden(name, plain(Path("report.html").read_text(encoding="utf-8"), store))


def test_pages_on_which_a_person_labels(store: dict[str, str], golden: Callable[..., None]) -> None:
    said = []
    with viewing(store["store"], store["a"], "--label", "anna.jsonl") as desk:
        desk.enter()
        for _ in range(3):
            page = desk.get("/").body
            said.append(plain(page, store))
            desk.send("/", {**hidden(page), "relevance": "4"})
    golden("view-label", "\n\n".join(f"===== page {number}\n{text}" for number, text in enumerate(said, 1)))
