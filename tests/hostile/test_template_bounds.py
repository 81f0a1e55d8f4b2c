"""Templates, counts and lengths in content files have bounds, with errors that name file, line and limit."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import ends
from typed import RUN, numbered, typed, write

from agentdebate.agents.seat import load_card
from agentdebate.agents.subject import Subject
from agentdebate.errors import ContentError
from agentdebate.project.project import Project
from agentdebate.prompts.foreign_text import fenced
from agentdebate.prompts.prompts import Prompts, load_task
from agentdebate.prompts.templates import BUDGET, SHARE, PromptEnvironment
from agentdebate.strategies.plans import parsed
from agentdebate.tasks import Aspect, Item, Scale

ASPECTS = (Aspect(name="fluency", criterion="Does it read well?", scale=Scale(low=1, high=5)),)
VARIABLES: dict[str, Any] = {
    "aspects": ASPECTS,
    "candidates": (),
    "form": "THE FORM",
    "given": {"words": ("one", "two")},
    "players": (fenced("Reader", "x"),),
    "round": 2,
    "task": "text",
    "title": "Scorer",
}
DOUBLED = "{% set a = 'aaaaaaaa' %}" + "{% set a = a ~ a %}" * 40

ENDLESS = [
    # Operators and numbers.
    "{{ 'a' * 3000000000 }}",
    "{{ 3000000000 * 'a' }}",
    "{{ [[1] * 3000] * 300000 }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '%-+*d' % (1000000000, 1) }}",
    "{{ '%(a(b))1000000000s' % {'a(b)': 1} }}",
    "{{ ('%(a)s' * 100000) % {'a': 'a' * 100000} }}",
    "{{ 9 ** (9 ** 9) }}",
    "{{ " + "9" * 5_000 + " }}",
    # Filters.
    "{{ ('a' * 100000)|replace(new='b' * 100000, old='a') }}",
    "{{ ('\\n' * 100000)|indent(width='b' * 100000, blank=true) }}",
    "{{ ('a' * 100000)|join('b' * 100000) }}",
    "{{ 1.5|round(1000000000, 'floor') }}",
    "{{ ('f' * 300)|int(0, 16) }}",
    "{{ range(10000000000)|list }}",
    "{{ range(99999)|map('string')|map('replace', '', 'a' * 1000)|join }}",
    "{{ range(99999)|select('in', range(99999))|list|length }}{{ range(99999)|reject('in', range(99999)|list)|list|length }}",
    "{{ [1]|batch(1000000000, 'x')|list }}",
    # Loops, and what doubles.
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "{% for a in range(99999) %}{% for b in range(99999) if a == b %}x{% endfor %}{% endfor %}",
    "{% set t = 'a' * 1000000 %}{% for a in range(99999) %}{{ 'b' in t }}{% endfor %}",
    "{% set t = 'a' * 1000000 %}{% for a in range(99999) %}{{ t[::-1][0] }}{% endfor %}",
    "{{ range(99999)|map(' loop', -100000000)|list }}{% for a in range(99999) %}{% for b in range(9) %}{% endfor %}{% endfor %}",
    DOUBLED + "{{ a|length }}",
    "{% set a = [1, 1] %}" + "{% set a = [a, a] %}" * 60 + "{{ a }}",
    "{% set a = {'a': 1} %}" + "{% set a = {'a': a, 'b': a} %}" * 60 + "{{ a|string }}",
    "{% set a = [1, 1] %}{% set b = [1, 1] %}" + "{% set a = [a, a] %}{% set b = [b, b] %}" * 60 + "{{ a == b }}",
    "{% set a = ['ab'] %}" + "{% set a = a + a %}" * 60 + "{{ a|length }}",
    # Blocks and calls that prompts do not have.
    "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "{% set ns = namespace(s='a') %}{% for a in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% set x %}{{ 'a' * 100000 }}{% endset %}",
    "{% include 'turns/speak.md' %}",
    "{% block b %}x{% endblock %}{{ self.b() }}",
    "{{ lipsum(n=100000) }}",
    "{{ range(*[1, 2]) }}",
    "{{ 'a'.center(10**9) }}",
    "{{ '{:{w}}'.format(1, w=1000000000) }}",
    "{{ title.encode.__self__.__class__ }}",
    # Depth and length.
    "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
    "{{ " + "-" * 50_000 + "1 }}",
    "{{ " + "not " * 20_000 + "1 }}",
    "{{ title" + ".a" * 30_000 + " }}",
    "{% if 1 %}" * 3_000 + "{% endif %}" * 3_000,
    "{% if title %}a" + "{% elif title %}" * 5_000 + "{% endif %}",
    "{% for a in [1] %}" * 25 + "{% endfor %}" * 25,
    "{{ title }}" * 6_000,
    "x" * 1_000_001,
]  # fmt: skip
"""Each asks for more than any machine has, or for what prompts do not have."""


def turn(body: str) -> Path:
    path = Path("prompts/turns/mine.md").absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: mine\nabout: A test.\n---\n{body}\n", encoding="utf-8")
    return path


def filled(**more: object) -> str:
    """The turn, compiled and filled."""
    return Prompts(Project.here()).turn("mine").render(**{**VARIABLES, **more})


@pytest.mark.parametrize("body", ENDLESS, ids=[f"{number}" for number in range(len(ENDLESS))])
def test_a_template_that_asks_for_too_much_stops_soon_with_an_error_that_names_its_file(body: str) -> None:
    path = turn(body)
    with ends(), pytest.raises(ContentError) as raised:
        filled()
    assert raised.value.path == path
    assert str(raised.value).startswith(str(path))
    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("One.\n{{ 'a' * 3000000000 }}", "more than 2,000,000 characters"),
        ("One.\n{{ 10 ** 5000 }}", "cannot have the operator **"),
        ("One.\n{{ '%999d' % 1 }}", "not a number up to 99"),
        ("One.\n{% macro m() %}{% endmacro %}", "a prompt cannot have {% macro %}"),
        ("One.\n{{ 'a'.encode() }}", "a prompt cannot call encode"),
        ("One.\n{% for a in range(99999) %}\n{% for b in range(99999) %}{% endfor %}{% endfor %}", "characters and steps of loops"),
    ],
)  # fmt: skip
def test_the_error_names_line_and_limit(body: str, says: str) -> None:
    turn(body + "\n\n{{ form }}")
    last = 5 + body.count("\n")
    with pytest.raises(ContentError, match=rf"mine\.md, line {last}: ") as raised:
        filled()
    assert says in str(raised.value)


def test_a_prompt_may_show_long_variables_a_few_times_and_not_in_every_turn_of_a_loop() -> None:
    text = "x" * 3_000_000
    turn("{{ form }}{{ form|upper }}")
    assert len(filled(form=text)) == 2 * len(text)
    turn("{% for a in range(SHARE) %}{{ form }}{% endfor %}".replace("SHARE", str(SHARE + 1)))
    with pytest.raises(ContentError, match=f"more than {BUDGET:,}"):
        filled(form=text)


def test_personas_and_tasks_are_bounded_as_turns_are() -> None:
    Path("agents").mkdir()
    Path("agents/ann.md").write_text(
        "---\nname: ann\ntitle: Ann\nabout: x\n---\n{{ 'a' * 10**9 }}", encoding="utf-8"
    )
    prompts = Prompts(Project.here())
    with pytest.raises(ContentError, match=r"ann\.md, line 6: "):
        prompts.prompt("agents", "ann", load_card(prompts.project, "ann").persona).render(
            aspects=ASPECTS, task="text"
        )
    task = load_task("story", project=Project()).model_copy(update={"brief": "{{ 'a' * 10**9 }}"})
    item = Item(task="story", fields=dict.fromkeys((*task.fields, *task.optional), "x"))
    with pytest.raises(ContentError, match="the task 'story', made in code"):
        Subject(task, item, task.aspects, Prompts(Project())).brief()


USUAL = {
    "{{ title|upper }} {{ title|lower }} {{ title|replace('S', 'T') }}": "SCORER scorer Tcorer",
    "{{ '%5.2f' % 1.5 }} {{ '%s of %d' % ('a', 3) }} 100 %": " 1.50 a of 3 100 %",
    "{{ given.words|join(', ') }} {{ given['words']|length }}": "one, two 2",
    "{% for w in given.words|sort(reverse=true) %}{{ loop.index }}{{ w }}{{ ', ' if not loop.last }}{% endfor %}": "1two, 2one",
    "{% for w in given.words if w != 'one' %}{{ loop.length }}{{ 'a' if loop.first }}{% else %}none{% endfor %}": "1a",
    "{% set n = round + 1 %}{{ n * 2 }} {{ 7 // 2 }} {{ -n }}": "6 3 -3",
    "{{ 'b' in 'abc' and round is even and title is defined and 'a' is not none }}": "True",
    "{{ given.nothing|default('none') }}{{ title[:3] }}{{ [1, 2][-1] }}{{ {'a': 1}.a }}": "noneSco21",
    "{{ aspects|map(attribute='name')|first }} {{ aspects|selectattr('name', 'eq', 'x')|list }}": "fluency []",
    "{{ 'a' ~ 1 ~ none }} {{ ['a', 'b']|join('-') }} {{ 'long text here'|truncate(8) }}": "a1None a-b long...",
    "{{ 'a\nb'|indent(2) }}|{{ 2.567|round(1) }}|{{ '42'|int + 1 }}|{{ [3, 1]|min }}|{{ ' a '|trim }}": "a\n  b|2.6|43|1|a",
    "{% raw %}{{ x }}{% endraw %}{# no #}{% if form %}{{ form }}{% elif 1 %}b{% endif %}": "{{ x }}THE FORM",
}


@pytest.mark.parametrize("body", USUAL)
def test_what_prompts_usually_say_is_said(body: str) -> None:
    turn(body)
    assert filled() == USUAL[body].strip()


KINDS = ("prompts/turns", "prompts/relays", "prompts/parts", "agents")


@pytest.mark.parametrize("kind", KINDS)
def test_the_built_in_prompts_are_in_the_language_of_projects(kind: Any) -> None:
    """So that a copy of one of them in a project does what it did."""
    builtin, environment = Project(), PromptEnvironment()
    for name in builtin.names(kind):
        assert environment.from_string(builtin.page(kind, name).body)


_ATOMS = st.sampled_from(
    ["'a'", "title", "round", "9999", "0.5", "given", "aspects", "range(9999)", "[1, 'b']", "none", "-1"]
)
_EXPRESSIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "~", "==", "<", "in", "and"]), inner),
        st.builds("({}|{})".format, inner, st.sampled_from(["list", "join('xyz')", "replace('', 'abc')", "indent(99)", "string", "sort", "map('string')", "upper", "format(1)", "length", "int", "round(9)", "unique", "reverse"])),
        st.builds("({}).{}".format, inner, st.sampled_from(["center(9999)", "split()", "join('ab')", "items()", "replace('a', 'bcd' * 99)"])),
        st.builds("[{}, {}]".format, inner, inner),
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(_EXPRESSIONS, min_size=1, max_size=4), st.booleans())
@settings(max_examples=200)
def test_any_expression_comes_to_a_text_or_an_error_of_ours_soon(expressions: list[str], loops: bool) -> None:
    """In time that is bounded, whatever is put together with whatever."""
    body = "".join(f"{{% set x = {one} %}}{{{{ x }}}}" for one in expressions)
    body = f"{{% for a in range(9999) %}}{body}{{% endfor %}}" if loops else body
    with ends(), suppress(ContentError):
        text = Prompts(Project()).turn("here", body).render(**VARIABLES)
        assert len(text) <= BUDGET + SHARE * 10_000


# Counts and lengths.


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
