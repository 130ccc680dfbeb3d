# %% [markdown]
# # Identical translations: one text, two scores?
#
# Appendix of the course · 20 minutes · the same question in the app: *How close is equal?*
#
# **Afterwards you can** say how often raters and metrics tie the same text, find the noise floor of a metric without
# any human score, and say what tying identical texts is worth, at ε = 0 and after calibration.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
from dataclasses import replace

import numpy as np
import pandas as pd

import tiekit as tk

check = tk.exercises.of_notebook("12_identical")

# %% [markdown]
# Different systems often produce the same translation of a segment, character by character. For these pairs, and only
# for them, the right answer of anything that reads the segment alone is known: **a tie**. This notebook makes the
# main tables of the report *The same translation twice* (`docs/identical.md`), on the four sets of WMT that come with
# tiekit. References are left out. `audit` asks who ties the pairs; `repair` asks what becomes of values and ranks if
# they are tied.

# %%
names = ("wmt22/zh-en", "wmt23/zh-en", "wmt23/he-en", "wmt23/en-de")
data, audits, repairs = {}, {}, {}
for name in names:
    loaded = tk.load(name)
    references = [system for system in loaded.systems if system.startswith(("ref", "synthetic"))]
    data[name] = loaded.select(exclude=references)
    audits[name] = tk.identical.audit(loaded, exclude=references)
    repairs[name] = tk.identical.repair(loaded, exclude=references)

# %% [markdown]
# ## Do raters tie them?
#
# Guess first. MQM is made of penalties by professional translators; `wmt-appraise` and `da-sqm` are marks from 0 to
# 100 (direct assessment). Which share of the identical pairs does each of them tie?

# %%
columns = ["tied", "low", "high"]
raters = pd.concat({name: audits[name].table.query("kind == 'human'") for name in names})
(100 * raters[columns]).round(1).assign(pairs=raters["pairs"])

# %% [markdown]
# `low` and `high` are 95 % intervals over segments. Do not compare MQM and marks by these shares: in many pairs MQM
# finds no error in either translation, while marks from 0 to 100 have a hundred values and are in part means of several
# ratings. Which share does MQM tie where at least one of the two ratings has an error? In percent:


# %%
def with_an_error(one):
    mqm, texts, ties = one.human["mqm"], one.identical, []
    for a in range(len(mqm)):
        for b in range(a):
            same = (texts[a] == texts[b]) & (texts[a] >= 0) & (mqm[a] + mqm[b] < 0)  # 0 is no error, NaN no rating
            ties += (mqm[a] == mqm[b])[same].tolist()
    return 100 * np.mean(ties)


print({name: round(float(with_an_error(one)), 1) for name, one in data.items()})

# %% [markdown]
# About one pair in twenty is the same text twice, and of all ties that MQM makes, a tenth to a seventh are these:

# %%
counts = {
    name: {
        "pairs": audits[name].n_pairs,
        "identical": audits[name].n_identical,
        "identical, %": round(100 * audits[name].n_identical / audits[name].n_pairs, 1),
        "human ties, %": round(100 * repairs[name].human_ties, 1),
        "of which identical, %": round(100 * repairs[name].identical_human_ties, 1),
    }
    for name in names
}
pd.DataFrame.from_dict(counts, orient="index")

# %% [markdown]
# Is it one kind of text? MQM ties them in every domain, in percent:

# %%
for name, one in data.items():
    parts = {domain: one.select(exclude=(), domain=domain) for domain in sorted(set(one.domains))}
    tied = {domain: tk.identical.audit(part, metrics=(), n_resamples=0).table.tied for domain, part in parts.items()}
    print(name, {domain: round(100 * float(found["mqm"]), 1) for domain, found in tied.items()})

# %% [markdown]
# ## Do metrics?
#
# How many metrics tie all of them, at least 90 %, at least 10 %, and fewer:

# %%
ties = {name: audits[name].table.query("kind == 'metric'").tied for name in names}
limits, labels = [-1, 0.1, 0.9, 1, 2], ["fewer", "10 % and more", "90 % and more", "all"]
pd.DataFrame({name: pd.cut(tied, limits, labels=labels, right=False).value_counts() for name, tied in ties.items()}).T[
    labels[::-1]
]

# %% [markdown]
# And which ones? In percent; a dash where a metric did not take part:


# %%
def short(name):
    return name.rpartition("-")[0]  # without the reference that the metric reads


asked = ["BLEU", "chrF", "BLEURT-20", "UniTE", "YiSi-1", "GEMBA-GPT4-DA", "GEMBA-MQM", "cometoid22-wmt23", "COMET"]
asked += ["XCOMET-Ensemble", "BERTScore", "metricx_xxl_MQM_2020", "MetricX-23", "COMET-22", "COMET-QE", "SEScore"]
shares = pd.DataFrame({name: 100 * tied.rename(short) for name, tied in ties.items()})
shares.loc[asked].map(lambda share: "–" if np.isnan(share) else f"{share:.1f}")

# %% [markdown]
# The **noise floor** ε₀ of a metric is the smallest threshold that ties 99 % of the identical pairs. No human score is
# needed for it. Is the noise large? In standard deviations of the metric's scores (`p99/sd`) it is below .03 for all
# metrics but these:

# %%
floors = {name: audits[name].table.query("kind == 'metric'")["p99/sd"].rename(short) for name in names}
pd.DataFrame({name: floor[floor >= 0.03].round(3) for name, floor in floors.items()})

# %% [markdown]
# Three of them read more than the segment: `doc…` the sentences before, Random-sysname the name of the system.
#
# ## What does it do to a leaderboard?
#
# At calibrated thresholds nearly nothing: on WMT22 no rank by acc_eq\* changes if identical pairs are tied.

# %%
calibrated = [
    tk.leaderboard(tk.load("wmt22/zh-en"), coefficients="acc_eq*", exclude=("refA", "refB"), tie_identical=tied)[
        "acc_eq*"
    ]
    for tied in (False, True)
]
print("same order:", calibrated[0].index.equals(calibrated[1].index))
print("largest change:", f"{(calibrated[0] - calibrated[1]).abs().max():.6f}")

# %% [markdown]
# At ε = 0 an identical pair that people tie counts as an error of a metric that does not tie it. Ranks by acc_eq on
# WMT22: as it is, with nothing but the identical pairs tied, at the noise floor, and calibrated. Click COMET-22.

# %%
figure = tk.widgets.RankExplorer(repairs["wmt22/zh-en"].table)
figure

# %% [markdown]
# The same with values, for some metrics of each set. `repaired` is the gain reached: the share of calibration's gain
# that is there when identical pairs alone are tied, in percent.

# %%
some = {
    "wmt22/zh-en": ["metricx_xxl_MQM_2020", "COMET-22", "COMETKiwi", "BLEURT-20", "MEE4"],
    "wmt23/zh-en": ["MetricX-23-QE-c", "MetricX-23", "XCOMET-Ensemble", "GEMBA-MQM", "BLEURT-20"],
    "wmt23/he-en": ["MetricX-23-b", "CometKiwi-XXL", "GEMBA-MQM", "chrF"],
    "wmt23/en-de": ["MetricX-23-b", "MetricX-23-QE-b", "COMET", "docWMT22CometDA", "sescoreX"],
}
table = pd.concat({name: repairs[name].table.rename(short).loc[some[name]] for name in names})
table["repaired"] = (100 * table["repaired"]).round()
table.drop(columns=["epsilon_0", "epsilon"]).round(4)

# %% [markdown]
# With the same metrics' ties and the size of their noise:

# %%
found = pd.concat({name: audits[name].table.rename(short).loc[some[name]] for name in names})
pd.DataFrame({"ties, %": (100 * found["tied"]).round(1), "99 % are within, in sd": found["p99/sd"].round(3)})

# %% [markdown]
# Would any ties do? Identical texts are short, and people tie much where texts are short. So tie other pairs, as many
# in each segment: shuffle the labels of texts among the systems. (One draw; 18 to 34 % of these pairs are identical
# again. The report has a second control without them.) Where people tie much (WMT22, he-en), a good part of the gain
# comes with other ties, too; on zh-en of WMT23 hardly any.


# %%
def tied_at_random(one, metric):
    rated, rng = ~np.isnan(one.human["mqm"]), np.random.default_rng(38)
    labels = np.where(rated, one.identical, -1)
    for segment, cells in zip(labels.T, rated.T, strict=True):
        segment[cells] = rng.permutation(segment[cells])
    tied = tk.identical.repair(replace(one, identical=labels), exclude=(), metrics=metric)
    return tied.table["identical tied"].iloc[0]


second = ["COMET-22-refA", "MetricX-23-refA", "CometKiwi-XXL-src", "MetricX-23-QE-b-src"]
for name, metric in zip(names, second, strict=True):
    before, after = repairs[name].table.loc[metric, ["at 0", "identical tied"]]
    print(f"{metric}: {before:.3f}, identical {after:.3f}, shuffled {tied_at_random(data[name], metric):.3f}")

# %% [markdown]
# ## Where does the noise come from?
#
# `by_systems` and `by_place` say how much one metric ties for each two systems, and in each tenth of the file.

# %%
look = [("wmt22/zh-en", "COMET-22"), ("wmt22/zh-en", "metricx_xxl_MQM_2020")]
look += [("wmt23/zh-en", "MetricX-23-QE-c"), ("wmt23/zh-en", "MetricX-23-c")]
look += [("wmt23/he-en", "MetricX-23-b"), ("wmt23/en-de", "MetricX-23-b")]
for name, metric in look:
    systems = 100 * audits[name].by_systems(metric).query("pairs >= 20").tied
    places = 100 * audits[name].by_place(metric).tied
    print(f"{name} {metric}: by pair of systems {systems.min():.1f} to {systems.max():.1f} %,", end=" ")
    print(f"by tenth of the file {places.min():.1f} to {places.max():.1f} %")

# %% [markdown]
# So the tenth of the file matters little and the two systems much. For two metrics of WMT23 their distance says
# most of it: a file lists the systems one after another, and all pairs tie whose rows lie a multiple of 32 rows
# apart. Equal texts in different rows say the same (see the report), so it is the place and not the systems. Batches of
# 32 would do that, if a score depends on the place in its batch; whether it was so is not known.

# %%
pd.concat({metric: audits[name].by_distance(metric, 32).round(3) for name, metric in look[2:4]})

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Are you stuck? `check.hint(1)` gives a hint on exercise 1, the
# next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** Raters have a noise floor, too. Which difference of two marks by direct assessment (`wmt-appraise`, WMT22) do
# 90 % of the identical pairs not exceed?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Which metric of WMT23 English–German differs most on identical texts, by `p99/sd`? Answer with its name, as in
# the table of the audit.

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Who pays for it? Which metric of WMT22 loses the most ranks by acc_eq when identical pairs are tied?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** By how much does τ_10 of COMET-22 change on WMT22 (`data["wmt22/zh-en"]`) when identical pairs are tied? Give
# the new value minus the old one.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# `check.summary()` says which exercises are right. `check.discuss()` asks questions to be answered in words, on the
# page of the app's sheet; `check.discuss(answers=True)` answers them.
#
# **Next.** Audit a set of your own: any that has the outputs of several systems knows which are identical
# ([09_your_own_scores](09_your_own_scores.ipynb) reads one). Limits of all this, and ordinary explanations that were
# tried, stand in the report.
