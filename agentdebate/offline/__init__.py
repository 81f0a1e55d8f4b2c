"""The embedded judge, a demo and a test double: it measures seven things about a text, and argues from them.

text       words, sentences and short quotes of one text
features   a text under judgement beside its source, conversation or question: overlap, novelty, figures, repetition, order, length, sentences
aspects    which features tell an aspect
matter     one line of a ballot: a text, an aspect, and its scale
talk       what the speaker has heard: numbers and arguments
case       all that a reply is made from
ballots    replies that end in a ballot: vote, revise, rule, fill
turns      replies without one: criticise, speak, summarise, open, forward
roles      readers who are recruited, and the votes of those who are played
evaluators plans, steps, and ballots with evaluators' scores at hand
model      the judge as a model, which answers each purpose with one of these replies
"""
