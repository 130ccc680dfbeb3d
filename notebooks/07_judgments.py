# %% [markdown]
# # Judgments: what can any metric reach?
#
# Judges contradict each other. A metric gives one score to each translation, so it cannot agree with a judge who
# prefers A to B and with another one who prefers B to A. The highest value that any scores can reach is below 1, and
# one can compute it.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first:
# the folder of its source code, or its wheel.
#
# Three evaluations rank four translations of one segment of WMT22 Chinese–English (1 is the best): MQM by professional
# translators, direct assessment with Appraise, and direct assessment of WMT (DA). The translations A, B, C and D are by
# AISP-SJTU, JDExploreAcademy, Online-A and Online-W.

# %%
import tiekit as tk

judges = {"MQM": [1, 3, 2, 4], "Appraise": [4, 1, 3, 2], "DA": [1, 4, 3, 2]}
comet_22 = [0.76, 0.81, 0.70, 0.67]

game = tk.widgets.RankingGame(judges, comet_22)
game

# %% [markdown]
# Drag the cards, or move them with the arrow keys. The first order is that of COMET-22. An arrow of the graph leads
# from the translation that the majority prefers to the other one; it is dashed where your ranking contradicts it. The
# gauge shows τ: judgments that agree with your ranking minus those that contradict it, divided by their number.
#
# Can you satisfy all six majorities? Python reads and sets the scores that stand for your ranking:

# %%
game.metric = [4, 3, 2, 1]
game.metric

# %% [markdown]
# `tk.judgments.attainable` finds what any metric can reach, also on files with thousands of judgments
# (`tk.read_rankings`). The number `cap` asks only for the majority on each pair, as Graham and others (2015) do;
# `reachable` is the best value that a ranking really has. They differ where majorities form a cycle.

# %%
rows = [(name, "8", dict(zip("ABCD", ranks, strict=True))) for name, ranks in judges.items()]
found = tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows), "tau_14")
found.n_triples, found.n_intransitive

# %% [markdown]
# Of the four triples of translations, one is a cycle: the majority prefers the first to the second, the second to the
# third, and the third to the first.
#
# ## Exercises
#
# Replace each `...` by your answer and run the cell.

# %%
check = tk.exercises.of_notebook("07_judgments")

# %% [markdown]
# **1.** A judgment compares two translations. How many judgments do the three judges make?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** On each pair, two of three judges agree. Which τ would a metric have that agrees with every majority?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Give four scores, for A, B, C and D, whose τ is as high as a ranking can reach.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** A fourth judge ranks the translations as MQM does. Which τ can a ranking reach now? Add the judge to `rows`.

# %%
answer = ...
check(4, answer)
