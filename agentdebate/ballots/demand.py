"""What a critic holds against a score: a plain demand for another one, or criticism of the one that stands."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from agentdebate.ballots.anchors import Rules, Sought
from agentdebate.ballots.critic_words import (
    BARE_DEGREE,
    BE,
    CHANGE,
    CHANGED,
    CHANGING,
    CUT,
    DEGREE,
    DENIAL,
    FIT,
    GIVEN,
    IT,
    MODAL,
    NUMBER,
    PLACE,
    PLACED,
    REASONING,
    REVISION,
    SCORE,
    SCORER,
    UNFIT,
)
from agentdebate.ballots.numbers import to_number
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.sentences import Phrase
from agentdebate.tasks import Aspect

_NUMBER_NAME = pattern(r"\(\?P<n>")
_ADVERBS = rf"(?:(?!(?:{DENIAL}|that)\b)[a-z]{{1,20}} ){{0,3}}"
"""Up to three words between those of a construction, none of which turns it around."""
_ONLY = r"(?:(?:at most|at best|only|no more than|no better than|at least|more like|closer to|nearer to|rather|barely|just|perhaps|maybe|more of) )?"
_TO = (
    r"(?:(?:to|at|in|by|on|around|about|as|with|for|towards?|below|above|under|over|nearer to|closer to|at most|at best|at least|only|more like|"
    r"no (?:higher|more|lower|less|better) than|something like|down to|up to|back to|as low as|as high as) ){0,2}(?:an? |the )?(?:(?:slightly|much|far|"
    r"lower|higher|solid|low|high|mere|score of|rating of|grade of|mark of) ){0,2}"
)
"""What leads to a number or a direction: "down to a", "closer to"."""
_POINTS = r"(?:(?:at least |about |only )?(?:an?|one|two|three|half a|some|a few|several|[0-9]) (?:[a-z]{1,10} )?points?|points?)"
_GOAL = rf"{_TO}(?:{NUMBER}|(?:{CHANGED}|down|up|off|away)\b|{_POINTS}\b)"
"""Where a score should go: "to a 2", "lower", "down a point"."""
_I = r"\b(?:i|we)(?: would| will| am going to| want to| would like to| have to| must| am inclined to| am tempted to| would be inclined to| feel i must| could| might)"
_BID = (
    rf"(?:(?<!\w)|(?=[,:]))(?:^\W{{0,3}}|[,:] ?|\b(?:and|please|kindly|let us|then|so|but|instead|perhaps|maybe|simply|just) |\b(?:{SCORER}|we|the score|it) (?:{MODAL}) {_ADVERBS}"
    rf"|\b(?:suggest|recommend|propose|urge you to|ask you to|want you to|like you to|ask that you|ask the scorer to|urge the scorer to|advise|"
    rf"advise you to|invite the scorer to|like to see the scorer|time to|better to|"
    rf"best to|fairer to|right to|in favou?r of|i am for|i vote for|argue for|call for|plead for|(?:{MODAL})) (?:that (?:you|we|the scorer) |you |to )?)"
)
"""What stands before a demand: the beginning of a clause, or words that ask."""


def _patterns(*patterns: str) -> tuple[str, ...]:
    """The patterns, with a name of its own for each number in one of them."""
    return tuple(_NUMBER_NAME.sub(_numbered(count(1)), pattern) for pattern in patterns)


def _numbered(counted: Iterator[int]) -> Callable[[re.Match[str]], str]:
    return lambda _: f"(?P<n{next(counted)}>"


_NEVER_OF_OWN = r"(?! (?:as well|too|myself|either|again)\b)"
_OBLIGATIONS = _patterns(
    rf"\b(?:{MODAL}) {_ADVERBS}(?:be|have been|become|read|get|got|receive|earn|stand|sit|come|go|drop|fall|rise|move|end up|lose|lost|gain|cost|"
    rf"have cost|have lost|be brought|start) {_GOAL}",
    rf"\b(?:{MODAL}) {_ADVERBS}be (?:{CHANGED})\b",
    rf"\b(?:{MODAL}) not (?:[a-z]{{1,10}} )?be (?:so |that |this |as |rated |scored |given |above |over |below |under )?(?:an? )?(?:{DEGREE}|{NUMBER}|"
    rf"more than|less than)",
    rf"\b(?:{GIVEN}|it|this|that) (?:{MODAL}) {_ADVERBS}(?:change|drop|fall|rise|go|come down|come up|move|shift)\b",
    rf"\b(?:{GIVEN}|it|this|that) (?:needs?|calls? for|requires?|demands?|invites) {_ADVERBS}(?:{CHANGING}|{REVISION}|another look|a second look|to be)\b",
    rf"\b(?:{GIVEN}|it|this|that) (?:cannot|should not|must not|may not|could not|ought not to) {_ADVERBS}(?:stand|stay|remain|be kept|be right|"
    rf"be accepted|hold|be upheld|be allowed|be maintained|be left)\b",
)
"""A modal verb, a verb of change, and where the score should go: "it should be lowered to 2"."""
_BIDS = _patterns(
    rf"{_BID}(?:{CHANGE}|{CHANGING}) (?:{IT}|the {SCORE})(?! (?:seriously|further|as)\b)",
    rf"{_BID}(?:{CHANGE}|{PLACE}|{CHANGING}) (?:(?:it|this|this one|the [a-z]{{1,20}}|{GIVEN})(?: (?:for|on|in) [a-z ]{{1,20}}?)? )?{_ADVERBS}(?:down|up|"
    rf"lower|higher|{_TO}{NUMBER})(?! (?:high|low)\b)",
    rf"{_BID}(?:{CUT}) {_ADVERBS}(?:(?:it|{GIVEN}) (?:by )?)?{_POINTS}\b",
    r"(?:^\W{0,3}|[,:] ?|\bplease |\bkindly |\band )(?:reconsider|re-?evaluate|re-?assess|rethink|revisit|think again|try again|look again)\b",
)
"""A bid: "lower it to 2", "please deduct a point"."""
_WISHES = _patterns(
    rf"{_I} {_ADVERBS}(?:{CHANGE}) (?:{IT})",
    rf"{_I} {_ADVERBS}(?:{PLACE}|{CHANGE}|have (?:{PLACED})) (?:(?:it|this|that|for|with|the [a-z]{{1,20}}|{GIVEN}) ){{0,2}}(?:(?:down|up|as|at|to|only|"
    rf"rather) )*{_GOAL}{_NEVER_OF_OWN}",
    rf"{_I} {_ADVERBS}(?:{CUT}) {_ADVERBS}{_POINTS}\b",
    rf"{_I} {_ADVERBS}(?:see|prefer|like|want|expect|welcome|wish|call|ask|like to see|argue|suggest) {_ADVERBS}(?:an? )?(?:{CHANGED})\b",
    r"\bi (?:would |will |must |have to |can only |still |strongly |respectfully |also |therefore )*(?:suggest|propose|recommend|argue for|ask for|"
    r"insist on|demand|call for|vote for|plead for|want|expect|prefer|favou?r|"
    rf"lean towards?|advocate(?: for)?|opt for|side with|hold out for|stick to|stick with|say|vote|see|request|advise|support) (?:to see |"
    rf"to have )?{_TO}(?:(?:{NUMBER}{_NEVER_OF_OWN})|(?:[a-z]{{1,20}} )?(?:lower|higher|different|{REVISION}|stricter|harsher|{CHANGING})\b)",
    rf"\b(?:my|the (?:right|correct|proper|fair|true|real|appropriate|fitting|better|fairer|honest|adequate|most [a-z]{{4,15}}|"
    rf"more [a-z]{{4,15}}))(?: own)? (?:{SCORE}|number|figure|vote|suggestion|proposal|recommendation|choice|preference|estimate|pick|value|answer)s?"
    rf" {_ADVERBS}(?:is|would be|should be|must be|goes to|would go to|stands at|remains|would be to|is to) (?:for )?{_ONLY}(?:an? )?(?:{NUMBER}|lower|"
    rf"higher|(?:{CHANGE})\b)",
    rf"\ban? (?:fair|just|right|correct|proper|suitable|reasonable|realistic|honest|appropriate|sensible|adequate|balanced|accurate) (?:{SCORE}|"
    rf"number) {_ADVERBS}(?:would|might|could) (?:have been |be )(?:an? )?(?:{NUMBER}|lower|higher)",
)
"""In the first person: "I would bring it down", "my score is a 2", "a fair score would be 2"."""
_DESERTS = _patterns(
    rf"\b(?:deserve|merit|warrant|earn|justif(?:y|ie)|support|is worth|are worth|be worth|amount to|call for|speak for|point to|suggest|indicate|"
    rf"argue for|require|qualif(?:y|ie) for|rise to|reach)(?:s|es)? {_ADVERBS}{_ONLY}(?:an? )?(?:(?:much |far |slightly |significantly |somewhat |"
    rf"considerably )?(?:lower|higher|better|worse|less|more|stricter|different)\b(?! (?:than|to be|of|about|from))|{NUMBER})",
    rf"\b(?:belongs?|lands?|sits?|falls?|fits?|is|would sit|would be|should be) (?:[a-z]{{1,12}}ly )?(?:at|in|around|closer to|nearer to|nearer|with|on|"
    rf"below|above|more like|more of|no (?:more|better|higher|less) than|at most|at best|at least) {_TO}(?:category |range |bracket |band |"
    rf"level )?{NUMBER}",
)
"""What the text deserves, and where it belongs: "it deserves a 2", "it belongs at 2"."""
_OTHER_SCORES = _patterns(
    rf"\b{NUMBER} (?:[a-z]{{1,12}} )?(?:would|might|may|could|will|should) (?!not\b)(?:(?!(?:{DENIAL})\b)[a-z]{{1,20}} ){{0,3}}(?:be|do|fit|suit|match|"
    rf"reflect|suffice|capture|serve|seem|describe|represent|correspond)\b(?! (?:[a-z]{{1,12}} )?(?:too|{UNFIT}|{DEGREE}|unhelpful)\b)",
    rf"\b{NUMBER} {_ADVERBS}(?:is|seems|looks|feels|appears) {_ADVERBS}(?:more [a-z]{{3,15}}|fairer|better|closer|nearer|enough|plenty|the most|as (?:much|"
    rf"high|far|good|low) as|all (?:it|that|this|the|i)|the maximum|the limit|the ceiling|the upper limit)\b(?! than (?:fair|enough|justified|deserved|"
    rf"reasonable))",
    rf"\b{NUMBER} (?:fits?|suits?|matches|reflects|captures|describes|serves|does) (?:[a-z]{{1,20}} ){{0,4}}(?:better|best|more (?:accurately|closely|"
    rf"fairly|honestly)|more justice)\b",
    rf"\b{NUMBER}(?:,? (?:at (?:most|best|the (?:very )?most)|tops|max|maximum|instead|rather than|not an? [0-9]|and not|and no more|no more|not [0-9]|"
    rf"if that)|, not\b)",
    rf"\b(?:cannot|could not|can hardly|can never) be (?:worth )?(?:more|higher|better|above|over|lower|less)(?: than)? (?:an? )?{NUMBER}",
    rf"\b(?:no more than|no better than|at most|at best|no less than|nothing (?:above|below|over|under|more than|better than)|not (?:more|higher|"
    rf"better) than) (?:an? )?{NUMBER}",
    rf"\b(?:not|hardly|scarcely|never|no longer) (?:worth |really |at all )?(?:an? |the )(?:{NUMBER})(?:$|\W)",
    rf"\b(?:fairer|better|more (?:appropriate|fitting|accurate|realistic|honest|suitable|reasonable|balanced)|lower|higher|different|stricter|harsher|"
    rf"more (?:generous|lenient|modest|critical|severe)) (?:[a-z]{{1,15}} )?(?:{SCORE}|number|figure)s?(?: of {NUMBER}| \(?{NUMBER}\)?)? {_ADVERBS}(?:is|"
    rf"would|seems?|looks|might|should|may|could|fits|please|here|must)\b(?! (?:be )?(?:not|need|require|mean|un[a-z]{{3,20}}|too|in?accurate|wrong|harsh|hard)\b)",
)
"""The other score as the subject: "a 2 would be fairer", "a lower score fits better"."""
_REJECTIONS = _patterns(
    rf"\b(?:(?:does|do|did|would|could|can|should) not|cannot|hardly|scarcely|barely|fails to|not) (?:[a-z]{{1,20}} ){{0,2}}(?:deserve|merit|warrant|"
    rf"justify|earn|support|reach|rise to|qualify for|live up to|add up to|amount to)(?:s|ed)? (?:(?:an?|the|such|that|this|so|its|your) )+(?:{NUMBER}|"
    rf"high|{SCORE}|[0-9])",
    rf"\b(?:nothing|little|no [a-z]{{1,20}}|none of [a-z ]{{1,30}}|hardly anything) (?:[a-z]{{1,20}} ){{0,5}}(?:justif(?:y|ies)|supports?|warrants?|"
    rf"merits?|points? to|speaks? for|earns?|deserves?) (?:(?:an?|the|such|that|this|so) )+(?:{NUMBER}|high|"
    rf"(?:[a-z]{{1,10}} )?(?<!lower )(?<!higher )(?:{SCORE}))",
    rf"\b(?:(?:do|does|would|can|could) not|cannot) (?:[a-z]{{1,20}} ){{0,2}}(?:think|believe|find|consider|see|feel|say|call|"
    rf"deem)(?: that)? (?:{IT})(?: (?:of|for) [^,;]{{0,30}}?)?(?: is| are| to be| as| be)? {_ADVERBS}(?:{FIT})\b",
    r"\b(?:i|we) (?:still |strongly |must |have to |also |respectfully |simply |firmly |do |would |therefore |partly |partially |nevertheless |fully |"
    r"completely |clearly |can only )*(?:disagree|object|challenge|dispute|contest|reject|oppose|protest|beg to differ|take issue|differ|part ways|"
    r"question)\b",
    r"\b(?:i|we) (?:still |really |simply |just |honestly |also )?(?:cannot|will not|do not|would not|could not|am not able to|am unable to|refuse to|"
    r"decline to|am unwilling to|am not willing to|am not prepared to|hesitate to|am reluctant to) (?:really |fully |quite |honestly |possibly |simply |"
    r"entirely |in good conscience |at all )?"
    r"(?:agree|accept|endorse|support|approve|go along|sign off|share|concur|subscribe|back|live with|stand by|stand behind|uphold|condone|defend|"
    r"follow (?:the scorer|this|the reason)|buy|see how)\b",
    r"\b(?:i am|i remain|we are|leaves me|i was) (?:[a-z]{1,12} )?(?:not (?:[a-z]{1,12} )?(?:convinced|persuaded|satisfied|happy|comfortable|"
    r"in agreement|sold|at ease|content|sure about|certain)|unconvinced|unpersuaded|dissatisfied|unhappy|uncomfortable|against|opposed|in disagreement|"
    r"at odds)\b",
    rf"\b(?:{GIVEN}|it|this|that|{NUMBER})(?: (?:of|for|on|in|given|assigned|to|here|you) [^,;:]{{0,40}}?)? (?:{BE}) {_ADVERBS}(?:(?:too|overly|unduly|"
    rf"excessively|unfairly|needlessly|unnecessarily) (?:{DEGREE})|(?:{UNFIT})|(?:{BARE_DEGREE})|not (?:(?!too\b)[a-z]{{1,20}} ){{0,3}}(?:{FIT}|what|"
    rf"where|worth)|(?:hardly|far from|nowhere near|less than|anything but|barely) (?:[a-z]{{1,20}} )?(?:{FIT}))(?! about\b)\b",
    rf"\b(?:{GIVEN}|{NUMBER}) (?:still |simply |clearly |just )?(?:goes too far|fails|errs|overstates|understates|overrates|underrates|overestimates|"
    rf"underestimates|overvalues|undervalues|undersells|oversells|flatters|exaggerates|inflates|overshoots|undershoots|rewards|"
    rf"does (?:[a-z]{{1,10}} )?not (?:[a-z]{{1,10}} )?(?:fit|match|reflect|hold|follow|stand|add up|make sense|do justice|correspond|seem|appear|feel|"
    rf"look|work|sit|capture|account|convince)|makes no sense|falls short|misses the mark|gives (?:[a-z]{{1,10}} ){{0,2}}too)",
    rf"\b(?:i|we) {_ADVERBS}(?:find|consider|think|believe|deem|call|feel|regard|see|rate|hold)(?: that)? (?:{IT}|it all)(?: as| to be|"
    rf" is)? {_ADVERBS}(?:(?:too|overly|unduly|excessively) (?:{DEGREE})|{UNFIT}|{BARE_DEGREE})\b",
    rf"^\W{{0,8}}(?:[a-z]{{1,20}}: ?)?(?:(?:far|way|much|still|a bit|a little|slightly|somewhat|just|simply|clearly|a tad) )*(?:too|overly|unduly|"
    rf"excessively) (?:{DEGREE})\b",
    rf"\b(?:{SCORER}|scorer's) (?:is|are|was|has been|have been|were) (?:[a-z]{{1,12}} ){{0,2}}(?:too|overly|unduly|excessively) (?:{DEGREE})\b",
    rf"{_POINTS} (?:less|lower|more|higher|fewer|too (?:many|much|high|low|generous|harsh|few|little))\b",
    rf"\b(?:too|overly|unduly) (?:{DEGREE}) (?:an? )?(?:{SCORE})\b",
)  # fmt: skip
"""The score that stands is turned down: "the 4 is not justified", "I disagree", "nothing justifies a 4"."""
_DEMANDS = (*_OBLIGATIONS, *_BIDS, *_WISHES, *_DESERTS, *_OTHER_SCORES, *_REJECTIONS)
"""Each asks for another score, or turns down the one that stands."""
_NAMES_A_SCORE = _patterns(
    rf"\b(?:i would|i|we|we would) {_ADVERBS}(?:say|think|believe|argue|feel|maintain|call|find)(?: that)? (?:it|this|{GIVEN}) (?:(?:is|as|to be|was|"
    rf"more like|rather|closer to|at) ){{0,3}}(?:an? )?{NUMBER}",
    rf"\b{NUMBER} {_ADVERBS}(?:is|seems|looks|feels) {_ADVERBS}(?:what (?:it|this|the text|i|we)|where (?:it|i|we|this)|(?:the|"
    rf"my) (?:[a-z]{{1,20}} ){{0,2}}(?:{SCORE}|number|choice|vote|answer|pick))\b(?![^,;]{{0,40}} (?:as well|too|myself|also))",
)
"""Each says which number it should be, which may be another one or the one that stands."""
_CRITICISM = _patterns(
    rf"\b(?:too|overly|unduly|excessively|unfairly) (?:{DEGREE})\b",
    r"\b(?:over|under)[- ]?(?:stat|rat|estimat|valu|scor|sell)(?:e|es|ed|ing|s)?\b",
    r"\b(?:inflat(?:e|es|ed|ing)|unjustified|unwarranted|undeserved|debatable|questionable)\b",
    rf"\b(?:lower|higher|fairer|better|different|stricter) (?:{SCORE})\b",
    rf"\b(?:{CHANGE}|{CHANGING}) {IT}",
    rf"\b(?:{SCORE}|scorer|{REASONING}|it|this|that|{NUMBER})\b[^,;]{{0,60}}\b(?:not|hardly) (?:[a-z]{{1,20}} ){{0,2}}(?:{FIT})\b",
    rf"\b(?:{SCORE}|scorer|{REASONING}|{NUMBER})\b[^,;]{{0,40}}\b(?:overlooks?|ignores?|misses|neglects?|forgets|disregards|glosses over|passes over|"
    rf"omits|skips|confuses|misreads|misunderstands|misjudges|misstates|exaggerates|downplays|mistakes|conflates|contradicts?|"
    r"fails? to|does not|do not|did not|has not|have not|makes no|gives no|says nothing|never)\b",
    rf"\b(?:scorer|{REASONING}|{GIVEN}|it|that) (?:{MODAL}|should have|ought to have) {_ADVERBS}(?:reflect|account|consider|take|show|mention|weigh|"
    rf"address|include|penali[sz]e|count|explain|have|look|notice|acknowledge|cost|matter|be)",
    r"\b(?:reconsider|re-?evaluat|re-?assess|rethink|revisit)[a-z]{0,6}\b",
    r"\b(?:disagree|disagrees|disagreement)\b",
    rf"\b(?:{MODAL}) {_ADVERBS}(?:bring|cost|lower|raise|weigh|count|reduce|pull|drag|push|lead to|result in|affect|have (?:cost|been))\b",
    r"\b(?:hard|difficult|impossible) to (?:defend|justify|accept|support|share|follow|see how|see why|agree|understand|reconcile)\b",
    r"\b(?:cannot|could not|can hardly|can scarcely) be (?:defended|justified|accepted|supported|upheld|right|reconciled|sustained|maintained|ignored|"
    r"overlooked)\b",
    r"\bthere (?:is|are) (?:[a-z]{1,20} ){0,3}(?:problems?|issues?|concerns?|flaws?|errors?|mistakes?) with\b",
    rf"\b(?:an|one|serious|major|real|big|clear) (?:issues?|problems?) with (?:(?:a|the) {NUMBER}|{NUMBER}|{IT}|(?:the )?(?:{REASONING}))",
    rf"^\W{{0,3}}(?:but )?one with (?:(?:a|the) {NUMBER}|{NUMBER})",
    rf"\bthan (?:{GIVEN}|the scorer|it|{NUMBER}) {_ADVERBS}(?:says?|suggests?|makes?|implies|imply|admits?|allows?|gives?|shows?|lets?|indicates?|"
    rf"thinks?|claims?|would have|wants?)\b",
    rf"\b(?:could|might|may) {_ADVERBS}be {_ADVERBS}(?:{CHANGED}|{DEGREE})\b",
)  # fmt: skip
"""Each holds something against the score, without asking for another one."""
_DEMANDING = Rules((*_DEMANDS, *_NAMES_A_SCORE))
_CRITICAL = Rules((*_DEMANDS, *_CRITICISM))
_DENIED = Sought(rf"\b(?:{DENIAL})\b")
_DISTANT = Sought(
    r"\b(?:was|were|had(?! better)|has(?! (?:to|earned|deserved)\b)|first|initially|previously|earlier|formerly|before|already|agreed|accepted|followed|"
    r"adopted|no longer|used to|"
    r"thought|thinking|expected|asked|demanded|suggested|argued|(?<!as i )said|wanted|proposed|recommended|requested|"
    r"(?<!is )(?<!are )(?<!be )called for|insisted|preferred|objected|complained|(?<!should )(?<!must )have been"
    r"|until now|up to now|once|held|felt|believed|feared|suspected|wondered|doubted|worried|complained|if|why|whether|some (?:readers?|people|critics?|"
    r"may|might|would|could)|others?|one (?:might|could|may|would|can)|someone|you (?:might|could)|a (?:strict|stricter|harsh|harsher|lenient|different|"
    r"careless|less)[a-z]{0,3} (?:reader|critic|judge|scorer|rater)"
    r"|it (?:could|might|may|can) be|at first|i did|i used|tempting|my (?:first|earlier|previous|initial|old|former|original) (?:[a-z]{1,20} ){0,2})\b"
)
"""Words by which what is demanded in their clause lies in the past, is put under a condition, or is made by others."""
_SUPPOSED = pattern(
    r"\W{0,8}(?:if (?!i\b|you ask|anything|we\b)|had |were |unless |suppose|supposing |assuming )"
)
"""How a sentence begins that speaks of what is not: "If a claim were invented, the score should be 2"."""
_MET = Sought(
    r"\b(?:now|and (?:so )?(?:it|that) (?:is|does)|which it (?:is|does)|as it is|exactly|already|has been|have been|was|were|agreed|accepted|did|"
    r"done|adopted|followed|has since|no longer|withdraw|take (?:this|that|it) back)\b"
)
"""Words by which what was demanded before them has been met or taken back."""
_CLAUSE_END = pattern(r"[,;:]| - |\b(?:and|but|so|because|since|as) ")
_REACH = 60
"""Characters before an objection in which its denial may stand."""


def is_held_against(said: Phrase, aspects: Sequence[Aspect]) -> bool:
    """Whether a sentence holds something against a score, and nothing in it says that this lies behind."""
    return _stands(_CRITICAL, said, aspects)


def demands(said: Phrase, aspects: Sequence[Aspect]) -> bool:
    """Whether a sentence asks for another score, and nothing in it says that this lies behind."""
    return _stands(_DEMANDING, said, aspects)


def _stands(rules: Rules, said: Phrase, aspects: Sequence[Aspect]) -> bool:
    return any(
        not _is_denied(said, found) and not _lies_behind(said, found)
        for found in _found(rules, said, aspects)
    )


def is_settled(said: Phrase) -> bool:
    """Whether a sentence says that what was demanded before it has been met or taken back."""
    return _MET.search(said.text) is not None


def _found(rules: Rules, said: Phrase, aspects: Sequence[Aspect]) -> Iterator[re.Match[str]]:
    for _, rule in rules.worth_trying(said):
        match = rule.search(said.text)  # mostly finds nothing, and finditer takes longer for that
        while match is not None:
            if _may_be_score(match, aspects):
                yield match
            match = rule.search(said.text, match.end())


def _is_denied(said: Phrase, found: re.Match[str]) -> bool:
    """Whether a denial stands before it in its clause."""
    at = found.start()
    if not _DENIED.may_be_in(said, max(at - _REACH, 0), at):
        return False
    return _DENIED.search(_clause_before(said.text, found, _REACH)) is not None


def _lies_behind(said: Phrase, demand: re.Match[str]) -> bool:
    """Whether a demand is told of as past in its clause, or told to be met behind it."""
    sentence, end = said.text, demand.end()
    after, until = sentence[end:][: 4 * _REACH], end + 4 * _REACH
    if _MET.may_be_in(said, end, until) and _MET.search(after):
        return True
    if _SUPPOSED.match(sentence):
        return True
    begins = max(demand.start() - 2 * _REACH, 0)
    if not (_DISTANT.may_be_in(said, begins, end) or _DISTANT.may_be_in(said, end, until)):
        return False
    clause = (
        _clause_before(sentence, demand, 2 * _REACH) + demand[0] + _CLAUSE_END.split(after, maxsplit=1)[0]
    )
    return _DISTANT.search(clause) is not None


def _clause_before(sentence: str, found: re.Match[str], reach: int) -> str:
    return _CLAUSE_END.split(sentence[max(found.start() - reach, 0) : found.start()])[-1]


def _may_be_score(match: re.Match[str], aspects: Sequence[Aspect]) -> bool:
    number = next(filter(None, match.groupdict().values()), None)
    if number is None or not aspects:
        return True
    value = to_number(re.split(r"/| out of ", number)[0])
    return value is None or any(aspect.scale.low <= value <= aspect.scale.high for aspect in aspects)
