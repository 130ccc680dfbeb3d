from pathlib import Path

import pytest

from ui.page import pages


def test_it_opens_and_leads_to_every_page(open_app):
    app = open_app()
    assert app.title[0].value == "tiekit"
    text = " ".join(element.value for element in app.markdown)
    assert "1 of 15 pairs wrong" in text
    assert "6 of 15 pairs wrong" in text


@pytest.mark.parametrize(("page", "title"), [(Path(page.file).stem, page.title) for page in pages.lessons()])
def test_every_page_opens(open_app, page, title):
    assert open_app(page).title[0].value == title
