"""Which pages are there? The files of the folder ``pages`` in the order of their numbers; no other list exists."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "pages"
START = "app.py"


@dataclass(frozen=True)
class Page:
    """One page, as its file says: ``pages/3_Calibration.py``, whose name gives the title, as Streamlit reads it.

    Its link on the start page is the line ``DOOR = icon, words`` of the file; without one, its docstring.
    """

    file: str
    icon: str
    words: str

    @property
    def address(self) -> str:
        """The page's part of an address."""
        return Path(self.file).stem.partition("_")[2]

    @property
    def title(self) -> str:
        """The page's title."""
        return self.address.replace("_", " ")


def lessons() -> tuple[Page, ...]:
    """Return every page but the start page."""
    files = [file for file in FOLDER.glob("*_*.py") if file.name.partition("_")[0].isdecimal()]
    files.sort(key=lambda file: int(file.name.partition("_")[0]))
    return tuple(_read(file, file.stat().st_mtime_ns) for file in files)


def titles() -> dict[str, str]:
    """Return the title of each page by file, the start page first."""
    return {START: "Start"} | {page.file: page.title for page in lessons()}


@lru_cache
def _read(file: Path, changed: int) -> Page:  # noqa: ARG001  a file that changes is read again
    tree = ast.parse(file.read_text(encoding="utf-8"))
    icon, words = ":material/article:", (ast.get_docstring(tree) or "").partition("\n")[0]
    for line in tree.body:
        match line:
            case ast.Assign(targets=[ast.Name(id="DOOR")], value=value):
                icon, words = ast.literal_eval(value)
    return Page(f"pages/{file.name}", icon, words)
