"""The grammar of judgements: how a score, or a choice between texts, is found in what a judge writes.

exact.py         replies in exactly the form that was asked for
gist.py          sentences of a reply that may state a judgement
pieces.py        a reply as pieces: words, marks, names of aspects, numbers brought together
lexicon.py       words beside a number, and the part that each plays; choice_words.py, those of choices
clause.py        what a clause does with what stands in it: denies, asks, supposes, quotes, compares, concludes
form.py          labels of entries ("Coherence (1-5): 4")
lead.py          what stands right before a number in a sentence
subject.py       who gives a score
opening.py       numbers that open a clause, or are all of it ("A 4 is fair.")
calculation.py   numbers that are calculated from others: sums and means
bound.py         the most that a judge can give, which is what it gives
division.py      numbers that are shared out among parts or readings, or left open
slips.py         slips of the keyboard in words of labels
prose.py         what ties a number to a judgement in a sentence ("I would give it a 4")
other_numbers.py labels that make a number another one than the score ("Maximum score: 5")
sections.py      headings, and whose scores follow below them
scores.py        the statements of scores
lone.py          the last resort for scores: the one value that a line labels; lone_name.py, for choices
names.py         what the texts that are compared are called
placement.py     names that stand alone; predicates.py, winners.py, grades.py, ties.py: what makes a name the choice
beside.py        what stands beside a name: another one, the next entry of a form
vote_lines.py    the lines of a poll's form
wins.py, ranks.py, tallies.py, languages.py: what wins is said to do, places in an order, scores of each text, and languages without blanks
vetoes.py        what keeps a name in a sentence from being the choice; doubt.py, alternatives; elsewhere.py, other comparisons
choices.py       the statements of choices
statement.py     a judgement as it is stated: what is rated, its value, the rule, how final it is
rule.py          the rules, with a reason each
decision.py      which statement counts
"""
