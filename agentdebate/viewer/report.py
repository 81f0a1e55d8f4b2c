"""`report`: runs as one file that can be handed on, HTML or Markdown, in one call with the words of the command."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from agentdebate import __version__
from agentdebate.report.output_file import check_free, written
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead, data_files
from agentdebate.viewer.report_choice import Debates, ReportChoice
from agentdebate.viewer.report_file import ReportFile
from agentdebate.viewer.report_markdown import report_markdown
from agentdebate.viewer.shelf import Shelf


def write_report(
    *runs: str,
    output: str | Path,
    store: str | Path = USUAL_STORE,
    debates: Debates = "all",
    chosen: Sequence[str] = (),
    prompts: bool = True,
    public: bool = False,
    markdown: bool = False,
    size: Callable[[int], None] | None = None,
) -> Path:
    """Write runs into one HTML file that loads nothing, or with `markdown` into a short page for a pull request; its path.

    `runs` are names of runs in `store`, the beginnings of names, or "last"; with none it is the last one. `debates` says which
    are in it: "all" with what was said, those that failed ("failures"), or all as rows of a table ("rows"); `chosen` are the ids
    of some. Without `prompts` the prompt and the raw reply of each call are left out; with `public` all texts and prompts, and
    what repeats them: reasons, quotes, replies. `size` is called before the file is written, with about how many bytes it will
    have. Two runs are compared with one another too, the second with the first.

        ad.write_report("last", output="report.html", store="runs.db", public=True)

    Raises UsageError and StoreError; a file that was there stays as it was then.
    """
    choice = ReportChoice(debates, tuple(dict.fromkeys(chosen)), prompts, public)
    shelf = Shelf(store)
    try:
        heads = _heads(shelf, runs)
        check_free(Path(output), data_files(heads))
        choice.check(shelf, heads)
        if markdown:
            pieces: Iterable[str] = (report_markdown(shelf, heads, public=public),)
        else:
            file = ReportFile(shelf, heads, choice, __version__)
            if size is not None:
                size(file.size())
            pieces = file.pieces()
        with written(Path(output)) as stream:
            stream.writelines(pieces)
    finally:
        shelf.close()
    return Path(output)


def markdown_of(*runs: str, store: str | Path = USUAL_STORE, public: bool = False) -> str:
    """The short page of Markdown as text. Raises UsageError and StoreError."""
    shelf = Shelf(store)
    try:
        return report_markdown(shelf, _heads(shelf, runs), public=public)
    finally:
        shelf.close()


def _heads(shelf: Shelf, runs: Sequence[str]) -> list[RunHead]:
    """Each run once, whichever of its names it was called by."""
    found = (shelf.reader().run(name) for name in dict.fromkeys(runs or (LAST,)))
    return list({head.id: head for head in found}.values())
