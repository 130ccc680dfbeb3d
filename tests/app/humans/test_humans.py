"""Humans as metrics: the opening picture holds the library's values, each scene's numbers are there, and every part."""

from __future__ import annotations

import numpy as np
import pytest

import tiekit as tk
from ui.evalset import sources
from ui.humans.on_set import read_bundled_values
from ui.work.presets import DATA

PAGE = "11_Humans_as_metrics"


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_values_that_come_with_the_app_are_of_the_bundled_set():
    digest = (DATA / "wmt22" / "humans.csv").read_text(encoding="utf-8").partition("\n")[0]
    data = tk.load_wmt22().adjusted(decimals={"mqm": 6})
    assert digest == f"# {data.digest}"
    rows = read_bundled_values()
    assert set(rows["kind"]) == {"human", "metric", "sentinel"}
    metrics = [name for name in rows["name"].unique() if name in data.metrics]
    data = data.with_metric("mqm + noise", tk.sentinels.perturb(data.human["mqm"], rng=0))
    for judge in ("mqm", "wmt-appraise"):
        others = [name for name in ("mqm", "wmt-appraise", "wmt") if name != judge]
        part = rows[(rows["judge"] == judge) & (rows["measure"] == "global/pearson")].set_index("name")
        noisy = ["mqm + noise"] if judge != "mqm" else []
        found = tk.humans.rank_humans(
            data, judge, "global/pearson", humans=others, metrics=[*metrics, *noisy], n_resamples=0
        )
        np.testing.assert_allclose(part["value"], found.table.loc[part.index, "value"], rtol=1e-9)
        assert (part["cells"] == found.n_cells).all()


def test_the_sentences_below_the_picture_are_true_of_its_values(open_app):
    rows = read_bundled_values().set_index("name")
    by = dict(iter(rows.groupby(["judge", "measure"])))
    mqm, da = by["mqm", "item/acc_eq*"], by["wmt-appraise", "item/acc_eq*"]
    metrics = mqm[mqm["kind"] == "metric"]
    names = {8: "eight", 9: "nine", 10: "ten"}
    ahead = (metrics["value"] > mqm.loc["wmt-appraise", "value"]).sum()
    noisy = next(name for name in da.index if name.startswith("mqm "))
    wanted = (
        f"{names[ahead]} of these {names[len(metrics)]} metrics agree better",
        f"MQM ties {100 * mqm['judge_ties'].iloc[0]:.0f} % of the pairs",
        f"lifts MQM from {da.loc['mqm', 'value']:.3f} to {da.loc[noisy, 'value']:.3f}, "
        f"rank {da.loc['mqm', 'rank']} to rank {da.loc[noisy, 'rank']}",
    )
    text = " ".join(element.value for element in open_app(PAGE).markdown)
    assert [sentence for sentence in wanted if sentence not in text] == []
    assert da.loc["mqm", "value"] < da.loc["BLEU-refA", "value"]
    pearson = by["wmt-appraise", "global/pearson"]["value"]
    assert pearson["mqm"] == pytest.approx(pearson[noisy], abs=5e-4)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", ["human scores", "ranks of human scores", "good translations", "best translations"])
def test_every_part_says_what_the_library_says(open_app, data, part):
    app = open_app(PAGE, source=sources.SYNTHETIC, hum_part=part)
    assert not app.error
    text = "\n".join(element.value for element in app.markdown).replace("\\", "")
    if part == "good translations":
        best = max(tk.classification.classify(data, name, exclude=()).f1 for name in data.metrics)
        assert f"F1 {best:.3f}" in text
    elif part == "best translations":
        best = max(tk.classification.rerank(data, name, exclude=()).value for name in data.metrics)
        assert f"in {100 * best:.0f} % of the segments" in text
    elif part == "ranks of human scores" and len(data.human) > 1:
        assert "Judged by mqm" in text
