"""Purposes: what the built-in strategies ask agents for, each with its template in prompts/turns/."""

from agentdebate.talk.messages import (
    Critique,
    Plan,
    Poll,
    Purpose,
    Roster,
    Ruling,
    Samples,
    Score,
    Statement,
    Summary,
)

SPEAK = Purpose("speak", Statement)
OPEN = Purpose("open", Statement)
FORWARD = Purpose("forward", Statement)
SCORE = Purpose("score", Score)
REVISE = Purpose("revise", Score)
CRITICISE = Purpose("criticise", Critique)
SUMMARISE = Purpose("summarise", Summary)
RULE = Purpose("rule", Ruling)
VOTE = Purpose("vote", Score)
RECRUIT = Purpose("recruit", Roster)
PLAY = Purpose("play", Poll)
PLAN = Purpose("plan", Plan)
FUSE = Purpose("fuse", Samples)
STEPS = Purpose("steps", Statement, "steps")
RANK = Purpose("rank", Score, "ranking")
APPROVE = Purpose("approve", Score, "approval")
ALLOT = Purpose("allot", Score, "points")
MARK = Purpose("mark", Score, "spans")
FILL = Purpose("fill", Score, "filled")
SAMPLE = Purpose("fill", Samples, "filled-samples")
EXPECT = Purpose("fill", Score, "expected")
