"""The corpus: replies of judges from a seed, each with the one thing that it says, or that it says no such thing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from agentdebate.ballots.lineup import Candidate
from agentdebate.tasks import Aspect
from replies import case, form, prose
from replies.reasons import CLOSINGS, OPENINGS
from replies.wording import Half, Wording, fill, read_rows, wordings

SIZE = 20_000
SCORE_SHARE, ODD_SHARE = 0.6, 0.15
"""How many of the replies score a text, and how many hold no judgement or several."""


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """A reply that scores a text on some aspects. `scores` is None where it holds no judgement, or several that differ."""

    text: str
    wording: Wording
    aspects: tuple[Aspect, ...]
    scores: Mapping[str, float] | None
    scale: str


@dataclass(frozen=True, slots=True)
class ChoiceReply:
    """A reply that compares texts. `choice` is the place of the better one, "tie", or None as in ScoreReply.

    `ties` says whether the form lets texts tie, `tie_mark` which key stands for that ("C"; nothing where there is none).
    `grade` is ">" or ">>" where the reply says by how much the text wins.
    """

    text: str
    wording: Wording
    candidates: tuple[Candidate, ...]
    ties: bool
    tie_mark: str
    choice: int | Literal["tie"] | None
    grade: str = ""


Reply = ScoreReply | ChoiceReply


@dataclass(frozen=True, slots=True)
class Material:
    """The wordings of a half, and its sentences that judge nothing."""

    scores: Sequence[Wording]
    choices: Sequence[Wording]
    numbers: Sequence[str]
    remarks: Sequence[str]


def material(half: Half) -> Material:
    """Return what the replies of a half are made of."""
    numbers, remarks = ([row["text"] for row in read_rows(half, bank)] for bank in ("numbers", "remarks"))
    return Material(wordings(half, "scores"), wordings(half, "choices"), numbers, remarks)


def corpus(half: Half, *, seed: int = 1, size: int = SIZE) -> Iterator[Reply]:
    """So many replies; the same ones for the same seed."""
    rng, made = Random(f"{half} {seed}"), material(half)
    scores, choices = _shared_out(made.scores), _shared_out(made.choices)
    for _ in range(size):
        if rng.random() < SCORE_SHARE:
            yield _score_reply(rng, _drawn(rng, scores), made)
        else:
            yield _choice_reply(rng, _drawn(rng, choices), made)


def _shared_out(wordings: Sequence[Wording]) -> tuple[list[Wording], list[Wording]]:
    usual = [wording for wording in wordings if wording.truth == "one"]
    return usual, [wording for wording in wordings if wording.truth != "one"]


def _drawn(rng: Random, wordings: tuple[Sequence[Wording], Sequence[Wording]]) -> Wording:
    return rng.choice(wordings[rng.random() < ODD_SHARE])


def _score_reply(rng: Random, wording: Wording, made: Material) -> ScoreReply:
    compares = wording.kind == "candidates"
    of = case.compared(rng) if compares else case.case(rng, wording.need, several=bool(wording.row))
    slots = case.slots(rng, of)
    rows = [fill(wording.row, case.slots(rng, of, k), rng) for k in range(len(of.aspects))]
    judgement = fill(wording.text, {**slots, "rows": wording.join.join(rows)}, rng)
    titles = [aspect.title for aspect in of.aspects]
    reasons = (
        prose.comparison(rng, titles, slots, ())
        if compares
        else prose.reasons(rng, of.thing, slots, made.numbers, plain=wording.bare)
    )
    scores = dict(zip((aspect.name for aspect in of.aspects), of.scores, strict=True))
    text = _put(rng, wording, judgement, reasons, slots)
    return ScoreReply(text, wording, of.aspects, scores if wording.truth == "one" else None, of.scale_name)


def _choice_reply(rng: Random, wording: Wording, made: Material) -> ChoiceReply:
    of = _form(rng, wording)
    slots = form.slots(rng, of)
    reasons = prose.comparison(rng, of.labels, slots, made.remarks, plain=wording.bare)
    text = _put(rng, wording, fill(wording.text, slots, rng), reasons, slots)
    candidates = tuple(Candidate(f"text_{k}", label) for k, label in enumerate(of.labels, 1))
    choice: int | Literal["tie"] | None = "tie" if wording.says == "tie" else of.chosen
    return ChoiceReply(
        text,
        wording,
        candidates,
        ties=of.tie != "no",
        tie_mark=of.tie_mark if of.tie == "mark" else "",
        choice=choice if wording.truth == "one" else None,
        grade=of.grade if wording.kind == "grades" and choice != "tie" else "",
    )


def _form(rng: Random, wording: Wording) -> form.Form:
    while True:
        count = rng.choice((2, 2, 2, 2, 2, 3, 3, 4))
        tie: form.Tie = rng.choice(("no", "no", "word", "mark"))
        of = form.form(rng, count, tie, rng.choice(("letter", "letter", "small", "number")))
        if wording.fit is None or wording.fit(of):
            return of


def _put(rng: Random, wording: Wording, judgement: str, reasons: str, slots: Mapping[str, str]) -> str:
    """The whole reply: opening, reasons, judgement and closing, as the wording has them."""
    if wording.place == "alone":
        return _spaced(rng, judgement)
    opening = (
        fill(rng.choice(OPENINGS), slots, rng) if rng.random() < 0.3 and wording.place != "start" else ""
    )
    closing = rng.choice(CLOSINGS) if rng.random() < 0.15 and not (wording.bare or wording.cut_off) else ""
    parts = [judgement, reasons] if wording.place == "start" else [reasons, judgement]
    parts = [part for part in (opening, *parts, closing) if part]
    in_line = not wording.bare and judgement[-1] in ".!?" and all(_runs_on(part) for part in parts)
    space = rng.choice([space for space in prose.SPACES if in_line or "\n" in space])
    text = space.join(parts)
    return text if wording.cut_off else _spaced(rng, text)


def _runs_on(part: str) -> bool:
    """Tell whether a part can stand in one paragraph with others."""
    return "\n" not in part and part[0].isalnum()


def _spaced(rng: Random, text: str) -> str:
    """The text with more white space around it, or other line ends, now and then."""
    chance = rng.random()
    if chance < 0.05:
        return f"\n\n{text}"
    if chance < 0.1:
        return f" {text} \n"
    if chance < 0.13:
        return text.replace("\n", "\r\n").replace("\r\r", "\r")
    return f"{text}\n" if chance < 0.2 else text
