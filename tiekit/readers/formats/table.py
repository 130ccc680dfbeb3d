"""How is a table read? One row per system and segment, from a file, from a DataFrame, or from a list of dicts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from tiekit.base.errors import ReadError, RoleWarning, quote, warn
from tiekit.base.names import ALIASES, as_names, known_names, plain_name, some_of
from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._columns import (
    Table,
    check_commas,
    check_orders,
    doubt_points,
    may_be_decimals,
    say_order,
    without_lists,
)
from tiekit.readers._groups import Groups, ask_raters, ask_retries, find_groups, tell_apart
from tiekit.readers._json import begins_with_row
from tiekit.readers._labels import find_documents, find_labels, inner_name, name_domains, name_rows
from tiekit.readers._mean_rows import without_mean_rows
from tiekit.readers._numbers import MISSING
from tiekit.readers._odd_scores import ask_codes
from tiekit.readers._overlap import ask_shared
from tiekit.readers._own_order import ask_numbers, ask_own_order
from tiekit.readers._parallel import say_step
from tiekit.readers._questions import Choice, Choices, Format, Upload
from tiekit.readers._records import begins_table, check_no_means, has_own_score, say_how_to_flatten, say_how_to_take_out
from tiekit.readers._roles import (
    MAYBE_METRICX,
    METRICX,
    TESTSETS,
    UNLIKE_SCORES,
    Roles,
    ask_constants,
    ask_grid,
    choose_columns,
    find_roles,
    mixture,
    only_pair,
    only_value,
    refuse_votes,
)
from tiekit.readers._row_counts import without_row_count
from tiekit.readers._ruled_tables import is_drawn
from tiekit.readers._score_names import REMARKS, is_human, is_named_human
from tiekit.readers._scorers import Scorers, check_matches
from tiekit.readers._source import top_of
from tiekit.readers._systems import check_rivals, divide_names, with_names_apart
from tiekit.readers._table import UNNAMED_METRIC, OpenTable, TableSource, count_unnamed, open_table
from tiekit.readers._texts import name_by_sources, own_texts, tell_repeated_apart, texts_of
from tiekit.readers._told_steps import where_frame
from tiekit.readers._wrapped_numbers import unwrap
from tiekit.readers.formats.mqm import own_columns
from tiekit.sets.arguments import likely_gold
from tiekit.sets.documents import DOMAINS_NAMED
from tiekit.sets.evalset import Decimals, EvalSet
from tiekit.sets.same_texts import KnownTexts

_QUOTED_WORDS = re.compile(rb'"[^"\n]+"( "[^"\n]+")+\n')
"""How a table of R begins, with blanks between its cells."""


def read_table(
    source: TableSource,
    *,
    human: str | Iterable[str] | None = None,
    metrics: str | Iterable[str] | None = None,
    system: str | None = None,
    segment: str | Iterable[str] | None = None,
    domain: str | None = None,
    document: str | None = None,
    scorer: str | None = None,
    score: str | None = None,
    score_column: int | str | None = None,
    labels: Mapping[str, Any] | None = None,
    systems: Iterable[str] = (),
    segments: Iterable[str] = (),
    wanted: Iterable[str] = (),
    beside: Sequence[KnownTexts] = (),
    lower_is_better: str | Iterable[str] = (),
    decimals: Decimals | None = None,
    aggregate: Aggregate = "error",
    name: str | None = None,
) -> EvalSet:
    """Read a long table: a header, then one row per system and segment in any order.

    In a file, tabs, semicolons, commas or ``|`` (as in Markdown) separate cells, or blanks where all lines have equally
    many words; or it holds JSON objects, one in each line or in an array. The encoding is UTF-8. In a table divided by
    semicolons, numbers may have decimal commas. Empty cells, ``NA``, ``nan``, ``None`` and ``-`` are missing scores,
    and so are pairs of system and segment without a row.

    A table without a column of systems becomes one system named ``all``, with one segment per row. The column that has
    another text, or whole number that is no score, in every row names them, whatever its own name; of several, the one
    that holds ``segments``; their order counts only where there is none. So does a file of
    two columns of numbers without a header; the first is taken for human scores, and a RoleWarning says so. A table
    with one row per system and no segments becomes one segment named ``all``. Segments that are numbered anew in every
    document are named ``document:segment``.

    Parameters
    ----------
    source : path, mapping of one name to bytes, DataFrame or list of dicts
        The file or the table in memory. A DataFrame may hold labels in its index, or systems in a second level of its
        columns, as ``pivot`` leaves them; labels of ordered categoricals become numbers from 0.
    human, metrics : str or iterable of str, optional
        Columns of scores; ``()`` is none. None: human scores are the columns named human…, mqm…, esa…, gold…, da, mos,
        gt or expert, unless the name is also that of a metric or a prediction; otherwise one named rating, label,
        annotator, rater2, overall or score; otherwise the first column of numbers of no known metric. Metrics are all
        other columns of numbers, but those with names like year, turn, n, rank or …_id. What is guessed and what is
        left out is said by a RoleWarning.
    system, segment, domain, document : str, optional
        Columns of labels; several ones of the segment are joined by colons. None: the column of that name or of a usual
        one (sys, model, generator; seg, item, question_id, uttID, id; doc). Case is ignored in names of columns.
    scorer, score : str, optional
        In a table with one row per system, segment and scorer: the columns of the scorers, such as judges or metrics,
        and of their scores. Every scorer becomes a column of the scorer's name; all other scores must be the same in
        the rows of one system and segment.
    score_column : int, optional
        In a file of numbers without a header: the column, counted from 1, that holds the scores of a metric; all others
        are left out.
    labels : mapping of str to float, optional
        Numbers of the labels of an ordered scale, such as ``{"bad": 0, "good": 1}``; or such a mapping for each column.
    systems, segments : iterable of str
        Names such as those of the set to which scores are added. Where no column of a usual name holds several of
        these, one that does is taken for the systems, and the only one that tells its rows apart for the segments; what
        is guessed is said by a RoleWarning. Two columns that may both name the systems are refused.
    wanted : iterable of str
        Names that the scores will have in the set to which they are added. Where the columns of numbers are not named
        like them, a RoleWarning names the columns of texts that may hold the scores, such as the answers of a judge.
    beside : sequence of KnownTexts
        The texts of the set to which scores are added, if any. Columns with texts of it (sources, outputs,
        references), whatever their names, and those named like them, are kept to be compared with the set's.
    lower_is_better : str or iterable of str
        Columns to negate, so that higher is better.
    decimals : int, or mapping of str to int, optional
        Round all scores to this many decimals, or those of a name (``{"mqm": 6}``).
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several rows of one system and segment: ``"mean"`` or ``"median"`` joins several ratings, and
        the set's ``raters`` keep how many each cell has; ``"sum"`` adds the penalties of errors with a row of their
        own, and a segment without a row has no score, so that one without errors needs a row of 0.
    name : str, optional
        Name of the set; None: the only value of a column testset, or the name of the file without its ending.

    Returns
    -------
    EvalSet
        Systems and segments in the order of their first rows; the language pair is the only value of a column such
        as lp; the gold score is the only human score, or ``mqm``. Sources and outputs are kept of columns with usual
        names (source, src, prompt; output, mt, response), up to 200,000 rows. A set has no human scores, or no
        metrics, where the table has none.

    Raises
    ------
    ReadError
        If a row has too many or too few cells, a score is not a finite number, a system and segment have two rows, or
        a metric has no score where there is a human one; the message names file and line (of a table in memory, the
        number of the row).
    InputError
        If a column does not exist, or the source is of another type.

    Warns
    -----
    RoleWarning
        If the role of a column was guessed, or a column of numbers left out; if systems or segments look like one that
        is spelled in two ways.

    Examples
    --------
    >>> data = read_table({"scores.csv": b"system,segment,mqm,BLEU\\nA,1,-1,30\\nB,1,0,25\\nA,2,-5,\\n"})
    >>> data.human["mqm"]
    array([[-1., -5.],
           [ 0., nan]])
    >>> read_table({"pairs.tsv": b"1\\t.5\\n2\\t.7\\n"}, score_column=2).metrics["metric"]
    array([[0.5, 0.7]])
    >>> judged = [{"model": "A", "id": 1, "human": 3, "judge": "X", "score": 4},
    ...           {"model": "A", "id": 1, "human": 3, "judge": "Y", "score": 2}]
    >>> list(read_table(judged, scorer="judge", score="score").metrics)
    ['X', 'Y']
    """
    systems, segments = tuple(systems), tuple(segments)
    given = _without_means(source)
    table = without_lists(open_table(source, score_column))
    table = replace(table, orders={**table.orders, **check_orders(labels)})
    table.find_columns("labels", [column for column in table.orders if column])
    refuse_votes(table)
    scorers = Scorers(table, scorer, score)
    if score_column is not None:
        human, metrics = human or (), metrics or UNNAMED_METRIC
    chosen = choose_columns(table, scorers, human, metrics)
    if document is None and beside:
        document = find_documents(table, beside[0].documents, chain.from_iterable(chosen.values()))
    table, segment = without_row_count(table, segment, document, systems, segments, chosen)
    found = find_labels(scorers.rows_of_one(table), system, segment, domain, document, systems, segments, chosen)
    if segment is None and not (found.system or found.segment):
        table = with_names_apart(table, systems)
        found = find_labels(scorers.rows_of_one(table), system, segment, domain, document, systems, segments, chosen)
    if segment is None and beside:
        found = name_by_sources(table, found, beside[0])
    found = name_domains(table, found, beside[0].domains) if beside else found
    keys = [*filter(None, [found.document]), *found.segment]
    only = check_rivals(table, found.system, keys, systems, is_said=bool(found.guess)) if system is None else []
    roles, _, texts = find_roles(table, found, scorers, chosen, as_names(wanted, "wanted"), systems, segments)
    rows = name_rows(table, found, texts, scorers.columns[:1])
    rows = (
        tell_repeated_apart(table, found, rows, beside)
        if segments and aggregate == "error" and not scorers.columns
        else rows
    )
    if not roles.human and not roles.metrics:
        raise ReadError(table.path, _nothing_found(table, roles, texts, given))
    scored = [name for name in (*roles.human, *roles.metrics, *scorers.columns[1:]) if name in table.columns]
    notes = [*table.notes, *rows.notes, *only, *check_commas(table, scored, systems)]
    if found.domain not in (None, "domain"):
        notes.append(f"{DOMAINS_NAMED}{quote(found.domain)}.")
    usual = plain_name(inner_name(found.system or ""))
    if found.system and system is None and usual not in ALIASES["system"] and not found.guess:
        notes.append(f"All labels in column {quote(found.system)} are systems of the set, so it names the systems.")
    if quiet := [name for name in roles.untold if roles.left_out[name] == UNLIKE_SCORES]:
        notes.append(f"Left out {some_of(quiet)}: {UNLIKE_SCORES}.")
    is_told = human is not None and metrics is not None
    more = [
        *filter(None, (found.guess, rows.guess)),
        *([] if divide_names(scored, systems) else mixture(table)),
        *doubt_points(table, scored),
    ]
    more += [*ask_grid(table, found, scored), *ask_constants(table, roles.metrics)]
    more += filter(
        None, [unwrap(table, (name for name in roles.left_out if name not in roles.untold)).removeprefix("; ")]
    )
    is_metric_file = human is not None and not roles.human
    if not is_told:
        _ask_sign(table.path, roles, lower_is_better, as_names(wanted, "wanted"), is_added=bool(systems))
    if said := roles.sentence(more, is_metric_file=is_metric_file):
        warn(f"{table.path}: {said}", RoleWarning)
        notes.append(said[:1].upper() + said[1:] + ".")
    labels_of_rows = [rows.systems, rows.segments, *map(table.cells, scorers.columns[:1])]
    free = [name for name in table.columns if name not in {found.system, *found.segment, *scorers.columns}]
    repeated = (table, labels_of_rows, free, scored)
    groups = Groups(table) if aggregate == "error" else find_groups(*repeated)
    if over := groups.say_joined(aggregate) if aggregate != "error" else "":
        warn(f"{table.path}: {over}", RoleWarning)
    advice: partial[str] | None = partial(tell_apart, *repeated, found.system, systems, segments)
    cells = lay_out(
        table.path,
        rows.systems,
        rows.segments,
        table.lines,
        aggregate="mean" if scorers.columns and aggregate == "error" else aggregate,  # a cell has a row of every scorer
        columns=len(roles.human) + len(roles.metrics),
        named=(f"cell in column {quote(found.system)}", f"cell in column {quote(' + '.join(found.segment))}"),
        advice=advice,
    )
    del rows, labels_of_rows, repeated  # a name for each row: nothing but the advice of scorers needs them now
    advice = advice if scorers.columns else None
    cells = replace(cells, aggregate=aggregate)
    if aggregate != "error" and int(cells.raters.max()) > 1:
        ask_codes(table.path, scorers.raw((*roles.human, *roles.metrics)), aggregate, is_table=True)
        if not (scorers.columns or groups.even or groups.others):
            keys = [*filter(None, [found.system]), *found.segment]
            ask_retries(table.path, cells, scorers.raw((*roles.human, *roles.metrics)), keys)
    if aggregate == "sum" and (number := int((cells.raters == 0).sum())):
        missing = f"{number:,} of {cells.raters.size:,} cells have no row, so their scores are missing"
        warn(f"{table.path}: {missing}; if these have no errors, write a row of 0 for each", RoleWarning)
    if aggregate == "sum":
        keys = [*filter(None, [found.system]), *filter(None, [found.document]), *found.segment]
        ask_raters(table, cells, free, keys, (*roles.human, *roles.metrics))
    people = scorers.matrices(cells, roles.human, advice, is_human=True)
    machines = scorers.matrices(cells, roles.metrics, advice)
    check_matches(table, cells, people, machines)
    if not table.headed and score_column is None and not is_told:
        remedy = "if that is wrong, write their names above them"
        remedy += ", or pass score_column=2 if only the second is wanted" * (found.system is None)
        warn(f"{table.path}: {table.notes[-1].rstrip('.')}; {remedy}", RoleWarning)

    def per_segment(column: str | None) -> tuple[str, ...]:
        return cells.labels(table.cells(column), table.lines, f"column {column!r}") if column else ()

    joined = aggregate != "error" and int(cells.raters.max()) > 1 and not scorers.columns
    if joined:
        most = f"{int(cells.raters[cells.raters > 0].min())} to {int(cells.raters.max())} in each"
        notes.append(
            f"Joined {len(table.lines):,} rows to {int((cells.raters > 0).sum()):,} cells by their {aggregate}, {most}."
        )
    counted = roles.human if joined and aggregate != "sum" else ()
    columns = [*texts, *found.segment]
    kept, told = (
        (texts_of(table, cells, columns, beside[0]), ()) if beside else own_texts(table, cells, columns, found.system)
    )
    data = cells.evalset(
        table,
        people,
        machines,
        name=name if name is not None else only_value(table, TESTSETS) or None,
        pair=only_pair(table, texts),
        documents=per_segment(found.document),
        domains=per_segment(found.domain),
        gold=likely_gold(roles.human),
        notes=(*notes, *told),
        raters={column: cells.scores_per_cell(table.scores(column)) for column in counted},
        **kept,
    )
    data = _restore(table, data, name)
    if not systems and not segments:  # beside a set, what it does not have is left out
        data = without_mean_rows(data, table.path, found.system, found.segment)
        ask_own_order(table.path, data, found.system)
        ask_numbers(table.path, data, found.system)
        ask_shared(table, data, found.system, [*filter(None, [found.document]), *found.segment])
    return data.adjusted(lower_is_better=lower_is_better, decimals=decimals)


def _ask_sign(path: str, roles: Roles, flipped: str | Iterable[str], wanted: Sequence[str], *, is_added: bool) -> None:
    """Ask about scores that may be MetricX's; to those that are added to a set their name there is ``wanted``."""
    names = {column.casefold() for column in (*roles.human, *roles.metrics)}
    asked = {name.casefold() for name in as_names(flipped, "lower_is_better")}
    if "prediction" in names <= METRICX and "prediction" not in asked:
        name = (wanted or ["prediction"])[0] if is_added else path
        warn(f"{name}: {MAYBE_METRICX}: pass lower_is_better={is_added or 'prediction'!r}", RoleWarning)


YES_OR_NO = {"true": 1, "yes": 1, "pass": 1, "correct": 1, "false": 0, "no": 0, "fail": 0, "incorrect": 0}
"""The numbers of words that people and judges answer with, in lower case."""


_SCORED = re.compile("score|rating|weight|penalt")
"""What is named in errors that have scores of their own."""

MOST_ROWS, MOST_OF_CELL = 100, 20_000
"""So many rows, and characters of their cells, are looked at to say how lists in them are read."""


def _say_of_lists(table: Table, columns: Sequence[str], source: Any) -> str:
    """What to say of a table whose cells are lists, if a column of it is so; empty of any other."""
    lists = [name for name in columns if all(cell.startswith("[") for cell in table.cells(name))]
    if not lists:
        return ""
    told, name = f"column {quote(lists[0])} holds a list in each row", lists[0]
    record, rows = _first_row(table, columns, source)
    is_frame = isinstance(source, pd.DataFrame)
    if record and dict in map(type, record.values()) and (is_frame or has_own_score(record)):
        return f"{told}, and another one an object; pass {rows}"
    if step := say_how_to_flatten(record, rows):
        return f"{told}; take the scores out of it: pass {step}"
    if "'content': " in table.cells(name)[0]:
        content = f"frame[{name!r}].str[0].str['message'].str['content']"
        content += _score_of_text(table.cells(name)[0])
        told += f"; take out what the model wrote, if it is the score: frame['score'] = {content}.astype(float)"
        where = where_frame(table, "") * (not is_frame)
        return f"{told}, and pass it with the columns that name systems and segments alone{where}"
    if record and REMARKS.fullmatch(plain_name(name)) and not any(map(_SCORED.search, table.cells(name))):
        step = f"[{{**row, {name!r}: None, 'score': -len(row[{name!r}])}} for row in {rows}]"
        return f"{told}, and none a score; count the elements, if each is an error and they weigh alike: pass {step}"
    if "{" not in table.cells(name)[0] and (step := say_how_to_take_out(record, rows)):
        return f"{told}; {say_step(step)}"
    sizes = {len(one) for one in (record or {}).values() if isinstance(one, (list, np.ndarray))}
    if record and len(sizes) == 1 and (len(lists) > 1 or sizes == {1}):
        return f"{told}; give each element a row: pass pandas.DataFrame({rows}).explode({lists!r})"
    return (
        f"{told}; give one number in each row, or pass a dict with the list of each system, dict(zip(SYSTEMS, LISTS))"
    )


def _score_of_text(cell: str) -> str:
    """How the only number is taken out of JSON that a model wrote, in a list of messages; empty of any other text."""
    try:
        found = json.loads(ast.literal_eval(cell)[0]["message"]["content"])
    except (ValueError, LookupError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
    numbers = [key for key, one in found.items() if isinstance(one, (int, float))] if isinstance(found, dict) else []
    return f".map(json.loads).str[{numbers[0]!r}]" if len(numbers) == 1 else ""


def _first_row(table: Table, columns: Sequence[str], source: Any) -> tuple[dict[str, Any] | None, str]:
    """The first row of a table with its lists, and how rows are read; None where they are not known."""
    inside = [name for name in columns if table.cells(name)[0].startswith(("[", "{"))]
    is_frame, is_given = isinstance(source, pd.DataFrame), isinstance(source, (pd.DataFrame, list))
    given = source.iloc[0].to_dict() if is_frame else source[0] if is_given else {}
    if is_given and not any(isinstance(given.get(name), str) for name in inside):
        cells = {str(k): v.tolist() if isinstance(v, np.ndarray) else v for k, v in given.items()}
        return cells, "source.to_dict('records')" if is_frame else "source"
    ending = "source" if is_given else PurePosixPath(table.path).suffix.lower()
    ending = ".xlsx" if ".xlsx" in table.path.lower() else ending
    few = range(min(len(table.lines), MOST_ROWS))
    first = [{name: table.cells(name)[row] for name in inside} for row in few]
    for parse, called in ((json.loads, "json.loads"), (ast.literal_eval, "ast.literal_eval")):
        try:
            found = [{name: parse(cells[:MOST_OF_CELL]) for name, cells in row.items()} for row in first]
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        record = {name: table.cells(name)[0] for name in table.columns} | found[0]
        converters = f"converters={{{', '.join(f'{name!r}: {called}' for name in inside)}}}"
        maps = ", ".join(f"{name!r}: lambda frame: frame[{name!r}].map({called})" for name in inside)
        rows = {
            ".csv": f"pandas.read_csv(PATH, {converters}).to_dict('records')",
            ".tsv": f"pandas.read_csv(PATH, sep='\\t', {converters}).to_dict('records')",
            ".xlsx": f"pandas.read_excel(PATH).assign(**{{{maps}}}).to_dict('records')",
            "source": f"{'source' if is_frame else 'pandas.DataFrame(source)'}.assign(**{{{maps}}}).to_dict('records')",
            ".json": "json.load(open(PATH))",
            ".jsonl": "map(json.loads, open(PATH))",
        }
        is_flat = ending in (".json", ".jsonl") and any("." in name for name in table.columns)
        return (None, "") if is_flat or ending not in rows else (record, rows[ending])
    return None, ""


def _nothing_found(table: Table, roles: Roles, columns: Sequence[str], source: Any) -> str:
    """What to say of a table without scores."""
    if told := _say_of_lists(table, columns, source):
        return told
    first = sorted(roles.left_out.items(), key=lambda item: not item[1].startswith("holds texts"))
    left = "".join(f"; {name} was left out ({reason})" for name, reason in first[:3])
    left += "; name one by metrics= if it is the metric, or by human= if people gave it" * any(
        "named" in why for why in roles.left_out.values()
    )
    left += unwrap(table, (name for name, _ in first if name in columns))
    others = [name for name in columns if name not in roles.left_out]
    said = {name: {*table.cells(name)}.difference(MISSING) for name in [*(name for name, _ in first[:1]), *others]}
    yes = next((name for name, some in said.items() if some and {*map(str.casefold, some)} <= YES_OR_NO.keys()), "")
    if yes:
        numbers = {cell: YES_OR_NO[cell.casefold()] for cell in sorted(said[yes])}
        left += f"; if {yes} holds the scores, pass labels={numbers}"
    elif first and first[0][1].startswith("holds texts") and "in Python, pass" not in left:
        name, write = first[0][0], "write the number of each into a column called score"
        order = say_order(sorted(said.get(name, ())), len(table.lines))
        left += f"; if the texts of {name} hold the scores, {order or write}"
    if ".xlsx" in table.path and "holds no score" in roles.left_out.values():
        left += "; if its cells are formulas, open the workbook in Excel or LibreOffice, and save it there"
    texts = [f"{name} ({quote(table.cells(name)[0])}, …)" for name in others if not yes]
    scales = [(name, order) for name in others if (order := say_order(sorted(said[name]), len(table.lines)))]
    advice = "give labels numbers by labels="
    if len(scales) == 1:
        advice = f"if {scales[0][0]} holds the scores, {scales[0][1]}"
    severity = own_columns(table.columns).get("severity", "")
    if not {"major", "minor"}.isdisjoint(map(str.casefold, said.get(severity, ()))):
        left += (
            "; if each row is an error of MQM, pass format='mqm_ratings', which adds up each rater's weighted errors"
        )
    words = f"; texts: {known_names(texts)}; write numbers like -1.5, or {advice}" if texts else ""
    return f"expected a column of human scores and one of a metric, but no column holds numbers{left}{words}"


def _restore(table: Table, data: EvalSet, name: str | None) -> EvalSet:
    """A set with what is known of the one that a frame was made of."""
    kept = table.kept
    if not kept:
        return data
    gold = kept.get("gold")
    return replace(
        data,
        name=data.name if name is not None or only_value(table, TESTSETS) else str(kept.get("name", data.name)),
        language_pair=data.language_pair or str(kept.get("language_pair", "")),
        gold=gold if gold in data.human else data.gold,
        standard_reference=kept.get("standard_reference"),
        outliers=tuple(kept.get("outliers", ())),
    )


@dataclass(frozen=True)
class TablePreview:
    """What the columns of a table hold, before one chooses among them.

    Attributes
    ----------
    columns : tuple of str
        All columns of the header.
    numeric : tuple of str
        Columns of scores: most of their cells are numbers.
    human, metrics : tuple of str
        Columns that `read_table` takes for human scores, and for metrics, by default; of labels that have no numbers
        yet only where there is no metric.
    system, segment, domain, document : str or None
        Columns of these labels; None where there is none.
    n_rows : int
        Number of rows below the header.
    guess : str
        What is guessed about the roles of columns, and what is left out, in one line; empty where names say it.
    left_out : tuple of str
        Columns that are left out and may be meant.
    """

    columns: tuple[str, ...]
    numeric: tuple[str, ...]
    human: tuple[str, ...]
    metrics: tuple[str, ...]
    system: str | None
    segment: str | None
    domain: str | None
    document: str | None
    n_rows: int
    guess: str = ""
    left_out: tuple[str, ...] = ()


def _without_means(source: Any) -> Any:
    """What was given; rows in memory that hold means beside lists of scores are refused."""
    given = getattr(source, "source", source)
    if isinstance(given, list) and given and isinstance(given[0], Mapping):
        check_no_means(given)
    elif isinstance(given, pd.DataFrame) and not given.select_dtypes(bool).empty:
        check_no_means(given.head(1).to_dict("records"), "source.to_dict('records')")
    return given


def preview_table(source: TableSource, systems: Iterable[str] = (), segments: Iterable[str] = ()) -> TablePreview:
    """Find out what the columns of a table hold.

    Parameters
    ----------
    source : path, mapping of one name to bytes, DataFrame or list of dicts
    systems, segments : iterable of str
        All as for `read_table`.

    Returns
    -------
    TablePreview

    Raises
    ------
    ReadError
        If the file is not a table; the message names file and line.

    Examples
    --------
    >>> preview = preview_table({"scores.csv": b"sys,seg,mqm,BLEU,year\\nA,1,-1,30,2024\\n"})
    >>> preview.numeric, preview.human, preview.metrics, preview.segment
    (('mqm', 'BLEU', 'year'), ('mqm',), ('BLEU',), 'seg')
    >>> preview.guess
    'took mqm for human scores and BLEU for metrics; left out year (named like no score); say otherwise with human= and
    metrics='
    """
    _without_means(source)
    table = without_lists(open_table(source))
    systems, segments = tuple(systems), tuple(segments)
    table, segment = without_row_count(table, None, None, systems, segments, is_asked=False)
    labels = find_labels(table, None, segment, None, None, systems, segments)
    roles, numeric, _ = find_roles(table, labels, Scorers(table, None, None), {}, systems=systems)
    with_numbers = tuple(filter(table.is_scores, roles.human)) if roles.metrics else roles.human
    return TablePreview(
        tuple(table.columns),
        numeric,
        with_numbers,
        roles.metrics,
        labels.system,
        labels.segment[0] if labels.segment else None,
        labels.domain,
        labels.document,
        n_rows=len(table.lines),
        guess=roles.sentence(),
        left_out=tuple(name for name in roles.left_out if name not in roles.untold),
    )


def _is_table(name: str, head: bytes) -> bool:
    """Whether a text file has delimiters, or holds JSON objects of texts and numbers."""
    if name.lower().endswith((".jsonl", ".json", ".ndjson")):
        return begins_with_row(head) or begins_table(head)
    first = head.partition(b"\n")[0]
    endings = (".csv", ".psv") if b" " in first else (".csv", ".psv", ".txt")
    if head.startswith(b"|") or (name.lower().endswith(endings) and b"|" in first):
        return head.count(b"|") > 1
    if is_drawn(head.decode("utf-8", "replace")):
        return True
    is_divided = any(mark in head for mark in b"\t;,") or _QUOTED_WORDS.match(head)
    return name.lower().endswith((".csv", ".tsv", ".txt")) and bool(is_divided)


def _ask_table(files: Upload | OpenTable, chosen: Choices) -> Iterator[Choice]:
    """Ask for the columns of human scores and metrics; without a header, for the number of a metric's column."""
    source = files.source if isinstance(files, OpenTable) else files
    head = top_of(next(iter(source.values()))) if isinstance(source, Mapping) else b""
    if number := count_unnamed(head):
        columns = tuple(str(place) for place in range(1, number + 1))
        label = "Which column holds the metric's scores? The file has no header."
        needed = "Choose the column that holds the metric's scores."
        if first := may_be_decimals(head):
            needed += f" If {first} has a decimal comma, write {first.replace(',', '.')} instead."
        yield Choice("score_column", label, columns, (), "score_column", several=False, needed=needed)
        if number > 2:
            return
    needed = "Choose at least one column of human scores and one metric."
    found = preview_table(files, chosen.get("systems", ()), chosen.get("segments", ()))
    label = "Which columns are human scores?"
    asked = Choice("human", label, found.numeric, found.human, "human_columns", needed=needed, beside=found.left_out)
    yield replace(asked, guess=found.guess)
    people = set(chosen["human"])
    others = tuple(name for name in found.numeric if name not in people and (name in found.human or not is_human(name)))
    likely = {*found.metrics, *(name for name in found.human if not is_named_human(name))}
    usual = tuple(name for name in others if name in likely) or others
    yield Choice("metrics", "Which columns are metrics?", others, usual, "metric_columns", needed=needed)


def _table_code(files: Upload, chosen: Choices) -> str:
    """The call of `read_table`."""
    given = [f"{name}={one!r}" for name, one in chosen.items()]
    return f"tk.read_table({', '.join([repr(next(iter(files))), *given])})"


FORMAT = Format(
    name="table",
    label="one table (CSV or TSV)",
    upload="The table",
    recognizes=_is_table,
    read=read_table,
    asks=_ask_table,
    code=_table_code,
    opens=OpenTable,
)
