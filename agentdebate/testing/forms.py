"""The form that a prompt ends in, filled in by chance.

Only what stands at the end of the last message is the form: the text under judgement may hold anything. Slots are in
square brackets, "Vote: [A or B]", in round ones behind the label and before a colon, or said in words behind a quoted label:
"Coherence:" and behind it a whole number from 1 to 5.
"""

import re

from agentdebate.testing.chance import Draws

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_SLOT = re.compile(r"\[([^\[\]\n]+)\]")
_NUMBER = re.compile(r"\bnumber from (-?[0-9.]+) to (-?[0-9.]+)")
_WORDED = re.compile(r'^"([^"\n]+):" and behind it a (.+)$')
_FILL = re.compile(r"^(.+?) \((?:a |whole )*number from (-?[0-9.]+) to (-?[0-9.]+)\):$")
_CHOICE = re.compile(r"^name, which is ")
_ROSTER = re.compile(r"A line begins with (?:its number, from 1\. to ([0-9]+)\.|the number 1\.)")
_PLAYER = re.compile(r"^Role [0-9]+: ")
_EVALUATORS = re.compile(r"^[^\n]*\bevaluators\b[^\n]*:\n((?:- [^\n]+\n)+)", re.MULTILINE | re.IGNORECASE)
_EVALUATOR = re.compile(r"^- ([\w./-]+)", re.MULTILINE)
_CONSONANTS, _VOWELS = "bdfgklmnprtvz", "aeiou"
_AGREES = 0.25
"""The share of critiques without an objection: about two in three debates of four rounds end before the last."""


def answer(prompt: str, draws: Draws) -> str:
    """A reply that fits the form at the end of a prompt; a sentence or two where there is none."""
    paragraphs = _PARAGRAPHS.split(prompt.strip())
    if "NO ISSUE" in paragraphs[-1]:
        return "NO ISSUE" if draws.share() < _AGREES else objection(draws)
    if "numbered list" in paragraphs[-1]:
        return "\n".join(f"{place}. {sentence(draws)}" for place in range(1, 4))
    if roster := _ROSTER.search(paragraphs[-1]):
        return "\n".join(f"{n + 1}. {words(2, draws)}: {words(6, draws)}" for n in range(int(roster[1] or 1)))
    form: list[str] = []
    while paragraphs and (lines := _form_lines(paragraphs[-1])):
        form = [*lines, "", *form] if form else lines
        paragraphs.pop()
    if not form:
        return f"{sentence(draws)} {sentence(draws)}"
    filled = "\n".join(_filled(line, prompt, draws) for line in form)
    return f"{sentence(draws)}\n\n{filled}" if _wants_reasons("\n".join(form)) else filled


def words(count: int, draws: Draws) -> str:
    """Make words that mean nothing, in no language; two texts of such words share next to none."""
    return " ".join(_word(draws) for _ in range(count))


def sentence(draws: Draws) -> str:
    """A sentence of a judge that no reader takes for a score, a vote or an objection."""
    return f"What the text says of {words(2, draws)} fits with {words(2, draws)}."


def objection(draws: Draws) -> str:
    """A sentence of a critic that objects."""
    return f"The score passes over what the text says of {words(2, draws)}, and over {words(1, draws)}."


def number(low: float, high: float, draws: Draws) -> float:
    """A whole number between two ends; one of the ends where they are not whole numbers."""
    if low.is_integer() and high.is_integer():
        return low + draws.below(int(high - low) + 1)
    return low if draws.share() < 0.5 else high  # noqa: PLR2004 - one of two


def _form_lines(paragraph: str) -> list[str]:
    """The lines of a paragraph that are to be filled in, with the names of players above them; none where it is not a form."""
    lines = [line.strip() for line in paragraph.splitlines()]
    slots = [
        line
        for line in lines
        if _WORDED.match(line) or (line.endswith(("]", "):")) and (_SLOT.search(line) or _FILL.match(line)))
    ]
    return [line for line in lines if line in slots or _PLAYER.match(line)] if slots else []


def _wants_reasons(form: str) -> bool:
    """Not where the reasons are in the form, or the form wants scores alone."""
    slots = any(_SLOT.search(line) or _WORDED.match(line) for line in form.splitlines())
    return slots and "Reason: [" not in form and '"Reason:"' not in form


def _filled(line: str, prompt: str, draws: Draws) -> str:
    if fill := _FILL.match(line):
        return f"{fill[1]}: {number(float(fill[2]), float(fill[3]), draws):g}"
    if worded := _WORDED.match(line):
        return f"{worded[1]}: {_value(worded[2], prompt, draws)}"
    return _SLOT.sub(lambda slot: _value(slot[1], prompt, draws), line)


def _value(slot: str, prompt: str, draws: Draws) -> str:
    """Fill a slot."""
    if found := _NUMBER.search(slot):
        return f"{number(float(found[1]), float(found[2]), draws):g}{'%' if '%' in slot else ''}"
    if slot.startswith(("evaluators", "list of evaluators")):
        return ", ".join(name for name in _evaluators(prompt) if draws.below(2)) or "none"
    if "sentence" in slot:
        return sentence(draws)
    options = re.split(r", | or ", _CHOICE.sub("", slot))
    if len(options) > 1:
        return options[draws.below(len(options))]
    return words(6, draws)


def _evaluators(prompt: str) -> list[str]:
    """The assistant evaluators that a planner is told of, in a list below a line that speaks of them."""
    listed = _EVALUATORS.findall(prompt)
    return [name for name in _EVALUATOR.findall(listed[-1]) if name != "none"] if listed else []


def _word(draws: Draws) -> str:
    syllables = 2 + draws.below(2)
    return "".join(
        _CONSONANTS[draws.below(len(_CONSONANTS))] + _VOWELS[draws.below(len(_VOWELS))]
        for _ in range(syllables)
    )
