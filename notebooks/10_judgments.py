# %% [markdown]
# # Judgments: what can any metric reach?
#
# Appendix of the course · 15 minutes · the same question in the app: *Judgments*
#
# **Afterwards you can** say why no metric reaches τ = 1 where judges contradict each other, and compute what can be
# reached.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("10_judgments")

# %% [markdown]
# A metric gives one score to each translation, so it cannot agree with a judge who prefers A to B and with another
# one who prefers B to A. The highest value that any scores can reach is below 1, and one can compute it.
#
# Three evaluations rank four translations of one segment of WMT22 Chinese–English (1 is the best): MQM by
# professional translators, direct assessment with Appraise, and direct assessment of WMT (DA). The translations A, B,
# C and D are by AISP-SJTU, JDExploreAcademy, Online-A and Online-W.

# %%
judges = {"MQM": [1, 3, 2, 4], "Appraise": [4, 1, 3, 2], "DA": [1, 4, 3, 2]}
comet_22 = [0.76, 0.81, 0.70, 0.67]

game = tk.widgets.RankingGame(judges, comet_22)
game

# %% [markdown]
# Drag the cards, or move them with the arrow keys. The first order is that of COMET-22. An arrow of the graph leads
# from the translation that the majority prefers to the other one; it is dashed where your ranking contradicts it. The
# gauge shows τ: judgments that agree with your ranking minus those that contradict it, divided by their number.
#
# Can you satisfy all six majorities? `game.metric` are the scores that stand for your ranking.
#
# `tk.judgments.attainable` finds what any metric can reach, also on files with thousands of judgments
# (`tk.judgments.read_rankings("wmt13.csv")`). The number `cap` asks only for the majority on each pair, as Graham and
# others (2015) do; `reachable` is the best value that a ranking really has. They differ where majorities form a
# cycle.

# %%
rows = [(name, "8", dict(zip("ABCD", ranks, strict=True))) for name, ranks in judges.items()]
found = tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows), "tau_14")
found.n_triples, found.n_intransitive

# %% [markdown]
# Of the four triples of translations, one is a cycle: the majority prefers the first to the second, the second to the
# third, and the third to the first.

# %% [markdown]
# ## Exercises
#
# Replace each `...` by your answer and run the cell. Numbers may be rounded as the figure rounds them. Are you stuck?
# `check.hint(1)` gives a hint on exercise 1, the next one each time, and `check.solution(1)` a solution.

# %% [markdown]
# **1.** A judgment compares two translations. How many judgments do the three judges make?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** Leave out the judge DA. Which τ can a ranking reach with the two others?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Give four scores, for A, B, C and D, whose τ is as high as a ranking of all three judges can reach.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** A fourth judge ranks the translations as MQM does. Which τ can a ranking reach now? Add the judge to `rows`.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# `check.summary()` says which exercises are right. `check.discuss()` asks questions to be answered in words, on the
# page of the app's sheet; `check.discuss(answers=True)` answers them.
