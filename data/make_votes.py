"""Write the bundled sample of votes `data/votes/synthetic.csv`, in the columns that `tk.votes.read_votes` reads.

Everything is invented: no system, judge or person exists. A person compares two answers to each of 480 questions and
says "tie" where they are close. Two judges score both answers, in both orders. Atlas scores from 1 to 10 with a
decimal, so it hardly ties; its error is small, and it favors the answer shown first. Boreas scores from 1 to 5 in whole
numbers, so it ties often; it has no favorite place, but in one case of seven it mixes up both answers. Now and then a
judge gives no score. `python data/make_votes.py [FILE]` writes the same bytes each time.
"""

import csv
import sys
from pathlib import Path

import numpy as np

SEED = 1
HERE = Path(__file__).parent
SYSTEMS = ("Fjord", "Grove", "Heath", "Islet")
QUALITY = (6.6, 6.0, 5.4, 4.9)
N_QUESTIONS = 480
SPREAD, CLOSE = 1.0, 1.2  # of an answer about its system; what a person calls a tie
PERSON = 0.9  # the person's error
JUDGES = {"Atlas": (0.5, 0.5, 0.0, 10, 1), "Boreas": (0.35, 0.0, 1 / 7, 5, 0)}
"""Error, gain of the place shown first, how often both answers are mixed up; top of the scale, decimals."""

SILENT = 0.01  # how often a judge gives no score
HEADER = ("question_id", "model_a", "model_b", "judge", "winner", "score_a", "score_b")


def score(rng, quality, error, gain, top, decimals):
    """A score between 1 and the top of the judge's scale, as the judge writes it."""
    value = min(max(quality + gain + rng.normal(0, error), 1.0), 10.0)
    return f"{1 + (value - 1) * (top - 1) / 9:.{decimals}f}"


def make_rows(rng):
    """The person's vote on each question, and both judges' scores in both orders."""
    for question in range(1, N_QUESTIONS + 1):
        pair = rng.permutation(len(SYSTEMS))[:2]
        names = [SYSTEMS[place] for place in pair]
        quality = [QUALITY[place] + rng.normal(0, SPREAD) for place in pair]
        seen = quality[0] - quality[1] + rng.normal(0, PERSON)
        winner = "tie" if abs(seen) < CLOSE else "model_a" if seen > 0 else "model_b"
        yield question, *names, "person", winner, "", ""
        for judge, (error, gain, mixed, *scale) in JUDGES.items():
            for order in ((0, 1), (1, 0)):
                scores = [score(rng, quality[order[place]], error, gain * (place == 0), *scale) for place in (0, 1)]
                scores = scores[::-1] if rng.random() < mixed else scores
                cells = ("", "") if rng.random() < SILENT else scores
                yield question, names[order[0]], names[order[1]], judge, "", *cells


def write_all(path):
    """The whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *make_rows(np.random.default_rng(SEED))])


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "votes" / "synthetic.csv")
