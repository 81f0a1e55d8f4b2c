"""The kinds of reply that agents can be asked for: from a completion to what a message says, or to what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from agentdebate.agents.reply_kind import (
    Doubt,
    Fields,
    Read,
    ReplyKind,
    logprobs_of,
    read_confidently,
    texts_of,
)
from agentdebate.ballots.ballot import Ballot, Confidence, Rating, Reading, Source
from agentdebate.ballots.confidence import confidence
from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.ballots.kinds import BallotKind, ballot_kind, kinds
from agentdebate.ballots.lineup import Line, ReplySpec
from agentdebate.ballots.plain import sound, spoken
from agentdebate.ballots.plan import (
    numbered,
    plan_in_words,
    plan_schema,
    read_plan,
    read_steps,
    steps_in_words,
    steps_schema,
)
from agentdebate.ballots.poll import Choice, poll_schema, read_poll
from agentdebate.ballots.repetition import repetition
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.roster import read_roster, roster_schema
from agentdebate.ballots.sheet import ballot_schema, closed_object, fill_in, read_sheet, score_places
from agentdebate.errors import StrategyError
from agentdebate.models.base import Completion
from agentdebate.talk.messages import (
    Chosen,
    Critique,
    Plan,
    Poll,
    Roster,
    Ruling,
    Samples,
    Score,
    Statement,
    Summary,
    Vote,
)
from agentdebate.tasks import Aspect
from agentdebate.visible import is_blank

UNCLEAR = (
    "The reply mentions NO ISSUE, and does not say whether the score may stand. Write NO ISSUE on a line of its own if you accept the "
    "score; if you do not, say what is wrong with it."
)
"""Question to a critic that writes the stop word within a sentence."""
_EMPTY = Problem("nothing", "The reply is empty.")
_CUT = Problem("cut_off", "The reply was cut off before its end.")


def read_opinion(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A reply that carries a ballot."""
    ballot = read_sheet(
        completion.text,
        spec.lines,
        structured=completion.structured,
        cut_off=completion.finish == "length",
        patterns=spec.asked_again,
    )
    if isinstance(ballot, Problem):
        return ballot
    return {"ballot": ballot, "text": _as_prose(ballot, completion.text, spec.lines)}


def read_critique(completion: Completion, spec: ReplySpec) -> Read:  # noqa: ARG001 - one signature
    """A critic's reply. One that was cut or ends in a loop is neither agreement nor an objection; one that has the stop word within a
    sentence is asked about once, and is an objection if it has it there again.
    """
    found = read_critic(completion.text, cut=completion.finish == "length")
    fields = {"text": completion.text.strip(), "no_issue": found.agrees is True}
    if found.rule == "mention":
        return Doubt({**fields, "reading": "unclear"}, UNCLEAR)
    return found.problem or fields


def read_literally(completion: Completion, spec: ReplySpec) -> Fields | Problem:  # noqa: ARG001 - one signature
    """A critic's reply as the paper reads it: agreement wherever the words of the stop word are (DEBATE, Algorithm 1, line 8)."""
    text = completion.text.strip()
    agrees = any(word in text.upper() for word in ("NO ISSUE", "NO_ISSUE"))
    return _EMPTY if is_blank(text) else {"text": text, "no_issue": agrees}


def read_talk(completion: Completion, spec: ReplySpec) -> Read:  # noqa: ARG001 - one signature
    """Free talk: anything but silence. What ends in a loop to the last counts with one pass of it."""
    text = completion.text.strip()
    loop = repetition(text)
    if loop is not None:
        return Doubt({"text": loop.once(text)}, loop.said(text))
    return _EMPTY if is_blank(text) else {"text": text}


def read_votes(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """The votes of everyone that the speaker plays; without players its own, under no name."""
    choices = read_poll(
        completion.text,
        spec.titles,
        spec.candidates,
        structured=completion.structured,
        cut_off=completion.finish == "length",
    )
    if isinstance(choices, Problem):
        return choices
    each = list(zip(spec.titles or ("",), choices, strict=True))
    silent = [title for title, choice in each if not choice.reasoned]
    if silent and "span" in spec.given:
        return Problem("missing", f"I found no reason for the vote of {silent[0] or 'the reader'}.")
    votes = tuple([Vote(player=title, ballot=_vote(choice, completion, spec)) for title, choice in each])
    return {"votes": votes, "text": _poll_text(each, completion.text, spec)}


def _vote(choice: Choice, completion: Completion, spec: ReplySpec) -> Ballot:
    """A ballot of 1 for the chosen text and 0 for the others, so that a mean of ballots is a share of votes.

    The confidence is that of the tokens of the choice, of the reason, or of both (DRPE, equation 3); what the form of the reply says is
    in none.
    """
    ratings = tuple(
        Rating(aspect=spec.lines[0].rated, candidate=one.field, score=float(one.field == choice.candidate))
        for one in spec.candidates
    )
    tokens = [(one.token, one.logprob) for one in completion.logprobs or ()]
    spans = {"reason": choice.reasoned, "reply": (*choice.reasoned, *choice.named)}
    span = spans.get(spec.given.get("span", ""), choice.named)
    sure = confidence(tokens, completion.text, span) if tokens else None
    return Ballot(
        ratings=ratings,
        reason=choice.reason,
        reading=Reading(how=choice.how, rule=choice.rule),
        confidence=None if sure is None else Confidence(value=sure, source="log-probabilities"),
    )


def _poll_text(each: Sequence[tuple[str, Choice]], text: str, spec: ReplySpec) -> str:
    """Return the text that the others hear: a reply in JSON becomes each player's reason and vote."""
    if not text.lstrip("` \njson").startswith(("{", "[")):
        return text.strip()
    labels = {candidate.field: candidate.label for candidate in spec.candidates}
    parts = [
        [*([f"{title}:"] if title else []), choice.reason, f"Vote: {labels[choice.candidate]}"]
        for title, choice in each
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def read_roles(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """The roles that a recruiter wants."""
    cut_off = completion.finish == "length"
    roles = read_roster(completion.text, spec.roles, structured=completion.structured, cut_off=cut_off)
    if isinstance(roles, Problem):
        return roles
    return {"roles": roles, "text": "\n".join(f"{role.type}: {role.description}" for role in roles)}


def read_samples(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """Several samples of one opinion. What cannot be read in one of them is missing there; each rating is in one at least."""
    texts = texts_of(completion)
    read = [
        read_sheet(text, spec.lines, structured=completion.structured, cut_off=cut_off, partial=True)
        for text, cut_off in texts
    ]
    ballots = tuple(one for one in read if isinstance(one, Ballot))
    problems = tuple(one.text for one in read if isinstance(one, Problem))
    rated = {(rating.aspect, rating.candidate) for ballot in ballots for rating in ballot.ratings}
    if any((line.rated, line.candidate) not in rated for line in spec.lines):
        whole = read_sheet(completion.text, spec.lines, structured=completion.structured, cut_off=texts[0][1])
        return whole if isinstance(whole, Problem) else Problem("missing", "An aspect is rated in no sample.")
    return {
        "ballots": ballots,
        "problems": (*problems, *completion.lost),
        "asked": max(spec.samples, len(texts)),
        "text": _as_prose(ballots[0], completion.text, spec.lines),
    }


def read_expected(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A form filled in, whose score becomes the expectation over its tokens (G-Eval, Section 2.3), with how much of the
    probability it rests on.

    Raises RequestRefused where the reply came without log-probabilities: no other score takes the place of this one.
    """
    read = read_opinion(completion, spec)
    if isinstance(read, Problem):
        return read
    logprobs = logprobs_of(completion, 'mode = "sampled"')
    ballot: Ballot = read["ballot"]
    given = ballot.ratings[0]
    tokens = [TokenChoice(one.token, {**dict(one.top), one.token: one.logprob}) for one in logprobs]
    places = score_places(completion.text, spec.lines, ballot)
    after = places[0][0] if places else 0
    found = expected(tokens, completion.text, given.score, spec.lines[0].aspect.scale, after=after)
    if found is None:
        return Problem("missing", f"I cannot tell which of its tokens are the score {given.score:g}.")
    reading = replace(ballot.reading, how="expected", mass=found.mass)
    return {**read, "ballot": replace(ballot, ratings=(replace(given, score=found.score),), reading=reading)}


def read_planned(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A plan, with the evaluators that it names for each aspect."""
    cut = completion.finish == "length"
    chosen = _CUT if cut else read_plan(completion.text, spec.aspects, _evaluators(spec))
    if isinstance(chosen, Problem):
        return chosen
    each = tuple(Chosen(aspect=name, evaluators=names) for name, names in chosen.items())
    return {"chosen": each, "text": plan_in_words(completion.text, spec.aspects)}


def read_written(completion: Completion, spec: ReplySpec) -> Fields | Problem:  # noqa: ARG001 - one signature
    """A list of steps."""
    steps = _CUT if completion.finish == "length" else read_steps(completion.text)
    return steps if isinstance(steps, Problem) else {"text": steps_in_words(completion.text)}


def _ballot_schema(spec: ReplySpec, *, reasoned: bool = True) -> dict[str, Any]:
    return _schema(tuple([line.aspect for line in spec.lines]), reasoned=reasoned)


@lru_cache(maxsize=64)
def _schema(aspects: tuple[Aspect, ...], *, reasoned: bool) -> dict[str, Any]:
    """One schema for all debates about the same aspects: what models write of it is then known, too."""
    return ballot_schema(aspects, reasoned=reasoned)


def _explained_schema(spec: ReplySpec) -> dict[str, Any]:
    """Build the schema of scores with an explanation behind each (Fusion-Eval, Appendix A.2)."""
    scores = _ballot_schema(spec, reasoned=False)["properties"]
    told = {"type": "string"}
    return closed_object(
        {name: closed_object({"score": score, "explanation": told}) for name, score in scores.items()}
    )


def _score_places(text: str, spec: ReplySpec, ballot: Ballot) -> Sequence[tuple[int, int]]:
    return score_places(text, spec.lines, ballot)


def _evaluators(spec: ReplySpec) -> list[str]:
    """The evaluators that a plan may name."""
    return [one["name"] for one in spec.given.get("evaluators", ())]


def _steps(spec: ReplySpec, number: int) -> str:  # noqa: ARG001 - one signature
    """A list of steps of a usual length."""
    return numbered(
        [f"Look at part {at} of the text, and note what it does well or badly." for at in range(1, 5)]
    )


_scores_alone = partial(_ballot_schema, reasoned=False)
"""The schema of a form that holds scores alone."""

_OPINION = ReplyKind(Score, read_opinion, "form-text", "form-schema", _ballot_schema, places=_score_places)
_FILLED = replace(
    _OPINION, name="filled", form="form-fill", structured="form-fill-schema", schema=_scores_alone
)
_EACH = (
    ReplyKind(Statement, read_talk),
    ReplyKind(Summary, read_talk),
    _OPINION,
    replace(_OPINION, message=Ruling, name="ruling"),
    ReplyKind(Critique, read_critique, "form-critique"),
    ReplyKind(Critique, read_literally, "form-critique", name="critique-literal"),
    replace(_OPINION, message=Samples, name="samples", read=read_samples, places=None),
    replace(
        _OPINION,
        message=Samples,
        name="explained-samples",
        read=read_samples,
        form="form-each",
        structured="form-each-schema",
        schema=_explained_schema,
        places=None,
    ),
    _FILLED,
    replace(_FILLED, message=Samples, name="filled-samples", read=read_samples, places=None),
    replace(_FILLED, name="expected", read=read_expected, places=None),
    ReplyKind(
        Plan,
        read_planned,
        "form-plan",
        "form-plan-schema",
        lambda spec: plan_schema(spec.aspects, _evaluators(spec)),
    ),
    ReplyKind(
        Statement,
        read_written,
        "form-steps",
        "form-steps-schema",
        lambda _: steps_schema(),
        name="steps",
        example=_steps,
    ),
    ReplyKind(
        Poll,
        read_votes,
        "form-poll",
        "form-poll-schema",
        lambda spec: poll_schema(spec.titles, spec.candidates),
    ),
    ReplyKind(
        Roster, read_roles, "form-roster", "form-roster-schema", lambda spec: roster_schema(spec.roles)
    ),
)

KINDS: Mapping[str, ReplyKind] = {kind.name: replace(kind, fits=True) for kind in _EACH}
"""The kinds that agents can be asked for."""


def read_reply(
    kind: ReplyKind, completion: Completion, spec: ReplySpec, confidence: Source | None = None
) -> Read:
    """Read a completion as a message of this kind; `confidence` is the source for that of its ballot."""
    if completion.finish == "refusal" and not completion.others:  # of several samples, each is read by itself
        return Problem("refusal", "The reply declines to answer.")
    said = spoken(completion.text)  # without the thinking that some models put before it
    aloud = completion if said == completion.text else replace(completion, text=said)
    return (
        kind.fields_of(aloud, spec) if confidence is None else read_confidently(kind, aloud, spec, confidence)
    )


def reply_kind(name: str) -> ReplyKind:
    """The kind of that name, or of the ballots of that name. Raises StrategyError where there is none."""
    if name in KINDS:
        return KINDS[name]
    if name in kinds()[1:]:
        return of_ballot(ballot_kind(name))
    known = ", ".join((*KINDS, *kinds()[1:]))
    raise StrategyError(f"no agent can be asked for a {name!r}; the kinds are {known}")


def of_ballot(kind: BallotKind) -> ReplyKind:
    """The kind of reply that carries a ballot of this kind."""

    def places(text: str, spec: ReplySpec, ballot: Ballot) -> Sequence[tuple[int, int]]:
        read = kind.paper(text, spec, structured=False, cut_off=False)
        found = () if isinstance(read, Problem) else read[0].places
        return found or score_places(text, spec.lines, ballot)

    return ReplyKind(
        Score,
        partial(_read_paper, kind),
        kind.form,
        kind.structured,
        kind.schema,
        name=kind.name,
        example=kind.example,
        places=places,
        check=lambda spec: kind.check(spec.aspects, several=bool(spec.candidates)),
    )


def _read_paper(kind: BallotKind, completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A reply that carries a ballot of a kind of its own."""
    cut_off = completion.finish == "length"
    read = kind.paper(completion.text, spec, structured=completion.structured, cut_off=cut_off)
    if isinstance(read, Problem):
        return read
    paper, ratings = read
    reading = Reading(how=paper.how, ends=paper.ends)
    ballot = Ballot(ratings=ratings, reason=paper.reason, reading=reading, given=paper.given)
    said = [paper.reason]
    if paper.reason != completion.text.strip():
        labels = {candidate.field: candidate.label for candidate in spec.candidates}
        said += [one.line(labels) for one in paper.given]
    return {"ballot": ballot, "text": "\n".join(filter(None, said))}


def _as_prose(ballot: Ballot, text: str, lines: tuple[Line, ...]) -> str:
    """Return the text that the others hear: a reply in JSON becomes its reason and its scores."""
    if ballot.reason == sound(text).strip():
        return ballot.reason
    return "\n".join(([ballot.reason, ""] if ballot.reason else []) + fill_in(ballot, lines))
