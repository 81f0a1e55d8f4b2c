"""agentdebate plot: pictures of a run, or of several side by side."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import one_line, out_json, say
from agentdebate.cli.console.run_page import warn_of_missing
from agentdebate.cli.options.agree import QuestionOptions
from agentdebate.cli.options.common import OUTPUT, STORE, Consent, Json, ProjectPath, StorePath
from agentdebate.datasets.named_values import names
from agentdebate.models.prices import prices as price_table
from agentdebate.report.coverage import nothing_judged
from agentdebate.report.plot import PlotKind, Unit, check_path
from agentdebate.report.plot import plot as drawn


def plot(
    kind: PlotKind,
    /,
    *runs: str,
    output: Annotated[Path, Parameter(name=["--output", "-o"], group=OUTPUT)],
    aspects: str | None = None,
    per: Unit = "calls",
    title: str | None = None,
    prices: Path | None = None,
    asking: QuestionOptions = QuestionOptions(),
    store: StorePath = STORE,
    project: ProjectPath = None,
    as_json: Json = False,
) -> int:
    """Draw a run, or several side by side, with a caption that says what is shown.

    people: the judge's scores against people's. scores: their distributions.
    rounds, persona, agents, strategy, model: agreement with people against what the runs were held with.
    cost: agreement against calls, tokens or money.

    Example: agentdebate plot people last -o people.png

    Parameters
    ----------
    kind
        What is drawn.
    runs
        Runs, or the beginnings of their names; LABEL=RUN gives one another name in the picture; a sweep's name stands for all of
        its runs.
    output
        A file that ends in .png, .svg or .html.
    aspects
        Aspects, with commas [all of them].
    per
        For cost: the unit of a debate's cost.
    title
        The title [what is plotted].
    prices
        For cost: a file of prices, which goes before the built-in table.

    """
    check_path(output)
    found = drawn(
        kind,
        *runs,
        aspects=names(aspects),
        per=per,
        title=title,
        prices=price_table(prices, project=Consent(project).found()),
        store=store,
        **asking.arguments,
    )
    warn_of_missing(found.coverages)
    found.write(output)
    if as_json:
        out_json({**found.to_dict(), "file": str(output)})
    else:
        say(one_line(f"{found.title}: {output}"))
    return 1 if nothing_judged(found.coverages) else 0
