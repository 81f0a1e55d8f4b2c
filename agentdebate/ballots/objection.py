"""Whether a critic objects to a score, or says the stop word.

DEBATE ends when the critic's feedback says NO ISSUE (its Algorithm 1, line 8; Appendix E.1 writes NO_ISSUES). Looking
for these letters anywhere would end debates on "I cannot say NO ISSUE". The rule here:

- The stop word is "no issue" or "no issues", parted by spaces, underscores or hyphens, in any case and markup.
- It is the critic's conclusion where it stands alone between the marks that part sentences and clauses, apart from a
  few words that lead up to it or say what it is about ("Therefore NO ISSUE with this score"). A question mark after
  it, or a condition or negation in the same sentence ("If it were a 3, NO ISSUE"), makes it a mention.
- In the middle of a sentence ("there is no issue with grammar, but ...") and as an entry of a list ("Grammar: no
  issue") it is a mention as well.
- Agreement is a conclusion in a reply that does not object in any other place. To object is to call the score too high
  or too low (or harsh, generous, overstated ...), to disagree, to name another score, to call it unjustified, or to ask
  for it to be reconsidered; not if the same clause denies it ("the score is not too high").
- A conclusion together with an objection is contradictory. What the critic first holds against the score and then
  takes back counts as an objection too: it is for the critic to say which of the two is meant.
- Everything else is an objection.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.numbers import to_number
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.words import words_of
from agentdebate.tasks import Aspect

_STOP_WORD = re.compile(r"(?<![a-z0-9])no[ _-]{0,4}issues?(?![a-z0-9])", re.IGNORECASE)
_SHOUTED = re.compile(r"NO[ _-]{0,4}ISSUES?")
_TAG = re.compile(r"<[^<>\n]{0,80}>")
_MARKUP = re.compile(r"\\[nt](?=[^a-z])|\\[a-z]++\{|[*`_~#>\"\[\](){}|$\\]")
_SENTENCE_ENDS = re.compile(r"[.!?;\n]++")
_CLAUSES = re.compile(r"([,:]| -+ |\bbut\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)*")

_LEADING = words_of(
    "so therefore thus hence overall finally and then i say conclude declare answer my the verdict "
    "conclusion response feedback reply critic is final just simply ok okay yes with this that score "
    "rating it here result"
)
"""Words that may stand beside the stop word in its clause."""
_AGREEING = words_of(
    "i'd critique assessment evaluation judgment judgement outcome decision agree acceptable "
    "accurate justified fair find think believe as seems appropriate reasonable correct in to of by "
    "a an given after all scorer review now see"
)
"""Words that may stand before the stop word where a colon or a comma parts them from it."""
_HYPOTHETICAL = words_of(
    "if unless until whether before when would could might not never cannot can't don't isn't "
    "without otherwise than wouldn't couldn't won't doesn't only once should asked told instead"
)
"""Words that make the stop word of their sentence a mention."""

_DEGREES = (
    "high|low|generous|lenient|harsh|strict|severe|kind|optimistic|pessimistic|favou?rable|critical|positive|negative|"
    "forgiving|charitable|soft|hard|much"
)
_N = (
    r"(?<![\w.,])(?P<n{}>[0-9]{{1,6}}+(?:[.,][0-9]{{1,6}}+)?+(?![0-9])|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?! (?:sentence|point|error|issue|fact|reason|paragraph|word|time)s?\b)"
)
_THE_SCORE = (
    r"(?:it|this|that|(?:the|your|this|that|its) (?:[a-z]+ )?(?:score|rating|grade|assessment|evaluation))"
)
_OTHER = "lower|higher|raised|lowered|reduced|increased|reconsidered|revised|adjusted|changed|corrected|downgraded|upgraded"
_OBJECTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:too|overly|unduly|excessively|unfairly) (?:{_DEGREES})\b",
        r"\b(?:over|under)[ -]?(?:stat|rat|estimat|valu|scor)(?:e|es|ed|ing)\b",
        r"\b(?:inflated?s?|unjustified|unwarranted|undeserved|debatable|questionable)\b",
        r"\b(?:disagree|disagrees|i object|i challenge|i dispute|i must object|can(?:'t|not) (?:agree|accept))\b",
        r"\b(?:deserve|merit|warrant)s? (?:at most |only |no more than |at least |more like |closer to )?(?:an? )?(?:"
        + _N.format("a") + r"|lower|higher|better|worse|less|more)\b",
        r"\bshould (?:instead |rather |really |only |perhaps )?(?:be|have been|drop|rise|go|get|receive|come) (?:down |up )?"
        r"(?:to |at most |at least |closer to |around |about |no (?:higher|more|lower|less) than )?(?:an? |slightly )?(?:"
        + _N.format("b") + rf"|{_OTHER})\b",
        (r"\b(?:i would|i'd|i suggest|i propose|i recommend|i would rather|i'd rather)(?: (?:rather|instead|only))?"
        r" (?:giv|rat|scor|assign|lower|rais|reduc|increas|suggest|recommend|propos|chang|argu)[a-z]*(?! the same)"
        r"\b(?! (?:the same|this score|the given))"),
        rf"\b(?:lower|raise|reduce|increase|change|adjust|revise|drop|bring|move)(?:ing)? {_THE_SCORE}\b",
        r"\b(?:lower|higher|fairer|better|different|stricter) (?:score|rating|grade)\b",
        _N.format("c") + r"(?: out of [0-9]{1,6}+)? (?:would be|seems|is|might be|may be|looks) (?:a )?(?:more|fairer|better)\b",
        r"\bno more than (?:an? )?" + _N.format("d") + r"\b",
        (r"\b(?:score|rating|grade|assessment|evaluation|judge?ment|scorer|it|this|that)\b[^,;]{0,60}\b(?:not|isn't|hardly)"
        r" (?:[a-z]+ )?(?:justified|accurate|warranted|correct|fair|appropriate|right|deserved|supported|acceptable|"
        r"reasonable|convincing|defensible)\b"),
        (r"\b(?:score|rating|scorer|assessment|evaluation)\b[^,;]{0,40}\b(?:overlooks?|ignores?|misses|neglects?|"
        r"(?:does not|doesn't|fails to|do not) (?:reflect|account|consider|capture|penali[sz]e))\b"),
        r"\b(?:reconsider|re-?evaluat|re-?assess|rethink|revisit)[a-z]*\b",
    )
)  # fmt: skip
_DENIAL = re.compile(r"\b(?:not|no|never|nor|neither|without|hardly|nothing|cannot|nobody|none|[a-z]+n't)\b")
_REACH = 60
"""Characters before an objection in which its denial may stand."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What a critic's reply comes to. `contradictory`: it says the stop word and objects all the same.

    `ends` is as in ballot.Reading: how much of a very long reply was read.
    """

    no_issue: bool
    contradictory: bool = False
    ends: Ends | None = None


def read_objection(text: str, *, aspects: Sequence[Aspect] = ()) -> Objection | Problem:
    """Whether a critic's reply agrees or objects; a Problem where it is empty or declines to answer.

    The `aspects` debated tell a score that is proposed ("it should be 2") from other numbers. Raises nothing.
    """
    part = excerpt(spoken(text))
    if part.is_empty:
        return Problem("too_long", "The reply is too long, in too long lines, to be read as a critique.")
    said = _TAG.sub(" ", fold(part.text))
    if not any(character.isalnum() for character in said):
        return Problem("nothing", "The reply was empty: it neither agrees nor objects.")
    agrees = _concludes(said)
    objects = _objects(said, aspects)
    if not agrees and not objects and declines(said):
        return Problem("refusal", "The reply declined to answer: it neither agrees nor objects.")
    return Objection(no_issue=agrees and not objects, contradictory=agrees and objects, ends=part.ends)


def _sentences(said: str) -> Iterator[tuple[str, str]]:
    """Each sentence or line without markup, and the marks that end it."""
    text = _MARKUP.sub(" ", said)
    start = 0
    for end in _SENTENCE_ENDS.finditer(text):
        yield text[start : end.start()], end[0]
        start = end.end()
    yield text[start:], ""


def _concludes(said: str) -> bool:
    before = ""
    for sentence, end in _sentences(said):
        # What a line that ends in a colon says goes on in the next one.
        whole = f"{before} {sentence}"
        if "?" not in end and _STOP_WORD.search(sentence) and _is_conclusion(whole):
            return True
        if sentence.strip() or "\n" not in end:
            before = whole[-300:] if sentence.rstrip().endswith(":") else ""
    return False


def _is_conclusion(sentence: str) -> bool:
    before: set[str] = set()
    parted_by = ""
    for part in _CLAUSES.split(sentence):
        if _CLAUSES.fullmatch(part):
            parted_by = part
            continue
        rest, count = _STOP_WORD.subn(" ", part)
        words = set(_WORD.findall(rest.lower()))
        if count and words <= _LEADING and before.isdisjoint(_HYPOTHETICAL):
            # "Grammar: no issue" and "in spelling, no issue" speak of a part; "The score fits, so NO ISSUE" does not.
            shouted = parted_by.strip() in {",", "but"} and _SHOUTED.search(part)
            return bool(shouted or before <= _LEADING | _AGREEING)
        before |= words
    return False


def _objects(said: str, aspects: Sequence[Aspect]) -> bool:
    return any(
        _objects_in(_STOP_WORD.sub(" ", sentence.lower()), aspects) for sentence, _ in _sentences(said)
    )


def _objects_in(sentence: str, aspects: Sequence[Aspect]) -> bool:
    sentence = " ".join(sentence.split())
    for pattern in _OBJECTIONS:
        for match in pattern.finditer(sentence):
            clause = re.split("[,:]", sentence[max(match.start() - _REACH, 0) : match.start()])[-1]
            if not _DENIAL.search(clause) and _may_be_score(match, aspects):
                return True
    return False


def _may_be_score(match: re.Match[str], aspects: Sequence[Aspect]) -> bool:
    number = next((group for name, group in match.groupdict().items() if name[0] == "n" and group), None)
    if number is None or not aspects:
        return True
    value = to_number(number)
    return value is None or any(aspect.scale.low <= value <= aspect.scale.high for aspect in aspects)
