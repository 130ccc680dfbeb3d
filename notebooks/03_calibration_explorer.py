# %% [markdown]
# # Calibration: how close is a tie?
#
# A metric gives two translations 84 and 85 points. Does it say that the second one is better, or that they are alike?
# **Tie calibration** (Deutsch, Foster and Freitag 2023, [Ties Matter](https://aclanthology.org/2023.emnlp-main.798))
# answers with a threshold ε: scores that differ by at most ε count as tied. It tries every difference between two of
# the metric's scores, and keeps ε\*, the smallest threshold at which the coefficient is highest.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# Eight translations, the penalty of a human annotator (0 is best) and the points of a metric:

# %%
import tiekit as tk

human = [0, 0, -1, -1, -1, -5, -5, -10]
metric = [90, 84, 80, 76, 85, 61, 66, 40]

explorer = tk.widgets.CalibrationExplorer(human, metric)
explorer

# %% [markdown]
# Drag ε along the curve. At each step some pairs become ties. Each of them is a gain where the human ties the pair,
# too, and a loss where the metric had ordered it correctly. The two other curves say how well the metric predicts
# ties and how well it predicts ranks: as ε grows, one is paid for by the other.
#
# Python reads and sets the same threshold.

# %%
for epsilon in (0, 5, 20):
    explorer.epsilon = epsilon
    print(f"ε = {epsilon}: acc_eq {explorer.value:.3f}, {explorer.counts}")

# %% [markdown]
# `tk.calibrate` finds ε\* of sets of any size. It tries every threshold: nothing is sampled. Here are two metrics of
# WMT22 Chinese–English, where the translations of each segment are compared with each other. The number `tied` is the
# share of pairs that the metric ties at ε\*, `tied_by_human` that of the human.

# %%
data = tk.load_wmt22()
for name in ("COMET-22", "BLEU"):
    best = tk.calibrate(data, name)
    print(f"{name}: acc_eq {best.value_at_zero:.3f}, calibrated {best.value:.3f}")
    print(f"    tied {best.meaning.tied:.3f}, tied_by_human {best.meaning.tied_by_human:.3f}")

# %% [markdown]
# BLEU ties almost every pair at ε\*: it orders so many of them wrongly that it does better to call them tied.
#
# ## Exercises
#
# Use the eight translations above. Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("03_calibration_explorer")

# %% [markdown]
# **1.** What is ε\* of these scores? Find it by dragging; `explorer.best` would tell you.

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
# **4.** At which smallest ε does the metric tie every pair? Compare `acc_eq` there with the share of pairs that the
# human ties.

# %%
answer = ...
check(4, answer)
