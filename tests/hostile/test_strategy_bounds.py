"""Counts and lengths in content files have bounds, so that a file of somebody else's cannot have a command work for ever."""

from pathlib import Path

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.agents.seat import load_card
from agentdebate.errors import ContentError
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.strategies.plans import parsed
from agentdebate.tasks import Aspect, Scale

Capsys = pytest.CaptureFixture[str]
HUGE = 1_000_000_000_000
COUNTS = {
    "rounds of a loop": ("devils-advocate", f"rounds = {HUGE}", "rounds"),
    "rounds of a talk": ("one-by-one", f"rounds = {HUGE}", "rounds"),
    "samples of a form": ("geval", f"samples = {HUGE}", "samples"),
    "samples of a judge": ("fusion", f'evaluators = ["rouge-1"]\nsamples = {HUGE}', "samples"),
    "sittings": ("repeated", f'around = "solo"\nsamples = {HUGE}', "samples"),
    "recruits": ("recruited", f'around = "drpe-static"\nk = {HUGE}\n[cast]\nplayers = ["recruit"]', "k"),
    "agents": ("one-by-one", "[cast]\ndebaters = [" + '"reviewer",' * 2000 + "]", "cast.debaters"),
}
"""By what there is too much of: the class, its options, and the key that the error names."""


@pytest.mark.parametrize(("uses", "options", "key"), COUNTS.values(), ids=COUNTS)
def test_a_count_without_end_is_an_error_that_names_the_key(
    uses: str, options: str, key: str, capsys: Capsys
) -> None:
    Path("strategies").mkdir()
    head = f'name = "big"\nabout = "x"\nuses = "{uses}"\n[options]\n'
    Path("strategies/big.toml").write_text(head + options + "\n")
    write(numbered(1))
    for words in (("graph", "big"), ("run", "big", *RUN[2:], "--dry-run"), ("run", "big", *RUN[2:])):
        came = typed(capsys, *words)
        assert came.code == 2, words
        assert "big.toml" in came.err
        assert f"'{key}'" in came.err


@pytest.mark.parametrize("scale", ["1-3000000000", "1-1e308", "{low: 0, high: 1, step: 1.0e-12}"])
def test_a_scale_of_more_steps_than_can_be_written_out_is_an_error(scale: str) -> None:
    Path("prompts/tasks").mkdir(parents=True)
    Path("prompts/tasks/wide.md").write_text(
        "---\nname: wide\nfields: [text]\njudged: text\naspects:\n"
        f"  - name: quality\n    scale: {scale}\n    criterion: How good it is.\n---\n\n{{{{ item.text }}}}\n"
    )
    with pytest.raises(ContentError, match=r"wide\.md.*scale"):
        load_task("wide", project=Project.here())


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (f"<think>{'so ' * 20_000}</think>\nCoherence: rouge-1", "at most 32,000"),
        ('{"coherence": ["rouge-1"], "coherence": []}', "twice"),
    ],
)
def test_a_plan_that_would_fill_every_prompt_or_contradicts_itself_is_an_error(plan: str, says: str) -> None:
    aspect = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="How well it hangs together.")
    with pytest.raises(ContentError, match=rf"plan\.txt.*{says}"):
        parsed(plan, Path("plan.txt"), [aspect], ["rouge-1"])


@pytest.mark.parametrize(("field", "text"), [("title", "a" * 300), ("persona", "a " * 60_000)])
def test_a_card_that_would_fill_every_prompt_is_an_error(field: str, text: str) -> None:
    said = {"title": "Judge", "persona": "You judge.", field: text}
    Path("agents").mkdir()
    Path("agents/long.md").write_text(f"---\nname: long\ntitle: {said['title']}\n---\n\n{said['persona']}\n")
    with pytest.raises(ContentError, match=rf"long\.md.*'{field}'"):
        load_card(Project.here(), "long")
