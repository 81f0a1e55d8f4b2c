"""The grammar of judgements: how a score, or a choice between texts, is found in what a judge writes.

lexicon.py     words, and the part that each plays in a judgement
rule.py        the rules by which something is a judgement, with a reason each
pieces.py      a reply as pieces: words, marks, names of aspects, numbers brought together
clause.py      what a clause does with what stands in it: denies, asks, supposes, quotes, compares, concludes
form.py        labels of entries ("Coherence (1-5): 4")
prose.py       what ties a number to a judgement in a sentence ("I would give it a 4")
scores.py      the statements of scores
names.py       what the texts that are compared are called
choices.py     the statements of choices
statement.py   a judgement as it is stated: what is rated, its value, the rule, how final it is
decision.py    which statement counts
exact.py       replies in exactly the form that was asked for
"""
