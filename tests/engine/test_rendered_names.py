"""No form and no turn runs a name together with the words beside it."""

import re

import pytest

from agentdebate.agents.subject import Subject
from agentdebate.ballots.lineup import Candidate, Player, ballot_lines
from agentdebate.project.project import Project
from agentdebate.prompts.foreign_text import fenced
from agentdebate.prompts.prompts import Prompts
from agentdebate.tasks import Aspect, Item, Scale

PROMPTS = Prompts(Project())
PARTS = sorted(name for name in Project().names("prompts/parts") if name.startswith("form-"))
TURNS = sorted(Project().names("prompts/turns"))
SCALE = Scale(low=0, high=10)
ASPECTS = tuple(
    Aspect(name=name, scale=SCALE, criterion="How good is it?", label=name.upper())
    for name in ("qax", "qbx", "qcx")
)
CANDIDATES = tuple(Candidate(f"answer_{at}", f"QLabel{at}Q") for at in (1, 2, 3))
EVALUATORS = tuple(
    {"name": f"QEval{at}Q", "low": 0, "high": 1, "premise": "", "better": "higher", "about": ""}
    for at in (1, 2)
)
PLAYERS = (Player("QReaderOneQ", "x"), Player("QReaderTwoQ", "y"))


def run_together(text: str) -> list[str]:
    """Names with a letter or a digit right before or behind them; keys of JSON go on with an underscore."""
    names = r"QLabel\dQ|QEval\dQ|QReader(?:One|Two)Q|Q[ABC]X|q[abc]x"
    return re.findall(rf"[^\W_]+(?:{names})|(?:{names})[^\W_]+", text)


@pytest.mark.parametrize("candidates", [(), CANDIDATES[:2], CANDIDATES], ids=len)
@pytest.mark.parametrize("aspects", [ASPECTS[:1], ASPECTS[:2], ASPECTS], ids=len)
@pytest.mark.parametrize("judged", [{}, {"rank": True}, {"choice": True}], ids=str)
def test_no_name_runs_together_with_a_word(
    judged: dict[str, bool], aspects: tuple[Aspect, ...], candidates: tuple[Candidate, ...]
) -> None:
    asked = tuple(aspect.model_copy(update=judged) for aspect in aspects)
    lines = ballot_lines(asked, candidates)
    task = PROMPTS.task("comparison" if candidates else "summarization")
    item = Item(task=task.name, fields={})
    subject = Subject(task, item, asked, PROMPTS, candidates, lines)
    given = {"evaluators": EVALUATORS, "coarse": 1, "fine": 1, "plan": "x", "to": "critic"}
    texts = [subject.ending(part, given=given, roles=2, players=PLAYERS) for part in PARTS]
    told = {
        "form": "QLabel1Q",
        "heard": 1,
        "round": 1,
        "title": "QEval1Q",
        "task": task,
        "given": given,
        "wanted": subject.wanted,
    }
    players = [fenced(player.title, player.description) for player in PLAYERS]
    texts += [
        PROMPTS.turn(name).render(aspects=asked, candidates=candidates, players=players, **told)
        for name in TURNS
    ]
    texts.append(PROMPTS.relay("open").render(aspects=asked, messages=(), **told))
    assert [found for text in texts for found in run_together(text)] == []


def test_a_name_that_ran_into_a_word_would_be_found() -> None:
    assert run_together("Each of QLabel1Q and QLabel2Qstands in it") == ["QLabel2Qstands"]


@pytest.mark.parametrize("part", ["form-ranking-schema", "form-approval-schema"])
def test_one_key_has_no_each(part: str) -> None:
    subject = Subject(
        PROMPTS.task("comparison"),
        Item(task="comparison", fields={}),
        ASPECTS[:1],
        PROMPTS,
        CANDIDATES,
        ballot_lines(ASPECTS[:1], CANDIDATES),
    )
    assert "comes one key with a list of" in subject.ending(part)
