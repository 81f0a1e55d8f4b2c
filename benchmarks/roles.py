"""What a crowd of role players costs: all roles in one reply, in replies of at most 20 roles, and one call a role (DRPE).

Held over a pair of about the size of the benchmarks, with made-up reasons of about 60 tokens and role descriptions of
about 25. Recruiting is not part of it: one call more, whatever the size of the crowd.
"""

import asyncio
from typing import Any

from agentdebate.agents.card import Card
from agentdebate.models.tokens import count
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.rehearsal import rehearse
from agentdebate.strategies.role_players import RolePlayers
from benchmarks.strategies import item_for, shared, text_of

CROWDS = (3, 8, 20, 50)
PERSONA = "You read the news on your way to work, and want to know within a minute what has changed since the day before."


def crowd(size: int) -> tuple[Card, ...]:
    """So many readers."""
    return tuple(Card(name=f"reader-{n}", title=f"Reader {n}", persona=PERSONA) for n in range(1, size + 1))


async def measure() -> None:
    """Print a row a crowd and way of asking."""
    project = Project()
    task = Prompts(project).task("summarization-pair")
    ways: dict[str, dict[str, Any]] = {
        "one reply": {"at_once": max(CROWDS)},
        "at most 20 a reply": {"at_once": 20},
        "a call a role": {"batch": False},
    }
    print(
        f"{'roles':>5}  {'asked':<20}{'calls':>6}{'prompt tokens':>15}{'completion':>12}{'prefix share':>14}"
    )
    for size in CROWDS:
        for way, options in ways.items():
            cast = {"players": crowd(size), "ensemble": ("ensemble",)}
            record = await rehearse(
                RolePlayers(cast=cast, **options), task, item=item_for(task), project=project
            )
            total, cached = shared(record)
            sent = sum(count(text_of(call.request)).n for call in record.calls)
            said = sum(count(call.completion.text).n for call in record.calls)
            print(f"{size:>5}  {way:<20}{len(record.calls):>6}{sent:>15}{said:>12}{cached / total:>14.0%}")
    print(f"tokens are {count('').method}s" if count("").method == "estimate" else "tokens are counted")


def main() -> None:
    """Run it."""
    asyncio.run(measure())
