"""Strategies: who speaks when, who hears what, and how ballots become a verdict. One way of talking a file; base.py says
what a strategy is, load.py reads strategies/.
"""
