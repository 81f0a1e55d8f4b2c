"""Runs side by side, with what they were held with and what they cost: the cells of an ablation."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from statistics import fmean
from typing import Any, Literal

from agentdebate.debates.outcome import ABSTAINED, FAILURE, OutcomeCounts, outcome_of
from agentdebate.errors import UsageError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import judged, scales_of
from agentdebate.meta.talk import grouped, seat_of
from agentdebate.models.prices import PriceTable, cost
from agentdebate.project.model_spec import beside
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.talk.messages import Verdict
from agentdebate.usage import Usage, total

Kind = Literal[
    "run",
    "same calls",
    "same tokens",
    "one judge",
    "thinks longer",
    "hearing nobody",
    "openings",
    "corrw",
    "cut",
]
"""A run of its own; the single judge sampled as often as it called, or until it took as many tokens, asked once, or asked once and told to
think longer; the same rounds in which no agent hears another; the vote of its openings without talk; its evaluators without its judge,
weighted by their correlation with people; its talk cut after a round."""

SAMPLED: Mapping[str, Kind] = {
    kind: kind for kind in ("same calls", "same tokens", "one judge", "thinks longer", "hearing nobody")
}
"""The controls that are runs of their own."""
READ_OFF = frozenset({"openings", "corrw", "cut"})
"""Controls that are read off a run, without calls of a model."""

PREFIX = "sweep-"
"""Prefix of a sweep's name."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of debates, failed ones included. What came out of a cache counts as if it had been paid for."""

    calls: int
    cached: int
    """Calls that a cache answered."""
    prompt_tokens: int
    completion_tokens: int
    money: float | None
    """Price of the calls; None if a price is unknown."""
    currency: str | None = None

    @property
    def tokens(self) -> int:
        """Sum of all costs."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True)
class Cell:
    """A run, or a control, as a line of a table and a point of a plot."""

    label: str
    run: str
    kind: Kind
    varied: Mapping[str, str]
    """Settings of the run, by what can vary: rounds, persona, agents, strategy, model."""
    judged: tuple[Judgements, ...]
    debates: int
    outcomes: OutcomeCounts
    """Numbers of debates by their ending."""
    cost: Cost
    note: str = ""
    """Note for the reader."""
    beside: str = ""
    """Label of the cell that this is a control of; empty for a cell that is not a control."""

    @property
    def coverages(self) -> list[Coverage]:
        """Coverage, aspect by aspect. What is read off a run has another name than its cell."""
        name = f"{self.label}, {self.kind}" if self.read_off else self.label
        return [replace(coverage(one), judge=name) for one in self.judged]

    @property
    def read_off(self) -> bool:
        """True if it is not a run of its own but comes from the transcripts of the one beside it."""
        return self.kind in READ_OFF

    @property
    def failures(self) -> int:
        """Number of failed debates."""
        return self.outcomes[FAILURE]

    @property
    def abstentions(self) -> int:
        """Number of debates that abstained."""
        return self.outcomes[ABSTAINED]

    @property
    def calls_each(self) -> float:
        """Calls a debate."""
        return self.cost.calls / self.debates if self.debates else 0.0

    @property
    def tokens_each(self) -> float:
        """Tokens a debate, those of prompts and those of replies."""
        return self.cost.tokens / self.debates if self.debates else 0.0


def cell_of(reader: Reader, head: RunHead, prices: PriceTable, *, label: str = "") -> Cell:
    """A stored run as a cell; `label` is what it is called."""
    rows = list(reader.rows(head.id))
    name = label or head.id
    return Cell(
        label=name,
        run=head.id,
        kind=SAMPLED.get(head.sweep.get("kind", ""), "run"),
        varied=held_with(reader, head),
        judged=judged(rows, name, scales=scales_of(head)),
        debates=len(rows),
        outcomes=OutcomeCounts(Counter(outcome_of(row).name for row in rows)),
        cost=cost_of(reader, head, prices),
    )


def cost_of(
    reader: Reader, head: RunHead, prices: PriceTable, *, turns: Collection[tuple[str, int]] | None = None
) -> Cost:
    """Add up the cost of the debates of a run that have ended, or of these turns in them, each an agent and a round."""
    shares = [
        one for one in reader.shares(head.id, ended=True) if turns is None or (one.agent, one.round) in turns
    ]
    by_model = {
        name: total(one.usage for one in some)
        for name, some in grouped(shares, lambda one: one.served).items()
    }
    whole, cached = total(by_model.values()), sum(one.usage.calls for one in shares if one.cached)
    money, currency = _money(by_model, _only(head), prices)
    return Cost(whole.calls, cached, whole.prompt_tokens, whole.completion_tokens, money, currency)


def _only(head: RunHead) -> str | None:
    """The name that the run's model was opened by, where there was only one: endpoints may call it otherwise."""
    models = head.configuration.get("models", ())
    return str(models[0]["name"]) if len(models) == 1 else None


def _money(
    by_model: Mapping[str, Usage], only: str | None, prices: PriceTable
) -> tuple[float | None, str | None]:
    found = {name: prices.price_served(beside(only, name) if only else name, name) for name in by_model}
    if any(price is None for price in found.values()):
        return None, None
    paid = {name: cost(usage, price) for name, usage in by_model.items() if (price := found[name])}
    currencies = {price.currency for name, price in found.items() if price and paid[name]}
    if len(currencies) > 1:
        return None, None
    return fsum(paid.values()), currencies.pop() if currencies else None


def held_with(reader: Reader, head: RunHead) -> dict[str, str]:
    """Read the settings of a run from its configuration and its verdicts."""
    strategy = head.configuration.get("strategy", {})
    strategies = inside(strategy)
    found = {
        "strategy": head.strategy,
        "model": head.model,
        "persona": ", ".join(_cards(strategies)),
        "agents": _voters(reader, head),
    }
    rounds = next((one["rounds"] for one in strategies if "rounds" in one), None)
    return found if rounds is None else {**found, "rounds": str(rounds)}


def inside(strategy: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """A strategy and those inside it, the innermost first."""
    within = [strategy.get("around"), *(one["strategy"] for one in strategy.get("stages", ()))]
    return [*(one for part in within if isinstance(part, Mapping) for one in inside(part)), strategy]


def _cards(strategies: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the cards that take part. A relay says nothing of its own."""
    return [
        card if isinstance(card, str) else str(card.get("name"))
        for one in strategies
        for role, named in one.get("cast", {}).items()
        if not (role == "commander" and one.get("commander") == "relay")
        for card in named
    ]


def _voters(reader: Reader, head: RunHead) -> str:
    """Count the agents that cast ballots in a debate; the mean if debates differ."""
    counts = [
        len({seat_of(cast.agent) for cast in said.ballots})
        for _, said in reader.said(head.id, ("verdict",))
        if isinstance(said, Verdict)
    ]
    return f"{fmean(counts):g}" if counts else "0"


def runs_named(reader: Reader, texts: Iterable[str]) -> list[tuple[str, RunHead]]:
    """Runs with what they are called: RUN, LABEL=RUN, or a sweep's name for all of its runs. Raises UsageError."""
    found: list[tuple[str, RunHead]] = []
    for text in texts:
        name, equals, run = text.rpartition("=")
        if run.startswith(PREFIX):
            found += [(head.sweep["cell"], head) for head in sweep(reader, run)]
        else:
            head = reader.run(run)
            found.append((name if equals else head.id, head))
    return found


def sweep(reader: Reader, name: str) -> list[RunHead]:
    """The runs of a sweep, the newest of each cell. Raises UsageError where there is none."""
    marked = [head for head in reader.runs() if head.sweep.get("name") == name]
    if not marked:
        known = sorted({str(head.sweep["name"]) for head in reader.runs() if head.sweep})
        raise UsageError(f"there is no sweep {name!r} in the store; it has {', '.join(known) or 'none'}")
    latest = {head.sweep["cell"]: head for head in marked}
    return list(latest.values())
