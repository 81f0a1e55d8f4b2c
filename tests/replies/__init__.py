"""Generated replies of judges, with what each says: what the readers of replies are measured on.

wordings_seen, stop_words_seen        what whoever writes a reader may look at
wordings_second, stop_words_second    a half of these which was set aside until a reader had been measured on it once (so were _third, _fourth and _fifth)
wordings_held, stop_words_held   set aside for the final figures; not to be looked at while a reader is written
wording, case, form              what a wording is, and what it is filled with
reasons, prose                   the text around a judgement
corpus, stop_word                the generators: all from a seed
objections                       how well the objections among a critic's replies are told from the rest
readers                          how each kind of reply is read now: the one place where a new reader is put in
"""
