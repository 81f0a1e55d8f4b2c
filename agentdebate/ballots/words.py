"""The words that ballots are written in, and the part each plays beside a number.

Parts: c names a score, f marks the last word on it, q may stand with a label, d determiner, l ties a label to its
number ("is", "of"), v gives a score, o is what it is given to, p may stand before the number, s parts label and number.
"""

from agentdebate.ballots.fold import fold


def words_of(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


_PARTS: dict[str, str] = {
    "c": "score scores rating ratings grade mark evaluation assessment judgment judgement answer result "
    "bewertung punktzahl wertung note puntuación nota calificación puntaje valoración punteggio voto valutazione "
    "pontuação avaliação оценка балл рейтинг beoordeling ocena wynik puan puanı skor nilai "
    "الدرجة درجة التقييم تقييم النتيجة स्कोर अंक रेटिंग",
    "cf": "verdict",
    "f": "final revised updated new recalculated adjusted corrected amended definitive reconsidered ultimate "
    "finale endgültige definitiva définitive итоговая финальная окончательная 最终 最終 最后 최종",
    "q": "overall total assigned estimated recommended for on only numeric numerical appropriate fair reasonable suitable best quality "
    "aspect metric criterion dimension level général gesamt global общая general form in terms terme chosen",
    "d": "a an the my our this its die der das la le el il un une una einen eine mein meine",
    "l": "is be would should could might will may remains stays stands equals becomes of at as es est ist "
    "è é equal therefore thus hence still 是 为 は",
    "v": "give gives giving rate rates rated assign assigns award awards deserves deserve merits merit warrants "
    "warrant earns earn receives receive gets get go settle land choose chose pick select say has have stay stick remain keep keeps hold maintain leave",
    "o": "it summary text response dialogue dialog output reply translation story passage candidate generated "
    "with conversation",
    "p": "between about around approximately roughly solid strong clear firm just modest decent moderate weak high low",
}

_EASTERN = (
    "评分 得分 分数 打分 评级 评价 評分 得點 スコア 点数 得点 評点 評価 評価点 採点 점수 평점 평가 채점"
)
_EASTERN_BEFORE = "总 总体 總 総合 综合 整体 我的 この 私の 총 종합"
_EASTERN_LAST = words_of("最终 最后 最終 最終的な 최종")
_EASTERN_AFTER = "是 为 為 は 은 는"
"""Written without spaces, a label is one word with what stands before and after it."""


def _parts() -> dict[str, str]:
    parts = {fold(word).lower(): part for part, words in _PARTS.items() for word in words.split()}
    for before in ("", *words_of(_EASTERN_BEFORE), *_EASTERN_LAST):
        for label in words_of(_EASTERN):
            for after in ("", *words_of(_EASTERN_AFTER)):
                part = "c" + ("f" if before in _EASTERN_LAST else "") + ("l" if after else "")
                parts[fold(before + label + after).lower()] = part
    return (
        parts
        | dict.fromkeys(("#range", '"', "'", "(", "[", "~", "≈", "▣", "▢"), "p")
        | dict.fromkeys(":=|→-", "s")
    )


PARTS: dict[str, str] = _parts()
"""The part of each word and mark; what is not in here is not part of a label."""

VERB_OR_NOUN = words_of("score scores rate grade mark")
SPEAKER = words_of("i i'd i'll we we'd would to could should can will it summary text response reply")
"""After these, "score" is a verb: "I'd score it 4"."""
GIVER = SPEAKER | words_of("i'm we're am are therefore thus hence now still also me")
"""What may stand before the words that give a score; any other is a subject whose score it is."""

UNITS = words_of("point points pts stars star punkte punkten puntos punti pontos баллов балла балл marks")

OPENING = words_of(
    "reason reasons reasoning explanation rationale analysis justification conclusion comment "
    "comments feedback evaluation assessment scorer assistant judge response result results output "
    "summary thoughts step no yes"
)
"""Words before a colon that open a part of a reply and name no aspect."""

BOUNDARY = frozenset(
    [
        *".,;!?()[]§•",
        "and",
        "so",
        "but",
        "then",
        "that",
        "think",
        "believe",
        "agree",
        "say",
        "conclude",
        "yes",
    ]
)

FOLLOW = words_of(
    "because since as for due given which while although though but and so on in with based "
    "reflecting since it this the i my overall rather instead reflects acknowledges balances would might seems seem is appears could may feels "
    "looks to if here there however therefore where from at by after considering weil car porque "
    "parce que denn"
)
"""What may follow a score: anything else makes it count things ("2 errors")."""

NEGATIVE = words_of(
    "not cannot never don't doesn't didn't isn't can't couldn't wouldn't won't shouldn't rather "
    "instead than if whether unless hardly neither nor refuse decline disagree reluctant hesitate "
    "asked wants wanted suggests suggested proposes proposed argues argued previous initial original "
    "earlier scorer scorer's critic critic's he she they their you human annotator annotators "
    "reviewer agent without deny minus from below above under over"
)
"""Before a number in its clause: it is refused, compared with, or another's."""

REJECTED = words_of(
    "mean means indicate indicates imply implies represent represents denote denotes require "
    "requires reserved too not isn't unjustified unwarranted excessive harsh generous inappropriate "
    "wrong lower higher fewer cannot doesn't corresponds traditionally typically usually if when "
    "unless deducted"
)
"""After a number in its clause: it is explained or turned down, not given."""

CLAUSE_ENDS = frozenset(
    [*".,;!?:()\n", "because", "since", "as", "due", "given", "but", "although", "though", "while"]
)

CHANGES = words_of(
    "change changed raise raised lower lowered increase increased decrease decreased revise revised "
    "adjust adjusted update updated upgrade upgraded downgrade downgraded move moved bump bumped "
    "reduce reduced correct corrected"
)
"""Verbs that move a score."""
OWN = words_of("i i'd i'll i've i'm my we we'll our score rating me")
"""Words of who speaks, and of what is theirs."""
