"""Replies without a ballot: a critic's objections, talk, a summary, and what a commander says."""

from agentdebate.models.base import Heard
from agentdebate.offline.ballots import view_in_words
from agentdebate.offline.case import Case, View
from agentdebate.offline.matter import Matter
from agentdebate.offline.talk import NO_ISSUE, Argument
from agentdebate.offline.text import joined

_LEAST = {"critic-weak": 0.35, "critic-moderate": 0.12, "critic-strict": 0.02}
"""Share of the scale by which a number has to be off before a critic of this card objects."""
_PLAIN = 0.2
_PRAISE = 0.5
"""The same for a critic who speaks for a text, whatever its card."""
_LONGEST = 600
"""Characters of one message that a summary keeps."""


def criticise(case: Case) -> str:
    """The strongest objection not yet made to each number, or the stop word. It argues in one direction all the time."""
    scores = case.filled(case.talk.numbers(case.talk.others))
    objections = [
        _objection(matter, scores[matter.key], argument)
        for matter in case.matters
        if (argument := _strongest(case, matter, matter.share(scores[matter.key])))
    ]
    named = joined([f"{matter.written(scores[matter.key])} for {matter.name}" for matter in case.matters])
    return "\n\n".join(objections or [f"I have read the text again, and I can live with {named}.", NO_ISSUE])


def speak(case: Case) -> str:
    """The speaker's view, and what it says against those who argue otherwise. No score."""
    views = case.views()
    answers = [_answer(case, views, message) for message in case.talk.latest]
    return "\n\n".join([*map(view_in_words, views), *filter(None, answers)])


def plead(case: Case) -> str:
    """The strongest sentence not yet said for the advocate's own text, and the strongest against each other."""
    pleas = []
    for matter in case.matters:
        side, word = (
            (1, "For") if matter.line.candidate == case.context.given.get("text") else (-1, "Against")
        )
        pulls = sorted(matter.opinion.findings, key=lambda each: -each[0] * abs(each[1].value - 0.5))
        said = (one.towards(side) for _, one in pulls)
        new = next((sentence for sentence in said if sentence and not case.talk.said(sentence)), "")
        pleas += [f"{word} {matter.name} I say this: {new}"] if new else []
    return "\n\n".join(pleas or ["I have said what the texts bear out."])


def summarise(case: Case) -> str:
    """The first words of what each speaker said last."""
    entries = [f"{one.sender} says: {' '.join(one.text.split())[:_LONGEST]}" for one in case.talk.latest]
    return "\n\n".join(entries) or "Nothing has been said yet."


def open_debate(case: Case) -> str:
    """A commander's first words: what is to be judged."""
    names = joined([aspect.title.lower() for aspect in case.context.aspects])
    return f"Please judge {'the texts' if case.context.candidates else 'the text'} on {names}, and say what your score rests on."


def forward(case: Case) -> str:
    """The last message heard, word for word."""
    if not case.talk.others:
        return "There is nothing to pass on yet."
    last = case.talk.others[-1]
    return f"{last.sender} has this to say:\n\n{last.text}"


def _strongest(case: Case, matter: Matter, stand: float) -> Argument | None:
    """The strongest argument of a critic's own features that no agent has brought up."""
    argued = [one.direction for one in case.talk.arguments(case.talk.own) if one.matter == matter.key]
    least = {-1: _LEAST.get(case.context.card, _PLAIN), 1: _PRAISE}
    found = [
        argument
        for name in matter.profile.critic
        if (finding := matter.reading.find(name))
        for direction in argued[-1:] or (-1, 1)
        if (argument := Argument(matter.key, direction, case.context.agent, finding)).sentence
        and argument.strength(stand) >= least[direction]
        and not case.talk.said(argument.sentence)
    ]
    return max(found, key=lambda one: (one.strength(stand), one.sentence), default=None)


def _objection(matter: Matter, score: float, argument: Argument) -> str:
    level = "harsh" if argument.direction > 0 else "generous"
    return f"I find {matter.written(score)} for {matter.name} too {level}. {argument.sentence}"


def _answer(case: Case, views: list[View], message: Heard) -> str:
    """A reason against what somebody argued and the text does not bear out."""
    own = {view.matter.key: view.own.value for view in views}
    wrong = [one for one in case.talk.arguments([message]) if one.strength(own[one.matter]) < 0]
    counter = next(filter(None, (one.finding.towards(-one.direction) for one in wrong)), "")
    return f"Against what I heard from {message.sender} I say this: {counter}" if counter else ""
