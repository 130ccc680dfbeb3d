"""The start page: what is a tie, and how does one threshold decide which metric wins?"""

from ui import start
from ui.page import shell

TITLE = "What is a tie?"

shell.open_page(TITLE)
picture = shell.room("podium")
with picture:
    start.podium()
start.explain(picture)
shell.close_page(TITLE)
start.sources()
