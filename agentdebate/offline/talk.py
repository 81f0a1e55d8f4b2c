"""Features of talk: how a reply fits the conversation it answers, and what it brings to it."""

from agentdebate.offline.finding import Finding, ramp
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.reading import Reading
from agentdebate.offline.source import COPY
from agentdebate.offline.text import Text
from agentdebate.offline.vocabulary import PERSONAL, STOCK_PHRASES

_REPLY_WORDS = 12
"""Words below which a reply has hardly said anything."""


def link(reading: Reading) -> Finding | None:
    """Whether a reply takes up the last turn: shares words with it, or with what was said before."""
    talk, text = reading.conversation, reading.text
    if talk is None or not text.words:
        return None
    last = {stem for stem in reading.last_turn.stems if stem}
    here = [at for at, stem in enumerate(text.stems) if stem in last and stem]
    before = [at for at, stem in enumerate(text.stems) if stem and stem in talk.places]
    shared = len({text.stems[at] for at in here}) + 0.5 * len({text.stems[at] for at in before})
    asked = _first_words(reading.last_turn)
    weak = strong = ""
    if here:
        strong = fill("{} takes up the last turn, {}.", text.quote_around(here[0]), asked)
    elif text.sentences:
        weak = fill(
            "The last turn is {}, and {} does not take it up.", asked, text.quote_sentence(text.sentences[0])
        )
    return Finding("link", ramp(shared, 0.0, 4.0), weak, strong)


def thread(reading: Reading) -> Finding | None:
    """How much of a reply is about what the conversation, or its fact, is about."""
    talk, text = reading.conversation, reading.text
    content = [at for at, stem in enumerate(text.stems) if stem]
    if talk is None or not content:
        return None
    known = set(talk.places) | (set(reading.source.places) if reading.source else set())
    new = [at for at in content if text.stems[at] not in known]
    old = [at for at in content if text.stems[at] in known]
    weak = fill("{} belongs to no subject of this conversation.", text.quote_around(new[0])) if new else ""
    strong = fill("{} keeps to the subject of the conversation.", text.quote_around(old[0])) if old else ""
    return Finding("thread", ramp(len(old) / len(content), 0.2, 0.9), weak, strong)


def knowledge(reading: Reading) -> Finding | None:
    """Whether a reply uses the fact that it was given: words of the fact that the conversation had not used yet."""
    fact, talk, text = reading.source, reading.conversation, reading.text
    if talk is None or not text.words:
        return None
    opening = text.quote_sentence(text.sentences[0])
    if fact is None:
        return Finding("knowledge", 0.0, fill("There is no fact that {} could rest on.", opening))
    new = {stem for stem in fact.places if stem not in talk.places}
    used = [at for at, stem in enumerate(text.stems) if stem in new]
    copies = sum(1 for gram in text.grams(COPY) if gram in fact.grams)
    if not used:
        first = fact.text.quote_sentence(fact.text.sentences[0]) if fact.text.sentences else ""
        return Finding("knowledge", 0.0, fill("{} uses nothing of the fact at hand, {}.", opening, first))
    strong = fill("{} is drawn from the fact that the reply was given.", text.quote_around(used[0]))
    value = ramp(len({text.stems[at] for at in used}) + 0.5 * min(copies, 4), 0.0, 5.0)
    return Finding("knowledge", value, "", strong)


def lively(reading: Reading) -> Finding | None:
    """Whether a reply invites an answer: a question, a word about oneself or the other, something to hold on to."""
    text = reading.text
    if reading.conversation is None or not text.words:
        return None
    asks = "?" in text.raw or "？" in text.raw
    personal = next((at for at, word in enumerate(text.words) if word in PERSONAL), None)
    body = ramp(len([stem for stem in text.stems if stem]), 1, 12)
    value = 0.35 * asks + 0.1 * (personal is not None) + 0.55 * body
    last = text.quote_sentence(text.sentences[-1])
    weak = "" if asks else fill("It ends with {} and asks the other nothing.", last)
    strong = fill("It invites an answer with {}.", _question(text)) if asks else ""
    if not strong and personal is not None and body > 0.5:  # noqa: PLR2004 - half a turn's worth of words
        strong = fill("{} brings something of the speaker's own.", text.quote_around(personal, 5))
    return Finding("lively", value, weak, strong)


def generic(reading: Reading) -> Finding | None:
    """Whether a reply says something that would not fit any other conversation as well."""
    text = reading.text
    if reading.conversation is None or not text.words:
        return None
    phrase = next((each for each in STOCK_PHRASES if f" {each} " in reading.line), None)
    content = [stem for stem in dict.fromkeys(text.stems) if stem]
    value = ramp(len(content), 1, 8) * (0.4 if phrase else 1.0)
    longest = max(text.sentences, key=lambda each: len(text.content(each)))
    weak = ""
    if phrase:
        start = reading.line[: reading.line.index(f" {phrase} ")].count(" ")
        weak = fill("{} would fit any conversation.", text.quote(start, start + len(phrase.split())))
    elif len(content) < _REPLY_WORDS / 2:
        weak = say(text, longest, "{} says so little that it would fit any conversation.")
    strong = (
        "" if weak else say(text, longest, "{} is particular: it fits this conversation and hardly another.")
    )
    return Finding("generic", value, weak, strong)


def echo(reading: Reading) -> Finding | None:
    """Whether a reply only gives back earlier turns word for word."""
    talk, text = reading.conversation, reading.text
    grams = list(text.grams(COPY))
    if talk is None or not grams:
        return None
    said = [at for at, gram in enumerate(grams) if gram in talk.grams]
    weak = fill("{} was said before, in the same words.", text.quote(said[0], said[0] + COPY)) if said else ""
    strong = "" if said else say(text, text.sentences[0], "{} repeats no earlier turn.")
    return Finding("echo", ramp(len(said) / len(grams), 0.5, 0.05), weak, strong)


def fullness(reading: Reading) -> Finding | None:
    """Whether a reply has the length of a turn: no grunt, and no lecture."""
    text = reading.text
    if reading.conversation is None or not text.words:
        return None
    size = len(text.words)
    whole = text.quote(0, size)
    value = min(ramp(size, 2, 22), ramp(size, 120, 60))
    weak = fill(f"With {size} words, {{}} is hardly a turn of its own.", whole) if size < _REPLY_WORDS else ""
    strong = fill(f"{{}} and what follows, {size} words in all, is a full turn.", whole) if not weak else ""
    return Finding("fullness", value, weak, strong)


def _first_words(turn: Text) -> str:
    return turn.quote_sentence(turn.sentences[-1]) if turn.sentences else ""


def _question(text: Text) -> str:
    for sentence in text.sentences:
        end = text.spans[sentence.last - 1][1]
        if text.raw[end : end + 3].strip()[:1] in ("?", "？"):
            return text.quote_sentence(sentence)
    return text.quote_sentence(text.sentences[-1])
