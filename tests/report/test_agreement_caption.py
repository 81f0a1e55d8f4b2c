"""What a caption says."""

from agreements import agreement

from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.conventions import convention
from agentdebate.report.agreement_caption import agreement_caption


def test_a_caption_names_statistic_level_ties_and_the_policy_for_missing_scores() -> None:
    said = agreement_caption([agreement(statistic="kendall-b", level="group", missing=3)])
    assert "Kendall's tau-b, by source (a value for each source" in said
    assert "tau-b corrects for ties" in said
    assert "constant on either side has no correlation" in said
    assert "left out and counted; none is taken as a judgement or a tie" in said
    assert "No intervals" in said
    assert "No judge lacks a judgement." in agreement_caption([agreement()])


def test_a_caption_says_where_no_source_is_known() -> None:
    drawn = agreement(method="bootstrap", sources=300)
    said = agreement_caption([drawn], bootstrap=Bootstrap(), sources=False)
    assert "every text is a source of its own" in said


def test_a_count_that_is_the_same_for_all_is_said_once_and_others_for_each() -> None:
    same = {"system is 'M1'": 60}
    found = [
        agreement(left_out={**same, "groups with constant human scores": 6}),
        agreement("mine", "fluency", left_out=same),
    ]
    said = agreement_caption(found)
    assert "Left out: system is 'M1' (60); groups with constant human scores (coherence 6)." in said


def test_a_caption_names_the_convention_and_what_is_not_as_in_it() -> None:
    said = agreement_caption(
        [agreement()], convention=convention("summeval-system"), besides=["level='pooled'"], mark="*"
    )
    assert "Convention summeval-system: SummEval in Fusion-Eval Table 2" in said
    assert "Not as in the convention: level='pooled'." in said


def test_the_mark_is_explained_where_there_are_several_judges() -> None:
    assert "*" not in agreement_caption([agreement()], mark="*")
    assert "* marks the best" in agreement_caption([agreement("a"), agreement("b")], mark="*")


def test_each_epsilon_is_told_with_its_level_where_there_are_several() -> None:
    one, other = (
        agreement(statistic="pairwise-accuracy", level=level, epsilon=epsilon)
        for level, epsilon in (("pooled", 0.5), ("group", 0.0))
    )
    assert "Epsilon: 0.5 (mine, coherence)." in agreement_caption([one])
    said = agreement_caption([one, other])
    assert "Epsilon: 0.5 (mine, coherence, pooled), 0 (mine, coherence, by source)." in said
