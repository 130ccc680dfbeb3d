"""How far does calibration without groups go? Time and peak memory as n grows, beside two ways to write Algorithm 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from pathlib import Path

from benchmarks import real
from benchmarks.cases import Sizes, require_same
from benchmarks.fresh_run import Run, run
from benchmarks.growth import exponent
from benchmarks.table import Row, clock, goal, ratio_of, space

PEERS = {"plain": "plain Algorithm 2", "one_sort": "Algorithm 2 in NumPy, one sort"}
Runs = dict[str, dict[int, Run]]
"""By tool and number of scores."""


def rows(sizes: Sizes, folder: Path | None) -> Iterator[Row]:
    """Every line of the table; the folder is mt-metrics-eval-v2 or None."""
    runs: Runs = {"tiekit": {}, **{peer: {} for peer in PEERS}}
    for n in sorted(sizes.scaling):
        for tool, largest in {"tiekit": n, "plain": sizes.plain_to, "one_sort": sizes.one_sort_to}.items():
            if n <= largest:
                runs[tool][n] = run(tool, n, sizes)
        yield from at_size(n, runs)
    yield from real.rows(sizes, folder)
    yield from exponents(runs, sizes)


def at_size(n: int, runs: Runs) -> Iterator[Row]:
    """A line a peer."""
    ours = runs["tiekit"][n]
    first, *others = (compare_with(peer, n, runs) for peer in PEERS)
    case = f"calibrate, {n:,} drawn scores, {n * (n - 1) // 2:,} pairs"
    yield Row(case, str(ours), *first, targets(n, ours))
    yield from (Row("", "", *other) for other in others)


def compare_with(peer: str, n: int, runs: Runs) -> tuple[str, str]:
    """What a peer took and what tiekit is to it; or what it would take."""
    if n not in runs[peer]:
        return f"{PEERS[peer]} left out: {needs(runs[peer], n)}", ""
    ours, theirs = runs["tiekit"][n], runs[peer][n]
    require_same(PEERS[peer], (ours.epsilon, ours.value), (theirs.epsilon, theirs.value))
    return f"{theirs} {PEERS[peer]}", ratio_of(ours.seconds, theirs.seconds)


def needs(measured: Mapping[int, Run], n: int) -> str:
    """What a size that is left out would take, from the largest that was measured."""
    if not measured:
        return "measured at no size"
    largest = max(measured)
    times = (n / largest) ** 2  # it goes through every pair; the exponent of a few small sizes would overstate that
    found = measured[largest]
    memory = f", {space(found.peak * times, digits=2)}" if found.peak is not None else ""
    return f"would need at least about {clock(found.seconds * times, digits=2)}{memory}"


def targets(n: int, found: Run) -> str:
    """What tiekit has to keep to at the size of the real set, and at the largest."""
    if n == 100_000:
        return goal("≤ 15 s", found.seconds <= 15)
    return goal("≤ 300 MB", found.peak <= 300e6) if n == 28_125 and found.peak is not None else ""


def exponents(runs: Runs, sizes: Sizes) -> Iterator[Row]:
    """Time as a power of n, for each tool over its own range; tiekit's begins where its fixed costs are small."""
    ours = {n: found for n, found in runs["tiekit"].items() if n >= sizes.growth_from}
    plainly, *others = (f"{grows(runs[peer])[1]} {name}" for peer, name in PEERS.items())
    power, told = grows(ours)
    yield Row("  time grows as", told, plainly, target="" if isnan(power) else goal("≤ n^1.6", power <= 1.6))
    yield from (Row("", "", other) for other in others)


def grows(measured: Mapping[int, Run]) -> tuple[float, str]:
    """The exponent of n, and in words with its range."""
    power = exponent({n: found.seconds for n, found in measured.items()})
    if isnan(power):
        return power, "unknown: too few sizes"
    return power, f"n^{power:.2f} (n from {min(measured):,} to {max(measured):,})"
