"""The choice of no text: "it is a tie", "both are equally good", "no preference"."""

from collections.abc import Sequence

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.choice_words import CONCEDING, TIE_SUBJECTS, TIES
from agentdebate.ballots.reading.lexicon import NEGATION
from agentdebate.ballots.reading.names import named
from agentdebate.ballots.reading.placement import is_line
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.vetoes import clause_before, finality_of, is_of_others, is_past
from agentdebate.ballots.reading.winners import winner_of

_Found = tuple[Rule, Finality]


_SHORT = 5
"""Words of a sentence that only says that there is a tie."""


def tie_at(words: Sequence[str], at: int) -> _Found | None:
    """The choice of no text, by a word for a tie."""
    word, start, end = words[at], clause.sentence_start(words, at), clause.sentence_end(words, at)
    alone = end - start < _SHORT and all(
        w in TIES
        or w
        in {
            "it",
            "is",
            "it's",
            "a",
            "an",
            "the",
            "so",
            "therefore",
            "§",
            "[",
            "]",
            "(",
            ")",
            '"',
            "result",
            "verdict",
            ":",
            "final",
            "overall",
            "winner",
            "choice",
            "vote",
            "answer",
        }
        for w in words[start:end]
    )
    if (end < len(words) and words[end] == "?") or (
        words[start:at].count('"') % 2 and not (words[at - 1] == '"' and words[at + 1 : at + 2] == ['"'])
    ):
        return None
    own = [w for w in clause_before(words, at) if w not in {"they", "their"}]
    if word in {"preference", "either"}:
        denied = not NEGATION.isdisjoint(own) and ("prefer" in own[:3] or "have" in own[:4])
        return ("tie", finality_of(words, at, Finality.PROSE)) if denied else None
    if (
        any(w in NEGATION or w in {"no", "if", "unless"} for w in own)
        or clause.is_supposed(words, at)
        or is_of_others(own)
        or is_past(own, words[at:end])
    ):
        return None
    if word in {"equal", "equals"} and is_line(words, at, at + 1):
        return "line", Finality.FORM
    if word in TIES:
        return _of_tie_noun(words, at, alone=alone)
    return _of_equal(words, at, start, end)


def _of_tie_noun(words: Sequence[str], at: int, *, alone: bool) -> _Found | None:
    if (
        words[at + 1 : at + 2]
        and words[at + 1] in {"breaker", "between", "together", "in"}
        and words[at + 1] != "between"
    ):
        return None
    if alone or is_line(words, at, at + 1):
        final = "final" in words[max(at - 5, 0) : at]
        return "tie", Finality.FINAL if final else Finality.FORM
    winner = winner_of(words, at, at + 1)
    if winner is not None:
        return "tie", winner[1]
    left = words[at - 1] if at else "\n"
    tied = left in {
        "a",
        "an",
        "is",
        "are",
        "be",
        ":",
        "in",
        "as",
        "it",
        "the",
        "virtual",
        "near",
        "\n",
        "clear",
        "perfect",
    }
    return ("tie", finality_of(words, at, Finality.PROSE)) if tied else None


def _of_equal(  # noqa: PLR0911 - one for each kind of word
    words: Sequence[str], at: int, start: int, end: int
) -> _Found | None:
    """Words of equality: "Both are equally good", "A and B are of the same quality", "no preference", "neither is better"."""
    before, behind = words[start:at], words[at + 1 : end]
    if any(word in CONCEDING or word in {"but", "however", "yet", "except"} for word in [*before, *behind]):
        return None
    word = words[at]
    if word in {"neither", "no"}:
        says = {"preference", "winner", "difference", "favorite", "favourite"}
        says |= (
            {"better", "superior", "preferred", "wins", "best", "stronger"} if word == "neither" else set()
        )
        close = behind[:6]
        if says.isdisjoint(close) or "in" in close[:4] or ("for" in close[1:3] and "preference" not in close):
            return None
        return "tie", finality_of(words, at, Finality.PROSE)
    subject = not TIE_SUBJECTS.isdisjoint(before) or sum(named(w) is not None for w in before) > 1
    if not subject:
        return None
    if word in {
        "equal",
        "equivalent",
        "indistinguishable",
        "interchangeable",
        "identical",
        "comparable",
        "par",
    }:
        whole = not behind or (
            behind[0]
            in {"quality", "in", "overall", ".", ",", "as", "because", "since", "and", "for", "with"}
            and "quality" in [*behind[:3], "quality"]
        )
        return ("tie", finality_of(words, at, Finality.PROSE)) if whole else ("tie", Finality.HINT)
    if word in {"same", "equally", "tied", "evenly"}:
        good = {
            "good",
            "well",
            "strong",
            "valid",
            "matched",
            "quality",
            "deserving",
            "level",
            "convincing",
            "best",
            "preferable",
            "suitable",
            "fine",
            "excellent",
            "capable",
            "great",
            "worthy",
            "acceptable",
            "bad",
            "poor",
            "effective",
            "score",
            "rating",
            "grade",
        }
        if behind[:1] in ([], [","], ["because"]) and not {
            "rate",
            "judge",
            "rank",
            "score",
            "consider",
            "rated",
            "grade",
        }.isdisjoint(before):
            return "tie", finality_of(words, at, Finality.PROSE)
        return "tie", (
            finality_of(words, at, Finality.PROSE) if not good.isdisjoint(behind[:2]) else Finality.HINT
        )
    return None
