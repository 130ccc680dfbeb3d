# %% [markdown]
# # Chance: is the difference significant?
#
# Notebook 6 of 9 of the course · 20 minutes · the same question in the app: *Measures*
#
# **Afterwards you can** write a permutation test, read a p-value, and say how small it can become with few
# translations.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("06_chance")

# %% [markdown]
# One metric agrees better with the human scores than another. Would it still do so on other translations? A
# **permutation test** asks how large a difference chance alone makes. Eight translations make 28 pairs; the metric
# `careful` gets 25 of them right, `hasty` 17.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
human = [0, 0, -1, -1, -1, -5, -5, -10]
careful = [9, 9, 8, 7, 8, 5, 4, 1]
hasty = [8, 6, 9, 5, 7, 6, 2, 4]

# %% [markdown]
# ## Write the test yourself
#
# If the two metrics were equally good, it would not matter which of the two scores of a translation comes from which
# metric. So we **swap** them at random, many times, and count how often the metrics then differ at least as much as
# they really do. That share is the **p-value**. Both metrics are standardized first, so that one with a larger scale
# has no larger weight. A p-value belongs to one coefficient; here it is τ_10.

# %%
import numpy as np


def standardized(scores):
    return (np.array(scores) - np.mean(scores)) / np.std(scores)


def difference(first, second, coefficient="tau_10"):
    return tk.correlate(human, first, coefficient).value - tk.correlate(human, second, coefficient).value


first, second = standardized(careful), standardized(hasty)
rng, observed = np.random.default_rng(1), difference(first, second)
swaps = rng.random((999, len(human))) < 0.5
extreme = 0
for swap in swaps:
    found = difference(np.where(swap, second, first), np.where(swap, first, second))
    extreme += abs(found) >= abs(observed) - 1e-12
print(f"p = {(extreme + 1) / (len(swaps) + 1):.3f}")  # the scores as they are count, too

# %% [markdown]
# With eight translations there are so few ways to swap that tiekit tries all of them: the test is exact.

# %%
test = tk.significance.permutation_test(human, careful, hasty, "tau_10")
print(f"p = {test.pvalue:.3f}, exact: {test.exact}")

# %% [markdown]
# ## Swap by hand
#
# Press an item to swap its two scores. Then swap all items at random, once or many times, and watch the histogram of
# the difference grow and the p-value settle. The button "All" tries every way to swap. Here the coefficient is
# `acc_eq`, which also counts the ties: with other coefficients the same scores have other p-values.

# %%
explorer = tk.widgets.SwapExplorer(human, careful, hasty, names=("careful", "hasty"))
explorer

# %% [markdown]
# `explorer.swapped` are the items that are swapped at present (in Python the first is 0), and `explorer.difference` is
# the difference then. `tk.significance.permutation_test` takes a set and two names as well, such as your own metric
# and a published one; there it swaps the scores of whole segments. `tk.significance.compare_metrics` tests all pairs
# of metrics.

# %% [markdown]
# ## Exercises
#
# Use the eight translations above, and `acc_eq`. Replace each `...` by your answer and run the cell. Numbers may be
# rounded as the figure rounds them. Are you stuck? `check.hint(1)` gives a hint on exercise 1, the next one each
# time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** Swap some items, but not all, so that `hasty` is ahead. Answer with a list of their numbers as the figure has
# them, 1 to 8.

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

# %%
check.summary()

# %% [markdown]
# **Next:** [07_few_ties](07_few_ties.ipynb), what if people tie rarely?
