"""A set of many domains: a page goes over the largest, says so, and takes little memory for the others."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.reading import frame, text
from tests.app.uploads import upload
from ui.evalset import largest
from ui.evalset.largest import MOST
from ui.evalset.sources import FILES

ALL = 40
SMALL, LARGE = [f"x{number}" for number in range(ALL - MOST)], [f"y{number}" for number in range(MOST)]
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # a page says them in words


def test_the_largest_are_taken_in_their_order_and_first_come_first_where_they_are_equal():
    sizes = {"first": 1} | dict.fromkeys(LARGE, 2) | {"last": 3}
    assert largest.largest(sizes) == [*LARGE[:-1], "last"]
    assert largest.largest(dict.fromkeys(LARGE, 1)) == LARGE
    assert not largest.say_largest(MOST, "domains", "shown")
    said = largest.say_largest(3_000, "domains", "shown")
    assert said == f"Only the {MOST} largest of 3,000 domains are shown."


def test_segments_are_found_one_name_after_the_other():
    found = largest.segments_of(["a", "b"], ["b", "c", "a", "b"])
    assert [places.tolist() for places in found] == [[2], [0, 3]]


@pytest.fixture(scope="module")
def table():
    """Three systems; small domains of two segments come before large ones of three."""
    domains = [name for name in SMALL for _ in range(2)] + [name for name in LARGE for _ in range(3)]
    rng = np.random.default_rng(1)
    systems, segments = np.indices((3, len(domains))).reshape(2, -1)
    names = {"system": systems, "segment": segments, "domain": np.array(domains)[segments]}
    scores = {"human": rng.integers(0, 4, systems.size), "m": rng.integers(0, 9, systems.size)}
    return pd.DataFrame(names | scores)


def test_calibration_judges_the_largest_domains_and_offers_them(open_app, files, table):
    app = open_app("3_Calibration", source=FILES)
    upload(app, None, ("mine.csv", table.to_csv(index=False).encode()))
    assert f"what is lost. Only the {MOST} largest of {ALL} domains are compared." in text(app)
    judged = next(found for name, found in files.items() if name.endswith("m-domains"))
    assert judged["epsilon of"].unique().tolist() == judged["on"].unique().tolist() == LARGE
    rows = table[table["domain"] == LARGE[0]]
    own = tk.calibrate(*(rows[name].to_numpy().reshape(3, -1) for name in ("human", "m")), progress=False)
    assert judged.iloc[0][["epsilon", "value", "lost"]].tolist() == [own.epsilon, own.value, 0.0]
    assert app.selectbox(key="domain").options == ["all", *LARGE]
    assert f"Only the {MOST} largest of {ALL} domains are offered." in [one.value for one in app.caption]


def test_ties_are_counted_in_the_largest_domains(open_app, files, table):
    app = open_app("6_Sentinels", source=FILES, part="tied pairs")
    upload(app, None, ("mine.csv", table.to_csv(index=False).encode()))
    assert f"Only the {MOST} largest of {ALL} domains are shown." in [one.value for one in app.caption]
    counted = files["tied pairs"]
    assert counted["human score"].unique().tolist() == ["human", *(f"human, {name}" for name in LARGE)]
    human = table[table["domain"] == LARGE[-1]]["human"].to_numpy().reshape(3, -1)
    row = counted[counted["human score"] == f"human, {LARGE[-1]}"].set_index("grouping").loc["item"]
    assert row["tied"] == tk.count_ties(human).n_tied
    assert len(frame(app, "human score")) == 1 + MOST


def test_a_domain_for_each_segment_takes_no_array_for_each():
    names = [f"d{number}" for number in range(5_000)]
    tracemalloc.start()
    sizes = dict.fromkeys(names, 1)
    assert sum(places.size for places in largest.segments_of(largest.largest(sizes), names)) == MOST
    assert tracemalloc.get_traced_memory()[1] < 2_000_000, "of 25 million pairs of a domain and a segment"
    tracemalloc.stop()
