"""A debate as `agentdebate show` prints it: its transcript, its ballots, who saw what."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.cli.ballots import show_ballots
from agentdebate.cli.console import console, offline_note, one_line, out, out_json, say, table
from agentdebate.cli.tables import see_debate
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import StoreError, UsageError
from agentdebate.report.judged_text import ItemText, quotes_in, texts_of
from agentdebate.report.transcript_text import LiveView
from agentdebate.store.reader import Reader, StoredCall
from agentdebate.talk.messages import Brief, Failure, Message, Verdict

HINT = "replies that could not be read, word for word"
"""What --prompts shows of a debate that lost an agent."""


@dataclass(frozen=True)
class DebatePage:
    """Prints debates of a run; with `who` and `prompts`, which messages each call was shown, and what models were sent."""

    reader: Reader
    run: str
    store: str
    who: bool = False
    prompts: bool = False

    def view(self, quotes: Sequence[str] = ()) -> LiveView:
        """Prints the messages of a debate that it is given, with the texts that it is about, in which `quotes` are marked."""
        return LiveView(console(), numbered=self.who, texts=self._texts, quotes=quotes)

    def print(self, debate: str) -> None:
        """Print a debate."""
        messages = self.reader.messages(self.run, debate)
        view = self.view(quotes_in(messages))
        for message in messages:
            view(message)
        self.print_rest(debate)

    def _texts(self, item: str) -> tuple[ItemText, ...]:
        """The texts of an item of the run; none where they are damaged, which is said: the debate can be read without."""
        try:
            found = self.reader.item(self.run, item)
            tasks = self.reader.run(self.run).tasks()
        except (StoreError, UsageError) as error:
            say(one_line(f"warning: the texts of {item} cannot be shown: {error}"))
            return ()
        return texts_of(found, tasks.get(found.task))

    def print_rest(self, debate: str) -> None:
        """Print what stands below the messages of a debate."""
        messages, calls = self.reader.messages(self.run, debate), self.reader.calls(self.run, debate)
        _show_ending(self.reader, self.run, debate, messages)
        show_ballots(messages)
        note = offline_note(call.completion.model for call in calls)
        if note:
            out(f"{note}\n")
        if self.who:
            _show_who(messages, calls)
        if self.prompts:
            _show_prompts(messages, calls)
        elif _unreadable(messages):
            out(f"{HINT}: {one_line(see_debate(self.run, debate, self.store))} --prompts\n")

    def print_json(self, debate: str) -> None:
        """Print a debate as JSON."""
        messages, calls = self.reader.messages(self.run, debate), self.reader.calls(self.run, debate)
        out_json(
            {
                "debate": debate,
                "messages": [message.model_dump(mode="json") for message in messages],
                "calls": [
                    {**vars(call), "completion": call.completion.model_dump(mode="json")} for call in calls
                ],
            }
        )


def _show_ending(reader: Reader, run: str, debate: str, messages: Sequence[Message]) -> None:
    """What the transcript itself does not say: that it has no end, or why it never began."""
    if any(isinstance(m, Verdict) or (isinstance(m, Failure) and m.answers is None) for m in messages):
        return
    row = reader.row(run, debate)
    if row is None:
        out(one_line(f"{debate}: this debate has not ended"))
    elif outcome_of(row) is FAILURE:
        out(one_line(f"{debate}: failed: {row['failure']['error']}: {row['failure']['reason']}"))


def _unreadable(messages: Sequence[Message]) -> bool:
    return any(isinstance(m, Failure) and m.error == "UnreadableReply" for m in messages)


def _show_who(messages: Sequence[Message], calls: Sequence[StoredCall]) -> None:
    """Which call was shown which messages."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages}
    lines = [
        (
            call.number,
            call.agent,
            call.round,
            call.attempt,
            ", ".join(names.get(seq, str(seq)) for seq in call.shown),
        )
        for call in calls
    ]
    table(
        "Who saw what",
        ["call", "agent", "round", "attempt", "was shown"],
        lines,
        numeric=["call", "round", "attempt"],
    )


def _show_prompts(messages: Sequence[Message], calls: Sequence[StoredCall]) -> None:
    brief = next((message.text for message in messages if isinstance(message, Brief)), "")
    out(f"--- every call begins with\n{brief}\n")
    for call in calls:
        out(one_line(f"--- call {call.number}: {call.agent}, round {call.round}, attempt {call.attempt}"))
        for part in call.prompt:
            out(f"[{one_line(part['role'])}]\n{part['content']}\n")
        out(f"[reply of {one_line(call.completion.model)}]\n{call.completion.text}\n")
