"""Approval ballots: the set of texts that are good enough, which may be all of them or none."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.kinds import BallotKind
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.paper import BallotPaper, Entry, fields_of, keys_of, labels_of, listed, read_form
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.reply_spec import ReplySpec
from agentdebate.tasks import Aspect, Scale

WORD = "approved"
_NONE = frozenset({"none", "none of them", "nothing", "no", "neither"})
_PARTS = re.compile(r"\s*(?:[,;&]|\band\b)\s*")


class Approval(Given):
    """The texts that were chosen, among those that could be."""

    kind: Literal["approval"] = "approval"
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
    form = read_form(text, spec.aspects, WORD, cut_off=cut_off)
    if isinstance(form, Problem):
        return form
    given: list[Approval] = []
    for aspect in spec.aspects:
        if form.values is not None:
            pieces = _pieces_in_json(form.values[aspect.name])
        else:
            pieces = _pieces_in_text(form.entries[aspect.name])
        chosen = pieces if isinstance(pieces, Problem) else _chosen(pieces, spec.candidates)
        if isinstance(chosen, Problem):
            return chosen
        among = tuple(candidate.field for candidate in spec.candidates)
        given.append(Approval(aspect=aspect.name, chosen=chosen, among=among))
    how: Literal["schema", "text"] = "schema" if structured and form.values is not None else "text"
    return BallotPaper(tuple(given), form.reason, how, form.places, form.ends)


def approval_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that approves: for each aspect a list of texts, which may be empty."""
    label = {"type": "string", "enum": [candidate.label for candidate in spec.candidates]}
    chosen = {"type": "array", "items": label, "maxItems": len(spec.candidates)}
    properties = {"reason": {"type": "string"}, **dict.fromkeys(keys_of(spec.aspects, WORD).values(), chosen)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _pieces_in_text(entry: Entry) -> list[str] | Problem:
    if entry.items:
        return [text for _, text in entry.items]
    said = entry.text.rstrip(". ")
    if not said:
        return Problem("missing", "Nothing stands behind the label; write none where you approve of none.")
    return [] if said in _NONE else _PARTS.split(said)


def _pieces_in_json(value: object) -> list[str] | Problem:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return list(value)
    return Problem("missing", "The object must list the texts that are approved of.")


def _chosen(pieces: list[str], candidates: tuple[Candidate, ...]) -> tuple[str, ...] | Problem:
    """The fields of these pieces, in the order in which the texts are shown."""
    fields = fields_of(pieces, candidates)
    if isinstance(fields, Problem):
        return fields
    twice = [field for field in fields if fields.count(field) > 1]
    if twice:
        return Problem("several", f"The reply approves of {listed(candidates, twice)} more than once.")
    return tuple(candidate.field for candidate in candidates if candidate.field in fields)


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
