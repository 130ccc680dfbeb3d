"""What tk.read prints beside columns that it left out makes the table that was meant."""

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings

SYSTEMS, SIZE = ("M0", "M1", "M2"), 30
RNG = np.random.default_rng(1)
FRAME = pd.DataFrame(
    {
        "system": np.repeat(SYSTEMS, SIZE),
        "segment": np.tile(np.arange(SIZE) + 1, len(SYSTEMS)),
        "human": RNG.integers(1, 6, len(SYSTEMS) * SIZE) * 20,
        "mine": RNG.normal(size=len(SYSTEMS) * SIZE).round(3) + 3,
    }
)
WANTED = {name: FRAME[name].to_numpy().reshape(len(SYSTEMS), SIZE) for name in ("human", "mine")}


def told(source, **choices):
    """What is said of a source, or why it is refused."""
    with collect_warnings() as said:
        try:
            tk.read(source, **choices)
        except tk.ReadError as error:
            return str(error)
    return "; ".join(text for _, text in said)


def same(source):
    with collect_warnings():
        data = tk.read(source)
    assert data.systems == SYSTEMS
    for name, scores in WANTED.items():
        np.testing.assert_allclose({**data.human, **data.metrics}[name], scores)


def given(frame, kind, path):
    if kind == "frame":
        return frame
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("kind", ["frame", "file"])
@pytest.mark.parametrize("form", ["{:.3f}%", "{:.3f} ± {error:.2f}", "{:.3f}+/-{error:.2f}", r"{:.3f} \pm {error:.2f}"])
def test_numbers_in_per_cent_or_with_an_error_each(form, kind, tmp_path):
    cells = [form.format(one, error=error) for one, error in zip(FRAME["mine"], RNG.random(len(FRAME)), strict=True)]
    source = given(FRAME.assign(mine=cells), kind, tmp_path / "mine.csv")
    step = re.search(r"if the numbers in mine are the scores, in Python, pass (.*?); say otherwise", told(source))[1]
    same(eval(step, {"pandas": pd, "frame": source, "PATH": source}))


@pytest.mark.parametrize("kind", ["frame", "file"])
def test_ratings_in_per_cent(kind, tmp_path):
    source = given(FRAME.assign(human=(3 * FRAME["mine"]).map("{:.3f}%".format)), kind, tmp_path / "mine.csv")
    step = re.search(r"if [\d.]+ is the score, (frame.*astype\(float\))", told(source, human="human"))[1]
    frame = source if kind == "frame" else pd.read_csv(source)
    exec(step, {"frame": frame})
    np.testing.assert_allclose(frame["human"].astype(float), 3 * FRAME["mine"])


@pytest.mark.parametrize("kind", ["frame", "file"])
@pytest.mark.parametrize("sign", ["_", "/", "."])
@pytest.mark.parametrize("is_system_last", [False, True])
def test_a_wide_table_of_several_scores(is_system_last, sign, kind, tmp_path):
    wide = FRAME.pivot_table(index="segment", columns="system", values=["human", "mine"])
    wide.columns = [sign.join(pair if is_system_last else pair[::-1]) for pair in wide.columns]
    source = given(wide.reset_index(), kind, tmp_path / "wide.csv")
    step = re.search(r"for each system and segment: in Python, pass (frame.*?)[,;] (where|say)", told(source))[1]
    same(eval(step, {"frame": source if kind == "frame" else pd.read_csv(source)}))


@pytest.mark.parametrize("kind", ["list", "frame"])
def test_lists_of_ratings(kind):
    frame = FRAME.rename(columns={"human": "Overall"})
    lists = [[int(one) - 1, int(one), int(one) + 1] for one in frame["Overall"]]
    frame["Overall"] = pd.Series(lists)
    source = frame if kind == "frame" else frame.to_dict("records")
    step = re.search(r"if the means of the lists in Overall are the scores, pass (.*?); say otherwise", told(source))[1]
    found = eval(step, {"pandas": pd, "numpy": np, "frame": source, "SOURCE": source})
    same(found.rename(columns={"Overall": "human"}))


def test_a_wide_file_with_a_row_of_means_below_its_numbers(tmp_path):
    data = tk.load("wmt23", "en-de")
    scores = data.metrics["COMET-refA"]
    names = [name for name, row in zip(data.systems, scores, strict=True) if not np.isnan(row).any()]
    wide = pd.DataFrame({name: scores[data.systems.index(name)] for name in names}, index=range(1, 558))
    pd.concat([wide, wide.mean().to_frame("mean").T]).to_csv(tmp_path / "wide.csv")
    with collect_warnings() as said:
        more = data.with_scores(tmp_path / "wide.csv", name="mine")
    np.testing.assert_array_equal(more.metrics["mine"], scores)
    assert any("mean" in text for _, text in said)
