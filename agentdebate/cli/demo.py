"""agentdebate demo: a few summaries and replies of our own, judged by DEBATE on the offline judge or a model; one debate is shown."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.logs import to_stderr
from agentdebate.cli.console.output import console, out, show
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.ready import ready
from agentdebate.debates.record import OFFLINE, Record, offline_note
from agentdebate.project.project import Project, examples_root
from agentdebate.prompts.prompts import Prompts
from agentdebate.report.run_results import RunResults
from agentdebate.report.transcript_text import LiveView, texts_of
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Task

PARTS = (
    ("summarization", "summaries.jsonl", ("consistency", "relevance")),
    ("dialogue", "replies.jsonl", ("engagingness",)),
)
"""Task, file and aspects of each part."""

SHOWN = ("harbour/invented", "consistency")
"""The item and the aspect whose debate is printed, where not all are."""

STRATEGY = "debate"

NEXT = """
On a file of your own (fields "source" and "summary", one JSON object a line):

  {program} run debate FILE.jsonl --task summarization --aspects coherence,fluency

With a model of your own (any endpoint that speaks chat completions; --api-key-env names the variable with its key):

  {program} run debate FILE.jsonl --task summarization --model openai/gpt-6-luna --base-url https://HOST/v1 --api-key-env KEY_VARIABLE
"""


DemoModel = Annotated[
    str,
    Parameter(
        name=["--model", "-m"],
        help='"offline", or a model: the debates are the same.',
    ),
]


async def demo(*, model: DemoModel = OFFLINE) -> int:
    """Judge the examples by DEBATE on the embedded offline judge, or on a model; print one debate and all verdicts."""
    to_stderr()
    parts = await _hold(model)
    for results in parts:
        show((*results.items(), ""))
    if note := offline_note([model]):
        out(note)
    out(NEXT.format(program=program()))
    return max(results.ended.exit_code for results in parts)


async def _hold(model: str) -> list[RunResults]:
    """The debates of all parts, of which one is printed."""
    project, parts, held = Project(), list[RunResults](), 0
    chosen = strategy(STRATEGY, project=project)
    async with ready(chosen, model=model, project=project) as debate:
        for task_name, file, aspects in PARTS:
            rows = list[dict[str, Any]]()
            task = Prompts(project).task(task_name)
            for item in items(read_rows(examples_root().joinpath(file)), task, Columns()):
                for aspect in aspects:
                    record = await debate.hold(item, aspect)
                    if (item.id, aspect) == SHOWN:
                        _print_debate(record, task)
                    rows.append(record.row())
            held += len(rows)
            parts.append(RunResults(rows))
    out(f"That was one debate of {held}. The verdicts of all:\n")
    return parts


def _print_debate(record: Record, task: Task) -> None:
    view = LiveView(console(), texts=lambda _: texts_of(record.item, task))
    for message in record.transcript:
        view(message)


def program() -> str:
    """What the user types to run us: our name where it is on the path, else the file that was called."""
    called = sys.argv[0]
    if shutil.which("agentdebate") or Path(called).name != "agentdebate":
        return "agentdebate"
    return called
