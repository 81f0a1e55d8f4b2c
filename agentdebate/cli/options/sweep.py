"""The options of a sweep as its public call takes them."""

from dataclasses import replace

from agentdebate.cli.console.output import say
from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.order import Order
from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.supply import Supply
from agentdebate.report.sweep import SweepOptions
from agentdebate.studies.sweep_cell import SweepCell


def sweep_items(order: Order) -> Taken:
    """The items of a sweep, which are all at hand. Raises UserError."""
    taken = order.data_source(order.judged_task()).load()
    for line in order.source.account(taken):
        say(line)
    return taken


def sweep_options(order: Order, taken: Taken, store: str) -> SweepOptions:
    """The order as `sweep` takes it, but for what varies. Raises UserError."""
    task, settings, words = order.judged_task(), order.settings(), order.casting.words
    aspects = tuple(aspect.name for aspect in task.choose(settings.aspects))
    order.source.check_judged(task, aspects)
    data = order.source.described(order.data, Supply(taken.items, taken))
    return SweepOptions(
        settings=replace(settings, aspects=aspects, configuration={}),
        options=words.options,
        cast=words.cast,
        agents=words.agents,
        models=words.models,
        store=store,
        prices=order.spending.table(order.project),
        configured=lambda cell: {"data": data, "command": order_of(order, cell).described()},
    )


def order_of(order: Order, cell: SweepCell) -> Order:
    """The order of one cell of a sweep, by which `resume` goes on with it alone."""
    temperature = order.models.temperature if cell.temperature is None else cell.temperature
    own = cell.kind == "run"
    return replace(
        order,
        strategy=cell.name,
        models=replace(order.models, model=cell.model, temperature=temperature),
        casting=(order.casting if own else CastOptions()).varied(cell.given),
        debates=order.debates if own else replace(order.debates, together=cell.together),
    )
