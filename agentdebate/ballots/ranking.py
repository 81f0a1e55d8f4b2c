"""Rankings: which text comes first, second, and so on; texts may share a place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.kinds import BallotKind, BallotPaper
from agentdebate.ballots.lineup import Candidate, ReplySpec
from agentdebate.ballots.paper import fields_of, form_schema, labels_of, read_form
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.tasks import Aspect

WORD = "ranking"
_BETTER = re.compile(r"[>≻\n]")
_EQUAL = re.compile(r"[=~≈]")
_NEXT = re.compile(r"[,;]")

Places = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(Given):
    """The texts by place, the best first; those in one entry share their place."""

    kind = "ranking"
    places: Places

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The place of each text: one more than there are better ones, so that ties share a place."""
        better = 0
        found: list[Rating] = []
        for tied in self.places:
            found += [Rating(aspect=self.aspect, candidate=field, score=better + 1.0) for field in tied]
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
    form = read_form(text, spec.aspects, WORD, structured=structured, cut_off=cut_off)
    if isinstance(form, Problem):
        return form
    given: list[Ranking] = []
    for aspect in spec.aspects:
        groups = _groups(form.said[aspect.name])
        places = groups if isinstance(groups, Problem) else _places(groups, spec.candidates)
        if isinstance(places, Problem):
            return places
        given.append(Ranking(aspect=aspect.name, places=places))
    return BallotPaper(tuple(given), form.reason, form.how)


def ranking_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that ranks: for each aspect a list of places, and in each the texts that share it."""
    label = {"type": "string", "enum": [candidate.label for candidate in spec.candidates]}
    order = {"type": "array", "items": {"type": "array", "items": label}}
    return form_schema(spec.aspects, WORD, order)


def _groups(said: object) -> list[list[str]] | Problem:
    """List the texts that share each place, in the order of the places."""
    if isinstance(said, str):
        if "<" in said:
            return Problem(
                "several", "The ranking has a < in it; write the best text first, with > behind it."
            )
        between = _BETTER if _BETTER.search(said) or _EQUAL.search(said) else _NEXT
        return [_EQUAL.split(group) for group in between.split(said)]
    entries = said if isinstance(said, list) else []
    groups = [entry if isinstance(entry, list) else [entry] for entry in entries]
    if not groups or not all(isinstance(name, str) for group in groups for name in group):
        return Problem(
            "missing", "The ranking in the object must be a list of lists of texts, the best first."
        )
    return [group for group in groups if group]


def _places(groups: Sequence[Sequence[str]], candidates: Sequence[Candidate]) -> Places | Problem:
    ranked = fields_of([name for group in groups for name in group], candidates)
    if isinstance(ranked, Problem):
        return ranked
    missing = [candidate.label for candidate in candidates if candidate.field not in ranked]
    if missing:
        return Problem("missing", f"The ranking lacks {', '.join(missing)}.")
    fields = iter(ranked)
    return tuple(tuple(islice(fields, len(group))) for group in groups)


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
