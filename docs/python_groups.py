"""How the page of the Python API groups names: by what they are for, each group with an example that the tests run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """Names that belong to one task."""

    title: str
    about: str
    places: tuple[str, ...]
    """Parts of the package, modules, or `module:Name`. The longest one that fits a name decides."""
    example: str
    prints: str = ""
    """What the example prints; "..." stands for anything."""


GROUPS = (
    Group(
        "Judge a text",
        "`debate` judges one item, `Judge` stays open for many calls ([how-to](../how-to/keep-a-judge-open.md)), and `ready` prepares a "
        "strategy once for many items. [Reading results](../how-to/reading-results.md) explains what comes back.",
        (
            "agents.purse",
            "debates.ready",
            "models.composition",
            "models.budget",
            "runs.judge",
            "runs.settings",
        ),
        """
        import agentdebate as ad

        item = ad.Item(
            task="summarization",
            id="kelby/s1",
            fields={
                "source": "The bridge at Kelby closes for eleven weeks from 3 March.",
                "summary": "Kelby's bridge closes for eleven weeks.",
            },
            human={"consistency": 5},
        )
        settings = ad.Settings(patience=2, debate_limits=ad.DebateLimits(tokens=200_000))
        verdict = await ad.debate(item, "debate", aspects="consistency", settings=settings)
        print(sorted(verdict.scores), verdict.settled)

        async with ad.ready("solo") as held:
            print((await held.hold(item, aspects="consistency")).outcome.name)

        with ad.Judge("solo", task="summarization", aspects="consistency") as judge:
            print(sorted(judge(source="The bridge closes in March.", summary="It closes in March.").scores))
        """,
        """
        ['consistency'] ...
        verdict
        ['consistency']
        """,
    ),
    Group(
        "Judge many texts",
        "`evaluate` holds many debates at a time, one for each item and aspect, and gives their records as they end; with a store it "
        "can be resumed ([leave a run alone](../how-to/leave-a-run-alone.md)). "
        "`enqueue` and `work` hold one run in several processes ([many machines](../how-to/many-machines.md)).",
        ("runs", "store.crew"),
        """
        summaries = {
            "The bridge at Kelby closes for eleven weeks.": 5,
            "The bridge closes in March.": 4,
            "A bridge opens for 9 million pounds.": 1,
            "It is torn down.": 2,
        }
        items = [
            ad.Item(
                task="summarization",
                id=f"kelby/s{number}",
                group="kelby",
                fields={**item.fields, "summary": summary},
                human={"consistency": score},
            )
            for number, (summary, score) in enumerate(summaries.items(), 1)
        ]
        print((await ad.forecast(items, "debate", aspects="consistency")).debates)

        async with ad.evaluate(items, "debate", aspects="consistency", store="runs.db", in_order=True) as run:
            async for record in run:
                print(record.id, record.outcome.name)

        name = await ad.enqueue(items, "solo", aspects="consistency", store="queue.db")
        async with ad.work(name, "solo", aspects="consistency", store="queue.db") as part:
            print(len([record async for record in part]))
        print(ad.crew(name, store="queue.db") is not None, ad.stop(name, store="queue.db"))
        """,
        """
        4
        kelby/s1/consistency verdict
        kelby/s2/consistency verdict
        kelby/s3/consistency verdict
        kelby/s4/consistency verdict
        4
        True 0
        """,
    ),
    Group(
        "Items, tasks and projects",
        "What is judged, by which aspects, and where the files lie that say so ([a task of your own](../tutorial/own-task.md), "
        "[content files](content-files.md)).",
        ("datasets", "project", "prompts", "tasks", "runs.load_items"),
        """
        import json

        summarization = ad.load_task("summarization")
        print([aspect.name for aspect in summarization.aspects])

        clear = ad.Task(
            name="clarity",
            brief="You judge a text.",
            fields=("text",),
            judged="text",
            aspects=(ad.Aspect(name="clarity", scale="1-5", criterion="How clear the text is."),),
        )
        text = ad.Item(task="clarity", fields={"text": "The bridge closes in March."})
        settings = ad.Settings(tasks={"clarity": clear})
        print((await ad.debate(text, "solo", settings=settings)).scores.keys())

        with open("hanna.jsonl", "w") as file:
            row = {"prompt_id": "P0", "story_index": "S0", "prompt": "A ferry.", "story": "Ann waited."}
            aspects = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
            file.write(json.dumps(row | dict.fromkeys(aspects, 3.0)))
        with open("texts.csv", "w") as file:
            file.write("name,text,people\\nferry,The ferry sails at nine.,4\\n")
        print(ad.load_items("texts.csv", clear, ids="name", human={"clarity": "people"}))
        print([story.id for story in ad.load_dataset("hanna", "hanna.jsonl", subset=True).items])
        print("summarization" in ad.Project.here().names("prompts/tasks"))
        print([dataset.name for dataset in ad.known_datasets()][:2])


        def all_of_faireval() -> list[ad.Item]:
            return list(ad.load_dataset("faireval", ad.get_dataset("faireval")).items)


        print(sum(file.made for file in ad.init_project("my-judge")) > 5)
        """,
        """
        ['coherence', 'consistency', 'fluency', 'relevance']
        dict_keys(['clarity'])
        [<Item 'ferry' of clarity: text (24 characters)>]
        ['P0/S0']
        True
        ['summeval', 'topical-chat']
        True
        """,
    ),
    Group(
        "What comes back",
        "A debate comes to a `Verdict`, and a run to a `Record` for each debate ([reading results](../how-to/reading-results.md)).",
        (
            "debates.record",
            "talk.transcript",
            "talk.messages:Verdict",
            "talk.messages:CastBallot",
            "talk.messages:Failure",
            "usage",
        ),
        """
        verdict: ad.Verdict = await ad.debate(item, "debate", aspects="consistency")
        print(verdict.ended, verdict.rounds, [cast.agent for cast in verdict.ballots])
        print(repr(verdict.transcript)[:11], sum((spent.usage.calls for spent in verdict.usage), 0) > 0)
        """,
        """
        ... [...]
        <Transcript True
        """,
    ),
    Group(
        "Models",
        "A model is opened by its name ([endpoints](../how-to/endpoints.md), [all options](models.md)). One of your own is a function or "
        "a class ([custom models](../how-to/own-model.md)). `Scripted` and `Function` stand in for a model in [tests](../how-to/testing.md).",
        ("models",),
        """
        from agentdebate.testing.server import FaultServer

        async with FaultServer() as server:  # in the place of your endpoint
            gpt = ad.model("openai/any", base_url=server.base_url)
            verdict = await ad.debate(item, "solo", model=gpt, aspects="consistency")
            await gpt.aclose()
            checked = await ad.check("openai/any", base_url=server.base_url)
        print(sorted(verdict.scores), checked.reached)

        short = ad.Function("by-length", lambda request: "It is short.\\n\\nConsistency: 4")
        print((await ad.debate(item, "solo", model=short, aspects="consistency")).score)
        scripted = ad.Scripted(["It adds nothing.\\n\\nConsistency: 5"])
        print((await ad.debate(item, "solo", model=scripted, aspects="consistency")).score)
        """,
        """
        ['consistency'] True
        4.0
        5.0
        """,
    ),
    Group(
        "Ballots and merges",
        "A ballot is one agent's judgement; a merge makes one rating of several ([ballots](../explanation/ballots.md), "
        "[merges of your own](../how-to/merge-ballots.md)).",
        ("ballots",),
        """
        fluency = ad.Aspect(name="fluency", scale="1-5", criterion="How well it reads.")
        ballots = [
            ad.ballots.Ballot(ratings=(ad.ballots.Rating(aspect="fluency", score=score),))
            for score in (2.0, 4.0, 5.0)
        ]
        context = ad.ballots.MergeContext(aspects=(fluency,))
        print(ad.merge(ballots, "median", context=context).ratings[0].score)
        print(ad.ballots.ballot_kind("ranking").name, ballots[0].scores)
        """,
        """
        4.0
        ranking {'fluency': 2.0}
        """,
    ),
    Group(
        "Built-in strategies",
        "Each is a class whose fields are its options; `strategy` opens the strategies that lie in files "
        "([what is built in](built-in.md), [who hears whom](who-hears-whom.md)).",
        ("strategies", "report.contents", "runs.hearing_graph"),
        """
        print("debate" in [one["name"] for one in ad.list_content("strategies")])
        print((await ad.graph("debate")).mermaid.splitlines()[0])

        debate = ad.strategy("debate", rounds=2)
        panel = ad.strategies.OneByOne(
            rounds=2, cast={"debaters": ("general-public", "reviewer", "scientist")}, merge="median"
        )
        for one in (debate, panel, ad.strategies.Repeated(around=ad.strategies.Solo(), samples=2)):
            print((await ad.debate(item, one, aspects="consistency")).scores.keys())
        """,
        """
        True
        flowchart LR
        dict_keys(['consistency'])
        dict_keys(['consistency'])
        dict_keys(['consistency'])
        """,
    ),
    Group(
        "Write a strategy",
        "A strategy is a class with one method, `debate`; the floor asks agents and tells them what others said "
        "([the tutorial](../tutorial/own-strategy.md), [communication strategies](../how-to/communication-strategies.md)).",
        (
            "agents",
            "strategies.balloting",
            "strategies.base",
            "strategies.floor",
            "strategies.group_talk",
            "strategies.wrapper",
            "talk.messages:Purpose",
            "talk.messages:Reply",
        ),
        """
        from collections.abc import Mapping


        class SecondOpinion(ad.strategies.Strategy):
            \"\"\"Two scorers; the second hears the first.\"\"\"

            cast: Mapping[str, ad.strategies.Cards] = {"first": ("scorer",), "second": ("scientist",)}

            async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
                first, second = floor.one("first"), floor.one("second")
                opened = await floor.ask(first, ad.talk.purposes.SCORE)
                await floor.tell([opened], to=second)
                return floor.verdict(
                    await floor.ask(second, ad.talk.purposes.SCORE), settled=True, ended="second opinion"
                )


        print((await ad.debate(item, SecondOpinion(), aspects="consistency")).scores.keys())
        """,
        "dict_keys(['consistency'])",
    ),
    Group(
        "Stop and history rules",
        "A stop rule ends a talk early ([how-to](../how-to/end-early.md)), a history rule says what agents remember "
        "([how-to](../how-to/what-agents-remember.md)). Both are pure functions.",
        ("strategies.histories", "strategies.stops"),
        """
        talk = ad.strategies.OneByOne(
            rounds=3, stop={"rule": "stable", "within": 0.5}, history={"rule": "window", "rounds": 1}
        )
        verdict = await ad.debate(item, talk, aspects="consistency")
        stable = ad.strategies.stop_rule("stable")
        context = ad.strategies.StopContext(summarization.choose("consistency"))
        print(stable(ad.strategies.ballots_by_round(verdict.ballots, verdict.lost), context) == verdict.ended)
        """,
        """
        True
        """,
    ),
    Group(
        "Messages",
        "What is said in a debate, and what a strategy of your own may add to ([own messages](../tutorial/own-messages.md)).",
        ("talk",),
        """
        said: list[ad.talk.Message] = []
        await ad.debate(item, "debate", aspects="consistency", listeners=[said.append])
        print(
            [type(message).__name__ for message in said if isinstance(message, ad.talk.Score | ad.talk.Critique)][:2]
        )
        """,
        "['Score', 'Critique']",
    ),
    Group(
        "Evaluators and embedders",
        "Evaluators score texts without a debate ([how-to](../how-to/evaluators.md), [all of them](evaluators.md)); embedders make vectors "
        "by which recruited readers are told apart ([how-to](../how-to/recruit-readers.md)).",
        ("embedders", "evaluators"),
        """
        rouge = ad.evaluator("rouge-l")
        print(await rouge.score([ad.Pair(("The bridge closes.",), "The bridge closes.")]), rouge.range)
        await rouge.aclose()
        tfidf = ad.embedder("tf-idf")
        print(len(await tfidf.embed(["a bridge", "a library"])))
        await tfidf.aclose()
        """,
        """
        [1.0] Range(low=0.0, high=1.0)
        2
        """,
    ),
    Group(
        "Read a stored run",
        "[Read a stored run in Python](../how-to/read-a-stored-run.md). Tables go to pandas, polars and Arrow. `view` shows "
        "runs [in the browser](../how-to/view.md), until Ctrl-C.",
        (
            "report.export",
            "store.run_tables",
            "store.stored_run",
            "tables",
            "viewer",
            "view",
        ),
        """
        with ad.open_store("runs.db") as store:
            run = store.run("last")
            for record in run.records():
                print(record.id, sorted(record.scores), record.human)
            print(run.calls()[0].completion.model, run.costs().total.usage.calls > 0)

        print(len(ad.export(output="verdicts.csv", format="csv", store="runs.db")))
        print(ad.write_report("last", output="report.html", store="runs.db"))
        """,
        """
        kelby/s1/consistency ['consistency'] {'consistency': 5.0}
        kelby/s2/consistency ['consistency'] {'consistency': 4.0}
        kelby/s3/consistency ['consistency'] {'consistency': 1.0}
        kelby/s4/consistency ['consistency'] {'consistency': 2.0}
        offline True
        4
        report.html
        """,
    ),
    Group(
        "Keep a store",
        "[Choose and keep a store](../how-to/stores.md), [PostgreSQL](../how-to/postgresql.md).",
        ("store",),
        """
        print(ad.store.store_info("runs.db").runs, ad.store.check_store("runs.db").problems)
        print([copied.content.debates for copied in ad.store.copy_runs("runs.db", "copy.db")])
        print(ad.store.run_content("copy.db", "last").debates, ad.store.delete_run("copy.db", "last").debates)
        """,
        """
        1 ()
        [4]
        4 4
        """,
    ),
    Group(
        "Agreement with people",
        "[Compare judges with people](../how-to/agreement.md); it takes `pip install 'agentdebate[agree]'`. "
        "[Agreement](../explanation/agreement.md) says what each number means.",
        ("meta", "report", "studies"),
        """
        print(ad.agree("last", store="runs.db", statistic="spearman", level="pooled").rows()[0]["aspect"])
        print(ad.dynamics("last", store="runs.db").counted.debates)
        print(ad.means("last", ["calls"], by=["system"], store="runs.db")[0]["n"])

        swept = await ad.sweep(items, "debate", vary={"rounds": [1, 2]}, aspects="consistency", store="sweep.db")
        print(len(swept.rows()) > 2)
        told = await ad.sweep_forecast(items, "debate", vary={"rounds": [1, 2]}, aspects="consistency")
        print(told.calls > 0)
        print(ad.plot("people", "last", store="runs.db", resamples=0).title)

        avg = ad.strategy("avg", evaluators=("rouge-1:premise=source", "rouge-l:premise=source"))
        async with ad.evaluate(items, avg, aspects="consistency", store="rouge.db") as run:
            records = [record async for record in run]
        print(len(ad.aggregate("last", store="rouge.db").rows()))

        people, mine, other = (1, 2, 3, 4, 5, 3), (1, 2.5, 2, 4.5, 4, 3.5), (2, 2, 4, 1, 5, 3)
        judges = [
            ad.meta.Judgements(
                name,
                "fluency",
                [ad.meta.Judged(f"t{n}", f"a{n % 3}", "s", people[n], score) for n, score in enumerate(scores)],
            )
            for name, scores in {"mine": mine, "other": other}.items()
        ]
        print(ad.agree(judges[0], "spearman", "pooled"))
        print(ad.compare(*judges, "spearman", "pooled", bootstrap=ad.meta.Bootstrap(resamples=200)).difference > 0)
        chosen = [ad.meta.Chosen(f"q{n}", f"q{n}", "a", label) for n, label in enumerate("aaba")]
        print(ad.agree(ad.meta.Choices("mine", "best", ("a", "b"), tuple(chosen)), "accuracy").value)
        """,
        """
        consistency
        4
        4
        True
        True
        Scores of people and of ...
        4
        <Agreement ...>
        True
        0.75
        """,
    ),
    Group(
        "Errors",
        "`UserError` is something to fix, `DebateError` a debate without a verdict, `ModelError` an endpoint that failed, `StoreError` "
        "a store that cannot be read or written. `agentdebate/errors.py` draws the whole tree.",
        ("errors",),
        """
        try:
            ad.strategy("debaet")
        except ad.UserError as error:
            print(error)
        """,
        "there is no strategy 'debaet'. Did you mean 'debate'?...",
    ),
)
