"""Which known name does a longer one stand for, such as the path of a file?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from tiekit.errors import InputError

LONGEST_KEY = 1000
"""So many characters of a key are searched for a name."""

_EDGE = re.compile(r"[./\\_-]")


def names_in(keys: Iterable[str], known: Collection[str]) -> dict[str, str | None]:
    """Which of the known names each key stands for: itself, its file's name without endings, or a whole part of it.

    A part lies between dots, slashes, underscores and dashes; a longer one hides those inside it. A name that is a key
    itself is no other key's part. A key that stands for none is the only known name, and the only key, that differs in
    no more than case, dashes, underscores and spaces.

    Raises
    ------
    InputError
        If parts of a key are several names.

    Examples
    --------
    >>> names_in(["A", "out/Online-W.en.txt", "wmt22.zh-en.hyp.Online-W.en", "C"], ["A", "Online-W", "W"])
    {'A': 'A', 'out/Online-W.en.txt': 'Online-W', 'wmt22.zh-en.hyp.Online-W.en': 'Online-W', 'C': None}
    """
    names = {name for name in known if name}
    most = max((len(_EDGE.findall(name)) for name in names), default=0) + 1
    found: dict[str, str | None] = {key: key if key in names else None for key in keys}
    free = names - found.keys()
    for key in [key for key, name in found.items() if name is None]:
        found[key] = _without_endings(key, free) or _part(key, free, most)
    return found | _spelled([key for key, name in found.items() if name is None], free - set(found.values()))


def fold(name: str) -> str:
    """A name in lower case without dashes, underscores and spaces."""
    return re.sub(r"[-_\s]", "", name).casefold()


def _spelled(keys: Collection[str], known: Collection[str]) -> dict[str, str]:
    """The keys that are spelled as one of the known names, but for case, dashes, underscores and spaces."""
    places: dict[str, list[str]] = {}
    for name in sorted(known):
        places.setdefault(fold(name), []).append(name)
    forms = {
        key: [form for form in dict.fromkeys((fold(key), *map(fold, _endings(key)))) if form in places] for key in keys
    }
    found = {key: places[form[0]][0] for key, form in forms.items() if form and len(places[form[0]]) == 1}
    once = Counter(found.values())
    return {key: name for key, name in found.items() if once[name] == 1}


def _without_endings(key: str, known: Collection[str]) -> str | None:
    """The known name that is a file's name without folders and without one or more endings."""
    return next((base for base in _endings(key) if base in known), None)


def _endings(key: str) -> Iterator[str]:
    """A file's name without folders, then without one ending after another."""
    base = re.split(r"[/\\]", key)[-1]
    for _ in range(base.count(".") + 1 if len(base) < LONGEST_KEY else 0):
        yield base
        base = base.rpartition(".")[0]


def _part(key: str, known: Collection[str], most: int) -> str | None:
    """The known name that is a part of a key, of at most so many pieces between its edges."""
    edges = [-1, *(edge.start() for edge in _EDGE.finditer(key[:LONGEST_KEY])), min(len(key), LONGEST_KEY)]
    spans = [
        (start + 1, end)
        for place, start in enumerate(edges)
        for end in edges[place + 1 : place + 1 + most]
        if key[start + 1 : end] in known
    ]
    outer = [one for one in spans if not any(a <= one[0] and one[1] <= b and (a, b) != one for a, b in spans)]
    fitting = list(dict.fromkeys(key[start:end] for start, end in outer))
    if len(fitting) > 1:
        raise InputError(f"source: {key[:60]!r} may be {' or '.join(fitting[:5])}; rename it")
    return fitting[0] if fitting else None
