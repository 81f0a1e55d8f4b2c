"""What a task calls its texts, for words that are about no item in particular."""

from agentdebate.offline.naming import joined
from agentdebate.tasks import Task


def judged(task: Task) -> str:
    """What is judged: "summary"; of several that are compared, what each is."""
    return _noun(task.judged or task.candidates[0])


def beside(task: Task) -> str:
    """What it is judged beside, "the dialogue and the fact, where there is one"; empty where that is nothing."""
    texts = {task.judged, *task.candidates}
    always = [f"the {_noun(field)}" for field in task.fields if field not in texts]
    at_times = [f"the {_noun(field)}, where there is one" for field in task.optional if field not in texts]
    return joined(always + at_times) if always or at_times else ""


def _noun(field: str) -> str:
    return (field.rstrip("0123456789").rstrip("_") or field).replace("_", " ")
