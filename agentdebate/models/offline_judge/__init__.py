"""What the offline judge is made of, ground floor first.

text       words, sentences and short quotes of one text
parts      which field of an item is the text under judgement, which its source, which its conversation
shelf      analyses kept for the next turn, bounded
source     what a source stresses, and where it says what
reading    one text under judgement beside its source: findings on demand
finding    what one feature found, and the sentences it can argue with
form, content, flow, talk      the features
features   all features by name
profiles   which features speak to which aspect, and who may argue from them
closing    closing lines ("Coherence: 4"), written and read
history    what a speaker has heard, in order
opinion    an aspect's value from a mix of features, and the reasons for it
claims     objections read from a critic's words and checked against the text
opening, critique, revision, ruling, relay      the replies
"""
