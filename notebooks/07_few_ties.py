# %% [markdown]
# # Few ties: is the evaluation fair?
#
# Notebook 7 of 9 of the course · 15 minutes · the same question in the app: *When people tie less*
#
# **Afterwards you can** test whether an evaluation rewards random noise, on a metric of your own.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("07_few_ties")

# %% [markdown]
# A **sentinel** is a metric that should never win. Take a metric with few distinct scores, such as MATESE, which
# counts errors as the experts do and ties many pairs, and add a little random noise: the new metric knows no more than
# the old one, but it never ties. If it wins, the evaluation rewards the wrong thing (Perrella and others 2024,
# [Guardians of the Machine Translation Meta-Evaluation](https://aclanthology.org/2024.acl-long.856)).
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
import numpy as np

data = tk.load_wmt22()
mine = np.round(data.metrics["COMET-22-refA"], 1)  # your own: few distinct scores, many ties
data = data.with_metric("mine", mine)

rng = np.random.default_rng(0)
by_hand = mine + rng.uniform(-0.04, 0.04, mine.shape)  # too little to reverse two scores
for scores in (mine, by_hand):
    made = data.with_metric("tried", scores)
    value = tk.correlate(made, "tried", "acc_eq").value
    ties = tk.count_ties(made, metric="tried", grouping="item").share
    print(f"ties {ties:.3f} of the pairs: acc_eq {value:.3f}")

# %% [markdown]
# Without calibration, noise harms on this set: the experts of MQM tie many pairs, and the noise breaks ties that were
# right. How much noise helps or harms depends on how many pairs the human ties. We weight the pairs as if the human
# had tied fewer of them, or more, and calibrate each metric anew.
#
# MATESE gives few distinct scores. COMET-22 and BLEU almost never tie. `tk.sentinels.perturb` adds noise so small
# that no two different scores change their order. The computation takes some seconds.

# %%
for name in ("MATESE-refA", "mine"):
    data = data.with_metric(f"{name} + noise", tk.sentinels.perturb(data, metric=name))

names = ["MATESE-refA", "MATESE-refA + noise", "mine", "mine + noise", "COMET-22-refA", "BLEU-refA"]
found = tk.sentinels.tie_shares(data, names)
found[["metric", "share", "value", "epsilon", "own"]].head(3).round(3)

# %% [markdown]
# There is one row per metric and share of human ties; `value` is `acc_eq*`, and `own` marks the share that the human
# ties by itself. Drag the rule in the picture: the bars re-sort. Where does a metric with noise stand above the
# metric?

# %%
explorer = tk.widgets.TieShareExplorer(found)
explorer

# %% [markdown]
# `explorer.share` is the share at which the rule stands. `at_zero` are the values if the human ties no pair, one per
# metric; this is how much noise then adds to `mine`:

# %%
at_zero = found[found["share"] == 0].set_index("metric")["value"]
print(f"{at_zero['mine + noise'] - at_zero['mine']:.3f}")

# %% [markdown]
# Without human ties, each tie of a metric is an error. At a large share the best ε ties nearly everything, and all
# metrics are alike. Between the two, calibration ties the noise again.

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** A metric gives every translation of this set the same score. What is its `acc_eq`?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How much does noise add to the `acc_eq*` of MATESE if the human ties no pair?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Which of the six metrics is last there? Answer with its name, as text.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Give a share of human ties at which noise adds at most 0.001 to MATESE.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [08_which_number](08_which_number.ipynb), which number to report.
#
# `check.discuss()` asks questions to be answered in words; `check.discuss(answers=True)` answers them.
