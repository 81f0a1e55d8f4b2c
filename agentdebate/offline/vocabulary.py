"""The few English words that the features know by heart. Texts in other languages simply have none of them."""


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


FUNCTION_WORDS = _words(
    """
    a about above after again against all also although am an and another any anyone anything are aren't as at away
    back be became because been before being below between both but by came can can't cannot come could couldn't did
    didn't do does doesn't doing don't done down during each either else even ever every few for from further get
    gets getting go goes going gone got had hadn't has hasn't have haven't having he he's her here hers herself him
    himself his how however i i'd i'll i'm i've if in into is isn't it it's its itself just know less let like lot
    made make makes many may maybe me might mine more most much must my myself n't neither never no nor not nothing
    now of off often oh ok on once one only onto or other our ours out over own per quite rather really s said same
    say saying says she she's should shouldn't since so some something soon still such t than that that's the their
    theirs them themselves then there there's these they they're thing things this those though through thus to too
    took toward towards under until up upon us very via was wasn't way we we're well went were weren't what what's
    when where whether which while who whom whose why will with within without won't would wouldn't yeah yes yet you
    you're your yours lrb rrb lsb rsb d ll m re ve nt n
    """
)

PRONOUNS = _words("he she it they his her its their him them this that these those")
"""Words that point back at something said before."""

CONNECTIVES = _words(
    "also and because but finally first however instead later meanwhile next second since so still then therefore "
    "though thus while yet"
)

BACKWARD = _words("also but however instead later meanwhile so still then therefore thus yet")
"""Connectives that need something said before them, also where a text opens."""

DANGLING = _words("a an and are as at but by for from in is of on or the their to was were which with")
"""Words that no English sentence ends with."""

PERSONAL = _words("i i'd i'll i'm i've me mine my myself we us our you you're your yours")


STOCK_PHRASES = (
    "i don't know",
    "i do n t know",
    "i do nt know",
    "i m not sure",
    "i'm not sure",
    "not sure",
    "i have n t heard",
    "i did n t know",
    "that is true",
    "that s true",
    "i think so",
    "i agree",
    "that is interesting",
    "it s interesting",
    "i think it s",
    "i like a little",
    "nice talking",
    "nice chatting",
    "i ve heard of",
    "i m not a fan",
)
"""Phrases that fit any conversation, in the form that `text.flat` gives words."""

REFUSALS = (
    "as an ai",
    "as a language model",
    "i'm sorry but",
    "i am sorry but",
    "i can't",
    "i cannot",
    "i am unable",
    "i'm unable",
    "i am not able",
    "i don't have access",
    "i do not have access",
)
"""Phrases with which an answer holds back."""

HEDGES = (
    "it depends",
    "in general",
    "generally speaking",
    "there are many",
    "there are various",
    "it is important to note",
    "it's important to note",
    "it is worth noting",
    "it's worth noting",
    "it is difficult to",
    "it's difficult to",
    "it is impossible to",
    "it's impossible to",
    "may or may not",
    "can vary",
    "may vary",
    "i think",
    "i don't know",
    "i'm not sure",
    "i am not sure",
    "perhaps",
    "probably",
)
"""Phrases that commit a speaker to nothing."""

EXAMPLES = _words("example examples instance e.g eg")

INSTRUCTIONS = _words(
    """
    answer compose create describe develop discuss draft explain explanation help imagine implement include please
    pretend provide reader reasoning show step structure task tell through try use using write
    """
)
"""Words of a question that say what to do, and not what it is about."""

CAPITALISED = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december cnn bbc reuters mr mrs ms dr
    """
)
"""Words with a capital that belong to no name."""

DULL = CAPITALISED | _words(
    """
    hour hours minute minutes second seconds gmt uk us
    year years month months week weeks day days today yesterday tomorrow time times people person man men woman women
    ways new first second last next two three four five six told tell think thought want wanted use used using
    including called set found find part lot number old young big need look looking work working right left long high
    according later early late since around across near another give given take taken put end start started several
    million billion percent per cent good great best better little
    """
)
"""Words that say nothing of what a text is about, however often it says them."""

OF_READERS = _words(
    """
    reader readers audience person people public someone somebody user users kind sort member members story stories news
    text texts article articles summary summaries answer answers question questions reply replies interested interest
    interesting looking look looks update updates want wants like likes love loves read reads reading write writes writing
    know knows check checks checking clear sentence sentences word words wording good great style life live lives point
    points key main time little fact facts figure figures detail details world work works working works follow follows
    following never heard before expert newcomer follower casual sceptic devotee storyteller enthusiast easy understand
    plain original consistency consistent friend friends tell tells care cares cared year years depth lively important
    name names date dates exact source statement statements new like short different explained accurate accuracy precise
    first happened try tries vote votes prefer prefers choose always better best
    """
)
"""Words with which any reader may be described, whatever they are interested in."""
