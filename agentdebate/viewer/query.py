"""Query of a page's address: filters, order and page, read from the query and written into links again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import quote, urlencode

from agentdebate.errors import UsageError, nearest
from agentdebate.store.debate_list import OF_SCORES, DebateFilter, DebateOrder

LAYOUTS = ("items", "debates")
"""Layouts of a run: a row an item, or a row a debate."""

_FILTERS = ("outcome", "settled", "ended", "group", "system", "changed", "find", "within")
_SAID = ("layout", *_FILTERS, "sort", "down")
_YES = {"yes": True, "no": False}
_VALUES: Mapping[str, Sequence[str]] = {
    "layout": LAYOUTS, "settled": tuple(_YES), "within": ("talk",), "changed": ("1",), "down": ("1",),
}  # fmt: skip
"""Values that some of the words may have."""
_DIGITS = 9
"""Digits of the longest number that means anything here."""


class BadAddress(UsageError):
    """The query of an address means nothing."""


def whole_number(query: Mapping[str, str], name: str) -> int | None:
    """A whole number of a query; None where it is not there. Raises BadAddress."""
    said = query.get(name)
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) <= _DIGITS):
        raise BadAddress(f"{name} has to be a number, not {said[:40]!r}")
    return int(said)


def page_number(query: Mapping[str, str]) -> int:
    """The number of the page of a list, the first where none is said. Raises BadAddress."""
    number = whole_number(query, "page")
    if number == 0:
        raise BadAddress("page has to be a number from 1 on, not '0'")
    return 1 if number is None else number


def address(path: str, **query: object) -> str:
    """A path of ours with a query; what is None or empty is left out."""
    told = {name: value for name, value in query.items() if value not in (None, "")}
    try:
        return f"{path}?{urlencode(told, quote_via=quote)}" if told else path
    except UnicodeEncodeError:  # half a character, which no address can carry
        return f"{path}?{urlencode(told, quote_via=quote, errors='replace')}"


@dataclass(frozen=True)
class RunQuery:
    """Query about a run, as words by their names; the properties say what they mean."""

    words: Mapping[str, str] = field(default_factory=dict)
    page: int = 1

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        """Read a query. Raises BadAddress for what means nothing."""
        words = {name: query[name].strip() for name in _SAID if query.get(name, "").strip()}
        for name in words.keys() & _VALUES.keys():
            if words[name] not in _VALUES[name]:
                known = " or ".join(_VALUES[name])
                raise BadAddress(f"{name} has to be {known}, or left out, not {words[name][:40]!r}")
        asked = cls(words, page_number(query))
        try:
            _ = asked.order
        except UsageError as error:
            raise BadAddress(str(error)) from error
        return asked

    def without(self, *names: str) -> Self:
        """Copy without some words."""
        return replace(self, words={k: v for k, v in self.words.items() if k not in names}, page=1)

    def get(self, name: str) -> str:
        """A word of the query; empty where it is not there."""
        return self.words.get(name, "")

    @property
    def filters(self) -> dict[str, str]:
        """The words that narrow what is shown."""
        return {name: self.words[name] for name in _FILTERS if name in self.words and name != "within"}

    @property
    def order(self) -> DebateOrder:
        """The order: "tokens", or "score:coherence" where it is of a score."""
        by, _, name = self.get("sort").partition(":")
        return DebateOrder(by or "id", name if by in OF_SCORES else None, descending=bool(self.get("down")))

    def check_scores(self, names: Sequence[str]) -> None:
        """Raise BadAddress where a score is named that is not one of these."""
        name = self.order.name
        if name and name not in names:
            raise BadAddress(f"the run has no score {name[:80]!r}. {nearest(name, names)}")

    @property
    def said(self) -> str:
        """Words that have to stand in the item's texts or in a message."""
        return self.get("find") if self.get("within") == "talk" else ""

    def filter(self) -> DebateFilter:
        """The filter that the database answers."""
        return DebateFilter(
            outcome=self.get("outcome") or None,
            ended=self.get("ended") or None,
            item_group=self.get("group") or None,
            system=self.get("system") or None,
            settled=_YES.get(self.get("settled")),
            changed=True if self.get("changed") else None,
            find="" if self.said else self.get("find"),
        )
