"""What does ``tiekit`` do in a terminal? One file per command; `tiekit` itself only offers to compile ahead."""

from tiekit.cli import warm_up as warm_up
