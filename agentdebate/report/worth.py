"""The worth of talk in at most three lines: of one run, or of several together."""

from collections.abc import Mapping, Sequence

from agentdebate.meta.prose import counted, listed
from agentdebate.report.figures import figure, interval, percent
from agentdebate.studies.controls import NO_OPENINGS
from agentdebate.studies.worth import Claim, Worth
from agentdebate.visible import one_line

_VOTE = "Worth: the vote of the openings ({openings:.3g} a debate) gives the same verdict in {same:,} of {n:,}{costs}."
_PEOPLE = "Of {scored:,} that people judged {to_wrong:,} went from right to wrong and {to_right:,} from wrong to right{where}: {difference}."
_CLAIMS: Mapping[Claim, str] = {
    "vote": "Use the vote here: people agree with it more often than with the debate.",
    "same": "Use the vote here: the debate changes at most {changed} of the verdicts.",
    "debate": "Debate here: people agree with it more often than with the vote.",
    "some": "Debate only the {split} whose openings differ: there people agree with it more often, and it changes at most {settled} of the others.",
    "open": "Vote and debate cannot be told apart with n = {sources:,}.",
    "at most": "Debate at most the {split} whose openings differ: it changes at most {settled} of the others. Whether it helps, people's scores would tell.",
    "unscored": "Whether vote or debate is right more often, people's scores would tell.",
}
"""The template."""
_OF_SEVERAL: Mapping[tuple[Claim, ...], str] = {
    ("vote", "same"): "Worth: use the vote of the openings in place of {runs}.",
    (
        "debate",
        "some",
    ): "Worth: people agree more often with the debate than with the vote of its openings in {runs}.",
    ("open", "at most", "unscored"): "Worth: debate and vote of the openings cannot be told apart in {runs}.",
}
_NAMED = 3
"""Runs that a line names."""


def worth_lines(found: Mapping[str, Worth | None]) -> list[str]:
    """Say what the talk was worth in runs that are named; nothing where no agent heard another."""
    runs = {name: worth for name, worth in found.items() if worth}
    if len(found) == 1:
        return [one_line(line) for worth in runs.values() for line in _lines(worth)]
    told = {name: worth.claim for name, worth in runs.items() if worth.cases}
    by_line = {line: [name for name in told if told[name] in claims] for claims, line in _OF_SEVERAL.items()}
    return [one_line(line.format(runs=_named(names))) for line, names in by_line.items() if names]


def _lines(worth: Worth) -> list[str]:
    if not worth.cases:
        return [f"Worth: not known, since {NO_OPENINGS}."]
    apart, parts = worth.difference, {**worth.row(), "costs": _costs(worth)}
    lines = [_VOTE.format_map(parts)]
    if apart:
        of = f"of {counted(apart.sources, 'source')}"
        told = f"{_signed(apart.value)} {interval(apart.low, apart.high)} {of}"
        where = ", and where openings differ" if worth.gated else ""
        lines.append(_PEOPLE.format_map({**parts, "difference": told, "where": where}))
    shares = {"split": worth.split, "changed": worth.changed_most, "settled": worth.settled_most}
    said = {name: percent(share) for name, share in shares.items()}
    return [*lines, _CLAIMS[worth.claim].format(**said, sources=apart.sources if apart else 0)]


def _costs(worth: Worth) -> str:
    times = [f"{one:.1f} times its {name}" for name, one in worth.times.items()]
    return f"; the debates took {listed(times)}" if times else ""


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{figure(value)}"


def _named(runs: Sequence[str]) -> str:
    more = len(runs) - _NAMED
    return listed([*runs[:_NAMED], *([f"{more} more"] if more > 0 else [])])
