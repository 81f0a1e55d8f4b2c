"""The settings under which published tables were computed, by name. What a table's own text says of them is often not it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentdebate.datasets.topical_chat import PEOPLE
from agentdebate.errors import UsageError, nearest

_SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
_DIALOGUE = ("naturalness", "coherence", "engagingness", "groundedness")
_TOPICALCHAT = (*_DIALOGUE, "understandability", "overall")
_SUMMARIES, _DIALOGUES, _RESPONSES = 1600, 60, 360
"""SummEval's summaries; the dialogues of Topical-Chat, and the responses to them."""
_REFERENCE = PEOPLE
"""The system of Topical-Chat whose responses serve as references."""


@dataclass(frozen=True)
class Convention:
    """Published way to compute an agreement: the scores, the statistic and the rows. An open choice is empty."""

    name: str
    about: str
    """Published rows that it reproduces, with remarks on them."""
    statistics: tuple[str, ...]
    texts: int
    """Number of texts or comparisons."""
    dataset: str
    """The published dataset that it is of."""
    levels: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    group: str | None = None
    """The field of the source."""
    system: str | None = None
    on: tuple[str, ...] = ()
    """The fields that name a text."""
    without: tuple[str, ...] = ()
    """The systems that are left out."""
    choice: str | None = None
    """The field of people's choice, where texts are compared."""
    own: bool = False
    """True if these are the statistic and level of the dataset's own paper."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """People's labels, each with what a judge calls it."""


def _topicalchat(
    name: str,
    about: str,
    statistics: tuple[str, ...],
    level: str,
    *,
    aspects: tuple[str, ...] = _DIALOGUE,
    without: tuple[str, ...] = (),
) -> Convention:
    return Convention(
        name,
        about,
        statistics,
        _RESPONSES - len(without) * _DIALOGUES,
        "topical-chat",
        (level,),
        aspects,
        group="dialogue_id",
        system="system_id",
        on=("dialogue_id", "system_id"),
        without=without,
    )


def _summeval(
    name: str, about: str, statistics: tuple[str, ...], level: str, *, own: bool = False
) -> Convention:
    return Convention(
        name,
        about,
        statistics,
        _SUMMARIES,
        "summeval",
        (level,),
        _SUMMEVAL,
        group="article_id",
        system="system_id",
        on=("article_id", "system_id"),
        own=own,
    )


CONVENTIONS: Mapping[str, Convention] = {
    one.name: one
    for one in (
        _summeval(
            "summeval-summary",
            "SummEval in DEBATE Table 1, UniEval and G-Eval: a correlation for each article over its 16 summaries, and the mean "
            "over the articles. An article whose scores are constant on either side has no correlation and is left out.",
            ("spearman", "kendall-b"),
            "group",
        ),
        _summeval(
            "summeval-system",
            "SummEval in Fusion-Eval Table 2: a correlation over the mean scores of the 16 systems, rounded to 6 decimals, so "
            "that systems with equal means tie. The paper's Overall is the mean of the four.",
            ("kendall-b",),
            "system",
            own=True,
        ),
        _topicalchat(
            "topicalchat-pooled",
            "Topical-Chat in UniEval and in Fusion-Eval Table 3 (turn level): a correlation over all 360 responses.",
            ("spearman",),
            "pooled",
            aspects=_TOPICALCHAT,
        ),
        _topicalchat(
            "topicalchat-dialogue",
            "Topical-Chat as DEBATE computes its own rows of Table 1: a correlation for each dialogue over its 6 responses, and "
            "the mean over the dialogues.",
            ("pearson", "spearman"),
            "group",
        ),
        _topicalchat(
            "debate-table1",
            "The rows of DEBATE Table 1 that are taken over from others, on Topical-Chat: over 300 responses, the reference's "
            "own left out. The table is headed r and rho: its UniEval row is Spearman and Kendall's tau-b, its ROUGE-L row "
            "Pearson and Spearman. DEBATE's own rows are topicalchat-dialogue, and SummEval is summeval-summary.",
            ("pearson", "spearman", "kendall-b"),
            "pooled",
            without=(_REFERENCE,),
        ),
        _topicalchat(
            "chateval-table2",
            "ChatEval Table 2, on Topical-Chat: over 300 responses, the reference's own left out. The table is headed rho and "
            "tau: its BLEU-4 and ROUGE-L rows are Spearman and Pearson, its UniEval row Spearman and Kendall's tau-b.",
            ("spearman", "kendall-b", "pearson"),
            "pooled",
            without=(_REFERENCE,),
        ),
        Convention(
            "faireval",
            "FairEval and ChatEval Table 1: over 80 questions, a tie being a class of its own, Cohen's kappa without "
            "weights. Where a judge scores both answers in both orders, the scores of an answer are added; equal sums are a tie.",
            ("accuracy", "kappa"),
            80,
            "faireval",
            ("pooled",),
            group="question_id",
            on=("question_id",),
            choice="human_label",
            labels={"CHATGPT": "1", "VICUNA13B": "2", "TIE": "tie"},
        ),
    )
}
"""Every convention by its name."""


def convention(name: str) -> Convention:
    """The convention of that name. Raises UsageError with the nearest known one."""
    if name not in CONVENTIONS:
        raise UsageError(f"there is no convention {name!r}. {nearest(name, CONVENTIONS)}")
    return CONVENTIONS[name]


def check_dataset(convention: Convention, dataset: str) -> None:
    """Raise UsageError where data that is read as one dataset is put under a convention of another."""
    if dataset != convention.dataset:
        own = ", ".join(one.name for one in CONVENTIONS.values() if one.dataset == dataset)
        raise UsageError(
            f"convention='{convention.name}' is of {convention.dataset}, and the data is read as {dataset}, "
            f"{f'whose conventions are {own}' if own else 'which has none'}"
        )
