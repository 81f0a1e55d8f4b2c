"""What has to be said of figures of agreement, in at most five lines, and at length for a reader who asks."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.conventions import Convention
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.measures import CORRELATIONS
from agentdebate.meta.prose import counted, listed
from agentdebate.report.figures import prose_name
from agentdebate.visible import one_line

_LEVELS: Mapping[str, str] = {
    "pooled": "pooled over all texts",
    "group": "by source (the plain mean over the sources)",
    "system": "at system level (over the mean scores of the systems)",
}
_TIES: Mapping[str, str] = {
    "spearman": "tied scores share the mean of their ranks",
    "kendall-b": "tau-b corrects for ties on both sides",
    "kendall-c": "tau-c corrects for ties by the number of distinct scores",
    "pairwise-accuracy": "scores of a judge tie within the epsilon that gives the highest accuracy",
}
_COUNTS_AS: Mapping[str, str] = {"wrong": "wrong", "tie": "a tie"}
_METHODS: Mapping[str, str] = {
    "bootstrap": "bootstrap (bias-corrected and accelerated)",
    "wilson": "Wilson",
    "kappa": "by the standard error",
}
_NAMED = 10
"""Labels that a caption names."""
FEW = 10
"""Sources below which an interval is called too narrow: so few hardly say how much others would vary."""


def agreement_lines(
    agreements: Sequence[Agreement],
    *,
    origins: str = "",
    convention: Convention | None = None,
    besides: Sequence[str] = (),
    bootstrap: Bootstrap | None = None,
    missing: Missing = LEFT_OUT,
    mark: str = "",
) -> list[str]:
    """Statistic and level; where judgements are from; what was left out; ties and constant groups; intervals.

    `besides` are the options that go before those of the convention, and `mark` is how the best figure of a column is shown.
    """
    if not agreements:
        return [one_line(origins)] if origins else []
    told = [
        f"Agreement with people: {question_told(agreements)}.{_of_convention(convention, besides)}",
        origins,
        _left_out(agreements, missing),
        _ties(agreements),
        f"{_intervals(agreements, bootstrap)}{_marked(agreements, mark)}",
    ]
    return [one_line(line) for line in told if line]


def question_told(agreements: Sequence[Agreement]) -> str:
    """Name the statistics and levels of figures."""
    statistics = listed(list(dict.fromkeys(prose_name(one.statistic) for one in agreements)))
    levels = listed([_LEVELS[level] for level in dict.fromkeys(one.level for one in agreements)])
    return f"{statistics}, {levels}"


def missing_told(agreements: Sequence[Agreement], missing: Missing) -> str:
    """Say what a missing judgement counts as, where there is any."""
    if not any(one.missing or one.imputed for one in agreements):
        return "No judge lacks a judgement."
    if missing == LEFT_OUT:
        return "Missing judgements are left out and counted; none is taken as a judgement or a tie."
    most = max(one.imputed for one in agreements)
    what = _COUNTS_AS.get(str(missing), f"the score {missing}")
    return f"A missing judgement of a judge counts as {what} (in up to {counted(most, 'text')})."


def intervals_told(bootstrap: Bootstrap, found: Sequence[Agreement]) -> str:
    """Say how the intervals of figures came about, and of how many sources they are."""
    share = f"{100 * bootstrap.confidence:.10g}% intervals"
    methods = {
        name: [one for one in found if one.method == name]
        for name in dict.fromkeys(one.method for one in found)
    }
    methods.pop("", None)
    if not methods:
        return f"no {share}, as nothing varies between resamples"
    told = []
    for name, some in methods.items():
        of = (
            f" of {listed(list(dict.fromkeys(prose_name(one.statistic) for one in some)))}"
            if len(methods) > 1
            else ""
        )
        drawn = f", {bootstrap.resamples:,} resamples, seed {bootstrap.seed}" if name == "bootstrap" else ""
        told.append(f"{_METHODS.get(name, name)}{of}{drawn}")
    few = min((one.sources for one in found if one.sources), default=FEW)
    narrow = f"; from so few ({few}) they are too narrow to be relied on" if few < FEW else ""
    return f"{share}: {'; '.join(told)}; {_units(found)}{narrow}"


def _units(found: Sequence[Agreement]) -> str:
    """How many sources figures are of."""
    counts = sorted({one.sources for one in found} - {0})
    least = f"{counts[0]:,} to " if len(counts) > 1 else ""
    return f"of {least}{counted(counts[-1], 'source')}" if counts else "of no source"


def _of_convention(convention: Convention | None, besides: Sequence[str]) -> str:
    if convention is None:
        return ""
    other = f" Not as in the convention: {'; '.join(besides)}." if besides else ""
    return f" Convention {convention.name}, over {convention.texts:,} texts: {convention.about}{other}"


def _left_out(agreements: Sequence[Agreement], missing: Missing) -> str:
    """Every reason for which something has no part in a figure, with the largest count; a record has the count of each figure."""
    most: dict[str, list[int]] = {}
    for one in agreements:
        for reason, count in one.left_out.items():
            most.setdefault(reason, []).append(count)
    reasons = [
        f"{reason} ({'' if len(set(counts)) == 1 and len(counts) == len(agreements) else 'up to '}{max(counts):,})"
        for reason, counts in most.items()
    ]
    return " ".join(
        [*([f"Left out: {'; '.join(reasons)}."] if reasons else []), missing_told(agreements, missing)]
    )


def _ties(agreements: Sequence[Agreement]) -> str:
    rules = [_TIES[name] for name in dict.fromkeys(one.statistic for one in agreements) if name in _TIES]
    if any(one.statistic in ("accuracy", "kappa") for one in agreements):
        rules.append("a tie is a label like any other")
    told = f"Ties: {'; '.join(rules)}." if rules else ""
    for labels in dict.fromkeys(one.labels for one in agreements if one.labels):
        told += (
            f" Labels in their order: {', '.join(labels[:_NAMED])}{', ...' if len(labels) > _NAMED else ''}."
        )
    if any(one.level == "group" and one.statistic in CORRELATIONS for one in agreements):
        told += (
            " A source whose scores are constant on either side has no correlation and no part in the mean."
        )
    if drawn := max(one.pairs for one in agreements):
        told += f" Pairwise accuracy is of {drawn:,} pairs that were drawn at random from all."
    return told.strip()


def _intervals(agreements: Sequence[Agreement], bootstrap: Bootstrap | None) -> str:
    if bootstrap is None:
        return "No intervals were computed."
    return f"In brackets: {intervals_told(bootstrap, agreements)}."


def _marked(agreements: Sequence[Agreement], mark: str) -> str:
    marked = (
        f" {mark} marks the best of a column."
        if mark and len({one.judge for one in agreements} - {PEOPLE}) > 1
        else ""
    )
    several = len({one.aspect for one in agreements}) > 1
    return f"{marked}{' Mean: the plain mean over the aspects.' if several else ''}"


_EXPLAINED: Sequence[tuple[Callable[[Agreement], bool], str]] = (
    (
        lambda one: one.level == "system",
        "System level: the scores of a system are averaged, and rounded to 6 decimals, so that equal means tie.",
    ),
    (
        lambda one: one.statistic == "pairwise-accuracy",
        (
            "Pairwise accuracy: of each two texts, whether judge and people put the same one first, or both none; the epsilon within which "
            "a judge's scores tie is calibrated on the same pairs (Deutsch et al. 2023)."
        ),
    ),
    (
        lambda one: one.method == "wilson" and one.sources < one.n,
        (
            "Wilson intervals take texts to be independent. Texts that share a source count as fewer: their number over the design effect, "
            "which is how much more accuracy varies between sources than between independent texts."
        ),
    ),
    (
        lambda one: one.method == "bootstrap",
        (
            "Bootstrap: sources are drawn with replacement, each with all its texts. Resamples in which a "
            "statistic is not defined have no say; a figure that varies too little has no interval."
        ),
    ),
    (
        lambda one: one.judge == PEOPLE,
        (
            "People: each annotator against the mean (of labels: the most frequent) of the others, and the mean of these. A judge is compared "
            "with all of them, which is one more, so it can come out above people."
        ),
    ),
    (
        lambda one: one.imputed > 0,
        (
            "Wrong: of scores the end of the scale that is farthest from people's; of labels one that people never give, or where they have "
            "an order its farther end. In a bias these cancel out; the mean absolute error says what they cost."
        ),
    ),
)
"""What is said at length, and of which figures."""


def explanations(agreements: Sequence[Agreement]) -> Iterator[str]:
    """What the figures are at length, a paragraph each."""
    yield from (told for concerns, told in _EXPLAINED if any(map(concerns, agreements)))


COMPARED = (
    "Differences: the first judge's agreement less the second's over the n texts that both judged, with its bootstrap interval. p: "
    "two-sided, of a permutation test that swaps the judges source by source (of their ranks, where the same scale is not declared for both), "
    "and of accuracy McNemar's exact test where every text is a source of its own; with Holm's correction over the aspects. Williams' "
    "test takes texts to be independent: where they share sources it finds a difference where there is none in about 15 of 100 cases "
    "at a level of .05."
)
