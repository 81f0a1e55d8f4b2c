"""The rules by which words of a reply are a judgement. The page docs/explanation/reading-replies.md lists them."""

from collections.abc import Mapping
from typing import Literal

Rule = Literal[
    "exact",
    "json",
    "form",
    "line",
    "boxed",
    "noun",
    "verb",
    "aspect",
    "copula",
    "subject",
    "verbless",
    "conclusion",
    "change",
    "correction",
    "fraction",
    "total",
    "whole",
    "closing",
    "predicate",
    "choosing",
    "winner",
    "grade",
    "tie",
    "scores",
]

REASONS: Mapping[str, str] = {
    "exact": "The reply ends in the line, or is the JSON, that was asked for, and nothing else in it can be a judgement.",
    "json": "A key of a JSON object names what is rated, so its value is a judgement wherever the object stands.",
    "form": "A line, a cell or an entry that a name of the aspect or of a score opens is a form that was filled in.",
    "line": "A value alone in the first or the last line, or opening the reply before its reasons, answers the question asked.",
    "boxed": "A value in a LaTeX box or in double brackets is set apart as the answer.",
    "noun": "A noun for a score is tied to the number by a word such as of, is or at.",
    "verb": "A verb that gives a score has the number as its object, and its subject is the judge or what is rated.",
    "aspect": "The name of the aspect is tied to the number, before it or behind it.",
    "copula": 'What is rated is said to be the number: "this is a 4".',
    "subject": "The number opens a clause that says it is warranted, fair, or the score.",
    "verbless": 'A sentence holds the number with an article, a unit or the scale\'s top, and nothing else: "A solid 4."',
    "conclusion": "A word that concludes (so, hence, therefore) leads straight to the number.",
    "change": "A verb that moves a score says where it moves to; the number it comes from no longer holds.",
    "correction": "Words that take back what was said are followed by what holds instead.",
    "fraction": "A number over the top of the scale, with nothing counted behind it, can only be a score.",
    "total": "A total, or an overall score, is of all the parts before it, so the parts give way.",
    "whole": "The reply is a value and nothing else.",
    "closing": "The last or the first sentence holds a number that fits the scale, or the last one prefers a text, and nothing in it speaks against that.",
    "predicate": "A candidate is said to be better or best, to win or to be preferred, and no restriction follows.",
    "choosing": "The judge says that it chooses, prefers or votes for a candidate.",
    "winner": "A noun for what is chosen (winner, choice, verdict, the better answer) is tied to a candidate.",
    "grade": "Signs of order stand between the candidates: A>>B, A>B, A=B.",
    "tie": "The candidates are said to be equal as a whole, or no preference is stated.",
    "scores": "Every candidate is given one score, and no winner is named: the highest score wins, and equal ones tie.",
}
"""Why each rule makes a judgement, by its name."""
