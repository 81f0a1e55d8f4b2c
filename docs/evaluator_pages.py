"""The reference page of the evaluators: what each compares, and every option with its default."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from agentdebate import plugins
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.bertscore import BertScoreOptions
from agentdebate.evaluators.bleu import Bleu
from agentdebate.evaluators.chrf import ChrF
from agentdebate.evaluators.classifier import ClassifierOptions
from agentdebate.evaluators.decision import StatementOptions
from agentdebate.evaluators.endpoint_probability import EndpointOptions
from agentdebate.evaluators.language_model import LanguageModelOptions
from agentdebate.evaluators.meteor import Meteor
from agentdebate.evaluators.model_options import LocalOptions
from agentdebate.evaluators.overlap import Overlap
from agentdebate.evaluators.registry import GROUP
from agentdebate.evaluators.rouge import Rouge
from agentdebate.evaluators.yes_no import YesNoOptions

Notes = Callable[[type], Mapping[str, str]]
"""The docstrings beneath a class's fields."""
Typed = Callable[[Any], str]
"""A type in words."""


@dataclass(frozen=True)
class Family:
    """Evaluators that have their options in common."""

    title: str
    names: tuple[str, ...]
    options: type[BaseModel]
    range: str
    """From the worst score to the best."""
    extra: str
    """The extra that brings what it needs; empty where agentdebate alone is enough."""
    source: str
    presets: Mapping[str, str] = field(default_factory=dict)
    """Other defaults than the options' own, by the evaluator's name."""
    more: str = ""


FAMILIES = (
    Family(
        "ROUGE",
        ("rouge-1", "rouge-2", "rouge-l", "rouge-lsum"),
        Rouge,
        "0 to 1",
        "metrics",
        "Lin 2004; the package rouge-score",
    ),
    Family("BLEU", ("bleu",), Bleu, "0 to 100", "metrics", "Papineni et al. 2002; the package sacrebleu"),
    Family(
        "METEOR",
        ("meteor",),
        Meteor,
        "0 to 1",
        "metrics",
        "Banerjee and Lavie 2005; Lavie and Agarwal 2007; the package nltk",
    ),
    Family("chrF", ("chrf",), ChrF, "0 to 100", "metrics", "Popović 2015 and 2017; the package sacrebleu"),
    Family(
        "Classifiers and regressors",
        ("nli", "bleurt"),
        ClassifierOptions,
        "0 to 1; for `output=value` what `range` says",
        "transformers",
        "NLI: Bowman et al. 2015; BLEURT: Sellam et al. 2020; Fusion-Eval, Section 3.1",
        {"bleurt": "`output=value`"},
    ),
    Family(
        "The probability of the text, by a local model",
        ("language-model", "bartscore"),
        LanguageModelOptions,
        "-10 to 0; 0 to 1 for `output=probability`",
        "transformers",
        "GPTScore: Fu et al. 2023, Section 3; BARTScore: Yuan et al. 2021, Section 3; Fusion-Eval, Section 3.1",
        {"bartscore": "a seq2seq model"},
    ),
    Family(
        "The probability of the text, by an endpoint",
        ("endpoint-probability",),
        EndpointOptions,
        "-10 to 0; 0 to 1 for `output=probability`",
        "",
        "GPTScore: Fu et al. 2023, Section 3",
        more=(
            "Of the [options of openai models](models.md#options-of-openai) it takes `base_url`, `api_key_env`, `timeout` and "
            "`connections` as well, and in Python `extra`, `headers` and `transport`. The endpoint has to give the "
            "log-probabilities of a prompt (`echo` with `logprobs` at `/completions`), which is tried once before anything is "
            "scored."
        ),
    ),
    Family(
        "The probability of a statement, by a decision model",
        ("decisions", "systemone"),
        StatementOptions,
        "0 to 1",
        "",
        "[Ask a decision model](../how-to/communication-strategies.md#ask-a-decision-model)",
        more="They take the options of an endpoint as `endpoint-probability` does.",
    ),
    Family(
        "BERTScore",
        ("bert-score",),
        BertScoreOptions,
        "0 to 1",
        "bertscore",
        "Zhang et al. 2020; the package bert-score",
    ),
    Family(
        "Questions",
        ("yes-no",),
        YesNoOptions,
        "0 to 1",
        "transformers",
        "UniEval: Zhong et al. 2022, Section 3",
    ),
)

INTRODUCTION = """\
What scores a text without a debate. [Use evaluators](../how-to/evaluators.md) shows how.

An evaluator is written as its name, a model behind a slash where it has one, and options behind a colon, with commas between
them: `rouge-l`, `rouge-l:beta=1.2,stem=false`, `nli/path/to/model:label=entailment`. A model is a folder, or a name on the hub. The
option `as` gives any evaluator another name in evidence and tables. A score always means: the more, the better. Where scores become
shares of their range, what lies outside it counts as its nearer end.
"""

LOCAL = """\
What evaluators with a model on this machine have in common. The model is loaded when it is first used. A premise that is too long
for it is cut, with a warning; a text that is too long is a failure.
"""


def evaluators(notes: Notes, typed: Typed) -> Iterator[str]:
    """Every registered evaluator of ours. Raises LookupError for one that is in no family."""
    openers = {
        name: point.load()
        for name, point in plugins.registered(GROUP).items()
        if point.value.startswith("agentdebate.")
    }
    lost = set(openers) ^ {name for family in FAMILIES for name in family.names}
    if lost:
        raise LookupError(f"docs/evaluator_pages.py and the registry differ: {', '.join(sorted(lost))}")
    yield "# Evaluators\n"
    yield INTRODUCTION
    yield "| evaluator | compares with | scores | extra |"
    yield "| --- | --- | --- | --- |"
    yield from (_row(family, name) for family in FAMILIES for name in family.names)
    yield "\nAn extra is installed with `pip install 'agentdebate[NAME]'`.\n"
    yield "## Options of local models\n"
    yield LOCAL
    yield from _table(LocalOptions, notes, typed)
    for family in FAMILIES:
        yield from _section(family, openers, notes, typed)


def _row(family: Family, name: str) -> str:
    premise = family.options.model_fields["premise"].default
    extra = f"`{family.extra}`" if family.extra else "none"
    model = name if issubclass(family.options, Overlap) else f"{name}/MODEL"
    return f"| `{model}` | `{premise}` | {family.range} | {extra} |"


def _section(
    family: Family, openers: Mapping[str, Callable[..., Any]], notes: Notes, typed: Typed
) -> Iterator[str]:
    yield f"## {family.title}\n"
    for name in family.names:
        preset = f" It begins with {family.presets[name]}." if name in family.presets else ""
        yield f"- `{name}`: {_about(openers[name])}.{preset}"
    yield f"\nSource: {family.source}.\n"
    yield from [f"{family.more}\n"] if family.more else []
    if issubclass(family.options, LocalOptions):
        yield "It has the [options of local models](#options-of-local-models), and these:\n"
    yield from _table(family.options, notes, typed)


def _table(options: type[BaseModel], notes: Notes, typed: Typed) -> Iterator[str]:
    noted = {key: note for cls in reversed(options.__mro__) for key, note in notes(cls).items()}
    yield "| option | | default | |"
    yield "| --- | --- | --- | --- |"
    for option, info in options.model_fields.items():
        if not _known(options, option):
            cells = f"`{option}`", typed(info.annotation), _default(info.default), noted.get(option, "")
            yield f"| {' | '.join(cells)} |"
    yield ""


def _known(options: type[BaseModel], option: str) -> bool:
    """Whether an option is said elsewhere: which ROUGE by its name, those of local models in their own table."""
    if options is Rouge:
        return option == "kind"
    common = LocalOptions.model_fields.get(option)
    return (
        common is not None
        and issubclass(options, LocalOptions)
        and options is not LocalOptions
        and options.model_fields[option].default == common.default
    )


def _about(opener: Callable[..., Any]) -> str:
    """What an opener says of its evaluator: the first sentence, without the spec in front."""
    first = " ".join((inspect.getdoc(opener) or "").split()).partition(". ")[0].rstrip(".")
    head, colon, rest = first.partition(": ")
    return rest if colon and "/" in head else first


def _default(value: object) -> str:
    """A default as it would be written on the command line."""
    if value is PydanticUndefined:
        return "none: it has to be given"
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, Range):
        return f"`{value.low:g}..{value.high:g}`"
    shown = f"{value:g}" if isinstance(value, float) else str(value).replace("\n", "\\n")
    return f"`{shown}`"
