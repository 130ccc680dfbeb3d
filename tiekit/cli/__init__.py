"""What does ``tiekit`` do in a terminal? One file per command; `tiekit` itself imports none of it, but compiling ahead."""

from tiekit.cli import warm_up as warm_up
