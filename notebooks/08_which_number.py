# %% [markdown]
# # Which number should I report?
#
# Notebook 8 of 9 of the course · 15 minutes · the same question in the app: *Which number?*
#
# **Afterwards you can** choose the number to report for your data, check its threshold on held-out documents, and
# sign it.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("08_which_number")

# %% [markdown]
# You know by now that a number depends on the coefficient, the pairs, the threshold, and on how often people tie. So
# which one goes into a paper?
#
# Guess first: put one of the answers in place of `...`, and run the cell again.

# %%
guess = ...
check.predict(guess)

# %%
data = tk.load_wmt22()
advice = tk.measures.which_number(data)
print(advice.text)

# %% [markdown]
# An evaluation set answers four of the five questions itself; the fifth is what the metric is for (`purpose=`).
# Without a set, answer them yourself. Here people tie every twelfth pair, as they do when they give 0 to 100 points.
# Change the answers to those of your own data:

# %%
own = tk.measures.which_number(ties=0.08, groups="several", scales="both", systems=14, purpose="segments")
print(own.paragraph)

# %% [markdown]
# `paragraph` is the same advice as a paragraph for a paper.
#
# ## Does ε\* hold on other documents?
#
# A threshold that is found on the test set itself makes its own value look better. `tk.cross_validate` finds ε\* on
# four fifths of the documents and takes the value on the last fifth. `loss` is what that costs beside the best ε of
# that fifth.

# %%
tk.cross_validate(data, "BLEURT-20").folds.round(4)

# %% [markdown]
# ## Sign the number
#
# The same name, `acc_eq*`, can stand for many numbers: of other pairs, with another ε, on other data. A **signature**
# says which one it is.

# %%
board = tk.leaderboard(data, metrics=["COMET-22", "BLEURT-20"], coefficients=["tau_b", "acc_eq", "acc_eq*"])
print(board)
print(board.attrs["signatures"]["acc_eq*"]["BLEURT-20-refA"])

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** Give a share of human ties at which the advice is not to rank all metrics by `acc_eq*` alone.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How much does COMET-22 lose, on average over the five folds, if its ε\* is found on other documents?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Give the signature of `acc_eq*` of COMET-22.

# %%
answer = ...
check(3, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [09_your_own_scores](09_your_own_scores.ipynb), your own scores, and a language model as a judge.
