"""Choices in languages that set words together without blanks, or behind the name: "更好的是B", "Bの方が優れています", "B가 더 낫습니다".

Works on words and marks, in which a sign stands for each name of a text (see names.py). What stands right beside a name is taken together, and
has to say no more than that the text is better, or chosen: "Bは文体が優れています" praises one respect.
"""

import re
from collections.abc import Sequence

from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.names import NOUNS, named
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start

_NEAR = 8


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of folded text: folding takes the marks off kana."""
    return pattern("".join(fold(text).split()))


_BETTER = "(?:更好|更优|更佳|更胜|胜出|获胜|最好|最佳|最优|较好|优于|好于|胜过|優れ|優秀|良い|よい|良かった|勝|上です|낫|나은|나았|좋|우수|뛰어|우세|이겼|이긴|이깁)"
_BEHIND = _pattern(
    "(?:(?:は|が|が|는|은|이|가|쪽이)?(?:[A-X](?:より|よりも|보다)))?(?:比[A-X])?(?:的|整体|总体|表现|质量|明显|显然|略|稍微|要|是|还|の方|のほう|の|が|は|最も|明らかに|やや|少し|わずかに|全体的に|総合的に|쪽|이|가|은|는|훨씬|조금|약간|더|가장|전반적으로)*"
    + _BETTER
    + "|(?:を|를|을)(?:選|推|支持|선택|고르|고릅|골라|택|지지|추천)"
)
"""What may follow a name and call it better, from its start on."""
_LABEL = _pattern(
    f"(?:{_BETTER}|胜者|获胜者|优胜者|赢家|冠军|选择|選択|裁决|裁定|结论|結論|判断|判定|答案|回答|结果|結果|勝者|승자|우승|선택|결론|판정|판단|결과|정답|답변|답)"
    "(?:的|の|方|もの|ている|いる|た|것|쪽|답변|응답|요약|回答|答案|摘要|文章|输出|故事)*(?:は|은|는|是|为|が|이)?$"
)
"""What may stand before a name, tied to it by a colon or a particle."""
_VOTING = _pattern("(?:投票给|投给|支持|推荐|倾向于|偏向|更倾向于|を支持|選ぶのは)$")
_TIE = _pattern("(?:は|은|는|是|为|为是)$")
_DENIED = pattern(
    "|".join(
        fold(word)
        for word in (
            "不",
            "没",
            "沒",
            "非",
            "未",
            "ない",
            "ません",
            "않",
            "아니",
            "없",
            "吗",
            "如果",
            "若",
            "もし",
            "かもし",
            "면",
            "之前",
            "以前",
            "前回",
            "이전",
            "上一轮",
            "初期",
            "初始",
        )
    )
)
"""Negation, question, condition, and other times."""
_RESPECT = pattern(
    "|".join(fold(word) for word in ("方面", "上更", "在于", "についてに", "面では", "에서", "측면"))
)


def eastern(words: Sequence[str], at: int) -> bool:
    """Whether what stands beside a name, in Chinese, Japanese or Korean, makes it the choice."""
    left, right = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if (left.isascii() and right.isascii()) and not (
        left in _MARKS and at > 1 and not words[at - 2].isascii()
    ):
        return False
    start, end = sentence_start(words, at), sentence_end(words, at)
    behind = "".join(words[at + 1 : min(end, at + _NEAR)])
    before = "".join(
        word for word in words[max(start, at - _NEAR) : at] if named(word) is None and word not in _MARKS
    )
    if (
        words[end : end + 1] == ["?"]
        or left in {"比", "不如"}
        or _DENIED.search(before + behind)
        or _RESPECT.search(before + behind)
    ):
        return False
    if not right.isascii() and _BEHIND.match(behind):
        return True
    if _VOTING.search(before):
        return True
    tied = left in {":", '"'} or bool(_TIE.search(before))
    return tied and not before.isascii() and bool(_LABEL.search(before))


_MARKS = NOUNS | {":", '"', "(", "[", "-"}
