"""Pages as parts of one file: the templates of the viewer, with links that lead to places of the file, or nowhere."""

import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from markupsafe import Markup

from agentdebate.models.secrets import without_keys
from agentdebate.viewer.pages import environment, shown

_PART = '{% import "parts.html" as parts %}\n{% block main %}{% endblock %}\n'
"""Stands for the outer template: of a page, the file takes what is in it."""

_NOWHERE, _PLACE = "//", "//@"
"""Beginnings of addresses in the file before it is written. No text can hold it where one is: quotation marks are escaped."""
_LINK = re.compile(r' href="//(?:@([^"#]*))?(?:#([^"]*))?"')
_HERE = re.compile(r'(?<= href=")#(?=[^"])|(?<=url\()#|(?<= id=")|(?<= aria-labelledby=")|(?<= data-mark=")')
_REGION = re.compile(r'(?<= role="region" aria-label=")[^"]*(?=")')
_HEADING = re.compile(r"(?<=<)(/?)h([1-6])(?=[ >])")
_DEEPEST = 6


def debate_anchor(run: str, debate: str) -> str:
    """The name of a debate's place."""
    return "d" + blake2b(f"{run}\0{debate}".encode("utf-8", "replace"), digest_size=6).hexdigest()


class FilePages:
    """Draws pages as parts of a file. `holds` says whether a debate, by its run and its id, is written out in it."""

    def __init__(self, runs: list[str], holds: Callable[[str, str], bool]) -> None:
        self._runs, self._holds = runs, holds
        self._templates = environment(
            links=self._link, shown=_without_keys, instead={"page.html": _PART}, in_file=True
        )

    def __repr__(self) -> str:
        return f"<FilePages of {len(self._runs)} runs>"

    def draw(self, template: str, **page: Any) -> str:
        """A template of the file itself."""
        return self._linked(self._templates.get_template(template).render(page))

    def part(self, template: str, *, within: str, deeper: int, **page: Any) -> Markup:
        """A page of the viewer: its places have names that begin with `within`, and its headings are so much deeper."""
        text = self._linked(
            self._templates.get_template(template).render(run_id="", place="", **page), within
        )
        return Markup(_HEADING.sub(lambda found: _deeper(found, deeper), text))  # noqa: S704 - a template has escaped it

    @staticmethod
    def of_run(text: str, at: int) -> str:
        """A part about one of several runs: the regions in it, which have the same names in each, say of which run they are."""
        return _REGION.sub(lambda found: f"{found[0]}, run {at}", text)

    def _linked(self, text: str, within: str = "") -> str:
        """The links as the file has them: what is not in it is not a link."""
        if within:
            text = _HERE.sub(lambda found: f"{found[0]}{within}-", text)
        return _LINK.sub(_link, text)

    def _link(self, path: str, **query: object) -> str:
        run = str(query.get("run", ""))
        if run not in self._runs:
            return _NOWHERE
        debate = str(query.get("id", ""))
        if path == "/debate" and debate and self._holds(run, debate):
            return _PLACE + debate_anchor(run, debate)
        place = {"/failures": "failures", "/costs": "cost", "/agreement": "agreement", "/run": "debates"}.get(
            path
        )
        return f"{_PLACE}{place}-{self._runs.index(run) + 1}" if place else _NOWHERE


def _link(found: re.Match[str]) -> str:
    place, further = found[1], found[2]
    return "" if not place else f' href="#{place}{f"-{further}" if further else ""}"'


def _deeper(found: re.Match[str], by: int) -> str:
    return f"{found[1]}h{min(int(found[2]) + by, _DEEPEST)}"


def _without_keys(value: Any) -> Any:
    """Return the value that a template prints, without anything that looks like a key: a file is handed on."""
    return value if isinstance(value, Markup) else without_keys(shown(value))
