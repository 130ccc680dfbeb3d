# %% [markdown]
# # Measures: which measure should one trust?
#
# Appendix of the course · 15 minutes · the same question in the app: *Measures*
#
# **Afterwards you can** say what a measure is, and find out which measures rank metrics alike.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("11_measures")

# %% [markdown]
# A **measure** is a grouping and a coefficient: which pairs or scores are compared, and which number is made of them.
# `"item/tau_b"` is τ_b by item, `"system_means/pearson"` is Pearson's correlation of the systems' mean scores. Two
# measures can rank the same metrics very differently. Gao and others (2024, [arXiv
# 2410.16834](https://arxiv.org/abs/2410.16834)) compare twelve of them.
#
# We evaluate all metrics of WMT22 Chinese–English by the twelve measures, which takes some seconds.

# %%
data = tk.load_wmt22()
values = tk.measures.evaluate_measures(data)
values[["system_means/pearson", "item/tau_b", "global/tau_b"]].head(4).round(3)

# %% [markdown]
# How alike do two measures rank the metrics? We compare their values by τ_b: 1 is the same ranking, 0 no relation. In
# the square, measures that rank alike lie beside each other. Choose two of them to see both rankings; the two that
# agree least are chosen first.

# %%
figure = tk.widgets.MeasureAgreement(values)
figure

# %% [markdown]
# `figure.chosen` are the two. Each square is the τ_b of two columns of `values`. `tk.measures.measure_agreement`
# computes all of them, also as a mean over several data sets.

# %%
round(tk.correlate(values["item/tau_b"], values["system/pearson"], "tau_b").value, 3)

# %% [markdown]
# The pairwise accuracy of Kocmi and others (2021) is one more measure: the share of pairs of systems that the metric
# orders as the human does, by their mean scores. For BLEU it is:

# %%
round(tk.measures.pairwise_accuracy(data, "BLEU"), 3)

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** How alike do τ_b by item and τ_b without grouping rank the metrics?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Which other measure of the twelve ranks the metrics most like τ_b by item? Answer with its name, as in the
# columns of `values`.

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Which metric is first by Pearson's correlation of system means? Answer with its name, as text.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** By how much does the pairwise accuracy of COMET-22 exceed that of BLEU?

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# `check.summary()` says which exercises are right. `check.discuss()` asks questions to be answered in words, on the
# page of the app's sheet; `check.discuss(answers=True)` answers them.
