"""Rankings: which text comes first, second, and so on; texts may share a place."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.kinds import BallotKind
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.paper import BallotPaper, Entry, fields_of, keys_of, labels_of, listed, read_form
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.reply_spec import ReplySpec
from agentdebate.tasks import Aspect

WORD = "ranking"
_BETTER = re.compile(r"\s*(?:>+|≻|»)\s*")
_EQUAL = re.compile(r"\s*(?:=+|~|≈)\s*")
_NEXT = re.compile(r"\s*[,;]\s*")

Places = tuple[tuple[str, ...], ...]


class Ranking(Given):
    """The texts by place, the best first; those in one entry share their place."""

    kind: Literal["ranking"] = "ranking"
    places: Places

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The place of each text: one more than there are better ones, so that ties share a place."""
        better = 0
        found: list[Rating] = []
        for tied in self.places:
            found += [Rating(aspect=self.aspect, candidate=field, score=better + 1) for field in tied]
            better += len(tied)
        return tuple(found)

    def line(self, labels: Mapping[str, str] | None = None) -> str:
        """The order: "overall: answer_2 > answer_1 = answer_3"."""
        names = labels or {}
        order = " > ".join(" = ".join(names.get(field, field) for field in tied) for tied in self.places)
        return f"{self.aspect}: {order}"


def read_ranking(text: str, spec: ReplySpec, *, structured: bool, cut_off: bool) -> BallotPaper | Problem:
    """The ranking in a reply, for each aspect with every candidate once; or why there is none.

    In text it is a line, "Ranking: Answer B > Answer A = Answer C", with commas in the place of ">" where nothing ties, or a
    list below the label. A line that uses "<" is none, since it does not say which end is the better one.
    """
    form = read_form(text, spec.aspects, WORD, cut_off=cut_off)
    if isinstance(form, Problem):
        return form
    given: list[Ranking] = []
    for aspect in spec.aspects:
        if form.values is not None:
            groups = _groups_in_json(form.values[aspect.name])
        else:
            groups = _groups_in_text(form.entries[aspect.name])
        places = groups if isinstance(groups, Problem) else _places(groups, spec.candidates)
        if isinstance(places, Problem):
            return places
        given.append(Ranking(aspect=aspect.name, places=places))
    how: Literal["schema", "text"] = "schema" if structured and form.values is not None else "text"
    return BallotPaper(tuple(given), form.reason, how, form.places, form.ends)


def ranking_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that ranks: for each aspect a list of places, and in each the texts that share it."""
    label = {"type": "string", "enum": [candidate.label for candidate in spec.candidates]}
    order = {"type": "array", "items": {"type": "array", "items": label}}
    properties = {"reason": {"type": "string"}, **dict.fromkeys(keys_of(spec.aspects, WORD).values(), order)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _groups_in_text(entry: Entry) -> list[list[str]] | Problem:
    """The pieces of a line or list, by place."""
    if entry.items:
        return _groups_in_list(entry.items)
    if "<" in entry.text:
        return Problem("several", "The ranking has a < in it; write the best text first, with > behind it.")
    if _BETTER.search(entry.text):
        return [_EQUAL.split(group) for group in _BETTER.split(entry.text.rstrip("."))]
    if _EQUAL.search(entry.text):
        return [_EQUAL.split(entry.text.rstrip("."))]
    return [[piece] for piece in _NEXT.split(entry.text.rstrip("."))]


def _groups_in_list(items: Sequence[tuple[int | None, str]]) -> list[list[str]] | Problem:
    """The entries of a list; those with the same number share a place."""
    numbers = [number for number, _ in items]
    if any(number is None for number in numbers):
        return [_EQUAL.split(text) for _, text in items]
    if numbers != sorted(numbers, key=lambda number: number or 0):
        return Problem("several", "The numbers of the ranking do not go up; list the best text first.")
    return [[text for other, text in items if other == number] for number in dict.fromkeys(numbers)]


def _groups_in_json(value: object) -> list[list[str]] | Problem:
    entries = value if isinstance(value, list) else []
    groups = [entry if isinstance(entry, list) else [entry] for entry in entries]
    if not groups or not all(isinstance(name, str) for group in groups for name in group):
        return Problem(
            "missing", "The ranking in the object must be a list of lists of texts, the best first."
        )
    return [group for group in groups if group]


def _places(groups: Sequence[Sequence[str]], candidates: Sequence[Candidate]) -> Places | Problem:
    places: list[tuple[str, ...]] = []
    for group in groups:
        fields = fields_of(group, candidates)
        if isinstance(fields, Problem):
            return fields
        places.append(fields)
    ranked = [field for tied in places for field in tied]
    twice = [field for field in ranked if ranked.count(field) > 1]
    if twice:
        return Problem("several", f"The ranking has {listed(candidates, twice)} more than once.")
    missing = [candidate.field for candidate in candidates if candidate.field not in ranked]
    if missing:
        return Problem("missing", f"The ranking lacks {listed(candidates, missing)}.")
    return tuple(places)


def _judged(aspect: Aspect) -> Aspect:
    """The aspect as one whose number is a place."""
    return aspect.model_copy(update={"rank": True, "steps": ()})


def _example(spec: ReplySpec, number: int) -> str:
    """A ranking that begins with another text each time."""
    labels = [candidate.label for candidate in spec.candidates]
    first = number % len(labels)
    order = " > ".join([*labels[first:], *labels[:first]])
    lines = [f"{label}: {order}" for label in labels_of(spec.aspects, WORD.capitalize()).values()]
    return "\n".join(["Each has something for it.", "", *lines])


RANKING = BallotKind(
    name=WORD,
    given=Ranking,
    read=read_ranking,
    form="form-ranking",
    structured="form-ranking-schema",
    schema=ranking_schema,
    turn="rank",
    compares=True,
    judged=_judged,
    example=_example,
)
