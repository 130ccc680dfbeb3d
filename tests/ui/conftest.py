"""What parts of the app share that are run without a browser."""

from tests.pages.conftest import _components_are_looked_for_once  # noqa: F401 — a fixture, for every test here
