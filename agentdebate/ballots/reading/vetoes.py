"""Whether a choice stands: its sentence may ask, suppose, concede, deny or quote it, or say it for another or of before."""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.choice_words import CONCEDING, FREE
from agentdebate.ballots.reading.citation import is_cited
from agentdebate.ballots.reading.condition import is_supposed
from agentdebate.ballots.reading.disavowal import is_disowned
from agentdebate.ballots.reading.doubt import is_open
from agentdebate.ballots.reading.elsewhere import is_elsewhere
from agentdebate.ballots.reading.first_thought import is_provisional
from agentdebate.ballots.reading.lexicon import ATTRIBUTING, FORCED, NEGATION, OTHER_ASPECTS, OTHERS, PEOPLE
from agentdebate.ballots.reading.names import NOUNS, SIGNS, named
from agentdebate.ballots.reading.outweighed import is_outweighed
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.words import words_of

_SHORT = 9


def is_void(words: Sequence[str], at: int) -> bool:
    """Whether the sentence asks, supposes, concedes, denies or quotes what it says, or says it for another or of before."""
    sentence = sentence_at(words, at)
    if sentence.end + 1 >= len(words) and HARMLESS.issuperset(sentence.words) and words[-1] != "?":
        return False
    return is_void_in_full(words, at)


HARMLESS = SIGNS | words_of(
    ", therefore thus hence overall so is the better best stronger answer response summary output story text my choice winner clearly i prefer choose choosing"
)
"""A last sentence of these alone is void in no way; most that choose are such, and to look for each way takes long."""


def is_void_in_full(words: Sequence[str], at: int) -> bool:
    """As `is_void`, for any sentence."""
    start, end = sentence_start(words, at), sentence_end(words, at)
    sentence, own = words[start:end], clause_before(words, at)
    return (
        words[end : end + 1] == ["?"]
        or _is_supposed(words, at, sentence, words[at:end])
        or _is_quoted(words, start, at)
        or (sentence[0] in CONCEDING and "," not in words[start:at])
        or (_is_of_one_aspect(sentence, words[start:at]) and not _is_other_hand(words, start))
        or _is_denied(own, words[at : at + 4])
        or (is_of_others(own) and "agree" not in own)
        or ("was" in own and not _WAVERING.isdisjoint(own))
        or is_past(own, words[at:end])
        or _is_by_others(sentence)
        or is_elsewhere(sentence, at - start)
        or _is_denied_abroad(sentence)
        or ("least" in sentence and "at" not in sentence)
        or is_open(words, at, start, end)
        or _is_others_act(words[at:end])
        or _is_of_label(words, start, at)
        or _is_claimed(words[at + 1 : end])
        or _is_said_by_text(words, at, start, end)
        or is_provisional(words, at)
        or (sentence[:1] in (["here"], ["there"]) and "doubt" not in sentence)
        or _is_in_others_view(sentence)
        or not _SOMETIMES.isdisjoint(sentence)
        or (sentence[0] in _ADVERBS and sentence[1:2] == [","])
        or _had(own)
        or (sentence[0] in _AT_FIRST and "now" not in sentence and "but" not in sentence)
        or _is_possible(words[at + 1 : end], own)
        or is_cited(words, at)
        or is_disowned(own, words[at + 1 : end], sentence)
        or is_outweighed(words[at + 1 : end])
    )


_WAVERING = frozenset(
    ("going", "tempted", "about", "leaning", "inclined", "choosing", "picking", "voting", "siding", "torn")
)


def _is_in_others_view(sentence: Sequence[str]) -> bool:
    """Whether the sentence opens with whose view it is, and it is another's: "In the critic's view, B is better"."""
    opening = sentence[:6]
    people = not (_OWNERS | PEOPLE | {"referee"}).isdisjoint(opening)
    return people and opening[0] in {"in", "to", "for", "from"} and _SELF.isdisjoint(sentence)


def _had(own: Sequence[str]) -> bool:
    """Whether a clause, the nearest word first, says what the judge had chosen; "if I had to choose" does not."""
    return (
        any(word == "had" and k > 0 and own[k - 1] != "to" for k, word in enumerate(own)) and "now" not in own
    )


_SOMETIMES = frozenset(
    ("maybe", "possible", "conceivable", "sometimes", "arguably", "perhaps", "occasionally", "possibly")
)
_ADVERBS = frozenset(
    ("stylistically", "grammatically", "structurally", "linguistically", "formally", "visually")
)
"""At the head of a sentence: it is about one respect."""


def _is_possible(behind: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a sentence says what could be, and not what is: "one could argue that A is better", "B would be better without it"."""
    if (
        (not _COULD.isdisjoint(own) and _SELF.isdisjoint(own))
        or not _WISHING.isdisjoint(own)
        or own[:2] == ["choose", "could"]
    ):
        return True
    if behind[:1] and behind[0] in _COULD:
        return True
    return behind[:1] == ["would"] and _OWN_CHOICE.isdisjoint(behind)


def _is_supposed(words: Sequence[str], at: int, sentence: Sequence[str], rest: Sequence[str]) -> bool:
    inverted = sentence[:1] != [] and sentence[0] in _INVERTED and "would" in sentence
    supposed = (
        inverted
        or any(pair in _INVERTED_PAIRS for pair in pairwise(rest))
        or is_supposed(words, at)
        or "depending" in sentence
        or any(word in _CONDITIONS and rest[k + 1 : k + 2] not in _IF_ONLY for k, word in enumerate(rest))
    )
    return supposed and not _forced(sentence)


def _is_quoted(words: Sequence[str], start: int, at: int) -> bool:
    """Whether quotation marks are open before a name, unless it alone stands in them."""
    return any(
        words[start:at].count(mark) % 2 == 1
        and not (words[at - 1] == mark and words[at + 1 : at + 2] == [mark])
        for mark in _QUOTES
        if mark == '"' or mark in words[at + 1 : at + _QUOTED]
    )


_QUOTES = ('"', "'")
_QUOTED = 16
"""Words behind a name in which a single mark closes the quotation that it opened; elsewhere it is an apostrophe."""


def _is_of_one_aspect(sentence: Sequence[str], before: Sequence[str]) -> bool:
    """Whether the sentence opens with what it is about: "On style, B is better"."""
    opening = sentence[max((k + 1 for k, word in enumerate(before) if word == ":"), default=0) :]
    if list(opening[:2]) == ["from", "best"] or list(opening[:3]) == ["in", "first", "place"]:
        return False
    if opening[:1] == [] or (opening[0] not in _ABOUT and tuple(opening[:2]) not in _ABOUT_PAIRS):
        return False
    first = next(
        (k for k, word in enumerate(opening) if named(word) is not None or word == ","), len(opening)
    )
    about = opening[1 : max(first, 4)]
    return FREE.isdisjoint(about) and not any(word.isdigit() for word in about) and first > 1


def _is_other_hand(words: Sequence[str], start: int) -> bool:
    """Whether a sentence opens with "on the other hand", and none before it with "on the one hand": two hands weigh, and choose nothing."""
    return list(words[start : start + 4]) == ["on", "the", "other", "hand"] and not any(
        word == "hand" and words[i - 1] == "one" for i, word in enumerate(words[:start])
    )


def _is_denied(own: Sequence[str], behind: Sequence[str]) -> bool:
    if not {"might", "may", "tempted"}.isdisjoint(own) or not NEGATION.isdisjoint(own):
        return True
    if "way" in own and own[own.index("way") + 1 :][:1] == ["no"]:
        return True
    if "longer" in own and own[own.index("longer") + 1 :][:1] == ["no"]:
        return True
    return "not" in behind and behind[behind.index("not") - 1] != "," and behind[1:3] != ["and", "not"]


def _is_of_label(  # noqa: PLR0911 - one for each kind of label
    words: Sequence[str], start: int, at: int
) -> bool:
    """Whether a label before the name says in what respect it holds: "Accuracy: B wins", "Criterion 2: B is better", "Winner on style: B"."""
    colon = next((i for i in range(at - 1, start, -1) if words[i] == ":"), None)
    if colon is None:
        return False
    label = words[start:colon]
    if not _OWNERS.isdisjoint(label) and _SELF.isdisjoint(label):
        return True
    if not _REFEREES.isdisjoint(label[:4]) and _MINE.isdisjoint(label) and _SELF.isdisjoint(label):
        return True
    if any(word == "judge's" and k and label[k - 1] not in {"the", "§"} for k, word in enumerate(label)):
        return True
    if "best" in label and "worst" in label:
        return False
    if is_kept(label) or joins_others(list(reversed(label))):
        return False
    label = label[max((k + 1 for k, word in enumerate(label) if word in {",", "but"}), default=0) :]
    if label[:1] in (["i"], ["i'm"], ["i've"], ["we"]):
        return False
    respect = not (OTHER_ASPECTS | _CRITERIA).isdisjoint(label)
    limited = any(
        word in _ABOUT and FREE.isdisjoint(label[k + 1 : k + 3]) for k, word in enumerate(label) if k
    )
    return respect or limited


def _is_denied_abroad(sentence: Sequence[str]) -> bool:
    """Whether the sentence has a negation of another language: "A ist nicht besser", "A n'est pas meilleur"."""
    if not _NOT_ABROAD.isdisjoint(sentence):
        return not {"sondern", "mais", "sino", "ma", "а", "maar", "mas"} & set(sentence)
    return any(pair in _NOT_BEING for pair in pairwise(sentence))


_NOT_ABROAD = frozenset(
    (
        "nicht",
        "kein",
        "keine",
        "keinen",
        "pas",
        "n'est",
        "nao",
        "niet",
        "не",
        "inte",
        "nunca",
        "jamas",
        "jamais",
        "kaum",
    )
)
_NOT_BEING = frozenset(
    (("no", "es"), ("non", "e"), ("no", "prefiero"), ("no", "elijo"), ("non", "preferisco"), ("nie", "jest"))
)


def is_kept(label: Sequence[str]) -> bool:
    """Whether words before a colon say that the judge still holds what it held: "My position has not changed", "Nothing changed my mind"."""
    if list(label[:2]) in (["same", "as"], ["no", "change"]) or list(label) == ["unchanged"]:
        return True
    if _MINE.isdisjoint(label):
        return False
    changed = not {"changed", "change", "moved", "swayed"}.isdisjoint(label)
    denied = not (NEGATION | {"nothing", "hasn't", "haven't", "no"}).isdisjoint(label)
    return (changed and denied) or not _UNCHANGED.isdisjoint(label)


_REFEREES = frozenset(
    (
        "referee",
        "critic",
        "annotator",
        "reviewer",
        "juror",
        "debater",
        "agent",
        "colleague",
        "gpt",
        "chatgpt",
        "claude",
    )
)
_MINE = frozenset(("me", "my", "i", "i'm", "mine"))
_UNCHANGED = frozenset(("unchanged", "unmoved", "stands", "holds", "same", "firm"))
_OWNERS = frozenset(word for word in OTHERS if word.endswith("'s")) | {"authors", "writers"}
"""Before a colon: the verdict is theirs ("The critic's verdict: B")."""
_CRITERIA = frozenset(("criterion", "aspect", "title", "length", "opening", "ending", "point", "category"))


def _is_claimed(behind: Sequence[str]) -> bool:
    """Whether a text only says so of itself, comes near it, or had a chance."""
    near = {"close", "chance", "nearly", "almost"} & set(behind[:4]) or behind[:2] == ["should", "have"]
    return (
        bool(near)
        or not _CLAIMING.isdisjoint(behind[:2])
        or ("only" in behind and not _ABOUT.isdisjoint(behind[behind.index("only") :]))
    )


_CLAIMING = frozenset(("claims", "calls", "says", "asks", "begs", "declares", "asserts"))


def _is_said_by_text(words: Sequence[str], at: int, start: int, end: int) -> bool:
    """Whether a text that is compared says so itself: "Answer A said B is better", "A insists it is the better answer"."""
    for i in range(start, end):
        if words[i] not in _SPEAKING or not _is_text(words, i, start) or not _tells(words[i + 1 : i + 3]):
            continue
        turn = next((k for k in range(i + 1, end) if words[k] in _TURNS), end)
        if ":" in words[start:at] and not _ASIDE.isdisjoint(words[at:i]):
            continue  # "Winner: A (answer B says it is B)"
        if i < at < turn or (at < i and turn == end):
            return True
    return False


_ASIDE = frozenset("(-[")


def speaks_for_itself(words: Sequence[str], end: int) -> bool:
    """Whether a name heads what its text says of itself: "Answer B: I am better than A"."""
    return words[end : end + 1] == [":"] and (
        words[end + 1 : end + 3] == ["i", "am"] or words[end + 1 : end + 2] == ["i'm"]
    )


def _is_text(words: Sequence[str], verb: int, start: int) -> bool:
    """Whether a text is the subject of a verb."""
    subject = verb - 1
    while subject > start and (
        words[subject].endswith("ly") or words[subject] in NOUNS | {"itself", "also", "even", "then", "just"}
    ):
        subject -= 1
    return subject >= start and (
        named(words[subject]) is not None or (len(words[subject]) == 1 and words[subject] not in {"i", ","})
    )


def _tells(behind: Sequence[str]) -> bool:
    """Whether what a verb of saying has for its object is a sentence, and no fact that the text states."""
    return behind[:1] != [] and (
        behind[0] in _CONTENT or named(behind[0]) is not None or behind[1:2] in (["is"], ["wins"])
    )


_SPEAKING = words_of(
    "say says said claim claims claimed write writes wrote insist insists insisted state states stated argue argues argued assert asserts asserted declare "
    "declares declared maintain maintains announce announces announced boast boasts boasted brag brags tell tells told reads read suggests suggested proclaims "
    "proclaimed ends ended closes concludes concluded begins opens praises praised calls called recommends recommended asks begs asked thinks believes swears "
    "promises contends quotes contains adds added repeats keeps"
)
"""Verbs of what a text says."""
_CONTENT = frozenset("\"':,(") | words_of(
    "that it its itself to i you me us the with by we this how choose pick vote select"
)
_TURNS = words_of("but however yet though although so therefore thus hence ;")
"""Where the judge goes on in its own words."""


def is_attribute(words: Sequence[str], at: int) -> bool:
    """Whether a name only says whose something is: "the style of B"."""
    i = at - 1
    while i > 0 and words[i] in {"the", '"'}:
        i -= 1
    return (
        i > 0
        and words[i] in {"of", "in", "from"}
        and words[i - 1].isalpha()
        and words[i - 1] not in _OF_WHOLE
    )


_OF_WHOLE = NOUNS | words_of(
    "side favor favour quality performance that those ahead front instead choice both all one out version case respect"
)


def _is_others_act(rest: Sequence[str]) -> bool:
    """Whether somebody else has done what is said of a name: "B was chosen by the others"."""
    people = OTHERS | PEOPLE | {"those"}
    return any(rest[k] == "by" and not people.isdisjoint(rest[k + 1 : k + 4]) for k in range(len(rest)))


def _is_by_others(sentence: Sequence[str]) -> bool:
    """Whether the sentence is according to somebody else; according to the criteria it is the judge's own."""
    return list(sentence[:2]) == ["according", "to"] and _RULES.isdisjoint(sentence[:6])


_INVERTED = frozenset(("had", "were", "without", "should"))
_INVERTED_PAIRS = frozenset((("were", "it"), ("had", "it"), ("were", "they"), ("should", "it")))
"""Behind a name: "I would vote for A were it shorter"."""
_WISHING = frozenset(("expected", "wanted", "wish", "wished", "hoped", "hope", "used", "once"))
_COULD = frozenset(("could", "might", "may"))
_SELF = frozenset(("i", "i'd", "we"))
_OWN_CHOICE = frozenset(("my", "i", "i'd", "choice", "pick", "winner", "preferred", "preference", "chosen"))
_IF_ONLY = (["only"], ["slightly"], ["marginally"], ["just"], ["narrowly"])
"""Behind "if": it is so, by little."""
_CONDITIONS = frozenset(("if", "unless", "depending", "whether"))
_ABOUT = frozenset(
    ("to", "on", "in", "for", "regarding", "concerning", "with", "when", "where", "from", "under", "within")
)
_ABOUT_PAIRS = frozenset(
    [
        ("as", "for"),
        ("as", "far"),
        ("as", "regards"),
        ("as", "to"),
        ("as", "a"),
        ("as", "an"),
        ("judged", "by"),
    ]
)
_RULES = frozenset(("my", "criteria", "instruction", "rubric", "these", "this"))


def _forced(sentence: Sequence[str]) -> bool:
    """Whether the only condition is that the judge has to choose."""
    return any(
        word in {"if", "when"}
        and (_is_forcing(sentence[k + 1 : k + 5]) or _is_own_act(sentence[k + 1 : k + 3]))
        for k, word in enumerate(sentence)
    )


def _is_own_act(behind: Sequence[str]) -> bool:
    """Whether "if" opens what the judge does in judging, and not another case: "if I rank them", "if we weigh everything"."""
    return behind[:1] != [] and behind[0] in {"i", "we"} and not _ACTS.isdisjoint(behind[1:])


_ACTS = frozenset(("rank", "compare", "weigh", "consider", "add", "sum", "take", "look", "balance"))


_AFTER_WERE = FORCED | {"to"}


def _is_forcing(behind: Sequence[str]) -> bool:
    """Whether words behind "if" say that the judge, or a choice, has to be made; "if the task had been another" does not."""
    if FORCED.isdisjoint(behind[:4]) or "about" in behind:
        return False
    if "were" in behind and _AFTER_WERE.isdisjoint(behind[behind.index("were") + 1 :][:1]):
        return False
    return behind[0] in FORCED | {"i", "we", "one"} or not {"choice", "decision", "winner"}.isdisjoint(behind)


def clause_before(words: Sequence[str], at: int) -> list[str]:
    """The words of the clause before a place, the nearest first; a colon ends it as well."""
    own: list[str] = []
    for word in clause.before(words, at):
        if word == ":":
            break
        own.append(str(word))
    return own


def joins_others(own: Sequence[str]) -> bool:
    """Whether a clause, the nearest word first, says that the judge is with others: "I am with those who prefer", "count me among"."""
    said = list(reversed(own))
    with_them = any(
        word in _JOINING
        or (
            word in {"with", "among"}
            and k > 0
            and (said[k - 1] in {"i'm", "me", "stand"} or said[max(k - 2, 0) : k] == ["i", "am"])
        )
        for k, word in enumerate(said)
    )
    return with_them and not {"i", "i'm", "me", "i'd", "i'll"}.isdisjoint(own) and NEGATION.isdisjoint(own)


_JOINING = frozenset(("agree", "concur", "join", "side", "sided", "joining", "agreement"))


def is_of_others(own: Sequence[str]) -> bool:
    """Whether a clause, the nearest word first, gives its choice to somebody else."""
    if joins_others(own) or ("me" in own and not {"convinced", "persuaded"}.isdisjoint(own)):
        return False
    for distance, word in enumerate(own):
        if word == "my" and distance and (own[distance - 1].endswith("'s") or own[distance - 1] in PEOPLE):
            return True
        if word in {"i", "i'd", "we", "my", "i'll", "i'm"}:
            return False
        near = distance < 3 or not (ATTRIBUTING | _THAT).isdisjoint(own)  # noqa: PLR2004 - a subject is near its verb
        if (word in OTHERS or word in {"authors", "writers"}) and near:
            # "I agree with the critic that B is better" is the judge's own.
            return _SELF.isdisjoint(own[distance:]) or "agree" not in own[distance:]
        if word in ATTRIBUTING and word not in {"thinks", "gave", "assigned"}:
            return True
    return False


def is_past(own: Sequence[str], rest: Sequence[str]) -> bool:
    """Whether the words before a name, or behind it, speak of an earlier time."""
    # Behind "but" the sentence speaks of another time: "I initially leaned toward A, but I now choose B".
    rest = rest[: next((k for k, word in enumerate(rest) if word in _CONTRASTING), len(rest))]
    words = [*own, *rest[:8]]
    if not _KEEPING.isdisjoint(own) and not _SELF.isdisjoint(own):
        # "I stand by my earlier choice of B", "I agree with the previous speaker".
        return False
    if "now" in words or "final" in words:
        return False
    if "last" in own and "time" in own:
        return True
    past = {"initially", "originally", "previously", "earlier", "initial", "previous", "before", "former"}
    return not past.isdisjoint(words) or ("first" in own and not _ONCE.isdisjoint(own))


_CONTRASTING = frozenset(("(", "but", "however", "yet"))
_AT_FIRST = frozenset(("initially", "originally", "previously", "earlier"))
_KEEPING = frozenset(("stand", "stick", "stay", "keep", "maintain", "uphold", "agree", "remain"))
_THAT = frozenset(("that", "would"))
_ONCE = frozenset(
    ["at", "chose", "went", "voted", "preferred", "picked", "thought", "was", "favoured", "leaned", "had"]
)
"""With "first", these speak of what the judge did before."""


def finality_of(words: Sequence[str], at: int, least: Finality) -> Finality:
    """How final a sentence's choice is: more so where it concludes, or is the whole first sentence of the reply."""
    if least == Finality.HINT:
        return least
    start = sentence_start(words, at)
    opening = start == 0 and at < _SHORT
    return Finality.FORM if opening or clause.concludes(words, at) or "so" in words[start:at] else least
