"""Yes-or-no questions to tiny models, against figures from the first token by hand."""

from pathlib import Path
from typing import Any

import pytest
from tiny_models import PAIRS, library, opened, save_bart, save_t5

from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.yes_no import YesNo, YesNoOptions, open_yes_no

pytestmark = pytest.mark.models

QUESTION = "Is it short?"
SHORT = "{question} {hypothesis} after {premise}:"
YES = {"yes", "Yes", "YES", "Ġyes", "ĠYes", "ĠYES"}
NO = {"no", "No", "NO", "Ġno", "ĠNo", "ĠNO"}


def share(folder: Path, kind: str, prompt: str) -> float:
    """P(yes) / (P(yes) + P(no)) at the first token, from the whole distribution."""
    torch = library("torch")
    tokenizer, model = opened(folder, kind)
    vocabulary = tokenizer.get_vocab()
    read: dict[str, Any] = dict(tokenizer(prompt, return_tensors="pt"))
    read.pop("token_type_ids", None)
    if kind == "AutoModelForSeq2SeqLM":
        marks = [1] if model.config.model_type == "bart" else []
        read["decoder_input_ids"] = torch.tensor([[model.config.decoder_start_token_id, *marks]])
    probabilities = model(**read).logits[0, -1].softmax(-1)
    yes, no = (
        sum(float(probabilities[vocabulary[t]]) for t in words & vocabulary.keys()) for words in (YES, NO)
    )
    return yes / (yes + no)


@pytest.mark.parametrize(
    ("save", "kind"), [(save_t5, "AutoModelForSeq2SeqLM"), (save_bart, "AutoModelForSeq2SeqLM")]
)
async def test_the_score_is_the_share_of_yes_at_the_first_token(tmp_path: Path, save: Any, kind: str) -> None:
    folder = save(tmp_path)
    evaluator = open_yes_no(str(folder), question=QUESTION, template=SHORT, batch_size=3)
    prompts = [f"{QUESTION} {pair.hypothesis} after {pair.premise[0]}:" for pair in PAIRS]
    expected = [share(folder, kind, prompt) for prompt in prompts]
    assert len({round(value, 3) for value in expected}) > 1
    assert await evaluator.score(PAIRS) == pytest.approx(expected, abs=1e-5)
    assert evaluator.range == Range(0, 1)
    await evaluator.aclose()


async def test_a_long_premise_is_cut_and_the_question_stays(tmp_path: Path) -> None:
    folder = save_t5(tmp_path)
    options = YesNoOptions(question=QUESTION, template="{premise} {hypothesis} {question}")
    evaluator = YesNo(str(folder), options)
    found = await evaluator.score([Pair(("week " * 200,), "yes")])
    tokenizer, _ = opened(folder, "AutoModelForSeq2SeqLM")
    prompts = [f"{('week ' * 200)[:end]} yes {QUESTION}" for end in range(400)]
    longest = [prompt for prompt in prompts if len(tokenizer(prompt)["input_ids"]) <= 96][-1]
    assert found == pytest.approx([share(folder, "AutoModelForSeq2SeqLM", longest)], abs=1e-5)
    await evaluator.aclose()


async def test_a_model_without_a_token_for_the_answer_is_an_error(tmp_path: Path) -> None:
    tokenizers = library("tokenizers")
    folder = save_t5(tmp_path)
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"<unk>": 0, "no": 1, "bridge": 2}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    plain = library("transformers").PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unk>", pad_token="<unk>"
    )
    plain.save_pretrained(folder)
    with pytest.raises(UsageError, match="'yes' is not a token of its own in this model"):
        await open_yes_no(str(folder), question=QUESTION).score(PAIRS[:1])
