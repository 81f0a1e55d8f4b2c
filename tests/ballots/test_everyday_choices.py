"""Choices in everyday words that a list of verbs misses: liking, ties that texts make, the lesser evil, the other hand, two respects."""

import pytest

from agentdebate.ballots.choice import read_choice
from agentdebate.ballots.replies.outcome import Problem

CHOICES = (
    ("I like A more than B.", "A", ("A", "B")),
    ("I like B more than A.", "B", ("A", "B")),
    ("I like A better than B.", "A", ("A", "B")),
    ("I like A more than B.", "A", ("Summary A", "Summary B")),
    ("I much prefer A over B.", "A", ("A", "B")),
    ("I much prefer A to B.", "A", ("Summary A", "Summary B")),
    ("Summary A and Summary B tie.", "T", ("Summary A", "Summary B")),
    ("A and B tie.", "T", ("Summary A", "Summary B")),
    ("Summary A and Summary B are tied.", "T", ("Summary A", "Summary B")),
    ("A and B tied.", "T", ("Summary A", "Summary B")),
    ("Neither is good, but B is the lesser evil.", "B", ("Summary A", "Summary B")),
    ("Neither is good, but B is the lesser of two evils.", "B", ("Summary A", "Summary B")),
    ("Both are bad, but A is the lesser evil.", "A", ("Summary A", "Summary B")),
    ("A has a nice opening. On the other hand, B is better.", "B", ("Summary A", "Summary B")),
    (
        "Summary A is clear and well written. On the other hand, Summary B is better.",
        "B",
        ("Summary A", "Summary B"),
    ),
    ("Summary A is clear. Summary B, on the other hand, is better.", "B", ("Summary A", "Summary B")),
    ("A is okay, B is better.", "B", ("Summary A", "Summary B")),
    ("I like A less than B.", "B", ("A", "B")),
    ("I like Summary A more.", "A", ("Summary A", "Summary B")),
    ("I like B best.", "B", ("Summary A", "Summary B")),
    ("I like A more.", "A", ("A", "B")),
    ("I enjoyed A more than B.", "A", ("A", "B")),
    ("I trust A more than B.", "A", ("A", "B")),
    ("A is good. B is great.", None, ("Summary A", "Summary B")),
    ("I don't like A more than B.", None, ("Summary A", "Summary B")),
    ("I like A no more than B.", None, ("Summary A", "Summary B")),
    ("I'd like A more if it were shorter.", None, ("Summary A", "Summary B")),
    ("I like a more detailed text.", None, ("Summary A", "Summary B")),
    ("I like A more than I expected.", None, ("Summary A", "Summary B")),
    ("I like A's opening more than B's.", None, ("Summary A", "Summary B")),
    ("I like the opening of A more than B.", None, ("Summary A", "Summary B")),
    ("I like A more for its style.", "A", ("Summary A", "Summary B")),
    ("Do I like A more than B?", None, ("Summary A", "Summary B")),
    ("Readers like A more than B.", None, ("Summary A", "Summary B")),
    ("I used to like A more than B.", None, ("Summary A", "Summary B")),
    ("I like A more than B, but B is the better summary.", None, ("Summary A", "Summary B")),
    ("I love B more than A because it is complete.", "B", ("Summary A", "Summary B")),
    ("I liked A less than B.", "B", ("Summary A", "Summary B")),
    ("I trust Summary B more than Summary A.", "B", ("Summary A", "Summary B")),
    ("I like Summary B slightly better.", "B", ("Summary A", "Summary B")),
    ("I like B much better than A.", "B", ("Summary A", "Summary B")),
    ("I like both A and B.", None, ("Summary A", "Summary B")),
    ("I like A better.", "A", ("Summary A", "Summary B")),
    ("I would like A better if it were true.", None, ("Summary A", "Summary B")),
    ("I like A as much as B.", None, ("Summary A", "Summary B")),
    ("A and B tie in style.", None, ("Summary A", "Summary B")),
    ("A and B do not tie.", None, ("Summary A", "Summary B")),
    ("A and B tie on clarity, but B is better overall.", "B", ("Summary A", "Summary B")),
    ("Do A and B tie?", None, ("Summary A", "Summary B")),
    ("Both summaries tie.", "T", ("Summary A", "Summary B")),
    ("They tie.", "T", ("Summary A", "Summary B")),
    ("A and B almost tie.", None, ("Summary A", "Summary B")),
    ("A and B tie, but B is slightly better.", None, ("Summary A", "Summary B")),
    ("If A and B tie, choose B.", None, ("Summary A", "Summary B")),
    ("A and B are tied overall.", "T", ("Summary A", "Summary B")),
    ("B is not the lesser evil.", None, ("Summary A", "Summary B")),
    ("A is bad; B is the lesser evil.", "B", ("Summary A", "Summary B")),
    ("B is less bad.", "B", ("Summary A", "Summary B")),
    ("B is less bad in style.", None, ("Summary A", "Summary B")),
    ("Neither is great. Summary B is the lesser of the two evils.", "B", ("Summary A", "Summary B")),
    ("On the one hand, A is better. On the other hand, B is better.", None, ("Summary A", "Summary B")),
    ("On the one hand, A is shorter; on the other hand, B is better.", None, ("Summary A", "Summary B")),
    ("On the other hand, B is better in style.", None, ("Summary A", "Summary B")),
    ("A is concise. On the other hand, B is the better summary.", "B", ("Summary A", "Summary B")),
    ("A is better. On the other hand, B is better.", None, ("Summary A", "Summary B")),
    ("Summary A is not recommended.", None, ("Summary A", "Summary B")),
    ("Summary A is recommended for beginners.", None, ("Summary A", "Summary B")),
    ("Summary B is recommended.", "B", ("Summary A", "Summary B")),
    ("Summary A was recommended by the critic.", None, ("Summary A", "Summary B")),
    ("A outperforms B in both accuracy and fluency.", "A", ("Summary A", "Summary B")),
    ("A beats B in both tests.", "A", ("Summary A", "Summary B")),
    ("B is better in both clarity and style.", "B", ("Summary A", "Summary B")),
    ("A is better in clarity and B in style.", None, ("Summary A", "Summary B")),
    ("Summary A is the more helpful summary.", "A", ("Summary A", "Summary B")),
    ("Summary A is the more helpful one, but Summary B is more accurate.", None, ("Summary A", "Summary B")),
    ("Summary A is the more helpful one, but Summary B is better.", "B", ("Summary A", "Summary B")),
    ("Summary A is the superior text owing to its clarity.", "A", ("Summary A", "Summary B")),
    ("I much prefer B.", "B", ("Summary A", "Summary B")),
    ("I very much prefer B to A.", "B", ("Summary A", "Summary B")),
    ("I'd much rather read B.", "B", ("Summary A", "Summary B")),
    ("I do not much prefer A to B.", None, ("Summary A", "Summary B")),
    (
        "Assistant 2 outperforms Assistant 1 in both helpfulness and accuracy.",
        "B",
        ("Assistant 1", "Assistant 2"),
    ),
    ("Based on the above, Response A is recommended.", "A", ("Response A", "Response B")),
    ("I find Response B to be the more helpful of the two.", "B", ("Response A", "Response B")),
)


def _read(said: str, labels: tuple[str, str]) -> str | None:
    found = read_choice(said, labels)
    if isinstance(found, Problem):
        return None
    return "T" if found.place is None else "AB"[found.place]


@pytest.mark.parametrize(("said", "choice", "labels"), CHOICES)
def test_a_choice_in_everyday_words_is_read_and_what_is_none_is_refused(
    said: str, choice: str | None, labels: tuple[str, str]
) -> None:
    assert _read(said, labels) == choice


@pytest.mark.parametrize("verb", ["like", "love", "enjoy", "trust", "value"])
@pytest.mark.parametrize(("degree", "first"), [("more", True), ("better", True), ("less", False)])
@pytest.mark.parametrize("labels", [("A", "B"), ("Summary A", "Summary B"), ("Output (a)", "Output (b)")])
def test_the_text_that_the_judge_likes_more_is_the_choice(
    verb: str, degree: str, first: bool, labels: tuple[str, str]
) -> None:
    one, other = labels
    assert _read(f"I {verb} {one} {degree} than {other}.", labels) == ("A" if first else "B")
    assert _read(f"I {verb} {other} {degree} than {one}.", labels) == ("B" if first else "A")
