"""agentdebate judges text by multi-agent debate.

The layout, ground floor first (imports go down only):

    errors, tasks, plugins    what can go wrong; what is judged; what packages register
    project                   content files, and whose word counts
    tables                    rows with typed columns, for pandas, polars, Arrow and notebooks
    ballots                   judgements: read, merged, weighed
    talk                      messages, the bus that carries them, who hears whom
    models                    a request in, a completion out; dialects, which endpoints speak; limits
    offline                   the embedded judge
    embedders, evaluators     vectors of texts; scores of texts by other means
    prompts, agents           what a model is shown; the actors
    strategies                the floor, and who speaks when
    debates                   one strategy, one item, one task group: a record
    datasets, store           items from files; the run on disk
    runs                      many debates at once
    meta                      how well verdicts agree with people
    studies                   what runs and then analyses
    report                    tables and plots
    viewer                    the browser's side
    cli                       the command line

This module is for users: `import agentdebate as ad`. Inside the package, names are imported from the module that
defines them. A name is loaded when it is first used, so that importing agentdebate costs next to nothing.
"""

import gc
from importlib import import_module

# `python -m agentdebate` reads this file while the current folder may still be searched for modules: what is imported
# here has to be there already, and __main__.py then leaves the folder out.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentdebate.agents.card import Card as Card
    from agentdebate.agents.purse import DebateLimits as DebateLimits
    from agentdebate.agents.reply_kind import Doubt as Doubt
    from agentdebate.agents.reply_kind import ReplyKind as ReplyKind
    from agentdebate.agents.seat import Seat as Seat
    from agentdebate.agents.seat import SeatPlan as SeatPlan
    from agentdebate.agents.seat import Seats as Seats
    from agentdebate.ballots.ballot import Ballot as Ballot
    from agentdebate.ballots.ballot import Confidence as Confidence
    from agentdebate.ballots.ballot import Given as Given
    from agentdebate.ballots.ballot import Rating as Rating
    from agentdebate.ballots.kinds import BallotKind as BallotKind
    from agentdebate.ballots.kinds import BallotPaper as BallotPaper
    from agentdebate.ballots.kinds import ballot_kind as ballot_kind
    from agentdebate.ballots.lineup import ReplySpec as ReplySpec
    from agentdebate.ballots.merge import MergeContext as MergeContext
    from agentdebate.ballots.merge import MergeOption as MergeOption
    from agentdebate.ballots.merge import MergeRule as MergeRule
    from agentdebate.ballots.merge import merge as merge
    from agentdebate.ballots.replies.outcome import Problem as Problem
    from agentdebate.ballots.roster import Role as Role
    from agentdebate.datasets.download import get_dataset as get_dataset
    from agentdebate.datasets.published import known_datasets as known_datasets
    from agentdebate.datasets.published import load_dataset as load_dataset
    from agentdebate.debates.ready import ReadyStrategy as ReadyStrategy
    from agentdebate.debates.ready import ready as ready
    from agentdebate.debates.record import Record as Record
    from agentdebate.embedders.base import Embedder as Embedder
    from agentdebate.embedders.registry import embedder as embedder
    from agentdebate.errors import AgentDebateError as AgentDebateError
    from agentdebate.errors import DebateError as DebateError
    from agentdebate.errors import ModelError as ModelError
    from agentdebate.errors import StoreError as StoreError
    from agentdebate.errors import UserError as UserError
    from agentdebate.evaluators.base import Evaluator as Evaluator
    from agentdebate.evaluators.base import Pair as Pair
    from agentdebate.evaluators.base import Range as Range
    from agentdebate.evaluators.registry import evaluator as evaluator
    from agentdebate.meta.agreement import Agreement as Agreement
    from agentdebate.meta.bootstrap import Bootstrap as Bootstrap
    from agentdebate.meta.comparison import compare as compare
    from agentdebate.meta.judgements import Choices as Choices
    from agentdebate.meta.judgements import Chosen as Chosen
    from agentdebate.meta.judgements import Judged as Judged
    from agentdebate.meta.judgements import Judgements as Judgements
    from agentdebate.models.base import Completion as Completion
    from agentdebate.models.base import Model as Model
    from agentdebate.models.base import ModelRequest as ModelRequest
    from agentdebate.models.base import Sampling as Sampling
    from agentdebate.models.budget import Budget as Budget
    from agentdebate.models.check import Check as Check
    from agentdebate.models.check import Tried as Tried
    from agentdebate.models.check import check as check
    from agentdebate.models.composition import Limits as Limits
    from agentdebate.models.function import Function as Function
    from agentdebate.models.registry import model as model
    from agentdebate.models.scripted import Scripted as Scripted
    from agentdebate.project.new_project import NewFile as NewFile
    from agentdebate.project.new_project import init_project as init_project
    from agentdebate.project.project import Project as Project
    from agentdebate.prompts.prompts import task as task
    from agentdebate.report.aggregate import AggregateTable as AggregateTable
    from agentdebate.report.aggregate import aggregate as aggregate
    from agentdebate.report.agree import agree as agree
    from agentdebate.report.agreement_table import AgreementTable as AgreementTable
    from agentdebate.report.contents import list_content as list_content
    from agentdebate.report.dynamics import RunDynamics as RunDynamics
    from agentdebate.report.dynamics import dynamics as dynamics
    from agentdebate.report.export import export as export
    from agentdebate.report.means import MeansTable as MeansTable
    from agentdebate.report.means import means as means
    from agentdebate.report.run_plot import RunPlot as RunPlot
    from agentdebate.report.run_plot import plot as plot
    from agentdebate.report.sweep import SweepOptions as SweepOptions
    from agentdebate.report.sweep import sweep as sweep
    from agentdebate.report.sweep import sweep_forecast as sweep_forecast
    from agentdebate.report.sweep_table import SweepTable as SweepTable
    from agentdebate.runs.debate import debate as debate
    from agentdebate.runs.evaluation import Evaluation as Evaluation
    from agentdebate.runs.evaluation import evaluate as evaluate
    from agentdebate.runs.forecast import Forecast as Forecast
    from agentdebate.runs.forecast import forecast as forecast
    from agentdebate.runs.hearing_graph import HearingGraph as HearingGraph
    from agentdebate.runs.hearing_graph import graph as graph
    from agentdebate.runs.judge import Judge as Judge
    from agentdebate.runs.load_items import load_items as load_items
    from agentdebate.runs.settings import Settings as Settings
    from agentdebate.runs.work import crew as crew
    from agentdebate.runs.work import enqueue as enqueue
    from agentdebate.runs.work import stop as stop
    from agentdebate.runs.work import work as work
    from agentdebate.store.crew import Crew as Crew
    from agentdebate.store.crew import Worker as Worker
    from agentdebate.store.run_tables import Cost as Cost
    from agentdebate.store.run_tables import Costs as Costs
    from agentdebate.store.run_tables import RunCall as RunCall
    from agentdebate.store.run_tables import RunMessage as RunMessage
    from agentdebate.store.stored_run import Run as Run
    from agentdebate.store.stored_run import Store as Store
    from agentdebate.store.stored_run import StoredRecord as StoredRecord
    from agentdebate.store.stored_run import open_store as open_store
    from agentdebate.store.upkeep import CopiedRun as CopiedRun
    from agentdebate.store.upkeep import RunContent as RunContent
    from agentdebate.store.upkeep import StoreCheck as StoreCheck
    from agentdebate.store.upkeep import StoreInfo as StoreInfo
    from agentdebate.store.upkeep import check_store as check_store
    from agentdebate.store.upkeep import copy_runs as copy_runs
    from agentdebate.store.upkeep import delete_run as delete_run
    from agentdebate.store.upkeep import run_content as run_content
    from agentdebate.store.upkeep import store_info as store_info
    from agentdebate.strategies.balloting import Balloting as Balloting
    from agentdebate.strategies.base import Cards as Cards
    from agentdebate.strategies.base import Strategy as Strategy
    from agentdebate.strategies.devils_advocate import DevilsAdvocate as DevilsAdvocate
    from agentdebate.strategies.evaluator_mean import EvaluatorMean as EvaluatorMean
    from agentdebate.strategies.floor import Floor as Floor
    from agentdebate.strategies.fusion import Fusion as Fusion
    from agentdebate.strategies.geval import GEval as GEval
    from agentdebate.strategies.group_talk import GroupTalk as GroupTalk
    from agentdebate.strategies.histories import History as History
    from agentdebate.strategies.histories import HistoryContext as HistoryContext
    from agentdebate.strategies.histories import Remembered as Remembered
    from agentdebate.strategies.load import strategy as strategy
    from agentdebate.strategies.one_by_one import OneByOne as OneByOne
    from agentdebate.strategies.recruited import Recruited as Recruited
    from agentdebate.strategies.repeated import Repeated as Repeated
    from agentdebate.strategies.role_players import RolePlayers as RolePlayers
    from agentdebate.strategies.simultaneous_talk import SimultaneousTalk as SimultaneousTalk
    from agentdebate.strategies.solo import Solo as Solo
    from agentdebate.strategies.stops import Stop as Stop
    from agentdebate.strategies.stops import StopContext as StopContext
    from agentdebate.strategies.stops import ballots_by_round as ballots_by_round
    from agentdebate.strategies.stops import stop_rule as stop_rule
    from agentdebate.strategies.summarized_talk import (
        SimultaneousTalkWithSummarizer as SimultaneousTalkWithSummarizer,
    )
    from agentdebate.strategies.swapped_positions import SwappedPositions as SwappedPositions
    from agentdebate.strategies.tie_breaker import TieBreaker as TieBreaker
    from agentdebate.strategies.with_evidence import WithEvidence as WithEvidence
    from agentdebate.strategies.wrapper import Wrapper as Wrapper
    from agentdebate.studies.sweep import SweepListener as SweepListener
    from agentdebate.studies.sweep_cell import SweepCell as SweepCell
    from agentdebate.studies.sweep_forecast import SweepForecast as SweepForecast
    from agentdebate.tables.table import Table as Table
    from agentdebate.talk.messages import ALLOT as ALLOT
    from agentdebate.talk.messages import APPROVE as APPROVE
    from agentdebate.talk.messages import CRITICISE as CRITICISE
    from agentdebate.talk.messages import FLOOR as FLOOR
    from agentdebate.talk.messages import FORWARD as FORWARD
    from agentdebate.talk.messages import FUSE as FUSE
    from agentdebate.talk.messages import MARK as MARK
    from agentdebate.talk.messages import OPEN as OPEN
    from agentdebate.talk.messages import PLAN as PLAN
    from agentdebate.talk.messages import PLAY as PLAY
    from agentdebate.talk.messages import RANK as RANK
    from agentdebate.talk.messages import RECRUIT as RECRUIT
    from agentdebate.talk.messages import REVISE as REVISE
    from agentdebate.talk.messages import RULE as RULE
    from agentdebate.talk.messages import SCORE as SCORE
    from agentdebate.talk.messages import SPEAK as SPEAK
    from agentdebate.talk.messages import SUMMARISE as SUMMARISE
    from agentdebate.talk.messages import VOTE as VOTE
    from agentdebate.talk.messages import CastBallot as CastBallot
    from agentdebate.talk.messages import Critique as Critique
    from agentdebate.talk.messages import Evidence as Evidence
    from agentdebate.talk.messages import Failure as Failure
    from agentdebate.talk.messages import Message as Message
    from agentdebate.talk.messages import Plan as Plan
    from agentdebate.talk.messages import Poll as Poll
    from agentdebate.talk.messages import Purpose as Purpose
    from agentdebate.talk.messages import Reply as Reply
    from agentdebate.talk.messages import Roster as Roster
    from agentdebate.talk.messages import Ruling as Ruling
    from agentdebate.talk.messages import Samples as Samples
    from agentdebate.talk.messages import Score as Score
    from agentdebate.talk.messages import Statement as Statement
    from agentdebate.talk.messages import Summary as Summary
    from agentdebate.talk.messages import Verdict as Verdict
    from agentdebate.talk.messages import Vote as Vote
    from agentdebate.talk.transcript import Transcript as Transcript
    from agentdebate.tasks import Aspect as Aspect
    from agentdebate.tasks import Item as Item
    from agentdebate.tasks import Scale as Scale
    from agentdebate.tasks import Task as Task
    from agentdebate.usage import Usage as Usage
    from agentdebate.viewer.report import write_report as write_report
    from agentdebate.viewer.server import view as view

_HOMES = {
    "agents.card": ("Card",),
    "agents.reply_kind": ("Doubt", "ReplyKind"),
    "ballots.ballot": ("Ballot", "Confidence", "Given", "Rating"),
    "ballots.kinds": ("BallotKind", "BallotPaper", "ballot_kind"),
    "ballots.lineup": ("ReplySpec",),
    "ballots.merge": ("MergeContext", "MergeOption", "MergeRule", "merge"),
    "ballots.replies.outcome": ("Problem",),
    "ballots.roster": ("Role",),
    "datasets.download": ("get_dataset",),
    "datasets.published": ("known_datasets", "load_dataset"),
    "runs.settings": ("Settings",),
    "models.composition": ("Limits",),
    "models.budget": ("Budget",),
    "debates.ready": ("ReadyStrategy", "ready"),
    "runs.debate": ("debate",),
    "embedders.base": ("Embedder",),
    "embedders.registry": ("embedder",),
    "errors": ("AgentDebateError", "DebateError", "ModelError", "StoreError", "UserError"),
    "report.export": ("export",),
    "runs.evaluation": ("Evaluation", "evaluate"),
    "runs.judge": ("Judge",),
    "runs.load_items": ("load_items",),
    "runs.forecast": ("Forecast", "forecast"),
    "runs.work": ("crew", "enqueue", "stop", "work"),
    "store.crew": ("Crew", "Worker"),
    "agents.purse": ("DebateLimits",),
    "evaluators.base": ("Evaluator", "Pair", "Range"),
    "evaluators.registry": ("evaluator",),
    "agents.seat": ("Seat", "SeatPlan", "Seats"),
    "strategies.floor": ("Floor",),
    "talk.messages": (
        "ALLOT", "APPROVE", "CRITICISE", "FLOOR", "FORWARD", "FUSE", "MARK", "OPEN", "PLAN", "PLAY", "RANK", "RECRUIT", "REVISE", "RULE",
        "SCORE", "SPEAK", "SUMMARISE", "VOTE", "CastBallot", "Critique", "Evidence", "Failure", "Message", "Plan",
        "Poll", "Purpose", "Reply", "Roster", "Ruling", "Samples", "Score", "Statement", "Summary",
        "Verdict", "Vote",
    ),
    "meta.agreement": ("Agreement",),
    "meta.bootstrap": ("Bootstrap",),
    "meta.comparison": ("compare",),
    "meta.judgements": ("Choices", "Chosen", "Judged", "Judgements"),
    "models.base": ("Completion", "Model", "ModelRequest", "Sampling"),
    "models.check": ("Check", "Tried", "check"),
    "models.function": ("Function",),
    "models.registry": ("model",),
    "models.scripted": ("Scripted",),
    "project.new_project": ("NewFile", "init_project"),
    "project.project": ("Project",),
    "prompts.prompts": ("task",),
    "debates.record": ("Record",),
    "store.run_tables": ("Cost", "Costs", "RunCall", "RunMessage"),
    "store.stored_run": ("Run", "Store", "StoredRecord", "open_store"),
    "report.aggregate": ("AggregateTable", "aggregate"),
    "report.agree": ("agree",),
    "report.agreement_table": ("AgreementTable",),
    "report.dynamics": ("RunDynamics", "dynamics"),
    "report.contents": ("list_content",),
    "report.means": ("MeansTable", "means"),
    "report.run_plot": ("RunPlot", "plot"),
    "report.sweep": ("SweepOptions", "sweep", "sweep_forecast"),
    "report.sweep_table": ("SweepTable",),
    "runs.hearing_graph": ("HearingGraph", "graph"),
    "studies.sweep": ("SweepListener",),
    "studies.sweep_cell": ("SweepCell",),
    "studies.sweep_forecast": ("SweepForecast",),
    "store.upkeep": (
        "CopiedRun", "RunContent", "StoreCheck", "StoreInfo", "check_store", "copy_runs", "delete_run",
        "run_content", "store_info",
    ),
    "strategies.balloting": ("Balloting",),
    "strategies.base": ("Cards", "Strategy"),
    "strategies.devils_advocate": ("DevilsAdvocate",),
    "strategies.evaluator_mean": ("EvaluatorMean",),
    "strategies.fusion": ("Fusion",),
    "strategies.geval": ("GEval",),
    "strategies.group_talk": ("GroupTalk",),
    "strategies.histories": ("History", "HistoryContext", "Remembered"),
    "strategies.load": ("strategy",),
    "strategies.one_by_one": ("OneByOne",),
    "strategies.recruited": ("Recruited",),
    "strategies.repeated": ("Repeated",),
    "strategies.role_players": ("RolePlayers",),
    "strategies.simultaneous_talk": ("SimultaneousTalk",),
    "strategies.solo": ("Solo",),
    "strategies.stops": ("Stop", "StopContext", "ballots_by_round", "stop_rule"),
    "strategies.summarized_talk": ("SimultaneousTalkWithSummarizer",),
    "strategies.swapped_positions": ("SwappedPositions",),
    "strategies.tie_breaker": ("TieBreaker",),
    "strategies.with_evidence": ("WithEvidence",),
    "strategies.wrapper": ("Wrapper",),
    "tables.table": ("Table",),
    "talk.transcript": ("Transcript",),
    "tasks": ("Aspect", "Item", "Scale", "Task"),
    "usage": ("Usage",),
    "viewer.report": ("write_report",),
    "viewer.server": ("view",),
}  # fmt: skip
"""Where each public name is defined; the imports above say the same to type checkers, and a test compares the two."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}

_CALLED = frozenset({"models", "report"})
"""Packages of ours that can be called."""

__all__ = sorted(_HOME)  # noqa: PLE0605 - the names are those of the table
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name in _CALLED:
        return _imported(name)
    if name not in _HOME:
        raise AttributeError(f"module 'agentdebate' has no attribute {name!r}")
    value = globals()[name] = getattr(_imported(_HOME[name]), name)
    return value


def _imported(name: str) -> object:
    """A module of ours. Python does not look for garbage meanwhile, as modules are there to stay: that took a seventh of the time."""
    looks = gc.isenabled()
    gc.disable()
    try:
        return import_module(f"agentdebate.{name}")
    finally:
        if looks:
            gc.enable()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
