# %% [markdown]
# # The NaN problem: what if a coefficient is undefined?
#
# WMT compares, for each segment, the translations of all systems with each other, and averages a coefficient over the
# segments. Kendall's τ_b divides by the number of pairs that the human orders and by the number that the metric
# orders. Where all human scores or all metric scores of a segment are alike it divides by zero: it is undefined,
# **NaN**.
#
# What is done with such segments can decide which metric wins. There are three rules:
#
# - **drop**: leave the segment out of the average of this metric, as WMT has done,
# - **zero**: count the segment as 0,
# - **common**: leave out, for every metric, each segment on which any metric is undefined.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# Four systems (rows) translate six segments (columns). The metric `bold` orders the systems of every segment;
# `cautious` gives most segments one score.

# %%
import tiekit as tk

human = [
    [0, 0, -1, 0, -5, 0],
    [-1, 0, -1, -5, 0, 0],
    [-5, -1, 0, -1, -1, 0],
    [-10, -5, -5, -1, -1, 0],
]
bold = [
    [0.9, 0.8, 0.5, 0.8, 0.3, 0.9],
    [0.7, 0.9, 0.6, 0.2, 0.7, 0.8],
    [0.8, 0.4, 0.7, 0.3, 0.6, 0.85],
    [0.2, 0.5, 0.4, 0.5, 0.8, 0.7],
]
cautious = [
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1],
    [0, 1, 1, 1, 1, 1],
    [0, 0, 1, 1, 1, 1],
]

explorer = tk.widgets.NaNExplorer(human, {"bold": bold, "cautious": cautious})
explorer

# %% [markdown]
# Choose a cell to see the scores of that segment. Then switch between the rules and watch the two metrics change
# places.
#
# Under "drop", `cautious` is averaged over the two segments on which it says something. Leaving the hard segments
# unanswered is what makes it win. Python reads and sets the same choice:

# %%
for rule in ("drop", "zero", "common"):
    explorer.undefined = rule
    means = {name: round(found[rule], 3) for name, found in explorer.values.items()}
    print(f"{rule}: {means}, ranks {explorer.ranking}")

# %% [markdown]
# `tk.correlate` tells how many segments were left out, whatever the rule.

# %%
found = tk.correlate(human, bold, "tau_b")
round(found.value, 3), found.n_groups, found.n_undefined

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("02_nan_explorer")

# %% [markdown]
# **1.** On how many of the six segments is τ_b of `cautious` undefined?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** On one segment τ_b is undefined for *every* metric, whatever its scores. Which one? The figure numbers the
# segments from 1.

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** What is the average τ_b of `cautious` if undefined segments count as 0?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Choose other coefficients in the figure. Name one that is defined on all six segments, so that the three
# rules give the same ranking. Names are written as in `tk.COEFFICIENTS`; `"tau_b"`, for example, is a name but not an
# answer.

# %%
answer = ...
check(4, answer)
