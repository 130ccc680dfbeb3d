"""What is a figure made of? ES modules and style sheets: a module for a notebook or Streamlit, or a page of its own."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tiekit.base.results import __version__
from tiekit.figures import sources
from tiekit.figures.bundle import bundle

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""A page of its own loads nothing from anywhere, so browsers are told to refuse it."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 1rem; background: light-dark(#FFFFFF, #0E1117); color: light-dark(#1A1A1A, #FAFAFA);
  font-family: system-ui, sans-serif; }}
h1 {{ font-size: 1.2rem; margin: 0 0 .5rem; }}
footer {{ font-size: .85rem; margin-top: 1rem; overflow-wrap: anywhere; }}
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="figure"></div>
</main>
<footer>{made}</footer>
<script type="module">
{script}
$entry.show({data}, {keys});
</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Figure:
    """A figure in the browser.

    Attributes
    ----------
    folder : str
        Where its modules and its style sheet lie, under ``tiekit/figures``; the main module has the folder's name.
    opener : str
        The function of the main module that opens it; the module also exports ``applied`` and ``isSound``.
    """

    folder: str
    opener: str

    def for_notebook(self) -> str:
        """Return an ES module whose default export anywidget takes."""
        return _bundled(self, "notebook", sources.formulas())

    def for_streamlit(self) -> str:
        """Return an ES module whose default export is a component of Streamlit."""
        return _bundled(self, "streamlit", sources.formulas())

    def as_page(self, data: Mapping[str, Any], keys: Sequence[str], title: str, made: str) -> str:
        """Return the text of a page that shows data.

        Parameters
        ----------
        data : mapping
            What the main module shows, as JSON takes it.
        keys : sequence of str
            The parts of the data that the visitor changes; the address's fragment keeps them.
        title, made : str
            The heading, and of which numbers the figure was made; any text.
        """
        return PAGE.format(
            policy=html.escape(POLICY),
            title=html.escape(title),
            style=sources.style(self.folder),
            made=html.escape(f"{made} Made with tiekit {__version__}."),
            script=_bundled(self, "page", sources.formulas()),
            data=_in_script(data),
            keys=_in_script(list(keys)),
        )


@lru_cache(maxsize=16)
def _bundled(figure: Figure, host: str, formulas: str) -> str:
    """The modules of a figure and of its host as one; the formulas are a part of what is kept by."""
    main, style = f"./{figure.folder}/{figure.folder}.js", json.dumps(sources.style(figure.folder))
    call = {
        "notebook": f"export default function () {{\n  return notebookHost(FIGURE, {style});\n}}\n",
        "streamlit": "export default function (given) {\n  return component(given);\n}\n",
        "page": 'export const show = (data, keys) => pageHost(FIGURE, document.getElementById("figure"), data, keys);\n',
    }[host]
    entry = "\n".join(
        (
            f'import {{ {figure.opener}, applied, isSound }} from "{main}";',
            f'import {{ {host}Host }} from "./shared/hosts.js";',
            f"const FIGURE = {{ open: {figure.opener}, applied, isSound }};",
            *(["const component = streamlitHost(FIGURE);"] if host == "streamlit" else ()),
            call,
        )
    )
    return bundle("entry.js", {**sources.files(), "shared/formulas.js": formulas, "entry.js": entry})


def _in_script(value: Any) -> str:
    """A value as JSON that no text in it can end."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003C")
