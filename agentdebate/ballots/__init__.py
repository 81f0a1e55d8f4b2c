"""Ballots: what they are (ballot.py), how they are got out of replies (schema.py, text.py), and when a critic agrees
(objection.py).
"""
