"""Each number on fairness against a brute force over all pairs, cells and parts; sentences, display and LaTeX."""

import itertools

import numpy as np
import pytest

import tiekit as tk
from tiekit.ranking.diagnostics import CHECKS, COLUMNS

NAN = float("nan")


def made_up(seed=0, n_systems=4, n_segments=24):
    """A discrete and a continuous metric and one that follows length; some cells are missing."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 4, (n_systems, n_segments)).astype(float)
    lengths = rng.integers(5, 80, (n_systems, n_segments))
    coarse, fine = np.round(human + rng.normal(size=human.shape)), human + rng.normal(size=human.shape)
    human[0, 3], fine[1, 5:9] = NAN, NAN
    names = tuple("ABCD"[:n_systems])
    return tk.EvalSet(
        "toy",
        "",
        names,
        tuple(map(str, range(n_segments))),
        {"h": human},
        {"coarse": coarse, "fine": fine, "long": -lengths.astype(float)},
        documents=tuple(f"d{n // 3}" for n in range(n_segments)),
        lengths={
            "sources": [7 + 3 * n for n in range(n_segments)],
            "outputs": dict(zip(names, lengths.tolist(), strict=True)),
        },
    )


def pairs_by_item(human, metric):
    """Human and metric differences of the pairs of each segment that has any."""
    for h, m in zip(human.T, metric.T, strict=True):
        scored = [(a, b) for a, b in zip(h, m, strict=True) if a == a and b == b]
        if len(scored) > 1:
            yield [(one[0] - two[0], one[1] - two[1]) for one, two in itertools.combinations(scored, 2)]


def accuracy(human, metric, epsilon):
    """acc_eq by item at a threshold."""
    return np.mean(
        [
            np.mean([(h == 0) if abs(m) <= epsilon else h * m > 0 for h, m in group])
            for group in pairs_by_item(human, metric)
        ]
    )


def best(human, metric):
    """The smallest best threshold, and the value at it."""
    candidates = sorted({0.0, *(abs(m) for group in pairs_by_item(human, metric) for _, m in group)})
    values = [accuracy(human, metric, epsilon) for epsilon in candidates]
    at = next(n for n, value in enumerate(values) if value > max(values) - 1e-12)
    return candidates[at], values[at]


@pytest.fixture(scope="module")
def board():
    with pytest.warns(tk.CoverageWarning):
        return tk.leaderboard(made_up(), coefficients=["acc_eq", "acc_eq*"], fairness=True, rng=3, cells="own")


@pytest.mark.parametrize("name", ["coarse", "fine", "long"])
@pytest.mark.filterwarnings("ignore::tiekit.TruncationWarning")
def test_every_number_is_that_of_its_definition(board, name):
    data = made_up()
    human, metric, row = data.human["h"], data.metrics[name], board.loc[name]
    flat = [m for group in pairs_by_item(human, metric) for _, m in group]
    assert row["tied_pairs"] == pytest.approx(np.mean([m == 0 for m in flat]))
    epsilon, value = best(human, metric)
    assert row["tied(acc_eq)"] == pytest.approx(np.mean([abs(m) <= epsilon for m in flat]))
    assert row["gain(acc_eq)"] == pytest.approx(value - accuracy(human, np.zeros_like(metric) * metric, 0), abs=1e-12)
    noisy = tk.sentinels.perturb(metric, rng=3)
    assert row["noise_gain"] == pytest.approx(best(human, noisy)[1] - best(human, metric)[1], abs=1e-12)
    lengths = {"source": np.tile(data.lengths.sources, (4, 1)), "output": data.lengths.of_outputs(data.systems, 24)}
    for side, matrix in lengths.items():
        cells = [c for c in zip(metric.flat, matrix.flat, human.flat, strict=True) if not any(v != v for v in c)]
        one, two, _ = map(np.array, zip(*cells, strict=True))
        one, two = one - one.mean(), two - two.mean()
        expected = (one @ two) / np.sqrt((one @ one) * (two @ two))
        assert row[f"r({side} length)"] == pytest.approx(expected)
    assert row["coverage"] == np.mean(~np.isnan(metric[~np.isnan(human)]))


def test_the_loss_is_the_mean_over_five_parts_of_whole_documents(board):
    data = made_up()
    human, metric, losses = data.human["h"], data.metrics["coarse"], []
    names, parts = np.array(data.documents), {}
    for document in sorted(set(data.documents)):  # all have three segments: the emptiest part gets the next one
        smallest = min(range(5), key=lambda part: (len(parts.get(part, [])), part))
        parts.setdefault(smallest, []).append(document)
    for documents in parts.values():
        inside = np.isin(names, documents)
        epsilon, _ = best(human[:, ~inside], metric[:, ~inside])
        own = best(human[:, inside], metric[:, inside])[1]
        losses.append(own - accuracy(human[:, inside], metric[:, inside], epsilon))
    assert board.loc["coarse", "held_out_loss"] == pytest.approx(np.mean(losses))


def test_a_sentence_stands_where_a_number_is_beyond_its_limit(board):
    notes, human = board.fairness_notes(), board.attrs["human_lengths"]
    assert list(notes) == list(board.index)
    for name in board.index:
        row = board.loc[name]
        bad = [
            row["tied_pairs"] > 0.1,
            row["tied(acc_eq)"] >= 0.9,
            row["gain(acc_eq)"] < 0.01,
            row["noise_gain"] > 0.005,
            *(abs(row[side]) - abs(human[side]) > 0.1 for side in ("r(source length)", "r(output length)")),
            row["held_out_loss"] > 0.01,
            row["coverage"] < 0.99,
        ]
        assert len(notes[name]) == sum(bad) + (name in board.attrs["grids"])
    assert "fine" not in board.attrs["grids"]
    assert "All scores of coarse lie on one grid: whole numbers (" in notes["coarse"][-1]
    assert "coarse ties" in notes["coarse"][0]
    assert "long correlates with the length of the translation by -1.00" in " ".join(notes["long"])
    assert "fine scored 95.8% of the translations" in notes["fine"][-1]


def test_the_columns_are_a_group_that_is_there_only_if_asked_for(board):
    without = tk.leaderboard(made_up().select(), coefficients="acc_eq", calibrated="acc_eq", metrics=["coarse", "long"])
    assert set(COLUMNS[:-1]) & set(without.columns) == {"tied(acc_eq)", "gain(acc_eq)"}
    assert list(board.columns[-len(COLUMNS) :]) == list(COLUMNS)
    same = tk.leaderboard(
        made_up(), coefficients="acc_eq", calibrated="acc_eq", metrics=["coarse", "long"], fairness=True
    )
    assert same.loc["coarse", "acc_eq*"] == without.loc["coarse", "acc_eq*"] == board.loc["coarse", "acc_eq*"]
    with pytest.raises(tk.InputError, match="leaderboard: has no columns on fairness"):
        without.fairness_notes()
    with pytest.raises(tk.InputError, match="rng: nothing is drawn unless fairness=True, found 1"):
        tk.leaderboard(made_up(), rng=1)


def test_they_are_displayed_and_written(board):
    assert all(column in board._repr_html_() for column in COLUMNS)
    assert "coverage" in repr(board)
    latex = board.to_latex("acc_eq*")
    assert all(check.label in latex for check in CHECKS)
    row = next(line for line in latex.splitlines() if line.startswith("long &"))
    assert rf"{board.loc['long', 'tied_pairs']:.1%}".replace("%", r"\%") in row
    assert "$-$1.00" in row
    assert "more than 0.005" in latex
    assert ",".join(COLUMNS) in board.to_csv()


def test_without_texts_and_documents_the_numbers_are_missing():
    data = tk.EvalSet("toy", "", ("A", "B"), ("1",), {"h": [[1], [2]]}, {"m": [[1], [2]]})
    found = tk.leaderboard(data, fairness=True).loc["m"]
    assert found[["r(source length)", "r(output length)", "held_out_loss"]].isna().all()
    assert found["tied_pairs"] == 0
    assert tk.leaderboard(data, fairness=True).fairness_notes() == {"m": []}
    assert "--" in tk.leaderboard(data, fairness=True).to_latex("acc_eq")


def test_the_seed_draws_the_noise():
    data = made_up().select()
    one, two, same = (
        tk.leaderboard(data, metrics="coarse", coefficients="acc_eq", calibrated="acc_eq", fairness=True, rng=rng)[
            "noise_gain"
        ].item()
        for rng in (3, 4, np.int64(3))
    )
    assert one == same != two


def test_wmt22_says_who_follows_length():
    found = tk.leaderboard(tk.load_wmt22(), coefficients="acc_eq", calibrated="acc_eq", fairness=True)
    assert found.attrs["human_lengths"]["r(source length)"] == pytest.approx(-0.343, abs=5e-4)
    assert found["r(source length)"].idxmin() == "COMET-QE-src"
    tied = found["tied_pairs"]
    assert sorted(name for name in tied.index if tied[name] > 0.1) == [
        "GEMBA-Dav3-DA-refA",
        "GEMBA-GPT4-DA-refA",
        "MATESE-QE-src",
        "MATESE-refA",
    ]
    assert found["noise_gain"].max() < 0.0005  # at this set's 42 % of human ties calibration repairs what noise does
    assert found["held_out_loss"].idxmax() == "chrF-refA"


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("by", ["document", "document_means"])
def test_the_numbers_are_by_document(by):
    data = made_up()
    found = tk.leaderboard(data, grouping=by, coefficients="acc_eq*", fairness=True, cells="own")
    for name, scores in data.metrics.items():
        noisy = tk.sentinels.perturb(scores, rng=0)
        plain, noise = (
            tk.calibrate(data.human["h"], m, grouping=by, documents=data.documents).value for m in (scores, noisy)
        )
        ties = tk.count_ties(scores, grouping=by, where=data.human["h"], documents=data.documents)
        assert found.loc[name, "noise_gain"] == pytest.approx(noise - plain, abs=1e-12)
        assert found.loc[name, "tied_pairs"] == pytest.approx(ties.share)
        folds = tk.cross_validate(data, name, grouping=by).folds
        assert found.loc[name, "held_out_loss"] == pytest.approx(folds["loss"].mean())
