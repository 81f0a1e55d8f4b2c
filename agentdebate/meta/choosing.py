"""A judge's choices among texts beside people's: labels that are said in one way here and in another there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum

from agentdebate.datasets.missing_words import no_score
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.expression import (
    EACH,
    Term,
    majority,
    may_be_scores,
    parse_choice,
    sample_counts,
    samples_in,
    text_of,
    voted,
    written,
)
from agentdebate.meta.fields import choice_in, has, score_in, value_in
from agentdebate.meta.joining import Joined, Naming, name_of
from agentdebate.meta.joining import Pair as Joint
from agentdebate.meta.judgements import Choices, Chosen
from agentdebate.meta.labels import (
    LETTERS,
    Pair,
    companions,
    in_order,
    meant,
    one_of,
    pair_of,
    sorted_labels,
    tie_among,
    tie_of,
)
from agentdebate.meta.replies import COUNTS, READ, counted_in
from agentdebate.meta.talk import TIE

OTHER = "another answer"
"""The label of all answers that people never give."""
_DECIMALS = 9
_SHOWN = 80
"""Characters of a label that an error shows."""
_WITH_TIE = 3
"""How many labels there are of two texts, with a tie."""
_NAMED = 9
"""Labels that an error names."""


@dataclass(frozen=True)
class Choosing:
    """The field of people's choice, and of the judge's; or the fields of the judge's scores of the texts, the best of which
    is its choice.
    """

    aspect: str
    human: str
    """Empty where there are no people."""
    judge: tuple[str, ...]
    """One field of its choice, or one of a text's score each; FIELD+FIELD where several scores of a text are added, such as
    those of both orders in which the texts were shown.
    """
    labels: Mapping[str, str] = field(default_factory=dict)
    """What each of people's labels is called by the judge, several words with commas between them; where empty, both say
    the same. Several of people's labels that the judge calls the same are one, the first.

    A judge that scores the texts says the name of the field that holds the best one's score, or its number from 1, or "tie".
    """
    terms: tuple[Term, ...] = ()
    """The choices that vote, where there are several, samples, or both orders: then `judge` names what they come to."""
    people: Term | None = None
    """What is made of several people's choices: then `human` names what they come to."""
    tie: str = TIE
    """What a tie is called where no label says so."""
    confidence: str | None = None
    """The field of how sure the judge is."""
    open: bool = False
    """Whether a label of the judge's that people never give is wrong, and no error."""

    @classmethod
    def parse(cls, text: str, labels: Mapping[str, str]) -> "Choosing":
        """Read the language of `meta.expression`: people's choice and the judge's. Raises UsageError."""
        found = parse_choice(text)
        human = found.human.name if found.human else ""
        judge = tuple("+".join(map(written, one)) if len(one) > 1 else one[0] for one in found.sums)
        if len(found.terms) == 1:
            judge = (found.terms[0].name,)
        elif found.terms:
            judge = (text_of(found.terms),)
        terms = () if may_be_scores(found.terms) else found.terms
        return cls(_about(found.human), human, judge, labels, terms, _several(found.human))

    @property
    def orders(self) -> tuple[Term, Term] | None:
        """The judge's choice in the order of the data, and in the other; None where the two do not vote."""
        straight = [term for term in self.terms if not term.turned]
        turned = [term for term in self.terms if term.turned]
        return (straight[0], turned[0]) if len(straight) == len(turned) == 1 else None

    @cached_property
    def words(self) -> Mapping[str, str]:
        """What people call each of the judge's words that are listed."""
        return meant(self.labels)

    @cached_property
    def same(self) -> Mapping[str, str]:
        """Each of people's labels that are listed, as the one that stands for it."""
        return one_of(self.labels)

    @cached_property
    def called_tie(self) -> str:
        """What people call a tie."""
        return tie_among(self.labels) or self.tie

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the judge's choice is from: one, several that vote, or sums of scores."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.fields)) or self.judge

    @property
    def several(self) -> bool:
        """Whether a choice is what several come to, so that it may be a tie."""
        return len(self.terms) > 1 or self.people is not None or any(term.function for term in self.terms)


def summands(text: str) -> tuple[str, ...]:
    """The fields of FIELD+FIELD. Raises UsageError for a sum of nothing."""
    return tuple(term.fields[0] for term in parse_choice(f"={text}").terms)


def choices(judge: str, joined: Joined, choosing: Choosing, naming: Naming) -> Choices:
    """One judge's choices beside people's, as people's labels.

    Raises DataError for a label that is not known: one that `choosing.labels` does not name, or without them one of the
    judge's that people never use.
    """
    recorded = joined
    joined, choosing = counted(joined, with_peoples_tie(joined, choosing))
    replied = bool(joined.scored) and has(joined.scored[0], COUNTS)
    pairs = zip(joined.pairs, recorded.pairs, strict=True)
    each = [
        _chosen(pair, choosing, naming, number, None if replied else before.scores)
        for number, (pair, before) in enumerate(pairs, 1)
    ]
    chosen = [one for several in each for one in several]
    if choosing.open:
        chosen = _with_others(chosen, choosing)
    labels = tuple(dict.fromkeys(one_of(choosing.labels).values())) or _labels(judge, chosen, choosing)
    if choosing.open and any(one.choice == OTHER for one in chosen):
        labels = tuple(dict.fromkeys((*labels, OTHER)))
    if not (choosing.labels or choosing.open):
        _check_words(judge, recorded, choosing)
        _check_tie(judge, chosen, choosing)
    tie = tie_of(choosing.labels, labels) or (choosing.tie if choosing.several else None)
    placed = in_order(labels, tie)
    return Choices(judge, choosing.aspect, placed, tuple(chosen), joined.left_out, tie, recorded=not replied)


def with_peoples_tie(joined: Joined, choosing: Choosing) -> Choosing:
    """The same with people's own word for a tie, "Tie" or "TIE", where no label says what it is called."""
    if choosing.labels:
        return choosing
    said = _peoples_words(joined, choosing)
    return replace(choosing, tie=next(_ties(said), TIE))


def with_letters(joined: Joined, choosing: Choosing) -> Choosing:
    """The same where people's labels are the letters of two texts, which replies name as they do; unless labels are given."""
    said = _peoples_words(joined, choosing)
    letters = next((pair for pair in LETTERS if {*pair} >= said - {*_ties(said)}), None)
    if choosing.labels or letters is None or not said:
        return choosing
    ties = dict.fromkeys([*_ties(said)] or [TIE], TIE)
    return replace(choosing, labels={**{letter: letter for letter in letters}, **ties})


def pair_labels(joined: Joined, choosing: Choosing, pair: Pair) -> dict[str, str]:
    """What both sides call two texts and a tie, where no labels say it: the same, and a tie in every way that it is written."""
    people = _peoples_words(joined, choosing)
    judge = {word for one in joined.pairs for word in _of_judge(one, choosing)}
    ties = dict.fromkeys([pair.tie, *_ties(people)])
    written = ",".join({**ties, **dict.fromkeys(_ties(judge))})
    return {pair.first: pair.first, pair.second: pair.second, **dict.fromkeys(ties, written)}


def _ties(words: Iterable[str]) -> Iterator[str]:
    """The words that mean a tie."""
    return (word for word in sorted(words) if word.casefold() == TIE)


def counted(joined: Joined, choosing: Choosing) -> tuple[Joined, Choosing]:
    """The rows with the votes of the judge, which may be a tie though no label is one; as they are where nothing votes.

    Raises UsageError where choices are turned around and it is not known which two texts they are about.
    """
    if not choosing.terms:
        return joined, replace(choosing, labels=with_tie(choosing.labels, several=choosing.several))
    pair = judged_pair(joined, choosing)
    joined = joined.with_scored(voted(row, choosing.terms, pair) for row in joined.scored)
    labels = with_tie(
        choosing.labels, several=choosing.several or any(_holds_list(one, choosing) for one in joined.pairs)
    )
    return joined, replace(choosing, judge=(text_of(choosing.terms),), labels=labels)


def with_tie(labels: Mapping[str, str], *, several: bool) -> Mapping[str, str]:
    """Labels with one for a tie, which several can come to where no single one of them has it."""
    return {**labels, TIE: TIE} if labels and several and tie_among(labels) is None else labels


def _holds_list(pair: Joint, choosing: Choosing) -> bool:
    """Whether the judge's field holds several samples."""
    (term, *_) = choosing.terms
    return pair.scores is not None and len(samples_in(pair.scores, term.fields)) > 1


def judged_pair(joined: Joined, choosing: Choosing) -> Pair | None:
    """The judge's words for the two texts, where choices are turned around. Raises UsageError where they are not known."""
    if not any(term.turned for term in choosing.terms):
        return None
    words: list[str] = []
    if not choosing.labels:
        words = [
            word for one in joined.pairs for word in (*_of_judge(one, choosing), *_of_people(one, choosing))
        ]
    return pair_of(choosing.labels, words, choosing.tie)


def _of_judge(pair: Joint, choosing: Choosing) -> tuple[str, ...]:
    """Every label in a judge's row."""
    fields = [field for term in choosing.terms for field in term.fields]
    return samples_in(pair.scores, fields) if pair.scores is not None else ()


def _of_people(pair: Joint, choosing: Choosing) -> tuple[str, ...]:
    """Every label that people have for a row."""
    if not choosing.human:
        return ()
    return samples_in(pair.data, choosing.people.fields if choosing.people else (choosing.human,))


def _peoples_words(joined: Joined, choosing: Choosing) -> set[str]:
    """Every label that people have for any row."""
    return {word for one in joined.pairs for word in _of_people(one, choosing)}


def _about(term: Term | None) -> str:
    """What the choice is called where it is printed: the field that people's is from."""
    return ",".join(term.fields) if term else "choice"


def _several(term: Term | None) -> Term | None:
    return term if term and term.function else None


def _chosen(
    pair: Joint, choosing: Choosing, naming: Naming, number: int, samples: Row | None
) -> Iterator[Chosen]:
    """What is chosen of one row; a row each where every person counts for themselves.

    `samples` is the judge's row as it was recorded, where its choices are not from replies.
    """
    name, source, _ = name_of(pair.data, naming, number)
    choice, sure, counts = None, None, (0, 0)
    if pair.scores is not None and choosing.confidence:
        sure = score_in(pair.scores, choosing.confidence)
    if pair.scores is not None:
        choice, counts = _said(pair.scores, choosing), counted_in(pair.scores, choosing.fields)
    if samples is not None:
        counts = sample_counts(samples, choosing.terms)
    humans = _humans(pair.data, choosing)
    if choosing.people is None or choosing.people.function != EACH:
        together = majority(humans, choosing.called_tie)
        yield Chosen(name, source, together, choice, *counts, confidence=sure)
        return
    for place, human in enumerate(humans or (None,), 1):
        yield Chosen(
            f"{name}, person {place}", source or name, human, choice, *counts, text=number, confidence=sure
        )


def _humans(row: Row, choosing: Choosing) -> tuple[str, ...]:
    """What people say, each for themselves where there are several."""
    if choosing.people is not None:
        found = samples_in(row, choosing.people.fields)
    else:
        if choosing.human and isinstance(value_in(row, choosing.human), list):
            name = written(choosing.human)
            raise row.error(
                f"a list of labels is here: choice=... says with majority({name}) or each({name}) what it comes to",
                choosing.human,
            )
        label = choice_in(row, choosing.human) if choosing.human else None
        found = () if label is None else (label,)
    if not choosing.labels:
        return tuple(_as_tie(label, choosing) for label in found)
    same = choosing.same
    for human in found:
        if human not in same:
            raise row.error(_unknown(human, same), choosing.human)
    return tuple(same[human] for human in found)


def _said(row: Row, choosing: Choosing) -> str | None:
    """What the judge says, in people's words."""
    said = choice_in(row, choosing.judge[0]) if len(choosing.judge) == 1 else _best(row, choosing.judge)
    if said is None:
        return None
    if not choosing.labels:
        return _as_tie(said, choosing)
    known = choosing.words
    names = [said, *_places(said, choosing.judge)]
    found = next((known[name] for name in names if name in known), None)
    if found is None and not choosing.open:
        raise row.error(_unknown(said, known), choosing.judge[0])
    return OTHER if found is None else found


def _as_tie(label: str, choosing: Choosing) -> str:
    """A tie as people call it, however it is written; any other label as it is."""
    return choosing.tie if label.casefold() == TIE else label


def _places(said: str, fields: Sequence[str]) -> Iterator[str]:
    """The number of a field among several, from 1."""
    if len(fields) > 1 and said in fields:
        yield str(fields.index(said) + 1)


def _best(row: Row, fields: Sequence[str]) -> str | None:
    """The field with the greatest number, a tie where several have it, None where one has none."""
    scores = {field: _sum(row, field) for field in fields}
    known = {field: score for field, score in scores.items() if score is not None}
    if len(known) < len(scores):
        return None
    best = [field for field, score in known.items() if score == max(known.values())]
    return best[0] if len(best) == 1 else TIE


def _sum(row: Row, fields: str) -> float | None:
    """The sum of the numbers in FIELD+FIELD; None where one of them is not there."""
    names = (fields,) if has(row, fields) else summands(fields)  # a field's own name may have a plus in it
    scores = [score_in(row, field) for field in names]
    known = [score for score in scores if score is not None]
    # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
    return round(fsum(known), _DECIMALS) if len(known) == len(scores) else None


def _labels(judge: str, chosen: Sequence[Chosen], choosing: Choosing) -> tuple[str, ...]:
    """The labels that both sides use, by name. Raises UsageError where they have none in common."""
    human = dict.fromkeys(one.human for one in chosen if one.human is not None)
    said = dict.fromkeys(one.choice for one in chosen if one.choice is not None)
    if human and said and not (choosing.open or human.keys() & said.keys()):
        raise UsageError(
            f"choice=...: people say {', '.join(sorted(human))} in {choosing.human!r}, and {judge} says {', '.join(sorted(said))}: "
            f"labels=... says which is which, {','.join(f'{label}=...' for label in sorted(human))}, with one of the judge's labels "
            "for the dots of each"
        )
    return sorted_labels(
        (*human, *said), choosing.tie
    )  # and not as they come, since some statistics ask for their order


def _check_words(judge: str, joined: Joined, choosing: Choosing) -> None:
    """Raise DataError for a label of the judge's that people never use, such as the text of a reply; a tie is always known."""
    people = _peoples_words(joined, choosing)
    if not people:
        return
    flipped = judged_pair(joined, choosing)
    known = {*people, *companions(people, choosing.judge if len(choosing.judge) > 1 else ())}
    known |= {flipped.first, flipped.second} if flipped else set()
    for row in joined.scored:
        for name, word in _words(row, choosing):
            if word not in known and word.casefold() != TIE:
                raise row.error(_never_used(judge, word, people, choosing), name)


def _check_tie(judge: str, chosen: Sequence[Chosen], choosing: Choosing) -> None:
    """Raise UsageError where people seem to have a word of their own for the ties of a judge that chooses between two texts."""
    human = {one.human for one in chosen if one.human is not None}
    said = {one.choice for one in chosen if one.choice is not None}
    own = sorted(human - said)
    if len(human) == _WITH_TIE and len(own) == 1 and choosing.tie in said - human:
        named = ",".join(f"{label}={label}" for label in sorted(human - {*own}))
        raise UsageError(
            f"choice=...: {judge} says {choosing.tie!r}, which people never say in {choosing.human!r}, and never {own[0]!r}, which "
            f"they do: if these are the same, labels='{named},{own[0]}={choosing.tie}'; if not, name each as itself"
        )


def _with_others(chosen: Sequence[Chosen], choosing: Choosing) -> list[Chosen]:
    """The choices with one label for all that people never give, a tie aside."""
    known = {one.human for one in chosen if one.human is not None} | {
        *choosing.same.values(),
        choosing.called_tie,
    }
    return [
        one if one.choice is None or one.choice in known else replace(one, choice=OTHER) for one in chosen
    ]


def _words(row: Row, choosing: Choosing) -> Iterator[tuple[str, str]]:
    """Every label in a judge's row, with its field; of several samples each."""
    for name in dict.fromkeys(one for term in choosing.terms for one in term.fields):
        yield from ((name, word) for word in samples_in(row, (name,)))
    said = None if choosing.terms else _said(row, choosing)
    if said is not None:
        yield choosing.judge[0], said


def _never_used(judge: str, word: str, people: AbstractSet[str], choosing: Choosing) -> str:
    """What to say of a word of a judge's that is none of people's."""
    shown = word if len(word) <= _SHOWN else f"{word[:_SHOWN]}..."
    listed = ", ".join(sorted(people)[:_NAMED])
    if no_score(word):
        return f"{judge} says {shown!r}, which people never say in {choosing.human!r} ({listed}): write NA where a choice is missing"
    read = any(field.startswith(READ) for field in choosing.fields)
    reply = "" if read else "; of raw replies, read='auto' finds the choice"
    return (
        f"{judge} says {shown!r}, which people never say in {choosing.human!r} ({listed}): labels=... says what each label is "
        f"called by the judge, {min(people)}=...{reply}"
    )


def _unknown(label: str, known: Mapping[str, str]) -> str:
    return f"labels=... does not list {label!r}. {nearest(label, known)}"
