"""What takes back what was said before: "5 - sorry, I meant 2", "Score: 4. Correction: 2"."""

import re
from collections.abc import Sequence

from agentdebate.ballots.pattern import pattern

WITHDRAWN = "⌫"
"""Stands where words take back the scores before them."""

_NUMBER = r"(?=(?:an? )?(?:[0-9]|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b))"
_PAUSE = r"[ ]{0,3}[,.:;!-]{0,3}[ ]{0,3}"
_PHRASE = pattern(
    rf"""\b(?:
      (?:i|we)\ (?:do\ not|don't|did\ not|didn't)\ (?:really\ )?mean\ (?:that|this|it|to|{_NUMBER})
    | (?:i|we)\ (?:really\ )?(?:meant\b|mean\ {_NUMBER})
    | not\ what\ i\ meant?\b
    | (?:i|we)\ should\ have\ (?:said|given|written|put)\b
    | (?:i|we)\ (?:withdraw|retract|revoke|misspoke|mistyped|take\ back|was\ wrong|were\ wrong|changed?\ my\ mind)\b
    | (?:scratch|strike)\ (?:that|this|it|my)\ [0-9]{{1,3}}(?:\.[0-9]{{1,2}})?(?=[.,;!])
    | (?:scratch|strike)\ (?:that|this|it)\b
    | never\ ?mind\b
    | (?:take|took|taking)\ (?:that|it|this|(?:my|the)\ [a-z]{{1,20}})\ back\b
    | (?:disregard|ignore|discard|withdraw|retract|cancel|forget)\ (?:that|this|it|(?:the|my)\ (?:above|previous|earlier|first|last|score|
      rating|ballot|line|number))\b
    | (?:i|we)\ mis(?:read|judged)\b | let\ me\ (?:reconsider|correct|revise)\b | on\ (?:a\ )?closer\ look\b
    | (?:on\ )?second\ thoughts?\b | on\ (?:further\ )?reflection\b
    | oops\b | whoops\b | my\ (?:mistake|bad|error)\b
    | (?:correction|corrigendum|erratum|typo)[ ]{{0,3}}[:,-]
    | (?<!to\ )make\ (?:that|it)\ {_NUMBER}
    | or\ rather\b
    | (?<=[.!\n-]\ )(?:(?:i'm|i\ am|just|only)\ ){{0,2}}(?:kidding|joking)(?=[.!]|\s*$) | (?<=[.!]\ )just\ kidding(?=,)
    | (?<=[.!]\ )not[.!](?!\w) | (?<=[.!]\ )not$
    | (?<=,\ )said\ (?:nobody|no-one|no\ one)(?:\ ever)?(?=[.!]?\s*$)
    | no\b,?[ ]wait\b | wait\b,?[ ]no\b | (?:wait|hold\ on)[ ]{{0,3}}[,.:;!-]
    | sorry\b{_PAUSE}(?:i\ mean|that|it\b|make|no\b|wrong|{_NUMBER})
    | actually\b{_PAUSE}(?:no\b|make\b|it\ should|it\ is\ {_NUMBER}|it's\ {_NUMBER}|{_NUMBER})
    )""",
    re.VERBOSE,
)


_SIGNS = (
    "wait", "hold on", "actually", "correction", "corrigendum", "hmm", "sorry", "oops", "whoops", "nope", "no,", "edit:", "erratum",
    "apolog", "reconsider", "update:", "scratch ", "strike ", "second thought", " back", "misread", "misjudged", "misspoke", "mistyped",
    "mean ", "meant", "never mind", "nevermind", "me correct", "me revise", "make that", "make it", "disregard", "ignore ", "forget ",
    "discard", "cancel", "withdraw", "retract", "revoke", "reflection", "closer look", "was wrong", "were wrong", "my mind", "my mistake",
    "my bad", "my error", "typo", "or rather", "should have", "kidding", "joking", ", said no", ". not", "! not",
)  # fmt: skip
"""Without one of these nothing is taken back: to look for them is far quicker than for the phrases."""


_WORDS = {
    "mean": ("mean ", "what i mean"), "meant": ("meant",), "should": ("should have",), "back": (" back",), "wrong": ("was wrong", "were wrong"), "mind": ("mind",),
    "thought": ("second thought",), "thoughts": ("second thought",), "closer": ("closer look",), "make": ("make that", "make it"),
    "said": (", said no",), "not": (". not", "! not"), "kidding": ("",), "joking": ("",),
    "rather": ("or rather",), "mistake": ("my mistake",), "bad": ("my bad",), "error": ("my error",), "correct": ("me correct",),
    "revise": ("me revise",), "hold": ("hold on",), "scratch": ("scratch ",), "strike": ("strike ",), "ignore": ("ignore ",), "forget": ("forget ",),
    **dict.fromkeys(
        ("wait", "actually", "correction", "corrigendum", "erratum", "typo", "sorry", "oops", "whoops", "reconsider", "misread", "misjudged", "misspoke", "mistyped",
         "nevermind", "disregard", "discard", "cancel", "withdraw", "retract", "revoke", "reflection"), ("",)
    ),
}  # fmt: skip
"""By the words that no phrase goes without: what has to stand in the text beside one."""
_SOUGHT = frozenset(_WORDS)
_GLUED = re.compile(r"[0-9]-[a-z]")
"""A number and a word that are one token: "4-wait, 3"."""


def may_take_back(text: str, words: Sequence[str]) -> bool:
    """As `takes_back`, for a text that is there as words too: to look for signs among them is quicker."""
    if "-" in text and _GLUED.search(text) is not None:
        return takes_back(text)
    present = _SOUGHT.intersection(words)
    return any(sign in text for word in present for sign in _WORDS[word])


def takes_back(text: str) -> bool:
    """Whether words in folded text in small letters may take something back."""
    return any(map(text.__contains__, _SIGNS))


def marked(text: str) -> str:
    """Folded text in small letters with WITHDRAWN in the place of all words that take something back."""
    return _PHRASE.sub(f" {WITHDRAWN} ", text) if takes_back(text) else text
