"""The words of choices, by the part that each plays (see choices.py)."""

from agentdebate.ballots.words import words_of

BETTER = words_of(
    "iyi betere лучше beter beste battre lepsza lepszy lepsze najlepsza najlepszy melhor meglio besser mejor meilleur meilleure migliore melhor better best superior stronger strongest preferable preferred favored favoured favorite favourite higher"
)
BEST_NOUNS = words_of(
    "лучшии лучшая лучшее лучше beter betere better best preferred superior stronger finest right correct final strongest winning chosen selected favorite favourite top mejor meilleure meilleur beste bessere migliore melhor"
)
INFERIOR = words_of(
    "worse worst weaker weakest inferior poorer poorest lesser losing losers loser's feebler feeblest lousier lousiest shoddier shoddiest unpreferred dispreferred"
)
"""Of two texts: then the other one is the better."""
WINNING = words_of(
    "trumps outclasses eclipses preference nod top edges convinces recommended winner wins won win beats outperforms outshines surpasses excels prevails triumphs chosen selected ahead edge vote pick choice favorite "
    "favourite 更好 更优 胜出 获胜 更好的 优于 の方が優れています の方が良い の方が良いです"
)
"""Behind a name: it is the better one."""
BETTER_OF = words_of(
    "opcion eleccion scelta escolha opcao option wahl one of the two than both quality job choice pick option all other others any three four score rating mark grade"
)
"""What may follow "better" before a restriction would."""
WIN_VERBS = words_of(
    "outshines surpasses trumps outclasses eclipses wins won win beats outperforms surpasses prevails edges 更好 更优 胜出 获胜 の方が優れています の方が良い の方が良いです"
)
"""Of these, those that need nothing between them and the name."""
ROUNDS = words_of("round first second opening ending comparison")
"""What may be won, beside all of it."""
DOING = words_of("does do provides gives offers presents delivers produces makes does a")
PREDICATE_LEAD = words_of(
    "jest ar daha de het un une la le el der die das il lo o ist est es should deserves on is was are be been being seems seem appears appear looks remains stands would will to as the a an my our clear clearly much far slightly "
    "somewhat marginally significantly considerably definitely generally overall also still by just simply ultimately therefore thus "
    "hence bit little considered deemed judged rated found regarded viewed as does do provides gives offers presents delivers produces "
    "comes come out takes take has have gets get the hands down one that i i'd prefer would choose in general here ranked ranks finishes places lands only obvious "
    "marginal narrow slight both better-suited overall, 's it which and turns narrowly easily , even"
) - {","}
RESTRICTING = words_of(
    "at in for on regarding when if were where with from concerning among within until unless only as-regards"
)
FREE = words_of(
    "contrast opposition spite keeping agreement my our every all general most balance whole this these entirety conclude sum summarize summarise result such mind opinion perspective considered weighing everything comparing consideration consequence both either comparison being the-reasons reasons overall me comparison both case total "
    "conclusion summary balance brief reflection short light view end sum these following answering addressing meeting fulfilling executing satisfying"
) - {"both"}
ATTRIBUTES = words_of("written structured organized organised suited aligned phrased worded known explained")
CHOOSING = words_of(
    "выбираю выбрал выбрала предпочитаю kies kiezen wybieram valjer foredrar votiere choose chose choosing pick picked select selected prefer favor favour vote voted voting go going opt lean leaned side recommend award stay stick "
    "settle decide decided stand convinces convince bevorzuge wahle nehme prefiero elijo escojo prefere prefiro choisis preferisco scelgo escolho entscheide 选择 我选择 我更喜欢 我认为 我更偏好 我倾向于 "
    "sticking staying siding backing opting leaning remaining preferring favoring favouring settling "
    "switching switched shifting shift changing "
    "convinced switch change revise move remain endorse back give giving choice support picking selecting declare name crown"
)
ACTING = words_of(
    "votes voted prefers preferred chooses chose picks picked selects selected favors favored favours favoured"
)
"""Verbs of a player, who votes in the third person."""
JUDGING = words_of(
    "put place find consider deem judge think believe rate rank see declare regard hold view name call found"
)
VOW_LEAD = words_of(
    "pour por per voor the to for of from by with in favor favour as towards toward on : ( [ \" ' my vote verdict choice decision preference a an answer response output summary story text assistant option "
    "mich fur que that is would be it go instead and edge overall win winner both again provided given one → - firmly number slight victory nod point award prize"
)
SUBJECTS = words_of(
    "я ik jag ja i i'd i'll i'm i've we we'd we'll me . ; , : ! and so but then ) ( - therefore thus hence would finally ultimately overall ich yo eu je io let please decision \" that"
) | frozenset("\n")
WINNERS = words_of(
    "winner verdict choice decision preference pick vote answer selection judgment judgement conclusion favorite favourite winning better best stronger preferred "
    "superior chosen selected result opcion opinion evaluation 最终判断 判断 结论 选择 最终选择 获胜者 胜者 答案 最终答案 勝者 結論 결론 선택 ganador ganadora gewinner sieger wahl "
    "meilleur meilleure mejor beste lepsza лучшии победитель вердикт выбор решение ответ winnaar oordeel keuze zwyciezca werdykt wybor kazanan secim sonuc vinnare vinner segrare "
    "veredito decisao resposta respuesta decision reponse antwort urteil fazit gagnante vainqueur laureat الفائز विजेता لучший "
    "ruling outcome call recommendation takeaway finding right correct finest strongest determination "
    "ballot edge win point nod victory award prize place vainqueur gagnant choix vincitore vencedor eleccion veredicto urteil verdetto entscheidung stimme favorit decision preference besser mieux scelta escolha migliore melhor voto vote 投票 更好的是 更好的回答 更好的回答是 更好的 最佳 优胜者 胜者是 获胜者是 优胜者是 最佳是 最佳回答 最佳回答是 选择是 答案是"
)
WINNER_LEAD = words_of(
    ": = is es ist est e geht va an a para falls would be will the to goes for → - a that be falls remains still clearly therefore thus overall on of from by my as two them three four all stays remains with "
    "here must now definitely after discussion debate deliberation reflection review comparison"
) | frozenset("\n")
OPENERS = words_of(
    ". ; , : ! ( [ that so and therefore thus hence overall but - think believe because since say find while"
) | frozenset("\n")
CONCEDING = words_of("while although though whereas despite albeit even")
UNSETTLED = words_of("candidates options texts summaries outputs answers responses")
TIES = words_of(
    "ничья gleichstand remis empatados empatadas gelijkspel oavgjort berabere 两者相当 不分上下 不相上下 平分秋色 一样好 两者一样好 两者同样好 引分け 同点 同等 동점 비김 "
    "toss even tie ties draw tied toss-up 平局 平手 引き分け 무승부 empate unentschieden egalite pareggio"
)
EQUAL = words_of(
    "none equals gleich gleichwertig valent iguales uguali iguais equivalentes egaux egales одинаково одинаковы равны gelijk gelijkwaardig lika equal equally equivalent same neither no nothing just indistinguishable interchangeable identical comparable par evenly"
)
IDIOMATIC = words_of("neck close dead six honours honors tell separate wash")
"""Words that may begin a set phrase for a tie (see ties.py)."""
ALIKE = words_of("just")
"""Before "as good": both are."""
EQUAL_TO = words_of("equals equal equivalent indistinguishable interchangeable identical par")
"""Adjectives of texts that are equal."""
EQUALLY = words_of(
    "gleich gleichwertig valent iguales uguali iguais equivalentes egaux egales одинаково одинаковы равны gelijk gelijkwaardig lika same equally tied evenly"
)
"""Words of degree: what both are follows."""
EQUALLY_WHAT = words_of(
    "merit worth standard standing value gut stark хороши goed buenas buenos bonnes bons bra good well strong valid matched quality deserving level convincing best preferable suitable fine excellent capable great worthy acceptable bad "
    "poor effective score rating grade"
)
JUDGED = words_of("rate judge rank score consider rated grade")
NO_DIFFERENCE = words_of("preference winner difference differences favorite favourite")
"""Behind "no": there is none."""
DENIED_BEST = words_of("better superior preferred wins best stronger stands prevails convinces")
"""Behind "neither": then none is."""
WHOLE_RESPECTS = words_of("quality rest all each one performance value level")
"""Of these, what is said of them is said of the text."""
WITH_TIE = words_of(
    "merit worth standing value quality in overall as because since and for with"
) | frozenset((".", ","))
TIE_ALONE = words_of(
    "es ist c'est e une un est ein eine это het is een toss up - close too they're they i'd call they are it is it's a an the so therefore result verdict final overall winner choice vote answer call i would say"
) | frozenset('§[]()":')
"""What may stand with a word for a tie in a sentence that says no more."""
BEFORE_TIE = words_of("a an is are be in as it the virtual near clear perfect") | frozenset((":", "\n"))
TIE_SUBJECTS = words_of(
    "beide beiden deux ambas ambos entrambe entrambi оба обе bada they're both they two outputs answers responses assistants summaries texts stories options candidates all them versions models systems translations replies"
)
VERBLESS = words_of(
    "surely ⌫ actually sorry hence therefore thus so overall definitely clearly it's it is has to be i'd i would say in conclusion summary finally ultimately probably must , : "
    "then still again my the answer all short sum certainly simply just for me that's that i'll it'd was final on balance whole"
)
"""What may stand before a name that is all of a sentence: "Therefore, B."."""
REASONED = words_of("because since as by due for over")
