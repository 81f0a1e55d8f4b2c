"""How the cells of a sweep are held: each a run of its own in the store, found again where the sweep was stopped."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from agentdebate.cli.casting import CastOptions
from agentdebate.cli.console import number, one_line, say
from agentdebate.cli.failures import first_of_its_kind
from agentdebate.cli.order import Order
from agentdebate.cli.outcome_words import ended_words
from agentdebate.cli.preparing import Prepared
from agentdebate.cli.progress import showing
from agentdebate.cli.supply import Supply
from agentdebate.datasets.dataset import Taken
from agentdebate.debates.debate import ready
from agentdebate.meta.judged import Choices, Judgements
from agentdebate.meta.judged_rows import judged, on_scales
from agentdebate.models.composition import Around
from agentdebate.models.registry import opener
from agentdebate.runs.evaluation import Evaluation
from agentdebate.store.reader import RunHead
from agentdebate.studies.cells import SWEEP, Kind
from agentdebate.studies.controls import control_label
from agentdebate.studies.held_cells import earlier_run, stored_run
from agentdebate.studies.sweep import CONTROL
from agentdebate.studies.sweeps import PREFIX

_FREE = ("folder", "concurrency", "spending")
"""What of an order decides nothing of what comes out."""


@dataclass(frozen=True)
class Planned:
    """A run to be held: its order, looked up and checked, with what its sweep calls it."""

    label: str
    kind: str
    order: Order
    prepared: Prepared
    taken: Taken
    sweep: str

    @property
    def data(self) -> dict[str, Any]:
        """Where the items come from."""
        return self.order.source.described(self.order.data, Supply(self.taken.items, self.taken))

    @property
    def mark(self) -> dict[str, Any]:
        """What the run's configuration says of its sweep."""
        return {"name": self.sweep, "cell": self.label, "kind": self.kind, "key": self.key}

    @property
    def key(self) -> str:
        """The same for whatever is held in the same way over the same data."""
        how = {
            "order": _lasting(self.order),
            "limits": self.prepared.settings.limits.row(),
            "data": self.data,
            "strategy": self.prepared.strategy.model_dump(mode="json", fallback=str),
            "task": self.prepared.task.model_dump(mode="json"),
            "content": self.prepared.project.digests(),
        }
        return _digest(how)


def name_of(order: Order) -> str:
    """The name of the sweeps that begin from this order: the same again where more is varied."""
    return f"{PREFIX}{_digest(_lasting(order))[:8]}"


def planned(order: Order, taken: Taken | None, *, label: str, kind: str, sweep: str) -> Planned:
    """An order looked up and checked, over items that were read already, or are read now. Raises UserError."""
    prepared = order.prepared()
    if taken is None:
        taken = order.source.load(order.data, prepared.task)
        for line in order.source.account(taken):
            say(line)
    return Planned(label, kind, order, prepared, taken, sweep)


def control(
    cell: Planned, judge: str, samples: int, temperature: float, kind: Kind = "same calls"
) -> Planned:
    """The single judge, sampled at the cost of a debate of the cell, over the same items. Raises UserError."""
    order = replace(
        cell.order,
        strategy=CONTROL,
        casting=CastOptions(option=(f"around={judge}", f"samples={samples}")),
        models=replace(cell.order.models, temperature=temperature),
        debates=replace(cell.order.debates, together=_together(cell)),
    )
    label = control_label(judge, samples, temperature, cell.order.models.model, kind)
    return planned(order, cell.taken, label=label, kind=kind, sweep=cell.sweep)


def to_be_judged(plan: Planned) -> tuple[Judgements | Choices, ...]:
    """What people say of the items of a run, beside a judge that has said nothing yet."""
    task = plan.prepared.task
    rows = [
        {
            "debate": f"{item.id}/{'+'.join(aspects)}",
            "id": item.id,
            "group": item.group,
            "system": item.system,
            "aspects": list(aspects),
            "candidates": [name for name in task.candidates if name in item.fields],
            "scores": {},
            "winners": [],
            "failure": None,
            "human": item.human,
        }
        for item in plan.taken.items
        for aspects in plan.prepared.sets
    ]
    scales = {aspect.name: aspect.scale for aspect in task.aspects}
    return on_scales(judged(rows, plan.label), scales)


async def try_out(plan: Planned, around: Around) -> None:
    """Make a run ready and leave it: a card, a key or a price that is missing shows while nothing is paid for yet.

    Nothing is asked of any model. Raises UserError.
    """
    order = plan.order
    shared = replace(around, known={})
    async with (
        aclosing(order.models.open(order.concurrency, shared)) as model,
        ready(
            plan.prepared.strategy,
            model=model,
            opener=opener(order.concurrency, shared),
            project=plan.prepared.project,
            settings=plan.prepared.settings,
        ),
    ):
        pass


async def hold(plan: Planned, store: str, around: Around) -> RunHead:
    """Hold a run, or what is left of it; one that has ended is not held again. Raises AgentDebateError."""
    before = earlier_run(store, plan.key)
    if before is not None and before.ended is not None:
        say(one_line(f"{plan.label}: run {before.id} has ended"))
        return before
    shared = replace(around, known={})  # a model is closed with the run that opened it
    async with plan.order.evaluated(
        plan.taken.items,
        plan.prepared,
        shared,
        store=store,
        configuration={"data": plan.data, SWEEP: plan.mark},
        resume=before.id if before else None,
    ) as evaluation:
        again = " taken up again" if before else ""
        say(one_line(f"{plan.label}: run {evaluation.id}{again}"))
        await _follow(evaluation)
    return stored_run(store, evaluation.id or "")


def _together(cell: Planned) -> bool:
    """Whether the cell judges all aspects in one debate, which its control has to do too."""
    return len(cell.prepared.sets) == 1 and len(cell.prepared.aspects) > 1


async def _follow(evaluation: Evaluation) -> None:
    kinds: set[str] = set()
    with showing(evaluation.progress) as line:
        async for record in evaluation:
            if record.failure and record.failure.error not in kinds:
                kinds.add(record.failure.error)
                say(first_of_its_kind(record.id, record.row()))
            line.update()
    done = evaluation.progress
    say(f"{ended_words(done.outcomes)}, {number(done.calls, 'call')}")


def _lasting(order: Order) -> Mapping[str, Any]:
    return {name: value for name, value in order.described().items() if name not in _FREE}


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
