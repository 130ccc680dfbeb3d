"""Which contents take far more than their bytes, if a reader keeps what it finds? Plain and compressed, of any size."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections.abc import Callable

import numpy as np
import pandas as pd

import tiekit as tk
from tests.fuzz.case import MB, Case, quiet
from tests.readers import shapes

MQM = b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
HEADER = b"system,segment,human,BLEU\n"
SUBMISSION = b"BLEU\ten-de\tset\tnews\trefA\tA\t1\t0.5\n"


def repeated(line: bytes, head: bytes = b"", last: bytes = b"") -> Callable[[int], bytes]:
    """Contents of one line, as often as there is room for it."""
    return lambda size: head + line * max((size - len(head) - len(last)) // len(line), 1) + last


def numbered(line: bytes, head: bytes = b"") -> Callable[[int], bytes]:
    """Contents of lines that all differ."""
    return lambda size: head + b"".join(line % (n, n % 89) for n in range(size // (len(line) + 2)))


BOMBS: dict[str, Callable[[int], bytes]] = {
    "commas.csv": repeated(b","),
    "texts.csv": repeated(b"a,b\n"),
    "semicolons.csv": repeated(b";"),
    "tabs.tsv": repeated(b"\t"),
    "columns.csv": lambda size: (
        b",".join(b"m%d" % n for n in range(min(size // 8, 9_990))) + b"\n" + b"1," * 9_989 + b"1\n"
    ),
    "empty objects.jsonl": repeated(b"{}\n"),
    "objects.jsonl": repeated(b'{"a":1}\n'),
    "empty after one.jsonl": repeated(b"{}\n", b'{"system":"A","segment":1,"m":2}\n'),
    "other fields.jsonl": numbered(b'{"%d":%d}\n'),
    "texts.jsonl": numbered(b'{"a":"%d","b":"%d"}\n'),
    "records.jsonl": numbered(b'{"system":"A","segment":%d,"mqm":-1,"BLEU":%d.25}\n'),
    "nested.jsonl": repeated(b'{"a":[[],[],{},{}]}\n'),
    "empty objects.json": repeated(b"{},", b"[", b"{}]"),
    "one object.json": repeated(b'{"a":1},', b"[", b'{"a":1}]'),
    "lists.json": repeated(b"[],", b'{"sys":[', b"[]]}"),
    "comet.json": repeated(b'{"COMET":1},', b'{"sys":[', b'{"COMET":1}]}'),
    "numbers.json": repeated(b"1.5,", b'{"a":[', b"1]}"),
    "blocks.seg.score": repeated(b"a\t1\n"),
    "systems.seg.score": numbered(b"%d %d\n"),
    "lines.txt": repeated(b"1\n"),
    "numbers.txt": numbered(b"%d.%d\n"),
    "pairs.csv": repeated(b"1,2\n"),
    "constants.tsv": repeated(b"1\t2\t3\t4\t5\n", b"a\tb\tc\td\te\n"),
    "sparse.csv": lambda size: HEADER + b"".join(b"s%d,%d,1,2\n" % (n % 1_600, n % 1_601) for n in range(size // 12)),
    "names.csv": lambda size: HEADER + b"".join(b"%d,%d,1,2\n" % (n % 3, n) for n in range(size // 13)),
    "decimals.tsv": numbered(b"%d.5\t%d.5\n"),
    "uneven.csv": repeated(b"1,2\n", HEADER + b'"a",1,2,3\n'),
    "quoted.csv": repeated(b'"a",1,2,3\n', HEADER),
    "quotation.tsv": repeated(b'"\n', b"system\tsegment\tmqm\n"),
    "empty cells.csv": repeated(b",,,\n", HEADER),
    "empty lines.csv": repeated(b"\n", b"a,b\n"),
    "short.csv": numbered(b"1,%d,%d,2\n", HEADER),
    "segments.csv": numbered(b"%d,%d\n", b"segment,BLEU\n"),
    "mqm.tsv": repeated(b"\t\t\t\t\t\t\t\t\n", MQM),
    "ratings.tsv": numbered(b"A\td\t1\t%d\tr%d\ts\tt\tc\tMajor\n", MQM),
    "submission.seg.score": repeated(b"\t\t\t\t\t\t\t\n", SUBMISSION),
    "averages.txt": repeated(b"1 1 1 1\n", b"SYS SID RAW.SCR Z.SCR N\n"),
    "appraise.csv": repeated(b",,,,,,,,\n"),
}
"""Contents of a size, by the name of their file."""


def bomb(name: str, size: int, *, is_packed: bool = False) -> Case:
    """Return one of the contents as a file; its size is that of what is unpacked."""
    content = BOMBS[name](size)
    file = {f"{name}.gz": gzip.compress(content, 1)} if is_packed else {name: content}
    return Case(
        f"{'packed ' * is_packed}{name}, {size / MB:.1f} MB", len(content), lambda: quiet(lambda: tk.read(file))
    )


def workbook(columns: int, rows: int) -> Case:
    """Return a workbook of numbers that all differ; its size is that of its sheet."""
    cells = b"".join(b"<c><v>%d</v></c>" for _ in range(columns))
    top = b"".join(b'<c t="str"><v>m%d</v></c>' % place for place in range(columns))
    lines = (b"<row>" + cells % tuple(range(n, n + columns)) + b"</row>" for n in range(rows))
    sheet = b"<worksheet xmlns='%s'><sheetData><row>%s</row>%s</sheetData></worksheet>"
    sheet %= b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", top, b"".join(lines)
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(shapes.workbook([["x"]]))) as empty,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as kept,
    ):
        for name in empty.namelist():
            kept.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else empty.read(name))
    file = {"numbers.xlsx": packed.getvalue()}
    return Case("numbers.xlsx", len(sheet), lambda: quiet(lambda: tk.read(file)))


def parquet(columns: int, rows: int) -> Case:
    """Return a Parquet file of one number; its size is that of its cells as text."""
    packed = io.BytesIO()
    pd.DataFrame(np.ones((rows, columns), int), columns=[f"m{place}" for place in range(columns)]).to_parquet(packed)
    file = {"constants.parquet": packed.getvalue()}
    return Case("constants.parquet", 2 * rows * columns, lambda: quiet(lambda: tk.read(file)))


def case(number: int) -> Case:
    """Return one of the contents, of up to 64 MB."""
    rng = random.Random(f"bombs {number}")
    return bomb(rng.choice(list(BOMBS)), rng.choice([1, 3, 6, 12, 60]) * MB, is_packed=rng.random() < 0.5)
