"""Names: what a caller means by one, which of them fit, and how a message lists them."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from operator import eq
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import LONGEST, InputError

MOST_LISTED = 30
"""So many known names a message lists."""

MOST_COMPARED = 1000
"""Among so many known names, at most, a message looks for those that are spelled alike."""

_SPELLINGS = """
    ar ara arb arz arabic, bg bul bulgarian, bho bhojpuri, bn ben bengali, ca cat catalan, cs ces cze czech, da dan
    danish, de deu ger german, el ell gre greek, en eng english, es spa spanish, et est ekk estonian, fa fas per pes
    persian, fi fin finnish, fil tl tgl filipino, fr fra fre french, gu guj gujarati, ha hau hausa, he heb iw
    hebrew, hi hin hindi, hr hrv croatian, hu hun hungarian, id ind indonesian, is isl ice icelandic, it ita
    italian, iu iku inuktitut, ja jpn japanese, kk kaz kazakh, km khm khmer, kn kan kannada, ko kor korean, liv
    livonian, lt lit lithuanian, lv lav lvs latvian, mas maasai, ml mal malayalam, mr mar marathi, nl nld dut dutch,
    no nb nor nob norwegian, pa pan punjabi, pl pol polish, ps pus pbt pashto, pt por portuguese, qaa, qab, qac, ro
    ron rum romanian, ru rus russian, sah yakut, sk slk slo slovak, sl slv slovenian, sr srp serbian, sv swe
    swedish, sw swa swh swahili, ta tam tamil, te tel telugu, th tha thai, tr tur turkish, uk ukr ukrainian, ur urd
    urdu, vi vie vietnamese, xh xho xhosa, zh zho chi cmn chinese, zu zul zulu
"""
LANGUAGES = {one: line.split()[0] for line in _SPELLINGS.split(",") for one in line.split()}
"""The codes of WMT's languages by the codes and names that people write for them, in lower case."""

_LANGUAGE = f"({'|'.join(sorted(LANGUAGES, key=len, reverse=True))})(?:_(?:[a-z]{{4}}|[a-z]{{2}}))*"
_PAIR = re.compile(rf"(?<![a-z0-9])(?=({_LANGUAGE}(?:[-_](?:to[-_])?|2|->|→|){_LANGUAGE})(?![a-z0-9]))")
"""Two languages, such as en-de_DE, eng_Latn-deu_Latn or English-German; of texts in lower case."""

_FILE_ENDINGS = """
    txt csv tsv tab psv md json jsonl ndjson gz bz2 xz zip xls xlsx ods parquet npy npz xml sgm html htm yaml yml dat
    log src mt tok detok hyp hyps out output outputs pred preds prediction predictions trans translation translations
    seg segs sent sents sys score scores
"""
_ENDING = re.compile(rf"{'|'.join(_FILE_ENDINGS.split())}|{_LANGUAGE}((?:[-_](?:to[-_])?|2|){_LANGUAGE})?")
"""What follows a dot in the name of a file, in lower case; what else does may be a version."""


def find_pairs(text: str) -> list[tuple[str, str, str]]:
    """Every two languages that stand beside each other in a text, in lower case, and their codes.

    Examples
    --------
    >>> find_pairs("scores_eng_Latn-fra_Latn.csv"), find_pairs("my-mt.csv")
    ([('eng_latn-fra_latn', 'en', 'fr')], [])
    """
    return [(pair, LANGUAGES[one], LANGUAGES[other]) for pair, one, other in _PAIR.findall(text.casefold())]


def find_name(argument: str, wanted: object, known: Collection[str]) -> str:
    """The one known name that is meant: as it is stored, else the only one that differs in case, or by its reference.

    Examples
    --------
    >>> find_name("metric", "comet-22", ["COMET-20-refA", "COMET-22-refA"])
    'COMET-22-refA'
    """
    if isinstance(wanted, str) and wanted in known:
        return wanted
    if not isinstance(wanted, str):
        raise InputError(f"{argument}: must be a name, found {wanted!r}")
    folded = wanted.casefold()
    for key in (str.casefold, lambda name: without_reference(name).casefold()):
        fitting = [name for name in known if key(name) == folded]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise InputError(f"{argument}: {wanted!r} may be {' or '.join(map(short, fitting))}; say which")
    raise InputError(
        f"{argument}: there is no {wanted!r}; {did_you_mean(wanted, known) or f'known: {known_names(known)}'}"
    )


def as_names(names: str | Iterable[str], argument: str = "names") -> list[str]:
    """Several names, or a single one: text is a name, not letters. ``argument`` is what the caller passed."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):
        raise InputError(f"{argument}: must be a name or several names, found {names!r}")
    return list(names)


def split_names(names: str | Iterable[str], argument: str) -> list[str]:
    """Several measures or coefficients; in a single text they may stand behind commas, as in a terminal."""
    return [one.strip() for one in names.split(",")] if isinstance(names, str) else as_names(names, argument)


_REFERENCE = re.compile(r"(.*[\W_])?(refs?|references?|humans?|gold)([\W_]?[a-z\d])?", re.IGNORECASE)


def is_reference(name: str) -> bool:
    """Whether a system is called like people's translations, such as refA, human-B or synthetic_ref."""
    return _REFERENCE.fullmatch(name) is not None


def without_reference(name: str) -> str:
    """A metric's name without the reference that it used: ``COMET-22`` of ``COMET-22-refA``."""
    return re.sub(r"-(src|all|(ref|postedit)[^-\s]*)$", "", name)


def did_you_mean(wanted: str, known: Collection[str]) -> str:
    """Ask for the known names that look like the one that is wanted; empty where none does."""
    by_shape = {shape.casefold(): name for name in known for shape in (name, without_reference(name))}
    folded = wanted.casefold()
    begin = [name for shape, name in by_shape.items() if folded and shape.startswith(folded)]
    few = by_shape if len(by_shape) <= MOST_COMPARED and len(folded) <= MOST_COMPARED else ()
    close = [by_shape[shape] for shape in difflib.get_close_matches(folded, few, n=4, cutoff=0.6)]
    likely = list(dict.fromkeys(begin + close))[:4]
    return f"did you mean {' or '.join(map(short, likely))}?" if likely else ""


def short(name: str) -> str:
    """A name for a message, cut where it is very long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def known_names(known: Iterable[str], most: int = MOST_LISTED) -> str:
    """The known names for a message, the first of them where there are many."""
    names = [short(name) for name in dict.fromkeys(known)]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most]) or 'none at all'}{more}"


SHOWN = 5
"""So many names of each side a message shows."""


def some_of(names: Sequence[str]) -> str:
    """How many names, and the first of them."""
    listed = ", ".join(_show(name if len(name) <= 60 else f"{name[:57]}...") for name in names[:SHOWN])
    return listed if len(names) <= SHOWN else f"{listed} and {len(names) - SHOWN:,} more"


_LOOK_ALIKE = str.maketrans("АВЕКМНОРСТХасеорхуіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaceopxyijsABEZHIKMNOPTYXo")


def _show(name: str) -> str:
    """A name whose letters of another script all look like Latin ones with the numbers of these; any other as it is."""
    return name if name.isascii() or not name.translate(_LOOK_ALIKE).isascii() else ascii(name)


LONGEST_KEY = 1000
"""So many characters of a key are searched for a name."""

MOST_EDGES = 16
"""A name with more dots, slashes, underscores and dashes is searched for as a whole, not as a part."""

_EDGE = re.compile(r"[./\\_-]")


def names_in(keys: Iterable[str], known: Collection[str]) -> dict[str, str | None]:
    """Which of the known names each key stands for: itself, its file's name without endings, or a whole part of it.

    A part lies between dots, slashes, underscores and dashes; a longer one hides those inside it, whatever signs stand
    around it, and a key's own name is no other key's part. A key that stands for none is the only known name, and the
    only key, that differs in no more than case, dashes, underscores and spaces, or is written so as a column by R. If
    none of several keys stands for a name so, all do that have one each between other signs, and are alike around it:
    ``model=A`` and ``model=B``.
    Refused if parts of a key are several names.

    Examples
    --------
    >>> names_in(["out/Online-W.en.txt", "wmt22.zh-en.hyp.Online-W.en", "C"], ["Online-W", "W"])
    {'out/Online-W.en.txt': 'Online-W', 'wmt22.zh-en.hyp.Online-W.en': 'Online-W', 'C': None}
    """
    names = {name for name in known if name}
    if not names:
        return dict.fromkeys(keys)
    numbers = (len(_EDGE.findall(name)) for name in names)
    most = max((number for number in numbers if number <= MOST_EDGES), default=0) + 1
    found: dict[str, str | None] = {key: key if key in names else None for key in keys}
    free = names - found.keys()
    for key in [key for key, name in found.items() if name is None]:
        name = next((base for base in _endings(key) if base in free), None) or _part(key, free, most)
        longer = _longest(key, name, names) if name else None
        if longer is not None:
            name = (
                longer if longer in free else ""
            )  # the longer name has a key of its own, and the shorter is not meant
        found[key] = name
    left = [key for key, name in found.items() if name is None]
    found |= _same_spelling(left, free - set(found.values()))
    left = [key for key in left if not found[key]]
    found |= _made_by_r(left, free - set(found.values())) if left else {}
    if len(found) > 1 and None in found.values() and names.isdisjoint(found):
        dressed = _in_one_dress(found, names)
        if dressed and all(name == dressed[key] for key, name in found.items() if name):
            found = dressed
    return {key: name or None for key, name in found.items()}


_MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{31}")
"""More signs in sequence, such as accents that combine with one letter, than any writing has (UAX 15, section 13)."""


def normal_form(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """A text in one of Unicode's forms; as it is where so many accents follow each other that to sort them takes long.

    Examples
    --------
    >>> normal_form("NFC", "e\u0301")
    'é'
    """
    return text if text.isascii() or _MANY_SIGNS.search(text) else unicodedata.normalize(form, text)


def fold(name: str) -> str:
    """A name in lower case without dashes, underscores and spaces, its letters in one Unicode form."""
    return re.sub(r"[-_\s\u2010-\u2015\u2212]", "", normal_form("NFKC", name)).casefold()


def in_r(name: str) -> str:
    """A name as R's make.names writes it: with points for all other signs, and X before what is no letter.

    Examples
    --------
    >>> in_r("GPT-4o mini"), in_r("1st")
    ('GPT.4o.mini', 'X1st')
    """
    made = re.sub(r"[^\w.]", ".", name)
    return made if re.match(r"[^\W\d_]|\.(?!\d)", name) else f"X{made}"


def is_ending(text: str) -> bool:
    """Whether what follows the last dot of a name is the ending of a file, and no part of its name."""
    return bool(_ENDING.fullmatch(text.casefold()))


def around_part(name: str, part: str) -> tuple[str, str]:
    """What a name has beside a part, in lower case: what joins it before, and all but endings of files behind."""
    base, part = re.split(r"[/\\]", name)[-1].casefold(), part.casefold()
    if part not in base:
        base, part = fold(base), fold(part)
    before, _, after = base.partition(part)
    pieces = after.split(".")
    while len(pieces) > 1 and is_ending(pieces[-1]):
        pieces.pop()
    return before.rpartition(".")[2], ".".join(pieces)


def _same_spelling(keys: Collection[str], known: Collection[str]) -> dict[str, str]:
    """The keys that are spelled as one of the known names, but for case, dashes, underscores and spaces.

    Where several keys begin alike, up to a sign between parts, as with a language pair, what follows may be spelled so.
    """
    places: dict[str, list[str]] = {}
    for name in sorted(known):
        places.setdefault(fold(name), []).append(name)
    first, last = min(keys, default=""), max(keys, default="")
    alike = sum(1 for _ in takewhile(bool, map(eq, first, last))) if len(keys) > 1 else 0
    start = max((edge.end() for edge in _EDGE.finditer(first[:alike])), default=0)
    forms = {
        key: [form for form in map(fold, (key, *_endings(key), *_endings(key[start:]))) if form in places]
        for key in keys
    }
    found = {key: places[form[0]][0] for key, form in forms.items() if form and len(places[form[0]]) == 1}
    once = Counter(found.values())
    return {key: name for key, name in found.items() if once[name] == 1}


def _made_by_r(keys: Collection[str], known: Collection[str]) -> dict[str, str]:
    """The keys that R makes of one of the known names."""
    made: dict[str, list[str]] = {}
    for name in known:
        made.setdefault(in_r(name), []).append(name)
    return {key: made[key][0] for key in keys if len(made.get(key, ())) == 1}


def _endings(key: str) -> Iterator[str]:
    """A file's name without folders, then without one ending after another."""
    base = re.split(r"[/\\]", key)[-1]
    for _ in range(min(base.count(".") + 1, MOST_EDGES) if len(base) < LONGEST_KEY else 0):
        yield base
        base = base.rpartition(".")[0]


def _longest(key: str, part: str, names: Collection[str]) -> str | None:
    """The longest of few names that holds a part of a key and is in the key, between signs other than letters."""
    around = [name for name in names if len(name) > len(part) and part in name] if len(names) <= MOST_COMPARED else []
    key = key[:LONGEST_KEY]
    inside = [n for n in around if n in key and re.search(rf"(?<![^\W_]){re.escape(n)}(?![^\W_])", key)]
    return max(inside, key=len, default=None)


def _in_one_dress(keys: Collection[str], names: Collection[str]) -> dict[str, str | None]:
    """The longest name in each key that has one, where each is another and, but for numbers, the same around it."""
    found, around = dict[str, str | None].fromkeys(keys), set[str]()
    for key in keys:
        if (name := _longest(key, "", names)) is not None:
            before, _, after = key.partition(name)
            if name in found.values() or re.match(r"\.?\d", after) or _longest(f"{before}|{after}", "", names):
                return {}
            found[key] = name
            around.add(re.sub(r"\d+", "", f"{before}|{after}"))
    return found if len(around) == 1 < len([*filter(None, found.values())]) else {}


def _part(key: str, known: Collection[str], most: int) -> str | None:
    """The known name that is a part of a key, of at most so many pieces between its edges."""
    edges = [-1, *(edge.start() for edge in _EDGE.finditer(key[:LONGEST_KEY])), min(len(key), LONGEST_KEY)]
    parts: dict[str, None] = {}
    reached = 0  # the end of the longest part so far: those that end before lie inside it
    for place, start in enumerate(edges):
        ends = (end for end in reversed(edges[place + 1 : place + 1 + most]) if end > reached)
        if (end := next((end for end in ends if key[start + 1 : end] in known), None)) is not None:
            parts[key[start + 1 : end]], reached = None, end
    if len(parts) > 1:
        raise InputError(f"source: {key[:60]!r} may be {' or '.join(list(parts)[:5])}; rename it")
    return next(iter(parts), None)


class RowNames(Sequence[str]):
    """The names of rows that have none, 1 to their number, each made while it is looked at; equal to a tuple of them.

    A million texts take 70 MB.
    """

    def __init__(self, size: int) -> None:
        self._numbers = range(1, size + 1)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._numbers)

    def __getitem__(self, place: Any) -> Any:
        numbers = self._numbers[place]
        return tuple(map(str, numbers)) if isinstance(place, slice) else str(numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, RowNames)) and len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class _Numbers(tuple[str, ...]):
    """The same names in a tuple."""

    __slots__ = ()


FEWEST_UNMADE = 100_000
"""Minimum number of names that are not made before they are looked at."""


def row_names(size: int) -> tuple[str, ...]:
    """Return the names of so many rows that have none."""
    names = RowNames(size)
    return cast("tuple[str, ...]", names) if size >= FEWEST_UNMADE else _Numbers(names)


def are_nameless(names: object) -> bool:
    """Tell whether names are those of `row_names`, which nobody gave: no other names are compared with them."""
    return isinstance(names, (RowNames, _Numbers))


Entry = TypeVar("Entry")


def count_different(*columns: Sequence[object]) -> int:
    """Return how many different names, or rows of several, there are, by their hashes, which take little memory."""
    first, *others = columns
    if isinstance(first, RowNames):
        return len(first)
    hashes = np.fromiter(map(hash, zip(*columns, strict=True) if others else first), np.int64, len(first))
    hashes.sort()
    return int((hashes[1:] != hashes[:-1]).sum()) + bool(len(first))


def check_unique(argument: str, names: Sequence[str]) -> None:
    """Refuse a name that is there twice."""
    if count_different(names) != len(names) and len(set(names)) != len(names):
        twice = next(name for name, number in Counter(names).items() if number > 1)
        raise InputError(f"{argument}: every name must occur once, {twice!r} occurs twice")


def check_known(argument: str, wanted: Iterable[str], known: Sequence[str], kind: str) -> None:
    """Refuse a name that is not there; the message lists those that are."""
    names = set(known)
    unknown = [name for name in wanted if not (isinstance(name, str) and name in names)]
    if unknown:
        hint = did_you_mean(str(unknown[0]), known) or f"known: {known_names(known)}"
        raise InputError(f"{argument}: there is no {kind} {unknown[0]!r}; {hint}")


def mask(argument: str, wanted: str | Iterable[str], labels: Sequence[str], kind: str) -> NDArray[np.bool_]:
    """Where a label is one of those that are wanted."""
    if not labels:
        raise InputError(f"{argument}: there is no {kind} {wanted!r}; known: none at all")
    names = as_names(wanted, argument)
    if numbers := [name for name in names if not isinstance(name, str)]:
        places = f"for the places of some, pass [data.{kind}s[place] for place in places]"
        raise InputError(f"{argument}: must be text such as {labels[0]!r}, found {numbers[0]!r}; {places}")
    check_known(argument, sorted(names), labels, kind)
    chosen = set(names)
    return np.array([label in chosen for label in labels], dtype=np.bool_)


def where(labels: Sequence[Entry], mask: NDArray[np.bool_]) -> tuple[Entry, ...]:
    """The labels, or other entries, that a mask keeps."""
    if not labels or mask.all():
        return cast("tuple[Entry, ...]", labels) if are_nameless(labels) else tuple(labels)
    return tuple(label for label, kept in zip(labels, mask, strict=True) if kept)


MOST_LETTERS = 90
"""Maximum number of letters of the names that are listed."""


def list_names(names: Sequence[str]) -> str:
    """How many names, and the first of them."""
    number = length = 0
    while number < len(names) and length + len(names[number]) <= MOST_LETTERS:
        length += len(names[number]) + 2
        number += 1
    return f"{len(names)} ({', '.join([*names[:number], *['…'] * (number < len(names))])})"


ALIASES: dict[str, tuple[str, ...]] = {
    kind: tuple(names.split())
    for kind, names in {
        "system": (
            "system sys system_id sys_id sysid system_name mt_system model model_id modelid model_name generator "
            "candidate"
        ),
        "segment": (
            "segment seg segment_id seg_id segid segment_number segment_no seg_no item item_id itemid item_no sid utt "
            "utt_id uttid utterance question_id prompt_id query_id qid instance instance_id example_id sample_id "
            "sentence_id sentence_no sent_id sent_no line_id line_no line id idx index src source"
        ),
        "domain": "domain",
        "document": (
            "document doc document_id doc_id docid docname doc_name source_doc article_id talk_id dialog "
            "dialog_id dialogue dialogue_id conversation conversation_id thread thread_id story story_id passage "
            "passage_id topic topic_id"
        ),
    }.items()
}
"""Usual names of the columns of labels, in lower case; the first one that is there counts."""

TEXTS = frozenset({"src", "source"})
"""Names of columns of texts: they tell segments apart only where systems are named."""

ROW_COUNTS = frozenset({"id", "idx", "index", "line"})
"""Names of columns that may count the rows."""


LONGEST_NAME = 200
"""Of a longer name only the first and the last half as many characters say what it is the name of."""

NAMES_KEPT = 2**14
"""The plain forms of so many names are kept: who finds out what a table holds asks for each many times."""


def plain_name(name: str) -> str:
    """A name in lower case with ``_`` between its words: ``SYSTEM-ID`` and ``systemID`` are ``system_id``."""
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME // 2]}_{name[-LONGEST_NAME // 2 :]}"
    return _plain(name)


@lru_cache(NAMES_KEPT)
def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])I[Dd]$", "_id", name).lower()))
