# %% [markdown]
# # Missing segments: what if a coefficient is undefined?
#
# Notebook 3 of 9 of the course · 15 minutes · the same question in the app: *The missing segment*
#
# **Afterwards you can** say why τ_b has no value for some segments, compute three kinds of averages, and see how a
# metric can gain by saying less.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("03_missing_segments")

# %% [markdown]
# WMT, the yearly Conference on Machine Translation, compares metrics on **segments** (mostly one sentence each), which
# several **systems** (programs that translate) have translated. For each segment a coefficient compares the
# translations of all systems with each other; then it is averaged over the segments. τ_b divides by a root: that of
# the number of pairs that the human orders times the number that the metric orders. Where all human scores or all
# metric scores of a segment are alike it divides by zero: it is **undefined**, and the segment has **no value**.
#
# Four systems (rows) translate six segments (columns). The metric `bold` orders the systems of every segment;
# `cautious` gives, on most segments, all four systems the same score.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
human = [
    [0, 0, -1, 0, -5, 0],
    [-1, 0, -1, -5, 0, 0],
    [-5, -1, 0, -1, -1, 0],
    [-10, -5, -5, -1, -1, 0],
]
bold = [
    [0.9, 0.8, 0.5, 0.8, 0.3, 0.9],
    [0.7, 0.9, 0.6, 0.2, 0.7, 0.8],
    [0.8, 0.4, 0.7, 0.3, 0.6, 0.85],
    [0.2, 0.5, 0.4, 0.5, 0.8, 0.7],
]
cautious = [
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1],
    [0, 1, 1, 1, 1, 1],
    [0, 0, 1, 1, 1, 1],
]

# %% [markdown]
# ## Three averages
#
# `tk.correlate` computes τ_b for each segment; `per_group` are these values. NaN stands for *not a number*.

# %%
import numpy as np

metrics = {"bold": bold, "cautious": cautious}
taus = {name: tk.correlate(human, scores, "tau_b").per_group for name, scores in metrics.items()}
for name, values in taus.items():
    print(name, np.round(values, 2))

# %% [markdown]
# Three rules are in use for a segment without a value:
#
# - **drop**: leave the segment out of the average of this metric, as WMT has done,
# - **zero**: count the segment as 0,
# - **common**: leave out, for every metric, each segment on which any metric is undefined.

# %%
common = ~np.isnan(list(taus.values())).any(axis=0)
for name, values in taus.items():
    drop, zero = np.nanmean(values), np.nan_to_num(values).mean()
    print(f"{name}: drop {drop:.3f}, zero {zero:.3f}, common {values[common].mean():.3f}")

# %% [markdown]
# Under *drop*, `cautious` is judged by two segments only. On these it is better than `bold`, so it wins under
# *common*, too. On the others it says nothing, which costs it nothing, while `bold` must do well on five segments.
# Under *zero* each segment without a value costs, and `bold` wins. Choose this rule in the figure and watch the two
# metrics swap ranks. Choose a cell to see the scores of that segment.

# %%
explorer = tk.widgets.NaNExplorer(human, metrics)
explorer

# %% [markdown]
# `explorer.values` are the averages, and `explorer.undefined = "zero"` chooses a rule. `tk.correlate` takes the rule
# as an argument, `undefined="zero"`, and tells how many segments (groups of pairs) have no value,
# whatever the rule:

# %%
found = tk.correlate(human, bold, "tau_b")
print(f"{found.n_undefined} of {found.n_groups + found.n_undefined} segments are undefined for bold")

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** You may make the four scores of `bold` equal on one more segment. On which one does its average under *drop*
# rise most? Two segments do alike: answer with the number of one; the figure numbers them from 1.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** On segment 6, τ_b has no value for any metric, whatever its scores. Change one of the four human scores there,
# so that τ_b of `bold` is positive on it. Answer with the four human scores of segment 6.

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** After the change of exercise 1, what is the average τ_b of `bold` under *zero*? Answer with the number.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Choose other coefficients in the figure. Name one that is defined on all six segments, so that the three rules
# give the same ranking. Names are written as in `list(tk.COEFFICIENTS)`; `"tau_b"`, for example, is a name but not an
# answer.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [04_calibration](04_calibration.ipynb), how close is a tie?
#
# `check.discuss()` asks questions to be answered in words; `check.discuss(answers=True)` answers them.
