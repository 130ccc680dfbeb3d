# %% [markdown]
# # Calibration: how close is a tie?
#
# Notebook 4 of 9 of the course · 20 minutes · the same question in the app: *How close is equal?*
#
# **Afterwards you can** find the best threshold ε* of a metric with a loop of your own and with tiekit, and say what
# it costs.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("04_calibration")

# %% [markdown]
# A metric gives two translations 84 and 85 points. Does it say that the second one is better, or that they are alike?
# **Tie calibration** (Deutsch, Foster and Freitag 2023, [Ties Matter](https://aclanthology.org/2023.emnlp-main.798))
# answers with a threshold ε: scores that differ by at most ε count as tied. ε\* is the smallest threshold at which
# the coefficient is highest.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`. MetricX is
# a metric that almost never gives the same score twice. The answer stands further down, under *Real metrics*.

# %%
guess = ...
check.predict(guess)

# %% [markdown]
# Eight translations, with the penalty of a human annotator (0 is best) and the points of a metric:

# %%
human = [0, 0, -1, -1, -1, -5, -5, -10]
metric = [90, 84, 80, 76, 85, 61, 66, 40]

explorer = tk.widgets.CalibrationExplorer(human, metric).hide_answer()
explorer

# %% [markdown]
# Drag ε along the curve. At each step some pairs become ties. Each of them is a gain where the human ties the pair,
# too, and a loss where the metric had ordered it correctly. The two other curves say how well the metric predicts
# ties and how well it orders pairs ("ranks"), each as an F1: 1 if it finds all of them and claims no others. Up to the
# peak, larger ε gain more ties than they cost in orders. Where the best threshold is, the figure does not tell yet.
#
# ## Calibrate yourself
#
# Two scores within ε count as tied. So a metric ties other pairs only where ε reaches the difference of two of its
# scores: these differences, and 0, are all thresholds that need to be tried.

# %%
from itertools import combinations


def agreement(human, metric, epsilon):
    return tk.correlate(human, metric, "acc_eq", epsilon=epsilon).value


mine = [3.1, 2.9, 2.2, 2.0, 2.3, 1.1, 1.2, 0.4]  # scores of another metric: write your own
differences = sorted({0, *(abs(a - b) for a, b in combinations(mine, 2))})
best = max(differences, key=lambda epsilon: agreement(human, mine, epsilon))
value, value_at_zero = agreement(human, mine, best), agreement(human, mine, 0)
print(f"ε* = {best:.3f}: acc_eq {value:.3f}, and {value_at_zero:.3f} at ε = 0")

# %% [markdown]
# `tk.calibrate` does this for sets of any size, and quickly: it tries every threshold, nothing is sampled. `acc_eq`
# at ε\* is written `acc_eq*`.

# %%
found = tk.calibrate(human, mine)
value, value_at_zero = found.value, found.value_at_zero
print(f"ε* = {found.epsilon:.3f}: acc_eq {value:.3f}, and {value_at_zero:.3f} at ε = 0")

# %% [markdown]
# ## Real metrics
#
# Here are two metrics of WMT22 Chinese–English, where the translations of each segment are compared with each other.
# `tied` is the share of pairs that the metric ties at ε\*, `tied_by_human` that of the human. The first call compiles
# the loops that count pairs, which takes some seconds.

# %%
data = tk.load_wmt22()
for name in ("metricx_xxl_MQM_2020", "BLEU"):
    best = tk.calibrate(data, name)
    print(f"{name}: acc_eq {best.value_at_zero:.3f}, calibrated {best.value:.3f}")
    print(f"    tied {best.meaning.tied:.3f}, tied_by_human {best.meaning.tied_by_human:.3f}")

# %% [markdown]
# Your guess: at its ε\*, MetricX ties 0.512 of the pairs, more than the experts, who tie 0.416. More ties pay as long
# as they hit more pairs that people tie than right orders that are lost. It need not be so: `mine`, above, is best
# where it ties as many pairs as the human.
#
# BLEU ties almost every pair at ε\*: it orders so many of them wrongly that it does better to call them tied. A
# metric that ties every pair would get the 0.416 that the human ties. In a notebook, `best.explore()` shows the
# curve.

# %% [markdown]
# ## Exercises
#
# Use the eight translations at the beginning, `human` and `metric`. Replace each `...` by your answer and run the
# cell. Numbers may be rounded as the figure rounds them. Are you stuck? `check.hint(1)` gives a hint on exercise 1,
# the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** What is ε\* of these scores? Find it by dragging; `explorer.show_answer()` marks it afterwards.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Some pairs that are concordant at ε = 0 become ties at ε\*. How many?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Someone multiplies every metric score by 10. What is ε\* now?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** What is the smallest ε at which the metric ties every pair? Answer with ε. Then compare `acc_eq` there with
# the share of pairs that the human ties.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [05_wmt22](05_wmt22.ipynb), real metrics, and which translations are compared.
#
# `check.discuss()` asks questions to be answered in words; `check.discuss(answers=True)` answers them.
