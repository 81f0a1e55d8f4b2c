"""The table of patterns by which a choice between texts is read: rows as data, the strongest class first.

Patterns are over plain text (see plain.py) in which each mention of a text ("Output (a)", "Assistant 1's answer") is one private
character, and without the article "a". {M} is such a mention, {V} a mention or a bare key ("b", "2"). What a group finds: `x` is
chosen, `tie` chooses none; of `m` and `n`, scores of the first and the second text, the higher one counts.
"""

from dataclasses import dataclass

FORM, VALUE, DECIDED, STATED, LEANING = 5, 4, 3, 2, 1
"""The classes: the form line or a box; a line that is only the value; a decision; a statement that one is better; one that praises it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A way to state a choice. The example is its test: it chooses "Answer B" of two answers, or a tie where `name` begins so."""

    name: str
    strength: int
    pattern: str
    example: str


NOUNS = "assistant|answer|response|output|summary|option|model|text|candidate|reply|completion|system|version|translation|story|回答|答案|助手|アシスタント|답변"
"""What replies call a text that is compared."""
_KEY = r"(?:[a-hj-z]|\d{1,2})"
_NOUN = (
    r"(?:assistant|answer|response|output|summary|option|model|text|candidate|reply|one|story|translation)"
)
_SIGN = r"[^\w\n\ue000-\ue0ff]"
PARTS: dict[str, str] = {
    "M": r"[\ue000-\ue0ff]",
    "V": rf"(?:[\ue000-\ue0ff]|(?<!\w)\(?{_KEY}\)?(?![\w%/]|'s|\.\d|-\w))",
    "A": rf"(?:the )?(?:(?:{_NOUN}|number) (?:(?:provided )?by |from |of )?)?(?:the )?",
    "S": _SIGN,
    "ADV": r"(?:[a-z]+ly |the |also |still |far |much |by far |overall |somewhat |bit |therefore |thus |one of the ){0,3}",
    "TIE": r"(?:(?:it's |it is |is )?(?:an? )?(?:tie[ds]?|draw|equal(?:ly good)?|both|neither|none|no preference|same)(?!\w))",
    "OPEN": r"(?:(?:so|therefore|thus|hence|overall|my|the|our|and|in conclusion|in summary|based on [^.:\n]{1,80})[ ,]{1,3}){0,4}(?:final |overall |own ){0,2}",
    "ASKED": r"(?:vote|choice|verdict|winner|preference|decision|judge?ment|conclusion|selection|pick|preferred|better|best)",
    "NOUN": rf"(?: (?:{_NOUN}|overall|is)){{0,2}}",
    "BE": r"(?: ?[:=-]| is\b| goes to\b| would be\b)",
    "LINE": r"(?:(?<![\"'])\[[ (]?|\A|\b(?:verdict|choice|judgment|preference|decision|answer|output)(?: is)?[: ]{1,3})",
    "DONE": rf"(?={_SIGN}*(?:\n|\Z)|\])",
    "WELL": r"(?:better|best|superior|preferred|preferable|stronger|strongest|winner|chosen)(?!\w)(?! (?:than|over) (?:my|the reference))",
    "THEN": rf"(?={_SIGN}*(?:\n|\Z)| ?[.,;:)(]| -|{_SIGN}{{0,4}}(?:because|since|as|is {{ADV}}{{WELL}}|over|by|wins|with|due|\[\[|for [\ue000-\ue0ff]|for [^\n\ue000-\ue0ff]*(?:\n|\Z)))(?!{_SIGN}{{0,3}}\?)(?!,? (?:if|or|and|but)\b)(?!{_SIGN}{{1,4}}[\ue000-\ue0ff])",
    "THUS": r"(?:^|[.:] )(?:therefore|thus|overall|hence|so|in conclusion|in summary|based on|considering|given|all in all|on balance|ultimately|finally)\b",
    "ONE": r"(?<!and )(?<!or )(?<!both )(?P<x>[\ue000-\ue0ff]|(?<![\w(])[a-hj-z1-9](?= (?:is|wins) ))",
    "HAS": r"(?:is|was|ha[sd]|do(?:es|ne)|did|g[ia]ves?|(?:provide|offer|demonstrate)(?:s|d|ed))",
    "PICK": r"(?:(?P<x>{V})|(?P<tie>{TIE}))",
}
"""What stands in a pattern for its name in braces."""

ROWS: tuple[Row, ...] = (
    Row(
        "json", FORM,
        r"[\"'](?:\w+[ _]){0,2}(?:vote|choice|verdict|winner|preference|preferred|decision|better|best|answer)(?:[ _]\w+)?[\"']\s{0,4}:\s{0,4}[\"']?{PICK}[\"']?\s{0,9}(?=[,}\n]|\Z)",
        '{"reason": "Clear.", "vote": "Answer B"}',

    ),
    Row("box", FORM, r"(?<![\"'$])\[\[(?:\w+ ){0,2}{PICK}\]\]", "So much for both. [[B]]"),
    Row("grade", FORM, r"{LINE}(?:(?P<x>{V}) ?>{1,3} ?{V}|{V} ?<{1,3} ?(?P<y>{V})|{V} ?(?P<tie>=) ?{V}){DONE}", "My final verdict is: [[B>>A]]"),
    Row(
        "form", FORM, r"(?:^{S}{0,8}|(?<=[.!] )){OPEN}{ASKED}{NOUN}{S}{0,4}{BE}{S}{0,6}(?:(?:for|is|that) )?{A}{PICK}{THEN}",
        "It is clearer.\nVerdict: Answer B",
    ),
    Row("whole reply", FORM, r"\A{S}*{PICK}{S}*\Z", "**Answer B**"),
    Row("line of scores", VALUE, r"(?:\A|\n\n|\Ascores?: ){S}{0,3}(?P<m>\d{1,3}(?:\.\d+)?)[ ,]{1,3}(?P<n>\d{1,3}(?:\.\d+)?){S}*(?:\n|\Z)", "7 8.5\n\nBoth name the cause."),
    Row("last line", VALUE, r"\n{S}*{PICK}{S}*\Z", "It says more.\n\n2"),
    Row(
        "answer line", VALUE, r"^{S}*(?:my |the |final ){0,2}(?:output|answer|result|response|number|rating){S}{0,3}:{S}*{PICK}{DONE}",
        "It says more.\nOutput: 2",
    ),
    Row(
        "choosing", DECIDED,
        r"\bi(?:'d| would| will|'ll| must| have to)?(?: \w+ly)?(?: have to| need to)? (?:choose|prefer|pick|select|vote for|go with|favor|favour)(?: to (?:choose|select))?(?: for)?[ \n:\"'(]{1,4}{A}(?P<x>{V}){THEN}",
        "Therefore, I choose 2 as the better answer.",
    ),
    Row("answer is", DECIDED, r"\b(?:the|my)(?: correct| final| better| best)? (?:answer|output|choice|option) is[ \n:\"'(]{1,4}{A}(?P<x>{M}|[1-9]){THEN}[^\n]{0,150}\Z", "Overall, it has more, so my answer is 2."),
    Row("better line", DECIDED, r"^{S}*{ONE} (?:is {ADV}{WELL}|wins){S}*(?:\n|\Z)", "Answer B is better.\n\nAnswer A says less."),
    Row("conclusion", DECIDED, r"{THUS}[^.\n]{0,250}?{ONE} is {ADV}{WELL}", "Therefore, based on the evaluation, Answer B is better."),
    Row("better", STATED, r"{ONE} (?:is {ADV}{WELL}|wins\b)", "To me, Answer B is better than Answer A, which says less."),
    Row("tie", STATED, r"(?:(?<!\w)(?:both|two|they|(?:assist|respon|answ|outp|summar)\w+)(?!\w)[^.\n]{0,60} (?:are|as|to be|of)(?: \w+ly)? (?P<tie>equivalent|equal(?:ly (?:good|well|strong)| quality)?|tied|(?:of )?the same quality)(?!\w)|\b(?:it's|it is|is|be|call it) (?:a )?(?:tie|draw)\b)[^\n\ue000-\ue0ff]*\Z", "Both name the cause. I would rate the two answers as equivalent."),
)  # fmt: skip
"""Most real judges write one of these; each row is one that recorded judges use."""
