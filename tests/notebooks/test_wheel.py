"""The quickstart runs outside the clone, with tiekit from a wheel."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notebooks import build
from tests.cli.test_wheel import installed, wheel  # noqa: F401  # fixtures
from tests.notebooks.answers import RIGHT
from tests.notebooks.test_build import committed, same

pytestmark = pytest.mark.campaign


def test_a_first_time_user_reaches_the_leaderboard_and_the_exercises(installed: Path, tmp_path: Path) -> None:  # noqa: F811
    [source] = [source for source in build.sources() if source.stem == "00_quickstart"]
    after = f"print(tk.__file__)\nprint(check.verdict(1, {RIGHT[source.stem][1][0]}))"
    [book] = build.execute([source], tmp_path, installed, {source.stem: after})
    [printed] = book.cells.pop().outputs
    where, verdict = printed.text.splitlines()
    assert Path(where).is_relative_to(installed)
    assert verdict.startswith("right. ")
    assert same(json.loads(build.text_of(book))["cells"], committed(source.stem)["cells"])
