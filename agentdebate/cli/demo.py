"""agentdebate demo: a few summaries and replies of our own, judged by DEBATE on the offline judge or a model; one debate is shown."""

import shutil
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.logs import to_stderr
from agentdebate.cli.console.output import console, out, say, show
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.debates.ready import ready
from agentdebate.debates.record import OFFLINE, Record, offline_note
from agentdebate.models.base import Sampling
from agentdebate.models.local_server import LOCAL_ABOUT, check_installed
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
        help='"offline", or "local": a small language model on this machine (agentdebate[local]); any other model works too.',
    ),
]

SMALL = "local"
"""The provider of the model for which the demo is a small one."""
SMALL_SAMPLING = Sampling(temperature=0.3, max_tokens=96, seed=1)
"""A model so small says anything at a temperature of 1, and repeats itself at 0."""
SMALL_ROUNDS = 1


async def demo(*, model: DemoModel = OFFLINE) -> int:
    """Judge the examples by DEBATE on the embedded offline judge, or on a model; print one debate and all verdicts."""
    to_stderr()
    if model.partition("/")[0] == SMALL:
        check_installed()
        say(
            f"{LOCAL_ABOUT} Two texts are judged, which takes a minute or two, and longer on a busy machine.\n"
        )
        parts = await _hold(model, SMALL_SAMPLING, most=1, rounds=SMALL_ROUNDS)
        note: str | None = LOCAL_ABOUT
    else:
        parts, note = await _hold(model, Sampling()), offline_note([model])
    for results in parts:
        show((*results.items(), ""))
    if note:
        out(note)
    out(NEXT.format(program=program()))
    return max(results.ended.exit_code for results in parts)


async def _hold(model: str, sampling: Sampling, most: int | None = None, **options: int) -> list[RunResults]:
    """The debates of all parts, of which one is printed: on `most` items of a part, by one aspect then, and all printed."""
    project, parts, held = Project(), list[RunResults](), 0
    chosen = strategy(STRATEGY, project=project, **options)
    async with ready(chosen, model=model, project=project, sampling=sampling) as debate:
        for task_name, file, aspects in PARTS:
            rows = list[dict[str, Any]]()
            task = Prompts(project).task(task_name)
            for item in islice(items(read_rows(examples_root().joinpath(file)), task, Columns()), most):
                for aspect in aspects[:most]:
                    record = await debate.hold(item, aspect)
                    if most is not None or (item.id, aspect) == SHOWN:
                        _print_debate(record, task)
                    rows.append(record.row())
            held += len(rows)
            parts.append(RunResults(rows))
    if most is None:
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
