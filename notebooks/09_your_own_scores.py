# %% [markdown]
# # Your own scores, and a language model as a judge
#
# Notebook 9 of 9 of the course · 30 minutes · the same question in the app: *LLM as a judge*
#
# **Afterwards you can** read scores of your own, see where your metric stands, evaluate a judge, and write the
# paragraph of your paper.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("09_your_own_scores")

# %% [markdown]
# Everything so far works on your own data. This notebook reads a table of scores, then the votes of judges, and ends
# with the final task of the course.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %% [markdown]
# ## Scores of your own

# %%
import numpy as np
import pandas as pd
from IPython.display import Markdown

data = tk.load_wmt22()
lengths = pd.DataFrame(data.lengths.outputs, index=data.segments)  # characters: segments × systems
scores = -lengths.sub(lengths.median(axis=1), axis=0).abs()
scores = scores.rename_axis("segment").reset_index()
table = scores.melt("segment", var_name="system", value_name="mine")
table.head(3)

# %% [markdown]
# This metric of one's own takes a point off for each character by which a translation is longer or shorter than the
# middle one. The table has one row per translation, and names its system and its segment: the order of rows does not
# matter. A file of this form (CSV, TSV, JSON lines, Excel) is read in the same way: `data.with_scores("mine.csv")`.

# %%
more = data.with_scores(table)
print(more.notes[-1])
Markdown(tk.standing(more, "mine").sentence)

# %% [markdown]
# `mine` scores all 20 systems, and 15 are compared: four have no scores of the experts, and `refA` is the reference.
# Down the list from the best, a metric that differs significantly from any metric of the present **cluster** begins
# the next cluster.
#
# A whole set of your own needs a column of human scores as well: `tk.read("campaign.csv")`, or
# `tk.read_table(frame)`.
#
# ## A judge that gives scores
#
# GEMBA asks a language model for a score from 0 to 100. It is a metric like any other, but it ties often. Many judges
# are asked for 1 to 5 only:

# %%
gemba = data.metrics["GEMBA-GPT4-DA-refA"]
five = np.minimum(gemba // 20 + 1, 5)
for scores in (gemba, five):
    print("distinct scores:", len(np.unique(scores[~np.isnan(scores)])))
print(f"the experts tie {tk.count_ties(data, grouping='item').share:.3f} of the pairs")

# %% [markdown]
# ## A judge that prefers one of two answers
#
# In Chatbot Arena or MT-bench, a judge sees two answers and votes for one of them, or for a tie. The votes that come
# with tiekit are invented. `person` stands for people, Atlas and Boreas are two judges. A file of your own is read by
# `tk.votes.read_votes("votes.csv")`.

# %%
votes = tk.votes.read_votes(tk.examples().path["votes"])
people = votes.by("person")
agreements = {name: tk.votes.agreement(votes.by(name), people) for name in ("Atlas", "Boreas")}
for name, found in agreements.items():
    print(f"{name}: says tie in {found.judge_ties:.0%} of its votes, people in {found.human_ties:.0%}")

# %%
figure = tk.widgets.JudgeVotes(people, {name: votes.by(name) for name in agreements})
figure

# %% [markdown]
# A judge may give a strength with each vote: below the threshold that you drag, its preference counts as a tie.
#
# ## The final task
#
# Suppose that GEMBA-GPT4 is your metric, and MetricX (`metricx_xxl_MQM_2020`) the best of the others. Yours wins by
# τ_b and loses by `acc_eq*`:

# %%
two = ["GEMBA-GPT4-DA", "metricx_xxl_MQM_2020"]
board = tk.leaderboard(data, metrics=two, coefficients=["tau_b", "acc_eq*"])
board[["tau_b", "acc_eq*"]]

# %% [markdown]
# ## Exercises
#
# The fourth one is the final task. Replace each `...` by your answer and run the cell. Numbers may be rounded as the
# figure rounds them. Are you stuck? `check.hint(1)` gives a hint on exercise 1, the next one each time, and
# `check.solution(1)` a solution.

# %% [markdown]
# **1.** Which share of the pairs does the judge of five classes tie, by item?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** How much more does Boreas agree with people than Atlas, if ties count (`with_ties`)?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Atlas sees some pairs of answers twice, in both orders. In which share of them does it give the same verdict?

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** Write the paragraph on your metric for a paper: the four numbers, which translations are compared, why the
# two coefficients disagree, and which one you report. Answer with the paragraph, as text. The check reads the numbers,
# and whose each one is: write the metric and the coefficient before it.

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **The end of the course.** Three notebooks are an appendix: [10_judgments](10_judgments.ipynb), on what any metric
# can reach, [11_measures](11_measures.ipynb), on what else can be reported, and [12_identical](12_identical.ipynb), on
# identical translations.
