"""What is the story as one file? The seven lessons of data/story.toml on one page, with the numbers of WMT22."""

from __future__ import annotations

import html
import re
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import StringIO
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tiekit.api import calibrate, correlate, count_ties
from tiekit.base.errors import TiekitWarning
from tiekit.base.results import __version__
from tiekit.base.validation import FloatArray
from tiekit.core.coefficients import average, values_per_group
from tiekit.core.grouping import group_checked
from tiekit.core.pairs import count_pairs
from tiekit.core.registry import COEFFICIENTS, get_coefficient
from tiekit.core.system_level import label_of
from tiekit.core.ties import is_discrete, to_buckets
from tiekit.figures import (
    bump,
    bundler,
    calibration_explorer,
    few_ties,
    grouping,
    guess,
    human_rows,
    lab,
    nan_explorer,
    podium,
    swap_explorer,
)
from tiekit.figures.bundler import bundle
from tiekit.figures.figure import POLICY, in_script, read_glossary
from tiekit.figures.json_values import FIRST_SHARE, NOISE_ENDING, read_story, short_name
from tiekit.identical import audit
from tiekit.measures import HEADINGS, answers_of, questions, which_number
from tiekit.ranking.board import POLICIES, leaderboard
from tiekit.ranking.leaderboard import ordinal
from tiekit.readers.data_sets import load_wmt22
from tiekit.readers.facts import data_file
from tiekit.sentinels import perturb, published_tie_shares, tie_shares
from tiekit.sets.arguments import read_metrics
from tiekit.sets.evalset import EvalSet
from tiekit.significance.permutation import permutation_test

HUMAN, METRICS = [0, 0, 0, 0, 1, 2], {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]}
"""The scores of lesson 2, Figure 2 of Deutsch et al. (2023)."""

SUBJECTS = {"calibrated": "BLEU", "ranked": "GEMBA-Dav3", "discrete": "MATESE"}
"""The metrics that lessons 4, 5 and 6 speak of; where the best one is meant, it is found."""

COLUMNS = ("acc_eq*", "acc_eq", "tau_eq", "tau_b", "tau_c", "tau_a", "tau_14", "tau_13", "tau_10")
"""The coefficients of the chart of ranks."""

BETWEEN = (0.0, 0.04, FIRST_SHARE, 0.15, 0.3, 0.6)
"""Shares of human ties beside those of published sets and the set's own."""

SET = "WMT22"
"""How the bundled set is called beside its own share of ties."""

CONTINUOUS, BUCKETS, EVERY = 3, 5, 2
"""How many continuous metrics have a row, how many classes scores are put into, every how manieth point is kept."""


class Story(NamedTuple):
    """The texts of the lessons, the numbers in them by name, the data of each figure, and of which scores they are."""

    told: dict[str, Any]
    numbers: dict[str, str]
    figures: dict[str, dict[str, Any]]
    origin: str


@cache
def compute_story() -> Story:
    """Compute all numbers and figures of the lessons on the bundled set, by item."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TiekitWarning)
        data = load_wmt22()
        human, found = read_metrics(data, None)
        scores = {short_name(name): one for name, one in found.items()}
        parts = [_podium(), _lab(), _missing_values(human, scores), _calibration(human, scores)]
        parts += [
            _ranks(data, human, scores),
            _groupings(),
            _chance(human, scores),
            _few_ties(human, scores),
            _experts(),
        ]
        figures: dict[str, dict[str, Any]] = {}
        numbers = {"metrics": str(len(scores))}
        for shown, told in parts:
            figures |= shown
            numbers |= told
        numbers |= _same_texts(data, numbers["best_name"])
    rated = ~np.isnan(human)
    numbers |= {"systems": str(int(rated.any(axis=1).sum())), "segments": f"{int(rated.any(axis=0).sum()):,}"}
    return Story(read_story(), numbers, figures, f"Scores: {data.name} {data.language_pair}, human score {data.gold}.")


Part = tuple[dict[str, dict[str, Any]], dict[str, str]]
"""Figures by name with their data, and numbers by name."""


def _podium() -> Part:
    """Lesson 1: the pairs that two metrics get right, and the ε at which the finer one gets the most."""
    metrics = [np.array(scores, float) for scores in podium.METRICS.values()]

    def right(scores: FloatArray, epsilon: float = 0.0) -> int:
        found = count_pairs(podium.HUMAN, scores, epsilon=epsilon)
        return found.concordant + found.ties_both

    best = max(range(podium.MOST + 1), key=lambda epsilon: right(metrics[1], epsilon))
    counts = {"coarse_right": right(metrics[0]), "fine_right": right(metrics[1]), "fine_best": right(metrics[1], best)}
    counts |= {"pairs": len(podium.HUMAN) * (len(podium.HUMAN) - 1) // 2, "podium_epsilon": best}
    return {"podium": podium.figure_data()}, {name: str(count) for name, count in counts.items()}


def _same_texts(data: EvalSet, best: str) -> dict[str, str]:
    """Lesson 1: how many pairs of the set are the same text, and how many of these the best metric and experts tie."""
    found = audit(data)
    table = found.table.rename(short_name)
    ties = table["tied"].to_dict()
    return {
        "identical_pairs": f"{found.n_identical:,}",
        "identical_tied": _percent(ties[best]),
        "identical_tied_number": f"{100 * ties[best]:.0f}",
        "identical_all": str(int((table.loc[table["kind"] == "metric", "tied"] == 1).sum())),
        "identical_by_experts": _percent(ties[short_name(found.human)]),
        "identical_epsilon": f"{table['epsilon_0'].to_dict()[best]:.3f}",
    }


def _lab() -> Part:
    """Lesson 2: how many coefficients prefer which metric."""
    values = [[correlate(HUMAN, scores, name).value for name in COEFFICIENTS] for scores in METRICS.values()]
    wins = [sum(one > other for one, other in zip(*order, strict=True)) for order in (values, values[::-1])]
    return {"lab": lab.figure_data(HUMAN, METRICS)}, dict(zip(("m1_wins", "m2_wins"), map(_word, wins), strict=True))


def _missing_values(human: FloatArray, scores: Mapping[str, FloatArray]) -> Part:
    """Lesson 3: how a metric wins by tying segments; on the set, the winner by rule and what buckets change."""
    example = tomllib.loads(data_file("nan_presets.toml").read_text(encoding="utf-8"))["preset"][0]
    human_rows, *rows = (np.array(one, float).tolist() for one in (example["human"], *example["metrics"].values()))
    metrics = dict(zip(example["metrics"], rows, strict=True))
    numbered = [[str(number + 1) for number in range(len(side))] for side in (human_rows[0], human_rows)]
    shown = nan_explorer.nan_puzzle(human_rows, metrics, get_coefficient(example["coefficient"]), *numbered)
    per_group = {name: correlate(human, one, "tau_b", grouping="item").per_group for name, one in scores.items()}
    common = ~np.isnan([*per_group.values()]).any(axis=0)
    means = {n: (average(v, "drop"), average(v, "zero"), average(v[common], "drop")) for n, v in per_group.items()}
    winners = {max(means, key=lambda name: means[name][rule]) for rule in range(len(POLICIES))}
    fine = max(_continuous(scores), key=lambda name: means[name][0])
    before, coarse = per_group[fine], to_buckets(scores[fine], BUCKETS)
    after = correlate(human, coarse, "tau_b", grouping="item").per_group
    left = ~np.isnan(after)
    steps = [round(average(values, "drop"), 3) for values in (before, before[left], after)]
    return {"nan_explorer": shown}, {
        "nan_winner": " and ".join(sorted(winners)),
        "bucketed": fine,
        "segments_skipped": str(int((~np.isnan(before) & ~left).sum())),
        "gain": f"{steps[2] - steps[0]:.3f}",
        "gain_skipped": f"{steps[1] - steps[0]:.3f}",
        "gain_ties": f"{steps[2] - steps[1]:.3f}",
    }


def way_to_win(shown: Mapping[str, Any]) -> list[nan_explorer.Tie]:
    """Return the fewest segments that the puzzle's metric must tie to have the highest mean, as ties; [] if none do."""
    entry, rows = get_coefficient(shown["coefficient"]), {one["name"]: one["scores"] for one in shown["metrics"]}

    def mean(scores: nan_explorer.Rows) -> float:
        grouped = group_checked(np.transpose(shown["human"]), np.transpose(scores), "item")
        return average(values_per_group(grouped, entry), "drop")

    own = rows.pop(shown["goal"])
    best = max(map(mean, rows.values()))
    ends = [[segment, int(np.argmin(line)), int(np.argmax(line))] for segment, line in enumerate(own)]
    ways = (list(few) for size in range(len(ends)) for few in combinations(ends, size + 1))
    return next((ties for ties in ways if mean(nan_explorer.tie_scores(own, ties)) > best), [])


def _calibration(human: FloatArray, scores: Mapping[str, FloatArray]) -> Part:
    """Lesson 4: how many metrics a constant one outranks, and what the best ε makes of the best metric and of BLEU."""
    shown, _ = calibration_explorer.curves_of(human, scores, "acc_eq", "item")
    curves = {curve["name"]: curve for curve in shown["curves"]}
    best, other, constant = curves[shown["chosen"]], curves[SUBJECTS["calibrated"]], shown["constant"]
    numbers = {
        "beaten": str(sum(curve["values"][0] < constant for curve in curves.values())),
        "human_ties": _percent(count_ties(human, grouping="item").share),
        "best_name": best["name"],
        "best_at_0": _percent(best["values"][0]),
        "best_calibrated": _percent(best["values"][best["best"]]),
        "best_epsilon": f"{best['epsilons'][best['best']]:.3f}",
        "best_tied": _percent(best["tied"][best["best"]]),
        "constant": _percent(constant),
        "constant_value": f"{constant:.3f}",
        "bleu_calibrated": f"{other['values'][other['best']]:.3f}",
        "bleu_ties": _percent(other["tied"][other["best"]], 1),
        "bleu_ties_number": f"{100 * other['tied'][other['best']]:.1f}",
    }
    shown = {**shown, "curves": [_thin(curve) for curve in shown["curves"]], "tied": 0.0}
    return {"calibration_explorer": shown}, numbers


def _thin(curve: Mapping[str, Any]) -> dict[str, Any]:
    """A curve with as many points and digits as the picture needs, among them ε = 0, the best and the last."""
    last = len(curve["epsilons"]) - 1
    kept = sorted({*range(0, last, EVERY), curve["best"], last})
    columns = {key: [curve[key][at] for at in kept] for key in ("epsilons", "values", "tied")}
    for key in ("values", "tied"):
        columns[key] = [None if value is None else round(value, 5) for value in columns[key]]
    return {**curve, **columns, "best": kept.index(curve["best"])}


def _ranks(data: EvalSet, human: FloatArray, scores: Mapping[str, FloatArray]) -> Part:
    """Lesson 5: the ranks of all metrics by each coefficient, and where one of them is best and worst."""
    board, name = leaderboard(data, coefficients=COLUMNS, grouping="item").rename(short_name), SUBJECTS["ranked"]
    ranks = board[[f"rank({column})" for column in COLUMNS]].astype(float)
    labels = {column: label_of(column) for column in COLUMNS}
    lines = dict(zip(map(str, board.index), ranks.to_numpy().tolist(), strict=True))
    own = dict(zip(COLUMNS, lines[name], strict=True))
    top, worst = min(own, key=lambda column: own[column]), max(own, key=lambda column: own[column])
    return {"bump": bump.figure_data(labels, lines, metric=name)}, {
        "top_rank": ordinal(int(own[top])),
        "top_measure": labels[top],
        "worst_rank": ordinal(int(own[worst])),
        "worst_rank_number": f"{own[worst]:.0f}",
        "worst_measure": labels[worst],
        "subject_levels": str(_levels(scores[name])),
        "subject_tied": _percent(count_ties(np.where(np.isnan(human), np.nan, scores[name]), grouping="item").share),
    }


def _groupings() -> Part:
    """Lesson 5: which of two metrics wins on all pairs of an example, and which on pairs of one segment."""
    example = tomllib.loads(data_file("grouping_presets.toml").read_text(encoding="utf-8"))["preset"][0]
    metrics: dict[str, nan_explorer.Rows] = example["metrics"]
    human = example["human"]
    data = grouping.figure_data(human, metrics, example["coefficient"], example["systems"], example["segments"])

    def winner(by: str) -> str:
        return max(metrics, key=lambda name: correlate(human, metrics[name], example["coefficient"], grouping=by).value)

    return {"grouping": data}, {"item_winner": winner("item"), "global_winner": winner("global")}


def _chance(human: FloatArray, scores: Mapping[str, FloatArray]) -> Part:
    """Lesson 5: whether a metric and the next one in the ranking differ by more than chance."""
    values = {name: calibrate(human, one, "acc_eq", grouping="item").value for name, one in scores.items()}
    ranking = sorted(values, key=lambda name: -values[name])
    a, b = ranking[(at := ranking.index(SUBJECTS["ranked"])) : at + 2]
    test = permutation_test(human, scores[a], scores[b], "acc_eq*", grouping="item", progress=False)
    numbers = {
        "chance_a": a,
        "chance_b": b,
        "chance_p": f"{test.pvalue:.2f}",
        "chance_p_percent": _percent(test.pvalue),
    }
    numbers |= {"chance_value_a": f"{values[a]:.4f}", "chance_value_b": f"{values[b]:.4f}"}
    data = swap_explorer.swaps_of_test(test, (a, b))
    return {"swap_explorer": {**data, "samples": [round(one, 6) for one in data["samples"]]}}, numbers


def _few_ties(human: FloatArray, scores: Mapping[str, FloatArray]) -> Part:
    """Lessons 6 and 7: ranks of all metrics, and of discrete ones with noise, at shares of human ties."""
    ties, name = count_ties(human, grouping="item"), SUBJECTS["discrete"]
    continuous = _continuous(scores)
    noisy = {n + NOISE_ENDING: perturb(one, rng=0) for n, one in scores.items() if n not in continuous}
    shares = sorted({*BETWEEN, *published_tie_shares()["share"], ties.share})
    found = tie_shares(human, {**scores, **noisy}, "acc_eq", grouping="item", shares=shares)
    kinds = dict.fromkeys(scores, "discrete") | dict.fromkeys(continuous, "continuous")
    kinds |= dict.fromkeys(noisy, "sentinel")
    at_own = found[found["own"]].set_index("metric")["value"]
    best = at_own[continuous].nlargest(CONTINUOUS).index
    rows = [name, name + NOISE_ENDING, SUBJECTS["ranked"], SUBJECTS["ranked"] + NOISE_ENDING, *best]
    shown = few_ties.figure_data(found, rows, kinds, "acc_eq", ties.share, name, set_name=SET)
    ranks = {metric["name"]: dict(zip(shown["shares"], metric["ranks"], strict=True)) for metric in shown["metrics"]}
    moves, moved = bump.moves_of(found, ties.share)
    return {"few_ties": shown, "moves": moves}, moved | {
        "few_share": _percent(FIRST_SHARE),
        "few_rank": ordinal(int(ranks[name][FIRST_SHARE])),
        "few_noisy_rank": ordinal(int(ranks[name + NOISE_ENDING][FIRST_SHARE])),
        "many_rank": ordinal(int(ranks[name][ties.share])),
        "discrete_levels": str(_levels(scores[name])),
    }


def _experts() -> Part:
    """Lesson 6: the rank of the experts where direct assessment judges, of values that come with the set."""
    values = data_file("wmt22/humans.csv").read_text(encoding="utf-8").partition("\n")[2]
    rows = pd.read_csv(StringIO(values))
    rows[["name", "judge"]] = rows[["name", "judge"]].map(short_name)
    judge, measure = short_name("wmt-appraise"), "item/acc_eq*"
    shown = human_rows.figure_data(rows, {"judge": judge, "measure": measure, "row": short_name("mqm")})
    board = rows[(rows["judge"] == judge) & (rows["measure"] == measure)].set_index("name")
    own: dict[Any, Any] = board.loc[short_name("mqm")].to_dict()
    return {"human_rows": shown}, {
        "experts_rank": ordinal(int(own["rank"])),
        "experts_of": str(len(board)),
        "experts_noisy_rank": ordinal(int(board["rank"].to_dict()[short_name("mqm + noise")])),
        "experts_ties": _percent(own["ties"]),
        "assessed_ties": _percent(own["judge_ties"]),
    }


def _levels(scores: FloatArray) -> int:
    return int(np.unique(scores[~np.isnan(scores)]).size)


def _continuous(scores: Mapping[str, FloatArray]) -> list[str]:
    return [name for name, one in scores.items() if not is_discrete(one)]


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f}\u00a0%"


def _word(number: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


# --------------------------------------------------------------------------------------------------------------------
# How do the lessons become a page?

CITED = {
    "deutsch-etal-2023-ties": "Lessons 1 to 5: acc_eq, ε, and why ties matter.",
    "kendall-1945-ties": "Lesson 2: τ_b.",
    "freitag-etal-2022-results": "Lessons 4 and 5: the scores of WMT22.",
    "freitag-etal-2021-experts": "Lesson 5: MQM.",
    "perrella-etal-2024-guardians": "Lesson 6: sentinels, and other shares of human ties.",
    "thompson-etal-2024-soft": "Lesson 7: soft pairwise accuracy.",
    "deutsch-etal-2021-statistical": "Lesson 7: tests of significance.",
}
"""Entries of ``data/references.bib``, and what they are cited for."""

LEFT_OUT = {
    "lab": ".values, .wmt { display: none !important }",
    "podium": ".control p { display: none !important }",
}
"""What of a figure is not shown: in the story each number stands once."""

SHOWS = {"moves": "bump"}
"""Which figure shows what a lesson calls otherwise."""

ENTRY = """{imports}import {{ openStory }} from "./story/story.js";

export const begin = (given) => openStory({{ {names} }}, given);
"""

_OPENED = 'import {{ openFigure }} from "./figure.js";\n\nexport const {0} = openFigure;\n'
_NAME = re.compile(r"\b\w+(?:-[A-Z\d]\w*)+")  # of a metric, which no line breaks
_SYMBOL = re.compile(r"(τ|acc|T)_([a-z0-9]+)(\*(?!\*))?")


def story_page() -> str:
    """Return the text of a page with all lessons; it needs no server, no network and no other file."""
    story = compute_story()
    words, folder, shared = story.told, bundler.FOLDER / "story", bundler.style()
    slots = _slots(story)
    names = sorted({slot["figure"] for slot in slots.values()})
    modules = {**bundler.modules(), **{f"{name}/opened.js": _OPENED.format(name) for name in names}}
    imports = "".join(f'import {{ {name} }} from "./{name}/opened.js";\n' for name in names)
    modules["entry.js"] = ENTRY.format(imports=imports, names=", ".join(names))
    styles = {name: bundler.style(name).removeprefix(shared) + LEFT_OUT.get(name, "") for name in names}
    return (folder / "page.html").read_text(encoding="utf-8").format(
        policy=html.escape(POLICY),
        title=html.escape(words["title"]),
        style=(folder / "story.css").read_text(encoding="utf-8"),
        lead=_markdown(words["lead"], story),
        how=_markdown(words["how"], story),
        path="".join(f'<li><a href="#lesson-{at}"><b>{at}</b><span>{_markdown(page["title"], story)}</span></a></li>'
                     for at, page in enumerate(words["pages"], 1)),
        lessons="".join(_lesson(at, story) for at in range(len(words["pages"]))),
        sources="".join(f"<li>{one}</li>" for one in _sources()),
        origin=html.escape(f"{story.origin} Made with tiekit {__version__}."),
        script=bundle("entry.js", modules),
        given=in_script({"shared": shared, "styles": styles, "slots": slots, "advice": _advice()}),
    )  # fmt: skip


def _asks(page: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The questions of a lesson, the first one being its own."""
    return [page, *page.get("more", ())]


def _slots(story: Story) -> dict[str, dict[str, Any]]:
    """What stands in each place for a figure: its name and data, and what changes in it with each answer."""
    slots: dict[str, dict[str, Any]] = {}
    for at, page in enumerate(story.told["pages"]):
        for number, ask in enumerate(_asks(page)):
            if name := ask.get("figure"):
                slots[name] = {"figure": SHOWS.get(name, name), "data": story.figures[name], "moves": [{}, {}, {}]}
            if scale := {key: one.format(**story.numbers) for key, one in ask.get("scale", {}).items()}:
                ends, digits = (float(scale.get("low", 0)), float(scale["high"])), int(scale.get("digits", 0))
                label = _plain(ask.get("ask", ask["question"]), story)
                data = guess.figure_data(ends, digits, scale["unit"], label)
                moves = [{"truth": float(scale["truth"])}]
                slots[f"guess-{at + 1}-{number}"] = {"figure": "guess", "data": data, "moves": moves}
    slots["podium"]["moves"][1] = {"epsilon": int(story.numbers["podium_epsilon"])}
    slots["nan_explorer"]["moves"][0] = {"ties": way_to_win(story.figures["nan_explorer"])}
    slots["swap_explorer"]["moves"][2] = {"draws": slots["swap_explorer"]["data"]["most"]}
    slots["calibration_explorer"]["moves"][1] = {"chosen": SUBJECTS["calibrated"], "tied": None}
    return slots


def _lesson(at: int, story: Story) -> str:
    """A lesson: its question, what leads to it, what one can guess, and the way onward."""
    pages = story.told["pages"]
    page, examples = pages[at], {0: _example, 1: _vectors}
    asked = "".join(_ask(page, ask, f"{at + 1}-{number}", story) for number, ask in enumerate(_asks(page)))
    asked += _guide() * (at + 1 == len(pages))
    saw = "".join(f"<li>{_markdown(one['saw'][0].upper() + one['saw'][1:], story)}</li>" for one in pages)
    onward = f"<h3>You saw</h3><ol>{saw}</ol><p>{_markdown(page.get('end', ''), story)}</p>"
    if at + 1 < len(pages):
        title, saw, words = (_markdown(one, story) for one in (pages[at + 1]["title"], page["saw"], page["next"]))
        onward = f"""<p class="onward">You saw: {saw} Next: {words}{"" if words.endswith("?") else "."}
<a href="#lesson-{at + 2}">{at + 2} · {title} →</a></p>"""
    return f"""
<section class="lesson" id="lesson-{at + 1}" aria-labelledby="question-{at + 1}">
<p class="kicker">{at + 1} · {_markdown(page["title"], story)}</p>
<h2 id="question-{at + 1}">{_markdown(page["question"], story)}</h2>
{_terms(page["terms"])}
<p>{_markdown(page["opening"], story)}</p>
{examples[at](story) if at in examples else ""}
{asked}
{onward}
</section>"""


def _ask(page: Mapping[str, Any], ask: Mapping[str, Any], key: str, story: Story) -> str:
    """A question with what one can guess, and its answer, which is closed until then."""
    name, number = ask.get("figure", ""), _asks(page).index(ask)
    asks = _markdown(ask.get("ask", ask["question"]), story)
    tried, figure = _markdown(ask.get("try", ""), story), ""
    if name:
        caption = f"<figcaption>{tried}</figcaption>"
        figure = f'<figure class="wide"><div class="slot {name}" data-slot="{name}"></div>{caption}</figure>'
    elif tried:
        figure = f'<p class="try">{tried}</p>'
    if "scale" in ask:
        guesses = f'<p class="asks">{asks}</p><div class="slot guess" data-slot="guess-{key}"></div>'
    elif "options" in ask:
        options = "".join(
            f'<button type="button" data-reply="{html.escape(_markdown(reply, story))}" aria-pressed="false">'
            f"{_markdown(option, story)}</button>"
            for option, reply in ask["options"]
        )
        guesses = f'<fieldset class="options"><legend>{asks}</legend>{options}</fieldset>'
    else:
        guesses, figure = figure, ""
    heading = f"<h3>{_markdown(ask['question'], story)}</h3>" if number else ""
    kind = "ask more" if number and "ask" not in ask else "ask"
    return f"""<div class="{kind}" id="ask-{key}" data-moves="{name or page["figure"]}" data-number="{number}">{heading}
{guesses}<div class="room" aria-hidden="true"></div>
<button type="button" class="show">{ask.get("show", "Show the answer")}</button>
<div class="answer closed" tabindex="-1"><p class="reply" role="status"></p>
<p class="shown">{_markdown(ask["shown"], story)}</p>
<p>{_markdown(ask["why"], story)}</p>{figure}</div></div>"""


def _example(story: Story) -> str:
    """The invented sentence with its translations, and the scores of lesson 1."""
    example, names = story.told["example"], [*podium.METRICS]
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("Translation", "Raters", *names))
    rows = "".join(
        f'<tr><th scope="row">{"ABCDEF"[at]}</th><td class="words">{html.escape(words)}</td>'
        + f"<td>{_minus(podium.HUMAN[at])}<small>{podium.ERRORS[at]}</small></td>"
        + "".join(f"<td>{podium.METRICS[name][at]}</td>" for name in names)
        + "</tr>"
        for at, words in enumerate(example["translations"])
    )
    return f"""<div class="table"><table class="example"><caption lang="de">{html.escape(example["source"])}</caption>
<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"""


def _vectors(_: Story) -> str:
    """The scores of lesson 2."""
    rows = "".join(
        f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{_minus(score)}</td>" for score in scores) + "</tr>"
        for name, scores in {"h": HUMAN, **METRICS}.items()
    )
    heads = "".join(f'<th scope="col">{letter}</th>' for letter in "ABCDEF")
    return f"""<div class="table"><table><caption>Scores of six translations</caption>
<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"""


def _terms(names: Sequence[str]) -> str:
    """Terms of the glossary, which stand in the margin where there is room."""
    told = "".join(
        f"<dt>{_symbols(html.escape(name))}</dt><dd>{_symbols(html.escape(read_glossary()[name]['meaning']))}</dd>"
        for name in names
    )
    return f'<details class="terms"><summary>Terms: {_symbols(", ".join(names))}</summary><dl>{told}</dl></details>'


def _sources() -> Iterator[str]:
    """The sources as HTML, each with a link."""
    text = data_file("references.bib").read_text(encoding="utf-8")
    for key, what in CITED.items():
        entry = text.partition(f"{{{key},\n")[2].partition("\n}")[0]
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        names = [name.partition(",")[0] for name in fields["author"].split(" and ")]
        authors = f"{names[0]} et al." if names[2:] else " and ".join(names)
        link = f"https://doi.org/{fields['doi']}" if "doi" in fields else fields["url"]
        title = re.sub(r"[{}]", "", fields["title"]).replace("--", "–")
        yield f'{authors} ({fields["year"]}). <a href="{html.escape(link)}">{html.escape(title)}</a>. {_symbols(what)}'


# --------------------------------------------------------------------------------------------------------------------
# Which number should one report? The questions as a form, and the advice for all answers.


def _guide() -> str:
    fields = "".join(
        f"<fieldset><legend>{html.escape(asks)}</legend>"
        + "".join(
            f'<label><input type="radio" name="{name}" value="{answer}"> {html.escape(words)}</label>'
            for answer, words in answers.items()
        )
        + "</fieldset>"
        for name, (asks, answers) in questions().items()
    )
    return f"""<form class="guide">{fields}<p><button type="button" class="wmt22">Answer as for WMT22</button></p>
<div class="advice" aria-live="polite"></div></form>"""


def _advice() -> dict[str, Any]:
    """What `which_number` says to all answers: the texts that occur, and by the answers their places among these."""
    texts: dict[Any, int] = {}
    said: dict[str, list[int]] = {}
    asked = questions()
    for answers in product(*(possible for _, possible in asked.values())):
        given: dict[str, Any] = dict(zip(asked, answers, strict=True))
        found = which_number(**given)
        told = [*found.rules[["role", "number", "why", "source", "url"]].itertuples(index=False, name=None)]
        said["|".join(answers)] = [texts.setdefault(one, len(texts)) for one in (found.paragraph, *told)]
    own = answers_of(load_wmt22()) | {"purpose": "segments"}
    return {"texts": [*texts], "said": said, "headings": HEADINGS, "own": [own[name] for name in asked]}


# --------------------------------------------------------------------------------------------------------------------
# How is a text written? The few marks of Markdown that the lessons use, and symbols with an index.


def _markdown(text: str, story: Story) -> str:
    """A text with its numbers as HTML; a term in bold is one that is explained there."""
    found = _symbols(html.escape(text.format(**story.numbers).strip(), quote=False))
    found = _NAME.sub(r'<span class="name">\g<0></span>', found)
    for mark, tag in ((r"\*\*", "dfn"), (r"\*", "em"), ("`", "code")):
        found = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", found)
    return found


def _symbols(text: str) -> str:
    return _SYMBOL.sub(lambda found: f"{found[1]}<sub>{found[2]}</sub>{'&#42;' * bool(found[3])}", text)


def _plain(text: str, story: Story) -> str:
    return text.format(**story.numbers).replace("*", "")


def _minus(number: float) -> str:
    return f"{number:g}".replace("-", "−")
