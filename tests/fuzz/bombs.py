"""Which contents take far more than their bytes, if a reader keeps what it finds? Plain and compressed, of any size."""

from __future__ import annotations

import gzip
import io
import random
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

import tiekit as tk
from tests.fuzz.case import MB, Case, quiet
from tests.readers import shapes

MQM = b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
HEADER = b"system,segment,human,BLEU\n"
SUBMISSION = b"BLEU\ten-de\tset\tnews\trefA\tA\t1\t0.5\n"


def repeated(line: bytes, head: bytes = b"", last: bytes = b"") -> Callable[[int], bytes]:
    """Contents of one line, as often as there is room for it."""
    return lambda size: head + line * max((size - len(head) - len(last)) // len(line), 1) + last


VOTES = b"question_id,model_a,model_b,winner,judge\n"


def numbered(line: bytes, head: bytes = b"", last: bytes = b"") -> Callable[[int], bytes]:
    """Contents of lines that all differ."""
    return lambda size: head + b"".join(line % (n, n % 89) for n in range(size // (len(line) + 2))) + last


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
    "rows in rows.jsonl": repeated(b'{"id":1,"a":{"a":{"a":{"a":{"b":1,"c":{"a":2}}}}}}\n'),
    "names below a name.jsonl": lambda size: b"".join(
        b'{"%s%d":{%s}}\n' % (b"a" * 900, n, b",".join(b'"%d":1' % (n * 1000 + at) for at in range(1000)))
        for n in range(size // 8_900)
    ),
    "logged.json": repeated(b'["a",1],', b'{"columns":["id","x"],"data":[', b'["a",1]]}'),
    "empty objects.json": repeated(b"{},", b"[", b"{}]"),
    "one object.json": repeated(b'{"a":1},', b"[", b'{"a":1}]'),
    "lists.json": repeated(b"[],", b'{"sys":[', b"[]]}"),
    "comet.json": repeated(b'{"COMET":1},', b'{"sys":[', b'{"COMET":1}]}'),
    "columns.json": lambda size: b'{"id":[%s"a"],"x":[%s1]}' % (b'"a",' * (size // 6), b"1," * (size // 6)),
    "numbers first.json": lambda size: b'{"x":[%s1],"id":[%s"a"]}' % (b"1," * (size // 6), b'"a",' * (size // 6)),
    "cells by row.json": numbered(b'"%d":"a%d",', b'{"system":{"0":"a"},"x":{', b'"-":"a"}}'),
    "lists in a row.json": repeated(b"[],", b'{"a":{"0":1,"b":"words","c":[', b"[]]}}"),
    "scores by name.json": numbered(b'"%d":%d,', b'{"A":{', b'"-":1}}'),
    "numbers.json": repeated(b"1.5,", b'{"a":[', b"1]}"),
    "blocks.seg.score": repeated(b"a\t1\n"),
    "systems.seg.score": numbered(b"%d %d\n"),
    "lines.txt": repeated(b"1\n"),
    "long field.jsonl": lambda size: (
        b'{"text":"a","x":[0.5,1],"%sq":0.5}\n{"text":"b","x":[1]}\n' % (b"a_" * min(size, 50_000))
    ),
    "digits.csv": lambda size: b"system,segment,score\nA,1,1%s|1\nA,2,1\n" % (b"0" * min(size, 20_000)),
    "bars.txt": lambda size: b'{"a":"%s"}\n%sx\n' % (b"|" * min(size, 100_000), b"-" * min(size, 100_000)),
    "rule.csv": lambda size: b"| a |\n%sx\n" % (b"-" * min(size, 100_000)),
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
    "underscores.csv": lambda size: b"," + b"_" * (min(size, 120_000) - 22) + b"x,b\nq,1,2\nr,3,4\n",
    "before brace.json": lambda size: b"[" + b"1 " * (min(size, MB) // 2 - 8) + "\U0001f600}\n".encode(),
    "emoji.csv": numbered(b"s,%d,%d,ttttttttttttttttttttttttttt\r\n", "system,segment,human,\U0001f600\r\n".encode()),
    "votes.csv": numbered(b"q0-%d,m%d,n,model_a,j1\n", VOTES),
    "three votes.csv": lambda size: (
        VOTES + b"".join(b"q%d,m%d,n,model_a,j%d\n" % (n // 3, n % 9, n % 3) for n in range(size // 24))
    ),
    "scored votes.csv": lambda size: (
        VOTES.replace(b"winner,judge", b"score_a,score_b")
        + b"".join(b"q0-%d,m%d,n,%d.%d,.%d\n" % (n, n % 20, n % 7, n, n * 7_919 % 999_983) for n in range(size // 30))
    ),
    "appraise.csv": repeated(b",,,,,,,,\n"),
}
"""Contents of a size, by the name of their file."""


NS = b"xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"
TEXTS = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
ROW = b"<row><c t='str'><v>system</v></c><c t='str'><v>human</v></c></row>"
ROW += b"<row><c t='str'><v>A</v></c><c><v>1</v></c></row>"


def zipped(parts: dict[str, bytes]) -> bytes:
    """A zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def in_workbook(sheet: bytes, texts: bytes = b"") -> tuple[bytes, int]:
    """A workbook of one sheet and perhaps shared texts, and their size."""
    with zipfile.ZipFile(io.BytesIO(shapes.workbook([["x"]]))) as empty:
        parts = {name: empty.read(name) for name in empty.namelist()}
    types, parts["xl/worksheets/sheet1.xml"] = "[Content_Types].xml", sheet
    if texts:
        parts["xl/sharedStrings.xml"] = b"<sst %s>%s</sst>" % (NS, texts)
        part = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % TEXTS
        parts[types] = parts[types].replace(b"</Types>", part)
    return zipped(parts), len(sheet) + len(texts)


def sheets_of_one(each: bytes) -> Callable[[int], tuple[bytes, int]]:
    """Workbooks with many sheets, all of them the same part, which holds one piece of XML as often as there is room."""
    related = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def make(size: int) -> tuple[bytes, int]:
        content, _ = in_workbook(
            b"<worksheet %s>%s<sheetData>%s</sheetData></worksheet>" % (NS, each * (size // len(each)), ROW)
        )
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        [name] = re.findall(b'Target="([^"]*sheet1.xml)"', parts["xl/_rels/workbook.xml.rels"])
        sheets = b"".join(b"<sheet name='%d' sheetId='%d' r:id='r%d'/>" % (n, n, n) for n in range(1, 1_000))
        parts["xl/workbook.xml"] = b"<workbook %s xmlns:r='%s'><sheets>%s</sheets></workbook>" % (NS, related, sheets)
        links = b"".join(
            b"<Relationship Id='r%d' Type='%s/worksheet' Target='%s'/>" % (n, related, name) for n in range(1, 1_000)
        )
        parts["xl/_rels/workbook.xml.rels"] = b"<Relationships xmlns='%s'>%s</Relationships>" % (
            related.replace(b"officeDocument", b"package"),
            links,
        )
        return zipped(parts), size + len(sheets)

    return make


def empty_array(rows: int) -> tuple[bytes, int]:
    """An array of so many rows without columns, which has no bytes."""
    content = io.BytesIO()
    np.save(content, np.zeros((rows, 0)))
    return content.getvalue(), len(content.getvalue())


def texts_in_parquet(kind: pa.DataType, **options: Any) -> tuple[bytes, int]:
    """A Parquet file of one text of a megabyte in 200 cells, written as the options say."""
    packed, rows = io.BytesIO(), 200
    text = pa.DictionaryArray.from_arrays(np.zeros(rows, "i4"), pa.array([b"x" * MB], kind)).cast(kind)
    numbers = {"segment": list(range(rows)), "human": [1] * rows, "m": list(range(rows))}
    table = pa.table({"system": ["A"] * rows, **numbers, "text": text})
    parquet.write_table(table, packed, compression="zstd", write_statistics=False, **options)
    return packed.getvalue(), MB


PREFIXES = {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}}


def in_sheet(before: bytes = b"", each: bytes = b"", after: bytes = b"") -> Callable[[int], tuple[bytes, int]]:
    """Workbooks whose sheet holds one piece of XML as often as there is room for it, and a row beside it."""
    sheet = b"<worksheet %s>%s%%s%s<sheetData>%s</sheetData></worksheet>"
    if before.startswith(b"<row"):
        sheet = b"<worksheet %s><sheetData>%s%%s%s%s</sheetData></worksheet>"
    sheet %= NS, before, after, ROW
    return lambda size: in_workbook(sheet.replace(b"%s", each * (size // len(each))))


def arrays(*matrices: tuple[int, int], kind: str, names: int = 0) -> tuple[bytes, int]:
    """Matrices of ones in an archive of NumPy, perhaps with names of segments, and the bytes of all arrays."""
    parts: dict[str, Any] = {f"m{place}": np.ones(shape, kind) for place, shape in enumerate(matrices)}
    parts |= {"segments": np.array([f"s{place}" for place in range(names)])} if names else {}
    packed = io.BytesIO()
    np.savez_compressed(packed, **parts)
    return packed.getvalue(), sum(one.nbytes for one in parts.values())


def boxes(size: int, levels: int = 100) -> tuple[bytes, int]:
    """An archive in an archive, and so on, each called an archive of arrays."""
    content = bytes(size)
    for _ in range(levels):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.npz", content)
        content = packed.getvalue()
    return zipped({"a.npz": content}), len(content)


def entries(size: int) -> tuple[bytes, int]:
    """An archive of very many empty files."""
    number, start = size // 47, b"PK\3\4" + bytes(26)
    names = (b"PK\1\2" + bytes(24) + b"\1" + bytes(17) + b"a") * number
    where = number, number, len(names), len(start)
    more = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, *where)
    more += b"PK\6\7" + struct.pack("<IQI", 0, len(start + names), 1)
    end = struct.pack("<4s4xHHIIH", b"PK\5\6", *[min(number, 65_535)] * 2, *where[2:], 0)
    content = start + names + more * (number >= 65_535) + end
    return content, len(content)


def lying_parquet(size: int) -> tuple[bytes, int]:
    """A Parquet file of 70 MB or more, whose last part says that it has a thousand bytes."""
    packed = io.BytesIO()
    table = pa.table({"system": ["A", "B"], "human": [1, 2], "text": ["x" * max(70_000_000, 4 * size), "y"]})
    parquet.write_table(table, packed, compression="zstd", use_dictionary=False, write_statistics=False)
    content = packed.getvalue()
    group = parquet.ParquetFile(packed).metadata.row_group(0)
    for large in (group.total_byte_size, group.column(2).total_uncompressed_size):
        said, less = (_varint(2 * number) for number in (large, 1_000))
        start = content.rindex(b"PAR1") - 2_000
        padded = less[:-1] + bytes([less[-1] | 128]) + b"\x80" * (len(said) - len(less) - 1) + b"\0"
        content = content[:start] + content[start:].replace(said, padded)
    return content, len(content)


def _varint(number: int) -> bytes:
    """A number as Thrift writes it."""
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])


PACKED: dict[str, Callable[[int], tuple[bytes, int]]] = {
    "names.npz": lambda size: arrays((max(size // 1_000 - 16, 1), 1_000), kind="i1", names=1_000),
    "small numbers.npz": lambda size: arrays(*[(5, 100_000)] * max(size // 500_000, 1), kind="i1"),
    "empty.npy": empty_array,
    "text.parquet": lying_parquet,
    "large text.parquet": lambda _: texts_in_parquet(pa.large_string()),
    "large prefixes.parquet": lambda _: texts_in_parquet(pa.large_string(), **PREFIXES),
    "fixed text.parquet": lambda _: texts_in_parquet(pa.binary(MB)),
    "fixed prefixes.parquet": lambda _: texts_in_parquet(pa.binary(MB), **PREFIXES),
    "sheets.xlsx": sheets_of_one(b"<?a?>"),
    "boxes.zip": boxes,
    "entries.zip": entries,
    "comment.xlsx": lambda size: in_sheet(b"<!--" + b"<" * size, b"x", b"-->")(1),
    "tag.xlsx": lambda size: in_sheet(b"<x></x" + b" " * size, b" ", b">")(1),
    "elements.xlsx": in_sheet(each=b"<x/>"),
    "in a row.xlsx": in_sheet(b"<row>", b"<x/>", b"</row>"),
    "in a cell.xlsx": in_sheet(b"<row><c t='inlineStr'><is>", b"<t/>", b"</is></c></row>"),
    "between rows.xlsx": in_sheet(b"<row/>", b"<row><c/></row><v/><v/>"),
    "empty rows.xlsx": in_sheet(b"<row/>", b"<row/>"),
    "deep.xlsx": lambda size: in_sheet(b"<a>" * (size // 7), b"a", b"</a>" * (size // 7))(1),
    "attributes.xlsx": lambda size: in_sheet(b"<x " + b" ".join(b"a%d=''" % n for n in range(size // 10)), b" ", b"/>")(
        1
    ),
    "texts.xlsx": lambda size: in_workbook(b"<worksheet %s/>" % NS, b"<si><t>a</t></si>" * (size // 17)),
    "runs.xlsx": lambda size: in_workbook(
        b"<worksheet %s/>" % NS, b"<si>%s</si>" % (b"<r><t>ab</t></r>" * (size // 16))
    ),
    "elements in texts.xlsx": lambda size: in_workbook(b"<worksheet %s/>" % NS, b"<x/>" * (size // 4)),
    "attributes in texts.xlsx": lambda size: in_workbook(
        b"<worksheet %s/>" % NS, b"<x a='>' %s/>" % b" ".join(b"a%d=''" % n for n in range(size // 12))
    ),
}
"""Packed contents, with the bytes that they unpack to, of about a size."""


def bomb(name: str, size: int, *, is_packed: bool = False) -> Case:
    """Return one of the contents as a file; its size is that of what is unpacked."""
    content, size = PACKED[name](size) if name in PACKED else (BOMBS[name](size), size)
    size = size if name in PACKED else len(content)
    file = {f"{name}.gz": gzip.compress(content, 1)} if is_packed and name in BOMBS else {name: content}
    read: Callable[[Any], object] = tk.votes.read_votes if name.endswith("votes.csv") else tk.read
    return Case(f"{'packed ' * is_packed}{name}, {size / MB:.1f} MB", size, lambda: quiet(lambda: read(file)))


def workbook(columns: int, rows: int) -> Case:
    """Return a workbook of numbers that all differ; its size is that of its sheet."""
    cells = b"".join(b"<c><v>%d</v></c>" for _ in range(columns))
    top = b"".join(b'<c t="str"><v>m%d</v></c>' % place for place in range(columns))
    lines = (b"<row>" + cells % tuple(range(n, n + columns)) + b"</row>" for n in range(rows))
    content, size = in_workbook(
        b"<worksheet %s><sheetData><row>%s</row>%s</sheetData></worksheet>" % (NS, top, b"".join(lines))
    )
    return Case("numbers.xlsx", size, lambda: quiet(lambda: tk.read({"numbers.xlsx": content})))


def constants(columns: int, rows: int) -> Case:
    """Return a Parquet file of one number; its size is that of its cells as text."""
    packed = io.BytesIO()
    pd.DataFrame(np.ones((rows, columns), int), columns=[f"m{place}" for place in range(columns)]).to_parquet(packed)
    file = {"constants.parquet": packed.getvalue()}
    return Case("constants.parquet", 2 * rows * columns, lambda: quiet(lambda: tk.read(file)))


def case(number: int) -> Case:
    """Return one of the contents, of up to 64 MB."""
    rng = random.Random(f"bombs {number}")
    return bomb(rng.choice([*BOMBS, *PACKED]), rng.choice([1, 3, 6, 12, 60]) * MB, is_packed=rng.random() < 0.5)
