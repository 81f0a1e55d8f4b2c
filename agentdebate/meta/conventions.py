"""The settings under which published tables were computed, by name. What a table's own text says of them is often not it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agentdebate.datasets.topical_chat import PEOPLE
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import Condition

_SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
_DIALOGUE = ("naturalness", "coherence", "engagingness", "groundedness")
_SUMMARIES, _DIALOGUES, _RESPONSES = 1600, 60, 360
"""SummEval's summaries; the dialogues of Topical-Chat, and the responses to them."""
_REFERENCE = PEOPLE
"""The system of Topical-Chat whose responses serve as references."""


@dataclass(frozen=True)
class Convention:
    """Published way to compute an agreement: the scores, the statistic and the rows. An open choice is empty."""

    name: str = ""
    about: str = ""
    """Published rows that it reproduces, with remarks on them."""
    statistics: tuple[str, ...] = ()
    texts: int = 0
    """Number of texts or comparisons."""
    dataset: str = ""
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

    def leaving_out(self, system: str | None) -> list[Condition]:
        """The conditions on the field of the system that leave out what it is without. Raises UsageError where there is none."""
        if self.without and system is None:
            raise UsageError(
                f"the convention leaves out the system {self.without[0]!r}: system=... names their field"
            )
        return [Condition(f"{system}!={name}", system or "", (name,), "!=") for name in self.without]


NO_CONVENTION = Convention()
"""All choices open."""

_OF_SUMMEVAL = Convention(
    texts=_SUMMARIES,
    dataset="summeval",
    aspects=_SUMMEVAL,
    group="article_id",
    system="system_id",
    on=("article_id", "system_id"),
)
_OF_TOPICALCHAT = Convention(
    texts=_RESPONSES,
    dataset="topical-chat",
    levels=("pooled",),
    aspects=_DIALOGUE,
    group="dialogue_id",
    system="system_id",
    on=("dialogue_id", "system_id"),
)
_WITHOUT_REFERENCE = replace(_OF_TOPICALCHAT, texts=_RESPONSES - _DIALOGUES, without=(_REFERENCE,))

CONVENTIONS: Mapping[str, Convention] = {
    one.name: one
    for one in (
        replace(
            _OF_SUMMEVAL,
            name="summeval-summary",
            about="SummEval in DEBATE Table 1, UniEval and G-Eval: a correlation for each article over its 16 summaries, and their mean.",
            statistics=("spearman", "kendall-b"),
            levels=("group",),
        ),
        replace(
            _OF_SUMMEVAL,
            name="summeval-system",
            about="SummEval in Fusion-Eval Table 2: a correlation over the mean scores of the 16 systems. The paper's Overall "
            "is the mean of the four.",
            statistics=("kendall-b",),
            levels=("system",),
            own=True,
        ),
        replace(
            _OF_TOPICALCHAT,
            name="topicalchat-pooled",
            about="Topical-Chat in UniEval and in Fusion-Eval Table 3 (turn level): a correlation over all 360 responses.",
            statistics=("spearman",),
            aspects=(*_DIALOGUE, "understandability", "overall"),
        ),
        replace(
            _OF_TOPICALCHAT,
            name="topicalchat-dialogue",
            about="Topical-Chat as DEBATE computes its own rows of Table 1: a correlation for each dialogue over its 6 responses, and "
            "their mean.",
            statistics=("pearson", "spearman"),
            levels=("group",),
        ),
        replace(
            _WITHOUT_REFERENCE,
            name="debate-table1",
            about="Rows of others in DEBATE Table 1, on Topical-Chat without the reference's own responses. Its UniEval row is Spearman "
            "and Kendall's tau-b, its ROUGE-L row Pearson and Spearman.",
            statistics=("pearson", "spearman", "kendall-b"),
        ),
        replace(
            _WITHOUT_REFERENCE,
            name="chateval-table2",
            about="ChatEval Table 2, on Topical-Chat without the reference's own responses. Its BLEU-4 and ROUGE-L rows are Spearman and "
            "Pearson, its UniEval row Spearman and Kendall's tau-b.",
            statistics=("spearman", "kendall-b", "pearson"),
        ),
        Convention(
            "faireval",
            "FairEval and ChatEval Table 1: over 80 questions, a tie being a class of its own, Cohen's kappa without "
            "weights. Scores of an answer in both orders are added; equal sums are a tie.",
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
