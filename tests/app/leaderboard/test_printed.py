"""Printed values as a leaderboard and beside computed ones, and a coefficient of the user's own weights."""

import pandas as pd
import pytest

import tiekit as tk
from tests.app.ranking import given, ranks_shown, shown
from ui.leaderboard import published_values
from ui.work.presets import DATA

PAGE = "5_Leaderboard"
TABLES = pd.read_csv(DATA / "papers" / "deutsch2023_tables.csv")


def test_a_printed_table_is_a_leaderboard(open_app):
    app = open_app(PAGE, values=published_values.PRINTED)
    assert not app.exception
    table = TABLES[TABLES["table"] == 12].set_index("metric")
    for column in published_values.COLUMNS:
        assert shown(app)[column].to_dict() == table[column].to_dict()
    assert ranks_shown(app)["metric"] == given(app)["chosen"] == "MaTESe"
    ranks = next(one["ranks"] for one in ranks_shown(app)["metrics"] if one["name"] == "MaTESe")
    by = dict(zip([one["key"] for one in ranks_shown(app)["columns"]], ranks, strict=True))
    assert (by["tau_b"], by["tau_10"], by["acc_eq*"]) == (1, 14, 4)
    app.selectbox(key="printed_pair").select("zh-en").run()
    app.selectbox(key="printed_grouping").select("system").run()
    assert shown(app)["tau_a"].to_dict() == TABLES[TABLES["table"] == 19].set_index("metric")["tau_a"].to_dict()


def test_why_matese_is_first_is_said_with_the_papers_numbers():
    words = published_values.say(published_values.board("en-de", "item")).replace("\\", "")
    assert "773 segments" in words
    assert "1,133" in words
    assert "0.296 against 0.281" in words
    assert "segments" not in published_values.say(published_values.board("zh-en", "item"))


def test_computed_values_stand_beside_the_printed_ones(open_app):
    app = open_app(PAGE, source="WMT22 Chinese–English", table_tests="neither")
    assert not app.exception
    said = [text.value for text in app.markdown if "equal the printed ones" in text.value]
    assert said[0].startswith("120 of 120 values")


def own(app):
    """The user's coefficient of every metric, as the table shows it."""
    return next(table.value["your coefficient"] for table in app.dataframe if "your coefficient" in table.value)


def test_the_weights_of_acc_eq_give_acc_eq(open_app, synthetic):
    app = open_app(PAGE, weight_ties_metric="0")
    board = tk.leaderboard(synthetic)
    expected = {name: f"{board.loc[name, 'acc_eq']:.3f} ({board.loc[name, 'rank(acc_eq)']})" for name in board.index}
    assert own(app).to_dict() == expected


def test_pairs_are_left_out_and_weights_are_negative(open_app, synthetic):
    weights = {"discordant": "−1", "ties_human": "X", "ties_metric": "-1", "ties_both": "x"}
    app = open_app(PAGE, **{f"weight_{kind}": weight for kind, weight in weights.items()})
    board = tk.leaderboard(synthetic)
    assert own(app)["Judge-src"].startswith(f"{board.loc['Judge-src', 'tau_10']:.3f}")


@pytest.mark.parametrize("text", ["", "much", "inf", "nan"])
def test_what_is_no_weight_is_refused(open_app, text):
    app = open_app(PAGE)
    app.text_input(key="weight_concordant").set_value(text).run()
    assert not app.exception
    assert any("must be a finite number or X" in error.value for error in app.error)
