"""The start page: what is a tie, and how does one threshold decide which metric wins?"""

from ui import start
from ui.page import question, shell

TITLE = "What is a tie?"

shell.open_page(TITLE)
with shell.room("podium_asked" if question.asks() else "podium"):
    start.podium()
start.explain()
shell.close_page(TITLE)
