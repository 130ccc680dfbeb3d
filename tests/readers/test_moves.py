"""Scores whose segments are numbered otherwise than the set's: told by the numbers, or by the other scores."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.readers._moves import better_move

SYSTEMS = ("AIRC", "ONLINE-A", "ONLINE-B", "ONLINE-G", "ONLINE-W", "GPT4-5shot")


@pytest.fixture(scope="module")
def data():
    return tk.load("wmt23", "en-de")


def numbered_from(data, first, places, metric="COMET-refA", systems=SYSTEMS):
    """A metric's scores of segments, whose numbers are their places and ``first``, and these scores in the set."""
    rows = [data.systems.index(name) for name in systems]
    scores = data.metrics[metric]
    wanted = np.full_like(scores, np.nan)
    wanted[np.ix_(rows, places)] = scores[np.ix_(rows, places)]
    cells = [(data.systems[row], place + first, scores[row, place]) for row in rows for place in places]
    return pd.DataFrame(cells, columns=["system", "segment", "score"]), wanted


def added(data, frame):
    with collect_warnings() as said:
        more = data.with_scores(frame, name="mine")
    return more.metrics["mine"], said


def follow(frame, text):
    """A frame with the numbers that a printed step gives."""
    step = text[text.index("frame['segment'] ") :].partition(";")[0]
    return frame.assign(segment=eval(step, {"frame": frame}))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("first", "places"), [(17, range(557)), (2, range(557)), (100, range(3, 500, 2))])
@pytest.mark.parametrize("metric", ["COMET-refA", "BLEU-refA"])
def test_numbers_that_go_beyond_the_set_and_do_not_begin_with_it_are_refused(data, first, places, metric):
    frame, wanted = numbered_from(data, first, places, metric)
    last = first + places[-1]
    problem = f"numbered {first + places[0]} to {last}, and the set's 1 to 557, so they hardly are the set's numbers"
    with pytest.raises(tk.InputError, match=problem) as refused:
        data.with_scores(frame, name="mine")
    step = str(refused.value)
    if places[0]:  # its first segment is not the set's
        frame, wanted = numbered_from(data, first + places[0], range(len(places)), metric)
    assert np.array_equal(added(data, follow(frame, step))[0], wanted, equal_nan=True)


def test_a_file_of_the_set_and_more_is_read(data):
    frame, wanted = numbered_from(data, 1, range(557))
    more = pd.concat([frame, frame[frame["segment"] < 50].assign(segment=lambda part: part["segment"] + 557)])
    assert np.array_equal(added(data, more)[0], wanted, equal_nan=True)


@pytest.mark.parametrize("places", [range(100, 130), range(100, 300), (5, 17, 400)])
@pytest.mark.parametrize("kind", ["frame", "file"])
def test_numbers_of_a_part_say_from_where_they_are_counted(data, places, kind, tmp_path):
    frame, wanted = numbered_from(data, 0, places)
    source = frame
    if kind == "file":
        source = tmp_path / "mine.csv"
        frame.to_csv(source, index=False)
    _, said = added(data, source)
    doubt = f"numbers {places[0]} to {places[-1]} may count the set's 557 segments from 0 or from 1, and are taken from"
    [text] = [text for kind, text in said if doubt in text]
    assert np.array_equal(added(data, follow(frame, text))[0], wanted, equal_nan=True)
    wide = frame.pivot_table("score", "segment", "system").rename_axis(index=None, columns=None)
    if kind == "frame":
        with pytest.raises(tk.InputError, match="may count the set's 557 segments from 0 or from 1"):
            data.with_scores(wide, name="mine")


@pytest.mark.parametrize("places", [range(100, 557), range(100)])
def test_numbers_with_the_first_or_the_last_one_tell_their_start(data, places):
    frame, wanted = numbered_from(data, 1 if places[0] else 0, places)
    found, said = added(data, frame)
    assert np.array_equal(found, wanted, equal_nan=True)
    assert not any("from 0 or from 1" in text for _, text in said)


@pytest.mark.parametrize(
    ("move", "places", "metric"),
    [
        (1, range(100, 300), "BLEU-refA"),
        (1, range(300, 340), "COMET-refA"),
        (1, range(1, 555, 2), "chrF-refA"),
        (-1, range(100, 300), "BLEU-refA"),
        (37, range(100, 300), "COMET-refA"),
        (-37, range(100, 300), "COMET-refA"),
    ],
)
def test_scores_that_fit_the_others_better_once_moved(data, move, places, metric):
    frame, wanted = numbered_from(data, 1 - move, places, metric)
    _, said = added(data, frame)
    [text] = [text for kind, text in said if kind is tk.errors.OrderWarning]
    where = {1: "the next segment", -1: "the segment before"}
    where = where.get(move, f"the segment {abs(move)} {'after' if move > 0 else 'before'} its own")
    assert f"if each score is that of {where} (mean correlation of a system" in text
    found, said = added(data, follow(frame, text))
    assert np.array_equal(found, wanted, equal_nan=True)
    assert not any(kind is tk.errors.OrderWarning for kind, _ in said)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")])
@pytest.mark.parametrize("quarter", range(4))
def test_no_metric_of_the_sets_seems_moved(name, quarter):
    data, random = tk.load(*name), np.random.default_rng(7)
    size = len(data.segments)
    for at, (metric, scores) in enumerate(data.metrics.items()):
        others = [other for key, other in data.metrics.items() if key != metric]
        starts = [(int(random.integers(1, size - number)), number) for number in (30, 200)]
        parts = [np.arange(start, start + number) for start, number in starts]
        parts = [np.arange(size), *parts, np.sort(random.choice(size, 100, replace=False))]
        for part in parts if at % 4 == quarter else ():
            some = np.full_like(scores, np.nan)
            some[:, part] = scores[:, part]
            assert better_move(some, others) is None, (metric, part[:2], len(part))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", [50, 100, 200])
@pytest.mark.parametrize("metric", ["COMET-refB", "chrF-refB"])
def test_a_system_with_its_first_segments_only_is_compared_in_these(number, metric):
    data = tk.load("wmt23", "he-en")
    scores = data.metrics[metric].copy()
    scores[[data.systems.index(name) for name in ("GPT4-5shot", "GTCOM_Peter", "Lan-BridgeMT")], number:] = np.nan
    known = np.argwhere(~np.isnan(scores))
    cells = [(data.systems[row], data.segments[at], scores[row, at]) for row, at in known]
    found, said = added(data, pd.DataFrame(cells, columns=["system", "segment", "score"]))
    assert np.array_equal(found, scores, equal_nan=True)
    assert not any(kind is tk.errors.OrderWarning for kind, _ in said)
