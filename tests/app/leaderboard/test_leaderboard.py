import io
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.ranking import given, ranks_shown, shown, texts
from tests.app.uploads import table_of, upload
from tiekit.ranking.diagnostics import CHECKS, COLUMNS
from tiekit.readers import FORMATS
from ui.evalset import sources
from ui.leaderboard.question import with_signatures
from ui.leaderboard.ranking import value_texts
from ui.work.presets import DATA

PAGE = "5_Leaderboard"
USUAL = ["tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq"]


def test_it_shows_what_the_library_says(open_app, synthetic):
    app = open_app(PAGE)
    board = tk.leaderboard(synthetic, coefficients=USUAL, calibrated="acc_eq")
    frame = shown(app)
    assert frame.index.tolist() == board.index.tolist()
    for column in [*USUAL, "acc_eq*", "epsilon(acc_eq)"]:
        assert frame[column].to_numpy() == pytest.approx(board[column].to_numpy(), nan_ok=True)
    for column in [*USUAL, "acc_eq*"]:
        places = [row["cells"][column]["place"] for row in given(app)["rows"]]
        assert places == [None if pd.isna(rank) else rank for rank in board[f"rank({column})"]]


def test_the_chart_shows_the_ranks_of_the_table_and_the_metric_whose_ranks_differ_most(open_app, synthetic):
    board = tk.leaderboard(synthetic, coefficients=USUAL, calibrated="acc_eq")
    app = open_app(PAGE)
    chart = ranks_shown(app)
    assert [one["key"] for one in chart["columns"]] == ["acc_eq*", *USUAL[::-1]]
    for metric in chart["metrics"]:
        ranks = [board.loc[metric["name"], f"rank({one['key']})"] for one in chart["columns"]]
        assert metric["ranks"] == [None if pd.isna(rank) else rank for rank in ranks]
    ranks = board[[f"rank({column})" for column in [*USUAL, "acc_eq*"]]].astype(float)
    spread = ranks.max(axis=1) - ranks.min(axis=1)
    assert spread[chart["metric"]] == spread.max()
    assert given(app)["chosen"] == chart["metric"]
    assert "ranked_metric" not in app.query_params


def test_a_link_chooses_a_metric_which_stays_when_pairs_are_grouped_otherwise(open_app):
    app = open_app(PAGE, ranked_metric="Judge-src")
    assert ranks_shown(app)["metric"] == given(app)["chosen"] == "Judge-src"
    app.selectbox(key="grouping").select("global").run()
    assert ranks_shown(app)["metric"] == "Judge-src"


def test_clusters_and_intervals_stand_in_the_table(open_app, synthetic):
    app = open_app(PAGE)
    found = tk.significance.compare_metrics(synthetic, "acc_eq*", n_resamples=999).clusters()
    assert {name: cells["cluster"] for name, cells in texts(app).items()} == {
        name: "–" if pd.isna(place) else str(place) for name, place in found.items()
    }
    app.selectbox(key="table_tests").select("clusters and intervals").run()
    below = {row["name"]: row["cells"]["acc_eq*"]["below"] for row in given(app)["rows"]}
    interval = tk.significance.bootstrap_interval(synthetic, "Judge-src", "acc_eq*", n_resamples=999)
    assert below["Judge-src"] == f"[{interval.low:.3f}, {interval.high:.3f}]"
    assert all(below.values())
    app.selectbox(key="table_tests").select("neither").run()
    assert "cluster" not in texts(app)["Judge-src"]


def test_what_takes_long_is_not_tested_unasked(open_app):
    app = open_app(PAGE)
    assert not any("No difference is tested yet" in caption.value for caption in app.caption)
    app.selectbox(key="grouping").select("global").run()
    assert app.selectbox(key="slow_tests").value == "neither"
    assert any("No difference is tested yet" in caption.value for caption in app.caption)
    assert "cluster" not in texts(app)["Judge-src"]


def test_few_of_many_metrics_are_chosen_with_four_clicks(open_app):
    app = open_app(PAGE)
    app.selectbox(key="source").select(sources.FILES).run()
    rng = np.random.default_rng(0)
    names = [f"m{number}" for number in range(20)]
    rows = [",".join([f"s{i}", str(j), *map(str, rng.integers(0, 4, 21))]) for i in range(3) for j in range(5)]
    table = "\n".join([",".join(["system", "segment", "human", *names]), *rows]).encode()
    app.file_uploader(key="upload files").upload("many.csv", table).run()
    assert len(texts(app)) == 20
    app.button(key="shown_metrics_none").click().run()
    assert any("at least one metric" in info.value for info in app.info)
    app.button_group(key="shown_metrics").set_value(["m3", "m14"]).run()
    assert set(texts(app)) == {"m3", "m14"}
    app.text_input(key="shown_metrics_find").set_value("M1").run()
    assert set(texts(app)) == {"m3", "m1", *(f"m1{digit}" for digit in range(10))}
    app.button(key="shown_metrics_all").click().run()
    assert len(texts(app)) == 20


def test_what_a_reader_guessed_and_did_is_said_under_the_upload(open_app):
    app = open_app(PAGE, source=sources.FILES)
    guessed = table_of().replace(b"human,good,noise", b"one,two,year")
    upload(app, FORMATS["table"].label, ("scores.csv", guessed))
    captions = " ".join(caption.value.replace("\\", "") for caption in app.caption)
    assert "Took one for human scores (the first column of numbers; none is named like human scores)" in captions
    assert "left out year (named like no score); change it above if this is wrong." in captions
    metricx = b"system_id,segment_id,label,prediction\nA,0,-1,1\nA,1,0,0\nB,0,-5,4\nB,1,-2,3\n"
    upload(app, FORMATS["metricx"].label, ("eval.csv", metricx))
    captions = " ".join(caption.value.replace("\\", "") for caption in app.caption)
    assert "MetricX: 4 predictions, negated as lower is better on them." in captions


def test_a_metric_that_falls_is_pointed_out_and_turned(open_app):
    app = open_app(PAGE, source=sources.FILES)
    upload(app, FORMATS["table"].label, ("scores.csv", table_of(sign=-1.0)))
    warnings = [warning.value.replace("\\", "") for warning in app.warning]
    assert any("good: falls where the human score rises" in text for text in warnings)
    app.button_group(key="lower").set_value(["good"]).run()
    assert not any("falls" in warning.value for warning in app.warning)
    assert shown(app).loc["good", "tau_a"] > 0.5
    errors = [(n // 8, n % 8, n % 5) for n in range(24)]
    penalties = "\n".join(f"s{system},{segment},{found},{-found},{9 - found}" for system, segment, found in errors)
    upload(app, FORMATS["table"].label, ("errors.csv", f"system,segment,human,m1,m2\n{penalties}\n".encode()))
    assert "human: 2 of 2 metrics fall where this human score rises" in " ".join(one.value for one in app.warning)
    app.button_group(key="lower").set_value(["human"]).run()
    assert not any("fall" in warning.value for warning in app.warning)
    assert shown(app).loc["m1", "tau_b"] == 1


def test_an_uploaded_folder_is_judged(open_app, synthetic):
    folder = DATA / "synthetic"
    files = [(str(f.relative_to(DATA)), f.read_bytes()) for f in sorted(folder.rglob("*qaa-qab*")) if f.is_file()]
    files += [
        (str(f.relative_to(DATA)), f.read_bytes()) for f in sorted((folder / "metric-scores" / "qaa-qab").iterdir())
    ]
    app = open_app(PAGE)
    upload(app, None, *files, folder=True)
    board = tk.leaderboard(synthetic, coefficients=USUAL, calibrated="acc_eq")
    assert shown(app)["tau_b"].to_numpy() == pytest.approx(board["tau_b"].to_numpy(), nan_ok=True)


def test_a_broken_file_shows_its_message_and_the_last_set_stays(open_app):
    app = open_app(PAGE, source=sources.FILES)
    upload(app, FORMATS["table"].label, ("scores.csv", table_of()))
    before = shown(app)["acc_eq*"].tolist()
    broken = b"system,segment,human,good\nA,1,0,1\nA,2,x,1\nB,1,3,1\nB,2,1,4\n"
    app.file_uploader(key="upload files").set_value(("broken.csv", broken, "text/csv")).run()
    assert not app.exception
    assert any("broken.csv, line 3" in error.value.replace("\\", "") for error in app.error)
    assert shown(app)["acc_eq*"].tolist() == before


def test_a_second_file_of_a_format_that_is_one_file_is_refused(open_app):
    app = open_app(PAGE, source=sources.FILES)
    upload(app, None, ("scores.csv", table_of()))
    assert any("Recognized: **one table" in text.value for text in app.markdown)
    both = [("scores.csv", table_of(), "text/csv"), ("more.csv", table_of(sign=-1.0), "text/csv")]
    app.file_uploader(key="upload files").set_value(both).run()
    assert any("Remove all but one" in error.value for error in app.error)
    assert "good" in texts(app)


def test_an_upload_outlives_a_page_trip(open_app):
    app = open_app(PAGE, source=sources.FILES)
    upload(app, FORMATS["table"].label, ("scores.csv", table_of()))
    before = shown(app)["acc_eq*"].tolist()
    app.switch_page("pages/1_Toy_lab.py").run()
    app.switch_page(f"pages/{PAGE}.py").run()
    assert not app.exception
    app.selectbox(key="source").select(sources.FILES).run()
    assert any("Using your earlier upload" in info.value for info in app.info)
    assert shown(app)["acc_eq*"].tolist() == before


def test_where_nothing_is_ranked_the_page_stands(open_app):
    app = open_app(PAGE)
    app.button_group(key="shown_metrics").set_value(["Constant-src", "SourceLength-src"]).run()
    app.button_group(key="starred").set_value([]).run()
    app.button_group(key="coefficients").set_value(["tau_b", "tau_13"]).run()
    assert not app.exception
    assert [one["ranks"] for one in ranks_shown(app)["metrics"]] == [[None, None], [None, None]]
    app.button_group(key="shown_metrics").set_value(["Constant-src"]).run()
    assert not app.exception
    assert any("one metric only" in info.value for info in app.info)
    app.button_group(key="coefficients").set_value([]).run()
    assert not app.exception
    assert any("at least one coefficient" in info.value for info in app.info)


def test_leaving_out_nearly_everybody_is_said(open_app, synthetic):
    app = open_app(PAGE)
    app.button_group(key="exclude").set_value(list(synthetic.systems[1:])).run()
    assert not app.exception
    assert any("Fewer than two systems" in info.value for info in app.info)


def test_choices_of_one_set_do_not_stick_to_another(open_app):
    app = open_app(PAGE)
    app.button_group(key="shown_metrics").set_value(["Judge-src"]).run()
    upload(app, FORMATS["table"].label, ("scores.csv", table_of()))
    assert sorted(shown(app).index) == ["good", "noise"]
    app.selectbox(key="source").select(sources.SYNTHETIC).run()
    assert not app.exception
    assert len(shown(app)) == 10


def test_the_folder_is_offered_to_nobody_from_elsewhere(open_app):
    """AppTest sends no Host header, so it counts as somebody from elsewhere."""
    assert sources.FOLDER not in open_app(PAGE).selectbox(key="source").options


def test_two_files_of_one_name_are_refused(open_app):
    app = open_app(PAGE, source=sources.FILES)
    human = b"A\t1\nA\t2\nB\t2\nB\t0\n"
    files = [("en-de.mqm.seg.score", human), ("m.seg.score", human), ("m.seg.score", human.replace(b"2", b"3"))]
    upload(app, FORMATS["scores"].label, *files)
    assert any("uploaded twice" in error.value for error in app.error)


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("~nosuchuser/x", "cannot be a folder"),
        ("x" * 100_000, "cannot be a folder"),
        (r"\\host\share", "another computer"),
        ("//host/share", "another computer"),
        (r"/\host\share", "another computer"),  # Windows takes either slash for the other
    ],
)
def test_a_folder_that_cannot_be_one_is_told_beside_the_field(open_app, monkeypatch, folder, words):
    monkeypatch.setattr(sources, "_is_local", lambda: True)
    app = open_app(PAGE, source=sources.FOLDER)
    app.text_input(key="folder").set_value(folder).run()
    assert not app.exception
    assert words in app.error[0].value


def test_a_folder_may_be_a_test_sets_own_begin_with_a_tilde_and_stays_open_on_the_next_page(
    open_app, monkeypatch, synthetic
):
    monkeypatch.setattr(sources, "_is_local", lambda: True)
    monkeypatch.setenv("HOME", str(DATA.parent))
    app = open_app(PAGE, source=sources.FOLDER, folder="~/data/synthetic", folder_pair="qaa-qab")
    assert not app.dataframe  # a link alone opens no folder
    app.button(key="folder_allow").click().run()
    before = shown(app)
    assert before["acc_eq*"].to_dict() == pytest.approx(tk.leaderboard(synthetic)["acc_eq*"].to_dict())
    app.switch_page("pages/3_Calibration.py").run()
    assert not app.exception
    assert app.text_input(key="folder").value == "~/data/synthetic"
    app.switch_page(f"pages/{PAGE}.py").run()
    assert shown(app).equals(before)
    app.text_input(key="folder").set_value("~/data").run()
    assert app.selectbox(key="folder_testset").options == ["synthetic", "wmt22", "wmt23"]


# --------------------------------------------------------------------------------------------- columns on fairness


def test_the_columns_hold_the_librarys_numbers(open_app, synthetic):
    app = open_app(PAGE)
    assert not set(COLUMNS[:-1]) & set(shown(app).columns)
    app = open_app(PAGE, fairness="true", table_tests="neither")
    board = tk.leaderboard(synthetic, fairness=True, progress=False)
    found, words, notes = shown(app), texts(app), board.fairness_notes()
    for check in CHECKS:
        for name in board.index:
            assert found.loc[name, check.column] == pytest.approx(board.loc[name, check.column], abs=1e-12, nan_ok=True)
    for name in board.index:
        assert sum(words[name][check.column].startswith("▲") for check in CHECKS) == len(
            [note for note in notes[name] if "lie on one grid" not in note]
        )
    [remarks] = [one for one in app.expander if "What the ▲ mean" in one.label]
    assert f"{sum(map(len, notes.values()))} remarks" in remarks.label
    assert sum(one.value.count("\n- ") + one.value.startswith("- ") for one in remarks.markdown) == sum(
        map(len, notes.values())
    )


# --------------------------------------------------------------------------------------------- cells and downloads


def frame(**columns):
    return pd.DataFrame(columns, index=pd.Index(["a", "b", "c"], name="metric"))


def test_cells_carry_rank_star_and_dagger():
    board = frame(
        tau_b=[0.5, float("nan"), 0.25],
        **{"rank(tau_b)": pd.array([1, None, 2], dtype="Int64"), "groups(tau_b)": [10, 0, 12]},
    )
    assert value_texts(board, "tau_b") == {"a": "★ 0.500 (1) †", "b": "undefined", "c": "0.250 (2)"}


def test_equal_values_keep_ranks_that_a_paper_told_apart():
    ranks = pd.array([4, 5, 6], dtype="Int64")
    board = frame(acc_eq=[0.582, 0.582, 0.572], **{"rank(acc_eq)": ranks, "groups(acc_eq)": [1, 1, 1]})
    assert value_texts(board, "acc_eq") == {"a": "0.582 (4)", "b": "0.582 (5)", "c": "0.572 (6)"}


@pytest.fixture(scope="module")
def board(synthetic):
    return tk.leaderboard(synthetic, coefficients=["tau_b", "acc_eq"], calibrated="acc_eq")


def test_every_number_has_its_signature(board):
    columns = ["tau_b", "acc_eq", "acc_eq*"]
    text = io.StringIO(with_signatures(board, columns).to_csv(index=False))
    frame = pd.read_csv(text, converters={"epsilon": float})  # old versions of pandas lose the last digit
    assert len(frame) == len(board) * 3
    for row in frame.itertuples():
        assert row.value == pytest.approx(board.loc[row.metric, row.coefficient], nan_ok=True)
        assert row.signature == board.attrs["signatures"][row.coefficient][row.metric]
        assert f"metric:{row.metric}|coefficient:{row.coefficient}|" in row.signature
        assert f"epsilon:{row.epsilon}|" in row.signature


@pytest.mark.parametrize("swap", ["segments", "pairs"])
def test_rows_of_the_tested_column_have_cluster_and_the_p_value_of_the_next_below(synthetic, board, swap):
    found = tk.significance.compare_metrics(synthetic, "acc_eq*", swap=swap, n_resamples=99, rng=0)
    every = with_signatures(board, ["tau_b", "acc_eq*"], found)
    rows = every[every["coefficient"] == "acc_eq*"].set_index("metric")
    other = every[every["coefficient"] == "tau_b"]
    assert other[["next_below", "pvalue_next_below", "test_signature"]].isna().all(axis=None)
    tested = [name for name in found.pvalues.index if name not in found.untested]
    assert found.constant
    assert rows.loc[[*found.untested], "test_signature"].isna().all()
    assert list(rows.loc[tested, "next_below"]) == [*tested[1:], ""]
    for name, below in pairwise(tested):
        assert rows.loc[name, "pvalue_next_below"] == found.pvalues.loc[name, below]
        assert rows.loc[name, "test_signature"] == found.signature
    assert ("cluster" in every) == (swap == "segments")
    if swap == "segments":
        clusters = found.clusters(0.05)
        assert all(rows.loc[name, "cluster"] == clusters[name] for name in tested)
