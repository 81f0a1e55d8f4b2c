"""Captions of agreement: a template of at most five lines, and paragraphs for a reader who wants to know more."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.conventions import Convention
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.measures import CORRELATIONS
from agentdebate.meta.plan import AgreementOptions, Judge
from agentdebate.meta.prose import counted, listed
from agentdebate.meta.reliability import ONE_LEFT_OUT
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
    "pairwise-accuracy": "a judge's scores tie within the epsilon of the highest accuracy",
    "accuracy": "a tie is a label like any other",
}
_COUNTS_AS: Mapping[str, str] = {"wrong": "wrong", "tie": "a tie"}
_METHODS: Mapping[str, str] = {
    "bootstrap": "bootstrap (bias-corrected and accelerated)",
    "wilson": "Wilson (of accuracy)",
    "kappa": "by the standard error (of kappa)",
}
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
    """Fill the template: statistic and level; where judgements are from; what was left out; ties; intervals.

    `besides` are the options that go before those of the convention, and `mark` is how the best figure of a column is shown.
    """
    if not agreements:
        return [one_line(origins)] if origins else []
    intervals = f"In brackets: {intervals_told(bootstrap, agreements)}." if bootstrap else ""
    several = len({one.judge for one in agreements} - {ONE_LEFT_OUT}) > 1
    told = [
        f"Agreement with people: {question_told(agreements)}.{_of_convention(convention, besides)}",
        origins,
        f"{_left_out(agreements)}{missing_told(agreements, missing)}",
        _ties(agreements),
        f"{intervals or 'No intervals were computed.'}{f' {mark} marks the best of a column.' if mark and several else ''}",
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
    methods = dict.fromkeys(one.method for one in found if one.method)
    if not methods:
        return f"no {share}, as nothing varies between resamples"
    drawn = f", {bootstrap.resamples:,} resamples, seed {bootstrap.seed}" if "bootstrap" in methods else ""
    told = listed([_METHODS[name] for name in methods])
    counts = sorted({one.sources for one in found if one.sources})
    sources = counted(counts[-1], "source") if counts else "no source"
    least = f"{counts[0]:,} to " if len(counts) > 1 else ""
    narrow = "; from so few they are too narrow to be relied on" if counts and counts[0] < FEW else ""
    return f"{share}: {told}{drawn}; of {least}{sources}{narrow}"


def _of_convention(convention: Convention | None, besides: Sequence[str]) -> str:
    if convention is None:
        return ""
    names = [one.partition("=")[0].replace("_", " ") for one in besides]
    other = f" Other than in the convention: {', '.join(names)}." if besides else ""
    return f" Convention {convention.name}, over {convention.texts:,} texts: {convention.about}{other}"


def _left_out(agreements: Sequence[Agreement]) -> str:
    """Name every reason for which something has no part in a figure, with the largest count."""
    reasons = dict.fromkeys(reason for one in agreements for reason in one.left_out)
    counts = {reason: [one.left_out.get(reason, 0) for one in agreements] for reason in reasons}
    told = [
        f"{reason} ({'up to ' if min(some) < max(some) else ''}{max(some):,})"
        for reason, some in counts.items()
    ]
    return f"Left out: {'; '.join(told)}. " if told else ""


def _ties(agreements: Sequence[Agreement]) -> str:
    rules = [_TIES[name] for name in dict.fromkeys(one.statistic for one in agreements) if name in _TIES]
    told = [f"Ties: {'; '.join(rules)}."] if rules else []
    labels = dict.fromkeys(one.labels for one in agreements if one.labels)
    told += [f"Labels in their order: {', '.join(some)}." for some in labels]
    if any(one.level == "group" and one.statistic in CORRELATIONS for one in agreements):
        told.append("A source whose scores are constant on either side has no part in the mean.")
    if drawn := max(one.pairs for one in agreements):
        told.append(f"Pairwise accuracy is of {drawn:,} pairs that were drawn at random from all.")
    return " ".join(told)


def origins(judges: Sequence[Judge], options: AgreementOptions) -> str:
    """Say in a line which files, runs and fields are compared, and how replies were read."""
    return " ".join([*_data(options), *(line for one in judges for line in _judge(one))])


def _data(options: AgreementOptions) -> Iterator[str]:
    if options.data is not None:
        on = f", matched on {options.on}" if options.on else ""
        yield f"Data: {Path(options.data.rpartition('=')[2]).name}{on}."
    if options.where:
        yield f"Of rows where {' and '.join(options.where)}."


def _judge(judge: Judge) -> Iterator[str]:
    run = judge.run
    if run:
        yield f"{judge.name}: run {run.head.id} (strategy {run.head.strategy}, model {', '.join(run.head.models)})."
        yield from (f"{run.head.replaced_told}." for _ in run.head.replaced[:1])
        yield from filter(None, [run.note])
    if judge.accounts:
        yield _replies(judge)


def _replies(judge: Judge) -> str:
    """Say how many replies were read in which way, how many not, and what these are."""
    ways, unreadable = Counter[str](), Counter[str]()
    for account in judge.accounts:
        ways.update(account.read)
        unreadable.update(account.unreadable)
    total = counted(sum(one.replies for one in judge.accounts), "reply", "replies")
    read = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    why = ", ".join(f"{count:,} {kind}" for kind, count in unreadable.most_common())
    lost = f"; {unreadable.total():,} not readable ({why}): left out" if why else ""
    return f"{judge.name}: of {total} {read}{lost}."


_EXPLAINED: Mapping[str, str] = {
    "system": "System level: the scores of a system are averaged, and rounded to 6 decimals, so that equal means tie.",
    "pairwise-accuracy": "Pairwise accuracy: of each two texts, whether judge and people put the same one first, or both none (Deutsch "
    "et al. 2023).",
    "bootstrap": "Bootstrap: sources are drawn with replacement, each with all its texts.",
    ONE_LEFT_OUT: "People: each annotator against the mean (of labels: the most frequent) of the others, and the mean of these.",
}
"""Explanations of levels, statistics, intervals and judges."""


def explanations(agreements: Sequence[Agreement]) -> Iterator[str]:
    """Explain the figures at length, a paragraph each."""
    concerned = {name for one in agreements for name in (one.level, one.statistic, one.method, one.judge)}
    yield from (told for name, told in _EXPLAINED.items() if name in concerned)


COMPARED = (
    "Differences: the first judge's agreement less the second's over the n texts that both judged. The permutation test swaps the "
    "judges source by source: their scores, standardised for correlations. Williams' test takes texts to be independent."
)
SURE = "Confidences: intervals are Clopper and Pearson's; thresholds are found by fixed-sequence testing, from the surest texts on."
