"""The words of a critic, as alternations of a regular expression: what a score is called, and what is said for and against it.

These lists are all that the rules of demand.py, approval.py and fault.py know of a language. A critic's reply is lower case here, and
without contractions ("is not" for "isn't").
"""

# What is spoken of

SCORE = "score|scores|scoring|rating|ratings|grade|mark|assessment|evaluation|judge?ment|verdict|ranking"
"""What the score is called."""
REASONING = "reasoning|justification|rationale|explanation|argument|arguments|argumentation|analysis|logic|reasons|points"
"""What the score rests on."""
SCORER = "scorer|scorers|you|they|rater|evaluator|judge|colleague"
"""Who gave the score."""
NUMBER = (
    r"(?P<n>[0-9]{1,6}(?:[.,][0-9]{1,6})?|two|three|four|five|six|seven|eight|nine|ten"
    r"|(?:(?<=\ba )|(?<=\bto )|(?<=\bbe )|(?<=\bof )|(?<=\bit )|(?<=\bat ))one)"
    r"(?:/[0-9]{1,3}| out of [0-9]{1,3})?"
    r"(?! (?:full |whole |of the )?(?:sentence|point|error|issue|fact|reason|paragraph|word|time|claim|mistake|slip)s?\b)"
)
"""A number that may be a score: "2", "2/5", "two"; not "2 errors"."""
GIVEN = (
    rf"(?:(?:the|your|this|that|its|his|her|their|an?|such an?|any)(?: scorer's)? (?:(?:[a-z_]{{1,20}} ){{0,2}}(?:{SCORE})"
    r"|[0-9]{1,3}(?:[.,][0-9]{1,3})?)(?: of [0-9]{1,3}(?:[.,][0-9]{1,3})?)?)"
)
"""The score that stands: "your score", "the 4", "a score of 4", "this coherence rating"."""
IT = rf"(?:it|this|that|{GIVEN})"
"""The score that stands, or a pronoun for it."""

# What it is called

DEGREE = (
    "high|low|generous|lenient|harsh|strict|severe|kind|optimistic|pessimistic|favou?rable|critical|positive|negative|"
    "forgiving|charitable|soft|hard|tough|easy|much|little|steep|far|good|bad|nice|rosy|rough|demanding|permissive|lax|"
    "liberal|stingy|cautious|indulgent|flattering|punishing|unforgiving"
)
"""What a score may be too much of."""
BARE_DEGREE = (
    "generous|lenient|harsh|severe|high|low|strict|optimistic|overly kind|charitable|indulgent|flattering|punishing|"
    "excessive|steep|stingy|on the (?:high|low|generous|harsh|lenient|strict) side"
)
"""What is held against a score without "too": "a 4 seems generous"."""
FIT = (
    "acceptable|accurate|appropriate|fair|justified|justifiable|correct|right|reasonable|warranted|well[- ]founded|sound|fitting|"
    "defensible|deserved|well[- ]deserved|earned|well[- ]earned|fine|supported|supportable|spot[- ]on|convincing|persuasive|"
    "compelling|adequate|proper|valid|apt|okay|ok|good|solid|thorough|balanced|sensible|logical|consistent|just|satisfactory|"
    "legitimate|proportionate|well[- ][a-z]{3,12}|on point|on target|on the mark|in order|in line|in keeping|understandable and fair|"
    "as it should be|where it (?:should|ought to) be|(?:above|beyond) (?:reproach|dispute|criticism)|hard to (?:fault|beat|dispute|"
    "argue with|disagree with)|unobjectionable|airtight|watertight|coherent|plausible|credible|transparent|complete|sufficient|"
    "bang on|dead on|strong|enough|strong enough|good enough|perfect|excellent|great|credible|tenable|commensurate|merited"
)
"""What a score is that may stand."""
UNFIT = (
    "wrong|off|unfair|unjust|unreasonable|inaccurate|incorrect|inappropriate|inflated|deflated|exaggerated|overblown|excessive|"
    "unjustified|unjustifiable|unwarranted|undeserved|unsupported|unearned|unfounded|indefensible|untenable|unsustainable|misguided|"
    "mistaken|flawed|problematic|unacceptable|inadequate|insufficient|disproportionate|misplaced|unconvincing|unpersuasive|"
    "implausible|unsound|unbalanced|invalid|unrealistic|absurd|questionable|dubious|debatable|overstated|understated|overrated|"
    "underrated|overestimated|underestimated|overvalued|undervalued|skewed|biased|arbitrary|"
    "(?:quite |rather |bit )?a stretch|a mistake|an error|an overstatement|an exaggeration|an injustice|out of line|out of place|"
    "out of proportion|out of step|out of the question|beyond what|more than (?:it|the text|is)|less than (?:it|the text|is)|at odds|"
    "(?:hard|difficult|impossible) to (?:justify|defend|accept|support|understand|explain|follow|square|reconcile|sustain|uphold)"
)
"""What a score is that may not stand."""
CHANGED = (
    "lower|higher|raised|lowered|reduced|increased|reconsidered|revised|adjusted|changed|corrected|downgraded|upgraded|stricter|"
    "better|worse|closer|decreased|bumped|brought|cut|dropped|moved|marked|reassessed|re-?evaluated|revisited|re-?examined|rethought|"
    "deducted|docked|subtracted|taken|knocked|added|scaled|dialled|dialed|toned|rounded|amended|modified|fixed|less|more generous|"
    "more lenient|more severe|harsher|more modest|more critical|set|placed|put|capped|withdrawn|overturned|rejected"
)
"""What a score should be that may not stand: "it should be lowered"."""

# What is asked for

CHANGE = (
    "lower|raise|reduce|increase|change|adjust|revise|drop|bring|move|cut|correct|downgrade|upgrade|decrease|bump|dock|reconsider|"
    "rethink|revisit|re-?evaluate|re-?assess|re-?examine|review|amend|modify|scale|lift|push|pull|mark|deduct|subtract|knock|shave|"
    "trim|tone|dial|take another look at|look again at|fix|overturn|withdraw"
)
"""What is to be done to a score."""
CHANGING = (
    "lowering|raising|reducing|increasing|changing|adjusting|revising|dropping|bringing|moving|cutting|correcting|downgrading|"
    "upgrading|decreasing|bumping|docking|reconsidering|rethinking|revisiting|re-?evaluating|re-?assessing|re-?examining|amending|"
    "modifying|scaling|lifting|pushing|pulling|marking|deducting|knocking|taking|giving|making|setting|putting|going|rating|scoring|"
    "assigning|awarding"
)
"""The same as a gerund: "I suggest lowering it"."""
PLACE = (
    "go|go with|go for|settle for|settle on|settle at|opt for|argue for|vote for|plead for|choose|pick|prefer|suggest|propose|recommend|"
    "expect|say|give|make|set|put|score|rate|mark|grade|call|assign|award|land|land on|stop at|place|see|see it as|think|consider|cap|"
    "keep it|come|come down|go down|go up|move|drop|bring|lean towards?|lean to|take|get|have|peg|pin|hold out for|agree (?:with|to)|accept|live with|"
    "be (?:happy|fine|content|satisfied|comfortable|okay|ok) with"
)
"""Verbs that put a score somewhere: "I would give it a 2"."""
PLACED = "given|rated|scored|put|assigned|said|expected|gone|placed|preferred|liked|awarded|marked|graded|chosen|picked|suggested|lowered|raised|brought"
"""The same in the past: "I would have given it a 2"."""
CUT = (
    "take|knock|dock|deduct|subtract|shave|cut|drop|add|remove|lose|cost|gain|trim|strip|go|move|lower|raise"
)
"""Verbs that take points: "deduct a point"."""
REVISION = "change|revision|reduction|increase|deduction|downgrade|upgrade|adjustment|correction|re-?evaluation|re-?assessment|reconsideration"
"""The same as nouns."""
MODAL = "should|ought to|must|needs? to|has to|have to|had better|deserves? to|would have to|would need to|shall|wants to"
"""What turns a verb into a demand."""
BE = (
    "is|are|seems?(?: to be)?|appears?(?: to be)?|looks?|feels?|remains?|sounds?|strikes me as|comes (?:across|out)(?: as)?|"
    "ends up|stays|proves|is to my mind|must be called"
)
"""What ties a score to what it is called."""

# What is said of a text and its reasons

FAULT_NOUN = (
    "issues?|objections?|concerns?|criticisms?|complaints?|problems?|disagreements?|corrections?|reservations?|faults?|quibbles?|doubts?|"
    "changes?|quarrels?|remarks?|comments?|errors?|mistakes?|flaws?|weakness(?:es)?|weak (?:spots?|points?)|gaps?|inconsistenc(?:y|ies)|"
    "contradictions?|holes?|counter-?arguments?|dispute|disputes|challenges?|questions?|adjustments?|revisions?|discrepanc(?:y|ies)|"
    "bias|oversights?|omissions?|misgivings?|qualms?|suggestions?|amendments?|defects?|slips?|edits?|notes?|hesitations?|pushback|"
    "argument against|evidence against|grounds|cause for|caveats?|grievances?|bones?"
)
"""What a critic who agrees has none of."""
FAULT = (
    "missing|misses|missed|omits?|omitted|omissions?|omitting|leaves? out|left (?:out|unsaid|open|hanging)|ignor(?:e|es|ed|ing)|overlook(?:s|ed|ing)?|"
    "neglect(?:s|ed)?|fail(?:s|ed|ure|ures|ing)?|wrong(?:ly)?|incorrect(?:ly)?|inaccura(?:te|cy|cies|tely)|errors?|erroneous(?:ly)?|mistak(?:e|es|en|enly)|"
    "flaw(?:s|ed)?|weak(?:ly|ness|nesses|ens?|er)?|poor(?:ly)?|bad(?:ly)?|confus(?:es|ed|ing|ion)|unclear|vague(?:ly|ness)?|contradict(?:s|ed|ion|ions|ory)?|"
    "inconsisten(?:t|cy|cies)|invent(?:s|ed|ion|ions)|made[- ]up|makes up|fabricat(?:es|ed|ion|ions)|hallucinat(?:es|ed|ion|ions)|false(?:ly|hood)?|untrue|"
    "unsupported|unverified|unfounded|repeat(?:s|ed|edly|ing)?|repetiti(?:on|ons|ve)|redundan(?:t|cy|cies)|irrelevan(?:t|ce|cies)|off[- ]topic|abrupt(?:ly)?|"
    "disjointed|incoheren(?:t|ce)|incomplete|jump(?:s|ed|y)?|awkward(?:ly)?|clumsy|clumsily|stilted|stiff|misleading|mislead(?:s)?|misrepresent(?:s|ed)?|"
    "misread(?:s|ing)?|misunderst(?:ood|ands|anding)|misstat(?:es|ed)|misquot(?:es|ed)|distort(?:s|ed|ion)?|exaggerat(?:es|ed|ion)|circular|one-sided|bias(?:ed)?|"
    "out of context|nothing to do|questionable|debatable|dubious|suspicious|broken?|breaks? (?:off|down)|falls? (?:apart|short|flat)|thin|shallow|superficial|"
    "drift(?:s|ed)?|wander(?:s|ing)?|mixed up|mixes|muddled?s?|tangled|scattered|absent|lack(?:s|ed|ing)?|loses?|lost|deduct(?:ed|ion)?|"
    "penali[sz](?:es?|ed|ing)|cost(?:s|ed)? (?:it )?(?:a |some|two|one|points?|more|something)|reconsider(?:s|ed|ing)?|problem(?:s|atic)?|concern(?:s|ing)?|issues?|"
    "shortcomings?|deficien(?:t|cy|cies)|defects?|faults?|faulty|unjustified|unfair(?:ly)?|unconvincing|unpersuasive|unrelated|unexplained|unanswered|unresolved|"
    "unmentioned|unnoticed|unsubstantiated|ungrammatical|uneven|unbalanced|unreliable|undermin(?:es|ed|ing)|hurt(?:s)?|suffers?|damag(?:es?|ed|ing)|ruin(?:s|ed)?|"
    "spoil(?:s|ed)?|mar(?:s|red)|blur(?:s|red)?|disrupt(?:s|ed|ing)?|distract(?:s|ing)?|disagree(?:s|d|ment)?|disput(?:e|es|ed|able)|object(?:s|ion|"
    "ions)?|challenge|"
    "doubt(?:s|ful)?|inflat(?:es?|ed)|overstat(?:es?|ed)|understat(?:es?|ed)|overrat(?:es?|ed)|underrat(?:es?|ed)|"
    "over-?estimat(?:es?|ed)|underestimat(?:es?|ed)|undervalu(?:es?|ed)|overvalu(?:es?|ed)|skips?|skipped|glosses over|passes over|passed over|"
    "brushe[sd] (?:aside|over)|dismiss(?:es|ed)?|forg(?:ets?|ot|otten)|garbled|sloppy|careless|incomprehensible|illogical|nonsens(?:e|ical)|"
    "disappoint(?:s|ed|ing)?|insufficient(?:ly)?|inadequate(?:ly)?|excessive(?:ly)?|overly|too|barely|hardly|scarcely|little (?:sense|evidence|support|or)|"
    "half of|much of what|instead of|rather than|nowhere|conflat(?:es|ed)|copie[sd]|plagiari[sz]ed|cliched?s?|bland|boring|flat|dull|generic|wordy|verbose|"
    "run-on|fragment(?:s|ed)?|typos?|misspell(?:s|ed|ings?)|slips?|gaps?|holes?|loose|choppy|rough|ambigu(?:ous|ity)|obscure[sd]?|cannot|begs?|alone|"
    "merely|solely|purely|opposite|contrary|by th(?:is|at) (?:standard|logic|measure)|any (?:text|summary|story|answer|response) (?:would|could)|"
    "promis(?:es?|ed)|twice|"
    "misplaced|(?:see|sees|view|read|judge) (?:it|this|things|that) (?:very |quite |rather )?(?:differently|otherwise)|(?:another|different) (?:story|"
    "matter)|wrecks?|little of|"
    "more look|second look|another look|closer look|deserves? (?:less|"
    "more|better|worse)|does not|do not|did not|has not|have not|is not|are not|was not|"
    "were not|would not|should not|will not|not enough|never [a-z]{3,20}|there (?:is|are) (?:one|two|three|several|some|many|a few|plenty|"
    "more)(?: (?:with|in|here|of|about|on)|$)|(?:says?|suggests?|shows?|tells|proves|indicates?) otherwise|no (?:[a-z]{1,20} )?(?:bearing|connections?|cohesion|structure|thread|support|relation|relevance|mention|evidence|support|basis|source|link|links|connection|reason given|transition|"
    "transitions|trace|"
    "sign|verb|conclusion|ending|explanation|justification|word|account)|without (?:a |an |any )?(?:verb|reason|source|evidence|support|explanation|"
    "link|mention|cause|"
    "transition|justification|context)|undersells?|undersold|misjudg(?:es|ed)|misappli(?:es|ed)|misinterpret(?:s|ed)?|misus(?:es|ed)|misattribut(?:es|"
    "ed)|swaps?|swapped|reversed|"
    "upside down|outdated|at odds|at variance|backwards|cherry-?pick(?:s|ed)?|unproven|untenable|overblown|strays?|strayed|rambl(?:es|ing)|deviates?|departs|"
    "oversimplif(?:ies|ied)|downplay(?:s|ed)?|trivial|worse|unnatural|robotic|rude|dangerous|harmful|offensive|inappropriate|vanish(?:es|ed)?|disappears?"
)
"""Signs that something is wrong with a text or with the reasons for its score."""
FAULT_BEGINNING = ("mis", "un", "over", "dis")
"""How words begin of which most are signs as well."""
FAULT_BY_BEGINNING = (
    "mis(?!s)[a-z]{3,20}|un(?!der|til|less|ique|it|ivers|ion|chang|touch|doubt|question|ambig|object|deni|impeach|reserv|anim|mistak)[a-z]{3,20}|"
    "over(?!all|view|arch|come)[a-z]{4,20}|dis(?!cuss|cover|tinct|play|tribut|course|cern|cipl|tan|patch|tingu)[a-z]{4,20}"
)
"""These words."""
DENIAL = r"not|no|never|nor|neither|without|hardly|nothing|nobody|none|barely|cannot|no one|rarely|free (?:of|from)|far from|nowhere"
"""What turns a word behind it around."""
CONCESSION = (
    "although|though(?!,| *$)|even though|even if|despite|in spite of|admittedly|albeit|notwithstanding"
)
"""What opens a clause that gives way to the main one."""
OPENING_CONCESSION = "while|whilst|whereas|granted"
"""The same, at the beginning of a clause only."""
ADVERSATIVE = "but|however|nevertheless|nonetheless|unfortunately|that said|that being said|on the other hand|though(?=,)|regrettably|having said that"
"""What opens a clause that counts for more than what stands before."""
OPENING_ADVERSATIVE = "yet|still|only|except|sadly|then again|otherwise|except that|even so|all the same"
"""The same, at the beginning of a clause only."""
