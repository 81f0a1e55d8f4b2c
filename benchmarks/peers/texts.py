"""What is said in every peer's debate: prompts of the length of ours over the same item. The critic objects in all rounds."""

ROUNDS = 4
CALLS = 2 * ROUNDS + 1
"""Calls of a debate: a score, and in each round an objection and a score."""
ARTICLE = "The council of Kelby voted on Tuesday to repair the swing bridge over the harbour. " * 20
SUMMARY = "The bridge will be repaired, says Kelby."
BRIEF = f"""You will judge one summary written for a news article. {"Read the article and the summary with care. " * 20}

Article:
{ARTICLE}

Summary:
{SUMMARY}

Coherence (1-5): whether the sentences of the summary belong together and make one account of the topic."""
SCORER = "You are the Scorer. Think before you score, and weigh what is said against it. " * 4
CRITIC = "You are the Critic, a devil's advocate. Attack the score with what is in the texts. " * 4
GIVE_SCORE = (
    "Score the summary on coherence, reasons first. End with a line of this form: Coherence: [1 to 5]"
)
GIVE_ISSUE = "Say what is wrong with the score. If there is nothing, write NO ISSUE."
