"""Tables of inference about judges: what a panel is worth, whether one may replace an annotator, and figures corrected by labels."""

from collections.abc import Iterator, Sequence

from agentdebate.meta.alt_test import ENOUGH, AltTest
from agentdebate.meta.label_correction import Corrected, Correction
from agentdebate.meta.talk import grouped
from agentdebate.report.grid import NONE, Columns, Grid, Number, figure, p_value, shown
from agentdebate.studies.panel_worth import PanelWorth

_PANELS: Columns = {
    "aspect": "aspect",
    "by": "of",
    "judges": shown(len, "judges"),
    "worth": shown(Number, "value", "low", "high"),
    "correlation": shown(Number, "correlation"),
    "another": shown(Number, "another"),
    "at most": shown(Number, "most"),
    "n": "n",
}
_PANELS_NOTE = "worth: as many that err independently; another: one more that errs like these; at most: any number of them."
_VOTES_NOTE = "By votes alone they are worth this or more: judges who are right agree too."
_TALK_NOTE = "By last ballots: fewer than two agents cast one before they heard another."


def panel_grids(found: Sequence[PanelWorth]) -> Iterator[Grid]:
    """A table of panels, an aspect a row, and where they have more than two judges one of what each adds, a judge a row."""
    if found:
        votes = [_VOTES_NOTE] * any(one.of == "votes" for one in found)
        talk = [_TALK_NOTE] * any(one.after_talk for one in found)
        yield Grid.of("The judges as a panel", found, _PANELS, notes=[_PANELS_NOTE, *votes, *talk])
    for judges, some in grouped(found, lambda one: one.judges).items():
        if judges[2:]:
            yield Grid(
                "What each judge adds to the others",
                ("judge", *(one.aspect for one in some)),
                [(name, *(Number(one.adds[place]) for one in some)) for place, name in enumerate(judges)],
            )


_ALT_TESTS: Columns = {
    "judge": "judge",
    "aspect": "aspect",
    "winning rate": shown(Number, "winning_rate"),
    "advantage": shown(Number, "advantage"),
    "annotators": shown(len, "annotators"),
    "may replace": "passed",
}
_ANNOTATORS: Columns = {
    "annotator": "annotator",
    "advantage": shown(Number, "advantage"),
    "p": shown(p_value, "p"),
    "replaced": "replaced",
    "n": "n",
}


def alt_test_grids(found: Sequence[AltTest]) -> Iterator[Grid]:
    """A table of judges in the place of annotators, and for each judge and aspect one of the annotators."""
    if not found:
        return
    note = (
        "advantage: share of texts on which the judge is as near to the others as the annotator, or nearer; winning rate: share of annotators that "
        f"it replaces, {figure(ENOUGH)} or more; epsilon {figure(found[0].epsilon)}, Benjamini-Yekutieli at {figure(found[0].q)}."
    )
    yield Grid.of("Alternative annotator test", found, _ALT_TESTS, notes=[note])
    for one in found:
        lost = [f"{reason}: {count}" for reason, count in one.left_out.items()]
        yield Grid.of(
            f"{one.judge} in the place of annotators, {one.aspect}", one.annotators, _ANNOTATORS, notes=lost
        )


def _cell(one: Corrected | str | None) -> object:
    return Number(one.value, one.low, one.high) if isinstance(one, Corrected) else NONE


_CORRECTIONS: Columns = {
    "figure": "of",
    "judge": shown(Number, "by_judge"),
    "people": shown(Number, "by_people"),
    "PPI++": shown(_cell, "corrected"),
    "Rogan-Gladen": shown(_cell, "rogan_gladen"),
    "labels": "labels",
    "others": "others",
}
_CORRECTIONS_NOTE = "judge: over all texts; people: over those with labels, a random part of all; PPI++, Rogan-Gladen: the judge's figure corrected by them."


def correction_grids(found: Sequence[Correction]) -> Iterator[Grid]:
    """A table for each judge and aspect, a figure a row; figures that no share is of have no column of Rogan and Gladen's."""
    for (judge, aspect), some in grouped(found, lambda one: (one.judge, one.aspect)).items():
        shares = any(one.rogan_gladen for one in some)
        columns = {name: of for name, of in _CORRECTIONS.items() if shares or name != "Rogan-Gladen"}
        refused = [f"{one.of}: {one.rogan_gladen}." for one in some if isinstance(one.rogan_gladen, str)]
        title = f"{judge}, {aspect}: corrected by people's labels"
        yield Grid.of(title, some, columns, notes=[_CORRECTIONS_NOTE, *refused])
