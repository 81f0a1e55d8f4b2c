"""Claims about the worth of talk, over made runs of which the truth is known."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from agentdebate.studies.cells import Cost
from agentdebate.studies.worth import RARE, Case, Claim, Worth

RUNS = 1_000
MOST_WRONG = 50
"""Wrong claims that are allowed among them."""
_FREE = Cost(calls=0, cached=0, prompt_tokens=0, completion_tokens=0, money=None)
_ALONE, _TOGETHER = 1, 4
"""Texts of a source."""


@dataclass(frozen=True)
class Truth:
    """Probabilities that a debate makes a wrong vote right, and a right one wrong, by whether its openings differ."""

    split: float
    up: tuple[float, float]
    down: tuple[float, float]

    @classmethod
    def drawn(cls, random: Random, *, equal: bool) -> "Truth":
        """Draw a truth; of an `equal` one the debate is right as often as the vote."""
        moves = random.choice((0.01, RARE, 0.1)), random.uniform(0.05, 0.5)
        shares = (0.5, 0.5) if equal else (0.5, random.random())
        up = moves[0] * shares[0], moves[1] * shares[1]
        return cls(random.uniform(0.05, 0.6), up, (moves[0] - up[0], moves[1] - up[1]))

    @property
    def gain(self) -> float:
        """How much more often the debate is right than the vote."""
        return self._mean([up - down for up, down in zip(self.up, self.down, strict=True)])

    def wrong(self, claim: Claim) -> bool:
        """Tell whether a claim does not hold."""
        changed = [up + down for up, down in zip(self.up, self.down, strict=True)]
        rare = changed[0] <= RARE + 1e-9
        return {
            "debate": self.gain <= 0,
            "vote": self.gain >= 0,
            "same": self._mean(changed) > RARE,
            "some": self.up[1] <= self.down[1] or not rare,
            "at most": not rare,
        }.get(claim, False)

    def _mean(self, parts: list[float]) -> float:
        return (1 - self.split) * parts[0] + self.split * parts[1]


def made(seed: int, *, judged: bool = True, equal: bool = False) -> tuple[Worth, Truth]:
    """Make a run: of 20 to 400 sources, whose texts move together where there are several; and its truth."""
    random = Random(seed)
    truth, texts = Truth.drawn(random, equal=equal or seed % 2 == 0), random.choice((_ALONE, _TOGETHER))
    cases: list[Case] = []
    for source in range(random.randint(20, 400)):
        split = random.random() < truth.split
        at, up = random.random(), truth.up[split]
        vote, verdict = ("b", "a") if at < up else ("a", "b") if at < up + truth.down[split] else ("a", "a")
        cases += [Case(f"s{source}", vote, verdict, "a" if judged else None, split)] * texts
    return Worth(tuple(cases), 3.0, _FREE, _FREE), truth


def main() -> int:
    """Print the claims and how many are wrong: of mixed truths, of debates that are as good as the vote, and without people."""
    failed = 0
    kinds = {"mixed": {}, "as good": {"equal": True}, "not judged": {"judged": False}}
    for name, kind in kinds.items():
        runs = [made(seed, **kind) for seed in range(RUNS)]
        wrong = Counter(worth.claim for worth, truth in runs if truth.wrong(worth.claim))
        print(
            f"{name}: {dict(Counter(worth.claim for worth, _ in runs))}; wrong {wrong.total()} {dict(wrong)}"
        )
        failed += wrong.total() > MOST_WRONG
    return int(failed > 0)
