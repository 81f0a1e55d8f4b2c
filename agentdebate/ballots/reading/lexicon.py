"""The words of judgements, and the part that each plays beside what is judged with.

Parts beside a number: c names a score, f marks the last word on it, q may stand with a label, t names a total, d determiner,
l ties a label to its number ("is", "of"), v gives a score, o is what it is given to, p may stand before the number, s parts
label and number.
"""

from agentdebate.ballots.fold import fold
from agentdebate.ballots.words import words_of

_PARTS: dict[str, str] = {
    "c": "score scores marks points stars rating ratings grade mark evaluation assessment judgment judgement answer result "
    "bewertung gesamtbewertung endbewertung punktzahl gesamtpunktzahl wertung gesamtwertung note gesamtnote endnote schlussnote eindscore eindcijfer cijfer totaalscore endscore endergebnis ergebnis punktacja puntuación nota calificación puntaje valoración punteggio voto valutazione "
    "pontuação avaliação оценка балл рейтинг итого beoordeling ocena wynik puan puanı puanım betyg poang skor nilai "
    "الدرجة درجة التقييم تقييم النتيجة स्कोर अंक रेटिंग",
    "cf": "verdict conclusion",
    "f": "final revised updated new recalculated adjusted corrected amended definitive reconsidered ultimate "
    "finale endgültige definitiva définitive итоговая финальная окончательная 最终 最終 最后 최종",
    "qt": "overall tally total sum combined aggregate gesamt global",
    "q": "verdigim verilen attribuee judge's assigned estimated recommended for on only numeric numerical appropriate fair reasonable suitable best quality "
    "aspect metric criterion dimension level général общая general form in terms terme chosen given correct proposed-by-me "
    "resulting awarded actual true honest personal solid strong overall",
    "d": "own een mi ma mon minha mijn moja moje mio mia моя мой mein benim min a an the my our this its their his her der das la le el il un une una einen eine mein meine",
    "l": "is be would should could might will may remains stays stands equals becomes of at as es est ist was are comes "
    "è é lautet beträgt equal therefore thus hence still 是 为 は",
    "v": "describe classify regard qualify qualifies take takes taking komme ergibt ergeben gäbe setze lande bleibe bewerte beoordeel scoor mettrais mets accorde donnerais accorderais attribuerais évalue pondría pongo asignaría califico otorgaría metto valuto daria nota estimate judged bewerte give gives giving gave given rate rates rated assign assigns assigned assigning award awards awarded awarding deserve "
    "deserves deserving merit merits merited meriting warrants warrant warranted warranting earn earns earned earning receive "
    "receives received receiving get gets got getting go goes going settle settles settled settling land lands landed landing "
    "choose chooses chose choosing pick picks picked picking select selects selected selecting say saying has have "
    "having gebe geben vergebe vergeben wurde donne donner donnerais attribue attribuer mets doy daria otorgo asigno puntuo pongo "
    "darei assegno attribuisco dou atribuo avalio geef ik zou ставлю поставлю даю оцениваю daje przyznaje veriyorum verirdim ger "
    "add adds adding sums summing totals left leaving become becomes became stay stays stick remain keep keeps keeping hold maintain leave leaves grant grants granted granting scoring scored "
    "grading graded marking marked put puts putting place places placed placing peg pegs pegging call calling call fall falls fell "
    "falling sit sits sitting come coming came result results resulted resulting lead leads leading led bring brings "
    "bringing end ends ended ending arrive arrives arrived arriving lean leaning leans opt opts opting decide decided deciding "
    "make makes making garner garners garnered justify justifies justifying support supports translate translates "
    "translating amount amounts amounting equate equates set setting sets offer offering conclude concluding hit hits "
    "hitting corresponds correspond corresponding belongs drop drops dropped dropping sink sinks sank slip slips slipped climb climbs climbed stand stands standing issue issuing vote voting hover hovers hovering yield "
    "yields yielding entitle entitles secure secures secured securing obtain obtains obtained obtaining achieve achieves "
    "achieved achieving consider considers considering deem deems find see comfortable happy inclined satisfied worth propose recommend suggest use using enter entering record recording report reporting",
    "o": "hiervoor daarvoor dafür hierfür it summary text response dialogue dialog output reply translation story passage candidate generated "
    "with conversation essay paragraph piece work headline message document caption submission "
    "completion content poem review explanation code solution statement sentence turn utterance this that answer",
    "p": "between about around approximately roughly solid strong clear firm just modest decent moderate weak high low "
    "respectable exactly perfect full only comfortable reasonable generous nearly near-perfect mere poor middling mediocre "
    "mid-range middle straight flat tentative cautious fair good very top maximum minimum lowest highest lower higher passing "
    "failing well-deserved well-earned excellent strong-ish definite confident healthy bare sound robust simple most least quite "
    "somewhat satisfactory positive perfectly simply slightly merely rating score",
}

_EASTERN = (
    "总分 评分 得分 分数 打分 评级 评价 評分 得點 スコア 点数 得点 評点 評価 評価点 採点 점수 평점 평가 채점"
)
_EASTERN_BEFORE = "总 总体 總 総合 综合 整体 我的 この 私の 총 종합"
_EASTERN_LAST = "最终 最后 最終 最終的な 최종"
_EASTERN_AFTER = "是 为 為 は 은 는 결과 结果 結果 结果是 結果は"
"""Written without spaces, a label is one word with what stands before and after it."""


def _parts() -> dict[str, str]:
    parts: dict[str, str] = {}
    for part, words in _PARTS.items():
        for word in _folded(words):
            # The first part that a word is listed under is what it is in a label.
            parts.setdefault(word, part)
    labels, last = _folded(_EASTERN), _folded(_EASTERN_LAST)
    for before in ("", *_folded(_EASTERN_BEFORE), *last):
        for label in labels:
            for after in ("", *_folded(_EASTERN_AFTER)):
                parts[before + label + after] = "c" + ("f" if before in last else "") + ("l" if after else "")
    return (
        parts
        | dict.fromkeys(("#range", '"', "'", "(", "[", "~", "≈", "▣", "▢"), "p")
        | dict.fromkeys(":=|→-", "s")
    )


def _folded(words: str) -> list[str]:
    return fold(words).lower().split()


PARTS: dict[str, str] = _parts()
"""The part of each word and mark; what is not in here is not part of a label."""

SCORE_NOUNS = words_of(
    "score scores rating ratings grade mark marks evaluation assessment verdict note nota bewertung punktzahl wertung puntuacion calificacion puntaje valoracion punteggio voto valutazione pontuacao avaliacao beoordeling ocena wynik puan puani puanim betyg скор"
)
GIVING = words_of(_PARTS["v"]) | words_of("score scores rate rates grade mark")
VERB_OR_NOUN = words_of("score scores rate grade mark result results place places set leads lead call")
MOVING = words_of(
    "go goes going settle settles settled settling land lands landed landing stay stays stick remain remains fall falls fell falling sit "
    "sits sitting come coming came comes result results resulted resulting lead leads leading led end ends ended ending "
    "arrive arrives arrived arriving lean leaning leans opt opts opting decide decided deciding translate translates "
    "translating amount amounts amounting equate equates corresponds correspond corresponding belongs drop drops dropped dropping sink sinks sank slip slips slipped climb climbs climbed stand stands standing hover hovers puts putting place places "
    "placed placing peg pegs pegging add adds adding sums summing totals comfortable happy inclined satisfied keep keeps set setting sets entitle entitles conclude concluding brings bring bringing"
)
"""Verbs that give a score by a preposition alone: "lands at a 4", "results in a 4"."""
PREPOSITIONS = words_of("at on in to with for as of around toward towards into about near by")
POINTING = words_of("it that'd it'd this'd it's that's one this that which who")
RATED = words_of(_PARTS["o"]) - {"with", "generated"}
"""What a judge rates, and the pronouns for it."""
SPEAKER = words_of(
    "i i'd i'll i'm i've we we'd we'll would to could should can will it summary text response reply"
)
"""After these, "score" is a verb: "I'd score it 4"."""
AUXILIARIES = words_of(
    "would will should must may might can could do does did has have had having be been being is are was were to am 'd 'll "
    "therefore thus hence so still now also then ultimately only just finally overall probably likely rather certainly "
    "inclined ready willing prepared happy comfortable glad content like leaning led going definitely simply currently personally generally consequently accordingly again here not"
)
"""What may stand between a subject and the verb that gives a score."""
ADVERB = "ly"
GIVER = words_of(
    "i i'd i'll i'm i've we we'd we'll we're would to could should can will it summary text response reply am are therefore "
    "thus hence now still also me"
)
"""What may stand before the words that give a score; any other is a subject whose score it is."""

UNITS = words_of(
    "point points pts stars star punkte punkten puntos punti pontos punktow punkty puan баллов балла балл marks"
)

OPENING = words_of(
    "reason reasons reasoning explanation rationale analysis justification conclusion comment "
    "comments feedback evaluation assessment scorer assistant judge response result response results output "
    "summary thoughts step no yes verdict overall answer judgment"
)
"""Words before a colon that open a part of a reply and name no aspect."""

BOUNDARY = frozenset(
    [
        *".,;!?()[]§•:-",
        *["and", "so", "but", "then", "that", "think", "believe", "agree", "say", "conclude", "yes"],
    ]
)

FOLLOW = words_of(
    "because since as for due given which while whereas although though but and so on in with based "
    "reflecting since it this the i my overall rather instead reflects acknowledges balances would might seems seem is appears could may feels "
    "describes fits suits captures matches summarizes summarises feels sits looks to if here there however therefore thus hence where from at by after considering weil car porque "
    "parce que denn reflect indicating showing suggesting meaning owing acknowledging noting demonstrating highlighting "
    "signifying denoting representing depending thanks along without under even despite when until having being its that "
    "across among per versus vs out not or mainly primarily largely mostly only purely simply these those we you they was "
    "according justified warranted fair appropriate max maximum total in-line seeing taking leaving making placing putting "
    "geben vergeben altogether overall within remain remains should can does feels strikes than what than plus minus good great very excellent too para per pour für voor"
)
"""What may follow a score: anything else makes it count things ("2 errors")."""
APPROVING = words_of(
    "warranted justified fair right appropriate reasonable fitting deserved suitable apt correct accurate just merited due earned "
    "my the what better more order best fairer closer closest nearer nearest"
)
"""What a score is that is given by saying so: "a 4 is warranted", "4 is my rating"."""
EXTREMES = words_of("best highest lowest worst poorest excellent full maximum minimum top possible perfect")
"""Of a score: they say what the scale is."""
SEEMING = words_of(
    "is seems feels would looks appears sounds be was to seem feel quite most fully well entirely more very perfectly about only in"
)
FOLLOWING_NOUNS = words_of("score rating grade mark overall-score evaluation verdict assessment")
CLASSES = words_of("category band tier bracket territory range class description group zone")
"""What a number may name a class of: "the 4 band"."""
"""What a number may stand before as its adjective: "a 4 rating"."""

NEGATION = words_of(
    "not never cannot don't doesn't didn't isn't wasn't aren't can't couldn't wouldn't won't shouldn't hardly neither nor "
    "refuse decline disagree reluctant hesitate deny denies without"
)
"""Before a number in its clause: it is refused."""
CONDITION = words_of("if unless whether suppose supposing imagine assuming hypothetically were")
"""In the sentence: it speaks of another case than the one at hand."""
FORCED = words_of("had have must were asked forced pressed pushed required obliged made")
"""After "if I": no condition, but a way to give a score."""
COMPARED = words_of("than below above under over beyond versus minus exceed exceeds exceeding short")
"""Right before a number: it is compared with, not given."""
EARLIER = words_of(
    "previous initial original earlier initially originally previously first prior former old last preliminary tentative provisional draft"
)
OTHERS = words_of(
    "everyone everybody critic critic's critics scorer scorer's author author's annotator annotators annotator's human humans reviewer reviewer's "
    "reviewers referee referees referee's juror jurors speaker speaker's moderator debater colleague's participant agent agent's evaluator evaluators user users reader readers expert experts judges colleague panel someone "
    "another instructions instruction prompt form template some others many people you your he she they article's source's his her their other"
)
"""Who may give a score that is not the judge's own."""
PEOPLE = words_of(
    "critic critics scorer annotator annotators human humans reviewer reviewers referee referees juror jurors moderator debater participant participants agent "
    "agents student students friend friends teacher teachers child children beginner beginners people evaluator evaluators user users reader readers expert experts judges colleague colleagues panel others"
)
"""Other judges, by their nouns."""
ATTRIBUTING = words_of(
    "asked asks wants wanted suggests suggested proposes proposed argues argued says said claims claimed thinks thought writes "
    "wrote gave assigned demands demanded states stated believes recommended recommends mentions mentioned reports "
    "reported insists insisted mentions tells told"
)
HYPOTHETICAL = words_of(
    "mean means meant require requires required reserved need needs needed imply implies entail entails demand call"
)
REJECTED = words_of(
    "mean means indicate indicates imply implies represent represents denote denotes require "
    "requires presuppose presupposes reserve reserved mistake rarely seldom never too isn't unfair unreasonable undeserved disproportionate out unjustified unwarranted excessive harsh generous inappropriate "
    "wrong lower higher fewer cannot doesn't corresponds traditionally typically usually if when "
    "unless conceivable imaginable thinkable arguable defensible possible deducted needs average middle median bottom"
)
"""After a number in its clause: it is explained or turned down, not given."""
MISSED = words_of(
    "prevents prevent prevented preventing keeps kept stops stopped short shy almost nearly avoid avoids deny almost "
    "missing misses miss missed needed required reach earn achieve deserving"
)

CLAUSE_ENDS = frozenset(
    [
        *".,;!?:()\n",
        *[
            "because",
            "since",
            "as",
            "due",
            "given",
            "but",
            "although",
            "though",
            "while",
            "whereas",
            "even",
            "reflecting",
            "indicating",
            "considering",
        ],
    ]
)

CHANGES = words_of(
    "change changed changing raise raised raising lower lowered lowering increase increased increasing decrease decreased "
    "limit limits limited limiting cap caps capped push pushes pushed drag drags dragged pull pulls pulled revise revised revising adjust adjusted adjusting update updated upgrade upgraded downgrade downgraded move moved moving switch switched switching bump "
    "bumped reduce reduced reducing correct corrected amend amended"
)
"""Verbs that move a score."""
OWN = words_of("i i'd i'll i've i'm my we we'll our score rating me")
"""Words of who speaks, and of what is theirs."""

JUDGE_WORDS = words_of("i i'd i'll i'm i've my we our")
"""Words of a judge that speaks of itself."""
WITHDRAWING = words_of(
    "wait actually correction hmm sorry oops no nope edit erratum apologies apology reconsidering update"
)
"""At the head of a sentence: what was said before no longer holds, if something else is said."""
CONCLUDING = words_of(
    "total together told all line altogether therefore thus hence overall ultimately conclusion summary consequently accordingly finally altogether short sum conclude "
    "balance considering all-in-all final"
)
"""Near the start of a sentence: it sums up what was said before."""

OTHER_ASPECTS = words_of(
    "relevance coherence consistency fluency accuracy clarity grammar style tone depth creativity engagement engagingness empathy "
    "surprise complexity naturalness groundedness understandability helpfulness factuality faithfulness conciseness "
    "informativeness readability structure organization organisation wording vocabulary originality completeness coverage "
    "correctness harmlessness honesty specificity diversity interestingness likability safety brevity novelty spelling "
    "punctuation flow truthfulness usefulness adequacy logic format formatting politeness persuasiveness thoroughness "
    "precision recall toxicity humor humour evidence argumentation focus cohesion content language introduction presentation research "
    "delivery nuance"
)
"""Names of aspects; where they are not asked for, what they get is not for ours."""
