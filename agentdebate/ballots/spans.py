"""Error spans: the words of a text in which an error lies, each with a severity and a category, as annotators of MQM mark them.

The weights of minor and major errors, and the most that a text can lose, are those with which annotations of translations are
scored (Freitag et al. 2021, arXiv 2104.14478); a critical error, which is not among theirs, loses all of it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.json_objects import Object
from agentdebate.ballots.kinds import BallotKind, BallotPaper
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.paper import Form, form_schema, nothing, quoted, read_form, too_long
from agentdebate.ballots.plain import LONGEST, plain, spoken
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import closed_object
from agentdebate.tasks import Aspect, Scale

WORD = "errors"
WEIGHTS: Mapping[str, float] = {"minor": 1.0, "major": 5.0, "critical": 25.0}
"""Weights of errors by severity."""
LIMIT = 25.0
"""The most that a text can lose."""
MOST = 100
"""Spans in one ballot."""

_LINE = re.compile(
    r"\s*(?:[-*•]|[0-9]{1,3}[.)])?[\s*]*errors?(?: [0-9]{1,3})?\s*:[\s*]*(?=\S)(.*)", re.IGNORECASE
)
_FIELDS = re.compile(r"[\"'`“‘«](.+)[\"'`”’»]\s*\|\s*([^|]+?)\s*(?:\|\s*(.*?)\s*)?")
_NONE = re.compile(r"\W*(?:errors?\s*:\s*)?(?:none|no errors?(?: found)?)\W*", re.IGNORECASE)
_LONGEST_LINE = 2_000
"""Characters of a line that names an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSpan:
    """An error: where it begins and ends in the text, in characters, the words themselves, how bad it is, and of which sort."""

    start: int
    end: int
    text: str
    severity: str
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans(Given):
    """The errors of a text, and what an error of each severity weighed when they were counted."""

    kind = "spans"
    spans: tuple[ErrorSpan, ...] = ()
    weights: Mapping[str, float]
    """Weights of errors by severity. It is written down with every ballot, and so is the limit."""
    limit: float

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """Penalty of the text, as a number below 0: the weights of its errors together, down to the limit."""
        lost = sum(self.weights.get(span.severity, 0.0) for span in self.spans)
        return (Rating(aspect=self.aspect, score=0.0 - min(lost, self.limit)),)

    def line(self, labels: Mapping[str, str] | None = None) -> str:  # noqa: ARG002 - it is about one text
        """Count them: "quality -6: 1 major, 1 minor"."""
        counts = {one: sum(span.severity == one for span in self.spans) for one in self.weights}
        said = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count) or "no errors"
        return f"{self.aspect} {self.ratings[0].score:g}: {said}"


def read_spans(text: str, spec: ReplySpec, *, structured: bool, cut_off: bool) -> BallotPaper | Problem:
    """The errors that a reply lists, each with words that stand in the text; or why there are none to be had.

    In text an error is a line, `Error: "the words" | major | accuracy`, and a reply without one says so: "No errors". Words
    that do not stand in the text are a Problem, and so is a severity that was not asked for.
    """
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return too_long(said)
    form = (
        read_form(said, spec.aspects, WORD, structured=structured, cut_off=cut_off) if "{" in said else None
    )
    if isinstance(form, Form) and not isinstance(form.said[spec.aspects[0].name], str):
        rows = _rows_in_json(form.said[spec.aspects[0].name])
        reason, how = form.reason, form.how
    else:
        rows = _rows_in_text(said, cut_off=cut_off)
        reason, how = said, "text"
    found = rows if isinstance(rows, Problem) else _spans(rows, spec.text)
    if isinstance(found, Problem):
        return found
    given = Spans(aspect=spec.aspects[0].name, spans=found, weights=WEIGHTS, limit=LIMIT)
    return BallotPaper((given,), reason, how)


def spans_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that lists errors."""
    properties = {
        "text": {"type": "string"},
        "severity": {"type": "string", "enum": list(WEIGHTS)},
        "category": {"type": "string"},
    }
    errors = {"type": "array", "items": closed_object(properties), "maxItems": MOST}
    return form_schema(spec.aspects, WORD, errors)


Row = tuple[str, str, str]
"""The words, the severity and the category of an error."""


def _rows_in_text(said: str, *, cut_off: bool) -> list[Row] | Problem:
    lines = said.split("\n")
    none = any(_NONE.fullmatch(line) for line in lines)
    hits = [None if _NONE.fullmatch(line) else _LINE.fullmatch(line) for line in lines]
    errors = [hit[1] for hit in hits if hit is not None]
    if none and errors:
        return Problem("several", "The reply lists errors and says as well that there are none.")
    if not (none or errors):
        return nothing(said, "I found no line that begins with Error: or says No errors.", cut_off=cut_off)
    if cut_off and hits[-1] is not None:
        return Problem("cut_off", "The reply was cut off within its list.")
    rows: list[Row] = []
    for rest in errors:
        fields = _FIELDS.fullmatch(rest.strip()) if len(rest) <= _LONGEST_LINE else None
        if fields is None:
            line = quoted(f"Error: {rest}")
            return Problem(
                "missing", f"I cannot read the line {line}: quote the words, then |, then the severity."
            )
        rows.append((fields[1], fields[2], fields[3] or ""))
    return rows


def _rows_in_json(value: object) -> list[Row] | Problem:
    rows: list[Row] = []
    for one in value if isinstance(value, list) else [None]:
        row = dict(one) if isinstance(one, Object) else {}
        words, severity, category = row.get("text"), row.get("severity"), row.get("category", "")
        if not (isinstance(words, str) and isinstance(severity, str)):
            return Problem("missing", 'Each of the errors is an object with "text" and "severity".')
        rows.append((words, severity, category if isinstance(category, str) else ""))
    return rows


def _spans(rows: Sequence[Row], text: str) -> tuple[ErrorSpan, ...] | Problem:
    """The errors with their places in the text. Words that stand there several times are taken in order."""
    if len(rows) > MOST:
        return Problem("several", f"The reply lists {len(rows)} errors; {MOST} are the most.")
    found: list[ErrorSpan] = []
    for words, said, category in rows:
        severity = plain(said).strip(" .").lower()
        if severity not in WEIGHTS:
            return Problem("off_scale", f"{quoted(said)} is not a severity; take {', '.join(WEIGHTS)}.")
        taken = {(span.start, span.end) for span in found}
        places = list(_places(words, text))
        if not places:
            return Problem(
                "missing", f"The words {quoted(words)} do not stand in the text; quote them as they are."
            )
        start, end = next((place for place in places if place not in taken), places[0])
        span = ErrorSpan(start=start, end=end, text=text[start:end], severity=severity, category=category)
        if span in found:
            return Problem("several", f"The error {quoted(words)} is listed twice.")
        found.append(span)
    return tuple(found)


def _places(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Find words in a text, whatever blanks are between them, and whatever case they are in where they stand nowhere."""
    parts = words.split()
    if not parts:
        return
    pattern = r"\s+".join(re.escape(part) for part in parts)
    found = [hit.span() for hit in re.finditer(pattern, text)]
    yield from found or [hit.span() for hit in re.finditer(pattern, text, re.IGNORECASE)]


def _judged(aspect: Aspect) -> Aspect:
    """The aspect with the scale of what a text can lose; agents mark errors and give no number."""
    scale = Scale(low=-LIMIT, high=0)
    return aspect.model_copy(update={"scale": scale, "choice": True, "rank": False, "steps": ()})


def _example(spec: ReplySpec, number: int) -> str:
    """No error and a small one in turn."""
    words = spec.text.split()
    return f'Error: "{words[0]}" | minor | style' if number % 2 and words else "No errors"


SPANS = BallotKind(
    name="spans",
    given=Spans,
    read=read_spans,
    form="form-spans",
    structured="form-spans-schema",
    schema=spans_schema,
    turn="mark",
    compares=False,
    alone=True,
    judged=_judged,
    example=_example,
)
