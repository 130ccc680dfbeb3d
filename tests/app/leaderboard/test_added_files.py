import pytest

from ui.leaderboard.newcomer import usual_name


@pytest.mark.parametrize(
    ("metric", "file", "taken", "name"),
    [
        ("score", "mine.seg.score.gz", (), "mine"),
        ("BLEU", "mine.csv", (), "BLEU"),
        ("BLEU", "mine.csv", ("BLEU",), "mine"),
        ("BLEU", "BLEU.csv", ("BLEU",), "BLEU-2"),
        ("", "", (), "metric"),
        ("", ".", ("metric",), "metric-2"),
        ("", "mine", (), "mine"),
    ],
)
def test_an_added_metric_has_a_name_of_its_own(metric, file, taken, name):
    assert usual_name(metric, {file: b""}, dict.fromkeys(taken)) == name
