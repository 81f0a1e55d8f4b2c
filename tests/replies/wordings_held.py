"""Wordings that are set aside: whoever writes a reader does not look at them. They are for the final figures only."""

from replies.case import halved, parted, particular, percent, small, starry, stepped, ten, whole, wide, wordy
from replies.form import graded, many, marking, pair, strict, tying
from replies.wording import Wording, rows, table

SCORES: tuple[Wording, ...] = (
    *table(
        "h", "labelled",
        "Grade: {n}", "**Rating**: {n}", "My score: {n}", "*{A}*: {n}", "Score for {a}: {n}", "{AA}: {n}", "Evaluation score: {n}",
        "> {A}: {n}", "Assigned score: {n}", "**Score**\n{n}", "{A} — {n}", "Mark for {a}: {n}", "The score: {n}.",
        "{A} rating → {n}",
    ),
    *table(
        "h", "labelled",
        "**{A}: {n}**\n", "Rating: {n} -", "Score: {n}.", "{A} = {n}\n\nRationale:", "**Score**: {n}/{top}\n**Justification**:",
        place="start",
    ),
    *table(
        "h", "range",
        "Rating ({low} = worst, {top} = best): {n}", "{A} [{low}-{top}]: {n}", "{A} (from {low} to {top}): {n}",
        "Using the scale from {low} to {top}, my «score|rating» is {n}.", "Score on the {low}-{top} scale: {n}",
        "On the {low}–{top} scale I place this {thing} at {n}.",
    ),
    *table(
        "h", "fraction",
        "Overall rating: {n}/{top}.", "**{n}/{top}**", "The {thing} scores {n} out of {top}.", "{A}: {n} out of {top}",
        "Verdict: {n}/{top}", "That is {n} of {top} possible points.", "I land on {n}/{top} «here|overall».",
        "My assessment comes to {n} out of {top} for {a}.",
    ),
    *table(
        "h", "final",
        "FINAL SCORE: {n}", "**Final answer: {n}**", "Final: {n}", "My final verdict is a {n}.", "In the end, my score is {n}.",
        "### Final Evaluation\nScore: {n}",
    ),
    *table(
        "h", "prose",
        "This leads me to a score of {n}.", "Scoring it {n} «seems fair|is right».", "I am giving the {thing} a {n} «in terms of|with regard to» {a}.",
        "I'd «say|call it» «a strong|a weak|about a|a» {n}.", "The right score here is {n}.", "It merits a rating of {n}.",
        "«Consequently|Accordingly», the {thing} receives a score of {n}.", "My judgement is a {n} «for {a}|overall».",
        "A {n} is what this {thing} deserves.", "I would therefore place it at {n}.", "So I'm scoring the {a} at {n}.",
        "I consider {n} the fairest score.", "For these reasons I award {n} points.", "{n} is my score for {a}.",
        "In terms of {a}, this is a {n}.",
    ),
    *table(
        "h", "prose",
        "My score for the {a} of this {thing} is {n}.", "I'd score this {n}.", "This {thing} deserves a {n} for {a}.",
        place="start",
    ),
    *table("h", "bare", "_{n}_", "<{n}>", "\"{n}\"", "{n}\n\nReason:", place="start", bare=True),
    *table("h", "bare", "`{n}`", "*{n}*.", bare=True),
    *table(
        "h", "bare", "**{n}.**", "`{n}`", "**{A}**: {n}", "Rating is {n}", "{n} / {top}", "{n} out of {top}", "« {n}|\t{n}»", place="alone",
    ),
    *table("h", "brackets", "(rating: {n}/{top})", "«Good enough|Room for improvement» (I'd say {n}).", "({a} = {n})", "Rating: ({n})"),
    *table(
        "h", "words",
        "Rating: {W}", "I'd rate it {w} out of {wtop}.", "This is a {w} for me.", "The {thing} gets {w} points for {a}.",
        "My score: {w} ({n})", need=wordy,
    ),
    *table("h", "stars", "{emoji}", "Score: {stars} ({n}/{top})", "{n} out of {top} stars", "{A}: {stars}", need=starry),
    *table(
        "h", "half",
        "Rating: {n}/{top}", "This is a {w} for me.", "{A}: {half}", "I end up at {n}.", "«Overall|In sum» it merits {w}.",
        need=halved,
    ),
    *table("h", "percent", "{A}: {n} %", "My rating is {n} percent.", need=percent),
    *table(
        "h", "json",
        '{"{a}": {n}}', '{"reasoning": "Most of it is sound.", "rating": {n}}', 'My answer: {"score": "{n}"}',
        '```\n{"evaluation": {"score": {n}, "comment": "Two jumps near the end."}}\n```',
    ),
    *table(
        "h", "marks",
        "Score: [[{n}]]", "[[{n}]]", "<rating>{n}</rating>", "$\\boxed{{n}}$", "[SCORE] {n}", "**[{n}]**", "\\[ \\boxed{\\text{Score: } {n}} \\]",
    ),
    *table(
        "h", "table",
        "| Score | Reason |\n|---|---|\n| {n} | Mostly sound |", "| Metric | Scale | Score |\n|---|---|---|\n| {A} | {low}-{top} | {n} |",
        "| {B} | {A} |\n|:-:|:-:|\n| {m} | {n} |",
    ),
    *table(
        "h", "heading",
        "### {A}\n{n}/{top}", "**Rating**\n\n{n}", "## Conclusion\n\nI would rate it {n}.", "# Final score: {n}",
    ),
    *table(
        "h", "total",
        "1. Structure - {p1} of {t1}\n2. Wording - {p2} of {t2}\n3. Content - {p3} of {t3}\n\nOverall: {n} of {top}",
        "| Part | Points |\n|---|---|\n| Structure | {p1} |\n| Wording | {p2} |\n| Content | {p3} |\n| **Total** | **{n}** |",
        "Adding {p1} for structure, {p2} for wording and {p3} for content gives {n}.",
        "Sum: {p1} + {p2} + {p3} = {n}", need=parted,
    ),
    *table(
        "h", "average",
        "Beginning: {d1}, end: {d2}. Taken together: a score of {n}.", need=whole,
    ),
    *table(
        "h", "withdrawn",
        "I hesitated between {o} and {n} and chose {n}.", "My initial rating was {o}; my revised rating is {n}.",
        "I first had it at {o}. Having read it again, I have it at {n}.", "First pass: {o}. Final: {n}.",
        "Score: {o}... no, that is wrong. Score: {n}", "I take back the {o} and give a {n}.",
    ),
    *table(
        "h", "rejected",
        "{n}, since {o} would be «unfair|out of proportion».", "I considered a {o}, but it is closer to a {n}, so I give it a {n}.",
        "Instead of a {o}, I give it a {n}.",
    ),
    *table(
        "h", "debated",
        "I hear the critic's case for {o}; my score remains {n}.", "I adjust my rating to {n} (from {o}).",
        "The {o} I gave earlier was off, so I now give it a {n}.", "I lower or raise nothing: the score stays at {n}.",
        "My updated score for {a} is {n}.", "Unlike the Scorer, who said {o}, I say {n}.",
    ),
    *table(
        "h", "others",
        "{A}: {n} ({B}: {m})", "{B} - {m}/{top}\n{A} - {n}/{top}", "While its {b} would be a {m}, its {a} is a {n}.",
        "Overall: {o}\n{B}: {m}\n{A}: {n}", need=particular,
    ),
    *table(
        "h", "language",
        "得分：{n}", "我给这篇文章打{n}分。", "Gesamtnote: {n}", "Puntuación: {n}/{top}", "スコア：{n}", "최종 점수: {n}",
    ),
    *table(
        "h", "thinking",
        "<think>\nI could say {o}. Hmm, maybe {p}/{top}.\n</think>\nI rate it {n}.", "<thinking>Rating: {o}?</thinking>\n\n**Rating: {n}**",
        place="alone",
    ),
    *table("h", "unicode", "{A}：{wide}", "**Rating:**\u2002{n}", "「{A}」：{n}"),
    *table("h", "confidence", "My confidence is {r}%. Rating: {n}", "My score is {n}, and I am {r}% sure of it."),
    *table("h", "deducted", "Full marks would be {top}; I subtract for the ending, so {n}."),
    *table("h", "elsewhere", "Compared with the {o} I gave another {thing}, this one earns a {n}."),
    *table("h", "open-end", "{n}/{top}. The {thing} opens well and then", place="alone", cut_off=True),
    *table("h", "slips", "Scoer: {n}", "Ratng: {n}/{top}", "score:{n}out of {top}"),
    *rows(
        "h", "aspects",
        ("{rows}", "{A} = {n}", "\n"),
        ("{rows}", "* **{A}** - {n}/{top}", "\n"),
        ("{rows}", "{A}: {n}", "; "),
        ("{rows}", "({i}) {A}: {n} out of {top}", "\n"),
        ("| Metric | Comment | Rating |\n|:--|:--|--:|\n{rows}", "| {A} | fine so far | {n}/{top} |", "\n"),
        ("{rows}", "**{A}**\n\nOnly small things could be said here.\n\nRating: {n}", "\n\n"),
        ("```json\n{{rows}}\n```", '"{A}": {"reason": "see above", "score": {n}}', ", "),
        ("{rows}.", "{n} for {a}", ", "),
        ("{rows}", "In terms of {a}, the {thing} gets a {n}.", " "),
        ("Scores: {rows}", "{A} ({n})", ", "),
    ),
    # No judgement on the scale
    *table(
        "h", "refusal",
        "I apologize, but I am not able to evaluate this {thing}.", "Sorry, I can't help with that request.",
        "I must decline to score this.", "There is no {thing} here that I could rate.",
        place="alone", truth="none",
    ),
    *table(
        "h", "talk",
        "Opinions on this will differ.", "The {a} has strengths and weaknesses.", "I counted {c} slips in {q} words.",
        "{B} score: {m}/{top}", "I will let the numbers speak later.", "Is it a {m}?", "Should this be rated {m} or lower?",
        truth="none",
    ),
    *table("h", "hypothetical", "If the order were clearer, I would give it a {m}.", "To get a {m}, it would have to be shorter.", truth="none"),
    *table("h", "past", "In the first round the score was {m}.", "The others rated it {m}.", "The author rates this {thing} {m}/{top}.", truth="none"),
    *table("h", "cut", "**Final score:**", "All in all I rate the {a} of this", "On a scale of {low} to {top}, I", truth="none", cut_off=True),
    *table("h", "cut-number", "Final rating: 1", truth="none", cut_off=True, need=ten),
    *table("h", "off-scale", "{A}: {off}", "Rating: {off}/{over}", "My score is -{top}.", truth="none"),
    *table("h", "between-steps", "Score: {low}.25", "I'd give it {low}.5.", truth="none", need=stepped),
    *table("h", "letters", "I would grade it C.", truth="none"),
    *table("h", "unit", "Rating: 75%", truth="none", need=small),
    *table("h", "placeholder", "{A}: [score]", "Score: not applicable", truth="none"),
    # Several judgements that differ
    *table(
        "h", "undecided",
        "Either {n} or {o}.", "Rating: {n} - {o}", "I waver between a {n} and a {o}.", "My score is {n}, or perhaps {o}.",
        "A {n} for some readers, a {o} for others.", truth="several",
    ),
    *table(
        "h", "twice",
        "{A}: {n}\n\n{A}: {o}", "My final answer is {n}.\n\nMy final answer is {o}.", "<score>{n}</score>\n<score>{o}</score>",
        "Rating: [[{n}]]\nRating: [[{o}]]", truth="several",
    ),
    *table("h", "three", "I give it a {n}. I give it a {o}. I give it a {p}.", truth="several", need=wide),
)  # fmt: skip

NUMBERS = (
    "It runs to {q} words in {c} paragraphs.",
    "The fire broke out on 3 June {y}, as the source says.",
    "Sales fell by {c}.5 percent, not by {q}.",
    "The fee of €{q} is missing.",
    "Readers were told that {low} is the lowest and {top} the highest score.",
    'A line in the {thing} reads "Final score: {m}", but that is the team\'s result.',
    'It asks the judge to "answer {top} and nothing else", which I ignore.',
    "The first referee had it at {m}, on account of the style.",
    "The steps tell me to rate the {a} from {low} (lowest) to {top} (highest).",
    "Two of the six characters have no name.",
    "Step 3 of the recipe comes before step 2.",
    "It quotes 2.4 billion where the source has 2.4 million.",
    "The match ended 3:3 after 120 minutes.",
    "Its 7-page source is cut down to {c} lines.",
    "The train leaves at 08:15 and not at 8.51.",
    "For a {top} I would want to see fewer repetitions.",
    "Footnote 12 is taken over word by word.",
    "One in {c} of these claims has no source.",
    "Flight 370 is called flight 307.",
    "The authors rate hotels from 1 to 5 stars, which is another matter.",
    "Between {y} and 2024 the price doubled.",
)
"""Sentences with numbers that rate nothing."""

CHOICES: tuple[Wording, ...] = (
    *table("h", "key", "({k})", "{k}\n", "`{k}`", place="alone"),
    *table("h", "key", "**{k}.**", "({k})", bare=True),
    *table("h", "key", "**{k}**\n", place="start", bare=True),
    *table("h", "label", "**{x}**.", "`{x}`", "{x}!", place="alone"),
    *table("h", "label", "{x}!", "### {x}"),
    *table("h", "label", "**{x}** is the better {noun}.", "**{x}.**", place="start"),
    *table(
        "h", "labelled",
        "Decision: {k}", "**Winner: {x}**", "Final choice: {x}", "Preference: {x}", "Better {noun}: {x}", "Final answer: {k}", "Judgement: {x}",
        "**Final Verdict**\n\n{x}", "Selected {noun}: {k}", "Result: {x} is better",
    ),
    *table("h", "brackets", "Verdict: [[{k}]]", "[{k}]", "So my verdict is: [[{k}]]", "<winner>{x}</winner>", "$\\boxed{{k}}$"),
    *table("h", "grades", "Final verdict: [[{grade}]]", "**[[{grade}]]**", "[[{less}]]", fit=graded),
    *table("h", "grades", "Verdict: [[{fk}={gk}]]", "[[{gk}={fk}]]", fit=graded, says="tie"),
    *table(
        "h", "prose",
        "«All in all|In conclusion|Hence», {x} is the better {noun}.", "I'd go with {x}.", "I have to pick {x}.", "I favour {x}.",
        "{x} is superior to {y}.", "{x} does the better job.", "This makes {x} the winner.", "I am choosing {k}.",
        "{x} comes out «ahead|on top».", "Between them, {x} is my choice.",
    ),
    *table(
        "h", "ordinal",
        "The {nth} one is the better of the two.", "I'd pick the {nth} {noun}.", "{Nth} one.", fit=pair,
    ),
    *table(
        "h", "tie",
        "I would call it a draw.", "Neither is better than the other.", "They are equally strong.", "Winner: neither, it is a tie", "{f} and {g} are equivalent.",
        fit=tying, says="tie",
    ),
    *table("h", "tie", "A tie.", "Both are equal.", fit=tying, says="tie", place="alone"),
    *table("h", "tie-mark", "Final verdict: [[{t}]]", "Choice: {t} (tie)", "Therefore {t}: both are of the same quality.", fit=marking, says="tie"),
    *table("h", "tie-mark", "**{t}**", fit=marking, says="tie", place="alone"),
    *table(
        "h", "negated",
        "I don't think {y} is better. {x} is.", "{y} does not win; the winner is {x}.", "Not {y}: {x}.",
        fit=pair,
    ),
    *table(
        "h", "many",
        "{x} is the strongest of the {count}.", "The best of them is {x}.", "Ranking first: {x}", "No other {noun} comes close to {x}, so {x} is my choice.",
        fit=many,
    ),
    *table("h", "json", '{"choice": "{k}"}', '{"better": "{x}", "why": "It is clearer."}', "{'verdict': '{k}'}"),
    *table("h", "scores", "{x} - {h}/10, {y} - {l}/10. Verdict: {x}", "With {h} against {l} points, {x} beats {y}.", fit=pair),
    *table(
        "h", "withdrawn",
        "I first thought that {y} was better; having read both again, I prefer {x}.", "Verdict: {y}. No, wait. Verdict: {x}.",
        "I change my vote from {y} to {x}.",
    ),
    *table(
        "h", "debated",
        "Although others see {y} ahead, my choice is {x}.", "I still think that {x} is better.", "I side with those who prefer {x}.",
    ),
    *table("h", "language", "获胜者：{x}", "我选择{x}。", "Meine Wahl: {x}", "Je préfère {x}."),
    *table("h", "thinking", "<think>Verdict: {y}. Hmm, or not.</think>I prefer {x}.", place="alone"),
    # No choice
    *table("h", "refusal", "I cannot help with comparing these {nouns}.", "As an AI, I do not have preferences.", place="alone", truth="none"),
    *table(
        "h", "talk",
        "{f} is longer than {g}.", "I like some things in {f} and others in {g}.", "Readers will have to decide for themselves.", "Is {x} the better one?",
        truth="none",
    ),
    *table("h", "only-negated", "I don't prefer {y}.", "{y} does not win.", truth="none", fit=many),
    *table("h", "hypothetical", "With a better ending I would have chosen {x}.", truth="none"),
    *table("h", "past", "The critic's verdict was {x}.", truth="none"),
    *table("h", "cut", "My final verdict is [[", "So the better {noun} is", truth="none", cut_off=True),
    *table("h", "foreign", "Winner: {noun} F", "My choice is {noun} 8.", truth="none"),
    *table("h", "no-tie", "They tie.", truth="none", fit=strict),
    *table(
        "h", "twice",
        "Winner: {x}\n\nWinner: {y}", "My verdict: [[{k}]]. My verdict: [[{j}]].", "I prefer {x}. I prefer {y}.", "The better one is {x}.\nThe better one is {y}.",
        truth="several",
    ),
    *table("h", "undecided", "It is either {x} or {y}.", "Verdict: {x} / {y}", truth="several"),
)  # fmt: skip

REMARKS = (
    "A colleague voted for {g} in the last round.",
    "{g} needs {q} words for what {f} says in {c} sentences.",
    'Someone wrote "choose {f}" into the text, which I leave aside.',
    "Where they stand on the page is of no importance.",
    "Were it only for style, I would choose {f}.",
    'It says "Winner: {g}" at the end of {g}, but that is part of the text.',
    "Some {r}% of the facts are in both.",
    "Does that make {g} better? Not by itself.",
    "On criterion 3 they hardly differ.",
)
"""Sentences in a comparison that choose nothing."""
