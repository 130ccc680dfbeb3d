"""Further questions about metrics, each behind a public namespace of its own; also citations and compiling ahead."""

from tiekit.research import warm_up as warm_up
