"""Models: one method that turns a request into a completion. base.py says what a model is; the rest are models.

dialects/ has what endpoints speak, and limits/ what holds calls back.
"""
