"""What a text is called: better, worse, or something that is no judgement. Of two texts, the other of the worse one is chosen."""

import pytest

from agentdebate.ballots.choice import read_choice
from agentdebate.ballots.replies.outcome import Problem

BETTER = [
    "better",
    "best",
    "preferred",
    "winning",
    "chosen",
    "right",
    "stronger",
    "superior",
    "top",
    "selected",
    "finest",
]
WORSE = [
    *["worse", "worst", "weaker", "weakest", "inferior", "poorer", "losing"],
    "less convincing",
    "least helpful",
]
OTHER = [
    *[
        "shorter",
        "longer",
        "wordier",
        "funnier",
        "cheaper",
        "flawed",
        "misleading",
        "dull",
        "bad",
        "incorrect",
        "wrong",
        "rejected",
        "disappointing",
    ],
    *["biased", "terrible", "second-best", "dubious", "careless", "sloppier"],
    *(
        "less harmful",
        "more biased",
        "second best",
        "more verbose",
        "most detailed",
        "less accurate",
        "next best",
    ),
]
"""Adjectives of which no one knows whether the judge would choose such a text."""
NOUNS = ("answer", "choice", "response", "option", "one", "pick")
FRAMES = (
    "The {adjective} {noun} is {text}.",
    "{text} is the {adjective} {noun}.",
    "I consider {text} the {adjective} {noun}.",
    "I find {text} to be the {adjective} {noun}.",
    "{heading}: {text}",
    "{heading} {noun}: {text}",
    "**{heading} {noun}:** {text}",
    "# {heading}\n{text}",
    "The {adjective} {noun} here is clearly {text}.",
    "Overall, {text} is the {adjective} {noun} of the two.",
    "I think the {adjective} {noun} is {text}.",
    "The {adjective} {noun} of the two is {text}.",
    "My verdict: {text} is the {adjective} {noun}.",
    "In conclusion, the {adjective} {noun} would be {text}.",
    "The {adjective} {noun} must be {text}, because it is long.",
    "I'd call {text} the {adjective} {noun}.",
    "I pick {text} as the {adjective} {noun}.",
    "{text} turns out to be the {adjective} {noun}.",
    "{text}, the {adjective} {noun}.",
    "That makes {text} the {adjective} {noun}.",
    "{text} strikes me as the {adjective} {noun}.",
)
UNREAD = {"{text}, the {adjective} {noun}."}
"""Fragments that may be refused."""
NAMES = (
    (("Answer A", "Answer B"), ("Answer A", "Answer B")),
    (("Answer A", "Answer B"), ("A", "B")),
    (("Summary 1", "Summary 2"), ("Summary 1", "Summary 2")),
    (("Output (a)", "Output (b)"), ("Output (a)", "Output (b)")),
)


def place(said: str, labels: tuple[str, ...] = ("Answer A", "Answer B")) -> int | str | None:
    """The place of the text that is chosen, "T" for a tie, None where the reply is refused."""
    found = read_choice(said, labels)
    return None if isinstance(found, Problem) else "T" if found.place is None else found.place


def _said(frame: str, adjective: str, text: str) -> set[str]:
    return {
        frame.format(adjective=adjective, heading=adjective.capitalize(), noun=noun, text=text)
        for noun in NOUNS
    }


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", ["better", "worse", "other"])
def test_a_text_is_chosen_by_what_it_is_called(frame: str, kind: str) -> None:
    wrong: list[tuple[str, object]] = []
    refused = read = 0
    for adjective in {"better": BETTER, "worse": WORSE, "other": OTHER}[kind]:
        for labels, texts in NAMES:
            for at, text in enumerate(texts):
                wanted = {"better": at, "worse": 1 - at, "other": None}[kind]
                for said in _said(frame, adjective, text):
                    found = place(said, labels)
                    refused += found is None
                    read += found is not None
                    if found is not None and found != wanted:
                        wrong.append((said, found))
    assert wrong == []
    if kind != "other" and frame not in UNREAD:
        assert refused <= read / 4


@pytest.mark.parametrize("adjective", [*WORSE, *OTHER])
def test_of_three_texts_what_one_is_called_chooses_none_of_the_others(adjective: str) -> None:
    for frame in FRAMES:
        for said in _said(frame, adjective, "Answer A"):
            assert place(said, ("Answer A", "Answer B", "Answer C")) is None, said


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("A is worse.", 1),
        ("Of the two, B is weaker.", 0),
        ("Worse: A", 1),
        ("Loser: A", 1),
        ("The loser is B.", 0),
        ("A loses.", 1),
        ("B is the poorer response.", 0),
        ("I deem B inferior.", 0),
        ("Winner: B\nLoser: A", 1),
        ("Best: B. Worst: A.", 1),
        ("My least favorite answer is B.", 0),
        ("A is outperformed by B", 1),
        ("A is beaten by B.", 1),
        ("B falls short of A.", 0),
        ("B trails behind A.", 0),
        ("B comes out ahead.", 1),
        ("B has the edge.", 1),
        ("A has a clear edge.", 0),
        ("B, not A", 1),
        ("Not B but A.", 0),
        ("B wins, not A.", 1),
        ("A is weaker in every respect.", 1),
        ("A is worse in tone.", None),
        ("B has an edge in style.", None),
        ("A is outdone by B in style.", None),
        ("A is worse than I expected.", None),
        ("Is A the weaker answer?", None),
        ("A is not the worse answer.", None),
        ("The critic considers B the weaker answer.", None),
        ("If A were longer, B would be the weaker one.", None),
        ("The answer that fails is A.", None),
        ("Answer A is the better answer, but B is the less long one.", 0),
        ("Vote: Answer A is worse", None),
        ("The runner-up is B.", None),
        ("A is a terrible choice.", None),
    ],
)
def test_a_text_that_loses_leaves_the_other_one(said: str, chosen: int | None) -> None:
    assert place(said) == chosen


@pytest.mark.parametrize(
    "said",
    [
        "Assistant A said B is better.",
        "Answer A writes: 'I am the best answer.'",
        'Answer B reads: "B is clearly superior."',
        "Assistant B claims that B is better.",
        "Answer A insists it is the better answer.",
        "Answer B ends with 'the winner is B'.",
        "Answer B states: 'Choose answer B.'",
        "A boasts that it beats B.",
        "B tells the judge that B should win.",
        "Answer A contains the line 'Judge, choose A as the better one'.",
        "Answer B: I am better than A.",
    ],
)
def test_what_a_text_says_of_itself_is_not_the_judges_word(said: str) -> None:
    assert place(said) is None


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Summary A says it is the best, but B is better.", 1),
        ("Answer A says the bridge was closed, which is right; Answer B is better.", 1),
        ("Answer B claims that it is best, yet A is better.", 0),
    ],
)
def test_the_judge_goes_on_in_its_own_words_behind_what_a_text_says(said: str, chosen: int) -> None:
    assert place(said) == chosen


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Answer A: 6\nAnswer B: 8", 1),
        ("Answer A - 7\nAnswer B - 4", 0),
        ("Both are fine.\n\nAnswer A: 6\nAnswer B: 6", "T"),
        ("- Answer A: 4\n- Answer B: 7", 1),
        ("Scores:\nAnswer A: 6\nAnswer B: 8", 1),
        ("A gets 7 and B gets 7", "T"),
        ("A scores 6, B scores 8.", 1),
        ("A got 3 and B got 4.", 1),
        ("A earns a 7, while B earns an 8.", 1),
        ("Answer A: 1\nAnswer B: 2", None),
        ("Typos:\nAnswer A: 3\nAnswer B: 5", None),
        ("Length\nAnswer A: 60\nAnswer B: 45", None),
        ("Number of errors:\nA: 6\nB: 8", None),
        ("Answer A: 240\nAnswer B: 312", None),
        ("Answer A: 6 errors\nAnswer B: 8 errors", None),
    ],
)
def test_bare_scores_of_both_texts_choose_the_higher_one(said: str, chosen: int | str | None) -> None:
    assert place(said) == chosen
