"""How the refusals of a reader are tested: a row for each damaged file, with its line and a key word of the message."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tiekit.errors import ReadError


def refusals(read: Callable[[Any], object], rows: Sequence[tuple[Any, ...]]) -> Any:
    """A test of rows: a content, the line of its error (where it is said), and words that the message has."""

    @pytest.mark.parametrize("row", rows)
    def test(row: tuple[Any, ...]) -> None:
        content, *line, words = row
        with pytest.raises(ReadError) as caught:
            read(content)
        error = caught.value
        assert words in str(error)
        assert str(error).startswith(error.path)
        assert not line or [error.line] == line

    return test
