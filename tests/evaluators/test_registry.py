"""From what is written of an evaluator to the evaluator, and what is said of what is written wrong."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate import plugins
from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.registry import GROUP, Spec, evaluator
from agentdebate.evaluators.rouge import Rouge

OURS = {"rouge-1": "rouge:rouge_1", "rouge-l": "rouge:rouge_l", "bleu": "bleu:bleu", "chrf": "chrf:chrf"}


class Foreign:
    """What a package of somebody else's may register."""

    name, version, range, premise = "foreign", "1", Range(0, 1), "source"

    def __init__(self, rest: str, **options: Any) -> None:
        self.rest, self.options, self.closed = rest, options, False

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [0.5 for _ in pairs]

    async def aclose(self) -> None:
        self.closed = True


def strict(rest: str, *, letters: str = "6") -> Foreign:
    return Foreign(rest, letters=int(letters))


def loose(rest: str, **options: Any) -> Foreign:
    return Foreign(rest, **options)


@pytest.fixture(autouse=True)
def _with_foreign_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        name: EntryPoint(name, f"agentdebate.evaluators.{place}", GROUP) for name, place in OURS.items()
    }
    for name in ("loose", "strict", "Foreign"):
        points[name.lower()] = EntryPoint(name.lower(), f"{__name__}:{name}", GROUP)
    monkeypatch.setattr(plugins, "registered", lambda group: points if group == GROUP else {})


def foreign(made: Evaluator) -> Foreign:
    inner = getattr(made, "inner", made)
    assert isinstance(inner, Foreign)
    return inner


def test_options_behind_the_colon_are_read_as_what_they_mean() -> None:
    expected = Rouge(kind="L", beta=1.2, tokens="whitespace", stem=False, premise="source")
    for made in (
        evaluator("rouge-l:beta=1.2, tokens=whitespace,stem=false,premise=source"),
        evaluator("rouge-l", beta=1.2, tokens="whitespace", stem=False, premise="source"),
    ):
        assert isinstance(made, Rouge)
        assert made.model_dump() == expected.model_dump()


async def test_a_named_one_scores_and_closes_what_it_names() -> None:
    made = evaluator("loose", **{"as": "mine"})
    assert await made.score([Pair(("a",), "b")]) == [0.5]
    await made.aclose()
    assert foreign(made).closed


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("rogue-l", "there is no evaluator 'rogue-l'. Did you mean 'rouge-l'?"),
        ("", "there is no evaluator ''. Known: "),
        ("rouge-l:betta=2", "evaluator 'rouge-l' has no option 'betta'. Did you mean 'beta'?"),
        ("rouge-l:kind=2", "evaluator 'rouge-l' has no option 'kind'."),
        ("rouge-l:beta=much", "evaluator 'rouge-l', option 'beta': it is a number, not 'much'"),
        ("rouge-l:beta=0", "evaluator 'rouge-l', option 'beta': it is more than 0, not '0'"),
        ("rouge-l:beta=nan", "evaluator 'rouge-l', option 'beta': "),
        ("rouge-l:stem=perhaps", "evaluator 'rouge-l', option 'stem': it is true or false"),
        ("rouge-l:tokens=words", "option 'tokens': it is 'rouge' or 'whitespace', not 'words'"),
        ("rouge-l:premise=", "rouge-l, option 'premise': the value is missing"),
        ("rouge-l:beta", "options are written NAME=VALUE"),
        ("rouge-l:", "options are written NAME=VALUE"),
        ("rouge-l:beta=1,beta=2", "has the option 'beta' twice"),
        ("rouge-l:as=two words", "'two words' is not a name"),
        ("rouge-l/model", "evaluator 'rouge-l' has no model: write 'rouge-l'"),
        ("bleu:order=0", "evaluator 'bleu', option 'order': it is at least 1"),
        ("chrf:word_ordr=2", "Did you mean 'word_order'?"),
        ("strict/m:lettres=5", "evaluator 'strict' cannot be opened: "),
        ("strict/m:letters=few", "evaluator 'strict' cannot be opened: invalid literal for int()"),
    ],
)
def test_what_is_written_wrong_is_a_usage_error_that_names_it(spec: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        evaluator(spec)
    assert said in str(raised.value)


def test_an_option_is_given_in_one_place() -> None:
    with pytest.raises(UsageError, match="'beta', which is given beside it too"):
        evaluator("rouge-l:beta=1", beta=2)


WORD = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
VALUE = st.text(alphabet="ab:/,. 1", max_size=8).map(str.strip).filter(bool)


@settings(max_examples=30)
@given(WORD, st.dictionaries(WORD, VALUE, min_size=1))
def test_what_is_written_is_what_is_read(head: str, options: dict[str, str]) -> None:
    """For values without NAME= in them, which no comma and no colon cuts."""
    written = ",".join(f"{name}={value}" for name, value in options.items())
    assert Spec.parse(f"{head}/some/model:{written}") == Spec(head, "some/model", options)
