"""Where a reply mentions DEBATE's stop word, and whether it says it there or only speaks of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.sentences import Clause, Sentence, clauses_of
from agentdebate.ballots.words import words_of

_STOP_WORD = pattern(r"no(?<![a-z0-9]no)[ _-]{0,4}issues?(?![a-z0-9])")

Sense = Literal["alone", "said", "negated", "conditional", "question", "quoted", "reported", "part", "unsure"]
"""What a mention is: all of a sentence, or said inside one; or denied, put under a condition, asked, quoted, somebody
else's, or about a part of the text, or said in a way that may be either."""

_LEADING = words_of(
    "so therefore thus hence overall finally and then now i say conclude declare answer my the verdict conclusion response "
    "feedback reply critic critique assessment is final just simply ok okay yes with this that score rating it here result "
    "1 2 as in of for see we"
)
"""Words that may stand beside the stop word where it is a sentence of its own."""
_SCORE_NOUNS = words_of(
    "score scores scoring rating ratings grade mark assessment evaluation judgment judgement verdict decision conclusion answer result outcome "
    "critic critique review reviewer response reply feedback i my revision figure number"
)
"""A phrase with one of these speaks of the score, or for the critic: "the coherence rating", "My review shows NO ISSUE"."""
_REASON_NOUNS = words_of(
    "reasoning justification rationale explanation argument arguments argumentation analysis logic reasons points account comments remarks claim case"
)
"""What the score rests on: to have no issue with all of it is to have none with the score."""
_PART_WORDS = words_of(
    "first second third fourth last next other another most some half part parts one two three many several few former latter either opening "
    "grammar spelling style length tone wording format punctuation"
)
"""What makes a part of it: "the first argument", "most of the reasons"."""
_RESTRICTED = pattern(
    r"\b(?:reasons|points|arguments|comments|remarks) (?:concerning|about|regarding|on|(?:that|which) (?!(?:you|they|the scorer)\b))"
)
"""Some of the reasons only: "the remarks on style"."""
_SCORING = words_of(
    "scored rated judged graded came arrived weighed reached assessed evaluated argued reasoned applied marked handled justified awarded assigned "
    "concluded got decided scorer scorer's you"
)
"""Verbs after "how" and "the way" that tell of the score: "how the coherence was rated"."""
_FUNCTION_WORDS = words_of(
    "it this that these those everything anything all scorer scorer's rater evaluator update change you they he she we i me mine any the a an of by from as now "
    "at whatsoever here overall and or to in on with for so far can could see tell concerned am my your his her their its own part side end kind sort note substance left "
    "worth mentioning view opinion eyes mind book reading estimation case regard respect time raised raise honesty given giving gave keeping kept letting let "
    "stand standing stands leaving leave how way is are was were be round stage point judge current new revised updated final current raising"
)
"""Words that name no part of the text, nor anything else by themselves: "with this", "from my side"."""
_LABEL_WORDS = (
    _SCORE_NOUNS
    | _REASON_NOUNS
    | _FUNCTION_WORDS
    | words_of(
        "therefore thus hence critic outcome final say conclude find think believe summary short sum up there would told things considered nothing done checked fine good "
        "well reviewed close look bottom line taken together balance read having after careful honest honestly simply put brief again yes agreed"
    )
)
_WORD = pattern(r"[^\W_]+(?:'[a-z]{1,10})*")
_NEGATION = pattern(
    r"\b(?:not|cannot|never|without(?! (?:a |any )?(?:doubt|hesitation|reservation|question))|hardly|barely|neither|nor|refuse|refuses|reject|rejects|"
    r"dismiss|surprises?|tempting|decline|unable|reluctant|loath|unwilling|hesitate|hesitant|the last to|too much to|nowhere (?:near|close)|far from|"
    r"far be it from|short of|instead of|"
    r"rather than|anything but|by no means|no way|nobody|none|no longer|fail to|fails to|(?<!no )(?<!without )(?<!without any )doubts?|deny|withhold|lie|"
    r"(?:wrong|hard|difficult|impossible|too early|too soon|premature) (?:for|to)|[a-z]{1,10}n't)\b"
)
_NONE = pattern(r"\bno\W*$")
_RETRACTION = pattern(
    r"^\W{0,3}(?:is|are|was|were|would be|will be|does|do|can|could|should|may|will|would|seems|looks|remains) "
    r"(?:[a-z]{1,12} )?(?:not|n't|never|wrong|premature|false|impossible|inappropriate|unwarranted|far|out of|off the|too|hardly|reserved|"
    r"meant|something|only|beyond)\b"
    r"|^\W{0,3}(?:cannot|can't|isn't|doesn't|won't|shouldn't|wouldn't|(?:was|were)(?! (?:found|noted|noticed|left|detected|spotted|seen|identified|"
    r"apparent|visible))|has to|have to|must|will have to|would)\b"
    r"|^\W{0,5}(?:false|untrue|incorrect|wrong|no|nope|never|hardly|not (?:so|true|really|at all))\W*$"
)
_BY_SAYING = pattern(
    r"^\W{0,8}(?:(?:but|and|simply|merely|just|so) )?(?:to )?(?:say|call|write|answer|reply|declare|claim|pretend|conclude|report|put|give|state|settle|"
    r"sign|accept|conced|respond)"
    r"(?:e|ing|ying|ting)?\b"
)
"""A clause whose subject is to say the stop word: "Saying NO ISSUE would ignore the errors"."""
_CLAIM = pattern(
    r"^\W{0,3}(?:[a-z]{1,20} ){0,4}(?:is|are|would|means?|ignores?|amounts?|overlooks?|seems?|requires?|does|will|has|might|could|feels?|takes?)\b"
)
_CONDITION = pattern(
    r"\b(?<!even )(?<!as )(?:if(?! anything)|unless|until|till|once (?:the|it|you|this|that|they|he|she|we|i)|provided (?:that|the|you|it)|assuming|"
    r"supposing|otherwise|only (?:after|when)|as soon as|whenever|the (?:moment|day|minute|instant)|as long as)\b"
    r"|\bbefore (?:i|we|you|they|it|this|that|the [a-z]{1,20}) [a-z]"
    r"|\b(?:when|after) (?:the|it|this|that|they|you|your|its|his|her|all|every|each)(?: [a-z]{1,20}){0,4} (?:is|are|has been|have been|gets?|drops?|goes|comes|changes|rises|becomes)\b"
    r"|\bwere (?:it|the)\b|\bhad (?:the|it|you|this|they|he|she)\b"
)
_UNCERTAIN = pattern(
    r"\b(?:(?:would|should)(?! (?:say|call|conclude|argue|add|agree|think|answer|respond|reply|write|state|report|declare|vote|go with|sum|"
    r"like to (?:say|state|report|declare|confirm|conclude|answer|register|record))\b)|could(?! (?:find|see|detect|spot|make out)\b)|might|may|whether|"
    r"almost|nearly|wish|hope|expect|"
    r"want to|like to(?! (?:say|state|report|declare|confirm|conclude|answer|register|record)\b)|tempted|one day|some day|next time|later|(?:supposed|"
    r"meant|told|asked|required|expected|instructed) to)\b"
)
_EVEN = pattern(r"\beven (?:[a-z]{1,20} ){1,4}(?:would|could|might)\b")
"""What holds for everybody: "Even a strict reader would find NO ISSUE"."""
_REPORT = pattern(
    r"\b(?:scorers?|they|he|she|authors?|writers?|others?|another|colleagues?|someone|instructions?|prompts?|rules?|guidelines?|you|user|"
    r"task|commander|text|article|summary|critics?|who|somebody|people) (?:[a-z]{1,12} ){0,2}"
    r"(?:says?|said|claims?|claimed|thinks?|asks?|asked|tells?|told|argues?|argued|believes?|suggests?|suggested|wants?|wanted|writes?|wrote|"
    r"states?|stated|insists?|requires?|finds?|found|sees?|saw|hopes?|hoped|expects?|expected|wishes|likes?|assumes?|assumed|pretends?|"
    r"hints?)(?: [a-z']{1,12}){0,4}\W{0,3}$"
)
_PART_AFTER = pattern(
    r"^\W{0,3}(?:(?:with|in|on|of|regarding|about|concerning|as to|as for|as regards|as far as|so far as|insofar as|for|around|in terms of|"
    r"at the level of|when it comes to)"
    r" (?P<what>[^,;:|]{1,120})|(?P<but>except|apart from|aside from|other than|save for|beyond|besides)\b|(?P<where>there)|(?P<way>[a-z]{3,20}ly)\b)"
)
_NUMBER = pattern(r"\b(?:an?|the|of|to) [0-9]{1,3}(?:[.,][0-9]{1,3})?(?! [a-z]{2,20}s\b)")
"""A score by its number: "with awarding a 4"."""
_PLAINLY = words_of("really clearly certainly definitely currently finally simply entirely")
"""Adverbs that name no part: "NO ISSUE really"."""
_STOPS = pattern(r"\b(?:and|but|as|since|because|so|while|which|who|that|after|before|now|if)\b")
_ELSEWHERE = pattern(
    r"^ {0,3}(?:with|about) (?:(?:the|a|my|your) )?(?:(?:first|second) )?(?:(?:score|rating)(?: of)? ?)?(?:[0-9]{1,3}(?:[.,][0-9]{1,3})?)? ?[,-] ?"
    r"(?:but |and |though |however,? )?(?:only |just )?(?:one|two|three|four|five|several|some|a few|plenty|many|[0-9]{1,2})"
    r"(?: (?:issues?|problems?|concerns?|objections?|quibbles?))? (?:with|about|regarding|concerning) (?:the|its|your) (?:[a-z]{1,20} of the )?"
    r"(?:[0-9]|(?:first|second|third|other|scores?|ratings?|reasons?|reasoning)\b)"
)
"""An issue that is told behind the stop word, without its noun: "No issue with the 3, one with the 2"."""
_PART_BEFORE = pattern(
    r"^\W{0,8}(?:in|for|regarding|concerning|as for|as to|as regards|as far as|on|with|about|with respect to|with regard to|in terms of|"
    r"when it comes to|apart from|aside from|except|except for|other than|besides|save for)"
    r" (?!(?:that|this|these|it|everything|all) )(?P<what>[^,;:|]{1,60}?)(?: (?:there (?:is|are)|i (?:have|see|find|found)|we (?:have|see|find)))?\W{0,3}$"
    r"|^\W{0,8}(?!(?:that|this|these|quibbles|jokes|details|minor|small|nitpicks|all|everything)\b)(?:[a-z]{1,20} ){1,4}aside\W{0,3}$"
)
_SUBJECT = pattern(
    r"^\W{0,8}(?!(?:i|we|you|they|it|there|this|that)\b)(?P<what>(?:[a-z'-]{1,20} ){1,6})(?:itself |alone )?"
    r"(?:is|are|has|have|had|gets?|receives?|earns?|raises?|causes?|creates?|offers?|gives?|shows?|contains?|presents?|poses?)\W{0,3}$"
)
_WORDS_THEMSELVES = pattern(r"\b(?:words?|phrase|formula|label|tag|sentence|line|term)\W{0,3}$")
_NO = pattern(
    r"^\W{0,8}(?:no|not|hardly|never|far from|i (?:cannot|do not|would not|doubt)|on the contrary|quite the)\b"
)
"""How a question is answered that cannot be taken for agreement: "NO ISSUE? Hardly"."""
_OWN = pattern(
    r"\b(?:i|we|me|my|us|our|mine|critic|critic's|reviewer|devil's|so|thus|hence|therefore|final|overall|conclusion|verdict|answer|review|score|rating|"
    r"assessment|feedback"
    r"|(?:there|it) (?:[a-z]{1,20} ){0,3}(?:is|are|be|remains?|was|were))\b"
)
"""Words of a clause that speaks for the critic, or of what there is."""
_FIRST_PERSON = pattern(r"\b(?:i|we|me|my|us|our)\b")
_FROM_ME = pattern(r"^\W{0,3}(?:from|on) (?:me|my|our|us)\b")
_TO_SAY = pattern(
    r"\bto (?:say|write|answer|reply|call|declare|claim|conclude|state|report|give|see|find|pretend|get|hear|earn|receive|win)\b"
)
"""What is spoken of as a thing to say, without a speaker: "It takes courage to say NO ISSUE"."""
_TELLS = pattern(
    r"^\W{0,3}(?:(?:is|are|was|were) (?!found|seen|detected|noted|noticed|identified|left|raised|visible|apparent|spotted|my\b|what i\b|the (?:right|correct|proper|only|fair|final)\b)|(?:has|can|could|will|does|for|to|sounds?|makes?|looks?)\b)"
)
"""What follows a mention that is spoken about: "NO ISSUE is a phrase for better work"."""
_PROMISE = pattern(r"^\W{0,3}(?:i will|i'll|you|there will)\b")
_SAYING_ENDS = pattern(
    r"\b(?:say|write|answer|reply|respond|declare|claim|conclude|state|report|give|put|call it|agree to|sign)\W*$"
)
"""How a line ends that breaks off before what is said."""
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
    for at, sentence in enumerate(sentences):
        found = list(_STOP_WORD.finditer(sentence.text)) if "issue" in sentence.text else []
        # What a line ends in, and a part that is asked about ("Grammar? NO ISSUE."), lead to what follows.
        lead = _lead(sentences[at - 1]) if found and at else ""
        for one in found[:1] + found[-1:] if len(found) > 1 else found:
            before, after = lead + sentence.text[: one.start()], sentence.text[one.end() :]
            answer = sentences[at + 1].text if sentence.asks and at + 1 < len(sentences) else ""
            yield Mention(at, before, after, _sense(sentence, before, after, answer))


def without_stop_word(sentence: str) -> str:
    """A sentence in lower case with a blank in the place of each mention."""
    return _STOP_WORD.sub(" ", sentence) if "issue" in sentence else sentence


def _lead(sentence: Sentence) -> str:
    """What a sentence leaves to be read with the next one: a line that ends in a colon, or a part that is asked about."""
    if sentence.text.rstrip().endswith(":"):
        return f"{sentence.text[-300:]} "
    if sentence.end.startswith("\n") and _SAYING_ENDS.search(sentence.text):
        # "I will not write", and the stop word in the line below.
        return f"{sentence.text[-300:]} "
    return f"{sentence.text}: " if sentence.asks and _is_label(sentence.text) else ""


def _sense(sentence: Sentence, before: str, after: str, answer: str) -> Sense:
    if sentence.asks:
        return "negated" if _NO.match(answer) else "question"
    clause = clauses_of(before)[-1]
    if _is_alone(before, after):
        return "alone"
    if _is_quoted(before, after) and not _WORD.findall(clause.text):
        return "quoted" if clause.parted_by != ":" else "alone"
    return _spoken(clause, before, after)


def _spoken(clause: Clause, before: str, after: str) -> Sense:
    """What a mention inside a sentence is."""
    if _is_quoted(before, after) or _WORDS_THEMSELVES.search(before):
        return "quoted"
    if _is_negated(clause.text, after):
        return "negated"
    if _is_conditional(clause, before, after):
        return "conditional"
    if _REPORT.search(clause.text):
        return "reported"
    return _meant(clause, before, after)


def _is_negated(text: str, after: str) -> bool:
    if _BY_SAYING.match(text) and _CLAIM.match(after):
        return True
    return bool(_NEGATION.search(text) or _NONE.search(text) or _RETRACTION.match(after))


def _is_conditional(clause: Clause, before: str, after: str) -> bool:
    if _CONDITION.search(before) or _CONDITION.search(after):
        return True
    if clause.parted_by == "and" and _PROMISE.match(clause.text):
        return True
    return bool(_UNCERTAIN.search(clause.text)) and not _EVEN.search(clause.text)


def _meant(clause: Clause, before: str, after: str) -> Sense:
    """Whether a mention is about a part, or the critic's own word on the score, or not to be told."""
    ahead = clauses_of(after)[0].text
    if _ELSEWHERE.match(after) or _is_part(clause, before, ahead):
        return "part"
    return "said" if _is_own(re.split("[,:]", before)[-1], ahead) else "unsure"


def _is_own(text: str, ahead: str) -> bool:
    """Whether a mention is the critic's own word: in the first person, or of what there is, or of the score by name."""
    after = _PART_AFTER.match(ahead)
    if after and after["what"] and not _SCORE_NOUNS.isdisjoint(_WORD.findall(after["what"])):
        return True
    if _FROM_ME.match(ahead):
        return True
    if _TO_SAY.search(text) and not _FIRST_PERSON.search(text):
        return False
    return bool(_OWN.search(text)) if _WORD.search(text) else not _TELLS.match(ahead)


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
        return bool(_RESTRICTED.search(after["what"])) or not _names_score(_STOPS.split(after["what"])[0])
    if after and (after["but"] or after["where"] or after["way"] not in _PLAINLY):
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
    """Whether a phrase speaks of the score or of all that it rests on, or of nothing in particular ("from my side")."""
    if _NUMBER.search(phrase):
        return True
    words = {word for word in _WORD.findall(phrase) if not word.isdigit()}
    if not _SCORE_NOUNS.isdisjoint(words) or words <= _FUNCTION_WORDS:
        return True
    if not _REASON_NOUNS.isdisjoint(words):
        return _PART_WORDS.isdisjoint(words)
    return not words.isdisjoint({"how", "way", "what"}) and not words.isdisjoint(_SCORING)
