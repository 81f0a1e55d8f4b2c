"""Worth of a panel: the number of independent judges that are together as sure as judges who err alike.

The effective number of k judges is k / (1 + (k - 1) r), where r is the mean correlation of each two of them: the effective sample size of
equal weights (Kish 1965, "Survey Sampling", chapter 5), of panels of language models in Kohli 2026, "Nine Judges, Two Effective Votes" (arXiv
2605.29800). Three copies of one judge are worth 1, three that err independently 3; errors that cancel make it more than k.

Errors are what is left of scores beside their least-squares line on people's, and of choices, as 0 and 1 for each label, beside their means
over the texts of which people say the same. So judges who are strict, or worse at some labels, do not err alike by that. Where people have
said nothing the judgements themselves are correlated. Judges who are right agree too, so that the number is then a lower bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import product
from math import isfinite, nan
from typing import Literal

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.columns import Places
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements, is_judgement
from agentdebate.meta.talk import Talk, choice_name, grouped, openings, seat_of, sitting_of
from agentdebate.visible import one_line

_PARTS = 200
"""Parts that sources are put into at random where there are more; resamples draw parts, which takes milliseconds."""
_TWO = 2
_ROUNDING = 1e-9
"""Share of the spread of a judge's judgements below which its errors are rounding."""

Row = tuple[Judged, ...]
"""The judgements of one text by all judges, in their order."""


@dataclass(frozen=True)
class PanelWorth:
    """The worth of several judges of the same texts. Figures are None where a judge has no errors to correlate."""

    judges: tuple[str, ...]
    aspect: str
    of: Literal["errors", "votes"]
    """The correlated quantity: errors, or where people have judged none of the texts the judgements themselves."""
    n: int
    """Texts that all of them judged."""
    correlation: float | None
    """The mean correlation of two of them."""
    value: float | None
    """The effective number of judges."""
    low: float | None
    """The lower end of its interval, by resamples of sources."""
    high: float | None
    another: float | None
    """Gain by one more judge that errs with each of them as they do with one another."""
    most: float | None
    """The worth of any number of such judges; None where that has no bound."""
    adds: tuple[float | None, ...]
    """Gain by each of the judges over the others, in their order."""
    after_talk: bool = False
    """True if the judges are agents whose last ballots these are, since fewer than two cast one before they heard another."""

    @property
    def stage(self) -> str:
        """The stage of a cascade whose agents the judges are; empty where they are of none."""
        return self.judges[0].rpartition(".")[0]

    def __str__(self) -> str:
        ends = "" if self.low is None or self.high is None else f" [{self.low:.2f}, {self.high:.2f}]"
        more = "" if self.another is None else f"one more adds {self.another:.2f}, "
        worth = "not known" if self.value is None else f"{self.value:.2f}{ends}"
        return f"{self.aspect} {worth} ({more}n = {self.n:,})"


def panel_worth(entries: Sequence[Judgements], *, bootstrap: Bootstrap = Bootstrap()) -> PanelWorth:
    """The worth of two judges or more of one aspect, over the texts that all of them judged, and people too if they judged any.

    Raises MissingExtra.
    """
    rows, judges = _common(entries), len(entries)
    known = [row for row in rows if is_judgement(row[0].human)]
    sums = _sums(known or rows, judges)
    matrix = _correlations(sums.sum(axis=0))
    value, between = _effective(matrix), float((matrix.sum() - judges) / (judges * (judges - 1)))
    spread = bootstrap.interval(
        len(sums), lambda drawn: _effective(_correlations(sums[drawn].sum(axis=0))), value
    )
    others = (_effective(np.delete(np.delete(matrix, one, 0), one, 1)) for one in range(judges))
    return PanelWorth(
        tuple(one.judge for one in entries),
        entries[0].aspect,
        "errors" if known else "votes",
        len(known or rows),
        _known(between),
        _known(value),
        spread.low,
        spread.high,
        _known((judges + 1) / (1 + judges * between) - value if 1 + judges * between > _ROUNDING else nan),
        _known(1 / between if between > _ROUNDING else nan),
        tuple(_known(value - other) for other in others),
    )


def panels(entries: Sequence[Judgements], bootstrap: Bootstrap) -> tuple[PanelWorth, ...]:
    """The judges as a panel, aspect by aspect, where there are several."""
    by_aspect = grouped(entries, lambda one: one.aspect).values()
    return tuple(panel_worth(some, bootstrap=bootstrap) for some in by_aspect if len(some) > 1)


def panels_of_agents(talks: Sequence[Talk], bootstrap: Bootstrap = Bootstrap()) -> tuple[PanelWorth, ...]:
    """The agents of debates as panels, by the ballots that they cast before they heard anybody, else by their last ones.

    Stages of a cascade are panels of their own. An agent that judges a text in both orders judges it twice; one that judged fewer than
    half of the texts, as a reserve may, has no part. None where the extra `agree` is not installed.
    """
    if not find_spec("scipy"):
        return ()
    ballots = [openings(talk) for talk in talks]
    after_talk = all(len({seat_of(stand.agent) for stand in some}) < _TWO for some in ballots)
    if after_talk:
        ballots = [tuple({stand.agent: stand for stand in talk.stands}.values()) for talk in talks]
    rows: dict[tuple[str, str], dict[str, list[Judged]]] = {}
    for talk, stands in zip(talks, ballots, strict=True):
        abouts = (choice_name(talk.about),) if talk.candidates else talk.about
        for about, stand in product(abouts, stands):
            name, agent = f"{talk.debate} {sitting_of(stand.agent)}", seat_of(stand.agent)
            people, source = talk.people.get(about), talk.source or talk.debate
            of_stage = rows.setdefault((about, agent.rpartition(".")[0]), {}).setdefault(agent, [])
            of_stage.append(Judged(name, source, "", people, stand.values.get(about)))
    found = list[PanelWorth]()
    for (about, _), agents in rows.items():
        texts = len({row.id for some in agents.values() for row in some})
        kept = [Judgements(one, about, some) for one, some in agents.items() if _TWO * len(some) >= texts]
        found += panels(kept, bootstrap)
    heard = any(talk.hearings for talk in talks)
    return tuple(replace(one, after_talk=after_talk and heard) for one in found)


def panel_lines(found: Sequence[PanelWorth], part: str = "") -> list[str]:
    """Say in a line how many judges panels are worth, aspect by aspect; `part` is that of the run whose agents they are."""
    kinds = grouped(found, lambda one: (one.stage, len(one.judges), one.after_talk, one.of == "votes"))
    return [
        one_line(
            f"Panel{' of the stage ' * bool(stage)}{stage}{', of ' * bool(part)}{part}: {judges} judges{', by their last ballots,' * after_talk} are worth this many that err independently"
            f"{', or more, by their votes alone' * votes}: {'; '.join(map(str, some))}."
        )
        for (stage, judges, after_talk, votes), some in kinds.items()
    ]


def _known(figure: float) -> float | None:
    return float(figure) if isfinite(figure) else None


def _effective(correlations: Array) -> float:
    """The effective number of judges, from the correlations of each two; NaN where these are not defined, or cancel wholly."""
    whole = float(correlations.sum())
    return len(correlations) ** 2 / whole if whole > _ROUNDING else nan


def _common(entries: Sequence[Judgements]) -> list[Row]:
    """The texts that all judges judged, in the order of their names."""
    tables = [
        {(row.source, row.system, row.id): row for row in entry.rows if is_judgement(row.score)}
        for entry in entries
    ]
    names = sorted(set[tuple[str, str, str]].intersection(*map(set, tables)))
    return [tuple(table[name] for table in tables) for name in names]


def _sums(rows: Sequence[Row], judges: int) -> Array:
    """The products of each two judges' errors, summed over each part of the sources; parts x judges x judges."""
    places = Places.of([row[0] for row in rows])
    part = np.random.default_rng(0).permutation(places.sources)[places.source] % _PARTS
    sums = np.zeros((min(places.sources, _PARTS), judges, judges))
    if rows:
        errors = _errors(rows, judges)
        np.add.at(sums, part, np.einsum("ljn,lkn->njk", errors, errors))
    return sums


def _errors(rows: Sequence[Row], judges: int) -> Array:
    """Compute the part of the judgements that people's do not explain: labels x judges x rows, one column in the place of labels for scores."""
    people = _columns([row[0].human for row in rows])
    design = np.vstack([np.ones(len(rows)), people])
    given = _columns([row[judge].score for judge in range(judges) for row in rows]).reshape(-1, len(rows))
    errors = given - (given @ np.linalg.pinv(design)) @ design
    return np.where(abs(errors) < _ROUNDING, 0.0, errors).reshape(-1, judges, len(rows))


def _columns(values: Sequence[float | str | None]) -> Array:
    """Scores as one line whose mean is 0 and whose spread is 1, labels as a line of 0 and 1 each, and nothing as no line."""
    if None in values:
        return np.empty((0, len(values)))
    if any(isinstance(value, str) for value in values):
        return (np.unique(values)[:, None] == np.array(values)).astype(float)
    scores = np.array([values], dtype=float)
    return (scores - scores.mean()) / (scores.std() or 1.0)


def _correlations(products: Array) -> Array:
    """The correlations of each two judges; NaN for one without errors."""
    spread = np.sqrt(np.diag(products))
    with np.errstate(invalid="ignore"):
        return products / np.outer(spread, spread)
