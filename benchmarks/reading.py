"""Reading replies: what a usual one costs, and how the time grows with hostile texts of up to 1 MB (aim: in proportion)."""

import time
from collections.abc import Callable
from itertools import product

from agentdebate.ballots.replies import read_choice, read_critic, read_scores
from agentdebate.tasks import Aspect, Scale

ASPECTS = [
    Aspect(name=name, scale=Scale(low=1, high=5), criterion="How well it reads.")
    for name in ("coherence", "fluency")
]
EXACT = "The summary names the main point and is short, but it leaves out the date.\nCoherence: 4"
JSON = (
    '{"reason": "The summary names the main point and is short, but it leaves out the date.", "coherence": 4}'
)
REASONS = (
    "The summary names the main point of the article and is easy to follow from the first sentence to the last. It says who was "
    "at the meeting, what they agreed on and what it will cost, and it does so in the order of the article. The part on the "
    "repairs is shorter than it should be, though, and the date on which the bridge is to open again is left out altogether. "
    "Some of the sentences could be joined, since they repeat what was said just before them. Nevertheless, there is no claim in "
    "it that the article would not support, and the wording is plain without being dull. The reader is left with a clear picture "
    "of what was decided, and of what is still open. "
)
PROSE = REASONS + "All in all, I would give this summary a score of 4 for coherence."
CLOSINGS = [
    f"{REASONS}All in all, as it leaves out the {first}{second}{third}, I would give this summary a score of 4 for coherence."
    for first, second, third in product(
        ("har", "wei", "lo", "ma", "tor", "bel", "sin", "qua", "ru", "fe"), repeat=3
    )
]
"""Replies that close in different words: what was read before is at hand, and says nothing of what a new closing costs."""
CHOICE = (
    REASONS.replace("The summary", "Summary A").replace("It says", "Summary B says")
    + "Therefore, Summary B is better."
)
USUAL = (
    "The summary names the main point and is short, but it leaves out the date.\n\nCoherence: 4\nFluency: 5"
)
LABELS = ("Summary A", "Summary B")
CRITIQUES = {
    "an objection": (
        "The score of 4 is too high. The summary names the main point of the article, but it leaves out when the vote was held and what "
        "the repair will cost, which the article treats at length. The second paragraph repeats the first, and its last sentence has no "
        "link to what stands before it. The scorer praises the order of the sentences without an example of it. A reader who does not "
        "know the article would not understand why the bridge was closed. I would lower it to 2."
    ),
    "agreement": (
        "The score of 3 is fair. The summary names the main point of the article, and leaves out when the vote was held and what the "
        "repair will cost, as the scorer says. The second paragraph repeats the first, which the scorer mentions too. The reasons follow "
        "the definition of coherence step by step and name an example for each. I looked for errors that the scorer did not see and "
        "found none that would change the result.\nNO ISSUE"
    ),
    "neither": "The summary mentions the council's vote on Tuesday and the mayor's reply, and keeps the order of the article. "
    * 4,
    "the stop word": "NO ISSUE",
}
UNITS = (
    "1 ",
    "-1",
    "((1",
    "|a|b|\n|-|-|\n",
    '{"score":',
    "<a",
    "*",
    "score of 4 ",
    "coherence: ",
    "no issue ",
    "not too high ",
)
SHORT, LONG = 125_000, 1_000_000


def seconds(read: Callable[[], object], repeats: int = 1) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    for _ in range(repeats):
        read()
    return (time.process_time() - started) / repeats


def growth(read: Callable[[str], object]) -> tuple[str, float, float]:
    """The unit whose long text takes longest, its seconds at 1 MB, and how many times those of an eighth of it."""
    rows = []
    for unit in UNITS:
        short, long = unit * (SHORT // len(unit)), unit * (LONG // len(unit))
        took = seconds(lambda text=long: read(text))  # type: ignore[misc]  # a default binds the loop's value
        rows.append((unit, took, took / max(seconds(lambda text=short: read(text)), 1e-4)))  # type: ignore[misc]
    return max(rows, key=lambda row: row[1])


def main() -> None:
    """Print usual costs, and the worst text for each reader."""
    print("reading, CPU time of one reply (aims: 5 us for the form asked for and its JSON, 80 us for prose):")
    for name, text in (
        ("the form asked for", EXACT),
        ("the JSON asked for", JSON),
        ("a score in prose", PROSE),
    ):
        print(f"{name:18} {seconds(lambda text=text: read_scores(text, ASPECTS[:1]), 2000) * 1e6:6.1f} us")  # type: ignore[misc]  # a default binds the loop's value
    new = iter(CLOSINGS)
    print(
        f"with a new closing {seconds(lambda: read_scores(next(new), ASPECTS[:1]), len(CLOSINGS)) * 1e6:6.1f} us"
    )
    print(f"a choice in prose  {seconds(lambda: read_choice(CHOICE, LABELS), 2000) * 1e6:6.1f} us")
    print(f"a usual ballot     {seconds(lambda: read_scores(USUAL, ASPECTS), 2000) * 1e6:6.1f} us")
    print("a critic's reply (aims: 100 us for 450 characters, 20 us for the stop word):")
    for name, text in CRITIQUES.items():
        print(
            f"{name:18} {seconds(lambda text=text: read_critic(text), 2000) * 1e6:6.1f} us, "  # type: ignore[misc]  # a default binds the loop's value
            f"{len(text)} characters"
        )
    readers: tuple[tuple[str, Callable[[str], object]], ...] = (
        ("ballots", lambda text: read_scores(text, ASPECTS)),
        ("choices", lambda text: read_choice(text, LABELS)),
        ("critics", read_critic),
    )
    for name, read in readers:
        unit, took, times = growth(read)
        print(f"worst of 1 MB for {name}: {took:.2f} s for {unit!r}, {times:.1f} times an eighth of it")
