"""Captions of agreement: a template of at most five lines, and paragraphs for a reader who wants to know more."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.imputation import Missing, missing_as
from agentdebate.meta.measures import CORRELATIONS
from agentdebate.meta.plan import AgreementOptions, Judge
from agentdebate.meta.settings import Measures
from agentdebate.report.coverage import coverage_told
from agentdebate.report.grid import LEVELS, statistic_name
from agentdebate.report.prose import counted, listed
from agentdebate.visible import one_line

CAPTION = (
    "Agreement with people: {question}.{convention}",
    "{origins}",
    "{left_out} {coverage} {missing}",
    "{ties}",
    "{intervals}{mark}",
)
"""The template, a line each."""

_TIES: Mapping[str, str] = {
    "spearman": "tied scores share the mean of their ranks",
    "kendall-b": "tau-b corrects for ties on both sides",
    "pairwise-accuracy": "a judge's scores tie within the epsilon of the highest accuracy",
    "accuracy": "a tie is a label like any other",
}
_MISSING: Mapping[str, str] = {
    "left-out": "are left out and counted",
    "wrong": "count as wrong",
    "tie": "count as a tie",
}
_METHODS: Mapping[str, str] = {
    "bootstrap": "bootstrap (bias-corrected and accelerated)",
    "wilson": "Wilson (of accuracy)",
    "kappa": "Wilson of the share that agrees, less chance (of kappa)",
}
FEW = 10
"""Sources below which an interval is called too narrow: so few hardly say how much others would vary."""
_OF_LABELS = "kappa-linear", "kappa-quadratic", "alpha-nominal", "fleiss-kappa", "ac1", "percent-agreement"
"""Statistics whose resamples vary only by the sources where raters differ: about a share of 1 less the value of all sources."""


def agreement_lines(
    agreements: Sequence[Agreement],
    measures: Measures,
    *,
    origins: str = "",
    besides: Sequence[str] = (),
    coverages: Sequence[Coverage] = (),
    below: Sequence[Agreement] = (),
    mark: str = "",
) -> list[str]:
    """Fill the template: statistic and level; where judgements are from; what is missing; ties; intervals.

    `besides` are the options that go before those of the convention, `below` the figures of the tables below them, and `mark` is how the best
    figure of a column is shown.
    """
    coverage = coverage_told(coverages)
    if not agreements:
        return [one_line(f"{origins} {coverage}")]
    parts = {
        "question": question_told(agreements),
        "convention": _convention(measures, besides),
        "origins": origins,
        "left_out": _left_out(agreements),
        "coverage": coverage,
        "missing": missing_told(missing_as(measures.missing)),
        "ties": _ties(agreements),
        "intervals": intervals_told(measures.bootstrap, [*agreements, *below]),
        "mark": f" {mark} marks the best of a column." if mark else "",
    }
    lines = (line.format_map(parts) for line in CAPTION)
    return [one_line(line) for line in lines if line.strip()]


def question_told(agreements: Sequence[Agreement]) -> str:
    """Name the statistics and levels of figures."""
    statistics = dict.fromkeys(statistic_name(one.statistic) for one in agreements)
    levels = dict.fromkeys(LEVELS[one.level] for one in agreements)
    return f"{listed(list(statistics))}, {listed(list(levels))}"


def missing_told(missing: Missing) -> str:
    """Say what a missing judgement counts as."""
    return f"Missing judgements {_MISSING.get(str(missing), f'count as the score {missing}')}."


def intervals_told(bootstrap: Bootstrap, found: Sequence[Agreement]) -> str:
    """Say how the intervals of figures came about, and of how many sources they are."""
    methods = dict.fromkeys(one.method for one in found if one.method)
    if not methods:
        return "There are no intervals."
    share = f"{100 * bootstrap.confidence:.10g}% intervals"
    drawn = f", {bootstrap.resamples:,} resamples, seed {bootstrap.seed}" if "bootstrap" in methods else ""
    told = listed([_METHODS[name] for name in methods])
    least = min(one.sources for one in found if one.sources)
    narrow = "; too few, or too few that differ, to be relied on" * any(map(_few, found))
    return f"In brackets: {share}: {told}{drawn}; of {counted(least, 'source')} or more{narrow}."


def _few(one: Agreement) -> bool:
    """Tell whether an interval comes from too few sources, or, of labels, from too few where raters differ."""
    differ = one.sources * (1 - (one.value or 0)) if one.statistic in _OF_LABELS else one.sources
    return one.sources > 0 and (one.sources < FEW or differ < FEW / 2)


def _convention(measures: Measures, besides: Sequence[str]) -> str:
    if own := measures.of_dataset:
        kept = [name for name in ("statistic", "level") if not getattr(measures, name)]
        return f" Of {own.dataset}'s own paper: {listed(kept)}."
    if not (convention := measures.chosen):
        return ""
    other = f" Other than in the convention: {', '.join(besides)}." if besides else ""
    return f" Convention {convention.name}, over {convention.texts:,} texts: {convention.about}{other}"


def _left_out(agreements: Sequence[Agreement]) -> str:
    """Name every reason for which something has no part in a figure, with the largest count."""
    counts: dict[str, int] = {}
    for reason, count in (pair for one in agreements for pair in one.left_out.items()):
        counts[reason] = max(count, counts.get(reason, 0))
    told = "; ".join(f"{reason} ({count:,})" for reason, count in counts.items())
    return f"Left out, at most: {told}." if told else ""


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
    on = f", matched on {options.on}" if options.on else ""
    told = [f"Data: {Path(options.data.rpartition('=')[2]).name}{on}."] if options.data else []
    told += [f"Of rows where {' and '.join(options.where)}."] if options.where else []
    return " ".join([*told, *(line for one in judges for line in _judge(one))])


def _judge(judge: Judge) -> Iterator[str]:
    if judge.run:
        head = judge.run.head
        state = "; it has not ended" if head.ended is None else ""
        yield f"{judge.name}: run {head.id} (strategy {head.title}, model {', '.join(head.models)}{state})."
        yield f"{head.replaced_told}." if head.replaced else ""
        yield judge.run.note or ""
    if judge.accounts:
        yield _replies(judge)


def _replies(judge: Judge) -> str:
    """Say how many replies were read in which way, how many not, and what these are."""
    ways, unreadable = Counter[str](), Counter[str]()
    for account in judge.accounts:
        ways.update(account.read)
        unreadable.update(account.unreadable)
    total = counted(sum(one.replies for one in judge.accounts), "reply")
    read = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    why = ", ".join(f"{count:,} {kind}" for kind, count in unreadable.most_common())
    lost = f"; {unreadable.total():,} not readable ({why}): left out" if why else ""
    return f"{judge.name}: of {total} {read}{lost}."


EXPLANATION = """\
System level: the scores of a system are averaged, and rounded to 6 decimals, so that equal means tie.

Pairwise accuracy: of each two texts, whether judge and people put the same one first, or both none (Deutsch et al. 2023).

Intervals: the bootstrap draws sources with replacement, each with all its texts; Wilson's is of so many texts as tell as much, if they share sources. Those of confidences are Clopper and Pearson's; thresholds are found by fixed-sequence testing, from the surest texts on.

People: each annotator against the mean (of labels: the most frequent) of the others, and the mean of these.

Differences: the first judge's agreement less the second's over the n texts that both judged. The permutation test swaps the judges \
source by source: their scores, standardised for correlations. Williams' test takes texts to be independent."""
"""Levels, statistics, intervals and tests explained at length, for a reader who asks."""
