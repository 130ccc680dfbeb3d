"""Files of odd shapes within the limits of the readers: as large as they may be in one direction each."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np

LONG = 1_000
"""The characters of the longest names that a page shows."""

Files = dict[str, bytes]


def table(
    systems: int,
    segments: int,
    columns: Sequence[str],
    score: Callable[[np.random.Generator], str] = lambda draw: f"{draw.random():.4f}",
    *,
    labels: Callable[[int], str] | None = None,
    heads: str = "",
    name: Callable[[str], str] = str,
    share: float = 1.0,
) -> Files:
    """A long table of scores; ``labels`` are further cells of a segment, under ``heads``."""
    draw = np.random.default_rng(1)
    lines = [",".join(["system", "segment", *([heads] if heads else []), *map(name, columns)])]
    for segment in range(segments):
        labelled = [labels(segment)] if labels else []
        for system in range(systems):
            if share == 1 or draw.random() < share:
                cells = [score(draw) for _ in columns]
                lines.append(",".join([name(f"s{system}"), str(segment), *labelled, *cells]))
    return {"scores.csv": "\n".join(lines).encode()}


def outputs(systems: int, segments: int) -> Files:
    """Scores with outputs, all the same text."""
    draw = np.random.default_rng(1)
    names = [f"s{system}" for system in range(systems)]
    lines = [
        json.dumps(
            {
                "i": segment,
                "doc": f"d{segment % 40}",
                "src": f"x{segment}",
                "ref": "y",
                "tgt": dict.fromkeys(names, "a"),
                "scores": {one: {"human": int(draw.integers(9)), "m0": round(draw.random(), 2)} for one in names},
            }
        )
        for segment in range(segments)
    ]
    return {"scores.jsonl": "\n".join(lines).encode()}


def votes(questions: int, models: int, judges: int, name: Callable[[str], str] = str, items: int = 10**9) -> Files:
    """Votes of a person and of judges on the same answers."""
    draw = np.random.default_rng(1)
    rows = ["question_id,model_a,model_b,judge,winner"]
    for question in range(questions):
        one = draw.integers(models)
        pair = name(f"m{one}"), name(f"m{(one + 1 + draw.integers(models - 1)) % models}")
        for judge in ("person", *(f"{chr(97 + number % 26)}j{chr(97 + number // 26)}" for number in range(judges))):
            winner = ("model_a", "model_b", "tie")[draw.integers(3)]
            rows.append(f"{question % items},{pair[0]},{pair[1]},{name(judge)},{winner}")
    return {"votes.csv": "\n".join(rows).encode()}


def rankings(
    lines: int, systems: int, segments: int, pairs: int, judges: int, name: Callable[[str], str] = str
) -> Files:
    """Five ranked systems in each line."""
    draw = np.random.default_rng(1)
    places = range(1, 6)
    heads = [f"system{n}{what}" for n in places for what in ("Number", "Id")] + [f"system{n}rank" for n in places]
    rows = [",".join(["srclang,trglang,srcIndex,documentId,segmentId,judgeId", *heads])]
    for line in range(lines):
        pair, judge = line % pairs, draw.integers(judges)
        chosen = ",".join(f",{name(f's{system}')}" for system in draw.choice(systems, 5, replace=False))
        ranks = ",".join(map(str, draw.integers(1, 6, 5)))
        rows.append(f"{name(f'l{pair}')},en,{pair}x{draw.integers(segments)},,,{name(f'j{judge}')},{chosen},{ranks}")
    return {"rankings.csv": "\n".join(rows).encode()}


def long(name: str) -> str:
    """A name of as many characters as a page shows."""
    return name + "*_`[<&"[len(name) % 6] * (LONG - len(name))


TWO, FIVE = ("human", "m0", "m1"), ("human", "m0", "m1", "m2", "m3")

SHAPES: dict[str, Callable[[], Files]] = {
    "segments": lambda: table(2, 500_000, TWO),
    "systems": lambda: table(2_000, 500, TWO),
    "metrics": lambda: table(20, 100, ["human", *(f"m{number}" for number in range(499))]),
    "metrics of two systems": lambda: table(2, 5_000, ["human", *(f"m{number}" for number in range(490))]),
    "human scores": lambda: table(10, 200, [*(f"human{number}" for number in range(300)), "m0", "m1"]),
    "domains": lambda: table(2, 100_000, TWO, heads="domain", labels=lambda n: f"x{n}"),
    "documents": lambda: table(2, 100_000, TWO, heads="document", labels=lambda n: f"d{n}"),
    "one segment": lambda: table(2_000, 1, FIVE),
    "one system": lambda: table(1, 300_000, TWO),
    "equal outputs": lambda: outputs(1_000, 100),
    "equal scores": lambda: table(50, 2_000, FIVE, lambda _: "1"),
    "distinct scores": lambda: table(50, 2_000, FIVE, lambda draw: repr(draw.random() * 10.0 ** draw.integers(-9, 9))),
    "missing": lambda: table(400, 2_000, FIVE, share=0.1),
    "gaps": lambda: table(50, 2_000, FIVE, lambda draw: "" if draw.random() < 0.9 else f"{draw.random():.3f}"),
    "names": lambda: table(
        100, 100, FIVE, heads="document,domain", labels=lambda n: f"{long(f'd{n}')},{long(f'x{n}')}", name=long
    ),
    "votes": lambda: votes(100_000, 20, 2),
    "votes on models": lambda: votes(60_000, 60_000, 2),
    "votes of judges": lambda: votes(700, 20, 400),
    "votes on one question": lambda: votes(1_400, 2, 2, items=1),
    "votes of long names": lambda: votes(100, 20, 100, name=long),
    "rankings": lambda: rankings(90_000, 300, 3_000, 1, 1_000),
    "rankings of pairs": lambda: rankings(50_000, 30, 50, 99, 50_000),
    "rankings of systems": lambda: rankings(20_000, 1_000, 500, 1, 9),
    "rankings of long names": lambda: rankings(1_000, 30, 50, 99, 50, name=long),
}
KIND = {name: name.split()[0] for name in SHAPES if name.split()[0] in ("votes", "rankings")}
"""What a file holds, where that is no set."""
