"""Approval ballots: the set of texts that are good enough, which may be all of them or none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.kinds import BallotKind, BallotPaper
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.paper import fields_of, form_schema, labels_of, read_form
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.tasks import Aspect, Scale

WORD = "approved"
_NONE = frozenset({"none", "none of them", "nothing", "no", "neither"})
_PARTS = re.compile(r"[,;&\n]|\band\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval(Given):
    """The texts that were chosen, among those that could be."""

    kind = "approval"
    chosen: tuple[str, ...]
    among: tuple[str, ...]

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """1 for each text that was chosen, and 0 for the others, so that a mean of ballots is a share of approvals."""
        return tuple(
            Rating(aspect=self.aspect, candidate=field, score=float(field in self.chosen))
            for field in self.among
        )

    def line(self, labels: Mapping[str, str] | None = None) -> str:
        """The set: "overall: answer_1, answer_3"."""
        names = labels or {}
        return f"{self.aspect}: {', '.join(names.get(field, field) for field in self.chosen) or 'none'}"


def read_approval(text: str, spec: ReplySpec, *, structured: bool, cut_off: bool) -> BallotPaper | Problem:
    """The texts that a reply approves of, for each aspect, "Approved: Answer A, Answer C" or "Approved: none"; or why not."""
    form = read_form(text, spec.aspects, WORD, structured=structured, cut_off=cut_off)
    if isinstance(form, Problem):
        return form
    among = tuple(candidate.field for candidate in spec.candidates)
    given: list[Approval] = []
    for aspect in spec.aspects:
        pieces = _pieces(form.said[aspect.name])
        fields = pieces if isinstance(pieces, Problem) else fields_of(pieces, spec.candidates)
        if isinstance(fields, Problem):
            return fields
        chosen = tuple(field for field in among if field in fields)
        given.append(Approval(aspect=aspect.name, chosen=chosen, among=among))
    return BallotPaper(tuple(given), form.reason, form.how)


def approval_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that approves: for each aspect a list of texts, which may be empty."""
    label = {"type": "string", "enum": [candidate.label for candidate in spec.candidates]}
    chosen = {"type": "array", "items": label, "maxItems": len(spec.candidates)}
    return form_schema(spec.aspects, WORD, chosen)


def _pieces(said: object) -> list[str] | Problem:
    if isinstance(said, list) and all(isinstance(one, str) for one in said):
        return list(said)
    if not isinstance(said, str):
        return Problem("missing", "The object must list the texts that are approved of.")
    bare = said.strip(" .").lower()
    if not bare:
        return Problem("missing", "Nothing stands behind the label; write none where you approve of none.")
    return [] if bare in _NONE else _PARTS.split(bare)


def _judged(aspect: Aspect) -> Aspect:
    """The aspect as one that a text meets or does not."""
    return aspect.model_copy(
        update={"scale": Scale(low=0, high=1), "choice": True, "rank": False, "steps": ()}
    )


def _example(spec: ReplySpec, number: int) -> str:
    """Another text each time."""
    one = spec.candidates[number % len(spec.candidates)].label
    lines = [f"{label}: {one}" for label in labels_of(spec.aspects, WORD.capitalize()).values()]
    return "\n".join(["It does what was asked.", "", *lines])


APPROVAL = BallotKind(
    name="approval",
    given=Approval,
    read=read_approval,
    form="form-approval",
    structured="form-approval-schema",
    schema=approval_schema,
    turn="approve",
    compares=True,
    judged=_judged,
    example=_example,
)
