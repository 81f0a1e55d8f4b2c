"""People's scores of a sweep's items, beside a judge that has not judged yet."""

from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import judged, people_judged
from agentdebate.studies.sweep import SweepSetting
from agentdebate.studies.sweep_cell import SweepCell


def people_alone(common: SweepSetting, cell: SweepCell) -> tuple[Judgements, ...]:
    """Make the rows of agreement as if the cell had judged nothing: aspects with people's scores alone."""
    rows = [
        {
            "debate": f"{item.id}/{'+'.join(aspects)}",
            "id": item.id,
            "group": item.group,
            "system": item.system,
            "aspects": list(aspects),
            "candidates": [name for name in task.candidates if name in item.fields],
            "scores": {},
            "winners": [],
            "failure": None,
            "human": item.human,
        }
        for task, sets in common.sets(cell)
        for item in common.items
        if item.task == task.name
        for aspects in sets
    ]
    scales = {aspect.name: aspect.scale for task in common.tasks.values() for aspect in task.aspects}
    return people_judged(judged(rows, cell.label, scales=scales))
