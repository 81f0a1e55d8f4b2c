"""Where a reply mentions DEBATE's stop word, and whether it says it there or only speaks of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentdebate.ballots.sentences import Clause, Sentence, clauses_of
from agentdebate.ballots.words import words_of

STOP_WORD = re.compile(r"(?<![a-z0-9])no[ _-]{0,4}issues?(?![a-z0-9])", re.IGNORECASE)

Sense = Literal["alone", "said", "negated", "conditional", "question", "quoted", "reported", "part"]
"""What a mention is: all of a sentence, or said inside one; or denied, put under a condition, asked, quoted, somebody
else's, or about a part of the text."""

_LEADING = words_of(
    "so therefore thus hence overall finally and then now i say conclude declare answer my the verdict conclusion response "
    "feedback reply critic critique assessment is final just simply ok okay yes with this that score rating it here result "
    "1 2 as in of for see we"
)
"""Words that may stand beside the stop word where it is a sentence of its own."""
_SCORE_WORDS = words_of(
    "score scores scoring rating ratings grade mark assessment evaluation judgment judgement verdict decision it this that "
    "scorer scorer's rater evaluator revision update change given new revised current final latest assigned proposed your "
    "his her their its the a an of by from as now at all whatsoever here overall and or reasoning justification explanation how "
    "way came arrived reached got judged weighed scored rated argued applied used to in which you they he she we i me mine any what "
    "wrote said given giving gave keeping kept letting let stand standing stands points reasons reason figure number judge judging "
    "handled put awarded awarding assigned assigning marking leaving leave can could see tell far concerned am my part side end kind "
    "sort note substance left worth mentioning view opinion eyes mind book reading estimation case regard respect time raised honesty "
    "critic review reviewer"
)
"""Words of a phrase that names the score: "with the revised score"."""
_LABEL_WORDS = _SCORE_WORDS | words_of(
    "so therefore thus hence my conclusion result answer response reply feedback critique critic outcome final i say conclude "
    "find think believe in summary short to sum up there we what would all told things considered everything nothing left said done "
    "checked fine good well reviewed close look bottom line taken together on balance"
)
_SCORE_NOUNS = words_of(
    "score scores rating ratings grade mark assessment evaluation judgment judgement verdict decision conclusion answer result outcome "
    "critic critique review reviewer response reply feedback i my revision what figure number"
)
"""A subject with one of these speaks of the score, or for the critic: "My review shows NO ISSUE"."""
_WORD = re.compile(r"[^\W_]+(?:'[a-z]{1,10})*")
_NEGATION = re.compile(
    r"\b(?:not|cannot|never|without(?! (?:a |any )?(?:doubt|hesitation|reservation|question))|hardly|barely|neither|nor|refuse|refuses|decline|unable|reluctant|far from|short of|instead of|"
    r"rather than|anything but|by no means|no way|nobody|none|no longer|fail to|fails to|(?<!no )(?<!without )(?<!without any )doubts?|deny|withhold|lie|"
    r"(?:wrong|hard|difficult|impossible|too early|too soon|premature) (?:for|to)|[a-z]{1,10}n't)\b"
)
_RETRACTION = re.compile(
    r"^\W{0,3}(?:is|are|was|were|would be|will be|does|do|can|could|should|may|will|would|seems|looks|remains) "
    r"(?:[a-z]{1,12} )?(?:not|n't|never|wrong|premature|false|impossible|inappropriate|unwarranted|far|out of|off the|too|hardly|reserved|"
    r"meant|something|only|beyond)\b"
    r"|^\W{0,3}(?:cannot|can't|isn't|doesn't|won't|shouldn't|wouldn't|(?:was|were)(?! (?:found|noted|noticed|left|detected|spotted|seen|identified|apparent|visible))|has to|have to|must|will have to|would)\b"
)
_CONDITION = re.compile(
    r"\b(?<!even )(?<!as )(?:if(?! anything)|unless|until|till|once (?:the|it|you|this|that|they|he|she|we|i)|provided (?:that|the|you|it)|assuming|supposing|otherwise|only (?:after|when))\b"
    r"|\bbefore (?:i|we|you|they|it|this|that|the [a-z]{1,20}) [a-z]"
    r"|\b(?:when|after)(?! (?:i|we)\b)(?: [a-z]{1,20}){1,5} (?:is|are|has been|have been|gets?|drops?|goes|comes|changes|rises|becomes)\b"
    r"|\bwere (?:it|the)\b|\bhad (?:the|it|you|this|they|he|she)\b"
)
_UNCERTAIN = re.compile(
    r"\b(?:(?:would|'d|should)(?! (?:say|call|conclude|argue|add|agree|think)\b)|could(?! (?:find|see|detect|spot|make out)\b)|might|may|whether|almost|nearly|wish|hope|expect|"
    r"want to|like to|tempted|one day|some day|next time|later|(?:supposed|meant|told|asked|required|expected|instructed) to)\b"
)
_REPORT = re.compile(
    r"\b(?:scorers?|they|he|she|authors?|writers?|others?|another|colleagues?|someone|instructions?|prompts?|rules?|guidelines?|you|user|"
    r"task|commander|text|article|summary|critics?|who|somebody|people) (?:[a-z]{1,12} ){0,2}"
    r"(?:says?|said|claims?|claimed|thinks?|asks?|asked|tells?|told|argues?|argued|believes?|suggests?|suggested|wants?|wanted|writes?|wrote|"
    r"states?|stated|insists?|requires?|finds?|found|sees?|saw|hopes?|hoped|expects?|expected|wishes|likes?|assumes?|assumed|pretends?|hints?)(?: [a-z']{1,12}){0,4}\W{0,3}$"
)
_PART_AFTER = re.compile(
    r"^\W{0,3}(?:(?:with|in|on|of|regarding|about|concerning|as to|as for|as regards|as far as|for|around|in terms of|at the level of|when it comes to)"
    r" (?P<what>[^,;:|]{1,120})|(?P<but>except|apart from|aside from|other than|save for|beyond|besides)\b|(?P<way>[a-z]{3,20}ly)\b)"
)
_PLAINLY = words_of("really clearly certainly definitely currently finally simply entirely")
"""Adverbs that name no part: "NO ISSUE really"."""
_STOPS = re.compile(r"\b(?:and|but|as|since|because|so|while|which|who|that|after|before|now|if)\b")
_PART_BEFORE = re.compile(
    r"^\W{0,8}(?:in|for|regarding|concerning|as for|as to|as regards|as far as|on|with|about|with respect to|with regard to|in terms of|"
    r"when it comes to|apart from|aside from|except|except for|other than|besides|save for)"
    r" (?P<what>[^,;:|]{1,60}?)(?: (?:there (?:is|are)|i (?:have|see|find|found)|we (?:have|see|find)))?\W{0,3}$|\baside\W{0,3}$"
)
_SUBJECT = re.compile(
    r"^\W{0,8}(?!(?:i|we|it|there|this|that)\b)(?P<what>(?:[a-z'-]{1,20} ){1,6})(?:itself |alone )?"
    r"(?:is|are|has|have|had|gets?|receives?|earns?|shows?|contains?|presents?|poses?)\W{0,3}$"
)
_WORDS_THEMSELVES = re.compile(r"\b(?:words?|phrase|formula|label|tag|sentence|line|term)\W{0,3}$")
_PROMISE = re.compile(r"^\W{0,3}(?:i will|i'll|you|there will)\b")
_LONGEST_LABEL = 4
"""Words; what is longer before a colon is a sentence, and names no part."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The stop word in a sentence: which sentence, what stands before and after it there, and what it is there."""

    at: int
    before: str
    after: str
    sense: Sense


def mentions_of(sentences: list[Sentence]) -> Iterator[Mention]:
    """Every mention, in order. The end of a line that ends in a colon is read with the line below it."""
    lead = ""
    for at, sentence in enumerate(sentences):
        found = list(STOP_WORD.finditer(sentence.text))
        for one in found[:1] + found[-1:] if len(found) > 1 else found:
            before, after = lead + sentence.text[: one.start()], sentence.text[one.end() :]
            yield Mention(at, before, after, _sense(sentence, before, after))
        # What a line ends in, and a part that is asked about ("Grammar? NO ISSUE."), lead to what follows.
        lead = _lead(sentence)


def _lead(sentence: Sentence) -> str:
    """What a sentence leaves to be read with the next one: a line that ends in a colon, or a part that is asked about."""
    if sentence.text.rstrip().endswith(":"):
        return f"{sentence.text[-300:]} "
    return f"{sentence.text}: " if sentence.asks and _is_label(sentence.text.lower()) else ""


def _sense(sentence: Sentence, before: str, after: str) -> Sense:
    before, after = before.lower(), after.lower()
    if sentence.asks:
        return "question"
    clause = clauses_of(before)[-1]
    if _is_alone(before, after):
        return "alone"
    if _is_quoted(before, after) and not _WORD.findall(clause.text):
        return "quoted" if clause.parted_by != ":" else "alone"
    return _spoken(clause, before, after)


def _spoken(clause: Clause, before: str, after: str) -> Sense:
    """What a mention inside a sentence is."""
    ahead = clauses_of(after)[0].text
    if _is_quoted(before, after) or _WORDS_THEMSELVES.search(before):
        return "quoted"
    if _NEGATION.search(clause.text) or _RETRACTION.match(after):
        return "negated"
    if _CONDITION.search(before) or _CONDITION.search(after) or _UNCERTAIN.search(clause.text):
        return "conditional"
    if clause.parted_by == "and" and _PROMISE.match(clause.text):
        return "conditional"
    if _REPORT.search(clause.text):
        return "reported"
    return "part" if _is_part(clause, before, ahead) else "said"


def _is_alone(before: str, after: str) -> bool:
    words = {*_WORD.findall(before), *_WORD.findall(after)}
    return words <= _LEADING


def _is_quoted(before: str, after: str) -> bool:
    if before.count('"') % 2 and '"' in after:
        return True
    return before.rstrip(" ")[-1:] == "'" and after.lstrip(" .!")[:1] == "'"


def _is_part(clause: Clause, before: str, ahead: str) -> bool:
    """Whether a mention speaks of something else than the score: "in spelling", "Grammar:", "with the summary"."""
    after = _PART_AFTER.match(ahead)
    if after and after["what"]:
        return not _names_score(_STOPS.split(after["what"])[0])
    if after and (after["but"] or after["way"] not in _PLAINLY):
        return True
    subject = _SUBJECT.search(clause.text)
    if subject and _SCORE_NOUNS.isdisjoint(_WORD.findall(subject["what"])):
        return True
    if clause.parted_by in {":", "|", "-", "--", "---", ","}:
        earlier = clauses_of(before)[-2]
        return _is_label(earlier.text) if clause.parted_by != "," else _opens_on_part(earlier.text)
    return _opens_on_part(clause.text)


def _opens_on_part(text: str) -> bool:
    opening = _PART_BEFORE.match(text.rstrip())
    return opening is not None and not (opening["what"] and _names_score(opening["what"]))


def _is_label(text: str) -> bool:
    words = _WORD.findall(text)
    return 0 < len(words) <= _LONGEST_LABEL and not _LABEL_WORDS.issuperset(words)


def _names_score(phrase: str) -> bool:
    words = [word for word in _WORD.findall(phrase) if not word.isdigit()]
    return _SCORE_WORDS.issuperset(words) and not {"reasoning", "justification", "explanation"} >= set(words)
