"""agentdebate list: agents, strategies, tasks, merges, models, evaluators, conventions and runs, and where each comes from."""

from typing import Any

from agentdebate.cli.console.command_lines import in_options
from agentdebate.cli.console.output import out_json, say, show
from agentdebate.cli.options.common import STORE, Consent, Json, ProjectPath, StorePath
from agentdebate.report.contents import LISTS, ContentList, content_table
from agentdebate.report.contents import list_content as contents
from agentdebate.store.place import shown

FIRST = frozenset(
    {
        "solo",
        "jury",
        "society",
        "d3",
        "debate",
        "debate-tiebreaker",
        "chateval",
        "chateval-one-by-one",
        "drpe",
        "fusion",
        "geval",
    }
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
        All built-in strategies, not only those that people begin with. JSON has all.

    """
    for one in (kind,) if kind else LISTS:
        rows = list(contents(one, project=Consent(project).found(), store=store))
        for row in rows:
            row.update({name: in_options(row[name]) for name in ("about", "error") if row.get(name)})
        if as_json:
            for row in rows:
                out_json({"kind": one, **row})
        elif one == "runs" and not rows:
            say(f"the store {shown(store)} has no run")
        else:
            some = rows if all or one != "strategies" else [row for row in rows if _is_first(row)]
            show((content_table(one, some), *(() if kind else [""])))
            if len(some) < len(rows):
                say(f"{len(rows)} strategies in all: agentdebate list strategies --all")
    return 0


def _is_first(row: dict[str, Any]) -> bool:
    return row["from"] != "built-in" or row["name"] in FIRST
