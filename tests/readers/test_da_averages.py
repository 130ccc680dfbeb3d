"""Averages of direct assessments: raw and standardized scores, and names that match the submissions of their year."""

from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.readers import read_da_averages

SAMPLES = Path(__file__).parent / "samples"
HEADER = "SYS SID RAW.SCR Z.SCR N \n"
NAN = np.nan


def test_both_scores_are_read():
    data = read_da_averages(SAMPLES / "ad-seg-scores-qa-qb.csv")
    assert (data.language_pair, data.systems, data.gold) == ("qa-qb", ("Owl.7", "Elk.12"), "da-z")
    assert (data.segments, data.documents) == (("hill.3:1", "lake_big.1:12"), ("hill.3", "lake_big.1"))
    np.testing.assert_array_equal(data.human["da"], [[71.5, 39], [33.3333333333333, NAN]])
    np.testing.assert_array_equal(data.human["da-z"], [[-0.25, -1.5], [0.125, NAN]])
    assert data.notes == ("Direct assessments: each score is the mean of 1 to 3 assessments.",)
    assert read_da_averages({"x.csv": (HEADER + "A d_0 1 1 1\n").encode()}).language_pair == ""


test_what_is_refused = refusals(
    lambda text: read_da_averages({"a.csv": text.encode()}),
    [
        ("A d_0 1 1 1\n", 1, "expected the header SYS SID RAW.SCR Z.SCR N"),
        (HEADER + "A d_0 1 1\n", 2, "found 4 cells, expected 5: SYS SID RAW.SCR"),
        (HEADER + "A d 1 1 1\n", 2, "'d' in column 'SID' does not end in an"),
        (HEADER + "A d_x 1 1 1\n", 2, "'d_x' in column 'SID'"),
        (HEADER + f"A d_{'9' * 5000} 1 1 1\n", 2, "in column 'SID'"),
        (HEADER + "A d_0 1 inf 1\n", 2, "'inf' in column 'Z.SCR' is not a score"),
        (HEADER + "A d_0 1 1 None\n", 2, "'None' in column 'N' is not a score"),
        (HEADER + "A d_0 1 1 1\nA d_0 1 1 1\n", 3, "found system 'A' and segment 'd:1' again"),
    ],
)


@pytest.mark.real
def test_the_real_file(real_data):
    data = read_da_averages(real_data / "wmt20-metrics/human/ad-seg-scores-en-de.csv")
    assert (data.human["da"].shape, np.isfinite(data.human["da"]).sum()) == ((17, 1418), 11360)
    row, column = data.systems.index("PROMT_NMT.73"), data.segments.index("en.ndtv.com.12997:1")
    assert (data.human["da"][row, column], data.human["da-z"][row, column]) == (39, -1.69579845320916)
    sample = read_da_averages(real_data.parent / "formats/ad-seg-scores-en-de.csv")
    assert (sample.language_pair, np.isfinite(sample.human["da"]).sum()) == ("en-de", 399)
