"""agentdebate list: agents, strategies, tasks, merges, models, evaluators, conventions and runs, and where each comes from."""

from typing import Any

from agentdebate.cli.console.command_lines import in_options
from agentdebate.cli.console.output import out_json, say, show
from agentdebate.cli.options.common import STORE, Json, ProjectPath, StorePath, project_at
from agentdebate.report.contents import LISTS, ContentList, content_table
from agentdebate.report.contents import list_content as contents
from agentdebate.store.place import shown

FIRST = frozenset(
    {"solo", "debate", "debate-tiebreaker", "chateval", "chateval-one-by-one", "drpe", "fusion", "geval"}
)
"""The built-in strategies that people begin with."""


def list_content(
    kind: ContentList | None = None,
    /,
    *,
    all: bool = False,
    project: ProjectPath = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """List what there is, and where it comes from.

    Example: agentdebate list strategies

    Parameters
    ----------
    kind
        What to list [everything but conventions and runs].
    all
        All built-in strategies, and not those alone that people begin with. JSON has all.

    """
    kinds: tuple[ContentList, ...] = (kind,) if kind else LISTS
    for place, one in enumerate(kinds):
        rows = [_in_options(row) for row in contents(one, project=project_at(project), store=store)]
        if as_json:
            for row in rows:
                out_json({"kind": one, **row})
        elif one == "runs" and not rows:
            say(f"the store {shown(store)} has no run")
        else:
            some = rows if all or one != "strategies" else [row for row in rows if _is_first(row)]
            show((*([""] if place else []), content_table(one, some)))
            if len(some) < len(rows):
                say(f"{len(rows)} strategies in all: agentdebate list strategies --all")
    return 0


def _is_first(row: dict[str, Any]) -> bool:
    return row["from"] != "built-in" or row["name"] in FIRST


def _in_options(row: dict[str, Any]) -> dict[str, Any]:
    """Name options in the place of arguments in a record's sentences."""
    return {name: in_options(value) if name in ("about", "error") else value for name, value in row.items()}
