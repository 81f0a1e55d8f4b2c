"""agentdebate demo: a few summaries and replies of our own, judged by DEBATE on the offline judge."""

import shutil
import sys
from pathlib import Path

from agentdebate.cli.console import console, offline_note, out
from agentdebate.cli.logs import to_stderr
from agentdebate.cli.tables import print_items
from agentdebate.cli.tally import Tally
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.debate import ready
from agentdebate.project.project import Project, examples_root
from agentdebate.prompts.prompts import Prompts
from agentdebate.report.transcript_text import LiveView

PARTS = (
    ("summarization", "summaries.jsonl", ("consistency", "relevance")),
    ("dialogue", "replies.jsonl", ("engagingness",)),
)
"""Task, file and aspects of each part."""

STRATEGY = "debate"

NEXT = """
On a file of your own (fields "source" and "summary", one JSON object a line):

  {program} run debate FILE.jsonl --task summarization --aspects coherence,fluency

With a model of your own (any endpoint that speaks chat completions; --api-key-env names the variable with its key):

  {program} run debate FILE.jsonl --task summarization --model openai/gpt-4o-mini --base-url https://HOST/v1 --api-key-env KEY_VARIABLE
"""


async def demo() -> int:
    """Judge the examples by DEBATE on the embedded offline judge, and print the talk and the verdicts."""
    to_stderr()
    project = Project()
    view, tallies = LiveView(console()), []
    async with ready(STRATEGY, model="offline", project=project) as debate:
        for task_name, file, aspects in PARTS:
            tally = Tally()
            task = Prompts(project).task(task_name)
            for item in items(read_rows(examples_root() / file), task, Columns()):
                for aspect in aspects:
                    tally.add((await debate.hold(item, aspect, listeners=[view])).row())
            tallies.append(tally)
    for tally in tallies:
        print_items(tally)
        out()
    out(offline_note(["offline"]) or "")
    out(NEXT.format(program=program()))
    return max(tally.ended.exit_code for tally in tallies)


def program() -> str:
    """What the user types to run us: our name where it is on the path, else the file that was called."""
    called = sys.argv[0]
    if shutil.which("agentdebate") or Path(called).name != "agentdebate":
        return "agentdebate"
    return called
