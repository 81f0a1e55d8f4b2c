"""Ways in which judges state a score, as a table: the strongest decide, and each row has one reply that it reads."""

import re
from dataclasses import dataclass

_S = r"(?:scores?|scoring|ratings?|grade|mark)"
_LEAD = r"(?:(?:an?|of|at|as|be|is|around|about|approximately|just|only|solid|low|high|moderate|full|strong|weak|decent|perfect) ){0,4}"
"""Words that may stand right before a number and say nothing about it."""
_OF = rf"(?: (?:for|of|on|in terms of|with respect to)(?: (?!(?:{_S}|is|out|zero|one|two|three|four|five|six|seven|eight|nine|ten)\b)[a-z'\"-]+){{1,8}})?"
"""Name of the scored thing: "for the coherence of this summary"."""
_IS = r"(?: ?[:=]| is| would be| will be| should be| remains| of| as| at|,)?"


@dataclass(frozen=True, slots=True)
class Row:
    """A way to state a score. In `pattern`, {n} is the number and {a} the name of the aspect.

    Where several aspects are asked for, only rows count in which the aspect is `named`, each for the one that it names.
    """

    name: str
    strength: int
    pattern: str
    example: str
    """Gives 4 on a scale of 1 to 5 for coherence."""
    named: bool = False


ROWS = (
    Row("boxed", 3, r"\[\[ ?{n} ?\]\]", "The order is clear. Rating: [[4]]"),
    Row("result", 3, r"\[result\]:? ?{n}", "Feedback: The order is clear. [RESULT] 4"),
    Row("final", 3, rf"\b(?:final|overall|revised|updated|corrected|new) (?:{{a}} |assessment |numerical )?{_S}{_OF}{_IS} ?{_LEAD}{{n}}",
        "The summary jumps. Final score: 4 out of 5 (coherent)"),
    Row("score", 2, rf"\b{_S}{_OF}{_IS} ?{_LEAD}{{n}}",
        "The ideas follow from each other, resulting in a score of 4."),
    Row("aspect", 2, rf"(?<![\w-]){{a}}(?: {_S})?(?: of (?:the|this) [a-z]{{3,15}})?{_IS} ?\(?{_LEAD}{{n}}",
        "I would rate the coherence of the summary as 4 out of 5.", named=True),
    Row("for the aspect", 2, r"{n} (?:points? )?(?:for|in|on|in terms of) (?:its |the |overall |perfect )?{a}\b",
        "It gets a 4 for coherence.", named=True),
    Row("verb", 2, rf"\bi(?:'d| would| will| have|'ll)? (?:rate|score|grade|give|assign|award|evaluate)d?\b(?:(?!\b(?:not|never|below|above|than|under|over|previous|source)\b)[^.:;\n\d]){{0,60}}? {_LEAD}{{n}}",
        "I would score it a 4 out of 5 since it follows the events."),
    Row("earns", 2, rf"\b(?:earn|deserv|merit|warrant|receiv|scor|gett?|assign)(?:e|s|es|ing|ed)? {_LEAD}{{n}}",
        "It lacks transitions, so it scores a 4."),
    Row("fraction", 1, r"(?<!: ){n}(?(over)|(?!))(?=\W*(?:\Z|\n|[.,;)]|(?:for|because|since|as|on|in|overall)\b))",
        "The parts fit together well, so 4/5."),
    Row("opening", 1, r"\A[^\w\n]{0,3}{n}(?=:| -| because|, |\n)", "4: The order is mostly clear."),
    Row("brackets", 1, r"\({n}\)[.\s]*\Z", "The order of the events is mostly clear (4)."),
)  # fmt: skip

FORM_LINE = (
    r"^[^\w\n>]{0,12}(?:\(?\d{1,2}[.)][^\w\n]{0,6})?(?P<final>(?:(?:my|the|overall|final|revised|updated|new) ){0,3})"
    r"(?:{label})(?: ?[(\[][^()\[\]\n]{0,60}[)\]])?[\"']?(?P<is>\s{0,3}(?:[:=|]|-{1,2}>?|is\b)?)[^\w\n-]{0,6}\n{0,2}[^\w\n-]{0,6}{n}"
    r"(?P<rest>[^\n]{0,80})"
)
"""A line of the form: a label, what may stand between, the value, and what follows it."""
LABEL = r"(?:{a})(?: (?:score|rating|grade))?|(?:score|rating|grade) (?:for|of) (?:the )?(?:{a})"
ANY_LABEL = r"(?:score|rating|grade)|(?:final )?answer|verdict|judge?ment|overall|total"
"""Labels of the aspect, and those of a score where one aspect alone is asked for."""
OTHER_VALUE = re.compile(
    r" ?[\]|,]{1,2} ?[\[(]?\d| \d| ?=| ?\([^()\n]{0,40}\),? ?\d|(?: ?\([^()\n]{0,40}\))?\W{0,4}(?:->|(?:or|to|and|maybe|perhaps|possibly|but|no|now|rather|then|was)\b[^.\n\d]{0,40}\d)",
    re.IGNORECASE,
)
"""Behind the value of a form line: there is another one."""
TAKEN_BACK = re.compile(
    r"\b(?:no[,.] |wait\b|actually,|second thought|correction\b|scratch that|i correct\b|corrected (?:score|rating)|initial (?:score|rating)|"
    r"(?:revise|revising|reconsider|change|changing)[sd]? (?:it|that|this|to|from|my|the (?:score|rating))\b|let me reconsider|(?:after|on) reflection|instead, i\b)",
    re.IGNORECASE,
)
"""Behind a score: it does not stand, and what follows may."""
_CRITERION = (
    r"(?:grammar|punctuation|spelling|vocabulary|sentence structure|structure|(?:writing )?style|writing|plot|tone|word choice|depth|"
    r"[a-z]{3,20}(?:ness|cy|ity|ence|ance|ment))"
)
OTHER_BEFORE = re.compile(
    rf"\b({_CRITERION})(?:'s|,)? (?:is |gets |receives |earns |deserves |has )?(?:an? )?\Z", re.IGNORECASE
)
OTHER_INSIDE = re.compile(
    rf"\b(?:give|rate|score|grade|score for|rating for) (?:the |its )?({_CRITERION}|transitions)\b",
    re.IGNORECASE,
)
OTHER_BEHIND = re.compile(
    rf" (?:for|in|on|in terms of) (?:its |the |overall )?({_CRITERION})\b", re.IGNORECASE
)
"""Beside a score: it is for another criterion, unless that is the one that was asked for."""
NO_SCORE = re.compile(
    r"(?:\b(?:ideal|prevent\w*|keep\w*|kept|from|instead|rather|than|not|never|cannot|(?<!\bi )would|could|might|short|"
    r"they|he|she|why|by|below|above|under|over|or|between|either|top|maximum|highest|lowest|possible|if|unless|previous|initial|former|original|earlier|"
    r"scale|deduct\w*|least|most|up|closer|another|to)|n't)(?: (?:being|reach\w*|achiev\w*|gett?\w*|earn\w*|receiv\w*|an?|the|of|it|this|to|my|"
    r"in|be|become|from|perfect|full|score|rating|have|has|been|given|give|warrant|deserve|merit|make|quite|really|as|summary|text|\w+(?:ness|cy|ity|ence|ance))){0,6} ?\Z"
    r"|\b(?:scorer|critic|evaluator|referee|reviewer|(?:first|second|other) (?:agent|judge)|agent \d|judge \d|previous round|according to|first half)\b[^.\n]{0,30}\Z",
    re.IGNORECASE,
)
"""Right before what looks like a score: it is not a score of this text, or it is somebody else's."""
NO_SCORE_BEHIND = re.compile(
    r"(?: (?:if|but for)\b|,? though closer| (?:(?:is|are|seems) (?:too|reserved|meant|for\b|given (?:to|only)|only|not)|by the (?:first|other)|(?:would|might) (?:be (?:unfair|too|taken)|indicate|mean|require|need)|means|requires|stands for|the guidelines))",
    re.IGNORECASE,
)
"""Right behind it: it says what such a score would mean."""
