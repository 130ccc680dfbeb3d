# %% [markdown]
# # Counting: what becomes of each pair?
#
# Notebook 2 of 9 of the course · 25 minutes · the same question in the app: *Ways to count*
#
# **Afterwards you can** name the five kinds of pairs, compute Kendall's τ_b from their counts, and say which
# coefficients reward a tie.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("02_counting")

# %% [markdown]
# A human scores six translations, four of them alike. The metric `m1` swaps one pair of 15. `m2` swaps none, but gives
# different scores to the four that the human scores alike. The example is Figure 2 of Deutsch, Foster and Freitag
# (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). Each pair is of one of five kinds:
#
# | symbol | in the figure | in Python | the human | the metric |
# |---|---|---|---|---|
# | C | C | `concordant` | orders the pair | orders it in the same way |
# | D | D | `discordant` | orders the pair | orders it the other way round |
# | T_h | h | `ties_human` | ties the pair | orders it |
# | T_m | m | `ties_metric` | orders the pair | ties it |
# | T_hm | = | `ties_both` | ties the pair | ties it |
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %% [markdown]
# In the figure, type other scores, or drag a point: the points are at the end of the figure. Drag the ball to set ε,
# the largest difference that counts as a tie of `m2`. Choose a pair to see how every coefficient counts it. The figure
# compares ten coefficients; two of them, Pearson's r and Spearman's ρ, count no pairs.

# %%
human = [0, 0, 0, 0, 1, 2]
metrics = {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}

lab = tk.widgets.TieLab(human, metrics)
lab

# %% [markdown]
# Everything that you see can be read in Python: `lab.counts` are the pairs of each kind, `lab.values` the
# coefficients.
#
# ## τ_b from the counts
#
# Take the concordant pairs minus the discordant ones. Count the pairs that the human orders and those that the metric
# orders, and divide by the square root of their product: this is Kendall's τ_b. The scores are those above, whatever
# you have dragged. (`n_distinct` counts the human's different scores.)


# %%
def tau_b(counts):
    human_orders = counts.concordant + counts.discordant + counts.ties_metric
    metric_orders = counts.concordant + counts.discordant + counts.ties_human
    return (counts.concordant - counts.discordant) / (human_orders * metric_orders) ** 0.5


for name, scores in metrics.items():
    counts = tk.count_pairs(human, scores)
    print(name, counts)
    value = tk.correlate(human, scores, "tau_b").value
    print(f"    τ_b {tau_b(counts):.3f}, as tiekit says: {value:.3f}")

# %% [markdown]
# The coefficients differ in what they make of the three kinds of ties. τ_10 and τ_13 are named after 2010 and 2013,
# when WMT, the yearly Conference on Machine Translation, used them.
#
# | coefficient | T_h | T_m | T_hm |
# |---|---|---|---|
# | τ_10 | left out | an error | left out |
# | τ_13 | left out | left out | left out |
# | acc_eq | an error | an error | right |

# %%
names = ["tau_b", "tau_10", "tau_13", "acc_eq"]
{
    metric: {name: round(tk.correlate(human, scores, name).value, 3) for name in names}
    for metric, scores in metrics.items()
}

# %% [markdown]
# τ_10 and τ_13 leave out every pair that the human ties: for them, `m2` is perfect. τ_b sees hardly any difference
# between the two metrics. `acc_eq`, the share of C and T_hm among all pairs, is far higher for `m1`, because it
# credits the six ties that `m1` gets right.
#
# ## Your own scores
#
# `lab.show(human, metrics)` shows others: two lists of numbers, or the columns of a table. `lab.show([3, 3, 1, 5],
# {"mine": [2, 2.5, 1, 4]})` is an example; `lab.show(human, metrics, 0)` brings the first ones back, with ε = 0.

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
# **2.** At ε = 1, how many pairs do both the human and `m2` tie? Take `m2` as it was at first: `lab.show(human,
# metrics, 1)` shows it so.

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
# `check.discuss()` asks questions to be answered in words; `check.discuss(answers=True)` answers them.
