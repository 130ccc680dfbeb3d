"""A metric's file is damaged: it is put right with a note, warned about or refused, and never silently wrong.

One table holds the damages, each with what must happen. They are done to the scores of a good metric plus noise, on the
synthetic set, and on WMT22 in the campaign; texts are those of the set, and the set knows its texts or their lengths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.damage import (
    DATA,
    Metric,
    Rows,
    all_systems,
    all_texts,
    blocks,
    column,
    comet,
    exchanged,
    headless,
    keep,
    labeled,
    lines,
    long,
    metric_of,
    metricx,
    metricx_files,
    metricx_one,
    one_column,
    resaved,
    shuffled,
    spaced,
    submission,
    texts_changed,
    tsv,
    with_line,
    with_names,
    without,
)
from tiekit.errors import collect_warnings


@pytest.fixture(scope="module")
def whole() -> Metric:
    return metric_of(with_names(tk.read_mtme(DATA, "synthetic", "qaa-qab")), "Contour-refA")


@pytest.fixture(scope="module")
def part(whole: Metric) -> Metric:
    """The same for two in five of the segments."""
    return metric_of(whole.data.select(segments=whole.data.segments[:120], exclude=()), "Contour-refA")


OF_MANY = ("lines, segments shuffled", "texts, 80 of 100 are others")
"""Damages that are told, or taken for another, by many segments alone."""


@pytest.fixture
def synthetic(damage: Damage, whole: Metric, part: Metric) -> Metric:
    return whole if damage.name in OF_MANY else part


@pytest.fixture(scope="module")
def wmt22(real_data: Path) -> Metric:
    """Comet of WMT22 with the texts of the archive; the outputs of refB, that no metric needs, have texts, too."""
    return metric_of(tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt22", "zh-en"), "COMET-22-refA")


# What must happen


@dataclass(frozen=True)
class Right:
    """Every score is at its place; ``gaps`` cells lack one, and ``note`` is said in a note or a warning."""

    note: str = "matched"
    gaps: int = 0


@dataclass(frozen=True)
class Warned:
    """Scores may be wrong, and a warning of this kind says so."""

    kind: type[tk.TiekitWarning]
    message: str


@dataclass(frozen=True)
class Refused:
    """An error says what is wrong."""

    message: str


Outcome = Right | Warned | Refused


@dataclass(frozen=True)
class Damage:
    """What is done to a file, and what must happen where the set has texts, and where it has their lengths alone."""

    name: str
    make: Callable[[Metric], Any]
    outcome: Outcome
    by_lengths: Outcome | None = None
    column: int | str | None = None


def order(message: str) -> Warned:
    return Warned(tk.OrderWarning, message)


CENTERED = "lines, decimal commas"
RIGHT = Right()
ORDER = order("in the order of the set's systems and segments")
NO_NUMBER = Refused("is not a number")
LABEL_0 = Right("counted from 0")
COMMAS, LOOSE = "Decimal commas were read as decimal points", Right("systems by names that differ in case, dashes or")
NO_HEADER, COUNT = Refused("score_column: .* no header"), Refused(r"found \d+ scores of")

BLOCKS = [
    Damage("blocks", blocks(keep), RIGHT),
    Damage("blocks, systems in another order", blocks(lambda m: reordered(m)), RIGHT),
    Damage("blocks, segment by segment", blocks(lambda m: by_segment(m)), RIGHT),
    Damage("blocks, a line is missing", blocks(lambda m: m.rows[:99] + m.rows[100:]), COUNT),
    Damage("blocks, a line too many", blocks(lambda m: m.rows[:99] + m.rows[98:]), COUNT),
    Damage("blocks, a blank line at the end", lambda m: {k: v + b"\n" for k, v in blocks(keep)(m).items()}, RIGHT),
]


def reordered(metric: Metric) -> list[tuple[str, float]]:
    """The systems from the last to the first."""
    size = metric.size
    return [row for place in range(len(metric.systems))[::-1] for row in metric.rows[place * size : (place + 1) * size]]


def by_segment(metric: Metric) -> list[tuple[str, float]]:
    """All systems of a segment, then all of the next."""
    return [
        (name, metric.scores[row, place]) for place in range(metric.size) for row, name in enumerate(metric.systems)
    ]


def alphabetical(metric: Metric) -> list[float]:
    order = sorted(range(len(metric.systems)), key=lambda row: metric.systems[row].casefold())[::-1]
    return metric.scores[order].ravel().tolist()


def named_twice(table: pd.DataFrame) -> pd.DataFrame:
    """The first system under two names that are the same but for case and a dash, and none under its own."""
    first = table.system[0]
    rows, others = table[table.system == first], table[table.system != first]
    return pd.concat([rows.assign(system=name) for name in (first.lower(), first.lower().replace("-", "_"))] + [others])


def misspelled(table: pd.DataFrame) -> pd.DataFrame:
    """All systems but every third are spelled in another way, each in one of its own."""
    names = {name: name if at % 3 == 0 else f"{name[:-1]}qq{at}" for at, name in enumerate(table.system.unique())}
    return table.assign(system=table.system.map(names))


def names_exchanged(table: pd.DataFrame) -> pd.DataFrame:
    first, second, *_ = table.system.unique()
    return table.assign(system=table.system.replace({first: second, second: first}))


def decimals(scores: Any) -> list[str]:
    return [str(score).replace(".", ",") for score in np.ravel(scores)]


def one_of(change: Callable[[pd.Series], Any]) -> Callable[[Metric], Any]:
    """A table whose scores are changed."""
    return tsv(lambda t: t.assign(mine=change(t.mine)))


LINES = [
    Damage("lines", one_column(column), Right("have no names and were taken as the set's")),
    Damage("lines, one too many", one_column(lambda m: [*column(m), 0.5]), Refused("scores are not")),
    Damage("lines, one is missing", one_column(lambda m: column(m)[:-1]), Refused("scores are not")),
    Damage("lines, blank ones at the end", one_column(lambda m: [*column(m), "", ""]), RIGHT),
    Damage("lines, a header", one_column(lambda m: ["score", *column(m)]), Right("have no names and were taken as")),
    Damage("lines, segment by segment", one_column(lambda m: m.scores.T.ravel()), order("all systems of a segment")),
    Damage("lines, systems in another order", one_column(alphabetical), ORDER),
    Damage("lines, segments shuffled", one_column(lambda m: m.scores[:, shuffled([*range(m.size)])].ravel()), ORDER),
    Damage("lines, later by one", one_column(lambda m: np.roll(m.scores, 1, axis=1).ravel()), order("segment before")),
    Damage("lines, CRLF", one_column(column, end="\r\n"), RIGHT),
    Damage("lines, a byte order mark", lambda m: {"mine.txt": b"\xef\xbb\xbf" + lines(column(m))}, RIGHT),
    Damage("lines, UTF-16", lambda m: {"mine.txt": lines(column(m)).decode().encode("utf-16")}, RIGHT),
    Damage(CENTERED, one_column(lambda m: decimals((m.scores - m.scores.mean()).round(4))), Right(COMMAS, gaps=-1)),
    Damage(
        "lines, decimal commas and one point",
        one_column(lambda m: ["-0,25", *decimals(column(m)[2:]), "0.25"]),
        Refused("decimal"),
    ),
    Damage(
        "lines, whole numbers on both sides of a comma",
        one_column(lambda m: [f"{place % 7},{place % 90 + 10}" for place, _ in enumerate(column(m))]),
        Refused(r"score_column: the file has 2 columns .* If 0,10 has a decimal comma, write 0\.10 instead"),
    ),
    Damage(
        "lines, thousands",
        one_column(lambda m: [f"{1000 + place:,}" for place, _ in enumerate(column(m))]),
        Refused("decimal comma"),
    ),
    Damage("lines, NaN", with_line("NaN"), Right("of the matched cells have a score", gaps=1)),
    *(
        Damage(f"lines, {token or 'an empty one'}", with_line(token), Refused("line 8"))
        for token in ("", "inf", "oops")
    ),
]

LONG = [
    Damage("table, segments from 0", tsv(lambda t: t.assign(segment=t.segment - 1)), LABEL_0),
    Damage(
        "table, segments from 0, the last is missing",
        tsv(lambda t: t[t.segment < t.segment.max()].assign(segment=lambda x: x.segment - 1)),
        Right("there are no scores of the segments", gaps=-1),
    ),
    Damage(
        "table, segments from 0, the first is missing",
        tsv(lambda t: t[t.segment > 1].assign(segment=lambda x: x.segment - 1)),
        order("if each score is that of the next segment"),
    ),
    Damage("table, segments from 2", tsv(lambda t: t.assign(segment=t.segment + 1)), Refused("subtract 1 from each")),
    Damage("table, two segments are missing", tsv(lambda t: t[~t.segment.isin((5, 77))]), Right("segments 5, 77", -1)),
    Damage("table, a row twice", tsv(lambda t: pd.concat([t, t[:1]])), Refused("again, after line 2")),
    Damage("table, two scores", tsv(lambda t: pd.concat([t, t[:1].assign(mine=9)])), Refused("again, after line 2")),
    Damage("table, CRLF", tsv(lambda t: t, lineterminator="\r\n"), RIGHT),
    Damage("table, UTF-16", tsv(lambda t: t, coding="utf-16"), RIGHT),
    Damage(
        "table, Latin-1",
        tsv(lambda t: t.replace(t.system[0], "DLÜT"), coding="latin-1"),
        Refused("is not a text file in UTF-8"),
    ),
    Damage("table, no such name", tsv(lambda t: t.replace(t.system[0], "Nobody")), Right("systems Nobody", gaps=-1)),
    Damage("table, names in lower case", tsv(lambda t: t.assign(system=t.system.str.lower())), LOOSE),
    Damage("table, underscores", tsv(lambda t: t.assign(system=t.system.str.replace("-", "_"))), LOOSE),
    Damage("table, spaces", tsv(lambda t: t.assign(system=t.system.str.replace("[-_]", " ", regex=True))), LOOSE),
    Damage("table, names with an ending", tsv(lambda t: t.assign(system=t.system + ".txt")), RIGHT),
    Damage("table, names misspelled", tsv(misspelled), Refused(r"its \d+ systems are none of the set: .*did you mean")),
    Damage("table, two names that differ in a dash", tsv(named_twice), Right("set does not have the systems", gaps=-1)),
    Damage("table, names exchanged", tsv(names_exchanged), order("2 of .* systems have scores like those of another")),
    Damage("table, segment before system", tsv(lambda t: t[["segment", "system", "mine"]]), RIGHT),
    Damage("table, lower is better", one_of(lambda x: -x), Warned(tk.DirectionWarning, "pass lower_is_better=True")),
    *(
        Damage(
            f"table, {word or 'an empty cell'} for a score",
            tsv(lambda t: t.assign(mine=t.mine.where(t.index != 5)), na_rep=word),
            Right("of the matched cells have a score", gaps=1),
        )
        for word in ("", "NA", "None")
    ),
    Damage(
        "table, -999 for a score",
        one_of(lambda x: x.where(x.index != 5, -999)),
        Warned(tk.RoleWarning, r"scores are -999, of [A-Z][\w-]+, the others .* write nan if it means missing"),
    ),
    Damage(
        "table, a word for a score",
        one_of(lambda x: x.astype(object).where(x.index != 5, "oops")),
        Refused("line 7: 'oops' in column 'mine' is not a score"),
    ),
    Damage(
        "table, decimal commas and semicolons",
        lambda m: {"mine.csv": m.table.to_csv(sep=";", decimal=",", index=False).encode()},
        Right(COMMAS),
    ),
    Damage("table, decimal commas and tabs", tsv(lambda t: t, decimal=","), Right(COMMAS)),
    Damage("table, thousands", one_of(lambda x: (x.abs() * 1e4 + 1e4).map("{:,.1f}".format)), NO_NUMBER),
    Damage("table, percent", one_of(lambda x: (x * 100).map("{:.2f}%".format)), NO_NUMBER),
    Damage("table, pandas' index", lambda m: {"mine.csv": m.table.to_csv().encode()}, RIGHT),
    Damage("table, two metrics", tsv(lambda t: t.assign(mine2=-t.mine)), Right("took 'mine' by its name")),
    Damage("an empty file", lambda _: {"mine.tsv": b""}, Refused("is empty")),
    Damage("a header alone", lambda _: {"mine.tsv": b"system\tsegment\tmine\n"}, Refused("a header and no rows")),
    Damage("no text", lambda _: {"mine.tsv": bytes(range(256)) * 10}, Refused("is not a text file")),
]

OTHER_SET = [
    Damage("another pair", submission("generaltest2022", other=True), Refused("give the scores of")),
    Damage("another pair and year", submission("newstest2020", other=True), Refused("give the scores of")),
]
OTHER_YEAR = Damage(
    "another year",
    submission("newstest2020", other=False),
    Warned(tk.RoleWarning, "has scores of newstest2020, but the set is wmt22; check"),
)

HEADLESS = [
    Damage("no header: number, score", headless(lambda i, x: f"{i},{x}"), NO_HEADER),
    Damage("no header: score, number", headless(lambda i, x: f"{x},{i}"), NO_HEADER),
    Damage("no header: score, rating", headless(lambda i, x: f"{x},{i % 5}"), NO_HEADER),
    Damage("no header, named", headless(lambda i, x: f"{x},{i}"), Right("column 1 of 2 holds the scores"), column=1),
    Damage("no header, third", headless(lambda i, x: f"{i},{i % 5},{x}"), Right("column 3 of 3 holds"), column="3"),
    Damage("no header, three columns", headless(lambda i, x: f"{i},{i % 5},{x}"), Refused("has 3 columns of numbers")),
    Damage("no header, no such column", headless(lambda i, x: f"{i},{x}"), Refused("score_column: "), column=3),
    Damage(
        "a header, a numbered column",
        headless(lambda i, x: f"{i},{x}", "number,mine\n"),
        Refused("has names of columns in its first line"),
        column=2,
    ),
    Damage("no header: s, k, x", labeled(lambda s, k, x: f"{s},{k},{x}"), Right("the columns were taken for system")),
    Damage(
        "a header of other words",
        labeled(lambda s, k, x: f"{k},{s},{x}", "nr,mt_system,quality\n"),
        Right("took 'nr' for segment="),
    ),
    Damage(
        "a header without systems",
        labeled(lambda s, k, x: f"{k},{s},{x}", "idx,hyp,val\n"),
        Right("All labels in column 'hyp' are systems of the set"),
    ),
    Damage("human", labeled(lambda s, k, x: f"{k},{s},{k % 7},{x}", "segment_id,system_id,human,mine\n"), RIGHT),
    Damage(
        "seconds beside it",
        labeled(lambda s, k, x: f"{s},{k},{k % 13},{x}", "system,segment,time_s,mine\n"),
        Right("took 'mine' by its name"),
    ),
    *(
        Damage(f"a column {name}", labeled(lambda s, k, x: f"{s},{k},{x}", f"system,segment,{name}\n"), RIGHT)
        for name in ("gpt4_score", "quality_score", "mqm_pred")
    ),
]

VERIFIED = Right("verified by (sources|outputs)"), Right("verified by lengths")
NOT_THE_SAME = Refused("another order, or of another test set|most are those of")
PLACED = Right("texts gave their places", gaps=-1), NOT_THE_SAME


def edited(change: Callable[[str], str]) -> Callable[[Metric], Any]:
    """All texts are changed."""
    return all_systems(lambda found: [{**one, "src": change(one["src"]), "mt": change(one["mt"])} for one in found])


def at_4(place: int, found: list[Any]) -> list[Any]:
    return shuffled(found) if place == 4 else found


def of_4(rows: Rows) -> Rows:
    return {name: at_4(place, found) for place, (name, found) in enumerate(rows.items())}


def in_all(change: Callable[[list[Any]], list[Any]]) -> Callable[[Rows], Rows]:
    return lambda rows: {name: change(found) for name, found in rows.items()}


EXCHANGED = Refused("the outputs of .*, so names are exchanged")

TEXTS = [
    Damage("texts", all_systems(list), *VERIFIED),
    Damage("texts saved by another program", edited(resaved), *VERIFIED),
    Damage("texts, all systems shuffled alike", all_systems(shuffled), *PLACED),
    Damage("one system reversed", comet(lambda r: {**r, [*r][3]: r[[*r][3]][::-1]}), Refused("another source than")),
    Damage("texts, rotated by one", all_systems(lambda found: found[1:] + found[:1]), *PLACED),
    Damage(
        "texts, the first is missing",
        all_systems(lambda found: found[1:]),
        PLACED[0],
        Refused(r"has [\d,]+ scores of a system and no labels, but the set has [\d,]+ segments"),
    ),
    Damage(
        "texts, one is missing in the middle and the last is there twice",
        all_systems(lambda found: found[: (at := len(found) * 5 // 6)] + found[at + 1 :] + found[-1:]),
        PLACED[0],
        Refused("from there on most are those of 1 segment later|another order"),
    ),
    Damage("texts, names exchanged", comet(exchanged), EXCHANGED),
    Damage("texts of other segments", edited(lambda text: text[::-1] * (2 + len(text) % 2)), NOT_THE_SAME),
    Damage(
        "2 % are others",
        texts_changed(0.02),
        Right(r"verified by sources and outputs \("),
        Right("verified by lengths of"),
    ),
    Damage(
        "20 % are others",
        texts_changed(0.2),
        order("sources and outputs: .*are these the scores of"),
    ),
    Damage("texts, 80 of 100 are others", texts_changed(0.8), NOT_THE_SAME, order("have the same lengths of sources")),
    Damage("MetricX, a file per system", metricx_files(lambda _, found: found), *VERIFIED),
    Damage(
        "MetricX, one system shuffled",
        lambda m: {f"{m.systems[0]}.jsonl": metricx(shuffled(m.comet[f"{m.systems[0]}.txt"]))},
        *PLACED,
    ),
    Damage("MetricX, one of the files shuffled", metricx_files(at_4), Refused("has another source for segment")),
    Damage("MetricX, all systems in one file", metricx_one(lambda _, found: found), *VERIFIED),
    Damage("MetricX, one file, one system shuffled", metricx_one(at_4), Refused("found another source for segment")),
    Damage(
        "MetricX, all systems without names",
        lambda m: {"all.jsonl": b"".join(metricx(found) for found in m.comet.values())},
        *VERIFIED,
    ),
    Damage(
        "MetricX, segment by segment without names",
        lambda m: {"all.jsonl": b"".join(metricx([*segment]) for segment in zip(*m.comet.values(), strict=True))},
        Refused("has another source than line"),
    ),
    *(Damage(f"a table with texts ({file})", long(file=file), *VERIFIED) for file in ("mine.csv", "mine.jsonl", "")),
    Damage("a table with texts, rows shuffled", long(edit=lambda t: t.sample(frac=1, random_state=1)), *VERIFIED),
    *(
        Damage(
            f"a table with {src} and {mt}",
            long(edit=lambda t, n=(src, mt): t.set_axis([*t.columns[:2], *n, "mine"], axis=1)),
            *VERIFIED,
        )
        for src, mt in (("source", "hypothesis"), ("source", "target"), ("src", "translation"))
    ),
    Damage("a table with outputs alone", long(edit=without("src")), *VERIFIED),
    *(
        Damage(
            f"a table with {name}, names exchanged",
            long(exchanged, lambda t, name=name: t.drop(columns="src").rename(columns={"mt": name})),
            EXCHANGED,
        )
        for name in ("mt", "candidate", "translated_text", "target_sentence")
    ),
    *(
        Damage(f"a table with texts, names exchanged ({file})", long(exchanged, file=file), EXCHANGED)
        for file in ("mine.csv", "mine.jsonl", "")
    ),
    Damage(
        "a table with texts, one system shuffled",
        long(of_4),
        Refused("another source for segment .* than the other systems have"),
    ),
    Damage("a table with outputs, one system shuffled", long(of_4, without("src")), Refused("these are other outputs")),
    Damage("a table with texts, all systems shuffled alike", long(in_all(shuffled)), *PLACED),
    Damage(
        "a table with outputs, the first missing",
        long(in_all(lambda found: found[1:]), without("src")),
        PLACED[0],
        Refused("most are those of 1 segment later"),
    ),
    Damage(
        "a table with other texts", long(edit=all_texts(lambda text: text[::-1] * (2 + len(text) % 2))), NOT_THE_SAME
    ),
    Damage("a table with texts and no numbers", long(edit=without("segment")), *VERIFIED),
    Damage("a table with texts in another order and no numbers", long(in_all(shuffled), without("segment")), *PLACED),
    Damage(
        "a table with texts, in upper case and with signs",
        long(edit=all_texts(spaced)),
        order("outputs: .*are these the"),
        order("lengths of .*are these"),
    ),
    Damage(
        "a table with texts, cut off",
        long(edit=all_texts(lambda text: text[:30])),
        order("outputs: .*are these the"),
        NOT_THE_SAME,
    ),
    Damage(
        "a table with one text for all",
        long(edit=lambda t: t.assign(target=t["src"]).drop(columns=["src", "mt"])),
        RIGHT,
    ),
    *(
        Damage(
            f"a table with a source that is {what}",
            long(edit=lambda t, of=of: t.assign(src=of(t)).drop(columns="mt").rename(columns={"src": "source"})),
            RIGHT,
        )
        for what, of in (
            ("a data set", lambda _: "news"),
            ("a file", lambda t: "clip_" + t["segment"].astype(str) + ".wav"),
        )
    ),
    Damage(
        "a table with a judge's output",
        long(
            edit=lambda t: (
                t.assign(mt="A good translation: " + t["mine"].astype(str))
                .rename(columns={"mt": "output"})
                .drop(columns="src")
            )
        ),
        RIGHT,
    ),
]

DAMAGES = [*BLOCKS, *LINES, *LONG, *OTHER_SET, *HEADLESS]


def check(metric: Metric, damage: Damage, data: tk.EvalSet, outcome: Outcome, source: Any = None) -> None:
    """Add the damaged file, or the source if it is made, to the set; what must happen happens, nothing in silence."""
    source = damage.make(metric) if source is None else source
    more = {} if damage.column is None else {"score_column": damage.column}
    if isinstance(outcome, Refused):
        with collect_warnings(), pytest.raises(tk.TiekitError, match=re.compile(outcome.message, re.DOTALL)):
            data.with_scores(source, name="mine", **more)
        return
    with collect_warnings() as said:
        joined = data.with_scores(source, name="mine", **more)
    if isinstance(outcome, Warned):
        assert any(kind is outcome.kind and re.search(outcome.message, text) for kind, text in said), said
        return
    assert not [text for kind, text in said if kind is tk.OrderWarning and "texts gave" not in text]
    new = joined.notes[len(data.notes) :]
    assert any(re.search(outcome.note, text) for text in (*new, *[text for _, text in said])), new
    found, truth = joined.metrics["mine"], metric.truth()
    if damage.name == CENTERED:
        truth = np.round(truth - metric.scores.mean(), 4)
    scored = ~np.isnan(found)
    np.testing.assert_array_equal(found[scored], truth[scored])
    missing = int((~np.isnan(truth)).sum() - scored.sum())
    assert missing == outcome.gaps if outcome.gaps >= 0 else missing < truth.size


def only_lengths(data: tk.EvalSet) -> tk.EvalSet:
    return replace(data, sources=(), references={}, outputs={})


def named(damages: Sequence[Damage]) -> Any:
    return pytest.mark.parametrize("damage", damages, ids=lambda damage: damage.name)


@named(DAMAGES)
def test_a_damaged_file_without_texts(synthetic, damage):
    check(synthetic, damage, synthetic.data, damage.outcome)


@named(TEXTS)
def test_a_damaged_file_with_texts_where_the_set_has_texts_or_their_lengths(synthetic, damage):
    source = damage.make(synthetic)
    check(synthetic, damage, synthetic.data, damage.outcome, source)
    check(synthetic, damage, only_lengths(synthetic.data), damage.by_lengths or damage.outcome, source)


@pytest.mark.campaign
@pytest.mark.real
@named([*DAMAGES, OTHER_YEAR, *TEXTS])
def test_a_damaged_file_of_wmt22(wmt22, damage):
    check(wmt22, damage, wmt22.data, damage.outcome)


@pytest.mark.campaign
@pytest.mark.real
@named(TEXTS)
def test_a_damaged_file_of_wmt22_beside_the_bundled_set(wmt22, wmt22_zh_en, damage):
    check(wmt22, damage, wmt22_zh_en, damage.by_lengths or damage.outcome)
