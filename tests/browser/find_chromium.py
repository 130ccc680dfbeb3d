"""Find a Chromium for the browser tests; with `--install`, put one there if none is found.

    python tests/browser/find_chromium.py [--install]

prints the program's path and ends with 0, or says what to do and ends with 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = (
    "chromium-headless-shell",  # the same engine without windows, which opens pages sooner
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge"),
    "microsoft-edge-stable",
)
MAC_PROGRAMS = ("Chromium", "Google Chrome", "Microsoft Edge")
PLAYWRIGHT_FOLDERS = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")
PLAYWRIGHT_PROGRAMS = ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*")

# Package manager and its commands, in the order in which they are tried.
SYSTEM_PACKAGES = {
    "apt-get": (
        "apt-get -qq update",
        "apt-get -qq install -y --no-install-recommends chromium-headless-shell",  # Debian has it, Ubuntu has not
        "apt-get -qq install -y --no-install-recommends chromium",
    ),
    "dnf": ("dnf -q install -y chromium",),
    "pacman": ("pacman -Sy --noconfirm --needed chromium",),
    "apk": ("apk add -q chromium",),
    "zypper": ("zypper -nq install chromium",),
    "brew": ("brew install -q --cask chromium",),
}

NOT_FOUND = """\
The browser tests need Chromium, and none was found. One of these helps:
  * install the package chromium of your system (Debian: apt-get install chromium), or Google Chrome or Edge;
  * .venv/bin/python -m playwright install --with-deps chromium
  * TIEKIT_CHROMIUM=/path/to/a/chromium make test
Without a browser: make test PYTEST_ARGS='-m "not browser and not campaign"'"""


def candidates() -> Iterator[str]:
    """Every place where a Chromium may be, the likeliest first."""
    yield from (path for name in NAMES if (path := shutil.which(name)))
    for root in ("/Applications", "~/Applications"):
        yield from (f"{Path(root).expanduser()}/{name}.app/Contents/MacOS/{name}" for name in MAC_PROGRAMS)
    for folder in (os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), *PLAYWRIGHT_FOLDERS):
        for program in PLAYWRIGHT_PROGRAMS if folder else ():
            yield from map(str, sorted(Path(str(folder)).expanduser().glob(f"chromium-*/{program}"), reverse=True))


def starts(program: str) -> bool:
    """Tell whether the program runs; on some systems the name belongs to a stub that only advises to install it."""
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def find_chromium() -> str | None:
    """The path of a Chromium that starts, $TIEKIT_CHROMIUM before all others; None if there is none."""
    if chosen := os.environ.get("TIEKIT_CHROMIUM"):
        return chosen if starts(chosen) else None
    return next(filter(starts, candidates()), None)


def install_commands() -> Iterator[list[str]]:
    """The commands that may bring a Chromium: the system's packages where that is allowed, then Playwright's own."""
    root = os.geteuid() == 0
    for manager, commands in SYSTEM_PACKAGES.items():
        if shutil.which(manager) and (root or manager == "brew" or shutil.which("sudo")):
            prefix = [] if root or manager == "brew" else ["sudo", "-n"]
            yield from ([*prefix, *command.split()] for command in commands)
    yield [sys.executable, "-m", "playwright", "install", *(["--with-deps"] if root else []), "chromium"]


def install_chromium() -> str | None:
    """Try the commands one after the other until a Chromium is there."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in install_commands():
        print(f"No Chromium for the browser tests yet: {' '.join(command)}", file=sys.stderr, flush=True)
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment, timeout=900)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(error, file=sys.stderr)
        if found := find_chromium():
            return found
    return None


def main() -> int:
    """Print the path of a Chromium, or what to do."""
    found = find_chromium()
    if not found and "--install" in sys.argv[1:] and not os.environ.get("TIEKIT_CHROMIUM"):
        found = install_chromium()
    print(found or NOT_FOUND, file=sys.stdout if found else sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
