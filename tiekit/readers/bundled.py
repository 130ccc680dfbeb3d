"""Which published evaluation set comes with tiekit? WMT22 Chinese–English: scores, documents and lengths of texts."""

from __future__ import annotations

from functools import cache

from tiekit.readers.facts import data_file
from tiekit.readers.mtme import read_mtme
from tiekit.sets.evalset import EvalSet


@cache
def load_wmt22() -> EvalSet:
    """Return the scores of WMT22 Chinese–English, on which Deutsch et al. (2023) print Table 18.

    18 systems and 2 references, 1,875 segments in 256 documents and 4 domains, 5 kinds of human scores (``mqm`` is the
    standard one), 24 metrics. Every score is as published. There are no texts, but the number of characters of every
    source, reference and translation (`EvalSet.lengths`). The files are read once; nothing is downloaded.

    Returns
    -------
    EvalSet
        Read-only; the same object at each call.

    Raises
    ------
    ReadError
        If a file is missing, because tiekit is not completely installed.

    References
    ----------
    Freitag et al. (2022), Results of WMT22 Metrics Shared Task, https://aclanthology.org/2022.wmt-1.2; scores of GEMBA:
    Kocmi and Federmann (2023), https://aclanthology.org/2023.eamt-1.19. The folder ``wmt22`` of tiekit's data has a
    README with all sources and licenses.

    Examples
    --------
    >>> data = load_wmt22()
    >>> data.human["mqm"].shape, len(data.metrics), data.gold, data.standard_reference
    ((20, 1875), 24, 'mqm', 'refA')
    >>> data.sources, data.lengths.sources[:3]
    ((), (8, 11, 23))
    """
    return read_mtme(data_file("wmt22").parent, "wmt22", "zh-en")
