"""Measure the house: rooms, floors and circles of its imports, files and lines, beside the limits it was built for.

    python .ci/measure_house.py [--list]      --list names every circle, upward import, inner import and long function

Nothing of the project is run: imports are read from the code, those in functions too, those under TYPE_CHECKING not. A
room is a folder or module at the top of the repository or of `tiekit/`; tests are no rooms, nor is what no import ties
to the rest. A floor is a room's longest chain of imports, circles taken as one. A name that a face hands on counts as
an import of the module that defines it.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROWS = [
    {"base", "errors"},
    {"sets"},
    {"core"},
    {"api"},
    {"readers", "ranking", "significance"},
    {"measures", "sentinels", "humans", "identical", "classification", "judgments", "votes", "official"},
    {"charts", "figures", "widgets", "exercises", "__init__"},
    {"cli", "__main__", "ui", "docsite", "benchmarks", "data"},
    {"pages", "app", "notebooks"},
]
"""The rows of the house, from the ground up: no room imports one of a higher row, and `core` imports `base` only."""

APP = ("ui", "pages", "notebooks", "docs", "docsite", "benchmarks", "app.py")
"""What goes through the faces of the library."""

MORE_FACES = {"core", "errors", "ranking", "readers"}
"""Public modules of tiekit that are no name of `tiekit.__all__`."""

LONG = 60
"""Maximum number of lines of a function that is not counted as long."""

LIMITS = {
    "rooms": 26,
    "floors": 10,
    "arrows between rooms": None,
    "circles of files": 0,
    "files in circles": 0,
    "upward imports": 0,
    "layers of the library": 9,
    "waivers": 0,
    "inner imports of the app": 0,
    "Python files in tiekit": 170,
    "Python lines in tiekit": 30_500,
    "JavaScript files in tiekit": 105,
    "JavaScript lines in tiekit": 6_900,
    "Python files in ui": 140,
    "lines in ui, with JavaScript and CSS": 16_500,
    "lines in tests": 36_000,
    "public names of tiekit, errors apart": 45,
    "functions over 60 lines": None,
}


class House:
    """The Python files of the project outside its tests, and who imports whom."""

    def __init__(self, root: Path) -> None:
        self.root = root
        hidden = {"tests", "build", "dist", "node_modules"}
        self.trees = {
            str(path.relative_to(root)): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted(root.rglob("*.py"))
            if not any(part in hidden or part.startswith(".") for part in path.relative_to(root).parts)
        }
        self.modules = {dotted(file): file for file in self.trees}
        self.handed_on = {
            name: dict(self._handed_on(name)) for name, file in self.modules.items() if is_face(self.trees[file])
        }
        self.imports = {file: self._imports_of(file) for file in self.trees}

    def _handed_on(self, module: str) -> Iterator[tuple[str, str]]:
        """The names that a face hands on, each with the module it has it from."""
        for source, name in imported(self.trees[self.modules[module]], self.modules[module]):
            yield name, source

    def _imports_of(self, file: str) -> set[str]:
        """The files that a file imports, at its top or in a function."""
        return {found for pair in imported(self.trees[file], file) if (found := self._find(*pair)) not in ("", file)}

    def _find(self, module: str, name: str) -> str:
        """The file that defines an imported name, by way of faces; empty if it is not of this project."""
        if name and f"{module}.{name}" in self.modules:
            return self.modules[f"{module}.{name}"]
        source = self.handed_on.get(module, {}).get(name, module)
        return self.modules.get(source, "") if source == module else self._find(source, name)


def dotted(file: str) -> str:
    """The name under which a file is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_face(tree: ast.Module) -> bool:
    """Whether a module defines nothing and hands on names."""
    return not any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_" for node in tree.body)


def imported(tree: ast.AST, file: str) -> Iterator[tuple[str, str]]:
    """Pairs of a module and a name that is imported from it (none for `import module`), but for types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from imported(other, file)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = dotted(file) if file.endswith("__init__.py") else dotted(file).rpartition(".")[0]
            for _ in range(node.level - 1):
                package = package.rpartition(".")[0]
            module = ".".join(part for part in (package if node.level else "", node.module) if part)
            yield from ((module, alias.name) for alias in node.names)
        else:
            yield from imported(node, file)


def room(file: str) -> str:
    """The room in which a file stands."""
    parts = file.split("/")
    depth = 2 if parts[0] == "tiekit" else 1
    return "/".join(parts[:depth])


def circles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components of more than one node."""
    return [part for part in components(graph) if len(part) > 1]


def components(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """All strongly connected components, by Tarjan's algorithm; one that others import stands before them."""
    sys.setrecursionlimit(10_000)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return found


def floors(graph: Mapping[str, Iterable[str]]) -> int:
    """The longest chain of imports between rooms, circles taken as one."""
    height: dict[str, int] = {}
    for part in components(graph):
        below = {height[other] for node in part for other in graph[node] if other not in part}
        height.update(dict.fromkeys(part, 1 + max(below, default=0)))
    return max(height.values())


def row(name: str) -> int | None:
    """The row on which a room stands; None for one that the house does not know."""
    bare = name.removeprefix("tiekit/").removesuffix(".py")
    return next((number for number, names in enumerate(ROWS) if bare in names), None)


def climbs(one: str, other: str) -> bool:
    """Whether an import of one room by another leads upwards."""
    above, below = row(one), row(other)
    if above is None or below is None:
        return False
    return below > above or (one == "tiekit/core" and other not in ("tiekit/core", "tiekit/base"))


def inner_imports(faces: set[str]) -> Iterator[str]:
    """Imports of the app, the documentation, the notebooks and the benchmarks that pass by the library's faces."""
    deep = re.compile(r"^ *(?:>>> )?(?:from|import) tiekit\.(\w+)(\S*)(?: import (.*))?", re.MULTILINE)
    outer = re.compile(r"^ *(?:>>> )?from tiekit import (.*)", re.MULTILINE)
    for place in APP:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted([*path.rglob("*.py"), *path.rglob("*.md")]):
            text = file.read_text(encoding="utf-8")
            for hit in deep.finditer(text):
                if hit[1] not in faces or hit[2] or re.search(r"\b_[a-z]", hit[3] or ""):
                    yield f"{file.relative_to(ROOT)}: {hit[0].strip()}"
            for hit in outer.finditer(text):
                if set(re.findall(r"\w+", hit[1])) & ({path.stem for path in (ROOT / "tiekit").iterdir()} - faces):
                    yield f"{file.relative_to(ROOT)}: {hit[0].strip()}"


def lines(folder: str, *suffixes: str) -> tuple[int, int]:
    """The number of files with these suffixes, and of their lines."""
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and "__pycache__" not in path.parts]
    return len(files), sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def length(function: ast.FunctionDef) -> int:
    """The number of lines of a function, its docstring apart."""
    told = function.body[0] if ast.get_docstring(function) else None
    documented = (told.end_lineno or 0) - told.lineno + 1 if told else 0
    return (function.end_lineno or 0) - function.lineno + 1 - documented


def main(*options: str) -> int:
    """Print each figure with its limit; 1 if one is above it."""
    house, notes = House(ROOT), []
    between = {(room(one), room(other)) for one, others in house.imports.items() for other in others}
    between = {(one, other) for one, other in between if one != other}
    rooms = {one: {other for start, other in between if start == one} for pair in between for one in pair}
    rings = circles(house.imports)
    notes += [f"circle: {', '.join(sorted(ring))}" for ring in rings]
    up = [
        f"upward: {one} -> {other}"
        for one, others in house.imports.items()
        for other in sorted(others)
        if climbs(room(one), room(other))
    ]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layered = next(part for part in contracts if part["type"] == "layers" and part["containers"] == ["tiekit"])
    stub = ast.parse((ROOT / "tiekit/__init__.pyi").read_text(encoding="utf-8"))
    named = [
        (node.module, alias.name) for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    faces = {name for module, name in named if module is None} | MORE_FACES
    inner = list(inner_imports(faces))
    long = [
        f"long: {file}:{node.lineno} {node.name}"
        for file, tree in house.trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and length(node) > LONG
    ]
    notes += [*up, *(f"inner: {place}" for place in inner), *long]
    hidden = next(
        ast.literal_eval(node.value)
        for node in house.trees["tiekit/__init__.py"].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "INNER"
    )
    public = {name for _, name in named} - hidden
    python, script, app = lines("tiekit", ".py"), lines("tiekit", ".js"), lines("ui", ".py", ".js", ".css")
    values = [len(rooms), floors(rooms), len(between), len(rings), sum(map(len, rings)), len(up)]
    values += [len(layered["layers"]), sum(len(part.get("ignore_imports", ())) for part in contracts), len(inner)]
    values += [*python, *script, lines("ui", ".py")[0], app[1], lines("tests", ".py")[1]]
    values += [len([name for name in public if not re.search(r"Error$|Warning$|^__", name)]), len(long)]
    print(f"{'':38}{'now':>8}{'limit':>8}")
    for (name, limit), value in zip(LIMITS.items(), values, strict=True):
        above = limit is not None and value > limit
        print(f"{name:38}{value:8,}{'' if limit is None else format(limit, ','):>8}{' above' if above else ''}")
    if "--list" in options:
        print("", *notes, sep="\n")
    return int(any(limit is not None and value > limit for value, limit in zip(values, LIMITS.values(), strict=True)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
