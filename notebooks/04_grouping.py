# %% [markdown]
# # Grouping: which translations are compared with which?
#
# Several systems translate several segments. A human and a metric score each translation. Agreement is counted over
# **pairs** of translations, and there are four ways to choose the pairs:
#
# - **without grouping** (`"global"`): any two translations,
# - **by item** (`"item"`): two translations of the same segment; the values of all segments are averaged,
# - **by system** (`"system"`): two translations by the same system; the values of all systems are averaged,
# - **system means** (`"system_means"`): first the scores of each system are averaged, then the systems are compared.
#
# The same scores can make either of two metrics win.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# Four systems (rows) of WMT22 Chinese–English on five consecutive segments (columns) of one news article, with their
# human scores (MQM, 0 is best) and two metrics. COMET-20 compares a translation with a reference, COMET-QE with the
# source alone. This part was chosen because the effect is large here.

# %%
import tiekit as tk

human = [
    [-2, -12.1, -5.1, -22.3, -19.1],
    [0, -17, -6, -11, -25],
    [-10, -11, -5, -10, -32],
    [-1, -19, -10, -10.2, -26],
]
comet_20 = [
    [0.354, 0.376, 0.027, -0.439, 0.230],
    [0.669, 0.258, 0.277, 0.163, 0.333],
    [0.227, 0.347, 0.332, 0.217, 0.317],
    [-0.134, -0.146, 0.239, -0.230, 0.126],
]
comet_qe = [
    [0.088, -0.010, 0.024, -0.011, 0.002],
    [0.083, -0.009, 0.040, 0.005, 0.004],
    [0.093, 0.005, 0.044, 0.008, 0.006],
    [0.078, -0.031, 0.037, -0.012, -0.009],
]

explorer = tk.widgets.GroupingExplorer(
    human,
    {"COMET-20": comet_20, "COMET-QE": comet_qe},
    systems=["AISP-SJTU", "HuaweiTSC", "Online-G", "Online-Y"],
    segments=["275", "276", "277", "278", "279"],
)
explorer

# %% [markdown]
# Choose one grouping after the other. The frames show which scores are compared with each other, and the bars which
# metric wins. Choose a cell to see with which others it makes pairs.
#
# Without grouping, most pairs are of two different segments. COMET-QE knows which segments are hard to translate, and
# wins. By item only translations of one segment are compared, and COMET-20 knows better which of them is good.
#
# The figure and Python share one state:

# %%
explorer.grouping = "item"
explorer.grouping

# %% [markdown]
# `tk.correlate` takes the same names, for matrices and sets of any size. On the whole of WMT22 Chinese–English the two
# metrics swap their order in the same way, by less. (tiekit may warn that a few scores differ only because of
# rounding.)

# %%
data = tk.load_wmt22()
for grouping in tk.GROUPINGS:
    values = {name: tk.correlate(data, name, "tau_b", grouping=grouping) for name in ("COMET-20", "COMET-QE")}
    print(f"{grouping}: " + ", ".join(f"{name} {value:.3f}" for name, value in values.items()))

# %% [markdown]
# ## Exercises
#
# Use the four systems and five segments above, and `acc_eq`. Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("04_grouping")

# %% [markdown]
# **1.** How many pairs are compared by item, in all five segments together?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** What is the `acc_eq` of COMET-20 by item?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Under which grouping is the `acc_eq` of COMET-QE highest? Answer with its name in `tk.GROUPINGS`, as text.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** A metric has read no translation. It gives all systems the same score on a segment. Give its five scores, one
# per segment, so that without grouping it has a higher `acc_eq` than COMET-20.

# %%
answer = ...
check(4, answer)
