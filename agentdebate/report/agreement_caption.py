"""The caption of a table of agreement: all that the methods section of a paper has to say of it."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.comparison import Comparison
from agentdebate.meta.conventions import Convention
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.measures import CORRELATIONS
from agentdebate.meta.prose import counted, listed
from agentdebate.report.coverage_table import coverage_caption, missing_caption
from agentdebate.report.figures import prose_name
from agentdebate.report.intervals import intervals_told, resamples_told, sureness

_LEVELS: Mapping[str, str] = {
    "pooled": "pooled (one value over all texts)",
    "group": "by source (a value for each source over its texts, and the plain mean over the sources)",
    "system": "at system level (one value over the mean scores of the systems, which are rounded to 6 decimals so that equal "
    "means tie)",
}
_SHORT: Mapping[str, str] = {"pooled": "pooled", "group": "by source", "system": "system level"}
_TIES: Mapping[str, str] = {
    "spearman": "tied scores share the mean of their ranks",
    "kendall-b": "tau-b corrects for ties on both sides",
    "kendall-c": "tau-c corrects for ties by the number of distinct scores",
    "pairwise-accuracy": "a pair is tied by the judge where its scores differ by no more than the epsilon that gives the "
    "highest accuracy (Deutsch et al. 2023)",
}
_SWAPPED: Mapping[str, str] = {
    "scores": "Swapped are the scores as they are",
    "ranks": "Swapped are the ranks of scores among all texts, as the same scale is not declared for both judges (scale=...), and p is of the "
    "difference that these ranks give",
    "choices": "Swapped are choices",
}
_OF_LABELS = frozenset({"accuracy", "kappa", "kappa-linear", "kappa-quadratic"})
"""Statistics that take scores as labels."""
_SHARED = (
    ", and these share sources: then it finds a difference where there is none in about 15 of 100 cases at a level of .05, and the "
    "permutation test is to be read"
)
_NAMED = 6
"""Figures that are named for a reason before it is said how many more there are."""


def agreement_caption(
    agreements: Sequence[Agreement],
    *,
    origins: Sequence[str] = (),
    convention: Convention | None = None,
    bootstrap: Bootstrap | None = None,
    mark: str = "",
    sources: bool = True,
    texts: int | None = None,
    choices: bool = False,
    besides: Sequence[str] = (),
    coverages: Sequence[Coverage] = (),
    missing: Missing = LEFT_OUT,
    compared: int = 0,
    unlike: AbstractSet[str] = frozenset(),
    beside: Sequence[Agreement] = (),
) -> str:
    """What the numbers are, of what, what was left out and why, ties, missing scores, and how intervals came about.

    `mark` is how the best figure of a column is shown, empty where it is not; `sources` says whether the sources of texts
    are known, `texts` how many texts there are in all, `choices` whether
    texts are compared, `besides` what is not as the convention has it, `coverages` how much each judge has judged,
    `missing` what a missing judgement counts as, `compared` how many resamples differences of judges have, 0 without these, `unlike` the aspects of which judges have
    figures of other texts than one another, and `beside` the figures of other tables, whose intervals are as these.
    """
    if not agreements:  # nothing is held against people
        intervals = _told(beside, bootstrap, sources=sources)
        return " ".join([*_of_convention(convention, besides, texts), *origins, *intervals])
    parts = [
        _what(agreements),
        *_of_convention(convention, besides, texts),
        *origins,
        *_left_out(agreements),
        missing_caption(agreements, missing, choices=choices or _as_labels(agreements)),
        *coverage_caption(coverages, missing=missing),
        *_constant(agreements),
        *_ties(agreements, choices=choices),
        *_epsilons(agreements),
        *_orders(agreements),
        *_intervals(agreements, beside, bootstrap, sources=sources, compared=compared),
        *_marked(agreements, mark, unlike),
    ]
    return " ".join(parts)


def comparison_caption(
    comparisons: Sequence[Comparison], bootstrap: Bootstrap, *, missing: Missing = LEFT_OUT
) -> str:
    """What a table of differences between judges says, in which a missing judgement counts as `missing`."""
    lacking = any(any(one.missing) for one in comparisons)
    sentences = [
        _difference(comparisons, bootstrap, missing, lacking=lacking),
        *_tests(comparisons, bootstrap.seed),
    ]
    if any(one.williams is not None for one in comparisons):
        shared = any(one.shared for one in comparisons)
        sentences.append(
            "Williams: two-sided p of Williams' test, with Holm's correction over the aspects; it takes texts (at system "
            f"level: systems) to be independent{_SHARED if shared else ''}."
        )
    return " ".join(sentences)


def _difference(
    comparisons: Sequence[Comparison], bootstrap: Bootstrap, missing: Missing, *, lacking: bool
) -> str:
    over = (
        "the n texts that both judged"
        if missing == LEFT_OUT
        else "n texts, a missing judgement counting as above"
    )
    shares = (
        " Missing: the share of people's texts that the first judge did not judge, and that of the second."
        if lacking
        else ""
    )
    return (
        f"Diff.: the first judge's agreement less the second's, over {over}{_interval_of_differences(comparisons, bootstrap)}."
        f"{shares}"
    )


def _interval_of_differences(comparisons: Sequence[Comparison], bootstrap: Bootstrap) -> str:
    found = [one for one in comparisons if one.low is not None]
    if not found:
        return ", without an interval, as nothing varies between resamples"
    told = resamples_told(bootstrap, found)
    return f", with its {sureness(bootstrap)} bootstrap interval (bias-corrected and accelerated, {told}, seed {bootstrap.seed})"


def _tests(comparisons: Sequence[Comparison], seed: int) -> Iterator[str]:
    """What each p is of."""
    swapped = [one for one in comparisons if one.test == "permutation"]
    if any(one.test == "mcnemar" for one in comparisons):
        yield (
            "p of accuracy: McNemar's exact test, two-sided, of the texts on which only one of the judges is right, each of "
            "which is a source of its own; with Holm's correction over the aspects."
        )
    if swapped:
        of = listed(list(dict.fromkeys(prose_name(one.statistic) for one in swapped)))
        whose = f" of {of}" if len(swapped) < len(comparisons) else ""
        yield (
            f"p{whose}: two-sided permutation test of {max(one.permutations for one in swapped):,} permutations that swap the "
            f"judges source by source, seed {seed}; with Holm's correction over the aspects."
        )
        yield from _swapped(swapped)
    if not any(one.n for one in comparisons):
        yield "Nothing is compared: the judges have judged no text in common."
    elif not any(one.test for one in comparisons):
        yield "No permutation test is made for this statistic."


def _swapped(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """What the permutation test swaps; judges are named where it is not the same for all."""
    kinds = list(dict.fromkeys(one.swapped for one in comparisons if one.swapped))
    for kind in kinds:
        whose = f" ({_whose(kind, comparisons)})" if len(kinds) > 1 else ""
        yield f"{_SWAPPED[kind]}{whose}."


def _whose(kind: str, comparisons: Sequence[Comparison]) -> str:
    """Of what something is swapped: the statistics where these tell it, and else the judges and aspects."""
    kinds: dict[str, set[str]] = {}
    for one in comparisons:
        kinds.setdefault(one.statistic, set()).add(one.swapped or kind)
    of = [one for one in comparisons if one.swapped == kind]
    if all(len(found) == 1 for found in kinds.values()):
        return listed(list(dict.fromkeys(prose_name(one.statistic) for one in of)))
    named = list(dict.fromkeys(f"{one.first} and {one.second}, {one.aspect}" for one in of))
    more = [f"and {len(named) - _NAMED} more"] if len(named) > _NAMED else []
    return "; ".join([*named[:_NAMED], *more])


def _what(agreements: Sequence[Agreement]) -> str:
    statistics = listed(list(dict.fromkeys(prose_name(one.statistic) for one in agreements)))
    levels = listed([_LEVELS[level] for level in dict.fromkeys(one.level for one in agreements)])
    return f"Agreement with people: {statistics}, {levels}."


def _of_convention(convention: Convention | None, besides: Sequence[str], texts: int | None) -> Iterator[str]:
    if convention is not None:
        yield f"Convention {convention.name}: {convention.about}"
        if texts not in (None, convention.texts):
            yield f"It is over {convention.texts:,} texts, and here there are {texts:,}."
        if besides:
            yield f"Not as in the convention: {'; '.join(besides)}."


def _left_out(agreements: Sequence[Agreement]) -> Iterator[str]:
    """Every reason for which something has no part in a number, with counts; the same count is said once."""
    reasons = dict.fromkeys(reason for one in agreements for reason in one.left_out)
    parts = []
    for reason in reasons:
        counts = {one.left_out.get(reason, 0) for one in _concerned(reason, agreements)}
        if len(counts) == 1:
            parts.append(f"{reason} ({counts.pop():,})")
        else:
            parts.append(f"{reason} ({_by_figure(reason, agreements)})")
    if parts:
        yield f"Left out: {'; '.join(parts)}."


def _concerned(reason: str, agreements: Sequence[Agreement]) -> Sequence[Agreement]:
    """The figures that can have a reason: those of people alone where it is about single ratings."""
    judges = [one for one in agreements if one.judge != PEOPLE]
    if any(reason in one.left_out for one in judges):
        return agreements
    return [one for one in agreements if one.judge == PEOPLE] or agreements


def _by_figure(reason: str, agreements: Sequence[Agreement]) -> str:
    """The counts of a reason, named by what tells the figures apart."""
    found: dict[str, int] = {}
    judges = len({one.judge for one in agreements}) > 1
    for one in agreements:
        count = one.left_out.get(reason, 0)
        if count:
            found[f"{one.judge} {one.aspect}" if judges else one.aspect] = count
    named = [f"{name} {count}" for name, count in list(found.items())[:_NAMED]]
    more = [f"and {len(found) - _NAMED} more"] if len(found) > _NAMED else []
    return ", ".join([*named, *more])


def _as_labels(agreements: Sequence[Agreement]) -> bool:
    """Whether all statistics take scores as labels."""
    return all(one.statistic in _OF_LABELS for one in agreements)


def _constant(agreements: Sequence[Agreement]) -> Iterator[str]:
    if any(one.level == "group" and one.statistic in CORRELATIONS for one in agreements):
        yield "A source whose scores are constant on either side has no correlation and no part in the mean."


def _ties(agreements: Sequence[Agreement], *, choices: bool) -> Iterator[str]:
    rules = [_TIES[name] for name in dict.fromkeys(one.statistic for one in agreements) if name in _TIES]
    if choices:
        rules.append("a tie between texts is a label like any other")
    if rules:
        yield f"Ties: {'; '.join(rules)}."


def _epsilons(agreements: Sequence[Agreement]) -> Iterator[str]:
    several = len({one.level for one in agreements}) > 1
    drawn = max((one.pairs for one in agreements), default=0)
    if drawn:
        yield f"Pairwise accuracy: of {drawn:,} pairs that were drawn at random and stand for all, which are more."
    found = [
        f"{one.epsilon:.3g} ({one.judge}, {one.aspect}{f', {_SHORT[one.level]}' if several else ''})"
        for one in agreements
        if one.epsilon is not None
    ]
    if found:
        yield f"Epsilon: {', '.join(found)}."


def _orders(agreements: Sequence[Agreement]) -> Iterator[str]:
    """In which order labels stand, where a statistic asks how far apart they are."""
    for labels in dict.fromkeys(one.labels for one in agreements if one.labels):
        yield f"Labels in their order: {', '.join(labels[:_NAMED])}{', ...' if len(labels) > _NAMED else ''}."


def _intervals(
    agreements: Sequence[Agreement],
    beside: Sequence[Agreement],
    bootstrap: Bootstrap | None,
    *,
    sources: bool,
    compared: int,
) -> Iterator[str]:
    if bootstrap is None:
        yield (
            f"No intervals of the figures were computed; those of differences are of {compared:,} resamples."
            if compared
            else "No intervals were computed."
        )
        return
    yield from _told([*agreements, *beside], bootstrap, sources=sources)
    degenerate = max((one.degenerate for one in agreements), default=0)
    if degenerate:
        yield f"In up to {counted(degenerate, 'resample')} a statistic was not defined; they have no say."
    lacking = sum(one.value is not None and one.low is None for one in agreements)
    if lacking:
        yield f"{counted(lacking, 'figure')} without an interval: too little varies between resamples."


def _told(found: Sequence[Agreement], bootstrap: Bootstrap | None, *, sources: bool) -> Iterator[str]:
    """How the intervals of figures came about, where there are any."""
    if bootstrap is not None and any(one.method for one in found):
        yield f"In brackets: {intervals_told(bootstrap, found, sources=sources)}."


def _marked(agreements: Sequence[Agreement], mark: str, unlike: AbstractSet[str]) -> Iterator[str]:
    if mark and len({one.judge for one in agreements} - {PEOPLE}) > 1:
        besides = ", people aside" if any(one.judge == PEOPLE for one in agreements) else ""
        lacking = {(one.aspect, one.missing) for one in agreements if one.judge != PEOPLE}
        others = unlike or len(lacking) > len({aspect for aspect, _ in lacking})
        none = ", and none where judges have figures of different texts" if others else ""
        yield f"{mark} marks the best figure of a column{besides}{none}."
    if len({one.aspect for one in agreements}) > 1:
        yield "Mean: the plain mean over the aspects."
