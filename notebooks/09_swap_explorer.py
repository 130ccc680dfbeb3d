# %% [markdown]
# # Is the difference significant? A permutation test by hand
#
# One metric agrees better with the human scores than another. Would it still do so on other translations? A
# **permutation test** asks how large a difference chance alone makes. If the two metrics were equally good, it would
# not matter which of the two scores of a translation comes from which metric. So we **swap** them at random, many
# times, and count how often the metrics then differ at least as much as they really do. That share is the
# **p-value**.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# Eight translations with human scores, and the scores of two metrics:

# %%
import tiekit as tk

human = [0, 0, -1, -1, -1, -5, -5, -10]
careful = [9, 9, 8, 7, 8, 5, 4, 1]
hasty = [8, 6, 9, 5, 7, 6, 2, 4]

explorer = tk.widgets.SwapExplorer(human, careful, hasty, names=("careful", "hasty"))
explorer

# %% [markdown]
# Press an item to swap its two scores. Then swap all items at random, once or many times, and watch the histogram of
# the difference grow and the p-value settle. With so few items the button "All" tries every way to swap.
#
# The test standardizes the scores of both metrics first, so that a metric with a larger scale has no larger weight
# when scores are swapped.
#
# Python reads what is swapped. Here are the difference as observed, and with the scores of the third item swapped.

# %%
explorer.swapped = [2]
round(explorer.observed, 3), round(explorer.difference, 3)

# %% [markdown]
# `explorer.test` is tiekit's own test of the same scores. `tk.significance.permutation_test` does it for sets of any
# size, and `tk.significance.compare_metrics` for all pairs of metrics. Here it is with τ_b in place of `acc_eq`:

# %%
test = tk.significance.permutation_test(human, careful, hasty, "tau_b")
test.exact, round(test.difference, 3)

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("09_swap_explorer")

# %% [markdown]
# **1.** By how much does the `acc_eq` of `careful` exceed that of `hasty`, as observed?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How many ways are there to swap the scores of eight translations, swapping none and swapping all included?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** What is the p-value of the difference in `acc_eq` when every way to swap is tried?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** However much better one of two metrics is: below which p-value can this test never fall with eight
# translations? Think of the ways to swap after which the metrics differ as much as they really do.

# %%
answer = ...
check(4, answer)
