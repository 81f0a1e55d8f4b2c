"""The words of a critic, as alternations of a regular expression: what a score is called, and what is said against it.

These lists are all that the rules of demand.py and objection.py know of a language. A critic's reply is lower case here, and
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

# What turns a sentence

DENIAL = r"not|no|never|nor|neither|without|hardly|nothing|nobody|none|barely|cannot|no one|rarely|free (?:of|from)|far from|nowhere"
"""What turns a word behind it around."""
ADVERSATIVE = "but|however|nevertheless|nonetheless|unfortunately|that said|that being said|on the other hand|though(?=,)|regrettably|having said that"
"""What opens a clause that counts for more than what stands before."""
OPENING_ADVERSATIVE = "yet|still|only|except|sadly|then again|otherwise|except that|even so|all the same"
"""The same, at the beginning of a clause only."""
