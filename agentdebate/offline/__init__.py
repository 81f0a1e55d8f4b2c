"""The embedded judge: what it is made of, ground floor first.

text       words, sentences and short quotes of one text
parts      which field of an item is the text under judgement, which its source, its conversation, its question
shelf      analyses kept for the next turn, bounded
source     what a source stresses, and where it says what
reading    one text under judgement beside its source: findings on demand
finding    what one feature found, and the sentences it can argue with
sums       arithmetic that a text writes out
form, content, flow, talk, answer      the features
features   all features by name
profiles   which features speak to which aspect, and who may argue from them
viewpoints what the agents of known cards look at, and what a role wants by its description
opinion    an aspect's value from a mix of features, and the reasons for it
closing    closing lines ("Coherence: 4"), written and read
matter     one line of the ballot, with the text that it rates and the features that speak to it
naming     which texts and aspects some words are about
claims     objections read from a critic's words and checked against the text
arguments  what others bring up in talk for a text or against it
history    what a speaker has heard, in order
case_file  everything that a reply is made from
leaning    which text somebody prefers
view       what a speaker makes of a matter after listening
wording    a view put into words: of one text, or of several side by side
standpoint what a role looks at in a text, and which topics it looks for
topics     what a text is about: the names and words that it stresses
walks_of_life      which words belong to which field of life, and who works in it
clues      what evaluators say of a text, and which of them a plan names for an aspect
families   kinds of evaluators: what they compare, what they can tell, which aspects that informs
nouns      what a task calls its texts
opening, speaking, critique, revision, ruling, minutes, relay, recruiting, playing, planning, fusing, steps, form_filling
           the replies
model      the judge as a model, which answers each kind of turn with one of these replies
"""
