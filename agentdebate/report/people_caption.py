"""What has to be said of figures that are about people: who rated, how much, and what an annotator is."""

from collections.abc import Iterator, Sequence

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.judgements import Raters
from agentdebate.meta.prose import counted, listed
from agentdebate.meta.reliability import ALONE, OTHER_COUNT
from agentdebate.report.figures import prose_name

_FEW = 10
"""With fewer texts than this Fleiss' kappa says little."""


def people_caption(
    raters: Raters,
    *,
    choices: bool = False,
    labels: Sequence[str] = (),
    each: bool = False,
) -> str:
    """What the row of people says, of how much of the data it is, and who an annotator is.

    `choices` says whether texts are compared; `labels` are the statistics that take scores as labels; `each` says that judges are
    held against every person by themselves.
    """
    parts = _sentences(raters, choices=choices, labels=labels)
    return " ".join([*parts, *_judges(raters, choices=choices, each=each)])


def listed_caption(raters: Raters, found: Sequence[Agreement] = (), *, scores: bool = False) -> str:
    """What is said of single people where their lists are in people's own field, and nobody is held against the others.

    `found` is how well they agree among themselves; `scores` says that they gave scores and not labels.
    """
    given = f"each of {counted(raters.rated, 'text')} was given, up to {counted(raters.count, 'rating')} each"
    said = [f"People among themselves: over all that {given}."]
    if scores and any(one.statistic == "fleiss-kappa" for one in found):
        said.append(
            "Fleiss' kappa takes scores as labels: 4 and 5 differ as much as 1 and 5 (reliability='alpha' goes by how far "
            "scores are apart)."
        )
    for one in found:
        lost = one.left_out.get(OTHER_COUNT, 0) + one.left_out.get(ALONE, 0)
        if one.statistic == "fleiss-kappa" and lost:
            few = " These are few." if one.n < _FEW else ""
            said.append(
                f"Fleiss' kappa of {one.aspect} takes the {counted(one.n, 'text')} with the most frequent number of ratings above "
                f"one, the greater of two as frequent, and leaves out {lost:,} with another number.{few}"
            )
    return " ".join(dict.fromkeys(said))


def _sentences(raters: Raters, *, choices: bool, labels: Sequence[str]) -> Iterator[str]:
    together = "what most of the others choose" if choices else "the mean of the others"
    yield (
        f"{PEOPLE[:1].upper()}{PEOPLE[1:]}: each of {counted(raters.count, raters.kind)} against {together}, and the mean of "
        "these; counts are those of the one with the fewest."
    )
    if labels:
        yield f"For {listed([prose_name(one) for one in labels])} it is the rating that most of the others gave."
    place = "field" if raters.named else "rating of a text"
    yield (
        f"Annotator k is whoever gave the k-th {place}"
        f"{'.' if raters.named else ', who need not be the same person throughout.'}"
    )
    yield f"{raters.rated:,} of {counted(raters.texts, 'text')} {_have(raters.texts)} single ratings."


def _judges(raters: Raters, *, choices: bool, each: bool) -> Iterator[str]:
    """What judges are held against, where that is not what people are held against."""
    if raters.other:
        yield f"Judges are compared with people's scores by {raters.other}s, and not with these."
    elif each:
        yield f"A judge is compared with each of them alone, a row each: its row is not like people's. {_hint(choices=choices)}"


def _hint(*, choices: bool) -> str:
    held = "choice='majority(FIELD,FIELD)=FIELD'" if choices else "human='ASPECT=mean(FIELD,FIELD)'"
    return f"{held} compares judges with all of them."


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
