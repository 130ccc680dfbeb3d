# %% [markdown]
# # Leaderboard: which metric agrees best with the human scores?
#
# The answer changes with the coefficient, because each coefficient counts ties in its own way. Of each pair of
# translations of one segment,
#
# - `acc_eq` rewards a correct order and a tie that the human makes too,
# - `tau_b` leaves out part of the tied pairs, through its divisor,
# - `tau_10` counts each tie of the metric as an error where the human orders the pair, and leaves out human ties,
# - `acc_eq*` is `acc_eq` after calibration: scores that differ by at most ε\* count as tied.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# All metrics of WMT22 Chinese–English, ranked by each of the four. The first call compiles the loops that count
# pairs, which takes some seconds. tiekit may warn that a few scores differ only because of rounding.

# %%
import tiekit as tk

data = tk.load_wmt22()
board = tk.leaderboard(data, coefficients=["tau_b", "acc_eq", "tau_10"], calibrated=["acc_eq"])
ranks = [f"rank({name})" for name in ("tau_b", "acc_eq", "tau_10", "acc_eq*")]
board[ranks].head(8)

# %% [markdown]
# The picture shows the same ranks: one line per metric, from coefficient to coefficient. Choose a line or a name to
# follow one metric.

# %%
explorer = tk.widgets.RankExplorer(board, columns=["tau_10", "tau_b", "acc_eq", "acc_eq*"])
explorer

# %% [markdown]
# Python reads and sets which metric is chosen. MATESE and both GEMBA metrics have few distinct scores, and tie many
# pairs: look where their lines go.

# %%
explorer.metric = "GEMBA-GPT4-DA-refA"
board.loc[explorer.metric, ranks].astype(int)

# %% [markdown]
# A rank does not tell how large a difference is, or whether chance explains it.
# `tk.significance.compare_metrics` tests every two metrics; the notebook `09_swap_explorer` shows how such a test
# works.
#
# Each mean is over the segments where the coefficient is defined. Their number is in columns of its own:

# %%
board[["groups(tau_b)", "undefined(tau_b)", "groups(tau_10)", "groups(acc_eq)"]].head(3)

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("05_leaderboard")

# %% [markdown]
# **1.** Which metric loses the most places from `acc_eq` to `tau_10`? Answer with its name, as text.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Choose MATESE-refA in the picture. By which of the four is its rank worst? Answer with the coefficient's name,
# as text.

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Over how many segments is the mean `tau_b` of MATESE-refA taken?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** All of this was by item. Which metric has the highest `tau_b` without grouping?

# %%
answer = ...
check(4, answer)
