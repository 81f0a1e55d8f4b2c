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
_GIVEN = rf"(?:the|your|this|that|its|his|her|their|an?) (?:(?:[a-z]{{1,20}} )?{_SCORE}|[0-9]{{1,3}}(?:[.,][0-9]{{1,3}})?)"
"""The score that stands: "your score", "the 4"."""
_IT = rf"(?:it|this|that|{_GIVEN})"
_FIT = (
    "acceptable|accurate|appropriate|fair|justified|correct|right|reasonable|warranted|well[- ]founded|sound|fitting|defensible|"
    "deserved|fine|supported|spot on|convincing|adequate|proper|valid|apt|okay|ok|good"
)
_OTHER = (
    "lower|higher|raised|lowered|reduced|increased|reconsidered|revised|adjusted|changed|corrected|downgraded|upgraded|stricter|"
    "better|worse|closer"
)
_ONLY = r"(?:(?:at most|at best|only|no more than|at least|more like|closer to|rather|barely) )?"
_TO = r"(?:to |at most |at least |closer to |around |about |no (?:higher|more|lower|less) than )?(?:an? |slightly )?"


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


_BID = (
    r"(?:^|[,:] ?|\band |\bplease |\bkindly |\blet's |\b(?:you|they|we|scorer) (?:should|must|need to|have to|ought to) |"
    r"\b(?:suggest|recommend|propose|ask you to|urge you to|want you to|like you to|must|need to|time to) )"
)
"""What stands before a demand: the beginning of a clause, or words that ask."""
_MOVE = (
    "lower|raise|reduce|increase|change|adjust|revise|drop|bring|move|cut|correct|set|bump|push|downgrade|upgrade|mark|dock|deduct|take|"
    "go|score|rate|give|make|grade"
)
_DEMANDS = _compiled(
    r"\b(?:deserve|merit|warrant)s? (?:an? )?(?:lower|higher|better|worse|less|more)\b",
    rf"\b(?:deserve|merit|warrant|earn|i(?:s|t's) worth|worth|justifie)s? {_ONLY}(?:an? )?{_N.format('a')}\b",
    r"\b(?:should|ought to|must|needs? to|has to) (?:instead |rather |really |only |perhaps )?(?:be|have been|drop|rise|go|get|receive|come|lose|gain|become|read)"
    rf" (?:down |up )?{_TO}(?:{_N.format('b')}|{_OTHER}|points?|a point)\b",
    r"\b(?:i would|i'd)(?: (?:rather|instead|only|have|still))* "
    rf"(?:giv|rat|scor|assign|put|prefer|expect|say|mark|grad|go)[a-z]{{0,6}} (?:(?:it|this|for|with|the [a-z]{{1,20}}) )?"
    rf"{_ONLY}{_TO}(?:{_N.format('i')}|{_OTHER})(?! as well)\b",
    rf"\b(?:i would|i'd)(?: (?:rather|instead|only|still))* (?:lower|raise|reduce|increase|change|adjust|drop|cut) {_IT}\b",
    rf"\bi (?:would |'d )?(?:rather )?(?:suggest|propose|recommend|argue for)(?: [a-z]{{1,20}}){{0,3}} (?:an? )?(?:{_N.format('j')}|{_OTHER}|(?:lower|rais|reduc|increas|chang|revis)ing)\b",
    rf"{_BID}(?:lower|raise|reduce|increase|change|adjust|revise|drop|bring|move|cut|correct|downgrade|upgrade)(?:ing)? {_IT}\b",
    rf"{_BID}(?:{_MOVE}) (?:it|this|that|the [a-z]{{1,20}}|{_GIVEN}) (?:down|up|lower|higher|{_TO}{_N.format('c')}|an? [0-9])\b",
    rf"{_BID}(?:{_MOVE}) (?:(?:it|this|{_GIVEN}) )?(?:lower|higher|down|off|away|(?:an? |one |two |half an? )?points? (?:off|away|down|less|more))\b",
    r"\b(?:an? |one |two |half an? )(?:full )?points? (?:less|lower|more|higher|fewer|too (?:many|much|high|low))\b",
    r"\b(?:lower|higher|fairer|different|stricter) (?:score|rating|grade|mark|number)"
    r" (?:(?:is|would be|seems|looks) (?:more |better )?(?:fit|fitting|right|due|fair|fairer|justified|appropriate|better|needed|warranted|called)|fits|please)\b",
    rf"{_N.format('d')}(?: out of [0-9]{{1,6}})? (?:(?:would be|seems|is|might be|may be|looks) (?:an? )?(?:more|fairer|better|closer|enough|plenty|the most|what it)|"
    r"would (?:do|be|fit)|fits? better|at (?:most|best|the (?:very )?most)|instead|rather than|, not [0-9])",
    rf"\b(?:no more than|at most|at best|no less than|nothing (?:above|below|over|under)) (?:an? )?{_N.format('e')}\b",
    rf"\b(?:right|correct|proper|fair|better|my|true|real|appropriate|fitting) (?:{_SCORE}|number|figure) (?:here )?(?:is|would be|should be|must be)"
    rf" (?:rather |only |at most )?(?:an? )?{_N.format('f')}\b",
    rf"\bi (?:want|ask for|insist on|demand|call for|vote for|plead for|would say|hold out for|stick to|expect) (?:to see )?(?:an? )?(?:{_N.format('g')}|(?:lower|higher|different) )",
    rf"\b(?:{_GIVEN}|it|this|that) (?:cannot|can't|must not|should not|shouldn't|may not) (?:stand|stay|remain|be kept|be right|be accepted)\b",
    rf"\b(?:{_GIVEN}|it|this|that) (?:must|has to|needs to|should) (?:change|drop|fall|rise|go (?:down|up)|come down)\b",
    rf"\b{_GIVEN} needs (?:another look|revision|revising|lowering|raising|correcting|correction|to be)\b",
    r"(?:^|[,:] ?)(?:please |you should |kindly )?(?:reconsider|re-?evaluate|re-?assess|rethink|revisit)\b",
    r"\bi (?:still |strongly |must |have to |also |respectfully )?(?:disagree|object|challenge|dispute)\b",
    r"\bi (?:cannot|can't|won't|will not|do not|don't) (?:agree|accept)\b|\bi (?:refuse|decline) to (?:agree|accept)\b",
    rf"\b{_GIVEN} (?:of [0-9]{{1,3}} |for (?:[a-z]{{1,20}} ){{1,3}})?(?:is|remains|seems) (?:still |clearly |simply |far |much )?"
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
    r"\b(?:was|were|had(?! better)|has(?! to)|first|initially|previously|earlier|already|agreed|accepted|followed|adopted|no longer|used to|"
    r"thought|expected|asked|demanded|suggested|argued|(?<!as i )said|wanted|(?<!should )have been)\b"
)
"""Words by which what is demanded in their clause lies behind: it was said earlier, or has been done."""
_MET = re.compile(
    r"\b(?:now|and (?:so )?(?:it|that) (?:is|does)|which it (?:is|does)|as it is|exactly|already|has been|have been|was|were|agreed|accepted|did|"
    r"done|adopted|followed)\b"
)
"""Words by which what was demanded before them has been met."""
_CLAUSE_END = re.compile(r"[,;:]")
_REACH = 60
"""Characters before an objection in which its denial may stand."""

_PLAINLY = r"(?:(?!(?:not|never|hardly|barely|less|far|no|anything|nowhere|only|partly)\b)[a-z]{1,20} ){0,3}"
_APPROVALS = _compiled(
    rf"\b(?:{_SCORE}|number|{_GIVEN}|it|this|that|scorer|reasoning|you)\b[^,;]{{0,60}}\b(?:is|are|seems|appears|looks|feels|remains)"
    rf" {_PLAINLY}(?:{_FIT})\b",
    rf"\bi (?:find|consider|deem|think|believe|call) {_IT} {_PLAINLY}(?:{_FIT})\b",
    rf"\b(?:an? |very |perfectly |quite )?(?:{_FIT}|sensible|just) (?:enough|{_SCORE}|call|choice|number|figure)\b",
    r"\bi (?:(?!(?:not|never|hardly|barely|cannot|only|partly|refuse|decline|would|could|might)\b)[a-z]{1,20} ){0,2}"
    r"(?:agree|concur|accept|endorse|support|approve|back|second|share|(?:stand|abide) (?:by|behind)|go along|live with|side with|see it the same)\b(?! that\b)",
    r"\b(?:i am|i'm|we are) (?:[a-z]{1,20} )?(?:fine|happy|okay|ok|satisfied|convinced|content|comfortable|in agreement|on board|at ease)\b",
    r"\b(?:no|without|not any|not have any|nor any) (?:[a-z]{1,20} ){0,2}(?:objections?|concerns?|criticisms?|complaints?|problems?|"
    r"disagreements?|corrections?|reservations?|faults?|quibbles?|doubts?|changes?|quarrels?|remarks?|comments?)\b",
    r"\bnothing (?:[a-z]{1,20} ){0,3}(?:to (?:[a-z]{1,20} )?(?:object|add|criti[cs]i[sz]e|change|correct|fault|complain|say|dispute)|wrong|against|amiss)\b",
    r"\b(?:no|little) (?:reason|need|grounds|cause) (?:[a-z]{1,20} ){0,2}(?:to|for) (?:[a-z]{1,20} )?"
    r"(?:change|object|objection|lower|raise|revise|reconsider|disagree|alter|touch|dispute|quarrel|worry)",
    r"\b(?:would not|wouldn't|do not want to|need not|don't need to) (?:change|alter|touch|lower|raise|revise)\b",
    rf"\b(?:{_SCORE}|number|it|this|{_GIVEN}) (?:should |can |may |must )?(?:stands?|stays?|remains?|holds?|fits?|works?|makes sense|convinces)\b",
    rf"\b(?:keep|leave) {_IT}\b|\bthe same (?:{_SCORE}|number|way)\b|\b(?:matches|reflects|fits|captures|does justice to|is in line with)"
    r" (?:my|the text|the summary|the quality|what)\b",
    r"\b(?:neither|not) too (?:high|low|generous|harsh)\b",
    r"\bi (?:do not|don't|cannot|can't) (?:object|disagree|fault)\b",
    r"\b(?:well|fully|rightly|correctly|fairly) (?:reasoned|justified|argued|supported|scored|rated|deserved|judged|chosen)\b",
    r"\b(?:looks|sounds|seems) (?:good|fine|right|fair)\b|\bagreed\b|\b(?:fine|okay|ok|good|right) (?:with|by|for|to) me\b",
    rf"\b(?:got|has|gets) (?:it|this|that|{_GIVEN}) (?:right|correct|spot on)\b|\b(?:scorer|you|they) (?:is|are|'re|was) (?:[a-z]{{1,20}} )?right\b",
    r"\b(?:happy|satisfied|content|comfortable|on board) with\b|\byou're right\b",
    r"\b(?:objections?|doubts?|concerns?|points?|criticisms?|worries) (?:have|has|had|is|are|was|were) (?:now |all |both |since )?(?:been )?(?:now )?"
    r"(?:met|addressed|answered|resolved|settled|gone|cleared|dealt)\b",
    r"\b(?:withdraw|take back|drop) (?:my|the|all)\b",
    r"^\W{0,8}(?:accepted|agreed|correct|fair enough|all good|fine|right|yes|good call|same here|exactly|well judged|approved)(?: [a-z]{1,20}){0,2}\W{0,8}$",
)
_CONTRAST = re.compile(
    r"\b(?:but|however|although|though|yet|nevertheless|nonetheless|except|still|while|whereas|unfortunately)\b"
)


def demands(sentence: str, aspects: Sequence[Aspect], *, still: bool = False) -> bool:
    """Whether a sentence asks for another score; `still`: and nothing in it says that this lies behind."""
    said = _flat(sentence)
    return any(not (still and _lies_behind(said, found)) for found in _found(_DEMANDS, said, aspects))


def criticises(sentence: str, aspects: Sequence[Aspect]) -> bool:
    """Whether a sentence asks for another score or calls the one that stands wrong."""
    said = _flat(sentence)
    return next(_found((*_DEMANDS, *_CRITICISM), said, aspects), None) is not None


def approves(sentence: str) -> bool:
    """Whether a sentence says in other words that the score may stand."""
    said = _flat(sentence)
    return any(pattern.search(said) for pattern in _APPROVALS)


def objected(sentence: str) -> str:
    """What a sentence sets against what is said before: what follows its first "but" or "however"; empty without one."""
    contrast = _CONTRAST.search(sentence.lower())
    return sentence[contrast.end() :] if contrast else ""


def _found(
    patterns: Sequence[re.Pattern[str]], said: str, aspects: Sequence[Aspect]
) -> Iterator[re.Match[str]]:
    """Where one of these is said, and not denied in the same clause."""
    for pattern in patterns:
        for match in pattern.finditer(said):
            clause = _CLAUSE_END.split(said[max(match.start() - _REACH, 0) : match.start()])[-1]
            if not _DENIAL.search(clause) and _may_be_score(match, aspects):
                yield match


def _lies_behind(said: str, demand: re.Match[str]) -> bool:
    """Whether a demand is told of as past in its clause, or told to be met behind it."""
    before = _CLAUSE_END.split(said[max(demand.start() - 2 * _REACH, 0) : demand.start()])[-1]
    after = said[demand.end() :][: 4 * _REACH]
    clause = before + demand[0] + _CLAUSE_END.split(after, maxsplit=1)[0]
    return _PAST.search(clause) is not None or _MET.search(after) is not None


def _flat(sentence: str) -> str:
    return " ".join(sentence.lower().split())


def _may_be_score(match: re.Match[str], aspects: Sequence[Aspect]) -> bool:
    number = next((group for name, group in match.groupdict().items() if name[0] == "n" and group), None)
    if number is None or not aspects:
        return True
    value = to_number(number)
    return value is None or any(aspect.scale.low <= value <= aspect.scale.high for aspect in aspects)
