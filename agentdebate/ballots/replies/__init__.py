"""Replies of judges and critics, read: the form that was asked for, JSON, a table of patterns, else a refusal with its reason.

from agentdebate.ballots.replies import read_choice, read_critic, read_scores
"""

from agentdebate.ballots.replies.choices import read_choice as read_choice
from agentdebate.ballots.replies.critic import read_critic as read_critic
from agentdebate.ballots.replies.scores import read_scores as read_scores

__all__ = ["read_choice", "read_critic", "read_scores"]
