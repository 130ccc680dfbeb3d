"""Messages of the library, as a terminal shows them: with options instead of arguments of Python."""

from __future__ import annotations

import pytest

from tiekit.cli.main import in_terminal, tiekit


@pytest.mark.parametrize(
    ("command", "message", "expected"),
    [
        ("convert", "root: x is there; pass overwrite=True", "TARGET_FOLDER: x is there; pass --overwrite"),
        ("official", "partial: it lacks y; pass partial=True to", "--partial: it lacks y; pass --partial to"),
        ("official", "root: has no scores", "ROOT: has no scores"),
        ("download", "pass its address as url= or set X", "pass its address as --url or set X"),
        (
            "compare",
            "language_pair: choose one, language_pair='a-b'",
            "--language-pair: choose one, --language-pair a-b",
        ),
        ("leaderboard", "round them: data.adjusted(decimals={'my mqm': 11})", "round them: --decimals 'my mqm=11'"),
        ("leaderboard", "round them: data.adjusted(decimals={'human': 10})", "round them: --decimals human=10"),
        ("leaderboard", "round them: data.adjusted(decimals={'my name': 2})", "round them: --decimals 'my name=2'"),
        ("leaderboard", "data.adjusted(decimals={'a': 1, 'b=c': -2})", "--decimals a=1 --decimals b=c=-2"),
        ("leaderboard", "leave it out with metrics=", "leave it out with --choose metrics="),
        ("leaderboard", "such as format='table', or", "such as --read-as table, or"),
        ("leaderboard", "the set (strict=True refuses it)", "the set (--choose strict=true refuses it)"),
        ("leaderboard", "keep all (exclude=() does)", "keep all (--all-systems does)"),
        ("leaderboard", 'cells="own" takes', "--own-cells takes"),
        ("compare", 'cells="common" compares', "--cells common compares"),
        ("leaderboard", "data.select(exclude=['a', 'b c']) leaves", "--exclude a --exclude 'b c' leaves"),
        ("standing", "pandas.concat(SOURCE).reset_index(level=0)", "pandas.concat(SOURCE).reset_index(level=0)"),
        ("leaderboard", "pass another one, name='a-2'", "pass another one, --add a-2=FILE"),
        (
            "leaderboard",
            "metrics='a', or pass names={'句': …} instead of name=",
            "--choose metrics=a, or name the file alone, without NAME=",
        ),
        ("calibrate", "common_cells=True, x==True and a.human='b'", "common_cells=True, x==True and a.human='b'"),
    ],
)
def test_options_stand_for_arguments(command, message, expected):
    assert in_terminal(message, tiekit.commands[command], blames=True) == expected


def test_the_name_of_a_score_is_no_option_where_none_is_blamed():
    assert in_terminal("human: 1 distinct", tiekit.commands["compare"]) == "human: 1 distinct"
