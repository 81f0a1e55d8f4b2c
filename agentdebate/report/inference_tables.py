"""Tables of inference about judges: what a panel is worth, whether one may replace an annotator, and figures corrected by labels."""

from collections.abc import Sequence

from agentdebate.meta.alt_test import ENOUGH, AltTest
from agentdebate.meta.label_correction import Corrected, Correction
from agentdebate.meta.talk import grouped
from agentdebate.report.grid import NONE, Columns, Grid, Number, figure
from agentdebate.report.judge_tables import p_value
from agentdebate.studies.panel_worth import PanelWorth

_TWO = 2
_PANELS: Columns = {
    "aspect": "aspect",
    "by": "of",
    "judges": lambda one: len(one.judges),
    "worth": lambda one: Number(one.value, one.low, one.high),
    "correlation": lambda one: Number(one.correlation),
    "another": lambda one: Number(one.another),
    "at most": lambda one: Number(one.most),
    "n": "n",
}
_PANELS_NOTE = "worth: as many that err independently; another: one more that errs like these; at most: any number of them."
_VOTES_NOTE = "By votes alone they are worth this or more: judges who are right agree too."


def panel_grids(found: Sequence[PanelWorth]) -> tuple[Grid, ...]:
    """A table of panels, an aspect a row, and where they have more than two judges one of what each adds, a judge a row."""
    if not found:
        return ()
    notes = [_PANELS_NOTE, *([_VOTES_NOTE] if any(one.of == "votes" for one in found) else [])]
    adds = [
        Grid(
            "What each judge adds to the others",
            ("judge", *(one.aspect for one in some)),
            [(name, *(Number(one.adds[place]) for one in some)) for place, name in enumerate(judges)],
        )
        for judges, some in grouped(found, lambda one: one.judges).items()
        if len(judges) > _TWO
    ]
    return Grid.of("The judges as a panel", found, _PANELS, notes=notes), *adds


_ALT_TESTS: Columns = {
    "judge": "judge",
    "aspect": "aspect",
    "winning rate": lambda one: Number(one.winning_rate),
    "advantage": lambda one: Number(one.advantage),
    "annotators": lambda one: len(one.annotators),
    "may replace": "passed",
}
_ANNOTATORS: Columns = {
    "annotator": "annotator",
    "advantage": lambda one: Number(one.advantage),
    "p": lambda one: p_value(one.p),
    "replaced": "replaced",
    "n": "n",
}


def alt_test_grids(found: Sequence[AltTest]) -> tuple[Grid, ...]:
    """A table of judges in the place of annotators, and for each judge and aspect one of the annotators."""
    if not found:
        return ()
    note = (
        "advantage: share of texts on which the judge is as near to the others as the annotator, or nearer; winning rate: share of annotators that "
        f"it replaces, {figure(ENOUGH)} or more; epsilon {figure(found[0].epsilon)}, Benjamini-Yekutieli at {figure(found[0].q)}."
    )
    each = [
        Grid.of(
            f"{one.judge} in the place of annotators, {one.aspect}",
            one.annotators,
            _ANNOTATORS,
            notes=_lost(one),
        )
        for one in found
    ]
    return Grid.of("Alternative annotator test", found, _ALT_TESTS, notes=[note]), *each


def _lost(one: AltTest) -> list[str]:
    return [f"{reason}: {count}" for reason, count in one.left_out.items()]


def _cell(one: Corrected | str | None) -> object:
    return Number(one.value, one.low, one.high) if isinstance(one, Corrected) else NONE


_CORRECTIONS: Columns = {
    "figure": "of",
    "judge": lambda one: Number(one.by_judge),
    "people": lambda one: Number(one.by_people),
    "PPI++": lambda one: _cell(one.corrected),
    "Rogan-Gladen": lambda one: _cell(one.rogan_gladen),
    "labels": "labels",
    "others": "others",
}
_CORRECTIONS_NOTE = "judge: over all texts; people: over those with labels, a random part of all; PPI++, Rogan-Gladen: the judge's figure corrected by them."


def correction_grids(found: Sequence[Correction]) -> tuple[Grid, ...]:
    """A table for each judge and aspect, a figure a row; figures that no share is of have no column of Rogan and Gladen's."""
    return tuple(_corrected(some) for some in grouped(found, lambda one: (one.judge, one.aspect)).values())


def _corrected(some: Sequence[Correction]) -> Grid:
    shares = any(one.rogan_gladen for one in some)
    columns = {name: of for name, of in _CORRECTIONS.items() if shares or name != "Rogan-Gladen"}
    refused = [f"{one.of}: {one.rogan_gladen}." for one in some if isinstance(one.rogan_gladen, str)]
    title = f"{some[0].judge}, {some[0].aspect}: corrected by people's labels"
    return Grid.of(title, some, columns, notes=[_CORRECTIONS_NOTE, *refused])
