"""Which metric wins by the rules of a WMT metrics task?

`official_ranking` ranks the metrics of a folder by the tasks, weights and tests of WMT 2022–2025, or by those of a file
of your own (`read_preset`). `average_tasks` does the last step alone, from a table of the tasks' values; with
`printed_values` it shows how weights and the map of correlations decide who wins. `pooled_accuracy` is the pairwise
accuracy over several language pairs together.
"""

from tiekit.official.preset import PRESETS, Preset, Task, printed_values, read_preset
from tiekit.official.ranking import official_ranking
from tiekit.official.result import OfficialRanking, average_tasks, pooled_accuracy

__all__ = [
    "PRESETS",
    "OfficialRanking",
    "Preset",
    "Task",
    "average_tasks",
    "official_ranking",
    "pooled_accuracy",
    "printed_values",
    "read_preset",
]
