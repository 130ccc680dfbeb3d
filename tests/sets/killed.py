"""Whether `tiekit convert` leaves the old set or the new one, however it ends."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import tiekit as tk

ROOT = Path(__file__).parents[2]
SYSTEMS, SEGMENTS, METRICS = 4, 50, 60


def table(path: Path, add: int) -> str:
    """A table whose scores tell which set they are of."""
    metrics = range(METRICS)
    rows = [
        ",".join(map(str, (f"S{system}", segment, system, *(add + metric + segment for metric in metrics))))
        for system in range(SYSTEMS)
        for segment in range(1, SEGMENTS + 1)
    ]
    path.write_text("\n".join([f"system,segment,mqm,{','.join(f'm{metric}' for metric in metrics)}", *rows, ""]))
    return str(path)


def held(folder: Path) -> dict[str, bytes]:
    """What a reader may find: files by name, without hidden ones."""
    inside = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {str(name): path.read_bytes() for name, path in inside.items() if not str(name).startswith(".")}


def start(source: str, root: Path) -> subprocess.Popen[bytes]:
    """A real process that converts a table."""
    command = [sys.executable, "-m", "tiekit", "convert", source, str(root), "--to-testset", "mine"]
    command += ["--to-language-pair", "en-de", "--overwrite"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_conversions(folder: Path, times: int, *, seed: int, signals: tuple[int, ...]) -> set[bool]:
    """Kill conversions over an old set at random moments; whether the new set was there, for those that met one."""
    root, draw, outcomes = folder / "v2", random.Random(seed), set()
    sources = [table(folder / f"{add}.csv", add) for add in (100, 200)]
    wholes: list[dict[str, bytes]] = []
    for source in sources:
        begun = time.perf_counter()
        assert start(source, root).wait() == 0
        lasts = time.perf_counter() - begun
        wholes.append(held(root))
    old, new = wholes[0], wholes[1]
    assert old.keys() == new.keys()
    for turn in range(times):
        process = start(sources[turn % 2], root)
        time.sleep(lasts * draw.uniform(0.5, 1.05))
        process.send_signal(draw.choice(signals))
        process.wait()
        found = held(root)
        assert found in (old, new), f"turn {turn}: a mixture of {len(found)} files"
        assert tk.list_mtme(root) == {"mine": ("en-de",)}
        data = tk.read_mtme(root, "mine", "en-de")
        assert len(data.metrics) == METRICS
        outcomes.add(found == (old if turn % 2 == 0 else new))
    assert start(sources[0], root).wait() == 0
    assert os.listdir(root) == ["mine"]  # the next run deletes what the killed ones left
    assert held(root) == old
    return outcomes
