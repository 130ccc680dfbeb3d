"""What takes minutes: all of it is marked `campaign`, and only `make test-all` runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import (  # noqa: F401 — fixtures
    chromium,
    colour_scheme,
    open_page,
    own_server,
    page,
    profile_of,
    server,
    viewport,
)

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.campaign)
