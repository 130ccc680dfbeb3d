"""How is a page passed on? Buttons that copy its address, which holds all that was chosen.

The address shows what was revealed, so that a reload keeps it. A link for a class leaves that out, unless it is asked
for: the first button copies the questions, the second the answers too.
"""

from __future__ import annotations

import streamlit as st

from ui.base.streamlit_internals import RUNNING
from ui.page import predict

HTML = """<button type="button" id="open">Copy link</button>
<button type="button" id="answered" hidden>Copy link with answers</button><span role="status"></span>"""

CSS = """
:host { font-size: 0.875rem; }
span { margin-left: 0.5rem; }
button {
    font: inherit; color: var(--st-text-color); background: none; cursor: pointer; padding: 0.25rem 0.5rem;
    border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); white-space: nowrap;
}
button[hidden] { display: none; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""

JS = """
export default function ({ parentElement, data }) {
    const [open, answered] = parentElement.querySelectorAll("button");
    const said = parentElement.querySelector("[role=status]");
    answered.hidden = !data.answers;
    // What was typed last reaches the address when the page has settled.
    const settled = async () => {
        const start = performance.now();
        await new Promise(done => setTimeout(done, 250));
        while (document.querySelector(data.running) && performance.now() - start < 3000)
            await new Promise(done => setTimeout(done, 50));
    };
    // Without https a browser offers the old way only.
    const copied = (link, button) => {
        const field = Object.assign(document.createElement("textarea"), { value: link });
        document.body.append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        button.focus();
        return done;
    };
    for (const button of [open, answered]) button.onclick = async () => {
        said.textContent = "";
        await settled();
        const link = new URL(location.href);
        if (button === open) link.searchParams.delete("seen");
        const done = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
        said.textContent = done || copied(link.href, button) ? "copied" : "Copy it from the address bar.";
    };
}
"""

_copy = st.components.v2.component("tiekit_copy_link", html=HTML, css=CSS, js=JS)


def copy_buttons() -> None:
    """Buttons that put the page's address into the clipboard and say so."""
    _copy(key="copy_link", width="content", data={"answers": predict.is_any_revealed(), "running": RUNNING})
