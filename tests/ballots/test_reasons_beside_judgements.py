"""Reasons in ordinary words, which sound like a judgement taken back and are none: the judgement beside them is read."""

import pytest

from agentdebate.ballots.choice import read_choice
from agentdebate.ballots.objection import Objection, read_objection
from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.steps import read_steps
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", criterion="hangs together", scale=Scale(low=1, high=5))

# A line behind a score, what texts and speakers say, mistakes, footnotes, and objects in JSON.
SCORES = [
    ("Coherence: 3\nThe second part of the summary repeats the first.", 3),
    ("Score: 4/5\nIt leaves out part of the source.", 4),
    ("**Score: 4**\n\nThe first part of the answer is clear.", 4),
    ("Coherence: 2\nThe last part of the text wanders.\nOverall: 4", 2),
    ("Coherence: 4\nComes with a clear beginning.", 4),
    ("Coherence: 4\nIs what the task asks for.", 4),
    ("Coherence: 2. The summary claims that five died, while the police said no one was hurt.", 2),
    ("Coherence: 4. The second speaker was just joking, and the reply takes it so.", 4),
    ("- It repeats the first sentence in other words\nCoherence: 3", 3),
    ("- It leaves out a date that the source states\nCoherence: 3", 3),
    ("- The typo is in the last line\n\nCoherence: 4", 4),
    ("Analysis: the answer repeats what the question says\nScore: 2", 2),
    ("I'm giving this a 3 because of one factual mistake.", 3),
    ("I am sorry to have to give it a 2.", 2),
    ("I give it a 4 because it keeps what the source had.", 4),
    ("I give it a 4 given what the author had to cover.", 4),
    ('{"sample": {"coherence": 4}}', 4),
    ('{"critic": {"coherence": {"score": 4}}}', 4),
    ('{"source": {"coherence": 4}}', 4),
    ('{"expected_quality": {"coherence": 4}}', 4),
    ("Score: 4¹", 4),
]
CHOICES = [
    ("Winner: A. The police said nobody was hurt.", "A"),
    ("Answer A is better. Bob was only joking.", "A"),
    ("Answer A is better because it gets nothing wrong.", "A"),
    ("Answer A is better because B gets little right.", "A"),
    ("Answer A is better since it takes no liberties with the source.", "A"),
    ("Answer A is better because it keeps the tension until the end.", "A"),
]
# Replies in the manner of several models: reasons first, verdict first, lists without full stops, JSON.
MORE_SCORES = [
    ("No objection to a 4.", 4),
    ("I have no objection to a score of 4.", 4),
    ("Coherence: 3. The verb stands far away from its subject.", 3),
    ("I give it a 3 as the verb is far away from its subject.", 3),
    (
        "The summary follows the order of the article. It names the mayor, the vote and the date. Nothing is repeated.\n\nScore: 4",
        4,
    ),
    (
        "**Coherence: 4**\n\nThe summary states the main point first, then adds details in a sensible order. The last line feels tacked on.",
        4,
    ),
    ("4\n\nThe summary is well organized. It states who won and what the plan includes.", 4),
    (
        "Score: 3\n\nThis line of reasoning is easy to follow until the last paragraph, where the author's own view breaks in.",
        3,
    ),
    ("Rating: 2\nThe author's own opinion is mixed with the facts.", 2),
    ("Rating: 2\nThe text's own logic is broken in the second half.", 2),
    ("Coherence: 5\nThis has no effect on the reader's ability to follow the story.", 5),
    ("Coherence: 4\nThat part of the dialogue is natural.", 4),
    ("Coherence: 3\nWhich part of the story comes first is never clear.", 3),
    ("Coherence: 3\nBut the last part of the story is confusing.", 3),
    ("Coherence: 4\nHowever, the ending has no part in the plot.", 4),
    ("Coherence: 4\nAnd yet it is part of the plan.", 4),
    ("Coherence: 3\nYet no part of it is wrong.", 3),
    ("Coherence: 4\nStands on its own.", 4),
    ("Coherence: 4\nAppears to follow the source throughout.", 4),
    ("Coherence: 2\nIs only a list of facts.", 2),
    ("Coherence: 2\nWas taken from several places of the article.", 2),
    ("- Clear order of events\n- Repeats what the headline says\nCoherence: 3", 3),
    ("- Lists all facts that the article contains\n- Plain words\nCoherence: 4", 4),
    ("- Adds a fact that nobody states\n- Invents what the mayor said\nCoherence: 2", 2),
    ("- Good first lines\n- Weak closing lines\nCoherence: 3", 3),
    ("Strengths: follows the article line by line\nWeaknesses: too many words\nCoherence: 3", 3),
    ("Reasoning: The reply answers what the user states\nCoherence: 4", 4),
    ("Bob said no one came, and the summary keeps that. Coherence: 4", 4),
    ("The minister said nobody would lose a job; the summary says the same. I give it a 4.", 4),
    ("Coherence: 3. She was only kidding when she said it, but the summary takes it at face value.", 3),
    ("Coherence: 4\nThe joke lands: he was just kidding.", 4),
    ("Score: 5. It makes no mistake.", 5),
    ("I am giving this a 4 since the one mistake in the date is minor.", 4),
    ("I am giving it a 2; mixing up the names was a mistake.", 2),
    ("I rate this 3 because of what it leaves out and what it should have said.", 3),
    ("I give it a 3, given what the writer would have had to know.", 3),
    ("I would give it a 4 for what it could have been and is.", 4),
    ("My rating is 2. I'm sorry to say that the plot makes no sense.", 2),
    ("I'm sorry, but I can only give this a 2.", 2),
    ("Sadly I have to give this a 1. What a pity.", 1),
    ("I regret that I have to give it a 2.", 2),
    ("Unfortunately, this deserves a 2: the events are told in the wrong order.", 2),
    ("It would be wrong to give it more than a 3 - so 3.", 3),
    (
        '{"reasoning": "The summary states the plan, then what the source says. Nothing is lost.", "coherence": 4}',
        4,
    ),
    ('{"coherence": 3, "reason": "One mistake in the last line. The author said no one was hurt."}', 3),
    ('{"coherence": {"score": 4, "reason": "It follows the source until the end."}}', 4),
    ('{"expected": {"coherence": 5}, "coherence": 2}', 2),
    ('{"critic": {"coherence": 3, "comment": "fine"}}', 3),
    ('{"reasons": ["only part of the source", "several repeats"], "score": 3}', 3),
    (
        '```json\n{"coherence": 4, "explanation": "Part of the plan is missing, except for that it is fine."}\n```',
        4,
    ),
    (
        "Analysis:\n1. The first sentence states the main event.\n2. The second adds what the police said.\n3. The last one repeats the first.\n\nFinal score: 3",
        3,
    ),
    (
        "Let me go through it step by step. The summary opens with the fire. It then jumps to the trial, which happened two years later. Nothing links the two.\n\nTherefore, I would rate the coherence as 2.",
        2,
    ),
    (
        "The dialogue flows. A asks what the plan is, B says it is a joke. A says he is just joking too.\n\nRating: 4/5",
        4,
    ),
    ("Coherence: 4/5 - The story has several characters, two about to leave and one about to stay.", 4),
    ("Score: 4 — it covers all points except the date.", 4),
    ("I'd say 4. It gets little wrong.", 4),
    ("This gets a 3 from me, no more, as it wins little trust.", 3),
    ("4 out of 5, because it takes no liberties.", 4),
    ("Source: The article is about a ferry. Summary: It covers the ferry. Coherence: 4", 4),
    (
        "The source is long. The summary is short, and part of the story is gone.\n\nCoherence: 3\n\nPart of the reason is the missing date.",
        3,
    ),
    ("Coherence: 3\n\nThe line about the mayor does not belong.", 3),
    ("Coherence: 3\nThe line above the picture is repeated.", 3),
    ("Coherence: 3\nIt belongs to the better ones of its kind.", 3),
    ("Coherence: 2\nThis is an injection of facts that the source lacks.", 2),
    ("Score: 4\nThat said, the tone is not my favourite.", 4),
    ("Score: 2\nIt does not count the dead.", 2),
    ("Score: 3\nBut I rejected the idea that it is off topic.", 3),
    ("Score: 4\nBut I ignored the typos.", 4),
    ("Score: 4\nWhich I think is fair.", 4),
    ("Coherence: 4. I would not change a line.", 4),
    ("Coherence: 3 (one mistake, several repeats)", 3),
    ("Coherence: 3, lack of links between sentences.", 3),
    ("There are problems with coherence, so I give it a 2.", 2),
    ("Despite issues with coherence, a 3 is fair.", 3),
    ("The main problem is coherence: 2", 2),
    ("Score: 4\n1. Order: fine\n2. Links: fine", 4),
    ("5 - Excellent. Every sentence builds on the last.", 5),
    ("The answer contains three sentences, each about the plan. Score: 4", 4),
    ("It mentions 3 people and covers 2 events. Score: 4", 4),
    ("Evaluation Form (scores ONLY):\n- Coherence: 4", 4),
    ("- Coherence: 4 - The text is well-structured, though the author added two lines about weather.", 4),
    ("Thoughts: The plan is stated. Nothing is off.\nScore: 4²", 4),
    (
        "**Coherence Score: 4/5**\n\n**Reasoning:**\n- The summary opens with the main event\n- It states the outcome\n- Several sentences could be joined\n- One mistake in the last line",
        4,
    ),
    (
        "Score: 3\n\nReasoning: What the summary does well is to state the plan. What it lacks is a link to the source.",
        3,
    ),
    ("Coherence: 2\n\nThis is because the text jumps between topics until the reader is lost.", 2),
    (
        "I'd rate this summary a 3 out of 5 for coherence. While it states the facts, it gets little of the order right, and nothing links the parts.",
        3,
    ),
    (
        "Based on the criteria, I would assign a score of 4. The response isn't perfect; part of the source is missing.",
        4,
    ),
    (
        "The summary is coherent. It states who, what and when. However, the author's own words are left out.\n\n**Final Score: 4**",
        4,
    ),
    ("Coherence: 3 — the summary mentions two about-turns in the policy with little explanation.", 3),
    ("Score (1-5): 4\nExplanation: No one is misquoted.", 4),
    ("1. Reads the article: yes.\n2. Follows the plan: yes.\n\nCoherence: 5", 5),
    (
        "Sure! Here's my evaluation:\n\nCoherence: 4\n\nThe first line states the topic, and the rest follows.",
        4,
    ),
    ("Sure, here is the rating.\n\n- Coherence: 3\n\nThe text says what it must. That is all.", 3),
    ("Here is what the summary says:\nThe ferry sank.\n\nCoherence: 3", 3),
    ('The summary reads:\n"The ferry sank. No one was hurt."\n\nCoherence: 4', 4),
    ("It is a summary with no mistakes, as the source states\nRating: 5", 5),
    ('The response is funny. "Just kidding," says the clerk. I give it 4.', 4),
    ("Just kidding around is what the characters do. Score: 4.", 4),
    ("Joking aside, the summary is good. Coherence: 4", 4),
    ("Coherence: 4. Joking aside, it is good.", 4),
    ("Kidding aside, I give this a 3.", 3),
    ("The story is not sad. Not at all. Coherence: 4", 4),
    ("Coherence: 4. Not bad at all.", 4),
    ("Coherence: 4. Not perfect.", 4),
    ("Is it good? No. Is it bad? Not. Coherence: 3", 3),
    ("The score is 3. Not more, not less.", 3),
    ("Coherence: 3\nReason: the plan changes, and no one in it said why", 3),
    ("Considering everything, I land on 3. To give it a 4 would be a mistake.", 3),
    ("Considering everything, I land on 3. Giving it a 4 would be wrong.", 3),
    ("I give it a 3. I regret nothing.", 3),
    ("I hate to say it, but it's a 1.", 1),
    ("I'm sorry to give such a low score: 1.", 1),
    ("I feel sorry for the author, but it is a 2.", 2),
    ("I am ashamed to say that I liked it: 4.", 4),
    ("I object to the style, yet the score is 4.", 4),
    ("While I object to some words, I'd give it a 4.", 4),
    ("I argue against the second paragraph. Score: 3", 3),
    ("This speaks against a high score; 2.", 2),
    ("The essay, which argues against a ban, deserves a 4.", 4),
    ("The speech against a tax is clear, so I give it 4.", 4),
    ("Nothing speaks against a 5.", 5),
    ("It comes close to a 5, but a 4 is what I give.", 4),
    ("It is close to perfect. 4.", 4),
    ("A 5 would be too much; 4 is what I give.", 4),
    ("4 is what it gets, though it could have had a better end.", 4),
    ("4 is what I would have expected and what I give.", 4),
    ("I give it a 4, which is what a good summary should have.", 4),
    ("It went wrong to a degree, so a 3.", 3),
    ("What went wrong to my mind is the order. 2.", 2),
    ("There is something wrong to the end. I give it a 3.", 3),
    ("I deduct one point for the mistake, so 4.", 4),
    ("Coherence: 4 (one point off for the last line)", 4),
    ("Coherence: 4\n1: clear\n2: fine", 4),
    ("3 - It states facts.\n\nThe author added a line.", 3),
    ('{"score": 4, "reasons": {"source": "covered", "plan": "clear"}}', 4),
    ('{"summary": {"coherence": 3}, "source": {"coherence": 5}}', 3),
    ('{"human": {"coherence": 4}}', 4),
    ('{"draft_score": 3, "coherence": 4}', 4),
    ('{"coherence": {"rating": 4, "initial": 3}}', 4),
    ('{"coherence": {"previous": 3, "score": 4}}', 4),
    ('{"coherence_score": 4, "reference": "The source says no one was hurt."}', 4),
    ('{"analysis": "Just kidding is what Bob says.", "score": 3}', 3),
    ('{"analysis": "It is better until the end. Not.", "score": 3}', 3),
    ("<thinking>The plan is clear.</thinking>\nCoherence: 4", 4),
    ("<plan>Read the summary, then rate it.</plan>\nCoherence: 4", 4),
    ("<notes>Order fine. Links weak.</notes>\nCoherence: 3", 3),
    ("<draft>It seems fine.</draft>\nCoherence: 3", 3),
    ("Notes: the plan is told first. Draft of the end is weak.\nCoherence: 3", 3),
    ("Source: yes. Plan: no. Coherence: 3", 3),
    ("Example: the second line repeats the first. Coherence: 3", 3),
    ('Quote: "He fell." Coherence: 3', 3),
    ("Example of a break: line two. Score: 2", 2),
    ("Citation: good\nCoherence: 4", 4),
    ("Verdict: 4. It is part of the plan to repeat the line.", 4),
    ("My rating: 4\n\nThis is part of the reason it works: it states the source.", 4),
    ("My rating: 4\nThat line is funny.", 4),
    ("My rating: 4\nThis line is what makes it work.", 4),
    ("My rating: 2\nThe line above all lacks rhythm.", 2),
    ("Rating: 3\nbut it has no effect on the reader", 3),
    ("Rating: 3\nBut this has no effect on my enjoyment.", 3),
    ("Lack of links, absence of order: Coherence: 2", 2),
    ("Coherence: 2\nLack of coherence is the main fault.", 2),
    ("For lack of coherence: 2", 2),
    ("Weaknesses in coherence are few. 4", 4),
    ("Errors in coherence (few): Coherence: 4", 4),
    ("I give it a solid 4. Some gaps in coherence - minor.", 4),
]
MORE_CHOICES = [
    ("Answer A is better. It states the source of each claim and makes no mistake.", "A"),
    ("Answer B is better, although Answer A is accurate.", "B"),
    ("Answer B is better, though Answer A is right about the date.", "B"),
    ("Answer A is better overall, but Answer B is accurate too.", "A"),
    ("Answer A is better, but Answer B is correct in its dates.", "A"),
    ("Answer A is better in everything except length, which matters little.", "A"),
    ("Answer A is better, but B covers some important points that A lacks.", "A"),
    ("Answer A is better, but B is shorter and important facts are kept.", "A"),
    ("Answer A wins. It gets nothing wrong.", "A"),
    ("Answer A wins because Answer B gets no facts right.", "A"),
    ("Answer A wins because it takes nothing for granted.", "A"),
    ("Answer B wins by little.", "B"),
    ("Answer B is better; it keeps to the point until the end.", "B"),
    ("I prefer Answer A, which waits until the last line to tell the twist.", "A"),
    ("Winner: B. Nobody in it says anything until the end.", "B"),
    ("[[A]]\nIt gets little wrong.", "A"),
    ("My final verdict is: [[B]]. The assistant said no such thing exists.", "B"),
    (
        "Both answers have faults. Answer A says nothing of the date; Answer B has one mistake. Answer B is better.",
        "B",
    ),
    ("It is a tie. Answer A has the advantage of brevity, Answer B of detail.", "T"),
    ("It's a tie: Answer A has a slight edge in style, Answer B in accuracy.", "T"),
    ("It's a tie, since Answer A's advantage is offset by its length.", "T"),
    ("It is a tie, with Answer A slightly more verbose.", "T"),
    ("It's a tie; any edge that Answer A has in style is lost in its facts.", "T"),
    ("Tie. Neither has the edge over the other.", "T"),
    ("Both are equally good; I have no preference.", "T"),
    (
        'Winner: A\n\nReasons: the plan is clear, the joke is kept ("just kidding"), and no one is misquoted.',
        "A",
    ),
    ('Answer A is better. "I\'m only joking," says Bob in it, and that is kept.', "A"),
    ("Answer A is better. The tone is light, as if he was just kidding.", "A"),
    ("Verdict: A. It gets the joke: the speaker is only kidding.", "A"),
    ("B is best at being clear.", "B"),
    ("Answer A is best at being concise and accurate, so I choose Answer A.", "A"),
    ('{"winner": "A", "reason": "B gets nothing right."}', "A"),
    ('{"A": 7, "B": 9}', "B"),
    ('{"scores": {"A": 7, "B": 9}}', "B"),
    ('{"scores": {"Answer A": 7, "Answer B": 9}}', "B"),
    ('{"quality": {"Answer A": 8, "Answer B": 5}}', "A"),
    ("Answer A: 7, Answer B: 8", "B"),
    ("Scores:\nAnswer A: 7, Answer B: 8", "B"),
    ("Final scores: Answer A: 7/10, Answer B: 8/10", "B"),
    ("Answer A: 6\nAnswer B: 8", "B"),
    ("Scores after deductions:\nAnswer A: 7\nAnswer B: 9", "B"),
    ("Final scores (minus points for errors):\nAnswer A: 7\nAnswer B: 9", "B"),
    ("Score after deductions: Answer A 7, Answer B 9", "B"),
    ("Answer B is stronger. In several places Answer A repeats the source, two of them about the plan.", "B"),
    ("I'd go with B. It makes one mistake, A makes several.", "B"),
    ("B > A because it takes no shortcuts.", "B"),
    ("Answer A is the winner, except that its last line is weak.", "A"),
    ("Answer A is better in every way, and that matters.", "A"),
    ("Answer A is better, and accuracy, which matters most, is where it shines.", "A"),
    ("Answer A beats Answer B in everything, but above all in truth, which matters most.", "A"),
    ("Answer A wins the comparison for the worst part of the question, the maths.", "A"),
    ("Answer A wins the prize for clarity; Answer B is weaker.", "A"),
    ("Answer A is better. Not only is it shorter, it is also right.", "A"),
    ("Answer A is better. Not perfect, but better.", "A"),
    ("Answer B is preferable. No one could say that it is wrong.", "B"),
    ("Answer A. What it says is true, what B says is not.", "A"),
    (
        "After careful comparison, Answer A gives a fuller account of the plan. Answer B gets little across. So Answer A is better.",
        "A",
    ),
    ("Answer A is ahead until the last paragraph, where it loses nothing. Answer A is better.", "A"),
    ("Choice: B\nPart of A is off topic.", "B"),
    ("Choice: B\nThe line about the ferry in A is invented.", "B"),
    (
        "**Winner: Answer A**\n\nAnswer A states the plan and keeps to the source. Answer B makes one mistake and says nothing of the date.",
        "A",
    ),
    ("Answer B. Answer A gets no part of the question right.", "B"),
    ("Answer B wins. No one could want more.", "B"),
    ("Answer B wins no small praise from me and is better.", "B"),
    ("Answer A wins, though it takes little for that.", "A"),
    ("Answer A wins but takes no prize for style.", "A"),
    ("Overall, Answer A is better. It takes the reader from the start until the end without a break.", "A"),
    ("Answer A is superior as it waits until all facts are told, except the date.", "A"),
    ("Answer A is better in all respects except for the length.", "A"),
    ("Answer A is better. Except for the date, it says what the source says.", "A"),
    ("Answer A is better in everything except tone, which is a matter of taste.", "A"),
    ("Answer B is better, save for a typo.", "B"),
    ("Answer A is better, and the key point which matters is kept.", "A"),
    ("Answer A is better, but Answer B is the one with the joke.", "A"),
    ("I think Answer A is better, yet B is right to mention the source.", "A"),
    ("Answer A is better, but B is right about the plan.", "A"),
    ("Answer A is better, said with some doubt.", "A"),
    ("Answer A is better: it says what the police said: no one was hurt.", "A"),
    ("Winner: Answer B. The joke in A is lost; he is just joking there.", "B"),
    ("Verdict: Answer B\n- A is part of the plan\n- B states the source", "B"),
    ("Which is better? A. Why? It is right. B is not. So A.", "A"),
    ("Answer A, not Answer B.", "A"),
    ("Tie. Answer A is ahead in style, Answer B in facts.", "T"),
    ("It's a tie. I lean towards neither.", "T"),
    ("It's a tie: A has an edge in detail and B has an edge in brevity.", "T"),
    ("A tie, as the edge of A in style is matched by B.", "T"),
    ("It's a tie, because anything A does B does too.", "T"),
    ("It's a tie; Answer B is slightly longer.", "T"),
    ("It's a tie. Answer A is slightly ahead at first.", "T"),
    ("It's a tie, with a preference for neither.", "T"),
    ("Both answers are tied, and the advantage of A's clarity is balanced by B's depth.", "T"),
    ("Scores: Answer A: 7, Answer B: 5. One mistake in B.", "A"),
    ("Answer A (8), Answer B (6): A is clearer.", "A"),
    ("Answer A: 8/10. Answer B: 6/10. Answer A has two mistakes.", "A"),
    ("- Answer A: 8\n- Answer B: 6\n\nA is better.", "A"),
    ("| Answer | Score |\n|---|---|\n| Answer A | 8 |\n| Answer B | 6 |", "A"),
    ("Ratings:\nA: 8\nB: 6", "A"),
    ('{"ratings": {"A": 8, "B": 6}, "winner": "A"}', "A"),
    ('{"errors": {"A": 8, "B": 6}, "winner": "B"}', "B"),
    ('{"errors": {"Answer A": 8, "Answer B": 6}, "winner": "Answer B"}', "B"),
    ('{"winner": "Answer A", "confidence": 0.8}', "A"),
    ('{"evaluation": {"Answer A": 8, "Answer B": 6}}', "A"),
    ('{"Answer A": {"score": 8}, "Answer B": {"score": 6}}', "A"),
    ('{"Answer A": 8, "Answer B": 6}', "A"),
    ("Errors found:\nAnswer A: 2\nAnswer B: 5\n\nWinner: Answer A", "A"),
    ("Points lost: A 2, B 5. So A is better.", "A"),
    ("I give A a 7 and B an 8.", "B"),
    ("Word count - Answer A: 120, Answer B: 90. Winner: B", "B"),
    ("Slight preference for A, since it states the source.", "A"),
    ("A over B because it gets little wrong.", "A"),
    ("Best: A. Worst: B. What a mess B is.", "A"),
    ("Choice: Answer A, for what it says of the plan is right.", "A"),
    ("I would trust Answer A more. Except for one line it is right.", "A"),
]
COUNTS = [
    '{"hallucinations": {"A": 3, "B": 5}}',
    '{"typos": {"Answer A": 3, "Answer B": 5}}',
    '{"sentences": {"A": 3, "B": 5}}',
    "Number of typos - Answer A: 3, Answer B: 5",
    "I count the typos.\nAnswer A: 3, Answer B: 5",
    '{"total_typos": {"A": 3, "B": 5}}',
    "I count the words in each answer.\nAnswer A: 30, Answer B: 50",
    "Mistakes:\nAnswer A: 3\nAnswer B: 5",
    "Number of facts (Answer A: 5, Answer B: 3)",
    "The count of sentences is: Answer A: 5, Answer B: 3",
    "There are typos. Answer A: 5, Answer B: 3",
]


def _score(text: str) -> float | None:
    read = read_ballot(text, [COHERENCE])
    return None if isinstance(read, Problem) else read.scores["coherence"]


def _choice(text: str) -> str | None:
    read = read_choice(text, ("Answer A", "Answer B"))
    return None if isinstance(read, Problem) else "T" if read.place is None else "AB"[read.place]


@pytest.mark.parametrize(("text", "score"), [*SCORES, *MORE_SCORES])
def test_a_score_beside_an_ordinary_reason_is_read(text: str, score: float) -> None:
    assert _score(text) == score


@pytest.mark.parametrize(("text", "choice"), [*CHOICES, *MORE_CHOICES])
def test_a_choice_beside_an_ordinary_reason_is_read(text: str, choice: str) -> None:
    assert _choice(text) == choice


@pytest.mark.parametrize(
    "text",
    [
        "Score: 2\nIt covers only part of the article. A summary that covers all of it would be a 5.",
        "I give it a 2. The police said no one died. Coherence is fine, a 4 in style.",
    ],
)
def test_a_second_number_is_never_the_score_for_a_reason_behind_the_first(text: str) -> None:
    assert _score(text) in {2, None}


def test_a_choice_in_one_respect_is_never_the_choice_for_a_reason_behind_the_other() -> None:
    said = "Answer B is better in style. Overall, Answer A is better because it gets nothing wrong."
    assert _choice(said) in {"A", None}


@pytest.mark.parametrize("text", COUNTS)
def test_counts_of_each_text_are_no_scores(text: str) -> None:
    assert _choice(text) is None


@pytest.mark.parametrize(
    "said",
    [
        "NO ISSUE with the score: the summary names both points, one about the ferry and one about Ann.",
        "NO ISSUE with the score, which takes up three facts, two about the ferry.",
        "NO ISSUE, several with experience would agree.",
        "NO ISSUE. The score takes up three facts, two about the ferry.",
        "NO ISSUE - one about the ferry is enough.",
        "NO ISSUE with the 3, as there are several points, two about the plan.",
        "I have no issue with the score of 4: it covers two points, one with a date and one about the reasons.",
        "NO ISSUE, two about the ferry are named.",
        "No issue with the 4; some with the reasons would agree.",
        "There is no issue with the score, some about the ferry aside.",
        "NO ISSUE with this, a few with the reasons given.",
    ],
)
def test_things_that_are_counted_behind_no_issue_are_no_objection(said: str) -> None:
    assert read_objection(said) == Objection(no_issue=True)


@pytest.mark.parametrize("tag", ["plan", "notes", "draft"])
def test_a_plan_or_steps_between_tags_are_read(tag: str) -> None:
    assert read_plan(f"<{tag}>\nCoherence: rouge\n</{tag}>", [COHERENCE], ["rouge"]) == {
        "coherence": ("rouge",)
    }
    steps = f"<{tag}>\n1. Read the text.\n2. Rate it.\n</{tag}>"
    read = read_steps(steps)
    assert not isinstance(read, Problem)
    assert read[0] == "Read the text."
    assert len(read) == 2
