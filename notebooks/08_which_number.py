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
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
from IPython.display import Markdown

data = tk.load_wmt22()
advice = tk.measures.which_number(data)
Markdown(advice.text.replace("\n", "\n\n"))

# %% [markdown]
# An evaluation set answers four of the five questions itself; the fifth is what the metric is for (`purpose=`).
# Without a set, answer them yourself; `scales="both"` says that some metrics give few different scores (discrete) and
# others many (continuous). `paragraph` is the advice as a paragraph for a paper. Change the answers to those of your
# own data:

# %%
own = tk.measures.which_number(
    ties=0.3,
    groups="several",
    scales="both",
    systems=14,
    purpose="segments",
)
Markdown(own.paragraph)

# %% [markdown]
# The advice is another one where people rarely tie (exercise 1): it then names the numbers of notebook 7. The *rank
# interval* of a metric is its best and its worst rank over all shares of human ties, and the *gain of noise* is what
# random noise adds to a metric that ties.
#
# ## Does ε\* hold on other documents?
#
# A threshold that is found on the test set itself makes its own value look better. `tk.cross_validate` finds ε\* on
# four fifths of the documents and takes the value on the last fifth, for each fifth (**fold**) in turn. `loss` is what
# that costs beside the best ε of that fold.

# %%
tk.cross_validate(data, "BLEURT-20").folds.round(4)

# %% [markdown]
# ## Sign the number
#
# The same name, `acc_eq*`, can stand for many numbers: of other pairs, with another ε, on other data. A **signature**
# says which one it is. In it, `left_out:refA` means that the reference A, which is in the set as a translation too,
# was not compared with the systems, and `undefined:drop` is the rule of notebook 3.

# %%
two = ["COMET-22", "BLEURT-20"]
board = tk.leaderboard(data, metrics=two, coefficients=["tau_b", "acc_eq", "acc_eq*"])
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
# **2.** How much does COMET-22 lose, on average over the five fifths of the documents (folds), if its ε\* is found on
# other documents?

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
