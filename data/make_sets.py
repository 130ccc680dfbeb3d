"""Write `data/wmt22/` and `data/wmt23/`: published scores without their texts, and the form in which they are loaded.

`python data/make_sets.py FOLDER [TARGET]` reads FOLDER, which holds `wmt22` and `wmt23` in the layout of
mt-metrics-eval, and writes below TARGET (`data`): every score file digit by digit, the documents, the length in
characters of each text, and which outputs of a segment are identical, all compressed by gzip without a time or a name,
so that the same zlib writes the same bytes. A file that holds more than names and numbers is refused. The lengths are
one table: a line a segment, a column a file of texts. So are the identical texts: a column a system, the same number
for the same text of a line, and -1 for none.

`python data/make_sets.py` alone writes the `.npz` of each set, which `tk.load` reads, from the texts that are there.
"""

import gzip
import io
import re
import sys
from pathlib import Path

DATA = Path(__file__).parent
SETS = {
    ("wmt22", "zh-en"): (("mqm", "wmt", "wmt-z", "wmt-appraise", "wmt-appraise-z"), "*"),
    ("wmt23", "zh-en"): (("mqm", "da-sqm"), "refA"),
    ("wmt23", "he-en"): (("mqm",), "refB"),
    ("wmt23", "en-de"): (("mqm", "da-sqm"), "refA"),
}
"""Human scores of each set, and the reference that its metrics use, if any."""
SCORES = re.compile(rb"([\w.-]+\t(None|-?\d+(\.\d+)?(e-?\d+)?)\n)+")
LABELS = re.compile(rb"([\w.-]+[\t ][\w.-]+\n)+")
IDENTICAL = re.compile(rb"[\w.-]+(\t[\w.-]+)+\n(-?\d+(\t-?\d+)*\n)+")
LENGTHS = re.compile(rb"sources(\t[\w./-]+)+\n([\d\t]+\n)+")


def write(path, content, allowed):
    """Compress what holds nothing but names and numbers."""
    if not allowed.fullmatch(content):
        raise SystemExit(f"{path}: holds more than names and numbers")
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())


def lines(path):
    """The text of each line, without its end."""
    return path.read_bytes().decode("utf-8-sig").removesuffix("\n").split("\n")


def count(path):
    """The number of characters of each line."""
    return list(map(len, lines(path)))


def table_of_identical(source, pair):
    """A column for each system: in each line, the same number for the same text, and -1 for none."""
    outputs = {path.stem: lines(path) for path in sorted((source / "system-outputs" / pair).glob("*.txt"))}
    rows = ["\t".join(outputs)]
    for texts in zip(*outputs.values(), strict=True):
        places = {text: place for place, text in enumerate(dict.fromkeys(filter(None, texts)))}
        rows.append("\t".join(str(places.get(text, -1)) for text in texts))
    return "".join(f"{row}\n" for row in rows).encode()


def table_of_lengths(source, pair):
    """A column for the sources, for each reference and for the outputs of each system."""
    columns = {"sources": count(source / "sources" / f"{pair}.txt")}
    for path in sorted((source / "references").glob(f"{pair}.*.txt")):
        columns[f"references/{path.stem.removeprefix(f'{pair}.')}"] = count(path)
    for path in sorted((source / "system-outputs" / pair).glob("*.txt")):
        columns[f"system-outputs/{path.stem}"] = count(path)
    rows = [columns, *zip(*columns.values(), strict=True)]
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


def scores_of(source, pair, human, reference):
    """The files of human scores and of metrics with their contents, by the path that they get here."""
    folder = source / "metric-scores" / pair
    levels = ("seg",) if source.name == "wmt22" else ("seg", "sys")
    files = [path for level in levels for path in folder.glob(f"*-{reference}.{level}.score*")]
    if reference != "*":
        files += [path for level in levels for path in folder.glob(f"*-src.{level}.score*")]
    people = source / "human-scores"
    files += [path for level in levels for name in human for path in people.glob(f"{pair}.{name}.{level}.score*")]
    for path in sorted(files):
        content = path.read_bytes()
        is_packed = path.suffix == ".gz"
        inner = path.relative_to(source)
        yield inner.with_suffix("") if is_packed else inner, gzip.decompress(content) if is_packed else content


def write_all(root, target):
    """Write every file of texts."""
    for (testset, pair), (human, reference) in SETS.items():
        source, folder = root / testset, target / testset
        for inner, content in scores_of(source, pair, human, reference):
            write(folder / f"{inner}.gz", content, SCORES)
        documents = Path("documents") / f"{pair}.docs"
        write(folder / f"{documents}.gz", (source / documents).read_bytes(), LABELS)
        write(folder / "lengths" / f"{pair}.tsv.gz", table_of_lengths(source, pair), LENGTHS)
        write(folder / "identical" / f"{pair}.tsv.gz", table_of_identical(source, pair), IDENTICAL)


def pack_all(target):
    """Write the form of each set that is loaded."""
    import tiekit as tk
    from tiekit.readers.data_sets import pack

    for testset, pair in SETS:
        path = target / testset / f"{pair}.npz"
        path.write_bytes(pack(tk.read_mtme(target, testset, pair)))


if __name__ == "__main__":
    there = Path(sys.argv[2]) if len(sys.argv) > 2 else DATA
    if len(sys.argv) > 1:
        write_all(Path(sys.argv[1]), there)
    pack_all(there)
