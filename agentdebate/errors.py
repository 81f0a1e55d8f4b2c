"""Every error of the package, in one tree; the branch says what the reader should do.

AgentDebateError
|
+-- UserError                    fix something of yours: exit code 2 on the command line
|   +-- ContentError             a file in agents/, strategies/ or prompts/
|   +-- DataError                a row of a data file, or an item made in code
|   +-- UsageError               an argument or option
|   +-- MissingExtra             an optional dependency that is not installed
|
+-- ModelError                   what a model endpoint answered, or did not
|   +-- AuthenticationError      no key, or one that the endpoint refuses: ends a run
|   |   +-- AccessDenied         the endpoint takes the key, and not this request with it
|   +-- RequestRefused           the endpoint calls the request wrong
|   |   +-- ContextTooLong       the request does not fit the model's context
|   |   +-- UnknownModel         there is no such model there: ends a run
|   |   +-- AccountSpent         the account has nothing left: ends a run
|   +-- ContentFiltered          the provider's filter stopped the reply
|   +-- NothingRead              no reply of the run could be read: ends a run
|   +-- ReplyTooLong             the reply is larger than any that is read: its agent asks again
|   +-- RateLimited              try again, after `retry_after` seconds where it is known
|   +-- NoRoom                   try again, and then at the standard tier: the tier flex is full
|   +-- ServerFailed             try again: the endpoint failed (HTTP 5xx)
|   +-- ModelTimeout             try again: no answer in time
|   +-- ConnectionFailed         try again: the endpoint could not be reached
|   |   +-- EndpointDown         no call has come through for too long: ends a run
|   +-- MalformedReply           try again, once where it came whole: the answer is not what the protocol says
|
+-- DebateError                  one debate could not end with a verdict
|   +-- UnreadableReply          an agent's replies could not be read, however often it was asked
|   +-- TurnTimeout              a turn's deadline passed
|   +-- AgentFailed              an agent raised; `__cause__` is what it raised
|   +-- TooFewBallots            fewer readable ballots than the quorum
|   +-- MergeFailed              a merge raised, or gave something else than a rating on the scale for each thing
|   +-- DebateCurtailed          what the debate may take was used up before there was a ballot
|   +-- UnknownAddress           a message to an unknown name
|   +-- StrategyError            the strategy broke a rule of the floor
|   +-- EvaluatorFailed          an assistant evaluator raised; `__cause__` is what it raised
|
+-- BudgetSpent                  a call would go beyond what the run may spend: it stops, and can go on with more
|
+-- StoreError                   the run on disk cannot be read or written
    +-- LeaseLost                another process may hold the debate by now: nothing more of it is written
"""

import difflib
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, ClassVar, NoReturn, Self

from agentdebate.usage import Usage

_PLAIN = (str, bytes, int, float, type(None))
"""Types of arguments with which a built-in exception is copied as it is."""


class AgentDebateError(Exception):
    """Base of every error that this package raises on purpose.

    Each can be copied and pickled, with its fields and its cause: errors go from one process to another. A cause that is
    not one of ours, nor a plain built-in one, arrives as an AgentDebateError that says what it was.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle its state, since the arguments of constructors differ from one class to the next."""
        return _made_again, (type(self), self.args, vars(self).copy(), _portable(self.__cause__))


class UserError(AgentDebateError):
    """Something the user can fix: a file, a row, an argument, an installation."""


class ContentError(UserError):
    """A content file (agent card, strategy, prompt) is missing or wrong. Names the file, and the key or line."""

    def __init__(
        self, message: str, *, path: object = None, line: int | None = None, key: str | None = None
    ) -> None:
        self.path, self.line, self.key = path, line, key
        super().__init__(_place(path, line, key) + message)


class DataError(UserError):
    """An item or a row of a data file is wrong. Names the file, line and field where they are known."""

    def __init__(
        self, message: str, *, path: object = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.path, self.line, self.field = path, line, field
        super().__init__(_place(path, line, field) + message)


class UsageError(UserError):
    """An argument or option does not mean anything here. `option` names it, where it is one that goes by a name."""

    def __init__(self, message: str, *, option: str | None = None) -> None:
        self.option = option
        super().__init__(message)


class MissingExtra(UserError):
    """Error for a feature whose package is not installed. The message is the line that installs it."""


class ModelError(AgentDebateError):
    """A model endpoint failed to give a completion.

    `retryable` says whether the same request may succeed later: the kind of error does, or the endpoint itself. `ends_run`
    says whether every other request would fail alike, so that it concerns more than one debate. `retry_after` is in seconds.
    """

    retryable: bool = False
    ends_run: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        model: str = "",
        status: int | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        self.model, self.status = model, status
        self.retry_after, self.request_id = retry_after, request_id
        super().__init__(f"{model}: {message}" if model else message)


class AuthenticationError(ModelError):
    """Error for a key that is missing, or that the endpoint refuses."""

    ends_run = True


class AccessDenied(AuthenticationError):
    """The endpoint takes the key and denies this request, which may be for what is in it."""

    ends_run = False


class RequestRefused(ModelError):
    """The endpoint says that the request itself is wrong (an unknown model or parameter).

    `parameter` names what it does not take or give ("logprobs", "seed"), where that is known.
    """

    parameter: str = ""

    def about(self, parameter: str) -> Self:
        """Make the error about a parameter of the request."""
        self.parameter = parameter
        return self


class ContextTooLong(RequestRefused):
    """The request does not fit into the model's context window."""


class UnknownModel(RequestRefused):
    """Error for a model or a path that the endpoint does not have."""

    ends_run = True


class AccountSpent(RequestRefused):
    """The account at the provider has nothing left to spend, in all or for the day; the message says until when, where that is known."""

    ends_run = True


class ContentFiltered(ModelError):
    """The provider's content filter stopped the reply."""


class NothingRead(ModelError):
    """No reply of the run could be read, however often agents asked back; other debates would be paid for in vain too.

    `turns` is how many turns have ended so, and `reply` one of the replies, whole.
    """

    ends_run = True

    def __init__(self, message: str, *, turns: int = 0, reply: str = "", **where: Any) -> None:
        self.turns, self.reply = turns, reply
        super().__init__(message, **where)


class ReplyTooLong(ModelError):
    """The reply, or the answer that holds it, is larger than any that is read. Nothing of it is kept.

    `size` is in bytes: that of the reply, or of what had been read when the reading ended. `usage` is what the endpoint
    says that it cost, where that is known. It is not tried again as it was: the agent is told, and asked once more.
    """

    def __init__(self, message: str, *, size: int = 0, usage: Usage | None = None, **where: Any) -> None:
        self.size, self.usage = size, usage
        super().__init__(message, **where)


class RateLimited(ModelError):
    """Too many requests or tokens; `retry_after` holds the endpoint's own figure where it gives one."""

    retryable = True


class NoRoom(ModelError):
    """The tier flex has no room for the call at present."""

    retryable = True


class ServerFailed(ModelError):
    """The endpoint answered with HTTP 5xx."""

    retryable = True


class ModelTimeout(ModelError):
    """The endpoint did not answer in time."""

    retryable = True


class ConnectionFailed(ModelError):
    """The endpoint could not be reached, or the connection broke."""

    retryable = True


class EndpointDown(ConnectionFailed):
    """Every call to the endpoint has failed for so long that waiting is given up: other debates would wait in vain too.

    The message ends with why the latest of them failed.
    """

    retryable = False
    ends_run = True


class MalformedReply(ModelError):
    """The endpoint answered something that is not a chat completion. Where the answer came whole it is asked for once more."""

    retryable = True
    whole: bool = True
    """True if all of the answer arrived; one that broke off says nothing of the next."""


class DebateError(AgentDebateError):
    """A debate ended without a verdict. `agent` names whose turn it was, where there was one."""

    def __init__(self, message: str, *, agent: str | None = None) -> None:
        self.agent = agent
        super().__init__(message)


class UnreadableReply(DebateError):
    """An agent's replies could not be read, however often it was asked; `problems` holds one line a reply."""

    def __init__(self, message: str, *, agent: str, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__(message, agent=agent)


class TurnTimeout(DebateError):
    """An agent did not answer within the turn's deadline."""


class AgentFailed(DebateError):
    """An agent raised an error that is not ours; it is the `__cause__`."""


class TooFewBallots(DebateError):
    """Fewer ballots could be had than the strategy's quorum."""


class MergeFailed(DebateError):
    """A merge raised, which is the `__cause__`, or gave something else than one rating on the scale for each thing."""


class DebateCurtailed(DebateError):
    """A debate has used up what it may take. It ends with the merge of its latest ballots, where there are any."""


class UnknownAddress(DebateError):
    """A message was sent to an address that no one in the debate has."""


class StrategyError(DebateError):
    """A strategy broke a rule of the floor: an unknown role, a message that was never said, no verdict."""


class EvaluatorFailed(DebateError):
    """An assistant evaluator could not score an item; what it raised is the `__cause__`."""


class BudgetSpent(AgentDebateError):
    """A call would cost more than is left of the run's budget. The run stops, and can be resumed with more."""


class StoreError(AgentDebateError):
    """The run on disk cannot be read or written."""


class LeaseLost(StoreError):
    """Another process may hold the debate by now: nothing more of it is written by this one, which abandons it."""


_LONGEST_HINT, _MOST_HINTS = 100, 200
"""Characters of a name, and names, that are compared for a hint: a row of data may have any."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that ends an error message: the nearest known name, or the list of them."""
    names = sorted({one for one in known if len(one) <= _LONGEST_HINT})
    more = f", and {len(names) - _MOST_HINTS} more" if len(names) > _MOST_HINTS else ""
    names = names[:_MOST_HINTS]
    close = difflib.get_close_matches(name, names, n=1) if len(name) <= _LONGEST_HINT else []
    if close:
        return f"Did you mean {close[0]!r}?"
    return f"Known: {', '.join(names) or 'none'}{more}."


def raise_only(group: BaseExceptionGroup[BaseException]) -> NoReturn:
    """Raise what a task group raised, as itself where it is one error; the first of several, with the group as its cause."""
    leaves = _leaves(group)
    if len(leaves) == 1:
        raise leaves[0] from leaves[0].__cause__  # its own, which `from None` would take from it
    raise leaves[0] from group


def own_copy(error: Exception) -> Exception:
    """An error as somebody else may raise it: where one is raised its traceback grows, so each caller gets its own.

    One of a class that cannot be copied is given as it is.
    """
    try:
        return copy(error)
    except TypeError:  # its constructor takes something else than its arguments
        return error


def _made_again(
    kind: type[AgentDebateError],
    args: tuple[Any, ...],
    fields: Mapping[str, Any],
    cause: BaseException | None,
) -> AgentDebateError:
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    if cause is not None:
        error.__cause__ = cause
    return error


def _portable(cause: BaseException | None) -> BaseException | None:
    """The cause, where every process knows how to make it again; else what it said."""
    if cause is None or isinstance(cause, AgentDebateError):
        return cause
    if type(cause).__module__ == "builtins" and all(isinstance(one, _PLAIN) for one in cause.args):
        return cause
    return AgentDebateError(f"{type(cause).__name__}: {cause}")


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]


def _place(path: object, line: int | None, name: str | None) -> str:
    parts = [str(path)] if path is not None else []
    if line:
        parts.append(f"line {line}")
    if name is not None:
        parts.append(repr(name))
    return ", ".join(parts) + ": " if parts else ""
