"""Freeze what people see of the project, and compare a later state with it.

    python .ci/freeze.py write FILE      write numbers, signatures, names, help and addresses into a JSON file
    python .ci/freeze.py compare FILE    print "equal", or what differs from the file

It asks only the public names, the command line and the running app, so that it says the same of a project whose
modules were moved. Numbers are kept to twelve digits: another order of a sum is no other number. It takes a minute.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from click.testing import CliRunner

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import tiekit as tk  # noqa: E402
from tiekit import classification, humans, judgments, measures, official, sentinels, significance, votes  # noqa: E402

NAMESPACES = ["charts", "classification", "exercises", "humans", "judgments", "measures", "official", "sentinels"]
NAMESPACES += ["significance", "votes", "widgets"]
PAPER = [
    "metricx_xxl_MQM_2020-refA", "COMET-22-refA", "UniTE-ref-refA", "BLEURT-20-refA", "COMET-20-refA", "BLEU-refA",
    "chrF-refA", "COMETKiwi-src", "REUSE-src", "MATESE-QE-src",
]  # fmt: skip
ALL = [name for name in tk.COEFFICIENTS if not name.endswith("*")]
RULES = """
testset = "synthetic"
[[tasks]]
language_pair = ["qaa-qab", "qaa-qac"]
measure = ["system_means/spa", "item/acc_eq*"]
[language_pairs.qaa-qab]
gold = "mqm"
[language_pairs.qaa-qac]
gold = "mqm"
"""


def wmt22() -> Iterator[tuple[str, object]]:
    """The numbers of tests/test_wmt22.py: boards of all groupings, correlations, calibrations, ties by rounding."""
    data = tk.load_wmt22()
    data = data.with_metric("Constant-Metric", np.zeros((len(data.systems), len(data.segments))))
    chosen = data.select()
    for grouping in ("global", "item", "system"):
        rows = list(data.metrics) if grouping == "item" else [*PAPER, "Constant-Metric"]
        rows = [name for name in rows if name in data.metrics]
        yield f"leaderboard {grouping}", tk.leaderboard(data, "mqm", metrics=rows, grouping=grouping)
        rounded = data.adjusted(decimals=6).select().human["mqm"]
        for digits, human in (("all", chosen.human["mqm"]), ("six", rounded)):
            yield f"ties {grouping} {digits} digits", tk.correlate(human, np.zeros(human.shape), grouping=grouping)
    for name in chosen.metrics:
        yield f"calibrate {name}", tk.calibrate(chosen.human["mqm"], chosen.metrics[name])
        for coefficient in ALL:
            for grouping in tk.GROUPINGS:
                try:
                    value = tk.correlate(chosen.human["mqm"], chosen.metrics[name], coefficient, grouping=grouping)
                except tk.TiekitError as error:
                    yield f"correlate {name} {grouping} {coefficient}", str(error)
                else:
                    yield f"correlate {name} {grouping} {coefficient}", (float(value), value.n_groups)


def synthetic() -> dict[str, Callable[[], object]]:
    """Every kind of result, on the synthetic set."""
    data = tk.read_mtme(ROOT / "data", "synthetic", "qaa-qab")
    a, b, chosen = "Contour-refA", "Ladder-refA", data.select()
    few = [a, b, "Haze-refA", "Constant-src"]
    cast = votes.read_votes(ROOT / "data" / "votes" / "synthetic.csv")
    person = cast.by("person")
    judge = cast.by(next(name for name in cast.judges if name != "person"))
    ranked = tk.read_rankings(ROOT / "data" / "rankings" / "synthetic.csv")
    other = tk.read_mtme(ROOT / "data", "synthetic", "qaa-qac")
    datasets, options = (
        {"toy": (chosen.human["mqm"], {name: chosen.metrics[name] for name in few[:3]})},
        {"n_resamples": 99, "rng": 7},
    )
    calibrated = tk.calibrate(data, a)
    raters = {"mqm": [[-2, 0, -1]], "mqm-r1": [[-4, 0, None]], "mqm-r2": [[0, None, -1]], "mqm-r3": [[-2, 0, None]]}
    arrays = {name: np.array(rows, float) for name, rows in raters.items()}
    rated = tk.EvalSet("toy", "", ("A",), ("1", "2", "3"), arrays, {}, gold="mqm")
    return {
        "correlate": lambda: tk.correlate(data, a),
        "correlate tau_b by system": lambda: tk.correlate(data, a, "tau_b", grouping="system"),
        "correlate da zero": lambda: tk.correlate(data, a, "tau_13", human="da", undefined="zero"),
        "correlate_untied": lambda: tk.correlate_untied(data, a, rng=1, repeats=3),
        "bucket_curve": lambda: tk.bucket_curve(data, a, [2, 5]),
        "count_pairs": lambda: tk.count_pairs([1, 2, 2, 3, 4], [1, 1, 2, 2, 5], epsilon=1),
        "classify_pairs": lambda: tk.classify_pairs([1, 2, 2, 3], [1, 1, 2, 2]),
        "count_ties": lambda: tk.count_ties(data, human="mqm"),
        "reasons_per_group": lambda: tk.reasons_per_group([[1, 1], [2, 1]], [[1, 2], [1, 1]]),
        "calibrate": lambda: calibrated,
        "calibrate tau_eq global": lambda: tk.calibrate(data, b, "tau_eq", grouping="global"),
        "curve": lambda: calibrated.curve(20),
        "cross_validate": lambda: tk.cross_validate(data, a, rng=1),
        "transfer": lambda: tk.transfer(calibrated, other, a),
        "leaderboard": lambda: tk.leaderboard(data),
        "leaderboard da, zero, fairness": lambda: tk.leaderboard(data, "da", undefined="zero", fairness=True, rng=1),
        "leaderboard latex": lambda: tk.leaderboard(data).to_latex(),
        "permutation_test": lambda: significance.permutation_test(data, a, b, **options),
        "permutation_test by documents": lambda: significance.permutation_test(data, a, b, swap="documents", **options),
        "compare_metrics": lambda: significance.compare_metrics(data, few, **options),
        "swap_test": lambda: significance.swap_test(data, few[:3], ["item/tau_b", "item/acc_eq*"], **options),
        "bootstrap_interval": lambda: significance.bootstrap_interval(data, a, **options),
        "bootstrap_interval tau_b against": lambda: significance.bootstrap_interval(
            data, a, "tau_b", against=b, resample="systems", **options
        ),
        "williams_test": lambda: significance.williams_test(data, a, b),
        "bonett_wright": lambda: significance.bonett_wright(data, a, grouping="system_means"),
        "tie_shares": lambda: sentinels.tie_shares(data, few[:2], shares=[0.1, 0.5]),
        "held_out_shares": lambda: sentinels.held_out_shares(data, few[:2], shares=[0.1, 0.5], rng=1),
        "calibrate_reweighted": lambda: sentinels.calibrate_reweighted(data, a, keep_tied=0.5, sample=True, rng=1),
        "rank_intervals": lambda: sentinels.rank_intervals(data, few, shares=[0.1, 0.5]),
        "length_bias": lambda: sentinels.length_bias(data, a).lines,
        "probes": lambda: sentinels.probes(data, rng=1),
        "metric_correlations": lambda: sentinels.metric_correlations(data),
        "keep_for_share": lambda: sentinels.keep_for_share(data, 0.4),
        "raters_of": lambda: humans.raters_of(rated),
        "rank_humans": lambda: humans.rank_humans(data, "mqm", "tau_b", n_resamples=49, rng=1),
        "split_raters": lambda: dict(humans.split_raters(rated, rng=3).human),
        "classify": lambda: classification.classify(data, a, **options),
        "rerank": lambda: classification.rerank(data, a, **options),
        "soft_pairwise_accuracy": lambda: measures.soft_pairwise_accuracy(data, a),
        "evaluate_measures": lambda: measures.evaluate_measures(data),
        "measure_agreement": lambda: measures.measure_agreement(datasets),
        "ranking_consistency": lambda: measures.ranking_consistency(datasets, n_splits=19, rng=1),
        "discriminative_power": lambda: measures.discriminative_power(datasets, ["item/tau_b"], **options),
        "granularity": lambda: measures.granularity(data, a, [2, 8]),
        "simulate_granularity": lambda: measures.simulate_granularity(
            [2, 10], n_populations=3, n_thresholds=3, rng=1
        ),
        "which_number": lambda: measures.which_number(ties=0.08, groups="several", scales="both", systems=14).text,
        "all_measures": lambda: measures.all_measures(),
        "votes agreement": lambda: votes.agreement(judge, person),
        "agreement_interval": lambda: votes.agreement_interval(judge, person, **options),
        "calibrate_threshold": lambda: votes.calibrate_threshold(judge, person),
        "swap_consistency": lambda: votes.swap_consistency(judge),
        "compare_judges": lambda: votes.compare_judges(cast, person),
        "checklist": lambda: votes.checklist(judge, person, **options),
        "votes_of_scores": lambda: votes.votes_of_scores(data, a),
        "judgments agreement": lambda: judgments.agreement(ranked),
        "attainable": lambda: judgments.attainable(ranked),
        "judge_metric": lambda: judgments.judge_metric(ranked.select("qaa-qac"), other, metric=a),
        "official_ranking": rank_officially,
        "presets": lambda: {name: repr(official.read_preset(name)) for name in official.PRESETS},
        "cite": lambda: repr(tk.cite()),
    }  # fmt: skip


def rank_officially() -> object:
    """Rank a few metrics of the synthetic set by rules of our own."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "own.toml")
        rules.write_text(RULES, encoding="utf-8")
        few = ["Contour", "Ladder", "Haze", "Constant"]
        return official.official_ranking(ROOT / "data", rules, metrics=few, n_resamples=99, rng=3)


def plain(value: object) -> Any:
    """Write a result as JSON can hold it: its signature and its numbers, to twelve digits."""
    if isinstance(value, pd.DataFrame | pd.Series):
        text = value.map(plain).to_csv(lineterminator="\n").splitlines()
        return {"signature": plain(value.attrs.get("signatures", "")), "rows": text}
    if hasattr(value, "to_dict"):
        return {"signature": str(getattr(value, "signature", "")), "is": plain(value.to_dict())}
    if isinstance(value, Mapping):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, float | np.floating):
        return f"{float(value):.12g}"
    if isinstance(value, np.ndarray):
        return plain(value.tolist()) if value.size < 100 else [str(value.shape), plain(np.nansum(value))]
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, bool | int | str | np.integer | np.bool_) or value is None:
        return value if isinstance(value, str) or value is None else int(value)
    return re.sub(r" at 0x\w+", "", repr(value))


def names() -> dict[str, list[str]]:
    """The public names of the library and of each namespace."""
    modules = ["tiekit", *(f"tiekit.{name}" for name in NAMESPACES)]
    return {module: sorted(importlib.import_module(module).__all__) for module in modules}


def commands() -> dict[str, str]:
    """What `--help` says of every command, 80 columns wide; the command is the one that pyproject.toml installs."""
    place = re.search(r'^tiekit = "([\w.]+):', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert place is not None
    module = importlib.import_module(place[1])
    main = next(value for value in vars(module).values() if isinstance(value, click.Group))
    run = CliRunner(env={"COLUMNS": "80"}).invoke
    return {name: run(main, [*name.split(), "--help"], terminal_width=80).output for name in ["", *main.commands]}


def addresses() -> dict[str, object]:
    """The address of each page, with the keys of the controls that it opens with: those of its links."""
    from streamlit.testing.v1 import AppTest

    pages = sorted(path.name for path in (ROOT / "pages").glob("*.py"))
    found: dict[str, object] = {}
    for page in ["", *pages]:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
        if page:
            app.switch_page(str(ROOT / "pages" / page)).run()
        keys = {str(getattr(element, "key", None)) for part in (app.main, app.sidebar) for element in part}
        found[page or "app.py"] = sorted(
            key for key in keys - {"None"} if re.fullmatch(r"(?!answer_)[a-z][a-z0-9_]*", key)
        )
    return found


def freeze() -> dict[str, Any]:
    """All that is kept, one dictionary for each kind."""
    os.chdir(ROOT)
    warnings.simplefilter("ignore")
    return {
        "names": names(),
        "commands": commands(),
        "results": {name: plain(compute()) for name, compute in synthetic().items()},
        "wmt22": {key: plain(value) for key, value in wmt22()},
        "addresses": addresses(),
    }


def differences(before: object, now: object, place: str = "") -> Iterator[str]:
    """Each place at which two frozen states differ, with both values."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*before, *now]):
            yield from differences(before.get(key), now.get(key), f"{place} / {key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{place} / {index}")
    elif before != now:
        yield f"{place.removeprefix(' / ')}\n  before {before!r:.600}\n  now    {now!r:.600}"


def main(verb: str = "", file: str = "") -> int:
    """Write or compare; 1 if anything differs."""
    if verb not in ("write", "compare") or not file:
        print(__doc__)
        return 2
    now = json.loads(json.dumps(freeze()))
    if verb == "write":
        Path(file).write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    before = json.loads(Path(file).read_text(encoding="utf-8"))
    found = list(differences(before, now))
    print("\n".join(found) or "equal")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
