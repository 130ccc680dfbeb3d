# %% [markdown]
# # Tie lab: what becomes of each pair?
#
# Kendall's τ and `acc_eq` compare **pairs** of translations. Each pair is of one of five kinds:
#
# | symbol | name | the human | the metric |
# |---|---|---|---|
# | C | concordant | orders the pair | orders it in the same way |
# | D | discordant | orders the pair | orders it the other way round |
# | T_h | human tie | ties the pair | orders it |
# | T_m | metric tie | orders the pair | ties it |
# | T_hm | tie of both | ties the pair | ties it |
#
# The coefficients differ in what they make of the three kinds of ties. Here you change scores and see it happen.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# The example is Figure 2 of Deutsch, Foster and Freitag (2023), [Ties
# Matter](https://aclanthology.org/2023.emnlp-main.798). A human scores six translations, four of them alike. The
# metric `m1` gets one pair of 15 wrong, `m2` gets six wrong.

# %%
import tiekit as tk

human = [0, 0, 0, 0, 1, 2]
metrics = {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}

lab = tk.widgets.TieLab(human, metrics)
lab

# %% [markdown]
# Drag a point to change a score. Drag ε to count close scores of one metric as tied: at ε = 1 two scores of `m2` tie
# if they differ by at most 1. The buttons beside ε choose another metric. Choose a pair to see how every coefficient
# counts it.
#
# Everything that you see can be read in Python: `lab.counts` are the pairs of each kind, `lab.values` the
# coefficients.

# %%
lab.counts["m2"]

# %%
names = ["tau_b", "tau_10", "tau_13", "acc_eq"]
{metric: {name: round(lab.values[metric][name], 3) for name in names} for metric in metrics}

# %% [markdown]
# τ_10 and τ_13 leave out every pair that the human ties: for them, `m2` is perfect. τ_b sees hardly any difference
# between the two metrics. `acc_eq`, the share of C and T_hm among all pairs, is far higher for `m1`, because it
# credits the six ties that `m1` gets right.
#
# You can also set the lab from Python. `lab.show(human, metrics)` shows other scores.

# %%
lab.epsilon = 1
round(lab.values["m2"]["acc_eq"], 3)

# %% [markdown]
# ## Exercises
#
# Use the six human scores above. Replace each `...` by your answer and run the cell. If you have changed the scores
# in the lab, `lab.show(human, metrics, 0)` brings the first ones back.

# %%
check = tk.exercises.of_notebook("01_tie_lab")

# %% [markdown]
# **1.** At ε = 0, how many pairs does the human tie and `m2` order?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Drag ε. At which smallest ε does `acc_eq` of `m2` reach its highest value?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Find six metric scores for which τ_b is undefined. Answer with a list, or drag `m1` and answer
# `lab.metrics["m1"]`.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Find six metric scores that τ_13 calls perfect (τ_13 = 1) although `acc_eq` is below 0.5 (at ε = 0).

# %%
answer = ...
check(4, answer)
