"""The scenes of the leaderboard: each link restores what its sentence speaks of."""

import tomllib
from urllib.parse import parse_qs

import pytest

from tests.app.ranking import ranks_shown, shown
from ui.work.presets import DATA

PAGE = "5_Leaderboard"
SCENES = tomllib.loads((DATA / "scenes" / f"{PAGE}.toml").read_text(encoding="utf-8"))["scene"]
pytestmark = pytest.mark.campaign


def places(app):
    """The ranks of the chosen metric by column."""
    found = ranks_shown(app)
    ranks = next(one["ranks"] for one in found["metrics"] if one["name"] == found["metric"])
    return dict(zip([one["key"] for one in found["columns"]], ranks, strict=True))


EXPECTED = [
    lambda app: (
        (places(app)["tau_13"], places(app)["tau_10"], shown(app)["acc_eq*"].idxmax()[:7]) == (2, 24, "metricx")
    ),
    lambda app: [places(app)[c] for c in ("tau_b", "tau_13", "acc_eq", "tau_10")] == [1, 1, 1, 21],
    lambda app: [places(app)[c] for c in ("tau_10", "acc_eq", "acc_eq*")] == [1, 11, 2],
    lambda app: places(app)["acc_eq*"] == 3,
    lambda app: [places(app)[c] for c in ("tau_b", "tau_10", "acc_eq*")] == [1, 14, 4],
]


@pytest.mark.parametrize("number", range(len(SCENES)))
def test_the_link_restores_what_the_sentence_says(open_app, number):
    link = {"source": ["WMT22 Chinese–English"]} | parse_qs(SCENES[number]["link"])
    app = open_app(PAGE, **{key: texts[-1] for key, texts in link.items()})
    assert not app.exception
    assert not any("damaged" in warning.value for warning in app.warning)
    assert EXPECTED[number](app)
