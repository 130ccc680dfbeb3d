"""Intervals over items: they resample items, not votes; and the checklist says what was done."""

import re

import numpy as np
import pytest

import tiekit as tk
from tiekit.votes import Votes, agreement, agreement_interval, read_votes

VOTES = read_votes("data/votes/synthetic.csv")
HUMAN = VOTES.by("person")


def test_each_resample_is_the_measure_on_resampled_items():
    judge, measures = VOTES.by("Boreas"), ("with_ties", "without_ties", "kappa", "tau_eq")
    found = {name: agreement_interval(judge, HUMAN, name, n_resamples=3, rng=5) for name in measures}
    n_items = found["kappa"].n_items
    drawn = np.random.default_rng(5).integers(n_items, size=(3, n_items))
    by_item = {name: [rows_of(votes, name) for votes in (judge, HUMAN)] for name in sorted(HUMAN.items)}
    compared = [name for name, sides in by_item.items() if any(row[2] == row[2] for row in sides[0])]
    assert len(compared) == n_items
    for number, places in enumerate(drawn):
        rows = [
            [(f"{at}", *row) for at, place in enumerate(places) for row in by_item[compared[place]][side]]
            for side in (0, 1)
        ]
        expected = agreement(*map(Votes.from_rows, rows))
        for name in measures:
            assert found[name].samples[number] == pytest.approx(expected.value(name))
    whole = agreement(judge, HUMAN)
    for name in measures:
        assert found[name].value == pytest.approx(whole.value(name))


def rows_of(votes, item):
    """Who votes how between which two, on one item."""
    frame = votes.where(np.array([votes.items[i] == item for i in votes.item])).frame()
    return [(row.first, row.second, row.preference, row.judge) for row in frame.itertuples()]


def test_the_difference_of_two_judges_is_on_the_same_items():
    sides = {name: VOTES.by(name) for name in ("Atlas", "Boreas")}
    alone = {name: agreement_interval(votes, HUMAN, n_resamples=99) for name, votes in sides.items()}
    found = agreement_interval(sides["Atlas"], HUMAN, against=sides["Boreas"], n_resamples=99)
    assert found.value == pytest.approx(alone["Atlas"].value - alone["Boreas"].value)
    assert found.samples == pytest.approx(alone["Atlas"].samples - alone["Boreas"].samples)
    assert found.low < found.value < found.high
    same = agreement_interval(sides["Atlas"], HUMAN, against=sides["Atlas"], n_resamples=9)
    assert (same.value, same.low, same.high) == (0, 0, 0)
    assert "resample:items" in found.signature


def test_what_is_no_confidence_is_refused():
    for wrong in ({"confidence": 95}, {"n_resamples": 0}):
        with pytest.raises(tk.InputError, match=f"{next(iter(wrong))}: must"):
            agreement_interval(VOTES.by("Atlas"), HUMAN, **wrong)
    silent, human = (Votes.from_rows([("1", "A", "B", vote)]) for vote in (float("nan"), 1))
    with pytest.raises(tk.InputError, match="judge: all votes that could be compared are abstentions"):
        agreement_interval(silent, human)


def test_the_checklist_names_what_a_paper_must_say():
    text = tk.votes.checklist(VOTES.by("Atlas"), HUMAN, threshold=0.9, n_resamples=99)
    parts = re.findall(r"^([\w' κ]+?)(?: \(.*\))?: ?", text, re.MULTILINE)
    assert parts == [
        *("Judge", "Human", "Scale", "Ties", "Abstentions", "Coverage", "Order", "Confusion matrix", "Aggregation"),
        *("Agreement with ties", "Agreement without ties", "Cohen's κ", "Intervals"),
    ]
    assert "A preference of the judge whose size is at most 0.9 is a tie." in text
    assert "favor the answer shown first" in text
    found = agreement(VOTES.by("Atlas"), HUMAN, threshold=0.9)
    assert f"Agreement with ties: {found.with_ties:.3f} [" in text
    for row in found.counts:
        assert re.search(r"\s+".join(map(str, row)), text)


def test_the_checklist_counts_what_files_say_of_ties():
    rows = [
        ("1", "A", "B", 0, "bot", 0, "both bad"),
        ("2", "A", "B", 0, "bot", 0, "inconsistent"),
        ("3", "A", "B", 1, "bot"),
    ]
    human = Votes.from_rows([(item, "A", "B", 1, "ann") for item in "123"])
    text = tk.votes.checklist(Votes.from_rows(rows), human, n_resamples=9)
    assert "Counted as ties: 1 of the judge say 'both bad', 1 of the judge say 'inconsistent'." in text
    assert "undefined" not in text
    ties = Votes.from_rows([("1", "A", "B", 0, "bot")])
    assert "Agreement without ties: undefined (0 pairs)." in tk.votes.checklist(ties, human, n_resamples=9)


def test_two_judges_are_compared_on_the_votes_of_both():
    """On the items that both judged, as if nobody had the others; abstentions are no votes."""
    rng = np.random.default_rng(2)
    items = [str(item) for item in range(60)]
    human = Votes.from_rows([(item, "A", "B", vote) for item, vote in zip(items, rng.integers(-1, 2, 60), strict=True)])
    cast = {name: dict(zip(items, rng.integers(-1, 2, 60).astype(float), strict=True)) for name in ("bold", "shy")}
    cast["shy"]["0"] = float("nan")

    def votes(name, kept):
        return Votes.from_rows([(item, "A", "B", cast[name][item], name) for item in kept])

    bold, shy = votes("bold", items[3:]), votes("shy", items[:50])
    text = r"on 47 of 59 human votes: bold has no votes on 2; shy has no votes on 10; cells=\"own\" takes each judge"
    with pytest.warns(tk.CoverageWarning, match=text):
        found = agreement_interval(bold, human, against=shy, n_resamples=99)
    both = votes("bold", items[3:50]), votes("shy", items[3:50])
    expected = agreement_interval(both[0], human, against=both[1], n_resamples=99)
    assert found.to_dict() == expected.to_dict()
    assert (found.n_items, found.n_votes, found.cells) == (47, 47, "common")
    alone = [np.mean([cast[name][i] == human.preference[int(i)] for i in items[3:50]]) for name in ("bold", "shy")]
    assert found.value == pytest.approx(alone[0] - alone[1])
    own = agreement_interval(bold, human, against=shy, n_resamples=9, cells="own")
    each = [agreement(one, human).with_ties for one in (bold, shy)]
    assert own.value == pytest.approx(each[0] - each[1])
    assert (own.n_items, own.n_votes, own.cells) == (59, 59, "own")
    with pytest.raises(tk.InputError, match=r"against: bold and shy voted on the same .* 1 item, .* leave out shy"):
        agreement_interval(bold, human, against=votes("shy", items[:4]))
    with pytest.raises(tk.InputError, match="cells: must be"):
        agreement_interval(bold, human, cells="all")
