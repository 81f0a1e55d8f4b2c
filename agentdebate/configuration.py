"""How a run was held, as it is stored with it: whatever else decides its verdicts besides its items."""

from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate import __version__
from agentdebate.debates import Debate
from agentdebate.models.settings import settings_of
from agentdebate.tasks import Task


def configuration_of(
    debate: Debate,
    *,
    aspects: Sequence[str] | str | None,
    together: bool,
    concurrency: int,
    tasks: Mapping[str, Task],
) -> dict[str, Any]:
    """The configuration of a run, as JSON can hold it. `tasks` are those of its items, as far as they are known.

    Tasks are there as they are judged, with the scales of this run; models with the options they were opened with, and
    without keys.
    """
    models = [{"name": model.name, **settings_of(model)} for model in debate.seating.models]
    return {
        "agentdebate": __version__,
        "strategy": debate.strategy.model_dump(mode="json", fallback=repr),
        "models": [one for number, one in enumerate(models) if one not in models[:number]],
        "sampling": debate.sampling.model_dump(mode="json", exclude_unset=True),
        "tasks": {name: task.model_dump(mode="json") for name, task in {**debate.tasks, **tasks}.items()},
        "aspects": aspects if aspects is None or isinstance(aspects, str) else list(aspects),
        "together": together,
        "concurrency": concurrency,
        "form": debate.form,
        "patience": debate.patience,
        "deadline": debate.deadline,
    }
