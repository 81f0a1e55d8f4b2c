"""The templates, as the viewer and the report use them: a page model goes in, and HTML comes out."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, DictLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from agentdebate.report.grid import figure, interval, statistic_name
from agentdebate.viewer import words
from agentdebate.viewer.query import address
from agentdebate.visible import visible


def draw(template: str, **page: Any) -> str:
    """A template with a page model; every text in it is escaped, and what steers a screen is shown."""
    return _environment().get_template(template).render(page)


def load_templates() -> None:
    """Load the templates of the viewer's pages, so that no page has to wait for that."""
    for name in _environment().list_templates():
        _environment().get_template(name)


@cache
def _environment() -> Environment:
    return environment(links=address, shown=shown)


def environment(
    *,
    links: Callable[..., str],
    shown: Callable[[Any], Any],
    instead: Mapping[str, str] | None = None,
    in_file: bool = False,
) -> Environment:
    """The templates with `links` to make addresses, `shown` to print texts, and some templates `instead` of ours."""
    ours: BaseLoader = PackageLoader("agentdebate.viewer")
    environment = Environment(
        loader=ChoiceLoader([DictLoader(instead), ours]) if instead else ours,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {name: getattr(words, name) for name in words.__all__}
    environment.filters |= {"figure": figure, "statistic_name": statistic_name}
    environment.globals |= {
        "address": links,
        "nothing": words.NOTHING,
        "in_file": in_file,
        "interval": interval,
    }
    return environment


def shown(value: Any) -> Any:
    """Return a value as a template prints it: our markup as it is, and anything else without what hides in it or steers a screen."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else visible(str(value), lines=True)
