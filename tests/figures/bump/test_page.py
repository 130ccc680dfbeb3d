"""What the bump chart is given, and that its own page holds it."""

import json

from tiekit.figures.bump.page import FIGURE, KEYS, TITLE, given


def test_undefined_ranks_are_null_and_an_unknown_metric_is_none():
    data = given({"a": "A", "b": "B"}, {"m": [1.0, float("nan")], "n": [2.0, 1.0]}, {"n": "✚"}, "nobody")
    assert data["metrics"] == [
        {"name": "m", "mark": "", "ranks": [1, None]},
        {"name": "n", "mark": "✚", "ranks": [2, 1]},
    ]
    assert data["metric"] is None
    assert [column["label"] for column in data["columns"]] == ["A", "B"]


def test_its_own_page_holds_the_ranks():
    data = given({"a": "A"}, {"</script>": [1.0]}, metric="</script>")
    text = FIGURE.as_page(data, KEYS, TITLE, "Made up.")
    assert TITLE in text
    assert text.count("</script>") == 1
    assert json.dumps("</script>").replace("<", "\\u003C") in text
