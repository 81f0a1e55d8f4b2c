"""The offline judge with evaluators at hand: its plans, what it makes of their scores, and forms without reasons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import ballot_lines, lineup
from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import RequestRefused
from agentdebate.models.base import ChatMessage, Completion, Context, Heard, ModelRequest, Sampling
from agentdebate.offline.model import OfflineJudge
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.strategies.evidence import OPENING
from agentdebate.tasks import Aspect, Item, Scale, Task

SUMMARY = load_task(Project(), "summarization")
SUMMARIES = load_task(Project(), "summarization-pair")
REPLY = load_task(Project(), "dialogue")
SOURCE = (
    "The harbour bridge in Westhaven was closed on Monday after engineers found cracks in two steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks and cost 4 million euros. "
    "Ferries will carry commuters across the harbour until the bridge opens again."
)
TEXT = "The bridge was closed after engineers found cracks. Mayor Otto Brandt said that it takes six weeks."
ITEM = Item(fields={"source": SOURCE, "summary": TEXT}, id="one")
PAIR = Item(fields={"source": SOURCE, "summary_1": TEXT, "summary_2": "Ferries will carry commuters."})
KINDS = {"fuse": "samples", "plan": "plan", "fill": "filled", "criticise": "critique", "rule": "ruling"}
EVALUATORS = ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf", "nli", "endpoint-probability")
OURS = {"ours": {"about": "A figure of our own.", "better": "higher"}}


@dataclass(frozen=True)
class Turn:
    """One turn of the judge, with the usual things in it."""

    purpose: str = "fuse"
    item: Item = ITEM
    task: Task = SUMMARY
    names: Sequence[str] = ("coherence", "consistency", "fluency", "relevance")
    heard: Sequence[Heard] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    overall: bool = False
    step: float | None = None
    card: str = "fusion-judge"
    reply: str = ""

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        free = tuple(
            aspect.model_copy(update={"scale": aspect.scale.model_copy(update={"step": self.step})})
            for aspect in self.task.choose(self.names)
        )
        whole = Aspect(name="overall", scale=free[0].scale, criterion="Everything together.")
        return (*free, whole) if self.overall else free

    @property
    def context(self) -> Context:
        reply = self.reply or KINDS.get(self.purpose, "score")
        shown = lineup(self.task, self.item)
        lines = ballot_lines(self.aspects, shown)
        seat, heard = self.card, tuple(self.heard)
        return Context(
            self.task, self.item, self.aspects, self.purpose, reply, seat, seat, 1, heard, shown, lines, (), self.given
        )  # fmt: skip

    async def complete(self, sampling: Sampling | None = None) -> Completion:
        request = ModelRequest((ChatMessage("user", "x"),), sampling or Sampling(), context=self.context)
        return await OfflineJudge().complete(request)

    async def said(self) -> str:
        return (await self.complete()).text

    async def scores(self) -> dict[str, float]:
        """The ballot in the reply, as agents read it."""
        text = await self.said()
        ballot = read_sheet(text, self.context.lines)
        assert isinstance(ballot, Ballot), (ballot, text)
        assert text.count(": ") >= len(self.context.lines)
        return ballot.scores

    async def plan(self, *names: str, **about: str) -> Mapping[str, tuple[str, ...]]:
        """The plan in the reply, as agents read it."""
        told = [described(name, about=about.get(name, "")) for name in names]
        turn = replace(self, purpose="plan", given={"evaluators": told})
        chosen = read_plan(await turn.said(), [line.aspect for line in turn.context.lines], names)
        assert isinstance(chosen, Mapping), chosen
        return chosen


def described(name: str, premise: str = "reference", about: str = "") -> dict[str, object]:
    return {"name": name, "low": 0.0, "high": 1.0, "premise": premise, "about": about}


def evidence(*lines: str) -> Heard:
    """Evaluators' scores as the floor tells them."""
    return Heard("floor", "evidence", "\n".join([OPENING, *(f"- {line}" for line in lines)]))


def rouge(score: float | str, of: str = "") -> Heard:
    return evidence(f"rouge-1{of}: {score}, on a range from 0 to 1; compared with the reference")


def plan(*lines: str, sender: str = "planner") -> Heard:
    return Heard(sender, "plan", "\n".join(["Read the text. Coherence: think of all of them.", "", *lines]))


class TestPlan:
    async def test_each_aspect_draws_on_what_can_tell_it(self) -> None:
        assert await Turn().plan(*EVALUATORS) == {
            "coherence": ("rouge-l", "endpoint-probability"),
            "consistency": ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf", "nli"),
            "fluency": ("endpoint-probability",),
            "relevance": ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf"),
        }

    @pytest.mark.parametrize(
        ("name", "aspects"),
        [
            ("bleurt", {"relevance", "consistency"}),
            ("sum-bleurt", {"relevance", "coherence"}),
            ("bert-score", {"relevance", "consistency"}),
            ("mover-score", {"relevance", "consistency"}),
            ("bartscore", {"consistency", "fluency", "coherence"}),
            ("language-model", {"fluency", "coherence"}),
            ("NLI_large", {"consistency"}),
            ("unieval-coherence", {"coherence"}),
            ("grammar_model", {"fluency"}),
        ],
    )
    async def test_evaluators_are_known_by_their_names(self, name: str, aspects: set[str]) -> None:
        chosen = await Turn().plan(name)
        assert {aspect for aspect, names in chosen.items() if names} == aspects

    @pytest.mark.parametrize(
        ("premise", "about", "aspects"),
        [
            ("source", "A model that finds faults of grammar.", {"fluency"}),
            ("source", "", {"consistency", "relevance"}),
            ("reference", "", {"relevance"}),
            ("conversation", "", {"coherence"}),
            ("", "", set()),
        ],
    )
    async def test_unknown_ones_by_what_is_said_of_them_and_what_they_compare_with(
        self, premise: str, about: str, aspects: set[str]
    ) -> None:
        turn = Turn("plan", given={"evaluators": [described("ours", premise, about)]})
        chosen = read_plan(await turn.said(), turn.aspects, ["ours"])
        assert isinstance(chosen, Mapping)
        assert {aspect for aspect, names in chosen.items() if names} == aspects

    async def test_an_unknown_aspect_draws_on_those_who_speak_of_the_same(self) -> None:
        charm = Aspect(name="charm", scale=Scale(low=1, high=5), criterion="Whether a joke in it lands.")
        turn = Turn(task=SUMMARY.model_copy(update={"aspects": (charm,)}), names=["charm"])
        assert await turn.plan("jester", "ours", jester="Counts jokes.") == {"charm": ("jester",)}

    async def test_the_whole_draws_on_whatever_speaks_to_a_part(self) -> None:
        chosen = await Turn(overall=True).plan("rouge-1", "endpoint-probability", "ours")
        assert chosen["overall"] == ("rouge-1", "endpoint-probability", "ours")

    async def test_without_evaluators_there_are_none(self) -> None:
        assert await Turn().plan() == dict.fromkeys(Turn().names, ())
        text = await Turn("plan").said()
        assert text.endswith("Coherence: none\nConsistency: none\nFluency: none\nRelevance: none")

    async def test_it_says_of_each_what_it_compares_and_what_it_can_tell(self) -> None:
        told = [described(name) for name in EVALUATORS]
        text = await Turn("plan", given={"evaluators": told}).said()
        for name in EVALUATORS:
            assert re.search(
                rf"^- {name} .* the reference.* It can tell .* It cannot tell ", text, re.MULTILINE
            )

    async def test_a_comparison_has_lines_for_the_aspects_and_for_the_ballot(self) -> None:
        """Whoever reads the plan may look for either."""
        turn = Turn(
            "plan", PAIR, SUMMARIES, ("relevance", "fluency"), given={"evaluators": [described("bleu")]}
        )
        text = await turn.said()
        assert read_plan(text, turn.aspects, ["bleu"]) == {"relevance": ("bleu",), "fluency": ()}
        by_line = read_plan(text, [line.aspect for line in turn.context.lines], ["bleu"])
        assert isinstance(by_line, Mapping)
        assert by_line["relevance_of_summary_b"] == ("bleu",)

    @pytest.mark.parametrize(
        "other", [Item(fields={"source": "Lions.", "summary": "Swim."}), Item(fields={})]
    )
    async def test_no_item_is_looked_at(self, other: Item) -> None:
        turn = Turn("plan", given={"evaluators": [described("nli")]})
        assert await turn.said() == await replace(turn, item=other).said()

    @settings(max_examples=60)
    @given(st.lists(st.text(max_size=20) | st.sampled_from(["none", "a, b", "x and y", "Fluency: z"]), max_size=4),
           st.text(max_size=80) | st.sampled_from(['{"coherence": [1]}', "\nCoherence: all", "<think>"]),
           st.sampled_from(["", "style and grammar", "Tone: of voice"]))  # fmt: skip
    async def test_whatever_evaluators_and_aspects_are_called_the_plan_can_be_read(
        self, names: list[str], about: str, label: str
    ) -> None:
        aspects = tuple(
            a.model_copy(update={"label": label} if a.name == "fluency" else {}) for a in SUMMARY.aspects
        )
        told = [described(name, about, about) for name in names]
        turn = Turn("plan", task=SUMMARY.model_copy(update={"aspects": aspects}), given={"evaluators": told})
        assert isinstance(read_plan(await turn.said(), turn.aspects, names), Mapping)


class TestFuse:
    async def test_without_evidence_it_is_the_judges_own_score(self) -> None:
        assert await Turn().scores() == await Turn("vote", card="scorer").scores()

    async def test_a_score_goes_a_quarter_of_the_way_to_where_the_evaluators_stand(self) -> None:
        own = await Turn().scores()
        moved = await Turn(heard=[rouge(0.5)]).scores()
        assert moved == pytest.approx(
            {name: score + (3 - score) / 4 for name, score in own.items()}, abs=0.011
        )

    @pytest.mark.parametrize("sender", ["planner", "floor"])
    async def test_only_what_the_plan_names_for_an_aspect_moves_it(self, sender: str) -> None:
        lines = ["Coherence: none", "Consistency: nli", "**Fluency**: None.", "4. Relevance: ROUGE_1 and nli"]
        own, moved = await Turn().scores(), await Turn(heard=[plan(*lines, sender=sender), rouge(1)]).scores()
        assert {name for name in own if own[name] != moved[name]} == {"relevance"}

    async def test_a_plan_in_json_counts_as_well(self) -> None:
        text = '{"plan": "x", "coherence": [], "consistency": [], "fluency": [], "relevance": ["rouge-1"]}'
        own, moved = (
            await Turn().scores(),
            await Turn(heard=[Heard("planner", "plan", text), rouge(1)]).scores(),
        )
        assert {name for name in own if own[name] != moved[name]} == {"relevance"}

    async def test_what_became_of_each_evaluator_is_said(self) -> None:
        heard = [
            plan("Coherence: none", "Consistency: nli", "Fluency: ppl", "Relevance: rouge-1, bleu"),
            evidence("rouge-1: 0.9, on a range from 0 to 1", "bleu: no score", "nli: 0.1, on a range from 0 to 1", "ppl: -3.2"),
        ]  # fmt: skip
        coherence, consistency, fluency, relevance, _ = (await Turn(heard=heard).said()).split("\n\n")
        assert "names no evaluator" in coherence
        assert re.search(r"What nli tells here is (better|worse).* a quarter of the way", consistency)
        assert re.search(r"set rouge-1, bleu and ppl aside here, not being named", consistency)
        assert "I set ppl aside here: no score on a known range." in fluency
        assert re.search(r"What rouge-1 tells here is better.* I set bleu aside here: no score", relevance)

    @pytest.mark.parametrize(
        "line",
        [
            "rouge-1: no score, on a range from 0 to 1; compared with the reference",
            "rouge-1: -3.2",
            "rouge-1: 0.4; compared with the reference",
            "rouge-1: nan, on a range from 0 to 1",
            "rouge-1: 0.4, on a range from 1 to 1",
            "rouge-1: inf, on a range from 0 to 1",
            "nothing that anybody could read",
        ],
    )
    async def test_what_has_no_place_on_a_range_moves_nothing(self, line: str) -> None:
        assert await Turn(heard=[evidence(line)]).scores() == await Turn().scores()

    async def test_beyond_its_range_a_score_counts_as_the_end(self) -> None:
        assert await Turn(heard=[rouge(7)]).scores() == await Turn(heard=[rouge(1)]).scores()

    async def test_ranges_differ(self) -> None:
        bleu = evidence("bleu: 50, on a range from 0 to 100; compared with the reference")
        assert await Turn(heard=[bleu]).scores() == await Turn(heard=[rouge(0.5)]).scores()

    async def test_the_whole_is_the_mean_of_its_parts_where_the_task_has_no_such_aspect(self) -> None:
        scores = await Turn(overall=True, heard=[rouge(0.7)]).scores()
        whole = scores.pop("overall")
        assert whole == pytest.approx(sum(scores.values()) / 4, abs=0.0051)

    async def test_the_whole_is_judged_like_any_other_where_the_task_has_it(self) -> None:
        item = Item(fields={"dialogue": "hi\nhow are you ?\n", "response": "I am well , and you ?"})
        turn = Turn(item=item, task=REPLY, names=("naturalness", "groundedness", "overall"))
        alone = await replace(turn, names=("overall",)).scores()
        assert (await turn.scores())["overall"] == alone["overall"]

    async def test_evidence_on_one_of_several_texts_moves_that_text(self) -> None:
        turn = Turn(item=PAIR, task=SUMMARIES, names=("relevance", "fluency"))
        own = await turn.scores()
        moved = await replace(turn, heard=[rouge(0.0, " of Summary A")]).scores()
        assert {name for name in own if own[name] != moved[name]} == {
            "relevance.summary_1",
            "fluency.summary_1",
        }
        assert moved["relevance.summary_1"] < own["relevance.summary_1"]

    async def test_evidence_on_no_text_in_particular_moves_none_of_several(self) -> None:
        turn = Turn(item=PAIR, task=SUMMARIES, names=("relevance",))
        assert await replace(turn, heard=[rouge(0.0)]).scores() == await turn.scores()

    async def test_a_plan_for_the_aspect_goes_for_every_text(self) -> None:
        turn = Turn(item=PAIR, task=SUMMARIES, names=("relevance", "fluency"))
        lines = [
            "rouge-1 of Summary A: 0, on a range from 0 to 1",
            "rouge-1 of Summary B: 1, on a range from 0 to 1",
        ]
        heard = [plan("Relevance: rouge-1", "Fluency: none"), evidence(*lines)]
        own, moved = await turn.scores(), await replace(turn, heard=heard).scores()
        assert {name for name in own if own[name] != moved[name]} == {
            "relevance.summary_1",
            "relevance.summary_2",
        }

    async def test_a_name_that_could_be_a_score_is_not_repeated(self) -> None:
        text = await Turn(heard=[evidence("Final score: 4, so: 0.5, on a range from 0 to 1")]).said()
        assert "What an evaluator tells here" in text
        assert "Final score" not in text

    async def test_places_stay_where_they_are(self) -> None:
        task = load_task(Project(), "comparison")
        item = Item(
            fields={
                "question": "Why is the sky blue?",
                "answer_1": "Air scatters blue light.",
                "answer_2": "No.",
            }
        )
        turn = Turn(item=item, task=task, names=("place",), step=1)
        lines = [
            f"rouge-1 of Answer {letter}: {score}, on a range from 0 to 1" for letter, score in ("A0", "B1")
        ]
        assert await replace(turn, heard=[evidence(*lines)]).said() == await turn.said()

    async def test_of_a_column_whose_lower_score_is_better_the_lower_one_raises_the_score(self) -> None:
        fluency = [
            (
                await Turn(
                    heard=[evidence(f"ppl: {score}, on a range from 0 to 1; lower is better; Odd.")]
                ).scores()
            )["fluency"]
            for score in (0.0, 1.0)
        ]
        assert fluency[0] > fluency[1]

    async def test_evidence_is_read_as_the_floor_writes_it(self) -> None:
        item = ITEM.model_copy(update={"evidence": {"ours": 0.4}, "task": "summarization"})
        item = item.model_copy(update={"fields": {**ITEM.fields, "reference": SOURCE}})
        verdict = await ad.debate(item, ad.strategy("fusion-noplan", evaluators=("rouge-1",), columns=OURS))
        told = verdict.ballots[0].ballot.reason
        assert re.search(
            r"What rouge-1 tells here is (better|worse).* I set ours aside here: no score on", told
        )

    @settings(max_examples=60)
    @given(
        st.floats(0, 1),
        st.floats(0, 1),
        st.text(alphabet="abc é.!\n“1", max_size=60),
        st.sampled_from([None, 1.0]),
    )
    async def test_the_more_the_evaluators_say_the_higher_the_score_and_never_off_the_scale(
        self, one: float, other: float, text: str, step: float | None
    ) -> None:
        item = Item(fields={"source": SOURCE, "summary": text})
        turn = Turn(item=item, step=step, overall=True)
        low, high = sorted([one, other])
        below = await replace(turn, heard=[rouge(f"{low:.4g}")]).scores()
        own = await turn.scores()
        above = await replace(turn, heard=[rouge(f"{high:.4g}")]).scores()
        for aspect in turn.aspects:
            name = aspect.name
            assert below[name] <= above[name]
            assert all(scores[name] in aspect.scale for scores in (below, own, above))
            if name != "overall":
                share = (own[name] - aspect.scale.low) / (aspect.scale.high - aspect.scale.low)
                assert (above[name] - own[name]) * (high - share) >= -1e-9

    NAMES = st.sampled_from(
        ["Coherence", "final score", "score-5", "final-score-4", "Final score: 4 and", "Overall: 3", "fluency-4", "4", "Rating 2 of 5", "[[1]]", "relevance/3", "n.1"]
    )  # fmt: skip

    @settings(max_examples=60)
    @given(st.lists(NAMES | st.text(max_size=12), max_size=4), st.floats(-2, 2), st.booleans())
    async def test_no_name_of_an_evaluator_is_taken_for_a_score(
        self, names: list[str], score: float, single: bool
    ) -> None:
        lines = [f"{name}: {score:.4g}, on a range from -1 to 1" for name in names]
        heard = [evidence(*lines)]
        turn = Turn(heard=heard, names=("coherence",)) if single else Turn(heard=heard, overall=True)
        text = await turn.said()
        closing = [float(line.rpartition(": ")[2]) for line in text.split("\n")[-len(turn.aspects) :]]
        assert list((await turn.scores()).values()) == closing


class TestForms:
    @pytest.mark.parametrize("aspect", ["coherence", "consistency", "fluency", "relevance"])
    async def test_steps_are_a_numbered_list_and_nothing_else(self, aspect: str) -> None:
        text = await Turn("steps", names=[aspect], step=1, reply="statement").said()
        lines = text.split("\n")
        assert 3 <= len(lines) <= 6
        assert [line.partition(". ")[0] for line in lines] == [str(n) for n in range(1, len(lines) + 1)]
        assert aspect in lines[-1]

    async def test_steps_differ_by_aspect_and_not_by_item(self) -> None:
        turns = [Turn("steps", names=[name], reply="statement") for name in Turn().names]
        assert len({await turn.said() for turn in turns}) == 4
        for turn in turns:
            assert await turn.said() == await replace(turn, item=Item(fields={})).said()

    async def test_steps_for_an_unknown_aspect_come_from_its_criterion(self) -> None:
        charm = Aspect(name="charm", scale=Scale(low=1, high=5), criterion="Whether a joke\nin it lands.")
        turn = Turn(
            "steps", task=SUMMARY.model_copy(update={"aspects": (charm,)}), names=["charm"], reply="statement"
        )
        text = await turn.said()
        assert "Whether a joke in it lands" in text
        assert 3 <= len(text.split("\n")) <= 6

    @pytest.mark.parametrize("count", [2, 3, 4])
    async def test_steps_for_several_aspects_are_no_more_than_six(self, count: int) -> None:
        text = await Turn("steps", names=Turn().names[:count], reply="statement").said()
        assert 3 <= len(text.split("\n")) <= 6

    @pytest.mark.parametrize("reply", ["filled", "filled-samples"])
    async def test_a_form_is_filled_in_without_a_word_besides(self, reply: str) -> None:
        steps = await Turn("steps", reply="statement").said()
        heard = [Heard("writer", "statement", steps)]
        turn = Turn("fill", heard=heard, step=1, card="form-filler", reply=reply)
        assert re.fullmatch(r"Coherence: \d\nConsistency: \d\nFluency: \d\nRelevance: \d", await turn.said())
        assert await turn.scores() == await Turn("score", step=1, card="scorer").scores()

    async def test_a_form_that_wants_log_probabilities_is_refused(self) -> None:
        with pytest.raises(RequestRefused, match='mode = "sampled"'):
            await Turn("fill", reply="expected").complete(Sampling(logprobs=20))

    async def test_every_sample_is_the_same(self) -> None:
        completion = await Turn(heard=[rouge(0.3)]).complete(Sampling(n=8))
        assert completion.others == (completion.text,) * 7


TOLD = (
    evidence("coherence: 5, on a range from 0 to 5", "odd “The bridge was closed” is too low: 3, on a range from 0 to 5"),
    plan("Coherence: rouge-1. It is too generous: the score is too high, it repeats itself."),
    Heard("floor", "statement", "Coherence: 1\nThe score of 5 is too high: it repeats “The bridge was closed”."),
)  # fmt: skip


@pytest.mark.parametrize(
    ("purpose", "card"),
    [
        ("score", "scorer"),
        ("vote", "referee"),
        ("criticise", "critic-strict"),
        ("revise", "scorer"),
        ("rule", "tie-breaker"),
        ("speak", "general-public"),
        ("summarise", "summarizer"),
        ("forward", "commander"),
    ],
)
@pytest.mark.parametrize(
    "before", [(), (Heard("scorer", "score", "So.", {"coherence": 4.0, "fluency": 2.0}),)]
)
async def test_evidence_and_plans_are_nobodys_ballot_and_nobodys_argument(
    purpose: str, card: str, before: tuple[Heard, ...]
) -> None:
    turn = Turn(purpose, names=("coherence", "fluency"), step=1, card=card, heard=before)
    assert await replace(turn, heard=(*TOLD, *before, *TOLD)).said() == await turn.said()


@pytest.mark.parametrize("strategy", ["fusion", "fusion-noplan", "geval", "debate-with-evidence"])
async def test_the_strategies_come_to_a_verdict(strategy: str) -> None:
    fields = {**ITEM.fields, "reference": SOURCE}
    item = ITEM.model_copy(update={"fields": fields, "task": "summarization"})
    aspects = ["coherence"] if strategy == "geval" else ["coherence", "relevance"]
    verdict = await ad.debate(item, strategy, aspects=aspects)
    assert verdict.lost == ()
    assert set(aspects) <= set(verdict.scores)


async def test_a_plan_in_the_transcript_decides_what_moves() -> None:
    """The plan, the evidence and the judge's reasons of one debate agree with each other."""
    fields = {**ITEM.fields, "reference": SOURCE}
    item = ITEM.model_copy(update={"fields": fields, "task": "summarization"})
    verdict = await ad.debate(item, "fusion")
    reason = verdict.ballots[0].ballot.reason
    assert reason.count("names no evaluator") == 1
    assert reason.count("a quarter of the way") + reason.count("agrees with my own reading") == 3
