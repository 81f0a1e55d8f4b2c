"""Tables of what judges are good for: how many independent ones a panel is worth."""

from collections.abc import Sequence

from agentdebate.meta.panel_worth import PanelWorth
from agentdebate.meta.talk import grouped
from agentdebate.report.grid import Columns, Grid, Number

_TWO = 2
_PANELS: Columns = {
    "aspect": "aspect",
    "judges": lambda one: len(one.judges),
    "worth": lambda one: Number(one.value, one.low, one.high),
    "correlation": lambda one: Number(one.correlation),
    "another adds": lambda one: Number(one.another),
    "at most": lambda one: Number(one.most),
    "n": "n",
}
_PANELS_NOTE = (
    "worth: as many judges that err independently; another adds: one more that errs with these as they do with each other; at most: any "
    "number of such."
)
_VOTES_NOTE = "Without people's judgements votes are correlated: judges who are right agree too, so they are worth more than this."


def panel_grids(found: Sequence[PanelWorth]) -> tuple[Grid, ...]:
    """A table of panels, an aspect a row, and where they have more than two judges one of what each adds, a judge a row."""
    if not found:
        return ()
    notes = [_PANELS_NOTE, *([_VOTES_NOTE] if any(one.of == "votes" for one in found) else [])]
    title = f"The judges as a panel, by their {' or '.join(dict.fromkeys(one.of for one in found))}"
    adds = [
        Grid(
            "What each judge adds to the others",
            ("judge", *(one.aspect for one in some)),
            [(name, *(Number(one.adds[place]) for one in some)) for place, name in enumerate(judges)],
        )
        for judges, some in grouped(found, lambda one: one.judges).items()
        if len(judges) > _TWO
    ]
    return Grid.of(title, found, _PANELS, notes=notes), *adds
