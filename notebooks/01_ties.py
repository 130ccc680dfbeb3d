# %% [markdown]
# # Ties: when are two translations equally good?
#
# Notebook 1 of 9 of the course · 15 minutes · the same question in the app: *What is a tie?*
#
# **Afterwards you can** say what a pair and a tie are, write a metric of your own, and count which pairs it gets
# right.
#
# If tiekit is not installed yet, run `%pip install '/path/to/tiekit[notebook]'` in a cell first: the folder of its
# source code, or its wheel.

# %%
import tiekit as tk

check = tk.exercises.of_notebook("01_ties")

# %% [markdown]
# Six programs translate the same German sentence. Two raters look for errors: a minor one costs 1 point, a major one
# 5. Here both give the same points. A and B are the same sentence, C is as good, D and E have a slip each, and F has
# lost half of the sentence. Any two of them are a **pair**, and two equal scores are a **tie**.
#
# Two metrics give points too. `Coarse` gives 100 to A, B and C and 75 to the others. `Fine` gives 94, 93, 92, 80, 78
# and 40: it never gives two translations the same score.
#
# Guess first: run the cell to see the question, then put one of the answers, in quotes, in place of `...`.

# %%
guess = ...
check.predict(guess)

# %%
translations = [
    "Today the train to Bern leaves from platform 3 instead of platform 7.",
    "Today the train to Bern leaves from platform 3 instead of platform 7.",
    "The train to Bern departs today from platform 3, not platform 7.",
    "Today the train to Bern leave from platform 3 instead of platform 7.",
    "Today the train to Bern leaves of platform 3 instead of platform 7.",
    "Today the train to Bern leaves from platform 7.",
]
human = [0, 0, 0, -1, -1, -5]

# %% [markdown]
# ## A metric of your own
#
# A metric is a function that gives a translation a number. Here is a simple one. It compares the words of a
# translation with those of another one, the **reference**, and takes a point off for each word that only one of them
# has. Change it as you like.

# %%
import re


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def my_metric(translation, reference):
    return -len(words(translation) ^ words(reference))


mine = [my_metric(one, translations[0]) for one in translations]
mine

# %% [markdown]
# ## Count the pairs in Python
#
# A metric gets a pair right if it says what the raters say: the first is better, the second is better, or both are
# equal. If the raters, or the metric, give both the same score, the pair is a tie.

# %%
from itertools import combinations


def sign(difference):
    return (difference > 0) - (difference < 0)


def right_pairs(human, metric):
    pairs = combinations(range(len(human)), 2)
    return sum(sign(human[i] - human[j]) == sign(metric[i] - metric[j]) for i, j in pairs)


right_pairs(human, mine)

# %% [markdown]
# tiekit counts the same, for millions of scores as well. The share of pairs that are right is called `acc_eq`, for
# accuracy with equal pairs.

# %%
counts = tk.count_pairs(human, mine)
print(counts)
print("right:", counts.concordant + counts.ties_both, "of", counts.total, "pairs")
print("acc_eq:", tk.correlate(human, mine, "acc_eq").value)

# %% [markdown]
# *Concordant* pairs are ordered alike by both, *discordant* ones the other way round. `ties_both` are ties that both
# make, `ties_human` and `ties_metric` those that one of them makes. `n_distinct` is how many different scores the
# human gives.
#
# ## Coarse and Fine
#
# Which of `Coarse` and `Fine` is better depends on what counts as a tie: drag ε, the largest difference of two scores
# that still counts as equal.

# %%
coarse, fine = [100, 100, 100, 75, 75, 75], [94, 93, 92, 80, 78, 40]

figure = tk.widgets.Podium()
figure

# %% [markdown]
# The figure and Python share one state: `figure.epsilon` is what you have dragged, and `figure.epsilon = 3` moves the
# slider. In Python, ε is an argument:

# %%
for epsilon in (0, 1, 2):
    value = tk.correlate(human, fine, "acc_eq", epsilon=epsilon).value
    print(f"ε = {epsilon}: acc_eq of Fine is {value:.3f}")

# %% [markdown]
# ## Exercises
#
# Exercises 2 to 4 use the six translations above. Replace each `...` by your answer and run the cell. Numbers may be
# rounded as the figure rounds them. Are you stuck? `check.hint(1)` gives a hint on exercise 1, the next one each time,
# and `check.solution(1)` a solution.

# %% [markdown]
# **1.** How many pairs do seven translations make?

# %%
answer = ...
check(1, answer)

# %% [markdown]
# **2.** A metric never gives two translations the same score. How many of the 15 pairs can it get right at most?

# %%
answer = ...
check(2, answer)

# %% [markdown]
# **3.** Change one of the six scores of `fine` so that it gets more pairs right without any ε. Answer with the six
# scores.

# %%
answer = ...
check(3, answer)

# %% [markdown]
# **4.** As it stands above, `my_metric` gets 9 of 15 pairs right. Change it, so that it computes six scores that get
# at least 12 right. Answer with these scores: those of `human` and `coarse` are no metric of yours. (Whether a
# function computed them, the check cannot know.)

# %%
answer = ...
check(4, answer)

# %%
check.summary()

# %% [markdown]
# **Next:** [02_counting](02_counting.ipynb), more than one way to count the pairs.
