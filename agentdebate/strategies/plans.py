"""The plan: which evaluator informs which aspect, written once for all items of a task (Fusion-Eval, Section 2)."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agentdebate.ballots.plain import LONGEST
from agentdebate.ballots.plan import planned_names, read_plan
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import ContentError
from agentdebate.options import NONE
from agentdebate.strategies.steps import TextFile
from agentdebate.talk.messages import Chosen, Evidence, Plan
from agentdebate.talk.purposes import PLAN
from agentdebate.tasks import Aspect

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

_WHAT = "the plan"


async def planned(floor: "Floor", where: str, evidence: Evidence) -> Plan | None:
    """The plan of this task and these evaluators, in the transcript of this debate; None for "none".

    It is read from the file `where`, or written by the agent in the role "planner", once for all debates, and kept in the
    file. Raises ContentError for a file that holds no plan, or cannot be read or written.
    """
    if where == NONE:
        return None
    aspects, names = [aspect.name for aspect in floor.aspects], sorted(_evaluators(evidence))
    key = f"plan {where}: {floor.task.name}, {', '.join(aspects)}: {', '.join(names)}"
    plan = await floor.once(key, partial(_found, floor, TextFile.named(where, _WHAT), evidence))
    return await floor.announce(plan)


def check_plan(where: str, aspects: Sequence[Aspect], *, selects: bool = False) -> None:
    """Raise ContentError for a file whose plan says nothing of some of the aspects, and for one that `selects` none for any."""
    file = TextFile.named(where, _WHAT)
    text = file.text() if file else None
    if file is None or text is None:
        return
    named = planned_names(text, aspects)
    if isinstance(named, Problem):
        raise _no_plan(named, file.path)
    if selects and named and not any(named.values()):
        raise ContentError(selects_none(aspects), path=file.path)


def selects_none(aspects: Sequence[Aspect]) -> str:
    """Describe the fault of a plan by which nothing can be computed, for any item."""
    of = ", ".join(aspect.name for aspect in aspects)
    return f'the plan selects no evaluator for {of}: judge other aspects, give another plan, or take = "all"'


def parsed(text: str, path: Path, aspects: Sequence[Aspect], evaluators: Sequence[str]) -> Plan:
    """The plan in a file. Raises ContentError."""
    if len(text) > LONGEST:
        raise ContentError(
            f"a plan, which every debate is shown, has at most {LONGEST:,} characters", path=path
        )
    chosen = read_plan(text, aspects, evaluators)
    if isinstance(chosen, Problem):
        raise _no_plan(chosen, path)
    each = tuple(Chosen(aspect=name, evaluators=names) for name, names in chosen.items())
    return Plan(answers=0, text=text.strip(), chosen=each)


def _no_plan(problem: Problem, path: Path) -> ContentError:
    form = "A plan ends with a line for each aspect: Coherence: rouge-l, bleu (or: none)"
    return ContentError(f"{problem.text} {form}", path=path)


async def _found(floor: "Floor", file: TextFile | None, evidence: Evidence) -> Plan:
    evaluators = _evaluators(evidence)
    # What is wrong with the file is known before the plan is paid for.
    text = await file.read() if file else None
    if file and text is not None:
        return parsed(text, file.path, floor.aspects, list(evaluators))
    plan = await floor.ask(floor.one("planner"), PLAN, given={"evaluators": list(evaluators.values())})
    if file and not floor.rehearsal:
        await file.add(plan.text)
    return plan


def _evaluators(evidence: Evidence) -> dict[str, dict[str, object]]:
    """The evaluators as the planner is told of them, each once, by name."""
    told: dict[str, dict[str, object]] = {}
    for one in evidence.findings:
        scores = {"name": one.evaluator, "low": one.low, "high": one.high}
        about = {"premise": one.premise, "better": one.better, "about": one.about}
        told.setdefault(one.evaluator, {**scores, **about})
    return told
