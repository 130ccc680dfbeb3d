"""Where each name of `tiekit` is: the one table, which type checkers and `tiekit/__init__.py` read."""

from . import (
    charts as charts,
)
from . import (
    classification as classification,
)
from . import (
    core as core,
)
from . import (
    errors as errors,
)
from . import (
    exercises as exercises,
)
from . import (
    figures as figures,
)
from . import (
    humans as humans,
)
from . import (
    identical as identical,
)
from . import (
    judgments as judgments,
)
from . import (
    measures as measures,
)
from . import (
    official as official,
)
from . import (
    ranking as ranking,
)
from . import (
    readers as readers,
)
from . import (
    sentinels as sentinels,
)
from . import (
    significance as significance,
)
from . import (
    votes as votes,
)
from . import (
    widgets as widgets,
)
from .api import (
    bucket_curve as bucket_curve,
)
from .api import (
    calibrate as calibrate,
)
from .api import (
    correlate as correlate,
)
from .api import (
    correlate_untied as correlate_untied,
)
from .api import (
    count_ties as count_ties,
)
from .api import (
    cross_validate as cross_validate,
)
from .api import (
    reasons_per_group as reasons_per_group,
)
from .api import (
    transfer as transfer,
)
from .base.results import __version__ as __version__
from .cli import (
    warm_up as warm_up,
)
from .core import (
    COEFFICIENTS as COEFFICIENTS,
)
from .core import (
    GROUPINGS as GROUPINGS,
)
from .core import (
    Calibration as Calibration,
)
from .core import (
    Coefficient as Coefficient,
)
from .core import (
    Correlation as Correlation,
)
from .core import (
    PairCounts as PairCounts,
)
from .core import (
    Ties as Ties,
)
from .core import (
    break_ties as break_ties,
)
from .core import (
    classify_pairs as classify_pairs,
)
from .core import (
    count_pairs as count_pairs,
)
from .core import (
    groups_in_common as groups_in_common,
)
from .core import (
    to_buckets as to_buckets,
)
from .errors import (
    CalibrationWarning as CalibrationWarning,
)
from .errors import (
    CoverageWarning as CoverageWarning,
)
from .errors import (
    DirectionWarning as DirectionWarning,
)
from .errors import (
    DownloadError as DownloadError,
)
from .errors import (
    InputError as InputError,
)
from .errors import (
    LeftOutWarning as LeftOutWarning,
)
from .errors import (
    NearTieWarning as NearTieWarning,
)
from .errors import (
    NotInstalledError as NotInstalledError,
)
from .errors import (
    OrderWarning as OrderWarning,
)
from .errors import (
    OrientationWarning as OrientationWarning,
)
from .errors import (
    ReadError as ReadError,
)
from .errors import (
    ResamplesWarning as ResamplesWarning,
)
from .errors import (
    RoleWarning as RoleWarning,
)
from .errors import (
    SelectionWarning as SelectionWarning,
)
from .errors import (
    TiekitError as TiekitError,
)
from .errors import (
    TiekitWarning as TiekitWarning,
)
from .errors import (
    TruncationWarning as TruncationWarning,
)
from .judgments import read_rankings as read_rankings
from .measures.evaluator import check_evaluator as check_evaluator
from .official import official_ranking as official_ranking
from .ranking import (
    Leaderboard as Leaderboard,
)
from .ranking import (
    leaderboard as leaderboard,
)
from .ranking.standing import standing as standing
from .readers import (
    examples as examples,
)
from .readers import (
    list_mtme as list_mtme,
)
from .readers import (
    load as load,
)
from .readers import (
    load_wmt22 as load_wmt22,
)
from .readers import (
    preview_table as preview_table,
)
from .readers import (
    read_mtme as read_mtme,
)
from .readers import (
    read_score_files as read_score_files,
)
from .readers import (
    read_table as read_table,
)
from .readers._numbers import parse_vector as parse_vector
from .readers.citations import cite as cite
from .readers.download import download as download
from .readers.read import read as read
from .sets import (
    EvalSet as EvalSet,
)
from .sets import (
    write_mtme as write_mtme,
)

__all__: list[str]
INNER: set[str]
