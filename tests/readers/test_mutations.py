"""No bytes break `tiekit.read`: it reads a mutated file or refuses it, quickly and in little memory."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import tiekit as tk
from tests.fuzz.case import Case, confirmed, quiet
from tests.fuzz.readers import ORIGINALS
from tests.mutated import mutated, samples

HOW_MANY = pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=pytest.mark.campaign)])


def problems(originals: list[tuple[str, bytes]], numbers: range) -> dict[int, str]:
    """What is wrong with the answers to mutated files, by the number of the mutation."""

    def case(number: int) -> Case:
        name, content = mutated(originals, number)

        def run() -> None:
            data = tk.read({name: content})
            repr(data).encode()
            assert data.notes
            assert data.segments

        return Case(name, len(content), lambda: quiet(run))

    gc.freeze()  # each case looks through memory for waste, at length where other tests left much
    found = {number: confirmed(case, number) for number in numbers}
    return {number: problem for number, problem in found.items() if problem}


@HOW_MANY
def test_mutated_samples_are_read_or_refused(number: int) -> None:
    assert problems(ORIGINALS, range(number)) == {}


@pytest.mark.real
@HOW_MANY
def test_mutated_files_of_tools_are_read_or_refused(real_data: Path, number: int) -> None:
    assert problems(samples(real_data.parent / "formats"), range(number)) == {}
