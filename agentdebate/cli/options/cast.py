"""Options that make a strategy and say who plays in it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.options.common import json_pairs
from agentdebate.datasets.named_values import names, pairs
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.group_talk import REFEREES
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.sweep_cell import AGENTS, CAST


@Parameter(name="*")
@dataclass(frozen=True)
class CastOptions:
    """The strategy's options, and who plays which role."""

    option: Annotated[
        tuple[str, ...],
        Parameter(
            name=["--set"],
            help="OPTION=VALUE of the strategy, such as rounds=2.",
            negative="",
            show_default=False,
        ),
    ] = ()
    cast: Annotated[
        tuple[str, ...],
        Parameter(help="ROLE=CARD, such as critic=critic-weak.", negative="", show_default=False),
    ] = ()
    agents: Annotated[
        str | None,
        Parameter(
            help="The panel, where the strategy has one: cards with commas between them, or how many: of ChatEval's "
            f"{', '.join(REFEREES)}, and of a crowd's own readers."
        ),
    ] = None
    plan: Annotated[
        str | None,
        Parameter(
            help="A file that holds the plan of a strategy that has one; the planner writes it where it is not there yet."
        ),
    ] = None
    steps: Annotated[
        str | None,
        Parameter(
            help="A file that holds the evaluation steps of a strategy that has some written, by aspect; the writer adds those that are "
            "not there yet."
        ),
    ] = None
    agent_model: Annotated[
        tuple[str, ...],
        Parameter(
            help="CARD=MODEL or ROLE=MODEL: a model of its own for some of the agents, with an endpoint of its own: "
            "critic=openai/gpt-6.1-sol:base_url=https://...,api_key_env=OTHER_KEY.",
            negative="",
            show_default=False,
        ),
    ] = ()

    @property
    def words(self) -> StrategyWords:
        """The same as the library takes it. Raises UsageError."""
        files = {"plan": self.plan, "steps": self.steps}
        named = {name: path for name, path in files.items() if path is not None}
        return StrategyWords(
            {**json_pairs(self.option, "--set"), **named},
            {role: names(cards) for role, cards in pairs(self.cast, "--cast").items()},
            None if self.agents is None else agents_of(self.agents),
            pairs(self.agent_model, "--agent-model"),
        )

    def varied(self, given: Mapping[str, Any]) -> "CastOptions":
        """The options with what a cell of a sweep varies: the panel, who plays a role, options of the strategy."""
        cast = [
            f"{key.removeprefix(CAST)}={_cards(value)}"
            for key, value in given.items()
            if key.startswith(CAST)
        ]
        own = {key: value for key, value in given.items() if key != AGENTS and not key.startswith(CAST)}
        return replace(
            self,
            option=(*self.option, *(f"{key}={_json_text(value)}" for key, value in own.items())),
            cast=(*self.cast, *cast),
            agents=_cards(given[AGENTS]) if AGENTS in given else self.agents,
        )

    def strategy(self, name: str, project: Project, trust: Trust = USER) -> Strategy:
        """The strategy of that name with these options, of which `trust` says whose they are. Raises UserError."""
        return self.words.strategy(name, project, trust)


def _cards(value: Any) -> str:
    return str(value) if isinstance(value, int | str) else ",".join(map(str, value))


def _json_text(value: Any) -> str:
    """What is read as this value: text that means nothing in JSON is said as it is."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except json.JSONDecodeError:
            return value
    return json.dumps(value)


def agents_of(text: str) -> int | tuple[str, ...]:
    """The cards that --agents names, or how many it counts."""
    return int(text) if text.strip().lstrip("-").isdigit() else names(text)
