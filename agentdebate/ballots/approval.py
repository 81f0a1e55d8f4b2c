"""What a critic says for a score without the stop word: "The score is fair", "I have nothing to add"."""

import re
from collections.abc import Iterator

from agentdebate.ballots.anchors import Rules
from agentdebate.ballots.critic_words import (
    BE,
    CHANGE,
    CHANGED,
    CHANGING,
    DENIAL,
    FAULT_NOUN,
    FIT,
    GIVEN,
    IT,
    REASONING,
    REVISION,
    SCORE,
    SCORER,
)
from agentdebate.ballots.sentences import Phrase

_WORDS = rf"(?:(?!(?:{DENIAL}|less|only|partly|partially|too|would|could|might|if|cannot|refuse|decline|unable|reluctant|hesitate)\b)[a-z']{{1,20}} )"
"""A word between those of a construction that does not turn it around."""
_SUBJECT = (
    rf"(?:{GIVEN}|(?:the |your |its |his |her |their |this |that |all |every |each |both |my )(?:[a-z]{{1,20}} ){{0,3}}(?:{SCORE}|{REASONING}|number|"
    rf"figure|conclusion|result|outcome|approach|decision|call|choice|point|critique|review|case)|it|this|that|all of (?:it|this)|everything|{SCORER}|"
    rf"scorer's [a-z]{{1,20}}|[0-9]{{1,3}}(?:[.,][0-9]{{1,3}})?|scores?|rating|reasons)"
)
"""The score, what it rests on, or who gave it."""
_OF = r"(?: (?:of|for|on|in|given|assigned|provided|to|by|from|at|here|as it stands|that|behind|offered|presented|and) [^,;:]{0,60}?)?"


def _patterns(*patterns: str) -> tuple[str, ...]:
    return tuple(pattern.replace("?P<n>", "?:") for pattern in patterns)


_PLAIN = _patterns(
    # The score or its reasons, and what they are called
    rf"\b{_SUBJECT}{_OF} (?:{BE}|was|were|has been|have been) {_WORDS}{{0,3}}(?:{FIT})\b(?! (?:if|only|with|as far as)\b)",
    rf"\b(?:i|we) (?:would |also |do |still |certainly )?{_WORDS}{{0,1}}(?:find|consider|deem|think|believe|call|see|regard|judge|hold|feel|"
    rf"rate) (?:that )?(?:{_SUBJECT}){_OF}(?: as| to be| is| are| was| were)? {_WORDS}{{0,3}}(?:{FIT})\b",
    rf"^\W{{0,8}}(?:an? |the |very |perfectly |quite |entirely |completely |absolutely |truly |seems |looks |sounds |feels |appears |is ){{0,3}}(?:{FIT}|"
    rf"right|just)\b(?: (?:enough|as it is|as is|to me|in my (?:view|opinion|eyes|book)|by me|with me|for me|here|in every respect|in all respects|"
    rf"all round))*\W{{0,8}}$",
    rf"\b(?:an? |the |very |perfectly |quite )(?:{FIT}|sensible|just|good|careful|clear) (?:enough|and [a-z]{{1,15}} )?(?:{SCORE}|call|choice|number|"
    rf"figure|decision|{REASONING}|work|piece of work|job)\b",
    rf"^\W{{0,8}}(?:very |a )?(?:{FIT}|nice|sensible|careful|clear) (?:{SCORE}|call|choice|number|{REASONING}|work|job|point)\b",
    r"\b(?:well|fully|rightly|correctly|fairly|properly|aptly|accurately|sensibly|convincingly|clearly|nicely|justly|soundly|thoroughly|carefully|"
    r"appropriately) (?:reasoned|justified|argued|supported|scored|rated|deserved|judged|chosen|explained|put|done|earned|assessed|graded|backed|"
    r"grounded|founded|evidenced|documented|substantiated|balanced|measured|calibrated|weighed|placed|set|reflected|captured|merited|evaluated)\b",
    # Agreement in the first person
    rf"\b(?:i|we) {_WORDS}{{0,3}}(?:agree|concur|accept|endorse|support|approve|back|second|share|go along|live with|side with|see it the same|"
    rf"see eye to eye|subscribe|sign off|vouch|affirm|confirm|uphold|ratify|echo|follow (?:the scorer|this|the reason|you)|am with|are with|think alike|"
    rf"trust|respect|applaud|commend|welcome|can see why|see why|understand why|see how|came to the same|come to the same|arrive at the same|"
    rf"arrived at the same|reach the same|reached the same|keep|stand by|stand behind|abide by|stand with|stick with|stick to|settle for|yield|concede|"
    rf"give in|rest my case)\b(?! (?:that (?:it|the text|the summary|some|there)|[^,;]{{0,40}}\b(?:lower|higher))\b)",
    rf"\b(?:i|we) would {_WORDS}{{0,2}}(?:(?:keep|leave|retain|maintain|hold|uphold|let|stay with|stick with|stick to) (?:{IT}|the {SCORE}|everything|"
    rf"things)|(?:have )?(?:give|given|award|awarded|assign|assigned|choose|chosen|pick|picked|do|done|arrive at|arrived at|come to|reach|reached|score|"
    rf"scored|rate|rated|say|said|put|judge|judged) (?:it |this )?(?:exactly |just |precisely |much )?(?:the same|likewise|as much|so too|that too|"
    rf"no differently|it that way|it so|that myself|it myself))\b",
    rf"\b(?:i|we) {_WORDS}{{0,2}}(?:also )?(?:would )?(?:have )?(?:gave|given|give|chose|chosen|picked|arrived at|come to|came to|get|got|reach|reached|"
    rf"see)[^,;]{{0,40}} (?:as well|myself|too)\b",
    rf"\b(?:{SCORE}|number|one|result|conclusion|what|way|how|where|that) (?:that )?(?:i|we) (?:myself )?would (?:also |too |myself |"
    rf"likewise )?(?:have )?(?:also |myself )?(?:give|given|chosen|picked|put|landed|assigned|awarded|arrived at|come to|reached|choose|assign|award|do|"
    rf"done|scored|score|rated|rate|said|say|expected|expect|seen|place|placed)\b(?! (?:if|only)\b)",
    r"\b(?:i am|we are|i remain) " + _WORDS + r"{0,3}(?:fine|happy|okay|ok|satisfied|convinced|content|comfortable|in agreement|in accord|on board|"
    r"at ease|persuaded|won over|good with|at peace|of the same|on the same|with the scorer|with you|aligned|pleased|impressed)\b(?! (?:if|only|"
    r"to see)\b)",
    r"\b(?:same page|same opinion|same mind|same view|same conclusion|same score|same result|same rating|same number|same wavelength|same verdict|"
    r"same grade|same place|same way)\b",
    rf"\bmy (?:own )?(?:[a-z]{{1,20}} ){{0,2}}(?:view|views|opinion|judgement|judgment|{SCORE}|thinking|reading|impression|thoughts|sense|feeling|"
    rf"conclusion|result|count|calculation|estimate) {_WORDS}{{0,2}}(?:matches|match|is the same|are the same|agrees?|coincides?|is in line|aligns?|"
    rf"points? (?:the same|to the same)|leads? to the same|lands? (?:on|at) the same|goes the same|run along|is no different|comes? to the same|"
    rf"is identical|concurs?|confirms?|supports?)\b",
    r"\b(?:full marks to|kudos|hats off|well done|good job|nice work|good work|great work|nice job|great job|excellent work|well played|point taken|"
    r"fair play|amen|hear,? hear|count me in|so be it|case closed|enough said|that settles it|ditto|seconded|sold|granted to the scorer|"
    r"couldn't agree more|thumbs up|all good|looks good|sounds good|sounds right|looks right|good to go|good by me|ready to move on|let us move on|"
    r"we can move on|let us leave it (?:there|at that)|leave it at that|you have my (?:agreement|support|vote|backing)|(?:has|have|earns?|gets?|"
    r"got) my (?:full )?(?:agreement|support|vote|backing|approval|blessing|endorsement|assent)|my (?:agreement|approval|consent)|approval|approved|"
    r"consent given)\b",
    # The score stands, and follows from the text
    rf"\b{_SUBJECT}{_OF} (?:should |can |may |must |does |will |therefore |ought to |deserves to |might as well |has to )?{_WORDS}{{0,2}}(?:stands?|"
    rf"stays?|remains?|holds?(?: up| water| good| true)?|be kept|be left|be maintained|be upheld|be accepted|be confirmed|fits?|works?|makes (?:good |"
    rf"perfect |complete |total )?sense|convinces?|convinced|checks? out|adds? up|persuades?|persuaded|rings? true|does justice|do justice|"
    rf"hits? the (?:mark|nail)|follows? (?:from|the|naturally|logically)|match(?:es)?|reflects?|captures?|aligns?|corresponds?|lines? up|bears? (?:out|"
    rf"it out)|earns?|earned|addresse[sd]|satisf(?:y|ies)|agrees? with|is where|lands?|speaks? for (?:it|them)sel(?:f|ves)|carry|carries weight|"
    rf"covers?)\b(?! (?:too|an open|a problem|questionable|unclear|to be seen|only|neither)\b)",
    rf"\b(?:keep|leave|let|retain|maintain) (?:{IT}|the {SCORE})(?: [a-z]{{1,10}})? ?(?:as it is|as is|stand|stay|at|unchanged|untouched|alone|where it is|be)?\b",
    r"\b(?:matches|reflects|fits|captures|does justice to|is in line with|mirrors|corresponds to|tallies with|squares with|is consistent with|"
    r"follows from|is backed (?:up )?by|is borne out by|is supported by|aligns with|is in keeping with|is true to|is based on|is grounded in|"
    r"rests on) (?:my|the text|the summary|the quality|what|all|the (?:[a-z]{1,15} )?(?:evidence|rubric|criteria|criterion|scale|definition|facts|"
    r"strengths|response|story|answer|source|reasons|guidelines|description|quality))",
    rf"\b(?:{SCORER}|scorer's (?:[a-z]{{1,15}} )?[a-z]{{1,15}}) {_WORDS}{{0,2}}(?:makes?|made|has|have|presents?|presented|gives?|gave|provides?|"
    rf"provided|did|does|offers?|offered|puts? forward|raises?|builds?|built|delivers?|delivered) (?:an? |the |some |"
    rf"such an? )?(?:[a-z]{{1,20}} )?(?:{FIT}|strong|good|clear|careful|fine|excellent|great|nice|valid|right|thoughtful|sensible|detailed|comprehensive|"
    rf"rigorous|ample|enough|full|fair-minded|even-handed) (?:and [a-z]{{1,20}} )?(?:[a-z]{{1,20}} )?(?:{REASONING}|case|point|points|job|{SCORE}|work|"
    rf"call|reasons?|evidence|grounds|support|decision|account|choice)\b",
    rf"\b(?:{SCORER}) {_WORDS}{{0,2}}(?:got|has|have|gets|nailed|nails|hit|hits|judged|judges|read|reads|weighed|weighs|saw|sees|called|calls|scored|"
    rf"rated|captured|chose|put) (?:it|this|that|{GIVEN}|the nail|things|everything|the (?:text|[a-z]{{1,12}})|both sides|"
    rf"the strengths)(?: [a-z]{{1,12}})? ?(?:right|correct|correctly|spot on|on the head|exactly|perfectly|well|fairly|justly|accurately|carefully)\b|"
    rf"\bnailed it\b|\bthe nail on the head\b",
    r"\b(?:scorer|you|they|it) (?:is|are|was|were) (?:[a-z]{1,20} )?right\b|\b(?:right|good|fair|correct|sound|excellent|sensible) (?:call|decision|choice)\b",
    r"\b(?:looks|sounds|seems|feels) " + _WORDS + r"{0,2}(?:good|fine|right|fair|reasonable|ok|okay|correct|solid|appropriate|sound)\b|\bagreed\b|"
    r"\baccepted\b|\b(?:fine|okay|ok|good|right|fair) (?:with|by|for|to|enough for) (?:me|us)\b",
    r"\b(?:happy|satisfied|content|comfortable|on board|in agreement|okay|ok|fine|in accord) with (?!a\b|only\b)",
    r"\b(?:objections?|doubts?|concerns?|points?|criticisms?|worries|questions?|reservations?|issues) " + _WORDS + r"{0,2}(?:have|has|had|is|are|was|"
    r"were) (?:now |all |both |since |fully |been )*"
    r"(?:met|addressed|answered|resolved|settled|gone|cleared|dealt|removed|satisfied|allayed|dispelled|covered|taken care)\b",
    r"\b(?:withdraw|take back|drop|retract|give up|abandon) (?:my|the|all|any|every)\b",
    r"^\W{0,8}(?:accepted|agreed|correct|fair enough|fair|all good|fine|right|yes|good call|same here|exactly|well judged|approved|granted|true|indeed|"
    r"precisely|absolutely|ok|okay|concur|acceptable|perfect|understood|convinced|satisfied|spot[- ]on|on point|on target|bang on|"
    r"well said|endorsed|confirmed|all clear|done|sound)(?: [a-z]{1,20}){0,2}\W{0,8}$",
)  # fmt: skip
"""Each says that the score may stand, unless a denial or a condition stands before it in its clause."""
_FAULTLESS = _patterns(
    rf"\b(?:no|without|not any|not have any|nor any|zero|none of (?:my|the)|free (?:of|from)(?: any)?|devoid of|cannot (?:find|see|detect|identify|spot|"
    rf"name|raise|come up with|think of)(?: an?| any| a single| even one)?|do not (?:have|see|find|detect|notice)(?: an?| any| a single)|not (?:see|find|"
    rf"identify|detect|spot|discover)(?: an?| any| a single)|never (?:saw|found)(?: an?| any)|found no|saw no|little|few|not a single|unable to (?:find|"
    rf"identify|see|spot|detect)(?: an?| any| a single)|did not (?:find|see|detect|identify|notice|spot|come across)(?: an?| any| a single)|"
    rf"fail(?:ed)? to (?:find|see|detect|identify|spot)(?: an?| any| a single)) (?:[a-z-]{{1,20}} ){{0,3}}(?:{FAULT_NOUN})\b(?! (?:is|are) (?:made|given|"
    rf"said|taken)\b)",
    r"\b(?:nothing|not anything|not (?:find|see|have|think of) anything|cannot (?:find|see|think of) anything|little|not much|hardly anything|"
    r"not a thing|no point|no aspect|none) (?:[a-z']{1,20} ){0,4}(?:to (?:[a-z]{1,20} )?(?:object|add|criti[cs]i[sz]e|change|correct|fault|"
    r"complain|say|dispute|contest|improve|challenge|question|quarrel|quibble|argue|report|raise|remark|flag|oppose|contradict|fix|revise|adjust|attack|"
    r"discuss|debate|disagree|worry|note|amend|push back|pick)|wrong|against|amiss|objectionable|out of place|problematic|missing|i would|we would|"
    r"that i would|needs|left|further|more|else|worth|stands out|speaks against|that (?:speaks|calls|would|needs|warrants|stands|contradicts)|suggests|"
    r"incorrect|unfair|questionable|unreasonable|has been (?:missed|overlooked|forgotten|left)|escaped|got lost)",
    rf"\b(?:no|little|not any|without|hardly any|not see any|not see a|not see the|not see|not find any|not have any|cannot see any|cannot see a|"
    rf"not think of a|cannot think of a|cannot find a|cannot find any|not see what|cannot think of any|any) (?:[a-z]{{1,20}} )?(?:reasons?|need|grounds|"
    rf"cause|point|call|case|justification|motive|why|occasion|necessity|use|room)s? (?:[a-z]{{1,20}} ){{0,2}}(?:to|for|in|why|"
    rf"it|that|against|on which|left) ?(?:[a-z]{{1,20}} ){{0,3}}"
    rf"(?:{CHANGE}|{CHANGING}|{REVISION}|object|objections?|disagree|alter|altering|touch|dispute|quarrel|worry|doubt|question|challenge|complain|"
    rf"complaint|intervene|argue|contest|criticism|criticize|criticise|different|another|improvement|debate|be (?:{CHANGED})|score|should|press|ask|it)?",
    rf"\b(?:no|not any|without|no need for|not need|not require|not see a need for) (?:[a-z]{{1,20}} ){{0,2}}(?:{REVISION}|change|changes|revisions|"
    rf"adjustments|amendments?|corrections?|modifications?|alterations?|discussion|debate|argument|comment|action)s?(?: (?:is|are|seems?|at all|from|"
    rf"needed|necessary|required|here|called|on))?\b",
    rf"\b(?:would not|do not want to|need not|do not need to|see no reason to|do not wish to|would never|should not|do not have to|am not going to|"
    rf"will not|not want to|not wish to|no wish to|not ask (?:for|that|to)|not going to) (?:[a-z]{{1,15}} )?(?:change|alter|touch|lower|raise|revise|"
    rf"adjust|reconsider|move|argue|challenge|contest|dispute|object|be (?:{CHANGED})|press|pursue|have (?:done|scored|rated|chosen|given|put|said|"
    rf"judged) (?:it |anything )?(?:differently|otherwise|any other|another)|do (?:it |anything )?(?:differently|otherwise)|score it (?:differently|"
    rf"otherwise)|rate it (?:differently|otherwise)|oppose|insist|quarrel|quibble|stand in the way|contradict|put it differently|have it any other)\b",
    r"\b(?:neither|not|hardly|never) (?:[a-z]{1,10} )?(?:too|overly|unduly|excessively) (?:[a-z]{1,15})\b",
    r"\bi (?:do not|cannot|could not|will not|would not|see no way to|would be hard pressed to|find it hard to|find it difficult to|struggle to|"
    r"have no wish to|can hardly|am not able to|am unable to) (?:[a-z]{1,12} ){0,2}(?:object|disagree|fault|argue|complain|quarrel|dispute|quibble|"
    r"find fault|contest|criticise|criticize|challenge|improve|deny|doubt|question|see why not|agree more|have (?:put|said|scored|done|asked|rated|"
    r"judged|hoped|given)|put it better|ask for more|say otherwise|see it (?:any )?(?:other|different)|mind)\b",
    r"\b(?:hard|difficult|impossible) to (?:find (?:fault|anything|a fault|any)|disagree|argue|object|improve|fault|quarrel|quibble|criticise|criticize|"
    r"dispute|contest|deny|beat|better|see (?:how|what) (?:it|else))",
    r"\b(?:not|never|nothing|hardly|scarcely) (?:be )?(?:[a-z]{1,10} )?(?:wrong|unfair|unreasonable|inaccurate|inappropriate|unjustified|off|mistaken|"
    r"incorrect|unwarranted|disagree|overstated|understated|inflated|undeserved|flawed|disputed|contested|improved|better(?:ed)?|unjust|far off|object|"
    r"opposed|against (?:it|this|the score))\b",
    r"\b(?:could|would) not (?:have |be )(?:[a-z]{1,12} )?(?:put|said|scored|done|rated|judged|hoped|asked|better|fairer|clearer)\b",
    r"\b(?:found|find|see|saw|have|had|detect|but) none\b",
    r"\b(?:what|who|why|how) (?:more|else|could|would|should|am i|is there to)\b[^,;]{0,40}\b(?:ask|want|object|disagree|add|wish|argue|say|complain)\b",
)  # fmt: skip
"""Each says that nothing is wrong: the denial is a part of it."""
_APPROVALS = Rules((*_PLAIN, *_FAULTLESS))
_TURNED = re.compile(
    rf"\b(?:{DENIAL}|if|unless|whether|when|once|until|only|would|could|might|before|doubt|wish|hope|hoping|refuse|refuses|decline|unable|reluctant|"
    rf"as if|pretend|less|hard|difficult|impossible|supposed|scorer (?:says|claims|believes|thinks|argues|insists|asserts|maintains|calls|suggests|"
    rf"assumes|writes|states))\b"
)
"""Words before an approval in its clause that turn it around, or put it under a condition."""
_CLAUSE_END = re.compile(r"[,;:]| - |\b(?:and|but|so|because|since) ")
_REACH = 60


def approves(said: Phrase) -> bool:
    """Whether a sentence says in other words that the score may stand."""
    return next(approvals(said), None) is not None


def approvals(said: Phrase) -> Iterator[re.Match[str]]:
    """Where a sentence says in other words that the score may stand."""
    for at, pattern in _APPROVALS.worth_trying(said):
        found = pattern.search(said.text)  # mostly finds nothing, and finditer takes longer for that
        while found is not None:
            if at >= len(_PLAIN) or not _is_turned(said.text, found):
                yield found
            found = pattern.search(said.text, found.end())


def _is_turned(sentence: str, found: re.Match[str]) -> bool:
    clause = _CLAUSE_END.split(sentence[max(found.start() - _REACH, 0) : found.start()])[-1]
    return _TURNED.search(clause) is not None
