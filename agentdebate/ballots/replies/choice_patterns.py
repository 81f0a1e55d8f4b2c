"""The table of patterns by which a choice between texts is read: rows as data, the strongest class first.

Patterns are over plain text (see plain.py) in which each mention of a text ("Output (a)", "Assistant 1's answer") is one private
character, and without the article "a". {M} is such a mention, {V} a mention or a bare key ("b", "2"). What a group finds: `x` or
`y` is chosen; of `m` and `n`, scores of the first and the second text, the higher one counts. A match without any chooses none.
"""

from dataclasses import dataclass

FORM, VALUE, DECIDED, STATED = 4, 3, 2, 1
"""The classes: the form line or a box; a line that is only the value; a decision; a statement that one is better."""


@dataclass(frozen=True, slots=True)
class Row:
    """A way to state a choice. The example is its test: it chooses "Answer B" of two answers, or a tie where `name` begins so."""

    name: str
    strength: int
    pattern: str
    example: str


NOUNS = "assistant|answer|response|output|summary|option|model|text|candidate|reply|completion|system|version|translation|story|回答|答案|助手|アシスタント|답변"
"""Words of replies for a text that is compared."""
PARTS: dict[str, str] = {
    "M": r"[\ue000-\ue0ff]",
    "V": r"(?:[\ue000-\ue0ff]|(?<!\w)\(?(?:[a-hj-z]|\d{1,2})\)?(?![\w%/]|'s|\.\d|-\w))",
    "A": rf"(?:(?:the|by|from|of|number|one|{NOUNS}) ){{0,4}}",
    "S": r"[^\w\n\ue000-\ue0ff]",
    "ADV": r"(?:[a-z]+ly |the |also |much |far |overall |somewhat |therefore |thus ){0,3}",
    "TIE": r"(?:(?:it's |it is )?(?:tied?|draw|equal(?:ly good)?|both|neither|none)(?!\w))",
    "OPEN": r"(?:(?:so|therefore|thus|overall|my|the|final|in conclusion|in summary|based on [^.:\n]{1,80})[ ,]{1,3}){0,5}",
    "ASKED": r"(?:vote|choice|verdict|winner|preference|decision|judge?ment|pick|preferred|better|best)",
    "NOUN": rf"(?: (?:one|overall|is|{NOUNS})){{0,2}}",
    "BE": r"(?: ?[:=-]| is\b| goes to\b| would be\b)",
    "END": r"{S}*(?:\n|\Z)",
    "WELL": r"(?:is {ADV}(?:better|best|superior|prefer(?:red|able)|strong(?:er|est)|winner|chosen)(?!\w)(?! (?:than|over) (?:my|the reference|nothing|an? )| (?:written|structured|organi[sz]ed|worded|at)\b)|wins\b)",
    "THEN": r"(?={END}| ?[.,;:)(]| -|{S}{0,4}(?:\[\[|(?:because|since|as|over|by|wins|with|due|for)\b)| {WELL})(?!{S}{0,3}\?)(?! as the (?:worse|weaker))(?!,? (?:if|or|and|but)\b)(?!\)?,? (?:\(|or \(|vs\.? )?{V})(?!{S}{1,4}{M})(?![^.\n]{0,60}(?:[,;:] | vs\.? ){M})",
    "THUS": r"(?:^|[.:] )(?:therefore|thus|overall|hence|so|in conclusion|in summary|based on|considering|given|all in all|on balance|ultimately|finally)\b",
    "ONE": r"(?P<x>{M}|(?<![\w'.-])[a-hj-z](?= ))(?<!and .)(?<!or .)(?<!both .)",
    "PICK": r"(?:(?P<x>{V})(?: ?>{1,3} ?{V})?(?! ?[<=])|{V} ?<{1,3} ?(?P<y>{V})|{V} ?= ?{V}|{TIE})",
}
"""Parts of patterns, by their names in braces."""

ROWS: tuple[Row, ...] = (
    Row("json", FORM, r"[\"'](?:\w+[ _]){0,2}(?:{ASKED}|answer)(?:[ _]\w+)?[\"']\s{0,4}:\s{0,4}[\"']?{PICK}[\"']?\s{0,9}(?=[,}\n]|\Z)", '{"reason": "Clear.", "vote": "Answer B"}'),
    Row("box", FORM, r"\[\[(?<![\"'$]\[\[)(?:\w+ ){0,2}{PICK}\]\]", "So much for both. [[B>>A]]"),
    Row("form", FORM, r"(?:^{S}{0,8}|(?<=[.!] )){OPEN}{ASKED}{NOUN}{S}{0,4}{BE}{S}{0,6}(?:(?:for|is|that) )?{A}{PICK}{THEN}", "It is clearer.\nVerdict: Answer B"),
    Row("whole reply", FORM, r"\A{S}*{PICK}(?!{S}*[?:]){S}*\Z", "**Answer B**"),
    Row("line of scores", VALUE, r"\A(?:scores?: )?{S}{0,3}(?P<m>\d{1,3}(?:\.\d+)?)[ ,]{1,3}(?P<n>\d{1,3}(?:\.\d+)?){END}", "7 8.5\n\nBoth name the cause."),
    Row("last line", VALUE, r"\n{S}*{PICK}{S}*\Z", "It says more.\n\n2"),
    Row("answer line", VALUE, r"^{S}*(?:final )?(?:output|answer|result|response|number|rating){S}{0,3}:{S}*{PICK}(?={END})", "It says more.\nOutput: 2\nSo much."),
    Row("choosing", DECIDED, r"\bi(?:'\w+)?(?: \w+){0,3} (?:choose|prefer|pick|select|vote for|go with|favou?r)[ \n:\"'(]{1,4}{A}(?P<x>{V}){THEN}", "Therefore, I choose 2 as the better answer."),
    Row("answer is", DECIDED, r"(?:the|my)(?: \w+)? (?:answer|output|choice) is[ \n:\"'(]{1,4}{A}(?P<x>{M}|[1-9]){THEN}[^\n]{0,150}\Z", "Overall, it has more, so my answer is 2."),
    Row("better line", DECIDED, r"^{S}*{ONE} {WELL}{END}", "Answer B is better.\n\nAnswer A says less."),
    Row("conclusion", DECIDED, r"{THUS}[^.\n]{0,250}?{ONE} {WELL}", "Therefore, based on the evaluation, Answer B is better."),
    Row("better", STATED, r"{ONE} {WELL}", "To me, Answer B is better than Answer A, which says less."),
    Row(
        "tie", STATED, r"\b(?:both|two|they|it's|it is|call it)\b[^.\n]{0,60} (?:equivalent|equal(?:ly (?:good|well|strong))?|tied?|draw|the same quality)(?!\w)[^\n\ue000-\ue0ff]*\Z",
        "Both name the cause. I would rate the two answers as equivalent.",
    ),
)  # fmt: skip
"""Most real judges write one of these; each row is one that recorded judges use."""
