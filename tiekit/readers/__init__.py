"""How does a file become an `EvalSet`? There is one reader per format; an error names the file and the line.

`FORMATS`, `recognize`, `Format`, `Choice` and `Choices` are inner: the app asks by them what a file's reader must know.
What readers elsewhere, such as those of votes and of rankings, are made of is importable and inner, too.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tiekit.base.names import names_in as names_in
from tiekit.base.names import plain_name as plain_name
from tiekit.readers._amounts import check_objects as check_objects
from tiekit.readers._archives import read_unpacked as read_unpacked
from tiekit.readers._columns import ColumnLayout as ColumnLayout
from tiekit.readers._columns import Rows as Rows
from tiekit.readers._columns import Table as Table
from tiekit.readers._columns import Texts as Texts
from tiekit.readers._columns import open_rows as open_rows
from tiekit.readers._columns import read_columns as read_columns
from tiekit.readers._groups import find_groups as find_groups
from tiekit.readers._groups import say_pairs as say_pairs
from tiekit.readers._json import each_object as each_object
from tiekit.readers._json import objects as objects
from tiekit.readers._json import to_name as to_name
from tiekit.readers._json import to_score as to_score
from tiekit.readers._labels import PAIRS as PAIRS
from tiekit.readers._numbers import MISSING as MISSING
from tiekit.readers._numbers import parse_scores as parse_scores
from tiekit.readers._numbers import parse_vector
from tiekit.readers._questions import Choice, Choices, Format
from tiekit.readers._questions import choose as choose
from tiekit.readers._roles import ask_about as ask_about
from tiekit.readers._score_names import MEASURES as MEASURES
from tiekit.readers._score_names import PERSONS as PERSONS
from tiekit.readers._score_names import is_human as is_human
from tiekit.readers._score_names import unclear_columns as unclear_columns
from tiekit.readers._source import LONGEST_LINE as LONGEST_LINE
from tiekit.readers._source import Files as Files
from tiekit.readers._source import Source as Source
from tiekit.readers._source import TextFile as TextFile
from tiekit.readers._source import read_text as read_text
from tiekit.readers._told_steps import say_how_to_take_out as say_how_to_take_out
from tiekit.readers._told_steps import say_of_code as say_of_code
from tiekit.readers._told_steps import steps_in as steps_in
from tiekit.readers.add_metric import UNNAMED as UNNAMED
from tiekit.readers.add_metric import add_scores
from tiekit.readers.add_metric import arrange as arrange
from tiekit.readers.data_sets import SETS as SETS
from tiekit.readers.data_sets import examples, load, load_wmt22
from tiekit.readers.download import ARCHIVE_URL, Step, default_folder
from tiekit.readers.facts import Facts, data_file, known_testsets, testset_facts
from tiekit.readers.formats.arrays import read_score_lists
from tiekit.readers.formats.automatic import read_automatic_scores
from tiekit.readers.formats.comet import read_comet
from tiekit.readers.formats.esa import appraise_pairs, humeval_pairs, read_appraise, read_humeval
from tiekit.readers.formats.huggingface import read_huggingface
from tiekit.readers.formats.mateo import read_mateo
from tiekit.readers.formats.metricx import read_metricx
from tiekit.readers.formats.mqm import read_da_averages, read_mqm_averages, read_mqm_ratings
from tiekit.readers.formats.mtme import NO_TESTSET, list_mtme, read_mtme, read_score_files
from tiekit.readers.formats.pearmut import pearmut_pairs, read_pearmut
from tiekit.readers.formats.score_lines import read_score_lines
from tiekit.readers.formats.submission import read_submission
from tiekit.readers.formats.subset2evaluate import read_subset2evaluate
from tiekit.readers.formats.summeval import read_summeval
from tiekit.readers.formats.table import TablePreview, preview_table, read_table
from tiekit.readers.read import refusal as refusal
from tiekit.readers.registry import FORMATS, recognize

__all__ = [
    "ARCHIVE_URL",
    "FORMATS",
    "NO_TESTSET",
    "Choice",
    "Choices",
    "Facts",
    "Format",
    "Step",
    "TablePreview",
    "add_scores",
    "appraise_pairs",
    "data_file",
    "default_folder",
    "examples",
    "humeval_pairs",
    "known_testsets",
    "list_mtme",
    "load",
    "load_wmt22",
    "parse_vector",
    "pearmut_pairs",
    "preview_table",
    "read_appraise",
    "read_automatic_scores",
    "read_comet",
    "read_da_averages",
    "read_huggingface",
    "read_humeval",
    "read_mateo",
    "read_metricx",
    "read_mqm_averages",
    "read_mqm_ratings",
    "read_mtme",
    "read_pearmut",
    "read_score_files",
    "read_score_lines",
    "read_score_lists",
    "read_submission",
    "read_subset2evaluate",
    "read_summeval",
    "read_table",
    "recognize",
    "testset_facts",
]


def __getattr__(name: str) -> Any:
    if name in ("read_darr", "read_rankings"):  # rankings of judges are read where they are defined
        return getattr(import_module("tiekit.judgments"), name)
    raise AttributeError(f"module 'tiekit.readers' has no attribute {name!r}")
