"""Whatever a model replies, and whatever text is judged, is read in time that grows with it: deadlines and Ctrl-C wait for no reader.

A table: all readers, crossed with units of text that have been known to be read in quadratic time or worse. A reader
that is added belongs in READERS.
"""

import asyncio
import json
from collections.abc import Callable

import pytest
from cpu_time import grows_evenly
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import read_reply
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.confidence import confidence, places, stated_confidence
from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.ballots.kinds import ballot_kind
from agentdebate.ballots.lineup import Candidate, Player, ReplySpec, ballot_lines
from agentdebate.ballots.plain import LONGEST, bounded
from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.poll import read_poll
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.outcome import declines
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.ballots.roster import read_roster
from agentdebate.ballots.sheet import score_places
from agentdebate.embedders.tfidf import open_tfidf
from agentdebate.errors import DataError
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.bleu import bleu
from agentdebate.evaluators.chrf import chrf
from agentdebate.evaluators.rouge import rouge_1, rouge_l
from agentdebate.meta.replies import AspectReplies, choice_replies, score_replies
from agentdebate.models.base import ChatMessage, Completion, Context, Heard, ModelRequest, TokenLogprob
from agentdebate.models.dialects.problems import read_problem
from agentdebate.models.http import Answer
from agentdebate.offline.model import OfflineJudge
from agentdebate.prompts.foreign_text import fenced
from agentdebate.tasks import Aspect, Item, Scale, Task

SIZE = 5 * LONGEST
"""Characters of a reply or of a text under judgement, of which not all is read, nor of a quarter of it."""
WHOLE = LONGEST // 4
"""Characters of a reply that is read in whole."""
SCALE = Scale(low=1, high=5)
COHERENCE, FLUENCY = (Aspect(name=name, scale=SCALE, criterion="-") for name in ("coherence", "fluency"))
ASPECTS = (COHERENCE, FLUENCY)
CANDIDATES = (Candidate("one", "Summary A"), Candidate("two", "Summary B"))
PLAYERS = ("General public", "Critic", "News editor")
EVALUATORS = ("rouge-l", "bleu")

UNITS = [
    "1", "[", "(", "(1a", "{", "}", '"', "'", "“", "\\", "\\a{", "```\n", "*", "_", "`", "# ", "|", "| 4 ", "|-", "~~", "> ", "- ", "a-",
    "not ", "score of ", "words and more words ", "\u0301", "e\u0301", "\ud800", "\ufdfa", "²", "٤", "\u2028", "我", "\n", " \n", " ", "\t",
    ", ", ": ", ". ", "1.", "1/", "1-", "4 4 ", "1e999 ", "[[", "[[4", '{"', '[{"', '{"a":', '{"coherence": 4, ', "<", "<a ", "<think>", "&",
    "coherence ", "coherence: 4\n", "Summary A ", "vote: ", "Critic: ", "1. Critic: a\n", "type: a description: ", "no issue ", "i ", "if ", "A. B", "q\nq",
    "$4", "from 3 to ", "sorry, i meant ", "the text says: ", "“a”", "1 + 1 = ", "\ufffd",
]  # fmt: skip
"""What a reply or a text may be made of, many times."""


def completion(text: str, *, logprobs: bool = False) -> Completion:
    tokens = [text[at : at + 20] for at in range(0, len(text), 20)] if logprobs else []
    likely = tuple(TokenLogprob(token=one, logprob=-0.1, top=((one, -0.1), ("4", -2.0))) for one in tokens)
    return Completion(text=text, model="m", others=(text,), logprobs=likely or None)


def reply(kind: str) -> Callable[[str], object]:
    single = kind in {"expected", "poll"}
    spec = ReplySpec(
        aspects=(COHERENCE,) if single else ASPECTS,
        lines=ballot_lines((COHERENCE,) if single else ASPECTS, ()),
        candidates=CANDIDATES if kind == "poll" else (),
        players=tuple(Player(title, "-") for title in PLAYERS) if kind == "poll" else (),
        given={"coarse": 2, "fine": 2, "evaluators": [{"name": name} for name in EVALUATORS]},
    )
    return lambda text: read_reply(reply_kind(kind), completion(text, logprobs=single), spec)


def paper(kind: str) -> Callable[[str], object]:
    """A ballot's reader, with a text under judgement that is the reply itself."""
    found = ballot_kind(kind)
    aspects = found.asked((COHERENCE,))
    candidates = CANDIDATES if found.compares else ()
    lines = ballot_lines(aspects, candidates)
    return lambda text: found.read(
        text, ReplySpec(aspects, lines, candidates, text=text), structured=False, cut_off=False
    )


SCORED = Ballot(ratings=(Rating(aspect="coherence", score=4),))


def replied(how: str) -> Callable[[str], object]:
    asked = [AspectReplies("coherence", "reply", SCALE)]
    return score_replies(asked, how)["coherence"].judgement


def chosen(text: str) -> object:
    return choice_replies("overall", r"pattern=\[\[([ABC])\]\]").judgement(text)


def tokens_of(text: str) -> list[str]:
    return [text[at : at + 5] for at in range(0, len(text), 5)]


def expectation_of(text: str) -> object:
    tokens = [TokenChoice(token, {token: -0.1, "4": -1.0}) for token in tokens_of(text)]
    return expected(tokens, text, 4.0, SCALE)


def judged(purpose: str, kind: str) -> Callable[[str], object]:
    """The offline judge's turn over a text that is all of the item, and all that was said before."""
    task = Task(name="t", fields=("source", "summary"), judged="summary", aspects=ASPECTS, brief="")

    def judge(text: str) -> object:
        heard = tuple(Heard(name, what, text) for name, what in HEARD)
        given = {"coarse": 2, "fine": 2, "evaluators": [{"name": name} for name in EVALUATORS]}
        item = Item(fields={"source": text, "summary": text}, id="1")
        lines = ballot_lines(ASPECTS, ())
        context = Context(
            task, item, ASPECTS, purpose, kind, "scorer", "scorer", 2, heard, lines=lines, given=given
        )
        return asyncio.run(
            OfflineJudge().complete(ModelRequest((ChatMessage("user", "-"),), context=context))
        )

    return judge


HEARD = [("scorer", "score"), ("critic", "critique"), ("b", "statement"), ("b", "evidence"), ("p", "plan")]
TURNS = [("score", "score"), ("revise", "score")]


def evaluated(evaluator: Evaluator) -> Callable[[str], object]:
    return lambda text: asyncio.run(evaluator.score([Pair(("the cat sat on the mat",), text)]))


READERS: dict[str, Callable[[str], object]] = {
    "scores": lambda text: read_scores(text, ASPECTS),
    "a score": lambda text: read_scores(text, [COHERENCE]),
    "a choice": lambda text: read_choice(text, [one.label for one in CANDIDATES]),
    "broken JSON of a score": lambda text: read_scores('{"coherence": 4, "reason": "' + text[: LONGEST - 99], [COHERENCE]),
    "a ranking": paper("ranking"),
    "an approval": paper("approval"),
    "points": paper("points"),
    "error spans": paper("spans"),
    "a stated confidence": stated_confidence,
    "the places of scores": lambda text: score_places(text, ballot_lines((COHERENCE,), ()), SCORED),
    "a critic's reply": lambda text: read_critic(text, prompt=(text[1:],)),
    "a refusal": declines,
    "a vote": lambda text: read_poll(text, (), CANDIDATES),
    "a poll": lambda text: read_poll(text, PLAYERS, CANDIDATES),
    "a poll's broken JSON": lambda text: read_poll('{"vote": "Summary A' + text[: LONGEST - 99], (), CANDIDATES),
    "a roster": lambda text: read_roster(text, 4),
    "a roster's broken JSON": lambda text: read_roster('{"role_1": {"type": "a' + text[: LONGEST - 99], 1),
    "a plan": lambda text: read_plan(text, ASPECTS, EVALUATORS),
    "a confidence": lambda text: confidence([(one, -0.1) for one in tokens_of(text)], text, [(5, len(text) - 5)]),
    "a confidence that fails": lambda text: confidence([("x" + one, -0.1) for one in tokens_of(text)], text, [(5, 9)]),
    "an alignment of unknown characters": lambda text: places(["\ufffd"] * (len(text) // 3), text),
    "an expectation": expectation_of,
    **{f"a reply: {kind}": reply(kind) for kind in ("critique", "expected", "plan", "roster")},
    **{f"meta's replies: {how}": replied(how) for how in ("auto", "pattern={aspect}[: ]{0,3}([0-9])")},
    "meta's choices": chosen,
    "an endpoint's problem": lambda text: read_problem(
        Answer(400, {}, json.dumps({"error": {"message": text, "param": text, "code": text}}).encode())
    ),
    "a fence": lambda text: fenced("t", text),
    **{f"the offline judge: {purpose}": judged(purpose, kind) for purpose, kind in TURNS},
    **{one.name: evaluated(one) for one in (rouge_1(""), rouge_l(""), bleu(""), chrf(""))},
    "tf-idf": lambda text: asyncio.run(open_tfidf("").embed([text, "the cat"])),
}  # fmt: skip


def line_of(unit: str, size: int) -> str:
    """The unit many times, between words."""
    return f"Score: {unit * (size // len(unit))} z"


def lines_of(unit: str, size: int) -> str:
    line = unit * (80 // len(unit) + 1) + "\n"
    return line * (size // len(line))


def is_steep(read: Callable[[str], object], unit: str, *, long: bool = False) -> bool:
    """Tell whether reading the unit many times takes longer than in proportion, wherever a step in the time may lie."""
    read("The first call imports what it needs.")
    whole = any(grows_evenly(lambda size: read(line_of(unit, size)), size) for size in (WHOLE, 2 * WHOLE))
    return not (whole and (not long or grows_evenly(lambda size: read(lines_of(unit, size)), SIZE)))


@pytest.mark.parametrize("name", READERS)
def test_no_reader_takes_longer_than_in_proportion_over_any_unit(name: str) -> None:
    assert [unit for k, unit in enumerate(UNITS) if is_steep(READERS[name], unit, long=k % 8 == 0)] == []


def test_a_reader_that_looks_back_to_the_start_at_every_place_is_noticed() -> None:
    """Or the test above could not fail."""
    assert is_steep(lambda text: [text[:at].split("4") for at in range(0, len(text), 16)], "[[4")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Coherence: 4\n" + "Many words.\n" * 15_000, 4),
        ("Many words.\n" * 15_000 + "Coherence: 4", 4),
        ("Many words.\n" * 15_000 + "Coherence: 4\n" + "Many words.\n" * 15_000, None),
        ("Many words. " * 15_000 + "Coherence: 4", None),
        ("1" * 100_000 + " 4", None),
        ("\n" * 100_000 + "Coherence: 4", 4),
        ("Coherence: 4\nCoherence: 3" + "\nMany words." * 15_000, None),
        ('{"reason": "' + "Many words. " * 15_000 + '", "coherence": 4}', 4),
    ],
)
def test_a_long_reply_is_read_at_its_ends_or_refused(reply: str, expected: float | None) -> None:
    assert read_scores(reply, [COHERENCE]).scores.get("coherence") == expected


@given(st.text(st.sampled_from("a1 \n|-#`\u2028"), max_size=300), st.integers(1, 400))
@settings(deadline=None, max_examples=50)
def test_an_excerpt_holds_whole_lines_of_the_reply(line: str, times: int) -> None:
    reply = (line + "\n") * times * 40
    part = bounded(reply)
    assert len(part) <= LONGEST + 2
    assert {*part.split("\n")} <= {*reply.split("\n"), ""}


def test_longest_common_subsequences_of_long_texts_are_an_error_and_not_hours() -> None:
    evaluator = rouge_l("")
    with pytest.raises(DataError, match="takes too long"):
        asyncio.run(evaluator.score([Pair(("word " * 20_000,), "word " * 20_000)]))
