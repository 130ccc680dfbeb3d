"""Every coefficient, test and data set leads to the paper that the library names for it."""

import re
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.system_level import SYSTEM_LEVEL
from tiekit.readers.citations import YEAR, _sources

ROOT = Path(__file__).parents[2]
BIB = (ROOT / "data" / "references.bib").read_text(encoding="utf-8")


def keys(bibtex):
    return re.findall(r"^@\w+\{([\w-]+),$", bibtex, re.MULTILINE)


@pytest.mark.parametrize("name", [*COEFFICIENTS, *SYSTEM_LEVEL])
def test_a_coefficient_leads_to_the_source_that_the_registry_names(name):
    reference = ({**COEFFICIENTS, **SYSTEM_LEVEL})[name].reference
    (place,) = re.findall(r"doi:(\S+?)$|aclanthology.org/(\S+?)$|arXiv (\S+)", reference)
    assert "".join(place) in tk.cite(name)
    assert len(keys(tk.cite(name))) == 2


def test_every_entry_is_complete_and_has_an_address():
    entries = list(_sources())
    assert len(entries) == len(keys(BIB)) == len(set(keys(BIB)))
    for entry, names in entries:
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        assert {"title", "author", "year"} <= set(fields)
        assert " and others" not in fields["author"]
        assert re.fullmatch(r"10\.\d{4,5}/\S+", fields.get("doi", "")) or fields["url"].startswith("https://")
        assert entry.count("{") == entry.count("}")
        assert "keywords" not in entry
        assert names


def test_the_papers_that_the_citation_file_names_are_there():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    places = re.findall(r"doi: (\S+)|arXiv:([\d.]+)", cited)
    assert len(places) == 4
    for doi, arxiv in places:
        assert doi in BIB if doi else arxiv in BIB or arxiv == "2408.13831"  # it has a DOI by now
    assert f"date-released: {YEAR}-" in cited


def test_nothing_named_cites_everything():
    assert keys(tk.cite()) == ["tiekit", *keys(BIB)]
    assert tk.__version__ in tk.cite()


def test_results_say_what_they_were_made_with():
    rng = np.random.default_rng(1)
    human = rng.integers(0, 4, (4, 20)).astype(float)
    metrics = {"tau_c": human + rng.integers(0, 3, (4, 20)), "b": human + rng.integers(0, 5, (4, 20))}
    data = tk.EvalSet("wmt23", "en-de", tuple("ABCD"), tuple(map(str, range(20))), {"mqm": human}, metrics, gold="mqm")
    plain = tk.correlate(data, "tau_c", "tau_b")
    board = tk.leaderboard(data, coefficients=["tau_b", "spa"], calibrated="acc_eq")
    ties, experts, wmt23 = "deutsch-etal-2023-ties", "freitag-etal-2021-experts", "freitag-etal-2023-results"
    permutation = ["deutsch-etal-2021-statistical", "phipson-smyth-2010-permutation"]
    of_set = [experts, wmt23]
    assert keys(tk.cite(plain)) == ["tiekit", "kendall-1945-ties", *of_set]  # not the name of the metric
    assert keys(tk.cite(tk.calibrate(data, "b"))) == ["tiekit", ties, *of_set]
    assert keys(tk.cite(tk.correlate(data, "b", "tau_b*"))) == ["tiekit", ties, "kendall-1945-ties", *of_set]
    assert keys(tk.cite(data)) == ["tiekit", *of_set]
    assert set(keys(tk.cite(board))) == {"tiekit", "kendall-1945-ties", "thompson-etal-2024-soft", ties, *of_set}
    test = tk.significance.permutation_test(data, "tau_c", "b", "acc_eq*", n_resamples=9)
    assert keys(tk.cite(test)) == ["tiekit", ties, *permutation, *of_set]
    assert keys(tk.cite(test, plain, "tau_b", "holm"))[1:3] == [ties, "kendall-1945-ties"]
    assert keys(tk.cite(tk.significance.bonett_wright(human[0], metrics["b"][0])))[-1] == "bonett-wright-2000-sample"


def test_names_may_be_measures_and_other_names():
    assert tk.cite("item/acc_eq*") == tk.cite("acc_23") == tk.cite("calibration")
    assert len(keys(tk.cite("tau_b*"))) == 3
    with pytest.raises(tk.InputError, match="used: there is no 'acc_eqq'; did you mean"):
        tk.cite("acc_eqq")
    with pytest.raises(tk.InputError, match="used: must be a name, a result, a leaderboard or an EvalSet, found int"):
        tk.cite(3)
