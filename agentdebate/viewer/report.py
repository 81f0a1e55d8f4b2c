"""`report`: runs as one file that can be handed on, HTML or Markdown, in one call with the words of the command."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from agentdebate.report.output_file import check_free, written
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead, data_files
from agentdebate.viewer.report_file import Debates, ReportFile
from agentdebate.viewer.report_markdown import report_markdown
from agentdebate.viewer.shelf import Shelf


def write_report(
    *runs: str,
    output: str | Path,
    store: str | Path = USUAL_STORE,
    debates: Debates = "all",
    prompts: bool = True,
    public: bool = False,
    markdown: bool = False,
) -> Path:
    """Write runs into one HTML file that loads nothing, or with `markdown` into a short page for a pull request; its path.

    `runs` are names of runs in `store`, the beginnings of names, or "last"; with none it is the last one. `debates` says which
    are in it: "all" with what was said, those that failed ("failures"), or all as rows of a table ("rows"). Without `prompts` the
    prompt and the raw reply of each call are left out; with `public` all that was said, and reasons of failures: debates are rows
    then. Two runs are compared with one another too, the second with the first.

        ad.write_report("last", output="report.html", store="runs.db", public=True)

    Raises UsageError and StoreError; a file that was there stays as it was then.
    """
    with closing(Shelf(store)) as shelf:
        heads = _heads(shelf, runs)
        check_free(Path(output), data_files(heads))
        pieces: Iterable[str]
        if markdown:
            pieces = (report_markdown(shelf, heads, public=public),)
        else:
            pieces = ReportFile(shelf, heads, debates, prompts=prompts, public=public).pieces()
        with written(Path(output)) as stream:
            stream.writelines(pieces)
    return Path(output)


def markdown_of(*runs: str, store: str | Path = USUAL_STORE, public: bool = False) -> str:
    """The short page of Markdown as text. Raises UsageError and StoreError."""
    with closing(Shelf(store)) as shelf:
        return report_markdown(shelf, _heads(shelf, runs), public=public)


def _heads(shelf: Shelf, runs: Sequence[str]) -> list[RunHead]:
    """Each run once, whichever of its names it was called by."""
    found = (shelf.reader().run(name) for name in dict.fromkeys(runs or (LAST,)))
    return list({head.id: head for head in found}.values())
