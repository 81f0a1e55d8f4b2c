"""The plan: which evaluator informs which aspect, written once for all items of a task (Fusion-Eval, Section 2)."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from agentdebate.ballots.plain import LONGEST
from agentdebate.ballots.plan import planned_names, read_plan
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import ContentError
from agentdebate.project.project import file_exists, read_text
from agentdebate.talk.messages import Chosen, Evidence, Plan
from agentdebate.talk.purposes import PLAN
from agentdebate.tasks import Aspect

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

NONE, WRITE = "none", "write"
"""Values in place of a file: for no plan, and for one that is written but not kept in a file."""


async def planned(floor: "Floor", where: str, evidence: Evidence) -> Plan | None:
    """The plan of this task and these evaluators, in the transcript of this debate; None for "none".

    It is read from the file `where`, or written by the agent in the role "planner", once for all debates, and kept in the
    file. Raises ContentError for a file that holds no plan, or cannot be read or written.
    """
    if where == NONE:
        return None
    find = partial(_found, floor, where, evidence)
    plan = await floor.once(_key(floor, where, evidence), find)
    return await floor.announce(plan)


def check_plan(where: str, aspects: Sequence[Aspect], *, selects: bool = False) -> None:
    """Raise ContentError for a file whose plan says nothing of some of the aspects, and for one that `selects` none for any."""
    path = Path(where)
    if where in (NONE, WRITE) or not file_exists(path, "the plan"):
        return
    text = read_text(path)
    _check_length(text, path)
    named = planned_names(text, aspects)
    if isinstance(named, Problem):
        raise _no_plan(named, path)
    if selects and not any(named.values()):
        raise ContentError(selects_none(aspects), path=path)


def selects_none(aspects: Sequence[Aspect]) -> str:
    """Describe the fault of a plan by which nothing can be computed, for any item."""
    of = ", ".join(aspect.name for aspect in aspects)
    return f'the plan selects no evaluator for {of}: judge other aspects, give another plan, or take = "all"'


def parsed(text: str, path: Path, aspects: Sequence[Aspect], evaluators: Sequence[str]) -> Plan:
    """The plan in a file. Raises ContentError."""
    _check_length(text, path)
    chosen = read_plan(text, aspects, evaluators)
    if isinstance(chosen, Problem):
        raise _no_plan(chosen, path)
    each = tuple(Chosen(aspect=name, evaluators=names) for name, names in chosen.items())
    return Plan(answers=0, text=text.strip(), chosen=each)


def _no_plan(problem: Problem, path: Path) -> ContentError:
    return ContentError(
        f"{problem.text} A plan ends with a line for each aspect: Coherence: rouge-l, bleu (or: none)",
        path=path,
    )


def _check_length(text: str, path: Path) -> None:
    if len(text) > LONGEST:
        raise ContentError(
            f"it has {len(text):,} characters; a plan, which every debate is shown, has at most {LONGEST:,}",
            path=path,
        )


def _key(floor: "Floor", where: str, evidence: Evidence) -> str:
    """Identify a plan: by a task, its aspects and the evaluators."""
    aspects = ", ".join(aspect.name for aspect in floor.aspects)
    names = ", ".join(sorted(_names(evidence)))
    return f"plan {where}: {floor.task.name}, {aspects}: {names}"


async def _found(floor: "Floor", where: str, evidence: Evidence) -> Plan:
    path = None if where == WRITE else Path(where)
    if path is not None and await run_sync(path.exists):
        return parsed(await run_sync(read_text, path), path, floor.aspects, _names(evidence))
    if path is not None:
        await run_sync(file_exists, path, "the plan")  # known before the plan is paid for
    given = {"evaluators": _described(evidence)}
    plan = await floor.ask(floor.one("planner"), PLAN, given=given)
    if path is not None and not floor.rehearsal:
        await run_sync(_write, path, plan.text)
    return plan


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ContentError(f"the plan cannot be written: {error.strerror}", path=path) from error


def _names(evidence: Evidence) -> list[str]:
    """The evaluators, each once."""
    return list(dict.fromkeys(finding.evaluator for finding in evidence.findings))


def _described(evidence: Evidence) -> list[dict[str, object]]:
    """The evaluators as the planner is told of them, each once."""
    found = {finding.evaluator: finding for finding in reversed(evidence.findings)}
    return [
        {
            "name": name,
            "low": one.low,
            "high": one.high,
            "premise": one.premise,
            "better": one.better,
            "about": one.about,
        }
        for name, one in reversed(found.items())
    ]
