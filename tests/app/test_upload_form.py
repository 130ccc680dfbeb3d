"""Streamlit is given a form with the file of a browser's, divided by a line that nobody can know, and nothing else."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser

from ui import upload_form

HEAD = b'Content-Disposition: form-data; name="a.csv"; filename="a.csv"\r\nContent-Type: text/csv'
TYPE = b"multipart/form-data; boundary="


def _run(steps):
    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        return thread.submit(lambda: asyncio.run(steps)).result()


def handed_on(body, content_type, cuts=()):
    """The pieces that are handed on of a form that comes in pieces, the type that they have, and what is refused."""
    places = [0, *sorted(one for one in cuts if one < len(body)), len(body)]
    coming = [
        {"type": "http.request", "body": body[begin:end], "more_body": end < len(body)}
        for begin, end in pairwise(places)
    ]
    refused = []

    async def receive():
        return coming.pop(0)

    async def take():
        form = upload_form.UploadForm(receive, content_type, lambda: refused.append(True))
        scope = form.name_in({"headers": [(b"content-type", content_type), (b"host", b"x")]})
        pieces = [await form.receive()]
        while pieces[-1].get("more_body"):
            pieces.append(await form.receive())
        return pieces, scope["headers"], refused

    return _run(take())


def read(pieces, content_type):
    """The one file of a form as Streamlit reads it: its name, type and content."""

    async def stream():
        for piece in pieces:
            yield piece["body"]

    async def parse():
        form = await MultiPartParser(Headers({"content-type": content_type.decode()}), stream()).parse()
        try:
            [(_, file)] = form.multi_items()
            return file.filename, file.content_type, await file.read()
        finally:
            await form.close()

    return _run(parse())


LETTERS = "abcXYZ019'()+_-./:=?"
CONTENTS = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from([b"\r\n", b"--", b"\r", b"a", b"a--", b"\r\n--a", b"\r\n--a--\r\n"])).map(b"".join),
)


@given(
    CONTENTS,
    st.text(LETTERS, min_size=1, max_size=70).map(str.encode),
    st.booleans(),
    st.lists(st.integers(0, 400), max_size=6),
)
def test_a_file_is_handed_on_as_it_is_however_its_form_is_divided_and_comes(content, boundary, ends_with_line, cuts):
    body = b"--%s\r\n%s\r\n\r\n%s\r\n--%s--%s" % (boundary, HEAD, content, boundary, b"\r\n" * ends_with_line)
    pieces, headers, refused = handed_on(body, TYPE + b'"' + boundary + b'"', cuts)
    assert not refused
    assert [name for name, _ in headers] == [b"host", b"content-type"]
    assert read(pieces, headers[1][1]) == ("a.csv", "text/csv", content)


def test_nobody_can_know_the_line_that_divides_the_form():
    body = b"--a\r\n%s\r\n\r\nx\r\n--a--\r\n" % HEAD
    lines = {handed_on(body, TYPE + b"a")[1][1][1] for _ in range(5)}
    assert len(lines) == 5
    assert {len(line) for line in lines} == {len(TYPE) + 32}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (b"", b"x"),
        (b"application/x-www-form-urlencoded", b"a=1&" * 9),
        (b"multipart/form-data", b"--\r\n%s\r\n\r\nx\r\n----\r\n" % HEAD),
        (TYPE + b"a" * 71, b"--a\r\n%s\r\n\r\nx\r\n--a--\r\n" % HEAD),
        (TYPE + b"a", b""),
        (TYPE + b"a", b"x" * 20_000),
        (TYPE + b"a", b"--a\r\n\r\nx\r\n--a--\r\n"),  # without a head
        (TYPE + b"a", b"--b\r\n%s\r\n\r\nx\r\n--b--\r\n" % HEAD),
        (TYPE + b"a", b"\r\n--a\r\n%s\r\n\r\nx\r\n--a--\r\n" % HEAD),
        (TYPE + b"a", b"--a\r\n%s\r\n\r\nx" % HEAD),
        (TYPE + b"a", b"--a\r\n%s\r\n\r\nx\r\n--a--\r\nmore" % HEAD),
        (TYPE + b"a", b"--a\r\n%s%s\r\n\r\nx\r\n--a--\r\n" % (HEAD, b"x" * upload_form.LONGEST_HEAD)),
    ],
)
def test_what_is_no_form_with_a_file_is_refused(content_type, body):
    for cuts in ((), range(0, 20_000, 1000)):
        pieces, _, refused = handed_on(body, content_type, cuts)
        assert pieces[-1] == {"type": "http.disconnect"}
        assert refused == [True]


def test_further_parts_are_bytes_of_the_file():
    part = b"--a\r\n%s\r\n\r\nx\r\n" % HEAD
    pieces, headers, _ = handed_on(part * 2 + b"--a--", TYPE + b"a")
    assert read(pieces, headers[1][1])[2] == b"x\r\n--a\r\n%s\r\n\r\nx" % HEAD
