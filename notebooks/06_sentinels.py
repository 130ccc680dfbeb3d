# %% [markdown]
# # Sentinels: is the evaluation fair?
#
# A **sentinel** is a metric that should never win. Take a metric with few distinct scores, which ties many pairs, and
# add a little random noise: the new metric knows no more than the old one, but it never ties. If it wins, the
# evaluation rewards the wrong thing (Perrella and others 2024, [Guardians of the Machine Translation
# Meta-Evaluation](https://aclanthology.org/2024.acl-long.856)).
#
# How much noise helps depends on how many pairs the human ties. We weight the pairs of WMT22 Chinese–English as if the
# human had tied fewer of them, or more, and calibrate each metric anew.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# MATESE gives few distinct scores. COMET-22 and BLEU almost never tie. `tk.sentinels.perturb` adds noise so small that
# no two different scores change their order. The computation takes some seconds.

# %%
import tiekit as tk

data = tk.load_wmt22()
noisy = tk.sentinels.perturb(data, metric="MATESE-refA")
data = data.with_metric("MATESE-refA + noise", noisy)

names = ["MATESE-refA", "MATESE-refA + noise", "COMET-22-refA", "BLEU-refA"]
found = tk.sentinels.tie_shares(data, names)
found[["metric", "share", "value", "epsilon", "own"]].head(3).round(3)

# %% [markdown]
# There is one row per metric and share of human ties; `value` is `acc_eq*`, and `own` marks the share that the human
# ties by itself.
#
# Drag the rule in the picture: the bars re-sort. Where does MATESE with noise stand above MATESE?

# %%
explorer = tk.widgets.TieShareExplorer(found)
explorer

# %% [markdown]
# Python reads and sets the same share and the metric that stands out:

# %%
explorer.share = 0.0
at_zero = found[found["share"] == explorer.share].set_index("metric")["value"]
at_zero.sort_values(ascending=False).round(3)

# %% [markdown]
# Without human ties, each tie of a metric is an error. At a large share the best ε ties nearly everything, and all
# metrics are alike. Between the two, calibration ties the noise again.
#
# ## Exercises
#
# Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("06_sentinels")

# %% [markdown]
# **1.** Which share of the pairs does the human tie by itself?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How much does noise add to the `acc_eq*` of MATESE if the human ties no pair?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Which of the four metrics is last there? Answer with its name, as text.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Give a share of human ties at which noise adds at most 0.001.

# %%
answer = ...
check(4, answer)
