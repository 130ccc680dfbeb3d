"""What is said of scores that were matched to segments by numbers, or in their order, alone."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.cli.test_commands import run
from tiekit.sets.assumptions import say_assumed
from tiekit.significance.compare import compare_metrics

TOLD = (
    "no documents or texts were read that show whether the scores are in the set's order; name such columns document "
    "or source."
)


@pytest.fixture(scope="module")
def data():
    return tk.load("synthetic", "qaa-qab")


def rows_of(data, metric="Judge-src", **columns):
    """A metric's scores as a frame whose segments are numbered, with more columns by segment."""
    scores = data.metrics[metric]
    cells = [(data.systems[row], at + 1, scores[row, at]) for row, at in np.argwhere(~np.isnan(scores))]
    frame = pd.DataFrame(cells, columns=["system", "segment", "score"])
    return frame.assign(**{key: [every[at - 1] for at in frame["segment"]] for key, every in columns.items()})


def added(data, source, **how):
    return data.with_scores(source, name="mine", **how)


def test_a_standing_and_a_leaderboard_say_what_was_matched_by_numbers_alone(data):
    more = added(data, rows_of(data))
    said = f"mine is matched by segment numbers alone: {TOLD}"
    assert tk.standing(more, "mine", n_resamples=9).sentence.endswith(f" {said}")
    lines = repr(tk.leaderboard(more)).splitlines()
    assert " ".join(lines).endswith(f"] {said}")
    start = next(at for at, line in enumerate(lines) if line.startswith("mine is"))
    assert max(map(len, lines[start:])) <= 120
    assert said in " ".join(tk.leaderboard(more)._repr_html_().replace("\n", " ").split()).replace("&#x27;", "'")
    assert "alone" not in tk.standing(more, "Judge", n_resamples=9).sentence


def test_tables_for_papers_and_calibrations_say_it_too(data, tmp_path):
    more = added(data, rows_of(data))
    said = f"mine is matched by segment numbers alone: {TOLD}"
    for found in (
        tk.standing(more, "mine", n_resamples=9),
        tk.leaderboard(more, metrics=["mine", "Judge-src"], coefficients="tau_b"),
        compare_metrics(more, ["mine", "Judge-src"], "tau_b", n_resamples=19),
        calibration := tk.calibrate(more, "mine"),
    ):
        assert f"\n% {said}\n" in found.to_latex()
    assert said in " ".join(str(calibration).split())
    assert "alone" not in tk.calibrate(more, "Judge-src").to_latex()
    rows_of(data).to_csv(path := tmp_path / "mine.csv", index=False)
    command = "calibrate", "synthetic", "--add", f"mine={path}"
    for form in ((), ("--markdown",)):
        assert run(*command, *form).stdout.endswith(f"\n{said}\n")
    assert said not in run(*command, "Judge-src").stdout


def test_numbers_from_0_and_in_another_order_and_beside_a_mean_are_numbers(data):
    frame = rows_of(data)
    means = frame.groupby("system", as_index=False)["score"].mean().assign(segment="Mean")
    for other in (
        frame.assign(segment=frame["segment"] - 1),
        frame.sample(frac=1, random_state=1),
        frame[frame["segment"] > 9],
        pd.concat([frame, means]),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.TiekitWarning)  # what is left out
            more = added(data, other)
        assert "is matched by segment numbers alone" in say_assumed(more, ["mine"]), more.notes


def test_what_is_printed_of_a_set_says_it(data):
    more = added(data, rows_of(data))
    for found in (tk.correlate(more, "mine"), tk.significance.permutation_test(more, "mine", "Judge", n_resamples=9)):
        assert " ".join(str(found).split()).endswith(f" mine is matched by segment numbers alone: {TOLD}")
        assert "alone" in found._repr_html_()
        assert "alone" not in repr(found)
    found = tk.significance.compare_metrics(more, ["mine", "Judge"], n_resamples=9)
    assert found.assumed == f"mine is matched by segment numbers alone: {TOLD}"
    assert "alone" not in str(tk.correlate(more, "Judge"))


@pytest.mark.parametrize("name", ["article", "talk", "file", "source", "Where from?"])
def test_documents_are_told_by_what_a_column_holds(data, name):
    frame = rows_of(data, **{name: data.documents})
    more = added(data, frame)
    assert say_assumed(more, ["mine"]) == ""
    assert more.notes[-1].endswith("in the same documents")
    numbered = frame.assign(segment=frame.groupby(["system", name]).cumcount() + 1)
    turned = frame.sort_values(["system", name], ascending=False, kind="stable")
    turned["segment"] = turned.groupby("system").cumcount() + 1
    for other in (numbered, turned):
        np.testing.assert_array_equal(added(data, other).metrics["mine"], data.metrics["Judge-src"])


def test_lists_are_matched_in_their_order_alone(data):
    lists = {name: row.tolist() for name, row in zip(data.systems, data.metrics["Judge-src"], strict=True)}
    assert say_assumed(added(data, lists), ["mine"]) == f"mine is matched by the order of segments alone: {TOLD}"


def test_documents_and_texts_show_the_order_and_nothing_is_said(data):
    shown = added(data, rows_of(data, document=data.documents))
    assert "segments by number, in the same documents" in shown.notes[-1]
    inside = added(data, rows_of(data, document=data.documents).assign(segment=_numbers_in_documents))
    texts = replace(
        data,
        sources=tuple(f"The {at}th sentence" for at in range(len(data.segments))),
        lengths=tk.sets.scores.Lengths(),
    )
    by_text = added(texts, rows_of(data, source=texts.sources))
    for one in (shown, inside, by_text):
        assert not say_assumed(one, ["mine"])
        assert "alone" not in tk.standing(one, "mine", n_resamples=9).sentence


def _numbers_in_documents(frame):
    return frame.groupby(["system", "document"]).cumcount() + 1


def test_numbers_in_documents_that_were_counted_after_rows_were_lost_are_told(data):
    rows = rows_of(data, document=data.documents)
    by_chance = np.random.default_rng(1).random(len(rows)) > 0.1
    for kept in (rows["segment"] % 17 != 3, by_chance):
        frame = rows[kept]
        numbers = _numbers_in_documents(frame)
        for counted in (numbers, numbers - 1):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", tk.TiekitWarning)  # what is left out
                more = added(data, frame.assign(segment=counted))
            said = say_assumed(more, ["mine"])
            assert said.startswith("mine is matched by documents and numbers in them, where "), more.notes[-1]
            assert " documents lack only their last segments: if rows were left out before " in said


def test_right_numbers_in_documents_of_a_part_say_nothing(data):
    frame = rows_of(data, document=data.documents).assign(label=lambda one: one["segment"])
    right, size = frame.assign(segment=_numbers_in_documents), len(data.segments)
    by_chance = np.random.default_rng(1).random(len(frame)) > 0.1
    label = frame["label"]
    for kept in (
        label % 17 != 3,
        by_chance,
        label < size // 2,
        label > size // 2,
        frame["document"] != data.documents[0],
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.TiekitWarning)  # what is left out
            more = added(data, right[kept].drop(columns="label"))
        assert not say_assumed(more, ["mine"]), more.notes[-1]


def test_sets_as_they_come_and_names_of_segments_say_nothing(data):
    assert not say_assumed(data, [*data.metrics, *data.human])
    named = replace(
        data, segments=tuple(f"talk-{at}" for at in np.random.default_rng(1).permutation(len(data.segments)))
    )
    frame = rows_of(data)
    assert not say_assumed(
        added(named, frame.assign(segment=[named.segments[at - 1] for at in frame["segment"]])), ["mine"]
    )


def test_several_metrics_and_a_human_score_are_named_together(data):
    frame = rows_of(data).rename(columns={"score": "m0"})
    many = {f"m{number}": frame["m0"] + number for number in range(1, 9)}
    more = data.with_scores(frame.assign(**many), metrics=["m0", *many])
    assert tk.standing(more, "m7", n_resamples=9).sentence.endswith(f" m7 is matched by segment numbers alone: {TOLD}")
    assert " and 4 more are matched by segment numbers alone" in tk.leaderboard(more).attrs["assumed"]
    people = data.with_human(rows_of(data).eval("score = score + 1"), name="esa")
    assert say_assumed(people, ("Judge-src", "esa")).startswith("esa is matched by segment numbers alone: ")


def test_the_terminal_says_it_too(data, tmp_path):
    path = tmp_path / "mine.csv"
    rows_of(data).to_csv(path, index=False)
    said = f"mine is matched by segment numbers alone: {TOLD}"
    assert said in run("standing", "synthetic/qaa-qab", path, "--resamples", 9, "-q").stdout
    assert run("leaderboard", "synthetic/qaa-qab", "--add", path, "-q").stdout.endswith(f"{said}\n")
    assert f"{said}\n" in run("compare", "synthetic/qaa-qab", "--add", path, "--resamples", 9, "-q").stdout


def test_names_may_hold_what_a_note_says(data):
    names = [": 1 of 1 systems and " * 40 + str(number) for number in range(50)]
    frame = pd.DataFrame({name: rows_of(data).set_index(["system", "segment"])["score"] for name in names})
    with pytest.warns(tk.OrderWarning, match="the order of the last 30 of 50 metrics was not checked"):
        more = data.with_scores(frame.reset_index())
    assert say_assumed(more, names[:1]).endswith(f" is matched by segment numbers alone: {TOLD}")
    assert say_assumed(more, names).endswith(f" are matched by segment numbers alone: {TOLD}")
