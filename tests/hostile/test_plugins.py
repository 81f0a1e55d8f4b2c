"""What packages register and what goes wrong in it: errors that name the thing, never a crash or a silently wrong verdict."""

import json
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.ballots.merge import MergeContext, Merged
from agentdebate.cli.app import run as command
from agentdebate.errors import MergeFailed, StrategyError, UsageError
from agentdebate.plugins import registered
from agentdebate.strategies.histories import history_rule
from agentdebate.strategies.stops import stop_rule
from agentdebate.testing import replying

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
from packages import install

ITEM = ad.Item(
    id="i", task="summarization", fields={"source": "The bridge closes.", "summary": "A bridge closes."}
)

Capsys = pytest.CaptureFixture[str]
MODEL = replying(lambda request: "So be it.\n\nFluency: 4")
EVIL = '''
"""A package in which everything is wrong."""
import math
from dataclasses import dataclass
from typing import Any
import agentdebate as ad

def raises(*seen, **options):
    raise RuntimeError("it broke")

@dataclass(frozen=True, slots=True, kw_only=True)
class Charges(ad.talk.Reply):
    kind = "charges"
    claims: tuple[str, ...] = ()
    def line(self):
        raise RuntimeError("it broke")

@dataclass(frozen=True, slots=True, kw_only=True)
class Thing(ad.talk.Message):
    kind = "thing"
    what: Any = None

def reply(read, **more):
    return ad.agents.ReplyKind(Charges, read, form="Say something.", **more)

RAISES, NOTHING = reply(raises), reply(lambda completion, spec: None)
OTHER = reply(lambda completion, spec: {"text": "x", "claims": 7})
SENDER = reply(lambda completion, spec: {"text": "x", "sender": "floor"})
CHECK = reply(lambda completion, spec: {"text": "x"}, check=raises)
FINE = reply(lambda completion, spec: {"text": completion.text})

@dataclass(frozen=True, slots=True, kw_only=True)
class Number(ad.ballots.Given):
    kind = "number"
    value: float
    usual: str = "by default"
    @property
    def ratings(self):
        return (ad.ballots.Rating(aspect=self.aspect, score=self.value),)

def ballot(name, *values, aspect="", read=None, **more):
    def reader(text, spec, *, structured, cut_off):
        return ad.ballots.BallotPaper(tuple(Number(aspect=aspect or spec.aspects[0].name, value=one) for one in values), text)
    return ad.ballots.BallotKind(name=name, given=Number, read=read or reader, form="A number.", **more)

NUMBER = ballot("number", 3)
NAN, OFF, STRANGE = ballot("nan", math.nan), ballot("off", 99), ballot("strange", 3, aspect="zeal")
BROKEN, NONE, MISNAMED = ballot("broken", read=raises), ballot("none", read=lambda text, spec, **how: None), ballot("else", 3)
JUDGED = ballot("judged", 3, judged=raises)

def untyped(rounds, context, *, most: "NoSuchType" = 3):
    return None

class Unfinished(ad.ballots.MergeRule):
    most: int = 1

class Shifted(ad.ballots.MergeRule):
    by: float = 0.0
    def __call__(self, ballots, context):
        return [column.rating(max(column.scores) + self.by) for column in context.columns(ballots)]

FEWER, MORE = (lambda *_: []), (lambda ballots, context: [*Shifted()(ballots, context)] * 2)
NUMBERS = lambda *_: [3.0]
OTHERS = lambda *_: [ad.ballots.Rating(aspect="tone", score=1), ad.ballots.Rating(aspect="coherence", score=1)]
'''
POINTS = {
    "agentdebate.talk.messages": {"charges": "evil:Charges", "thing": "evil:Thing"},
    "agentdebate.ballots": {
        name: f"evil:{name.upper()}"
        for name in ("number", "nan", "off", "strange", "broken", "none", "misnamed", "judged")
    },
    "agentdebate.stops": {"broken": "evil:raises", "untyped": "evil:untyped"},
    "agentdebate.histories": {"broken": "evil:raises", "odd": "odd:it"},
    "agentdebate.merges": {
        "unfinished": "evil:Unfinished", "odd": "odd:it", "missing": "evil:missing", "broken": "evil:raises", "shifted": "evil:Shifted",
        **{name: f"evil:{name.upper()}" for name in ("fewer", "more", "numbers", "others")},
    },
    "agentdebate.strategies": {"odd": "odd:it"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is installed, and one whose module raises as it is imported."""
    install(tmp_path, monkeypatch, "odd", "raise ValueError('not today')", {})
    install(tmp_path, monkeypatch, "evil", EVIL, POINTS)


class Panel(ad.strategies.BallotStrategy):
    """Asks for a reply, if one is named, and for ballots."""

    reply: str = ""
    cast: Mapping[str, ad.strategies.Cards] = {"judges": ("scorer", "general-public")}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        judges = floor.cast("judges")
        if self.reply:
            form = getattr(import_module("evil"), self.reply.upper())
            said = await floor.ask(judges[0], ad.talk.Purpose("speak", ad.talk.Reply, form))
            await floor.tell(said, to=judges)
        return floor.merged(await floor.ask_all(judges, self.casting(ad.talk.purposes.VOTE)))


async def judged(strategy: ad.strategies.Strategy) -> ad.Verdict:
    return await ad.debate(ITEM, strategy, model=MODEL, aspects="fluency")


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("raises", "`read` of the kind of reply 'charges' raised RuntimeError: it broke"),
        ("nothing", "a Charges of what `read` of the kind of reply 'charges' gave raised TypeError"),
        ("other", r"`read` of .* gave raised WrongValue: Charges\(...\), 'claims': it is a list, not 7"),
        ("sender", "`read` of the kind .* gave raised TypeError: .* multiple values for .* 'sender'"),
        ("check", "`check` of the kind of reply 'charges' raised RuntimeError: it broke"),
    ],
)
async def test_a_kind_of_reply_that_does_wrong_fails_its_debate_by_name(reply: str, says: str) -> None:
    with pytest.raises(StrategyError, match=says):
        await judged(Panel(reply=reply))


@pytest.mark.parametrize(
    ("ballot", "says"),
    [
        ("nan", "gave nan for fluency, which is not a finite number"),
        ("off", "gave 99 for fluency, which lies off its scale: 1 to 5"),
        ("strange", "rated zeal: it has to rate each of these once: fluency"),
        ("broken", "the reader of the kind of ballot 'broken' raised RuntimeError: it broke"),
        ("none", "returned None: it returns a BallotPaper or a Problem"),
    ],
)
async def test_a_kind_of_ballot_that_does_wrong_fails_its_debate_by_name(ballot: str, says: str) -> None:
    with pytest.raises(StrategyError, match=says):
        await judged(Panel(ballot=ballot))


def test_a_stop_rule_whose_options_cannot_be_read_is_refused() -> None:
    with pytest.raises(
        UsageError, match="types of its options cannot be told: name 'NoSuchType' is not defined"
    ):
        stop_rule("untyped")


async def test_a_stop_rule_that_raises_fails_the_debate_by_name() -> None:
    debaters = {"debaters": ("general-public", "reviewer")}
    talk = ad.strategies.SimultaneousTalk(rounds=2, stop="broken", cast=debaters)
    with pytest.raises(StrategyError, match="the stop rule 'broken' raised RuntimeError: it broke"):
        await judged(talk)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("unfinished", "a MergeRule that merges nothing: give it a __call__"),
        ("odd", "cannot be imported: ValueError: not today; fix the package, or uninstall it"),
        ("missing", "cannot be imported: AttributeError"),
    ],
)
def test_a_merge_that_cannot_be_one_is_refused(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        ad.merge([], name)


TWO_ASPECTS = ad.load_task("summarization").choose(["fluency", "coherence"])
BALLOTS = [
    ad.ballots.Ballot(
        ratings=tuple(
            ad.ballots.Rating(aspect=one.name, score=score)
            for one, score in zip(TWO_ASPECTS, scores, strict=True)
        )
    )
    for scores in ((4, 2), (3, 5))
]
ABOUT = MergeContext(aspects=TWO_ASPECTS, agents=("ann", "ben"), rounds=2)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("broken", "merge 'broken' raised RuntimeError: it broke"),
        ("numbers", "merge 'numbers' gave 3.0: a merge gives ratings"),
        ("more", "rated fluency, coherence, fluency, coherence: it has to rate each of these once"),
        ("others", "merge 'others' rated tone, coherence: it has to rate each"),
        ({"rule": "shifted", "by": math.nan}, "option 'by'"),
        ({"rule": "shifted", "by": 3}, "gave 7 for fluency, which lies off its scale: 1 to 5"),
        ({"rule": "shifted", "by": "much"}, "merge 'shifted', option 'by': .*not 'much'"),
        ({"rule": "fewer", "by": 1}, "merge 'fewer' has no option 'by'"),
    ],
)
def test_a_merge_that_does_wrong_is_told_by_name(how: Any, says: str) -> None:
    with pytest.raises((MergeFailed, UsageError), match=says):
        ad.merge(BALLOTS, how, context=ABOUT)


def test_the_fields_of_a_merge_are_its_options() -> None:
    merged = ad.merge(BALLOTS, {"rule": "shifted", "by": -1}, context=ABOUT)
    assert isinstance(merged, Merged)
    assert [(one.name, one.score) for one in merged.ratings] == [("fluency", 3), ("coherence", 4)]


def test_a_module_that_raises_as_it_is_imported_is_a_users_error_everywhere(capsys: Capsys) -> None:
    with pytest.raises(UsageError, match="not today"):
        history_rule("odd")
    Path("strategies").mkdir()
    Path("strategies/odd.toml").write_text('name = "odd"\nabout = "x"\nuses = "odd"\n')
    words = ["score", "odd", "--task", "summarization", "-f", "source=a", "-f", "summary=b"]
    assert command(words) == 2
    assert "'uses': odd:it of the package 'evil', which is registered as 'odd'" in capsys.readouterr().err
    assert command(["list", "merges", "--json"]) == 0  # which shows what is broken beside the others
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert rows["odd"]["about"].startswith("broken: odd:it of the package 'evil'")
    assert "error" not in rows["average"]


class Ending(ad.strategies.Strategy):
    """Ends with whatever it is given."""

    how: str
    cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        def computed(*ratings: tuple[str, float]) -> ad.Verdict:
            made = [ad.ballots.Rating(aspect=name, score=score) for name, score in ratings]
            return floor.computed(made, how="x")

        if self.how == "weights":
            return floor.merged(
                [await floor.ask(floor.one("scorer"), ad.talk.purposes.SCORE)], "weighted", weights=[math.nan]
            )
        wrong: Any = 7
        ends: dict[str, Callable[[], ad.Verdict]] = {
            "nothing": computed,
            "nan": lambda: computed(("fluency", math.nan)),
            "stranger": lambda: computed(("zeal", 3)),
            "ended": lambda: replace(computed(("fluency", 3)), ended=wrong),
            "winner": lambda: replace(computed(("fluency", 3)), winners=("summary",)),
            "silent": lambda: floor.abstained(" "),
            "both": lambda: replace(computed(("fluency", 3)), abstained="unsure"),
            "reason": lambda: floor.computed([ad.ballots.Rating(aspect="fluency", score=3)], how=7),  # type: ignore[arg-type]
        }
        return ends[self.how]()


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("nothing", r"does not fit its item, .*: it rates these, each once .* or abstains: fluency"),
        ("nan", "does not fit its item, fluency nan"),
        ("stranger", "does not fit its item, zeal 3"),
        ("ended", "returned no verdict: Verdict.ended: it is text, not 7"),
        ("winner", "does not fit its item, winner summary.*: none are compared"),
        ("silent", "say in a sentence why the debate declines to judge"),
        ("both", "does not fit its item, abstained: unsure"),
        ("weights", "the ballots cannot be merged: weights are finite.*these are nan"),
    ],
)
async def test_a_strategy_that_ends_with_no_verdict_on_its_item_fails_the_debate(how: str, says: str) -> None:
    with pytest.raises(StrategyError, match=says):
        await judged(Ending(how=how))


class Announcing(ad.strategies.Strategy):
    """Says something that is no JSON."""

    cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        from evil import Thing  # type: ignore[import-not-found]

        await floor.announce(Thing(sender="floor", to=(), what=object()))
        return floor.abstained("nobody judges here")


async def test_a_message_that_json_cannot_hold_fails_its_debate_and_names_the_message() -> None:
    async with ad.evaluate([ITEM], Announcing(), model=MODEL, aspects="fluency", store="s.db") as records:
        (failure,) = [record.failure async for record in records]
    assert failure is not None
    assert failure.reason.startswith(
        "message 2, of the kind 'thing' and sent by floor, cannot be stored as JSON"
    )


def test_a_package_that_comes_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "late" not in registered("agentdebate.models")
    install(tmp_path, monkeypatch, "late", "", {"agentdebate.models": {"late": "late:it"}})
    assert registered("agentdebate.models")["late"].value == "late:it"


def test_two_packages_with_one_name_are_told_of_and_neither_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    install(tmp_path, monkeypatch, "second", EVIL, {"agentdebate.stops": {"broken": "second:raises"}})
    install(tmp_path, monkeypatch, "fourth", EVIL, {"agentdebate.merges": {"average": "fourth:raises"}})
    both = "evil:raises of the package 'evil' and second:raises of the package 'second' are registered as 'broken'"
    with pytest.raises(UsageError, match=f"{both} under agentdebate.stops: uninstall all but one of them"):
        stop_rule("broken")
    with pytest.raises(UsageError, match="fourth:raises of the package 'fourth' are registered as 'average'"):
        ad.merge([], "average")
    assert command(["list", "stops", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert next(row["error"] for row in rows if row["name"] == "broken").startswith(both)
