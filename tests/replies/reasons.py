"""What judges say around a judgement: sentences on four kinds of text, openings, closings. None of them rates anything."""

from collections.abc import Mapping

PRAISE: Mapping[str, tuple[str, ...]] = {
    "summary": (
        "The summary opens with the decision of the council, which is also what the article is about.",
        "Each sentence picks up where the one before it stopped.",
        "It keeps the cause of the flood and its consequences apart.",
        "Names and places agree with the article wherever I checked them.",
        "The quotation of the mayor is shortened without a change of meaning.",
        "Nothing of weight from the last third of the article is missing.",
    ),
    "response": (
        "The response takes up the question about the lighthouse and adds something to it.",
        "It sounds like a person who has been listening.",
        "The joke about the parrot suits the mood of the conversation.",
        "It ends in a question, so that the other can go on.",
        "The fact about deep-sea squid is used and not just recited.",
        "It stays with the topic of the last two turns.",
    ),
    "story": (
        "The story makes the old ferryman's doubt felt without naming it.",
        "The turn at the harbour comes as a surprise and is prepared all the same.",
        "Dialogue and description are well balanced.",
        "The prompt is taken seriously, and its one odd detail matters in the end.",
        "I cared for the sister, who hardly speaks.",
        "The images of snow and salt come back at the right moments.",
    ),
    "answer": (
        "The answer says first what to do and then why.",
        "Its explanation of interest rates is right and easy to follow.",
        "It names the exception that most people overlook.",
        "The example with the two buckets makes the point clear.",
        "It does not claim more than can be known.",
        "The steps are in an order in which they can be done.",
    ),
}
"""What speaks for a text, by its kind."""

FAULTS: Mapping[str, tuple[str, ...]] = {
    "summary": (
        "The summary never says why the bridge was closed.",
        "The order of the events is turned around in the middle part.",
        "It repeats the same statement about the budget in other words.",
        "A claim on the weather has no support in the article.",
        "The last sentence breaks off without a verb.",
        "It dwells on a side remark and leaves out the main finding.",
    ),
    "response": (
        "The response ignores the question that was asked.",
        "It could stand in any conversation whatever.",
        "The fact is pasted in and leads nowhere.",
        "It contradicts what the same speaker said before.",
        "The phrase is stiff, as if taken from a brochure.",
        "There is nothing in it to which one could reply.",
    ),
    "story": (
        "The story tells what it should show.",
        "The villain has no reason for what he does.",
        "The ending is borrowed and can be seen from far away.",
        "Names change halfway, which looks like an accident.",
        "The prompt is mentioned once and then forgotten.",
        "Too many adjectives crowd the first paragraph.",
    ),
    "answer": (
        "The answer mixes up two laws that have similar names.",
        "It leaves out the one step that can go wrong.",
        "The advice holds for a country that was not asked about.",
        "Half of it is polite talk before the point.",
        "The formula is right but the units are not.",
        "It does not say where the figures come from.",
    ),
}
"""What speaks against a text, by its kind."""

GENERAL = (
    "The grammar is sound throughout.",
    "There are a few slips in punctuation, none of which hinders reading.",
    "I read the {thing} twice to be sure.",
    "What matters most here is the {a}.",
    "Compared with the source, little is lost.",
    "Some readers may find this too short.",
    "In the middle it loses its thread for a moment.",
    "The criteria ask for more than correct sentences.",
    "I looked at the {a} first and at everything else later.",
    "It is neither the best nor the worst that one could write.",
    "The choice of words is plain, which suits the topic.",
    "One transition is missing, and it is an important one.",
    "That said, the main idea is never in doubt.",
    "On the whole the strengths and the weaknesses keep each other in balance.",
)
"""What can be said of any text."""

PAIRS = (
    "{X} gives the reader more to hold on to.",
    "{Y} is shorter and comes to the point sooner.",
    "The opening of {X} is livelier than that of {Y}.",
    "{Y} has a better ending, I must say.",
    "Both {X} and {Y} keep to the facts.",
    "{X} explains the cause, while {Y} only names the effect.",
    "In {Y} the order of the events is easy to follow.",
    "{X} leaves out the detail about the harbour.",
    "There is a slip of grammar in {X}, and one in {Y}.",
    "{Y} sounds more natural, though somewhat dry.",
    "What {X} lacks in style it makes up for in substance.",
    "On tone I would put {Y} ahead of {X}.",
)
"""What is said of two texts that are compared: {X} and {Y} are their labels, either of them the better one."""

OPENINGS = (
    "Sure, here is my evaluation.",
    "Let me think about this step by step.",
    "Thank you for the task.",
    "Evaluation:",
    "Here is my assessment of the {thing}:",
    "To judge the {a}, I follow the steps one by one.",
    "Certainly!",
    "**Analysis**",
)

CLOSINGS = (
    "Let me know if you need more detail.",
    "I hope this helps!",
    "These are my reasons.",
    "Feel free to ask for a longer explanation.",
    "I look forward to what the others have to say.",
    "Thank you.",
)

BULLETS = ("- ", "* ", "• ", "1. ", "1) ", "Step 1: ", "**Point 1.** ")
"""How lists of reasons begin; a digit counts up."""
