"""What can be done with a file that is of no known format? Other programs read it, or it is to be fetched again."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tiekit.base.errors import quote
from tiekit.readers._numbers import number_like
from tiekit.readers._source import POINTED, POINTER

_KINDS = {
    ".html": ("a page of HTML", "pandas.read_html(PATH)[0]", "lxml"),
    ".xml": ("XML", "pandas.read_xml(PATH, parser='etree')", ""),
    ".tex": (
        "LaTeX",
        r"pandas.read_csv(io.StringIO(re.sub(r'\\(?:text|math|underline|emph)\w*\{([^{}]*)\}', r'\1', "
        r"open(PATH).read().replace('\\_', '_'))), sep=' *& *', comment='\\', engine='python')",
        "",
    ),
    ".dta": ("a file of Stata", "pandas.read_stata(PATH)", ""),
    ".sav": ("a file of SPSS", "pandas.read_spss(PATH)", "pyreadstat"),
    ".sas7bdat": ("a file of SAS", "pandas.read_sas(PATH, encoding='utf-8')", ""),
    ".feather": ("an Arrow or Feather file", "pandas.read_feather(PATH)", "pyarrow"),
    ".orc": ("an ORC file", "pandas.read_orc(PATH)", "pyarrow"),
    ".h5": ("an HDF5 file", "pandas.read_hdf(PATH)", "tables"),
    ".sqlite": ("a database", "pandas.read_sql('SELECT * FROM TABLE', sqlite3.connect(PATH))", ""),
    ".mat": ("a file of MATLAB", "scipy.io.loadmat(PATH)['VARIABLE']", ""),
    ".yaml": ("YAML", "yaml.safe_load(open(PATH))", "PyYAML"),
    ".py": (
        "what Python prints",
        r"ast.literal_eval(re.sub(r'\bnan\b', 'None', re.sub("
        r"r'\b(?:np\.\w+|array|tensor)\(([^()]*?)(?:, *dtype=\w+)?\)', r'\1', open(PATH).read())))",
        "",
    ),
    ".fwf": ("a table whose columns are divided by blanks", r"pandas.read_csv(PATH, sep='\\s+')", ""),
}
"""What files are by their endings, how Python reads them, and the package that this needs."""

_BEGINS = {
    b"<html": ".html",
    b"<!doctype": ".html",
    b"<table": ".html",
    b"<?xml": ".xml",
    b"\\begin{tabular": ".tex",
    b"\\begin{table": ".tex",
    b"arrow1": ".feather",
    b"orc": ".orc",
    b"sqlite format 3": ".sqlite",
    b"\x89hdf": ".h5",
    b"matlab 5.0": ".mat",
    b"[{'": ".py",
    b"{'": ".py",
    b"---\n": ".yaml",
}
"""Endings of kinds of files by their first bytes, in lower case."""

_ALIASES = {".htm": ".html", ".db": ".sqlite", ".sqlite3": ".sqlite", ".hdf5": ".h5", ".yml": ".yaml", ".log": ""}

_OTHERWISE = {
    b"%PDF": "is a PDF; save its scores as a table",
    b"\xd0\xcf\x11\xe0": "is a workbook in an old format; save the sheet as CSV (UTF-8)",
    b"LP DATA SID BETTER": "says which of two translations is better, without scores; use tiekit.readers.read_darr",
    b"\x28\xb5\x2f\xfd": "is packed by zstd; unpack it, and give the file with scores",
    b"7z\xbc\xaf": "is a 7z archive; unpack it, and give the file with scores",
    POINTER: POINTED,
}
"""What is to be done with other files, by their first bytes."""

OPEN_DOCUMENT = "is an OpenDocument file; save the sheet as .xlsx, or as CSV (UTF-8)"

_OPEN_DOCUMENT, _LM_EVAL = b"application/vnd.oasis.opendocument.spreadsheet", b"_stderr,"
"""What is in workbooks of OpenDocument, and in the names of lm-eval's standard errors."""

_COMET_LINE = re.compile(rb"^.*\tSegment \d+\tscore:", re.MULTILINE)
"""A line that comet-score prints."""

OF_TAR = slice(257, 262)
"""Where an archive of tar says that it is one."""

WHAT_IS_READ = (
    "tables (CSV, TSV, Excel, Parquet), JSON, arrays of NumPy, one score per line, and what metrics' tools write are "
    "read (docs/formats.md); write a table with the columns system, segment and score, such as by "
    "pandas.DataFrame({'system': SYSTEMS, 'segment': SEGMENTS, 'score': SCORES}).to_csv('scores.csv', index=False)"
)
"""What to say of a file that nobody knows."""


def say_what_to_do(name: str, first: bytes) -> str:
    """What to do with a file of no known format, by its name and the start of its contents; empty where all is open."""
    if told := next((text for begin, text in _OTHERWISE.items() if first.startswith(begin)), ""):
        return told
    if first[OF_TAR] == b"ustar":
        return "is an archive of tar; unpack it by tar -xf PATH, and give the folder that holds the scores"
    if (found := _COMET_LINE.search(first)) and found.start():
        before = first.count(b"\n", 0, found.start())
        step = "grep -a 'Segment.*score:' PATH > scores.txt, and give scores.txt"
        return f"has {before:,} lines before its first score; leave them out, such as by {step}"
    lower, ending = first[:20].lstrip().lower(), PurePosixPath(name).suffix.lower()
    if ending == ".fods" or _OPEN_DOCUMENT in first:
        return OPEN_DOCUMENT
    if _LM_EVAL in first and b'"results"' in first:
        return "holds means of lm-eval, not scores of segments; give the samples_….jsonl that --log_samples writes"
    kind = next((kind for begin, kind in _BEGINS.items() if lower.startswith(begin)), _ALIASES.get(ending, ending))
    if kind in ("", ".txt", ".csv", ".tsv") and _are_aligned(first):
        kind = ".fwf"
    if kind not in _KINDS:
        return ""
    what, step, package = _KINDS[kind]
    if kind == ".fwf" and (options := _below_header(first)):
        step = f"{step.removesuffix(')')}, {options}"
    told = f"is {what}; in Python, pass {step}" + f" (which needs {package})" * bool(package)
    return told + "; or download it again, if it is a server's message in place of the file" * (kind == ".html")


def _below_header(first: bytes) -> str:
    """How a table is read whose second line is the name of its index, as pandas prints it; empty of any other one."""
    lines = [line.decode("utf-8", "replace").split() for line in first.split(b"\n", 3)[:3]]
    if len(lines) < 3 or len(lines[1]) != 1 or len(lines[2]) == 1:
        return ""
    header, below, row = lines
    if len(header) < len(row):
        return f"skiprows=[1]).rename_axis({below[0]!r})"
    return f"skiprows=[1]).rename(columns={{{header[0]!r}: {below[0]!r}}})"


def _are_aligned(first: bytes) -> bool:
    """Whether the first lines are cells between blanks: as many as in the header, or an index more.

    Some blanks are several, or the last cells numbers.
    """
    lines = [line.split() for line in first.split(b"\n")[:-1]]
    lengths = {len(row) - len(lines[0]) for row in lines[2:]}  # below the header may stand the name of an index
    if len(lengths) != 1 or not lengths <= {0, 1} or len(lines[0]) < 2 or b"," in first:
        return False
    return b"  " in first or all(number_like(row[-1].decode("utf-8", "replace")) for row in lines[2:])


def say_unknown(name: str, first: bytes) -> str:
    """What to say of a file of which nothing is known."""
    ending = PurePosixPath(name).suffix or "no ending"
    return f"is in no known format ({ending}, begins with {quote(first[:40])}); {WHAT_IS_READ}"
