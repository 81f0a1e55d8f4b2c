"""The templates, as the viewer, the report and notebooks use them: a page model goes in, and HTML comes out."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from agentdebate.viewer import words
from agentdebate.viewer.asked import address
from agentdebate.visible import visible


def draw(template: str, **page: Any) -> str:
    """A template with a page model; every text in it is escaped, and what steers a screen is shown."""
    return _environment().get_template(template).render(page)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("agentdebate.viewer"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        name: getattr(words, name)
        for name in (
            "score",
            "signed",
            "count",
            "money",
            "seconds",
            "ago",
            "moment",
            "stamp",
            "share",
            "line",
            "name",
            "counted",
        )
    }
    environment.globals |= {"address": address, "nothing": words.NOTHING}
    return environment


def _shown(value: Any) -> Any:
    """What a template prints: markup of ours as it is, and anything else without what hides in it or steers a screen."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else visible(str(value), lines=True)
