"""A campaign tries more examples than an ordinary run, whether or not a test says how many it wants."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import DEEPER, examples

TESTS = Path(__file__).parent


@pytest.fixture
def profile(request: pytest.FixtureRequest) -> Iterator[str]:
    """A Hypothesis profile, loaded for one test."""
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


@pytest.mark.parametrize(
    ("profile", "number", "usual"),
    [("check", 4, 10), ("default", 5, 14), ("campaign", 16 * DEEPER, 5_000)],
    indirect=["profile"],
)
def test_a_campaign_has_more_examples(profile: str, number: int, usual: int) -> None:
    tried = []

    @examples(16)
    @given(st.integers())
    def with_a_number_of_its_own(drawn: int) -> None:
        tried.append(drawn)

    with_a_number_of_its_own()
    assert len(tried) == number, profile
    assert settings().max_examples == usual


def test_no_test_fixes_its_number_of_examples() -> None:
    fixed = re.compile(r"\bsettings\([^)]*max_examples=\d")
    assert [path.name for path in TESTS.rglob("*.py") if fixed.search(path.read_text("utf-8"))] == []
    assert fixed.search("@settings(deadline=None, max_" + "examples=40)")
