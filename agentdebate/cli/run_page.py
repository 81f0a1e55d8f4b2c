"""A run as `agentdebate show` prints it: how it was held, how far it came, its tables."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentdebate.cli.console import number, one_line, out, out_json_list, say
from agentdebate.cli.cost_table import print_costs
from agentdebate.cli.crew_words import crew_record, print_crew
from agentdebate.cli.heading import families, heading
from agentdebate.cli.outcome_words import ended_words
from agentdebate.cli.run_coverage import nothing_judged, warn_of_missing
from agentdebate.cli.tables import print_results, see_run
from agentdebate.cli.tally import Tally
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import StoreError
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.row_order import aspect_order
from agentdebate.models.prices import prices
from agentdebate.report.coverage_table import coverage_record
from agentdebate.store.costs import Costs, costs_of
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.run_state import state_of


def show_run(reader: Reader, head: RunHead, store: str, *, as_json: bool) -> int:
    """Print a run. The exit code comes back: 1 where nothing could be read in it, and no process may still be at work."""
    left = reader.not_ended(head.id)
    crew = reader.crew(head.id)
    how_far = state_of(reader, store, head.id, crew)
    tally = Tally(aspects=aspect_order(head))
    for row in reader.rows(head.id):
        tally.add(row)
    coverages = tally.coverage.coverages
    costs = _costs(reader, head)
    if as_json:
        covered = [coverage_record(replace(one, judge=head.strategy)) for one in coverages]
        told = {
            **vars(head),
            "state": how_far,
            "not_ended": left,
            "families": families(head.configuration),
            "coverage": covered,
            "costs": _priced(costs),
        }
        told |= {"crew": crew_record(crew)} if crew else {}
        out_json_list(told, "rows", reader.rows(head.id))
        warn_of_missing(coverages)
        return _nothing_read(head, how_far, coverages)
    how = f"strategy {head.strategy}, task {head.task}, model {head.model}{_others(head)}"
    out(one_line(f"run {head.id}: {how}"))
    open_ended = f", {number(left, 'debate')} not ended" if left else ""
    begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
    out(f"begun {begun}, {how_far}: {ended_words(OutcomeCounts(head.outcomes))}{open_ended}")
    for line in heading(head.configuration, tally.cost):
        out(line)
    if crew is not None:
        print_crew(crew)
    out()
    if tally.rows:
        print_results(tally, see=see_run(head.id, store))
    tally.failures.print()
    if costs is not None:
        print_costs(costs)
    return _nothing_read(head, how_far, coverages)


def _costs(reader: Reader, head: RunHead) -> Costs | None:
    """What the run cost; None where a call is damaged, which is said: the sum would be too small."""
    try:
        return costs_of(reader, head, prices())
    except StoreError as error:
        say(one_line(f"warning: what the run cost is not known: {error}"))
        return None


def _priced(costs: Costs | None) -> dict[str, Any] | None:
    """What a run cost as JSON: by agent and model, and all together."""
    if costs is None:
        return None
    whole = {name: value for name, value in costs.total.row().items() if name not in ("agent", "model")}
    return {"total": whole, "by_agent": [one.row() for one in costs]}


def _nothing_read(head: RunHead, how_far: str, coverages: Sequence[Coverage]) -> int:
    """Say it where a run came to no verdict, and will not by itself; 1 then, and where an aspect has none."""
    if how_far not in ("ended", "stopped"):
        return 0
    if not head.verdicts:
        ended = f"not one of {number(head.ended_debates, 'debate')}" if head.ended_debates else "no debate"
        say(one_line(f"warning: nothing read: {ended} of run {head.id} came to a verdict"))
        return 1
    return 1 if nothing_judged(coverages) else 0


def _others(head: RunHead) -> str:
    """The models that some of the agents have of their own."""
    strategy = head.configuration.get("strategy")
    models = strategy.get("models") if isinstance(strategy, Mapping) else None
    return "".join(f", {agent} by {model}" for agent, model in (models or {}).items())
