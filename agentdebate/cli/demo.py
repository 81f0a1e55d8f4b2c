"""agentdebate demo: a few summaries and replies of our own, judged by DEBATE on the offline judge; one debate is shown."""

from agentdebate.cli.console.output import console, out, show
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.ready import ready
from agentdebate.debates.record import OFFLINE, Record, offline_note
from agentdebate.project.project import Project, examples_root
from agentdebate.prompts.prompts import Prompts
from agentdebate.report.judged_text import quotes_in, texts_of
from agentdebate.report.run_tables.results import item_blocks
from agentdebate.report.run_tables.tally import Tally
from agentdebate.report.transcript_text import LiveView
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
    project, tallies = Project(), list[Tally]()
    async with ready(strategy("debate", project=project), model=OFFLINE, project=project) as debate:
        for task_name, file, aspects in PARTS:
            tally, task = Tally(), Prompts(project).task(task_name)
            for item in items(read_rows(examples_root().joinpath(file)), task, Columns()):
                for aspect in aspects:
                    record = await debate.hold(item, aspect)
                    if (item.id, aspect) == SHOWN:
                        _print_debate(record, task)
                    tally.add(record.row())
            tallies.append(tally)
    out("That was one debate of several. The verdicts of all:\n")
    for tally in tallies:
        show((*item_blocks(tally), ""))
    out(offline_note([OFFLINE]) or "")
    out(NEXT)
    return max(tally.ended.exit_code for tally in tallies)


def _print_debate(record: Record, task: Task) -> None:
    texts, quotes = texts_of(record.item, task), quotes_in(record.transcript)
    view = LiveView(console(), texts=lambda _: texts, quotes=quotes)
    for message in record.transcript:
        view(message)
