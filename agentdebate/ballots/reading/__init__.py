"""The grammar of judgements: how a score, or a choice between texts, is found in what a judge writes.

exact.py         replies in exactly the form that was asked for
gist.py          sentences of a reply that may state a judgement
tokens.py        words, numbers and marks of a reply; aspect_names.py, marks in place of aspects' names
number_expressions.py
                 numbers brought together ("4 out of 5", "three and a half stars")
pieces.py        a reply as pieces, which are all of these; reply_pieces.py, how it is taken apart
lexicon.py       words beside a number, and the part that each plays; choice_words.py, those of choices
clause.py        the clause around a number or a name: whether it is quoted, asked, or sums up
denial.py, condition.py, attribution.py, rejection.py
                 what keeps what a clause says from being the judge's: denied, only supposed, another judge's, turned down
first_thought.py, correction.py
                 numbers that a judge does not stay with, and those that come in their place
form.py          labels of entries ("Coherence (1-5): 4")
lead.py          what stands right before a number in a sentence
subject.py       who gives a score
opening_number.py
                 numbers that open a clause, or are all of it ("A 4 is fair.")
calculation.py   numbers that are calculated from others: sums and means
bound.py         the most that a judge can give, which is what it gives
division.py      numbers that are shared out among parts or readings, or left open
slips.py         slips of the keyboard in words of labels
prose.py         what ties a number to a judgement in a sentence ("I would give it a 4")
closing_sentence.py
                 the number that a reply closes or opens with, in a sentence that no other rule reads; number_sentence.py,
                 sentence_vetoes.py, that sentence and what keeps its numbers from being scores
topic.py         the aspect that the words around a number give it to; follower.py, what may follow a score
own_line.py      numbers that have a line for themselves
revision.py      what the rest of a line puts in the place of a score or a choice
other_numbers.py labels that make a number another one than the score ("Maximum score: 5")
sections.py      headings, and whose scores follow below them
scores.py        the statements of scores
lone.py          the last resort for scores: the one value that a line labels; lone_name.py, for choices
names.py         what the texts that are compared are called
placement.py     names that stand alone; predicates.py, winners.py, grades.py, ties.py: what makes a name the choice
beside.py        what stands beside a name: another one, the next entry of a form
vote_lines.py    the lines of a poll's form
wins.py, ranks.py, tallies.py, languages.py: what wins is said to do, places in an order, scores of each text, and languages without blanks
preference_pairs.py
                 two texts that a sentence holds against each other ("I prefer A to B")
vetoes.py        what keeps a name in a sentence from being the choice; doubt.py, alternatives; elsewhere.py, other comparisons; disavowal.py, doubts and hearsay
choices.py       the statements of choices
statement.py     a judgement as it is stated: what is rated, its value, the rule, how final it is
rule.py          the rules, with a reason each
decision.py      which statement counts
"""
