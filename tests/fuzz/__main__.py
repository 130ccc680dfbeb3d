"""Hostile input for as long as one likes: ``python -m tests.fuzz [--minutes 10] [--seed N] [--only readers,links]``.

The kinds take turns. Each case has a number; what is wrong is printed with the command that repeats it. Run it with a
low priority beside other work: what takes too long is measured in processor time.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import sys
import time
from collections import Counter
from importlib import import_module

from tests.fuzz.case import Kind, confirmed

KINDS = ("readers", "bombs", "typed", "links", "uploads", "notebooks", "command_line")
MOST_SHOWN = 20
"""So many problems of a kind are printed."""


def kind_of(name: str) -> Kind:
    """Return what makes the cases of a kind."""
    made: Kind = import_module(f"tests.fuzz.{name}").case
    return made


def search(names: list[str], first: int, minutes: float, most: int | None = None) -> Counter[str]:
    """Try cases until the time is over, and return the number of problems by kind."""
    found, tried, end = Counter[str](), Counter[str](), time.monotonic() + 60 * minutes
    kinds = {name: kind_of(name) for name in names}
    for number in itertools.count(first):
        if time.monotonic() > end or (most is not None and number >= first + most):
            break
        for name, kind in kinds.items():
            tried[name] += 1
            if problem := confirmed(kind, number):
                found[name] += 1
                if found[name] <= MOST_SHOWN:
                    print(f"{name} {number}: {problem}\n    {kind(number).what}")
                    print(f"    python -m tests.fuzz --only {name} --seed {number} --number 1", flush=True)
    print(", ".join(f"{name}: {tried[name]:,} cases, {found[name]} problems" for name in names))
    return found


def main() -> None:
    """Read the options, try cases, and say by the exit code whether all went well."""
    parser = argparse.ArgumentParser(description="Give tiekit hostile input.")
    parser.add_argument("--minutes", type=float, default=10, help="how long (10)")
    parser.add_argument("--seed", type=int, default=None, help="number of the first case; by default a new one")
    parser.add_argument("--number", type=int, default=None, help="how many cases of each kind, at most")
    parser.add_argument("--only", default=",".join(KINDS), help=f"kinds, of {', '.join(KINDS)}")
    given = parser.parse_args()
    first = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"seed {first}", flush=True)
    sys.exit(bool(search(given.only.split(","), first, given.minutes, given.number).total()))


if __name__ == "__main__":
    main()
