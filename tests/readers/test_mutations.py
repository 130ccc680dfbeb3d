"""No bytes break `tiekit.read`: it reads a mutated file or refuses it, within a second and 300 MB."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import tiekit as tk
from tests.mutated import mutated, samples

SAMPLES = Path(__file__).parent / "samples"
OTHERS = {
    "mine.csv": b"system,segment,doc,mqm,BLEU\n"
    + b"".join(b"S%d,%d,d%d,-%d,%d.5\n" % (i % 3, i // 3, i // 9, i % 5, i) for i in range(30)),
    "en-de.mqm.seg.score": b"".join(b"S%d\t%d.25\n" % (i // 5, i) for i in range(20)),
    "pairs.tsv": b"1\t.5\n2\t.7\n",
}
"""Samples of the oldest formats."""

SECONDS, MEGABYTES = 1.0, 300
NUMBER, CAMPAIGN = 300, 10_000


def reset_peak() -> None:
    """Let Linux forget how much memory this process has had."""
    Path("/proc/self/clear_refs").write_text("5")


def memory(field: str) -> float:
    """The memory of this process in megabytes: VmRSS now, VmHWM at most since `reset_peak`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(field)


def breaks(name: str, content: bytes) -> str | None:
    """What is wrong with the answer to a file; None where it was read, or refused as it should be."""
    measured = Path("/proc/self/clear_refs").exists()
    if measured:
        reset_peak()
        before = memory("VmRSS")
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.TiekitWarning)
            data = tk.read({name: content})
        repr(data).encode()
        problem = None if data.notes and data.segments else "a set without notes or segments"
    except (tk.ReadError, tk.InputError) as error:
        problem = None if str(error).encode("utf-8", "replace").strip() else "an error without a message"
    except Exception as error:
        problem = f"{type(error).__name__}: {error!s:.300}"
    took = time.perf_counter() - start
    if took > SECONDS:
        problem = f"took {took:.1f} s"
    if measured and memory("VmHWM") - before > MEGABYTES:
        problem = f"took {memory('VmHWM') - before:.0f} MB"
    return problem


def broken(originals: list[tuple[str, bytes]], numbers: range) -> dict[int, str]:
    """What is wrong with the answers, by the number of the mutation; a slow answer counts if it is slow again."""
    found = {}
    for number in numbers:
        problem = breaks(*mutated(originals, number))
        if problem and problem.startswith("took"):
            problem = breaks(*mutated(originals, number))
        if problem:
            found[number] = f"{mutated(originals, number)[0]}: {problem}"
    return found


HOW_MANY = pytest.mark.parametrize("number", [NUMBER, pytest.param(CAMPAIGN, marks=pytest.mark.campaign)])


@HOW_MANY
def test_mutated_samples_are_read_or_refused(number: int) -> None:
    assert broken([*OTHERS.items(), *samples(SAMPLES)], range(number)) == {}


@pytest.mark.real
@HOW_MANY
def test_mutated_files_of_tools_are_read_or_refused(real_data: Path, number: int) -> None:
    assert broken(samples(real_data.parent / "formats"), range(number)) == {}


@pytest.mark.campaign
def test_a_reader_that_breaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def instead(answer: Callable[[object], object]) -> str | None:
        monkeypatch.setattr(tk, "read", answer)
        return breaks("x.csv", b"")

    def fails(source: object) -> object:
        raise KeyError(type(source).__name__)

    held = []
    assert instead(fails) == "KeyError: 'dict'"
    slow = instead(lambda _: time.sleep(SECONDS + 0.1) or tk.EvalSet("x", "", (), ("1",), {}, {}, notes=("n",)))
    assert str(slow).startswith("took ")
    assert instead(lambda _: tk.EvalSet("x", "", (), ("1",), {}, {})) == "a set without notes or segments"
    if Path("/proc/self/clear_refs").exists():
        assert str(instead(lambda _: held.append(b"x" * (400 << 20)))).endswith("00 MB")
