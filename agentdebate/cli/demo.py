"""agentdebate demo: a few summaries and replies of our own, judged by DEBATE on the offline judge; one debate is shown."""

from typing import Any

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
"""The item and the aspect whose debate is printed."""

NEXT = """
On a file of your own (fields "source" and "summary", one JSON object a line), and with a model of your own:

  agentdebate run debate FILE.jsonl --task summarization --aspects coherence,fluency
  agentdebate run debate FILE.jsonl --task summarization --model openai/gpt-6-luna --base-url https://HOST/v1 --api-key-env KEY_VARIABLE
"""


async def demo() -> int:
    """Judge the examples by DEBATE on the embedded offline judge; print one debate and all verdicts.

    Example: agentdebate demo
    """
    project, parts = Project(), list[RunResults]()
    async with ready(strategy("debate", project=project), model=OFFLINE, project=project) as debate:
        for task_name, file, aspects in PARTS:
            rows, task = list[dict[str, Any]](), Prompts(project).task(task_name)
            for item in items(read_rows(examples_root().joinpath(file)), task, Columns()):
                for aspect in aspects:
                    record = await debate.hold(item, aspect)
                    if (item.id, aspect) == SHOWN:
                        _print_debate(record, task)
                    rows.append(record.row())
            parts.append(RunResults(rows))
    out("That was one debate of several. The verdicts of all:\n")
    for results in parts:
        show((*results.items(), ""))
    out(offline_note([OFFLINE]) or "")
    out(NEXT)
    return max(results.ended.exit_code for results in parts)


def _print_debate(record: Record, task: Task) -> None:
    view = LiveView(console(), texts=lambda _: texts_of(record.item, task))
    for message in record.transcript:
        view(message)
