"""How the refusals of a reader are tested: a row for each damaged file, with its line and a key word of the message."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tiekit.errors import ReadError, TiekitError


def refusals(
    read: Callable[[Any], object], rows: Sequence[tuple[Any, ...]], error: type[TiekitError] = ReadError
) -> Any:
    """A test of rows: a content, the line of its error (where it is said), and words that the message has."""

    @pytest.mark.parametrize("row", rows)
    def test(row: tuple[Any, ...]) -> None:
        content, *line, words = row
        with pytest.raises(error) as caught:
            read(content)
        found = caught.value
        assert words in str(found)
        assert not isinstance(found, ReadError) or str(found).startswith(found.path)
        assert not line or [getattr(found, "line", None)] == line

    return test
