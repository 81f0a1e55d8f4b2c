"""The kinds of reply that agents can be asked for: from a completion to what a message says, or to what is wrong with it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from agentdebate.agents.reply_kind import Doubt, Fields, Read, ReplyKind, logprobs_of, texts_of
from agentdebate.ballots import plan, poll, roster, sheet
from agentdebate.ballots.ballot import Ballot, Confidence, Rating, Reading
from agentdebate.ballots.confidence import confidence
from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.ballots.kinds import BallotKind, ballot_kind, kinds
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.plain import sound
from agentdebate.ballots.repetition import repetition
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import StrategyError
from agentdebate.models.base import Completion
from agentdebate.talk import messages
from agentdebate.visible import is_blank

_EMPTY = Problem("nothing", "The reply is empty.")
_CUT = Problem("cut_off", "The reply was cut off before its end.")


def _how(completion: Completion) -> dict[str, bool]:
    """Say to readers whether a reply was held to a schema, and cut off."""
    return {"structured": completion.structured, "cut_off": completion.finish == "length"}


def read_opinion(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A reply that carries a ballot."""
    ballot = sheet.read_sheet(completion.text, spec.lines, patterns=spec.asked_again, **_how(completion))
    if isinstance(ballot, Problem):
        return ballot
    return {"ballot": ballot, "text": _as_prose(ballot, completion.text, spec)}


def _as_prose(ballot: Ballot, text: str, spec: ReplySpec) -> str:
    """Return the text that the others hear: a reply in JSON becomes its reason and its scores."""
    if ballot.reason == sound(text).strip():
        return ballot.reason
    return "\n".join(([ballot.reason, ""] if ballot.reason else []) + sheet.fill_in(ballot, spec.lines))


def read_critique(completion: Completion, _: ReplySpec) -> Read:
    """A critic's reply. One that was cut or ends in a loop is neither agreement nor an objection; one that has the stop word within a
    sentence is asked about once, and is an objection if it has it there again.
    """
    found = read_critic(completion.text, cut=completion.finish == "length")
    fields = {"text": completion.text.strip(), "no_issue": found.agrees is True}
    if found.rule == "mention":
        return Doubt({**fields, "reading": "unclear"}, found.refused)
    return found.problem or fields


def read_literally(completion: Completion, _: ReplySpec) -> Fields | Problem:
    """A critic's reply as the paper reads it: agreement wherever the words of the stop word are (DEBATE, Algorithm 1, line 8)."""
    text = completion.text.strip()
    agrees = any(word in text.upper() for word in ("NO ISSUE", "NO_ISSUE"))
    return _EMPTY if is_blank(text) else {"text": text, "no_issue": agrees}


def read_talk(completion: Completion, _: ReplySpec) -> Read:
    """Free talk: anything but silence. Talk that ends in a loop is asked about once, and then counts with one pass of it."""
    text = completion.text.strip()
    loop = repetition(text)
    if loop is not None:
        return Doubt({"text": loop.once(text)}, loop.said(text))
    return _EMPTY if is_blank(text) else {"text": text}


def read_votes(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """The votes of everyone that the speaker plays; without players its own, under no name."""
    choices = poll.read_poll(completion.text, spec.titles, spec.candidates, **_how(completion))
    if isinstance(choices, Problem):
        return choices
    each = list(zip(spec.titles or ("",), choices, strict=True))
    silent = [title for title, choice in each if not choice.reasoned]
    if silent and "span" in spec.given:
        return Problem("missing", f"I found no reason for the vote of {silent[0] or 'the reader'}.")
    votes = [messages.Vote(player=title, ballot=_vote(choice, completion, spec)) for title, choice in each]
    return {"votes": tuple(votes), "text": completion.text.strip()}


def _vote(choice: poll.Choice, completion: Completion, spec: ReplySpec) -> Ballot:
    """A ballot of 1 for the chosen text and 0 for the others, so that a mean of ballots is a share of votes.

    The confidence is that of the tokens of the choice, of the reason, or of both (DRPE, equation 3); what the form of the reply says is
    in none.
    """
    ratings = [
        Rating(aspect=spec.lines[0].rated, candidate=one.field, score=float(one.field == choice.candidate))
        for one in spec.candidates
    ]
    tokens = [(one.token, one.logprob) for one in completion.logprobs or ()]
    spans = {"reason": choice.reasoned, "reply": (*choice.reasoned, *choice.named)}
    span = spans.get(spec.given.get("span", ""), choice.named)
    sure = confidence(tokens, completion.text, span) if tokens else None
    return Ballot(
        ratings=tuple(ratings),
        reason=choice.reason,
        reading=Reading(how=choice.how, rule=choice.rule),
        confidence=None if sure is None else Confidence(value=sure, source="log-probabilities"),
    )


def read_roles(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """The roles that a recruiter wants."""
    roles = roster.read_roster(completion.text, spec.roles, **_how(completion))
    if isinstance(roles, Problem):
        return roles
    return {"roles": roles, "text": "\n".join(f"{role.type}: {role.description}" for role in roles)}


def read_samples(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """Several samples of one opinion. What cannot be read in one of them is missing there; each rating is in one at least."""
    read = [
        sheet.read_sheet(text, spec.lines, structured=completion.structured, cut_off=cut_off, partial=True)
        for text, cut_off in texts_of(completion)
    ]
    ballots = tuple([one for one in read if isinstance(one, Ballot)])
    problems = [one for one in read if isinstance(one, Problem)]
    if not ballots:
        return problems[0]
    rated = {(rating.aspect, rating.candidate) for ballot in ballots for rating in ballot.ratings}
    missing = [line.aspect.name for line in spec.lines if (line.rated, line.candidate) not in rated]
    if missing:
        return Problem("missing", f"I found no score for {', '.join(missing)}.")
    return {
        "ballots": ballots,
        "problems": (*[one.text for one in problems], *completion.lost),
        "asked": max(spec.samples, len(read)),
        "text": _as_prose(ballots[0], completion.text, spec),
    }


def read_expected(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A form filled in, each score of which becomes the expectation over its tokens (G-Eval, Section 2.3), with how much of the
    probability it rests on, at least.

    Raises RequestRefused where the reply came without log-probabilities: no other score takes the place of this one.
    """
    read = read_opinion(completion, spec)
    if isinstance(read, Problem):
        return read
    logprobs = logprobs_of(completion)
    ballot: Ballot = read["ballot"]
    tokens = [TokenChoice(one.token, {**dict(one.top), one.token: one.logprob}) for one in logprobs]
    places = sheet.score_places(completion.text, spec.lines, ballot) or ((0, 0),) * len(spec.lines)
    ratings, mass = list[Rating](), 1.0
    for line, given, (after, _) in zip(spec.lines, ballot.ratings, places, strict=True):
        found = expected(tokens, completion.text, given.score, line.aspect.scale, after=after)
        if found is None:
            return Problem("missing", f"I cannot tell which of its tokens are the score {given.score:g}.")
        ratings.append(replace(given, score=found.score, probabilities=found.probabilities))
        mass = min(mass, found.mass)
    reading = replace(ballot.reading, how="expected", mass=mass)
    return {**read, "ballot": replace(ballot, ratings=tuple(ratings), reading=reading)}


def read_planned(completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A plan, with the evaluators that it names for each aspect."""
    found = plan.read_plan(completion.text, spec.aspects, _evaluators(spec))
    if isinstance(found, Problem):
        return found
    if completion.finish == "length":
        return _CUT
    chosen = [messages.Chosen(aspect=name, evaluators=names) for name, names in found.items()]
    return {"chosen": tuple(chosen), "text": plan.plan_in_words(completion.text, spec.aspects)}


def read_written(completion: Completion, _: ReplySpec) -> Fields | Problem:
    """A list of steps."""
    steps = _CUT if completion.finish == "length" else plan.read_steps(completion.text)
    return steps if isinstance(steps, Problem) else {"text": plan.steps_in_words(completion.text)}


def read_ballot(kind: BallotKind, completion: Completion, spec: ReplySpec) -> Fields | Problem:
    """A reply that carries a ballot of a kind of its own."""
    read = kind.paper(completion.text, spec, **_how(completion))
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


_schema = lru_cache(maxsize=64)(sheet.ballot_schema)
"""One schema for all debates about the same aspects: what models write of it is then known, too."""


def _sheet_schema(spec: ReplySpec, *, reasoned: bool = True) -> dict[str, Any]:
    return _schema(tuple([line.aspect for line in spec.lines]), reasoned=reasoned)


_scores_alone = partial(_sheet_schema, reasoned=False)
"""The schema of a form that holds scores alone."""


def _explained_schema(spec: ReplySpec) -> dict[str, Any]:
    """Build the schema of scores with an explanation behind each (Fusion-Eval, Appendix A.2)."""
    scores, told = _scores_alone(spec)["properties"], {"type": "string"}
    each = {name: sheet.closed_object({"score": one, "explanation": told}) for name, one in scores.items()}
    return sheet.closed_object(each)


def _evaluators(spec: ReplySpec) -> list[str]:
    """The evaluators that a plan may name."""
    return [one["name"] for one in spec.given.get("evaluators", ())]


_STEPS = plan.numbered(
    [f"Look at part {at} of the text, and note what it does well or badly." for at in range(1, 5)]
)
"""A list of steps of a usual length."""


_OPINION = ReplyKind(messages.Score, read_opinion, "form-text", "form-schema", _sheet_schema, sheet=True)
_FILLED = replace(
    _OPINION, name="filled", form="form-fill", structured="form-fill-schema", schema=_scores_alone
)
_EACH = (
    ReplyKind(messages.Statement, read_talk),
    ReplyKind(messages.Summary, read_talk),
    _OPINION,
    replace(_OPINION, message=messages.Ruling, name="ruling"),
    ReplyKind(messages.Critique, read_critique, "form-critique"),
    ReplyKind(messages.Critique, read_literally, "form-critique", name="critique-literal"),
    replace(_OPINION, message=messages.Samples, name="samples", read=read_samples),
    ReplyKind(
        messages.Samples,
        read_samples,
        "form-each",
        "form-each-schema",
        _explained_schema,
        name="explained-samples",
    ),
    _FILLED,
    replace(_FILLED, message=messages.Samples, name="filled-samples", read=read_samples),
    replace(_FILLED, name="expected", read=read_expected),
    ReplyKind(
        messages.Plan,
        read_planned,
        "form-plan",
        "form-plan-schema",
        lambda spec: plan.plan_schema(spec.aspects, _evaluators(spec)),
    ),
    ReplyKind(
        messages.Statement,
        read_written,
        "form-steps",
        "form-steps-schema",
        lambda _: plan.steps_schema(),
        name="steps",
        example=lambda _spec, _number: _STEPS,
    ),
    ReplyKind(
        messages.Poll,
        read_votes,
        "form-poll",
        "form-poll-schema",
        lambda spec: poll.poll_schema(spec.titles, spec.candidates),
    ),
    ReplyKind(
        messages.Roster,
        read_roles,
        "form-roster",
        "form-roster-schema",
        lambda spec: roster.roster_schema(spec.roles),
    ),
)

KINDS: Mapping[str, ReplyKind] = {kind.name: replace(kind, fits=True) for kind in _EACH}
"""The kinds that agents can be asked for."""


def reply_kind(name: str) -> ReplyKind:
    """The kind of that name, or of the ballots of that name. Raises StrategyError where there is none."""
    if name in KINDS:
        return KINDS[name]
    ballots = kinds()[1:]
    if name not in ballots:
        known = ", ".join((*KINDS, *ballots))
        raise StrategyError(f"no agent can be asked for a {name!r}; the kinds are {known}")
    kind = ballot_kind(name)
    return ReplyKind(
        messages.Score,
        partial(read_ballot, kind),
        kind.form,
        kind.structured,
        kind.schema,
        name=kind.name,
        example=kind.example,
        check=lambda spec: kind.check(spec.aspects, several=bool(spec.candidates)),
    )
