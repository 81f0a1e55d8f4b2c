"""agentdebate judges text by multi-agent debate.

The layout, ground floor first (imports go down only):

    errors, tasks, plugins    what can go wrong; what is judged; what packages register
    project                   content files, and whose word counts
    tables                    rows with typed columns, for pandas, polars, Arrow and notebooks
    ballots                   judgements: read, merged, weighed
    talk                      messages, the bus that carries them, who hears whom
    models                    a request in, a completion out; dialects, which endpoints speak; limits
    offline                   the embedded judge
    embedders, evaluators     vectors of texts; scores of texts by other means
    prompts, agents           what a model is shown; the actors
    strategies                the floor, and who speaks when
    debates                   one strategy, one item, one task group: a record
    datasets, store           items from files; the run on disk
    runs                      many debates at once
    meta                      how well verdicts agree with people
    studies                   what runs and then analyses
    report                    tables and plots
    viewer                    the browser's side
    integrations              pytest
    cli                       the command line

This module is for users: `import agentdebate as ad`. `__init__.pyi` lists the names, for readers, type checkers and
`lazy_loader`, which loads each when it is first used, so that importing agentdebate costs next to nothing. Names that fewer
users need are in the packages of their rooms: `ad.strategies.Strategy`. Inside the package, names are imported from the
module that defines them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
__version__ = "1.0.0"
