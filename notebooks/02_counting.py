# %% [markdown]
# # Counting: what becomes of each pair?
#
# Notebook 2 of 9 of the course · 20 minutes · the same question in the app: *Ways to count*
#
# **Afterwards you can** name the five kinds of pairs, write Kendall's τ_b from their counts, and say which
# coefficients reward a tie.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("02_counting")

# %% [markdown]
# A human scores six translations, four of them alike. The metric `m1` swaps one pair of 15, and `m2` swaps none, but
# orders all those that are alike. The example is Figure 2 of Deutsch, Foster and Freitag (2023), [Ties
# Matter](https://aclanthology.org/2023.emnlp-main.798). Each pair is of one of five kinds:
#
# | symbol | in Python | the human | the metric |
# |---|---|---|---|
# | C | `concordant` | orders the pair | orders it in the same way |
# | D | `discordant` | orders the pair | orders it the other way round |
# | T_h | `ties_human` | ties the pair | orders it |
# | T_m | `ties_metric` | orders the pair | ties it |
# | T_hm | `ties_both` | ties the pair | ties it |
#
# Guess first: put one of the answers in place of `...`, and run the cell again.

# %%
guess = ...
check.predict(guess)

# %%
human = [0, 0, 0, 0, 1, 2]
metrics = {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}

lab = tk.widgets.TieLab(human, metrics)
lab

# %% [markdown]
# Drag a point to change a score. Drag ε to count close scores of `m2` as tied: at ε = 1 two scores tie if they differ
# by at most 1. Choose a pair to see how every coefficient counts it.
#
# ## Write τ_b yourself
#
# Everything that you see can be read in Python: `lab.counts` are the pairs of each kind, `lab.values` the
# coefficients. Take the concordant pairs minus the discordant ones. Count the pairs that the human orders and those
# that the metric orders, and divide by the square root of their product: this is Kendall's τ_b.


# %%
def tau_b(counts):
    human_orders = counts.concordant + counts.discordant + counts.ties_metric
    metric_orders = counts.concordant + counts.discordant + counts.ties_human
    return (counts.concordant - counts.discordant) / (human_orders * metric_orders) ** 0.5


for name, counts in lab.counts.items():
    print(name, counts)
    print(f"    τ_b {tau_b(counts):.3f}, as tiekit says: {lab.values[name]['tau_b']:.3f}")

# %% [markdown]
# The coefficients differ in what they make of the three kinds of ties:

# %%
names = ["tau_b", "tau_10", "tau_13", "acc_eq"]
{metric: {name: round(lab.values[metric][name], 3) for name in names} for metric in metrics}

# %% [markdown]
# τ_10 and τ_13 leave out every pair that the human ties: for them, `m2` is perfect. τ_b sees hardly any difference
# between the two metrics. `acc_eq`, the share of C and T_hm among all pairs, is far higher for `m1`, because it
# credits the six ties that `m1` gets right.
#
# ## Your own scores
#
# `lab.show(human, metrics)` shows others: two lists of numbers, or the columns of a table. `lab.show([3, 3, 1, 5],
# {"mine": [2, 2.5, 1, 4]})` is an example; `lab.show(human, metrics, 0)` brings the first ones back.

# %% [markdown]
# ## Exercises
#
# Use the six human scores above. Replace each `...` by your answer and run the cell. Numbers may be rounded as the
# figure rounds them. Are you stuck? `check.hint(1)` gives a hint on exercise 1, the next one each time, and
# `check.solution(1)` a solution.

# %% [markdown]
# **1.** Change one score of `m2` so that it ties exactly one pair that the human ties as well, and no other pair.
# Answer with its six scores, or drag and answer `lab.metrics["m2"]`.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** At ε = 1, how many pairs do both the human and `m2` tie?

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

# %%
check.summary()

# %% [markdown]
# **Next:** [03_missing_segments](03_missing_segments.ipynb), what if there is nothing to count?
#
# `check.summary()` says which exercises are right. `check.discuss()` asks questions to be answered in words, on the
# page of the app's sheet; `check.discuss(answers=True)` answers them.
