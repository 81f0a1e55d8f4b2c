"""Ways in which judges state a score, as a table: the strongest decide, and each row has one reply that it reads."""

from dataclasses import dataclass

_S = r"(?:scores?|scoring|ratings?|grade|mark)"
_LEAD = r"(?:(?:an?|of|at|as|to|be|is|around|about|approximately|just|only|solid|low|high|moderate|full|strong|weak|decent|perfect) ){0,4}"
"""Words that may stand right before a number and say nothing about it."""
_OF = rf"(?: (?:for|of|on|in terms of)(?: (?!(?:{_S}|is|out|zero|one|two|three|four|five|six|seven|eight|nine|ten)\b)[a-z'\"-]+){{1,8}})?"
"""What is scored: "for the coherence of this summary"."""
_IS = r"(?: ?[:=]| is| would be| will be| remains| of| as| at|,)?"


@dataclass(frozen=True, slots=True)
class Row:
    """A way to state a score. In `pattern`, {n} is the number, {a} the name of the aspect and {s} a word for a score.

    Where several aspects are asked for, only rows with {a} count, each for the aspect that it names.
    """

    name: str
    strength: int
    pattern: str
    example: str
    """Gives 4 on a scale of 1 to 5 for coherence."""


ROWS = (
    Row("boxed", 3, r"\[\[ ?{n} ?\]\]", "The order is clear. Rating: [[4]]"),
    Row(
        "final",
        3,
        rf"\b(?:final|overall|revised|updated|corrected|new) (?:{{a}} |assessment |numerical )?{_S}{_OF}{_IS} ?{_LEAD}{{n}}",
        "The summary jumps. Final score: 4 out of 5 (coherent)",
    ),
    Row(
        "score",
        2,
        rf"\b{_S}{_OF}{_IS} ?{_LEAD}{{n}}",
        "The ideas follow from each other, resulting in a score of 4.",
    ),
    Row(
        "aspect",
        2,
        rf"(?<![\w-]){{a}}(?: {_S})?(?: of (?:the|this) [a-z]{{3,15}})?{_IS} ?\(?{_LEAD}{{n}}",
        "I would rate the coherence of the summary as 4 out of 5.",
    ),
    Row(
        "for the aspect",
        2,
        r"{n} (?:points? )?(?:for|in|on|in terms of) (?:its |the |overall |perfect )?{a}\b",
        "It gets a 4 for coherence.",
    ),
    Row(
        "verb",
        2,
        rf"\bi(?:'d| would| will| have|'ll)? (?:rate|score|grade|give|assign|award|evaluate)d?\b[^.:;\n\d]{{0,60}}? {_LEAD}{{n}}",
        "I would score it a 4 out of 5 since it follows the events.",
    ),
    Row(
        "earns",
        2,
        rf"\b(?:earn|deserv|merit|warrant|receiv|scor|gett?|assign)(?:e|s|es|ing|ed)? {_LEAD}{{n}}",
        "It lacks transitions, so it scores a 4.",
    ),
    Row("fraction", 1, r"(?<!: ){n}(?(over)|(?!))", "The parts fit together well: 4/5."),
    Row("brackets", 1, r"\({n}\)[.\s]*\Z", "The order of the events is mostly clear (4)."),
)

TAKEN_BACK = r"\b(?:no, |wait|actually|on second thought|correction|scratch that|i correct|revis|chang\w+ (?:it |my \w+ )?(?:from|to)|instead i)"
"""Between two scores: the second counts."""
NO_SCORE = (
    r"(?:\b(?:ideal|prevent\w*|keep\w*|kept|from|instead|rather|than|not|never|cannot|would have|could have|might have|short|why|by|below|above|"
    r"under|over|or|between|either|maximum|highest|lowest|possible|if|unless|previous|initial|former|original|earlier|scale|deduct\w*|least|"
    r"most|up|closer)|n't)(?: (?:being|reaching|achieving|getting|earning|receiving|an?|the|of|it|this|to|my|in|be|become|from|perfect|full|"
    r"score|rating|have|has|been|given|warrant|deserve|merit|get|reach|make|quite|really|as|summary|text)){0,6} ?\Z"
)
"""Right before what looks like a score: it is no score of this text."""
FOREIGN = (
    r" (?:for|in|on|in terms of) (?:its |the |overall )?(?:grammar|punctuation|spelling|vocabulary|sentence structure|structure|style|tone|"
    r"clarity|word choice|readability|coherence|consistency|fluency|relevance|accuracy|completeness|conciseness|creativity|depth)\b"
)
"""Right behind a number: it is for something else, unless that is what was asked for."""
