"""Intervals over items: they resample items, not votes; and the checklist says what was done."""

import re
import time
from functools import partial

import numpy as np
import pytest

import tiekit as tk
from tiekit.figures import FIGURES
from tiekit.significance import schemes
from tiekit.votes import Votes, agreement, agreement_interval, read_votes, share_votes
from tiekit.votes.intervals import which_leads

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


def test_which_leads_is_the_sign_of_every_interval():
    """At each two thresholds by each measure, as the intervals of the difference have it."""
    rng = np.random.default_rng(3)
    names = [(str(item), *rng.choice(list("ABCD"), 2, replace=False)) for item in rng.integers(0, 40, 120)]
    people = Votes.from_rows([(*name, float(rng.integers(-1, 2))) for name in names])
    one, other = (Votes.from_rows([(*name, float(rng.integers(-3, 4))) for name in names]) for _ in range(2))
    limits, measures = (np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0])), ["with_ties", "without_ties", "kappa"]
    matched = share_votes({"one": one, "other": other}, people).matched
    shares = []
    leads = which_leads(*matched, limits, measures, progress=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 999, "after each resample: with many votes of an item, one takes long"
    for measure, signs in zip(measures, leads, strict=True):
        for row, column in np.ndindex(3, 2):
            ends = {"threshold": limits[0][row], "against_threshold": limits[1][column]}
            found = agreement_interval(one, people, measure, against=other, **ends)
            assert signs[row, column] == int(found.low > 0) - int(found.high < 0), (measure, ends)


def test_resamples_are_counted_some_at_a_time_in_whole_numbers(monkeypatch):
    sums = np.random.default_rng(1).integers(0, 10**9, (50, 2, 3))
    drawn = schemes.draw_multiplicities(np.random.default_rng(4), (30, 50))
    shares = []
    monkeypatch.setattr(schemes, "NUMBERS_AT_ONCE", 200)  # four resamples of fifty units
    found = schemes.resample_sums(sums, 30, 4, progress=shares.append)
    assert found.tolist() == (drawn @ sums.reshape(50, 6)).reshape(30, 2, 3).tolist()
    assert shares == [*(place * 4 / 30 for place in range(1, 8)), 1.0]


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("after", [0, 2])
def test_who_waits_for_intervals_can_cancel(after):
    shares = []

    def beat(share):
        shares.append(share)
        if len(shares) > after:
            raise StoppedError

    judge, other = VOTES.by("Atlas"), VOTES.by("Boreas")
    for compute in (
        partial(agreement_interval, judge, HUMAN, against=other, progress=beat),
        partial(tk.votes.checklist, judge, HUMAN, n_resamples=9_999, progress=beat),
        partial(FIGURES["judge_votes"].data, {"Atlas": judge, "Boreas": other}, HUMAN, "person", progress=beat),
    ):
        shares.clear()
        with pytest.raises(StoppedError):
            compute()
        assert 0 <= min(shares) <= max(shares) <= 1


@pytest.mark.campaign
def test_the_votes_of_the_largest_file_are_compared_in_seconds_and_a_beat_comes_each_second():
    """A million votes: three on each of 330,000 questions."""
    n, rng = 330_000, np.random.default_rng(0)
    first, zeros = np.repeat(rng.integers(0, 4, n), 3), np.zeros(3 * n, np.int64)
    preference = np.where(zeros + np.tile([0, 1, 2], n) == 2, rng.integers(-1, 2, 3 * n), rng.normal(size=3 * n))
    names = tuple(map(str, range(n))), tuple("ABCDE"), ("J", "K", "person")
    items = np.repeat(np.arange(n), 3)
    votes = Votes(*names, items, zeros, first, first + 1, np.tile([0, 1, 2], n), preference, zeros, zeros)
    people, *judges = (votes.by(name) for name in ("person", "J", "K"))
    beats = [time.thread_time()]
    given = {"progress": lambda _: beats.append(time.thread_time())}
    FIGURES["judge_votes"].data(dict(zip("JK", judges, strict=True)), people, "person", **given)
    agreement_interval(judges[0], people, against=judges[1], **given)
    tk.votes.checklist(judges[0], people, **given)
    assert beats[-1] - beats[0] < 60
    assert max(np.diff(beats)) < 2
