"""agentdebate replay-stops: what stop rules would have kept and saved in the debates of a run."""

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.agree import QuestionOptions, RoundOptions
from agentdebate.cli.options.common import STORE, Json, StorePath, json_pairs
from agentdebate.errors import UsageError
from agentdebate.meta.talks import RoundFields
from agentdebate.report.stop_replay import replay_stops as replayed
from agentdebate.store.reader import LAST


def replay_stops(
    run: str = LAST,
    /,
    *,
    stop: tuple[str, ...] = (),
    data: str | None = None,
    rounds: RoundOptions = RoundFields(),
    asking: QuestionOptions = QuestionOptions(),
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Replay stop rules on the debates of a run: verdicts kept, calls saved, agreement kept. No model is called.

    Example: agentdebate replay-stops last --stop unanimous --stop 'most={"rule": "majority", "share": 0.75}'

    Parameters
    ----------
    run
        A run with ballots in every round, or the beginning of its name; "last" is the newest.
    stop
        A stop rule by its name, or LABEL=RULE, where the rule may be a table of its name and options as JSON; the option again for
        more [all rules].
    data
        A file of recorded rounds, a row for every ballot, in the place of a run.

    """
    named = [text if "=" in text or not text else f"{text}={text}" for text in stop]
    stops = json_pairs(named, "--stop")
    for label, rule in stops.items():
        if isinstance(rule, str) and rule.startswith("{"):
            raise UsageError(f"--stop {label}: {rule!r:.80} is not JSON")
    found = replayed(run, stops=stops, store=store, data=data, rounds=rounds, **asking.arguments)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return 0
