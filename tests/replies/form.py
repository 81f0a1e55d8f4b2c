"""Forms: what a judge that compares texts was asked to answer with, and which text it chooses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from replies.case import WORDS

Tie = Literal["no", "word", "mark"]
"""Whether the form lets two texts tie, and whether it has a mark of its own for that, such as C behind A and B."""

TIE = "tie"
ORDINALS = ("first", "second", "third", "fourth")
NOUNS = ("Summary", "Output", "Assistant", "Response", "Answer", "Story")


@dataclass(frozen=True, slots=True)
class Form:
    """The labels of the texts ("Summary A", "Output (a)", "Assistant 1"), how ties are marked, and the one chosen.

    `chosen` is the place of a label; `grade` says by how much it wins where the form has five grades: ">" or ">>".
    """

    noun: str
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    tie: Tie
    chosen: int
    grade: str = ""

    @property
    def tie_mark(self) -> str:
        """The key that stands for a tie: the one behind the last text's."""
        last = self.keys[-1]
        return str(int(last) + 1) if last.isdigit() else chr(ord(last) + 1)


def form(rng: Random, count: int, tie: Tie, style: str) -> Form:
    """A form with so many texts, and a choice."""
    noun = rng.choice(NOUNS)
    keys = {"letter": "ABCD", "small": "abcd", "number": "1234"}[style][:count]
    labels = tuple(f"{noun} ({key})" if style == "small" else f"{noun} {key}" for key in keys)
    chosen = rng.randrange(count)
    return Form(noun, tuple(keys), labels, tie, chosen, rng.choice((">", ">>")))


def slots(rng: Random, of: Form) -> dict[str, str]:
    """Return what the slots of a wording stand for.

    x the chosen label, k its key, y and j those of another text, f and g the first two labels, noun and nouns what is
    compared, nth and mth the ordinals of the chosen and the other text, grade such as A>>B and less such as B<<A, t a tie's key.
    """
    other = rng.choice([place for place in range(len(of.keys)) if place != of.chosen])
    winner, loser = of.keys[of.chosen], of.keys[other]
    return {
        "x": of.labels[of.chosen], "k": of.keys[of.chosen], "y": of.labels[other], "j": of.keys[other],
        "f": of.labels[0], "g": of.labels[1], "fk": of.keys[0], "gk": of.keys[1],
        "noun": of.noun.lower(), "nouns": _plural(of.noun.lower()), "nth": ORDINALS[of.chosen], "mth": ORDINALS[other],
        "Nth": ORDINALS[of.chosen].capitalize(), "grade": f"{winner}{of.grade}{loser}", "less": f"{loser}{of.grade.replace('>', '<')}{winner}",
        "t": of.tie_mark, "count": WORDS[len(of.keys)], "place": str(of.chosen + 1),
        "h": str(rng.randint(6, 9)), "l": str(rng.randint(2, 5)),
        "thing": of.noun.lower(), "Thing": of.noun, "a": "quality", "c": str(rng.randint(2, 9)), "q": str(rng.randint(35, 240)), "r": str(rng.randint(5, 95)),
    }  # fmt: skip


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


FITS: Mapping[str, Callable[[Form], bool]] = {
    "pair": lambda of: len(of.keys) == 2,
    "many": lambda of: len(of.keys) > 2,
    "tying": lambda of: len(of.keys) == 2 and of.tie != "no",
    "marking": lambda of: len(of.keys) == 2 and of.tie == "mark",
    "graded": lambda of: of.keys == ("A", "B") and of.tie == "word",  # as in forms with five grades
    "strict": lambda of: of.tie == "no",
}
"""What a wording needs of a form, by its name in wordings.jsonl."""
