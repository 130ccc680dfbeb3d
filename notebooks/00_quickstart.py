# %% [markdown]
# # Quickstart: a calibrated leaderboard of real metrics
#
# Human annotators often give two translations the same score: they **tie**. Most metrics almost never do, and a small
# difference between two metric scores may mean nothing. tiekit counts ties exactly and finds, for each metric, how
# close two of its scores must be to count as tied.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# tiekit comes with real scores: the outputs of systems that translate Chinese into English, from the WMT22 metrics
# task.

# %%
import tiekit as tk

data = tk.load_wmt22()
print(f"{len(data.systems)} systems, {len(data.segments)} segments, {len(data.metrics)} metrics, human: {data.gold}")

# %% [markdown]
# ## The leaderboard
#
# For each segment, the translations of two systems are a **pair**. `acc_eq` is the share of pairs that the metric
# gets right: it orders them as the human does, or ties them where the human ties them. `tau_b` is a form of Kendall's
# τ.
#
# The star of `acc_eq*` stands for **calibration**. Two metric scores that differ by at most ε count as tied, and ε\*
# (in the column `epsilon(acc_eq)`) is the smallest threshold ε that makes `acc_eq` as large as possible.
#
# The first call compiles the loops that count pairs, which takes some seconds. The warnings say that a few scores
# differ only because of rounding, and that tiekit does not count these as ties.

# %%
board = tk.leaderboard(data, coefficients=["tau_b", "acc_eq", "acc_eq*"])
board[["tau_b", "acc_eq", "acc_eq*", "epsilon(acc_eq)"]].round(3)

# %% [markdown]
# Compare the columns `acc_eq` and `acc_eq*`: calibration changes which metric is best.
#
# ## Drag ε
#
# The curve below is `acc_eq` of COMET-22 at every threshold. Drag the line, or choose it and use the arrow keys. At ε
# = 0 hardly any pair is tied; at a large ε every pair is. The best threshold lies between them.

# %%
explorer = tk.widgets.CalibrationExplorer(data, "COMET-22")
explorer

# %% [markdown]
# The figure and Python share one state. Set ε here and the line moves. Drag the line, and `explorer.epsilon` and
# `explorer.value` are what you see.

# %%
explorer.epsilon = 0.05
round(explorer.value, 3)

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded to three decimals. A wrong answer is met
# with what to look at.

# %%
check = tk.exercises.of_notebook("00_quickstart")

# %% [markdown]
# **1.** Which metric has the highest `acc_eq` *without* calibration? Answer with its name, as text.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How much does calibration add to the `acc_eq` of BLEU?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** The board also has the columns `rank(acc_eq)` and `rank(acc_eq*)`. Which metric loses the most places when
# every metric is calibrated?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** What is `acc_eq` of COMET-22 at ε = 0.3? Predict first: is it above or below the value at ε\*?

# %%
answer = ...
check(4, answer)
