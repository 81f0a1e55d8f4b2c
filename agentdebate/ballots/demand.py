"""What a critic holds against a score: a plain demand for another one, or criticism; and what it says for the score."""

import re
from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import to_number
from agentdebate.tasks import Aspect

_DEGREES = (
    "high|low|generous|lenient|harsh|strict|severe|kind|optimistic|pessimistic|favou?rable|critical|positive|negative|"
    "forgiving|charitable|soft|hard|much"
)
_N = (
    r"(?P<n{}>[0-9]{{1,6}}(?:[.,][0-9]{{1,6}})?|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?! (?:sentence|point|error|issue|fact|reason|paragraph|word|time)s?\b)"
)
_SCORE = r"(?:score|rating|grade|mark|assessment|evaluation|judge?ment|verdict)s?"
_IT = rf"(?:it|this|that|(?:the|your|this|that|its|his|her|their) (?:[a-z]{{1,20}} )?{_SCORE})"
_FIT = (
    "acceptable|accurate|appropriate|fair|justified|correct|right|reasonable|warranted|well[- ]founded|sound|fitting|defensible|"
    "deserved|fine|supported|spot on|convincing|adequate|proper|valid|apt|okay|ok|good"
)
_OTHER = (
    "lower|higher|raised|lowered|reduced|increased|reconsidered|revised|adjusted|changed|corrected|downgraded|upgraded|stricter|"
    "better|worse|closer"
)
_TO = r"(?:to |at most |at least |closer to |around |about |no (?:higher|more|lower|less) than )?(?:an? |slightly )?"


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


_DEMANDS = _compiled(
    r"\b(?:deserve|merit|warrant)s? (?:at most |only |no more than |at least |more like |closer to )?(?:an? )?(?:"
    + _N.format("a")
    + r"|lower|higher|better|worse|less|more)\b",
    r"\b(?:should|ought to|must|needs? to|has to) (?:instead |rather |really |only |perhaps )?(?:be|have been|drop|rise|go|get|receive|come)"
    r" (?:down |up )?" + _TO + r"(?:" + _N.format("b") + rf"|{_OTHER})\b",
    r"\b(?:i would|i'd|i suggest|i propose|i recommend|i would rather|i'd rather)(?: (?:rather|instead|only))?"
    r" (?:giv|rat|scor|assign|lower|rais|reduc|increas|suggest|recommend|propos|chang|argu)[a-z]{0,6}(?! the same)"
    r"\b(?! (?:the same|this score|the given))",
    rf"(?:^|[,:] ?|\bplease |\b(?:you|they|we) (?:should|must|need to) |\b(?:suggest|recommend|propose) )"
    rf"(?:lower|raise|reduce|increase|change|adjust|revise|drop|bring|move|cut)(?:ing)? {_IT}\b",
    r"\b(?:lower|higher|fairer|different|stricter) (?:score|rating|grade)"
    r" (?:(?:is|would be|seems|looks) (?:more |better )?(?:fit|fitting|right|due|fair|fairer|justified|appropriate|better|needed|warranted)|fits)\b",
    _N.format("c")
    + r"(?: out of [0-9]{1,6})? (?:would be|seems|is|might be|may be|looks) (?:an? )?(?:more|fairer|better)\b",
    r"\bno more than (?:an? )?" + _N.format("d") + r"\b",
    r"(?:^|[,:] ?)(?:please |you should |kindly )?(?:reconsider|re-?evaluate|re-?assess|rethink|revisit)\b",
    r"\bi (?:still |strongly |must |have to |also |respectfully )?(?:disagree|object|challenge|dispute)\b",
    r"\bi (?:cannot|can't|won't|will not|do not|don't) (?:agree|accept)\b|\bi (?:refuse|decline) to (?:agree|accept)\b",
    rf"\b(?:the|this|that|your|its) (?:[a-z]{{1,20}} )?{_SCORE} (?:of [0-9]{{1,3}} )?(?:is|remains|seems) (?:still |clearly |simply )?"
    rf"(?:(?:too|overly|unduly) (?:{_DEGREES})|(?:not|hardly) (?:[a-z]{{1,20}} )?(?:{_FIT}))\b",
    rf"\b{_SCORE} isn't (?:[a-z]{{1,20}} )?(?:{_FIT})\b",
)
"""Each asks for another score, or turns down the one that stands."""
_CRITICISM = _compiled(
    rf"\b(?:too|overly|unduly|excessively|unfairly) (?:{_DEGREES})\b",
    r"\b(?:over|under)[ -]?(?:stat|rat|estimat|valu|scor)(?:e|es|ed|ing)\b",
    r"\b(?:inflated?s?|unjustified|unwarranted|undeserved|debatable|questionable)\b",
    r"\b(?:lower|higher|fairer|better|different|stricter) (?:score|rating|grade)\b",
    rf"\b(?:lower|raise|reduce|increase|change|adjust|revise|drop|bring|move)(?:ing)? {_IT}\b",
    rf"\b(?:{_SCORE}|scorer|it|this|that)\b[^,;]{{0,60}}\b(?:not|isn't|hardly)"
    r" (?:[a-z]{1,20} )?(?:justified|accurate|warranted|correct|fair|appropriate|right|deserved|supported|acceptable|"
    r"reasonable|convincing|defensible)\b",
    rf"\b(?:{_SCORE}|scorer)\b[^,;]{{0,40}}\b(?:overlooks?|ignores?|misses|neglects?|"
    r"(?:does not|doesn't|fails to|do not) (?:reflect|account|consider|capture|penali[sz]e))\b",
    r"\b(?:reconsider|re-?evaluat|re-?assess|rethink|revisit)[a-z]{0,6}\b",
    r"\b(?:disagree|disagrees)\b",
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nor|neither|without|hardly|nothing|cannot|nobody|none|[a-z]{1,10}n't)\b"
)
_PAST = re.compile(
    r"\b(?:was|were|had|has|first|initially|previously|earlier|already|now|agreed|accepted|corrected|fixed|addressed|resolved|"
    r"followed|adopted|no longer|used to|thought|expected|asked|demanded|suggested|argued|said|wanted|(?<!should )have been|"
    r"and (?:so )?(?:it|that) is|which it is|as it is|exactly)\b"
)
"""Words by which what was demanded lies behind: it was said earlier, or has been met."""
_REACH = 60
"""Characters before an objection in which its denial may stand."""

_PLAINLY = r"(?:(?!(?:not|never|hardly|barely|less|far|no|anything|nowhere|only|partly)\b)[a-z]{1,20} ){0,3}"
_APPROVALS = _compiled(
    rf"\b(?:{_SCORE}|it|this|that|scorer|reasoning)\b[^,;]{{0,60}}\b(?:is|are|seems|appears|looks|feels|remains)"
    rf" {_PLAINLY}(?:{_FIT})\b",
    rf"\bi (?:find|consider|deem|think|believe) {_IT} {_PLAINLY}(?:{_FIT})\b",
    r"\bi (?:(?!(?:not|never|hardly|barely|cannot|only|partly|refuse|decline|would|could|might)\b)[a-z]{1,20} ){0,2}(?:agree|concur|accept|endorse|support|approve)\b(?! that\b)",
    r"\b(?:no|without|not any) (?:[a-z]{1,20} ){0,2}(?:objections?|concerns?|criticisms?|complaints?|problems?|disagreements?|"
    r"corrections?|reservations?|faults?|quibbles?)\b",
    r"\bnothing (?:[a-z]{1,20} ){0,2}to (?:object|add|criti[cs]i[sz]e|change|correct|fault|complain)\b",
    r"\bno (?:reason|need|grounds) (?:[a-z]{1,20} ){0,2}to (?:[a-z]{1,20} )?(?:change|object|lower|raise|revise|reconsider|disagree|alter)\b",
    rf"\b{_SCORE} (?:should |can |may |must )?(?:stands?|stays?|remains?)\b",
    rf"\b(?:keep|leave) {_IT}\b|\bthe same {_SCORE}\b|\b(?:matches|reflects|fits|captures) (?:my|the text|the summary|the quality)\b",
    r"\b(?:neither|not) too (?:high|low|generous|harsh)\b",
    r"\bi (?:do not|don't|cannot|can't) (?:object|disagree|fault)\b",
    r"\b(?:well|fully|rightly|correctly) (?:reasoned|justified|argued|supported|scored|rated|deserved)\b",
    r"\b(?:looks|sounds) good\b|\bagreed\b",
)
_CONTRAST = re.compile(
    r"\b(?:but|however|although|though|yet|nevertheless|nonetheless|except|still|while|whereas|unfortunately)\b"
)


def demands(sentence: str, aspects: Sequence[Aspect], *, still: bool = False) -> bool:
    """Whether a sentence asks for another score; `still`: and nothing in it says that this lies behind."""
    said = _flat(sentence)
    if still and _PAST.search(said):
        return False
    return any(_holds(_DEMANDS, said, aspects))


def criticises(sentence: str, aspects: Sequence[Aspect]) -> bool:
    """Whether a sentence asks for another score or calls the one that stands wrong."""
    said = _flat(sentence)
    return any(_holds((*_DEMANDS, *_CRITICISM), said, aspects))


def approves(sentence: str) -> bool:
    """Whether a sentence says in other words that the score may stand."""
    said = _flat(sentence)
    return any(pattern.search(said) for pattern in _APPROVALS)


def objected(sentence: str) -> str:
    """What a sentence sets against what is said before: what follows its first "but" or "however"; empty without one."""
    contrast = _CONTRAST.search(sentence.lower())
    return sentence[contrast.end() :] if contrast else ""


def _holds(patterns: Sequence[re.Pattern[str]], said: str, aspects: Sequence[Aspect]) -> Iterator[bool]:
    for pattern in patterns:
        for match in pattern.finditer(said):
            clause = re.split("[,:]", said[max(match.start() - _REACH, 0) : match.start()])[-1]
            yield not _DENIAL.search(clause) and _may_be_score(match, aspects)


def _flat(sentence: str) -> str:
    return " ".join(sentence.lower().split())


def _may_be_score(match: re.Match[str], aspects: Sequence[Aspect]) -> bool:
    number = next((group for name, group in match.groupdict().items() if name[0] == "n" and group), None)
    if number is None or not aspects:
        return True
    value = to_number(number)
    return value is None or any(aspect.scale.low <= value <= aspect.scale.high for aspect in aspects)
