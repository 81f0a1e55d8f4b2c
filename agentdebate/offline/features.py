"""All features by name, with the words by which a critic's talk about one is recognised."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agentdebate.offline import answer, content, flow, form, talk
from agentdebate.offline.finding import Finding
from agentdebate.offline.reading import Reading


@dataclass(frozen=True, slots=True)
class Feature:
    """How a feature is measured, and how to speak of it."""

    measure: Callable[[Reading], Finding | None]
    usual: float
    """Its value in an ordinary text, set by hand."""
    label: str
    """What it is about, as it stands after "about"."""
    cue: re.Pattern[str]
    """Words by which talk about it is recognised."""


def _feature(measure: Callable[[Reading], Finding | None], usual: float, label: str, cue: str) -> Feature:
    return Feature(measure, usual, label, re.compile(rf"\b(?:{cue})", re.IGNORECASE))


_ROOM = 0.5
"""Least distance from the usual that is remarkable in full: a feature that is usually perfect proves nothing."""

FEATURES = {
    "coverage": _feature(content.coverage, 0.6, "what it leaves out", r"main point|key (?:point|fact)|leaves? .{0,20}out|omi(?:t|ssion)|miss(?:es|ing)"),
    "focus": _feature(content.focus, 0.6, "its focus", r"side matter|main subject|off.topic|minor detail|irrelevant|peripheral"),
    "support": _feature(content.support, 0.85, "its backing in the source", r"passage|unsupported|not supported|supported by"),
    "unsupported": _feature(content.unsupported, 0.9, "words that the source lacks", r"never mentions|more often than in the source|found in the source|invent|no basis|hallucinat|made up|fabricat|not in the (?:source|article)"),
    "numbers": _feature(content.numbers, 0.9, "its figures", r"figure|number|wrong date"),
    "pairs": _feature(content.pairs, 0.95, "what it puts together", r"joins|together|mixes up|conflat|attribut"),
    "copied": _feature(content.copied, 0.8, "its wording", r"wording of|straight from|copied|verbatim|word for word"),
    "length": _feature(content.length, 0.9, "its length", r"words, for|words for|too (?:short|long)|brevity|concise"),
    "cohesion": _feature(flow.cohesion, 0.5, "how its sentences connect", r"carr(?:y|ies|ied) (?:over|on)|disconnect|connect|jumps|transition"),
    "order": _feature(flow.order, 0.85, "its order", r"order\b|sequence|chronolog"),
    "redundancy": _feature(flow.redundancy, 0.9, "repetition", r"twice|says again|something new|redundan|repetit|repeats itself"),
    "reference": _feature(flow.reference, 0.8, "how it opens", r"opens with|points (?:back|at)|pronoun|antecedent|unclear who"),
    "stutter": _feature(form.stutter, 0.95, "repeated words", r"stumbl|doubled|repeated word|stutter"),
    "marks": _feature(form.marks, 1.0, "its punctuation", r"punctuation|bracket|quotation mark"),
    "ending": _feature(form.ending, 0.95, "how it ends", r"breaks off|stops at|proper end|truncat|unfinished|cut off"),
    "shape": _feature(form.shape, 0.95, "its sentences", r"fragment|runs on|run-on|easy to read"),
    "case": _feature(form.case, 1.0, "its capitals", r"capital|starts small|lower.case"),
    "variety": _feature(form.variety, 0.85, "its choice of words", r"leans on|varied|monoton"),
    "link": _feature(talk.link, 0.4, "the last turn", r"last turn|ignores the question|does not answer|respond(?:s)? to"),
    "thread": _feature(talk.thread, 0.5, "the subject", r"subject of|off.topic|changes the subject"),
    "knowledge": _feature(talk.knowledge, 0.4, "its use of the fact", r"the fact|no fact|ground"),
    "lively": _feature(talk.lively, 0.5, "what it offers the other speaker", r"asks the other|invites|of the speaker|engag|dull|boring"),
    "generic": _feature(talk.generic, 0.6, "how particular it is", r"fit any|particular:|generic|vague|bland"),
    "echo": _feature(talk.echo, 0.95, "earlier turns", r"said before|earlier turn|echo|parrot"),
    "fullness": _feature(talk.fullness, 0.75, "its length", r"hardly a turn|full turn|too (?:short|long)"),
    "aim": _feature(answer.aim, 0.6, "the question", r"question|was asked|off.topic|does not answer"),
    "detail": _feature(answer.detail, 0.65, "its detail", r"brief|detail|thorough|superficial|too (?:short|long)"),
    "layout": _feature(answer.layout, 0.8, "how it is set out", r"set out|without a break|layout|structure|well.organi[sz]ed|list\b"),
    "concrete": _feature(answer.concrete, 0.6, "how concrete it is", r"concrete|stays general|specific|examples?\b|vague"),
    "commits": _feature(answer.commits, 0.85, "what it commits to", r"commits|hedg|evasive|refus|noncommittal"),
    "complete": _feature(answer.complete, 0.95, "its end", r"cut off|finished|unfinished|truncat|breaks off"),
    "padding": _feature(answer.padding, 0.95, "repetition", r"repeats|repetiti|redundan|padding|word for word"),
    "sums": _feature(answer.sums, 0.9, "its arithmetic", r"sum in|arithmetic|calculat|adds? up|computation"),
    "unity": _feature(answer.unity, 0.95, "how it holds together", r"connects|comes back|contradict|hold together|disjointed"),
}  # fmt: skip


def find(reading: Reading, name: str) -> Finding | None:
    """What the feature of this name finds; None where the item gives it nothing to measure."""
    if name not in reading.found:
        reading.found[name] = FEATURES[name].measure(reading)
    return reading.found[name]


def force(finding: Finding, direction: int, stand: float) -> float:
    """How strongly a finding says that a score, `stand` of the way up its scale, is too low (1) or too high (-1).

    It must disagree with the score, and it must be out of the ordinary: what nearly every text has speaks for none,
    so only the part of it counts that goes beyond the usual. 0 or less: it does not say so.
    """
    usual = FEATURES[finding.feature].usual
    room = max(_ROOM, 1.0 - usual if direction > 0 else usual)
    notable = direction * (finding.value - usual) / room
    return min(notable, direction * (finding.value - stand))
