"""Which column is human, which is a metric, which is neither? What is guessed is said in one line and in a note."""

import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.readers import preview_table, read_table
from tiekit.readers._roles import ask_equal, assign_roles
from tiekit.readers._score_names import is_human, is_metric


def table(header, *rows):
    return {"t.csv": "\n".join(["system,segment," + header, *(f"A,{n},{row}" for n, row in enumerate(rows))]).encode()}


def roles_of(source, **named):
    """Human scores, metrics, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read_table(source, **named)
    assert all(entry.category is tk.RoleWarning for entry in caught)
    return list(data.human), list(data.metrics), [str(entry.message) for entry in caught], data.notes


@pytest.mark.parametrize(
    ("header", "human", "metrics"),
    [
        ("human,BLEU", ["human"], ["BLEU"]),
        ("BLEU,mqm,da,own", ["mqm", "da"], ["BLEU", "own"]),
        ("human:coherence,Human Score,x", ["human:coherence", "Human Score"], ["x"]),
        ("COMET,rating", ["rating"], ["COMET"]),
        ("label,gpt-4", ["label"], ["gpt-4"]),
        ("human,mqm_pred,BLEU", ["human"], ["mqm_pred", "BLEU"]),
        ("esa_gemba,esa,GEMBA-MQM", ["esa"], ["esa_gemba", "GEMBA-MQM"]),
        ("gt,score", ["gt"], ["score"]),
        ("ground_truth,MetricX-24-QE", ["ground_truth"], ["MetricX-24-QE"]),
        ("expert_1,expert_2,ROUGE-L", ["expert_1", "expert_2"], ["ROUGE-L"]),
        ("mos,pred", ["mos"], ["pred"]),
        ("expert_1_coherence,expert_2_coherence,negTER", ["expert_1_coherence", "expert_2_coherence"], ["negTER"]),
        ("rating,CLIPScore,f1,em", ["rating"], ["CLIPScore", "f1", "em"]),
        ("mqm", ["mqm"], []),
        ("COMET,BLEU", [], ["COMET", "BLEU"]),
    ],
)
def test_names_that_say_it(header, human, metrics):
    assert roles_of(table(header, ",".join("1" * (header.count(",") + 1)))) == (human, metrics, [], ())


@pytest.mark.parametrize(
    ("header", "human", "metrics", "said"),
    [
        ("a,b,c", "a", "b, c", "human scores (the first column of numbers; none is named like human scores) and b, c"),
        ("COMET,mine,BLEU", "mine", "COMET, BLEU", "(the first column of numbers; none is named"),
        ("rating,mine", "rating", "mine", "(the name that is most like that of human scores)"),
        ("judgement,score", "score", "judgement", "(the name that is most like"),
        ("score,overall,x", "overall", "score, x", "(the name that is most like"),
        ("annotator,COMET", "annotator", "COMET", "(the name that is most like"),
        ("x,Rater_1,rater b", "Rater_1, rater b", "x", "(the name that is most like"),
        ("human,rater2,BLEU", "human", "rater2, BLEU", " (rater2 may be such, too, by the name) and "),
        ("mqm,second rater", "mqm", "second rater", " (second rater may be such, too, by the name) and "),
        ("x,expert,crowd", "expert", "x, crowd", " (crowd may be such, too, by the name) and "),
        ("ref_human,non_experts_mean,x", "ref_human", "non_experts_mean, x", " (non_experts_mean may be such, too"),
        ("da,da_z,Likert,mine", "da", "da_z, Likert, mine", " (da_z, Likert may be such, too, by the name) and "),
        ("annotator,quality,x", "quality", "x", "; left out annotator (named like persons); say"),
        ("human,human_std,cost,x", "human", "x", "; left out human_std, cost (named like no score); say"),
        ("mine", "no column", "mine", "(no column is named like them)"),
        (
            "human,year,BLEU,turn",
            "human",
            "BLEU",
            "; left out year, turn (named like no score); say otherwise with human=",
        ),
        (
            "mqm,annotators,line,n,rank,start,end,user_id,userID,BLEU",
            "mqm",
            "BLEU",
            "start, end, user_id, userID (named",
        ),
    ],
)
def test_a_guess_is_said_in_one_line(header, human, metrics, said):
    found = roles_of(table(header, ",".join("1" * (header.count(",") + 1))))
    [message] = found[2]
    assert message.startswith(f"t.csv: took {human} for human scores")
    assert f" and {metrics} for metrics" in message
    assert said in message
    assert message.endswith("; say otherwise with human= and metrics=")
    assert "\n" not in message
    note = message.removeprefix("t.csv: ")
    assert found[3] == (f"{note[0].upper()}{note[1:]}.",)
    assert ([*found[0]] or ["no column"], found[1]) == (human.split(", "), metrics.split(", "))


def test_the_caller_is_not_asked_again():
    rows = table("COMET,rating,year", "1,2,3")
    assert roles_of(rows, human="COMET", metrics=["rating", "year"]) == (["COMET"], ["rating", "year"], [], ())
    assert roles_of(rows, human=(), metrics="COMET")[:3] == ([], ["COMET"], [])
    assert roles_of(rows, human="rating", metrics=())[:3] == (["rating"], [], [])
    human, metrics, messages, _ = roles_of(rows, human="rating")
    assert (human, metrics) == (["rating"], ["COMET"])
    assert "left out year" in messages[0]
    rows = table("coherence,fluency,mine,BLEU,COMET", "1,2,3,4,5")
    human, metrics, messages, _ = roles_of(rows, human="coherence")
    assert (human, metrics) == (["coherence"], ["fluency", "mine", "BLEU", "COMET"])
    assert "human scores (fluency may be such, too, by the name) and" in messages[0]
    chosen = roles_of(rows, human="coherence, fluency", metrics="mine,BLEU")
    assert chosen == (["coherence", "fluency"], ["mine", "BLEU"], [], ())
    assert roles_of(table("a,b", "1,2"), human=())[:3] == ([], ["a", "b"], [])


def test_metrics_beside_human_scores_that_the_caller_names_are_not_doubted():
    rows = table("quality,negTER,length,CLIPScore,mine", "1,2,3,4,5")
    assert roles_of(rows, human="quality")[:3] == (["quality"], ["negTER", "length", "CLIPScore", "mine"], [])


def test_answers_beside_a_guess_are_said():
    rows = table("correct,f1,mine", "Yes,.5,.1", "No,.2,.2", "Yes,.7,.3")
    human, metrics, [message], _ = roles_of(rows)
    assert (human, metrics) == (["mine"], ["f1"])
    assert "; left out correct (holds texts such as 'Yes'); say" in message


def test_a_column_of_nothing_but_systems_of_the_set_is_no_guess():
    rows = {"t.csv": b"captioner,segment,x\nA,1,2\nB,1,3\nA,2,2\nB,2,3\n"}
    assert roles_of(rows, human=(), systems=("A", "B", "C"))[2] == []
    more = {"t.csv": rows["t.csv"] + b"D,1,2\nD,2,3\n"}
    assert "took 'captioner' for system=" in roles_of(more, human=(), systems=("A", "B", "C"))[2][0]


def test_segments_without_scores_in_a_wide_table_are_no_columns_left_out():
    rows = {"t.csv": b"system,1,2,3,4\nA,1,,3,1\nB,2,,1,2\n"}
    assert roles_of(rows, human=(), segments=("1", "2", "3", "4"))[2] == []


def test_a_column_of_mistyped_numbers_does_not_vanish():
    rows = table("human,BLEU,mine", "1,2,3O", "2,3,2O", "3,4,31")
    human, metrics, [message], _ = roles_of(rows)
    assert (human, metrics) == (["human"], ["BLEU"])
    assert "left out mine ('3O' is not a number)" in message
    with pytest.raises(tk.ReadError, match=r"t\.csv, line 2: '3O' in column 'mine' is not a score"):
        read_table(rows, human="human", metrics=["BLEU", "mine"])
    typed = table("human,a,b,c", "1,np.float64(0.5),(0.5),\u22120.5", "2,np.float64(1.0),(1.5),.5")
    assert roles_of(typed)[1:3] == (["c"], [roles_of(typed)[2][0]])
    assert "left out a ('np.float64(0.5)' is not a number); left out b ('(0.5)' is" in roles_of(typed)[2][0]
    assert read_table(typed, human="human", metrics="c").metrics["c"].tolist() == [[-0.5, 0.5]]
    texts = table("human,BLEU,note", "1,2,3 of 4", "2,3,v2.0-beta", "3,4,2nd try")
    assert roles_of(texts)[2] == []


def test_texts_in_a_column_named_human_are_left_out_where_they_are_no_labels():
    rows = table("mqm,human_note,BLEU", "1,fine,2", "2,too long,3", "3,odd,4")
    assert roles_of(rows)[:2] == (["mqm"], ["BLEU"])
    with pytest.raises(tk.ReadError, match="line 2: 'fine' in column 'human_note' is not a score"):
        read_table(table("human_note,BLEU", "fine,1", "3,2", "fine,2"))


def test_metricx_is_asked_about():
    rows = {"t.csv": b"system_id,segment_id,label,prediction\nA,0,-1,1.25\nA,1,0,.25\n"}
    human, metrics, [message], _ = roles_of(rows)
    assert (human, metrics) == (["label"], ["prediction"])
    assert "lower is better on it: pass lower_is_better='prediction'" in message
    human, metrics, messages, _ = roles_of(rows, lower_is_better="Prediction".lower())
    assert messages == []


def test_several_language_pairs_are_said():
    rows = {"t.csv": b"lp,system,segment,mqm,BLEU\nen-de,A,1,1,2\nzh-en,A,2,1,2\n"}
    assert "column 'lp' holds 2 values, all taken together" in roles_of(rows)[2][0]
    twice = {"t.csv": b"lp,system,segment,mqm,BLEU\nen-de,A,1,1,2\nzh-en,A,1,1,2\n"}
    message = r"line 3: .*column 'lp' holds en-de, zh-en; a set is of one language pair, so keep one, such as by frame"
    with pytest.raises(tk.ReadError, match=message):
        roles_of(twice)


def test_points_that_may_divide_thousands_are_asked_about():
    fractions = [f"{place}.962" for place in range(1, 31)]
    for last, is_asked in (("823", True), ("82", False), ("823.5", False)):
        said = roles_of(table("mqm,mine", *(f"1,{score}" for score in (*fractions, last))))[2]
        words = "column 'mine' holds 1.962 beside 823; write 1962 if the point divides thousands"
        assert [words in text for text in said] == [True] * is_asked


def test_the_preview_says_what_would_be_read():
    found = preview_table(table("COMET,mine,year", "1,2,3"))
    assert (found.numeric, found.human, found.metrics) == (("COMET", "mine", "year"), ("mine",), ("COMET",))
    assert found.guess.startswith("took mine for human scores (the first column of numbers")
    assert "left out year (named like no score)" in found.guess
    assert preview_table(table("human,BLEU", "1,2")).guess == ""


def test_names():
    assert [
        name for name in ("human", "MQM.merged", "esa-human1", "gold", "DA", "da-sqm", "GT") if not is_human(name)
    ] == []
    assert [
        name for name in ("mqm_pred", "esa_gemba", "GEMBA-ESA", "data", "dada", "gpt_human") if is_human(name)
    ] == []
    assert [
        name for name in ("BLEURT-20", "x_comet", "XCOMET-XXL", "judge_a", "chrF++", "TER") if not is_metric(name)
    ] == []
    assert not is_metric("determined")


@pytest.mark.campaign
def test_a_hundred_thousand_columns_are_assigned_at_once():
    names = [f"m{number}" for number in range(100_000)]
    found = assign_roles(names, {}, (), None, None)
    assert (found.human, len(found.metrics)) == (("m0",), 99_999)
    assert len(found.sentence()) < 300


LATER = ["latency_ms", "cost", "prompt_tokens", "seed", "timestamp"]


@pytest.mark.parametrize("other", LATER)
@pytest.mark.parametrize("score", ["judge_score", "COMET", "gpt-4o"])
def test_times_and_costs_beside_the_only_score_that_is_added_are_not_said(score, other):
    rows = table(f"{score},{other}", "1,30", "2,20", "4,60")
    assert roles_of(rows, human=(), wanted=["mine"])[:3] == ([], [score], [])
    assert f"left out {other} (named like no score)" in roles_of(rows)[2][0]
    assert f"left out {other}" in roles_of(table(f"x,{other}", "1,30", "2,20"), human=(), wanted=["mine"])[2][0]
    assert f"left out {other}" in roles_of(rows, human=(), wanted=[other])[2][0]


@pytest.mark.parametrize("name", ["epoch", "run", "max_tokens", "x"])
def test_a_column_that_never_changes_beside_scores_is_told(name):
    frame = pd.DataFrame({"id": range(20), "human": range(20), "judge": np.square(range(20)), name: 1})
    with pytest.warns(tk.RoleWarning) as told:
        data = tk.read(frame)
    assert [*data.metrics] == ["judge", *["x"] * (name == "x")]
    assert name in str(told[0].message)
    assert len(told) == 1


def test_numbers_of_runs_are_no_scores_beside_others():
    frame = pd.DataFrame({"id": range(20), "human": range(20), "judge": np.square(range(20)), "run": [1, 2] * 10})
    with pytest.warns(tk.RoleWarning, match=r"left out run \(named like no score\)"):
        assert [*tk.read(frame).metrics] == ["judge"]
    assert [*tk.read(frame.drop(columns="judge")).metrics] == ["run"]


def rated(systems=("A", "B", "C")):
    rng = np.random.default_rng(2)
    rows = [(name, place, *rng.normal(size=2)) for name in systems for place in range(1, 31)]
    return pd.DataFrame(rows, columns=["system", "segment", "mqm", "BLEU"])


def test_a_metric_that_is_a_human_score_is_asked_about():
    frame = rated()
    data = tk.read(frame)
    same = {name: frame[["system", "segment", name]].rename(columns={name: "score"}) for name in ("mqm", "BLEU")}
    for add in (
        lambda: tk.read(frame.assign(BLEU=frame["mqm"])),
        lambda: data.with_scores(same["mqm"], name="BLEU-2"),
        lambda: data.with_human(same["BLEU"], name="da"),
    ):
        with pytest.warns(tk.RoleWarning, match="the metric 'BLEU(-2)?' equals the human score '(mqm|da)' in all 90 "):
            add()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda human: human / 5, "times 0.2"),
        (lambda human: (human / 3).round(3), "times 0.333"),
        (lambda human: 100 - 10 * human, "times -10 plus 100"),
        (lambda human: (human - 2) * 1e-300, "times 1e-300 minus 2e-300"),
    ],
)
@pytest.mark.parametrize("levels", [True, False])
def test_a_metric_that_is_a_human_score_on_another_scale_is_asked_about(change, told, levels):
    frame = rated()
    human = frame["mqm"].round() if levels else frame["mqm"]
    frame["mqm"] = human
    with pytest.warns(
        tk.RoleWarning, match=f"the metric 'BLEU' is the human score 'mqm' {told}.* in all 90 cells that"
    ):
        tk.read(frame.assign(BLEU=change(human)))
    tk.read(frame.assign(BLEU=change(human.where(human.index > 0, 3.5))))
    tk.read(frame.assign(mqm=human > 0, BLEU=change(1.0 * (human > 0))))  # yes or no


@pytest.mark.parametrize("name", ["refA", "reference", "Human", "human-B"])
def test_a_reference_that_is_compared_is_said_with_the_step_that_leaves_it_out(name):
    with pytest.warns(tk.RoleWarning, match=f"^{name} is compared as a system; if people made it, ") as said:
        data = tk.read(rated(("A", name, "C")))
    step = str(said[0].message).partition("made it, ")[2].removesuffix(" leaves it out")
    assert eval(step, {"data": data}).systems == ("A", "C")


@pytest.mark.parametrize("name", [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")])
def test_no_metric_of_the_sets_that_come_along_seems_to_be_a_human_score(name):
    data = tk.load(*name)
    with collect_warnings() as said:
        ask_equal(data.metrics, data.human)
    assert said == []
