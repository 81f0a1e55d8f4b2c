"""agentdebate demo: a few summaries of our own, judged by DEBATE on the offline judge; one debate is shown."""

from agentdebate.cli.console.output import console, out, show
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.project.project import Project, examples_root
from agentdebate.prompts.prompts import load_task
from agentdebate.report.run_page import RunResults
from agentdebate.report.transcript_text import LiveView, texts_of
from agentdebate.runs.evaluation import evaluate

ASPECTS = ("consistency", "relevance")
SHOWN = "harbour/invented/consistency"
"""The debate that is printed."""

NEXT = """
On a file of your own (fields "source" and "summary", one JSON object a line), and with a model of your own:

  agentdebate run debate FILE.jsonl --task summarization --aspects coherence,fluency
  agentdebate run debate FILE.jsonl --task summarization --model openai/gpt-6-luna --base-url https://HOST/v1 --api-key-env KEY_VARIABLE
"""


async def demo() -> int:
    """Judge the examples by DEBATE on the embedded offline judge; print one debate and all verdicts.

    Example: agentdebate demo
    """
    project = Project()
    task = load_task("summarization", project=project)
    given = list(items(read_rows(examples_root().joinpath("summaries.jsonl")), task, Columns()))
    async with evaluate(
        given, "debate", model=OFFLINE, aspects=ASPECTS, project=project, concurrency=1
    ) as run:
        records = [record async for record in run]
    shown = next(record for record in records if record.id == SHOWN)
    view = LiveView(console(), texts=lambda _: texts_of(shown.item, task))
    for message in shown.transcript:
        view(message)
    results = RunResults([record.row() for record in records])
    out("That was one debate of several. The verdicts of all:\n")
    show((*results.items(), ""))
    out(OFFLINE_NOTE)
    out(NEXT)
    return results.ended.exit_code
