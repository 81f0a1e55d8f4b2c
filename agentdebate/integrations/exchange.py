"""Between another tool and a judge: the texts that the tool holds, and what it takes of a verdict."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from agentdebate.errors import DebateError, UsageError
from agentdebate.runs.judge import Judge
from agentdebate.talk.messages import Verdict

Fields = Mapping[str, str]
"""Each field of the task, and the place of its text in the tool's object: names of attributes or keys, with dots between."""


def texts(fields: Fields, given: object) -> dict[str, str]:
    """Read the task's fields from a tool's object. Several texts in one place are joined by blank lines. Raises UsageError."""
    return {name: _text(name, path, given) for name, path in fields.items()}


def _text(name: str, path: str, given: object) -> str:
    try:
        found: Any = reduce(_inside, path.split("."), given)
    except (AttributeError, KeyError, TypeError) as error:
        raise UsageError(
            f"fields: nothing is at {path!r} for the field {name!r} in this {type(given).__name__}"
        ) from error
    parts = found if isinstance(found, list | tuple) else [found]
    if wrong := [type(part).__name__ for part in parts if not isinstance(part, str)]:
        raise UsageError(
            f"fields: at {path!r} for the field {name!r} is {wrong[0]}: name the place of a text, or of a list of texts"
        )
    return "\n\n".join(parts)


def _inside(given: Any, name: str) -> Any:
    return given[name] if isinstance(given, Mapping) else getattr(given, name)


def reasons(verdict: Verdict) -> str:
    """The last reason of each agent, and how the debate ended. Raises DebateError where it abstained, since that is not a score."""
    if verdict.abstained:
        raise DebateError(f"the judge abstained: {verdict.abstained}")
    latest = {cast.agent: cast.ballot.reason for cast in verdict.ballots}
    return "\n".join([*(f"{agent}: {said}" for agent, said in latest.items() if said), verdict.line()])


def facts(verdict: Verdict, judge: Judge) -> dict[str, Any]:
    """Facts about a debate besides its scores; `run` is where its transcript is, in the judge's store."""
    used = [spent.usage for spent in verdict.usage]
    return {
        "run": judge.run,
        "ended": verdict.ended,
        "settled": verdict.settled,
        "rounds": verdict.rounds,
        "calls": sum(usage.calls for usage in used),
        "tokens": sum(usage.tokens for usage in used),
    }
