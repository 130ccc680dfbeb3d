"""What can a visitor take home? Files, made when a button is pressed; the code of a picture, and its notebook."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from threading import Lock, Timer, local
from typing import Any, TypeAlias, TypeGuard

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike, NDArray

import tiekit as tk
from tiekit.core import SHOWN, Progress, digest_of
from ui.work import result_cache, streamlit_internals
from ui.work.log import TOO_MANY, UNWANTED
from ui.work.text import as_label, exact
from ui.work.visitor import computing, current_visitor

KEPT, KEPT_BYTES, KEPT_SECONDS = 32, 128_000_000, 60.0
"""How many files of how many bytes in all are kept for all visitors, and how long, until their browsers fetch them."""

THREADS, OF_ADDRESS = 1_000, 300
"""The number of threads in which files are made, or wait for their turn, and maximum number of those of one address: a
lecture hall asks for so many at once."""

SMALL = 200
"""Maximum number of scores that are written out."""

Value: TypeAlias = "ArrayLike | tk.EvalSet | bytes"
Data: TypeAlias = "Mapping[str, Value | Callable[[], tk.EvalSet]]"

UNPACK = '''import base64
import io
import json

import numpy as np


def unpack(text):
    """The arrays of a base64 npz archive, by name."""
    return dict(np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False))
'''


INSTALL = f"""tiekit is not on PyPI. If the next cell says *No module named 'tiekit'*, run one of these lines in a cell:

```
%pip install /path/to/the/folder/of/tiekit
%pip install tiekit-{tk.__version__}-py3-none-any.whl
```

The first takes the folder with tiekit's source code on this computer. The second takes its wheel, which
`pip wheel --no-deps /path/to/the/folder/of/tiekit` makes: in Colab, upload it to the notebook's files first."""

LABELS = (
    *("name", "language_pair", "systems", "segments", "documents", "domains"),
    *("standard_reference", "outliers", "gold", "digest"),
)
"""What a notebook holds of an evaluation set beside its scores."""

UNPACK_SET = """packed = unpack("{text}")
given = json.loads(packed["given"].tobytes())
scores = {{
    kind: {{name: packed[f"{{kind}}{{n}}"] for n, name in enumerate(given.pop(kind))}} for kind in ("human", "metrics")
}}
labels = {{name: tuple(label) if isinstance(label, list) else label for name, label in given.items()}}
{variable} = tk.EvalSet(**labels, **scores)"""


_numbers = count()
_kept: dict[str, tuple[int, int]] = {}
_lock, _here = Lock(), local()
_making = Counter[str]()


def offer(label: str, make: Callable[[], str], file: str, mime: str, **options: Any) -> None:
    """Offer what ``make`` returns as a download, without a rerun; options are those of `st.download_button`.

    Every text is a name: in the file's name it is letters, digits, hyphens and dots, and in CSV no formula.
    """
    stem, dot, ending = file.rpartition(".")
    file = f"{file_name(stem)}{dot}{ending}"

    visitor, session = current_visitor(), streamlit_internals.session()

    def write(beat: Progress) -> bytes:
        _here.beat = beat
        text = make()
        return _keep((without_formulas(text) if mime == "text/csv" else text).encode(), file, mime)

    def look(_: int) -> None:
        if not streamlit_internals.is_there(session):
            raise RuntimeError(UNWANTED)

    def content() -> bytes:
        with _count(visitor.address), computing(session):
            return result_cache.in_turn(write, look, [visitor], is_alone=True)

    st.download_button(label, content, file, mime, on_click="ignore", **options)


def let_pass(share: float) -> None:
    """Let others pass while this thread makes a file that takes long: the progress of what is computed for it."""
    if (beat := getattr(_here, "beat", None)) is not None:
        beat(share)


@contextmanager
def _count(address: str) -> Iterator[None]:
    """Count a file of an address while it is made, or waits to be, in this block; refuse it if there are too many."""
    with _lock:
        if _making[address] >= OF_ADDRESS:
            raise RuntimeError(TOO_MANY)
        _making[address] += 1
    try:
        yield
    finally:
        with _lock:
            _making.subtract([address])
            if not _making[address]:
                del _making[address]


_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r]")
"""How a cell begins that a spreadsheet computes; in some languages it does so of full-width signs, too."""

_BEFORE_SIGN = re.compile(r"([;\s]++)([=+\-@＝＋－＠]?)")
"""What may divide cells if the file is opened with another separator than the comma; each run is looked at once."""


def without_formulas(text: str) -> str:
    """Return CSV with an apostrophe before what a spreadsheet would compute, as ``=HYPERLINK(…)`` and ``a;=1+1``."""
    written = io.StringIO()
    rows = csv.reader(io.StringIO(text, newline=""))
    csv.writer(written, lineterminator="\n").writerows([_without_formula(cell) for cell in row] for row in rows)
    return written.getvalue()


def _without_formula(cell: str) -> str:
    with suppress(ValueError):
        float(cell)
        return cell
    cell = _BEFORE_SIGN.sub(_guard_sign, cell)
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _guard_sign(found: re.Match[str]) -> str:
    """Put an apostrophe before a sign where a cell begins: behind the last semicolon, tabs and line ends."""
    if not found[2]:
        return found[0]
    before, semicolon, after = found[1].rpartition(";")
    return before + semicolon + "'" * len(semicolon) + re.sub(r"([\t\r\n])", r"\1'", after) + found[2]


def embed(make: Callable[[], str], file: str, *, of: str = "", **options: Any) -> None:
    """Offer a page of its own of what is on the screen; ``of`` tells the buttons of one page apart."""
    words = "One file that moves as this does, without a server: for a course page, slides or an <iframe>."
    offer(f"Embed {as_label(of)} (HTML)" if of else "Embed (HTML)", make, file, "text/html", help=words, **options)


def _keep(data: bytes, file: str, mime: str) -> bytes:
    """Hold a file that is about to be fetched for `KEPT_SECONDS`, unless others need its place."""
    number = next(_numbers)
    place = f"file {number % KEPT}"
    streamlit_internals.hold_file(data, mime, place, file)
    with _lock:
        _kept.pop(place, None)
        _kept[place] = number, len(data)
        while len(_kept) > 1 and sum(size for _, size in _kept.values()) > KEPT_BYTES:
            oldest = next(iter(_kept))
            del _kept[oldest]
            streamlit_internals.drop_file(oldest)
    timer = Timer(KEPT_SECONDS, _drop, (place, number))
    timer.daemon = True
    timer.start()
    return data


def _drop(place: str, number: int) -> None:
    """Let go of a file, if no other one has taken its place."""
    with _lock:
        if _kept.get(place, (None, 0))[0] == number:
            del _kept[place]
            streamlit_internals.drop_file(place)


def show_code(name: str, call: str, data: Data, load: str = "", *, lengths: bool = False) -> None:
    """Show the code that reproduces a picture or a table in an expander, and offer it as a notebook of this name.

    The last line of the ``call`` is an expression of ``tk`` and the variables of ``data``, whose bytes are those of a
    file; a set may be made when the notebook is, as the session keeps what is offered. ``load`` has the lines that read
    data too large to be written out; without them all are written. With ``lengths`` the notebook holds the lengths of
    the texts of a set, and which outputs are identical.
    """
    with st.expander("Show the code"):
        st.code(source(call, data, load), language=None, wrap_lines=True)
        offer(
            "Download as a Jupyter notebook",
            lambda: notebook(name, call, data, lengths=lengths),
            f"{file_name(name)}.ipynb",
            "application/x-ipynb+json",
            key=f"notebook {name}",
        )


def source(call: str, data: Data, load: str = "") -> str:
    """Return runnable code: the imports, the data (written out or read by ``load``) and the call."""
    arrays: dict[str, ArrayLike] = {
        variable: values
        for variable, values in data.items()
        if not isinstance(values, tk.EvalSet | bytes) and not callable(values)
    }
    written = [f"{name} = {_literal(values)}" for name, values in arrays.items() if not load or _is_small(values)]
    lines = [load] if load and len(written) < len(data) else []
    return "\n\n".join(["import tiekit as tk", *lines, *filter(None, [_with_nan(written)]), call])


def notebook(name: str, call: str, data: Data, *, lengths: bool = False) -> str:
    """Return a notebook (nbformat 4.5) that holds the data, whatever their size, and reproduces the numbers."""
    made: dict[str, Value] = {variable: values() if callable(values) else values for variable, values in data.items()}
    written = [f"{variable} = {_literal(values)}" for variable, values in made.items() if _is_small(values)]
    packed = {variable: values for variable, values in made.items() if not _is_small(values)}
    about = (
        f"{name}: this notebook makes the numbers of tiekit's page again, from the data it holds. "
        f"tiekit {tk.__version__}, digest of the data {digest(made)}."
    )
    codes = [UNPACK.rstrip()] * bool(packed)
    codes += [_pack(variable, values, lengths=lengths) for variable, values in packed.items()]
    codes += [_with_nan(written)] * bool(written)
    texts = [("markdown", about), ("markdown", INSTALL)]
    texts += [("code", one) for one in ("import tiekit as tk", *codes, call)]
    cells: list[dict[str, object]] = [
        {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text}
        | ({"execution_count": None, "outputs": []} if kind == "code" else {})
        for number, (kind, text) in enumerate(texts)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False)


def digest(data: Mapping[str, Value]) -> str:
    """Return twelve hexadecimal digits that identify the data."""
    arrays = [array for values in data.values() for array in _arrays(values).values() if array.dtype.kind in "fu"]
    return digest_of(*arrays)[:SHOWN]


def file_name(name: str) -> str:
    """Return a name as part of a file name: up to 100 letters, digits, hyphens and dots."""
    return re.sub(r"[^\w.]+", "-", name)[:100].strip("-.") or "tiekit"


def _is_small(values: ArrayLike | tk.EvalSet | bytes) -> TypeGuard[ArrayLike]:
    return not isinstance(values, tk.EvalSet | bytes) and np.size(values) <= SMALL


def _literal(values: ArrayLike) -> str:
    """Exact Python source of numbers; nan is a name that `_with_nan` sets."""
    array = np.asarray(values, dtype=np.float64)
    return exact(float(array)) if array.ndim == 0 else f"[{', '.join(map(_literal, array))}]"


def _with_nan(lines: list[str]) -> str:
    needed = any(re.search(r"[\[ ]nan\b", line) for line in lines)
    return "\n".join(['nan = float("nan")'] * needed + lines)


def _arrays(values: ArrayLike | tk.EvalSet | bytes, *, lengths: bool = False) -> dict[str, NDArray[Any]]:
    """The arrays to embed: one array, a file, or the scores and labels of an evaluation set (without its texts)."""
    if isinstance(values, bytes):
        return {"content": np.frombuffer(values, np.uint8)}
    if not isinstance(values, tk.EvalSet):
        return {"scores": np.asarray(values, dtype=np.float64) + 0.0}
    kinds = {"human": values.human, "metrics": values.metrics}
    given = {name: getattr(values, name) for name in LABELS} | {kind: list(of) for kind, of in kinds.items()}
    if lengths:
        given["lengths"] = {"sources": values.lengths.sources, "outputs": dict(values.lengths.outputs)}
        given["identical"] = None if values.identical is None else values.identical.tolist()
    scores = {f"{kind}{n}": one for kind, of in kinds.items() for n, one in enumerate(of.values())}
    # as JSON: an array of texts would give every one of them the room of the longest
    return {"given": np.frombuffer(json.dumps(given).encode(), np.uint8)} | scores


def _pack(variable: str, values: ArrayLike | tk.EvalSet | bytes, *, lengths: bool = False) -> str:
    """Python source that unpacks data too large to be written out."""
    with io.BytesIO() as archive:
        np.savez_compressed(archive, **_arrays(values, lengths=lengths))  # type: ignore[arg-type]  # stubs take names for `allow_pickle`
        text = base64.b64encode(archive.getvalue()).decode()
    if isinstance(values, bytes):
        return f'{variable} = unpack("{text}")["content"].tobytes()'
    if not isinstance(values, tk.EvalSet):
        return f'{variable} = unpack("{text}")["scores"]'
    return UNPACK_SET.format(text=text, variable=variable)
