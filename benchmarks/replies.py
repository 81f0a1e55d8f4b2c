"""How well replies of judges are read: generated ones of known truth, a critic's stop word, and recorded ones.

    python -m benchmarks replies [--held] [--show K] [--size N] [--seed N]

--held measures on the wordings that are set aside, of which only totals by kind are printed: whoever writes a reader is not to see
them. --show prints K replies of each other wording that were misread or refused.
Aim: wrong reads at most 1 in 200 replies, and none of a reply with a form line. Refusals are free, since an agent is asked again.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Literal

from replies.corpus import SIZE, Reply, ScoreReply, corpus
from replies.readers import Judgement, read, read_critique, truth_of
from replies.stop_word import Critique, critiques
from replies.wording import Half, Wording

from benchmarks.recorded_replies import agreement

Verdict = Literal["right", "wrong", "refused"]
LONGEST = 600
"""Characters of a reply that are shown."""


@dataclass(slots=True)
class Tally:
    """How the replies of one wording were read."""

    wording: Wording
    scored: bool
    counts: Counter[Verdict] = field(default_factory=Counter)
    misread: list[tuple[Reply, Judgement | None]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The kind of judgement, by which totals are printed."""
        return f"{'score' if self.scored else 'choice'} {self.wording.kind}"

    def add(self, reply: Reply, judgement: Judgement | None, keep: int) -> None:
        """Count a reply, and keep it among the first that were not read right."""
        verdict = verdict_on(reply, judgement)
        self.counts[verdict] += 1
        if verdict != "right" and len(self.misread) < keep:
            self.misread.append((reply, judgement))


def verdict_on(reply: Reply, judgement: Judgement | None) -> Verdict:
    """Tell whether a reply was read right. A reply without one judgement is read right by refusing it."""
    if judgement == truth_of(reply):
        return "right"
    return "refused" if judgement is None else "wrong"


def main() -> None:
    """Print the tables. The options are those after the names of benchmarks."""
    options = _options([word for word in sys.argv[1:] if word != "replies"])
    half: Half = "held" if options.held else "seen"
    show = 0 if options.held else options.show
    tallies, seconds = _measured(corpus(half, seed=options.seed, size=options.size), show)
    _print_tallies(tallies, one_by_one=not options.held)
    for name, scored in (("scores", {True}), ("choices", {False}), ("all", {True, False})):
        _print_rates(name, [tally for tally in tallies if tally.scored in scored])
    print(f"{seconds / options.size * 1e6:.0f} us of CPU a reply, of half {half!r}")
    _print_critiques(list(critiques(half, seed=options.seed)), show)
    for line in agreement():
        print(line)


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks replies")
    parser.add_argument("--held", action="store_true", help="measure on the wordings that are set aside")
    parser.add_argument(
        "--show", type=int, default=0, metavar="K", help="print K misread replies of each wording"
    )
    parser.add_argument("--size", type=int, default=SIZE, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    return parser.parse_known_args(words)[0]


def _measured(replies: Iterable[Reply], keep: int) -> tuple[list[Tally], float]:
    """The tally of each wording, sorted by kind, and the CPU seconds that reading took."""
    tallies: dict[str, Tally] = {}
    seconds = 0.0
    for reply in replies:
        started = time.process_time()
        judgement = read(reply)
        seconds += time.process_time() - started
        tally = tallies.setdefault(reply.wording.id, Tally(reply.wording, isinstance(reply, ScoreReply)))
        tally.add(reply, judgement, keep)
    return sorted(
        tallies.values(), key=lambda tally: (not tally.scored, tally.kind, tally.wording.id)
    ), seconds


def _print_tallies(tallies: Sequence[Tally], *, one_by_one: bool) -> None:
    print(f"{'':38} {'right':>6} {'wrong':>6} {'refused':>7}  truth")
    for kind, group in groupby(tallies, key=attrgetter("kind")):
        same = list(group)
        counts = _sum(same)
        print(f"{kind:38} {_figures(counts)}  {same[0].wording.truth}")
        for tally in same if one_by_one else ():
            wording = tally.wording
            print(f"  {wording.id:36} {_figures(tally.counts)}  {wording.text!r} {wording.row}".rstrip())
            for reply, judgement in tally.misread:
                print(
                    f"      read {judgement}, is {truth_of(reply)} ({reply.wording.truth}): {reply.text[-LONGEST:]!r}"
                )


def _print_rates(name: str, tallies: Sequence[Tally]) -> None:
    every = _sum(tallies)
    single = _sum(tally for tally in tallies if tally.wording.truth == "one")
    odds = f"1 in {every.total() / every['wrong']:,.0f}" if every["wrong"] else "none"
    refused = single["refused"] / max(single.total(), 1)
    print(
        f"{name:8} {every.total():6} replies: {every['wrong']} wrong reads ({odds}; aim 1 in 200), "
        f"{refused:.1%} of {single.total()} with one judgement refused"
    )


def _sum(tallies: Iterable[Tally]) -> Counter[Verdict]:
    return sum((tally.counts for tally in tallies), Counter[Verdict]())


def _figures(counts: Counter[Verdict]) -> str:
    return f"{counts['right']:6} {counts['wrong']:6} {counts['refused']:7}"


def _print_critiques(replies: Sequence[Critique], show: int) -> None:
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    truths = {reply.kind: reply.outcome for reply in replies}
    print(f"\n{'a critic, with the stop word or not':38} {'right':>6}  read otherwise")
    failed: dict[str, list[str]] = defaultdict(list)
    for reply in replies:
        outcome = read_critique(reply)
        outcomes[reply.kind][outcome] += 1
        if outcome != reply.outcome:
            failed[reply.kind].append(f"      read {outcome}: {reply.text!r}")
    for kind, counts in outcomes.items():
        others = ", ".join(
            f"{count} {outcome}" for outcome, count in counts.items() if outcome != truths[kind]
        )
        print(f"{f'{kind} ({truths[kind]})':38} {counts[truths[kind]]:6}  {others}")
        for line in failed[kind][:show]:
            print(line)
    right = sum(counts[truths[kind]] for kind, counts in outcomes.items())
    print(f"{right} of {len(replies)} read right")
