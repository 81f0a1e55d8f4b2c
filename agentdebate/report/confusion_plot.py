"""Which choice people made where the judge made which: a confusion matrix."""

from collections.abc import Sequence
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree, confusion
from agentdebate.meta.judgements import Choices
from agentdebate.meta.prose import counted
from agentdebate.report.panels import named, panels, size
from agentdebate.report.plot import Plot
from agentdebate.report.question import Question, shown
from agentdebate.visible import shortened

_LONGEST = 24
"""Characters of a text's name beside the matrix before it is cut."""
_MOST = 40
"""Texts that are compared in a matrix that can be read, a tie among them."""
_DARK = 0.55
"""From this share of the darkest cell on, figures in it are white."""


def confusion_plot(
    entries: Sequence[Choices], question: Question, title: str, note: str | None = None
) -> Plot:
    """A panel an aspect and a judge. Raises UserError."""
    if not entries:
        raise UsageError(
            "there is nothing to plot: the run compares no texts of which people's choice is known"
        )
    most = max(len(entry.labels) for entry in entries)
    if most > _MOST:
        raise UsageError(f"{most} texts are compared, and a matrix of more than {_MOST} cannot be read")
    asked = [
        tuple(
            agree(entry, name, bootstrap=question.bootstrap, missing=question.missing)
            for name in ("accuracy", "kappa")
        )
        for entry in entries
    ]
    found = [one for one, _ in asked]
    without = sum(one.missing + one.imputed for one in found)
    told = (
        f" {counted(without, 'item')} without one of the two choices {_stand(without)} in no cell."
        if without
        else ""
    )
    caption = (
        "Items by people's choice and the judge's; the darker, the larger the share of the row, which is all that people chose "
        "so. A tie is a choice of its own. Above each panel: accuracy and Cohen's kappa (unweighted)"
        f"{question.intervals([one for each in asked for one in each])}.{told}{question.of_missing(found, choices=True)}"
        f"{f' {note}' if note else ''}"
    )
    head = ("judge", "aspect", "people", "judge's choice", "items")
    rows = tuple(
        (entry.judge, entry.aspect, people, choice, count)
        for entry in entries
        for (people, choice), count in confusion(entry).items()
    )
    across, down = size(len(entries), columns=3, width=4.2, height=4.0)
    return Plot(title, caption, head, rows, (across, down), lambda figure: _draw(figure, entries, asked))


def _draw(figure: Any, entries: Sequence[Choices], asked: Sequence[tuple[Agreement, ...]]) -> None:
    several = len({entry.judge for entry in entries}) > 1
    for axes, entry, (accuracy, kappa) in zip(
        panels(figure, len(entries), columns=3), entries, asked, strict=True
    ):
        counted, labels = confusion(entry), entry.labels
        table = [[counted[people, choice] for choice in labels] for people in labels]
        parts = [[count / max(sum(line), 1) for count in line] for line in table]
        picture = axes.imshow(parts, cmap="Blues", vmin=0, vmax=1)
        picture.set_clip_on(False)  # in an SVG a clip path is named by where it is in memory
        for down, line in enumerate(table):
            for across, count in enumerate(line):
                colour = "white" if parts[down][across] > _DARK else "black"
                axes.text(across, down, f"{count}", ha="center", va="center", color=colour, fontsize=11)
        names = [shortened(label, _LONGEST) for label in labels]
        axes.set_xticks(range(len(labels)), names, rotation=30, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(labels)), names)
        axes.set(xlabel="judge", ylabel="people")
        axes.grid(visible=False)
        told = f"accuracy {shown(accuracy)}", f"kappa {shown(kappa)}"
        named(axes, entry.aspect, *([entry.judge] if several else []), *told)


def _stand(count: int) -> str:
    return "stands" if count == 1 else "stand"
