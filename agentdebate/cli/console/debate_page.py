"""A debate as `agentdebate show` prints it: its transcript, its ballots, who saw what."""

from dataclasses import asdict, dataclass
from functools import partial

from agentdebate.cli.console.command_lines import see_debate
from agentdebate.cli.console.output import console, one_line, out, out_json, say, show
from agentdebate.codec import plain
from agentdebate.errors import StoreError, UsageError
from agentdebate.report.ballot_table import has_unreadable_reply, outcome_blocks, prompt_blocks, sight_table
from agentdebate.report.transcript_text import ItemText, LiveView, texts_of
from agentdebate.store.reader import Reader
from agentdebate.talk.envelope import message_data
from agentdebate.talk.graph import hearings, mermaid

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

    def view(self) -> LiveView:
        """Prints the messages of a debate that it is given, with the texts that it is about."""
        return LiveView(console(), numbered=self.who, texts=self._texts)

    def print(self, debate: str) -> None:
        """Print a debate."""
        view = self.view()
        for message in self.reader.messages(self.run, debate):
            view(message)
        self.print_rest(debate)

    def _texts(self, item: str) -> tuple[ItemText, ...]:
        """The texts of an item of the run; none where they are damaged, which is said: the debate can be read without."""
        try:
            found = self.reader.item(self.run, item)
            tasks = self.reader.run(self.run, counted=False).tasks()
        except (StoreError, UsageError) as error:
            say(one_line(f"warning: the texts of {item} cannot be shown: {error}"))
            return ()
        return texts_of(found, tasks.get(found.task))

    def print_rest(self, debate: str) -> None:
        """Print what stands below the messages of a debate."""
        messages, calls = self.reader.messages(self.run, debate), self.reader.calls(self.run, debate)
        show(outcome_blocks(debate, messages, calls, partial(self.reader.row, self.run, debate)))
        if self.who:
            show([sight_table(messages, calls)])
        if self.prompts:
            show(prompt_blocks(messages, calls))
        elif has_unreadable_reply(messages):
            out(f"{HINT}: {one_line(see_debate(self.run, debate, self.store))} --prompts\n")

    def print_graph(self, debate: str, *, as_json: bool) -> None:
        """Print who heard whom in a debate; as JSON with the arrows one by one."""
        found = hearings(self.reader.messages(self.run, debate))
        if as_json:
            arrows = [asdict(one) for one in found]
            out_json({"debate": debate, "hearings": arrows, "mermaid": mermaid(found)})
        else:
            out(mermaid(found))

    def print_json(self, debate: str) -> None:
        """Print a debate as JSON."""
        messages, calls = self.reader.messages(self.run, debate), self.reader.calls(self.run, debate)
        out_json(
            {
                "debate": debate,
                "messages": [message_data(message) for message in messages],
                "calls": [{**vars(call), "completion": plain(call.completion)} for call in calls],
            }
        )
