# %% [markdown]
# # WMT22: which metric is best, and on which pairs?
#
# Notebook 5 of 9 of the course · 30 minutes · the same question in the app: *WMT22, and Grouping*
#
# **Afterwards you can** put a metric of your own on a leaderboard of real ones, and say how its rank depends on the
# coefficient and on the pairs that are compared.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("05_wmt22")

# %% [markdown]
# Experts scored translations of WMT22, the Conference on Machine Translation of 2022, from Chinese to English: they
# marked errors and weighted them (Multidimensional Quality Metrics, **MQM**). 24 metrics scored the same translations.
# GEMBA asks a language model for a score from 0 to 100: GEMBA-GPT4 asks GPT-4, GEMBA-Dav3 an older model, Davinci-003.
# MATESE marks errors and counts them, as the experts do. MetricX, COMET, UniTE and BLEURT are neural networks trained
# on human scores; BLEU and chrF count what words or letters are shared with a reference.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
data = tk.load_wmt22()
print(f"{len(data.segments)} segments, {len(data.metrics)} metrics, human score: {data.gold}")

# %% [markdown]
# ## A metric of your own
#
# A metric is an array with one row per system and one column per segment. Here it is the sum of two others, after each
# is brought to the same scale. Try another idea: `data.lengths.outputs` has the number of characters of each
# translation. The ending of a name says what the metric read: `-refA` the reference A, `-src` the source sentence
# alone. Some metrics have one more ending of their own: UniTE can read the reference (UniTE-ref), the source or both.
# Where it is clear, the ending may be left out; figures show short names, such as MetricX for
# `metricx_xxl_MQM_2020-refA`.

# %%
import numpy as np


def standardized(name):
    scores = data.metrics[name]
    return (scores - np.nanmean(scores)) / np.nanstd(scores)


more = data.with_metric("mine", standardized("COMET-22-refA") + standardized("MATESE-refA"))
board = tk.leaderboard(more, coefficients=["tau_b", "acc_eq", "tau_10"], calibrated=["acc_eq"])
ranks = [f"rank({name})" for name in ("tau_b", "acc_eq", "tau_10", "acc_eq*")]
print(board.loc["mine", ranks].astype(int).to_dict())
board[ranks].head(6)

# %% [markdown]
# The answer changes with the coefficient, because each coefficient counts ties in its own way. The picture shows the
# same ranks: one line per metric. Choose a line or a name to follow one metric. `acc_eq*` is `acc_eq` at each metric's
# best ε. MATESE and both GEMBA metrics have few distinct scores, and tie many pairs: look where their lines go.

# %%
explorer = tk.widgets.RankExplorer(board, columns=["tau_10", "tau_b", "acc_eq", "acc_eq*"])
explorer

# %% [markdown]
# `explorer.metric` is the chosen metric; `explorer.metric = "mine"` chooses yours.
#
# ## Which pairs?
#
# So far the two translations of a pair were of one segment. There are four ways to choose the pairs:
#
# - **without grouping** (`"global"`): any two translations,
# - **by item** (`"item"`): two translations of the same segment; the values of all segments are averaged,
# - **by system** (`"system"`): two translations by the same system; the values of all systems are averaged,
# - **system means** (`"system_means"`): first the scores of each system are averaged, then the systems are compared.
#
# Four systems (rows) on five consecutive segments (columns) of one news article, and two metrics. COMET-20 compares a
# translation with a reference, COMET-QE with the source alone. This part was chosen because the effect is large here.

# %%
systems, segments = ["AISP-SJTU", "HuaweiTSC", "Online-G", "Online-Y"], slice(274, 279)
rows = [data.systems.index(name) for name in systems]
human = data.human["mqm"][rows, segments]
names = {"COMET-20": "COMET-20-refA", "COMET-QE": "COMET-QE-src"}
two = {short: data.metrics[name][rows, segments].round(3) for short, name in names.items()}

groups = tk.widgets.GroupingExplorer(human, two, systems=systems)
groups

# %% [markdown]
# Choose one grouping after the other. The frames show which scores are compared with each other, and the bars which
# metric wins. Without grouping, most pairs are of two different segments. COMET-QE knows which segments are hard to
# translate, and wins. By item only translations of one segment are compared, and COMET-20 knows better which of them
# is good.
#
# On the whole of WMT22 Chinese–English the two metrics swap their order in the same way, by less:

# %%
for grouping in tk.GROUPINGS:
    values = (tk.correlate(data, name, "tau_b", grouping=grouping).value for name in two)
    print(grouping, dict(zip(two, np.round([*values], 3).tolist(), strict=True)))

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** Which published metric gains the most places from `acc_eq` to `tau_10`? Answer with its name, as text.

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** All of the leaderboard was by item. Which published metric has the highest `tau_b` without grouping?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** In the figure of four systems and five segments: how many pairs are compared by item, in all five segments
# together?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Invent a metric that reads no translation: it gives all systems the same score on a segment. Give its five
# scores, one per segment of the figure, so that without grouping it has a higher `acc_eq` than COMET-20.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [06_chance](06_chance.ipynb), could the difference be chance?
#
# `check.discuss()` asks questions to be answered in words; `check.discuss(answers=True)` answers them. One of them is
# about *rank clusters*: down a leaderboard from the best, a metric that differs significantly from any metric of the
# present cluster begins the next one. Notebook 6 says what *significantly* means.
