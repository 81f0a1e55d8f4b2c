"""agentdebate models: what is known of providers and their models, before anything is asked of them."""

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import Json, ProjectPath, project_at
from agentdebate.models.catalogue import known_models
from agentdebate.report.model_table import model_blocks


def models(provider: str | None = None, /, *, project: ProjectPath = None, as_json: Json = False) -> int:
    """List what each provider and model can do and costs, as far as it is known. Nothing is asked of anybody.

    Parameters
    ----------
    provider
        The provider, or a model of it such as openai/gpt-6.1-sol [all that are registered].

    """
    known = known_models(provider, project=project_at(project))
    if as_json:
        for one in known:
            out_json(one.as_dict())
        return 0
    show(model_blocks(known))
    return 0
