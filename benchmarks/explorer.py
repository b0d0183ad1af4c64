"""`python -m benchmarks.explorer`: pages of the explorer: how large they are, how long it takes to make and to open them.

The first paint is Chromium's "first contentful paint"; the page is ready when its code is shown.  Needs Chromium.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import description

ROOT = Path(__file__).parents[1]
PROGRAMS = ("examples/matmul.py", "examples/flash_attention.py")
REPEATS = 3
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def made(program: str, page: Path) -> tuple[float, float]:
    """Seconds by the clock, and of processors, that a fresh process takes for a page."""
    begin, before = time.perf_counter(), os.times()
    words = [sys.executable, "-m", "tilewright", "explore", program, "-o", str(page)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begin, spent


def opened(browser: Any, page: Path) -> tuple[float, float]:
    """Milliseconds to the first paint, and until the code is shown."""
    shown = browser.new_page(viewport={"width": 1280, "height": 800})
    shown.goto(page.as_uri())
    shown.wait_for_selector(".cm-line")
    ready = float(shown.evaluate("performance.now()"))
    shown.wait_for_function(f"({_PAINT}) !== null")
    paint = float(shown.evaluate(_PAINT))
    shown.close()
    return paint, ready


def main() -> None:
    """Print a table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    options = parser.parse_args()
    print(description())
    print(f"load of the machine: {os.getloadavg()[0]:.1f}; the best of {REPEATS}")
    print(f"{'program':<28} {'bytes':>9} {'made s':>7} {'CPU s':>6} {'paint ms':>9} {'ready ms':>9}")
    with sync_playwright() as started, tempfile.TemporaryDirectory() as folder:
        browser = started.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        for program in PROGRAMS:
            page = Path(folder, "page.html")
            times = [made(program, page) for _ in range(REPEATS)]
            looks = [opened(browser, page) for _ in range(REPEATS)]
            wall, spent = (min(column) for column in zip(*times, strict=True))
            paint, ready = (min(column) for column in zip(*looks, strict=True))
            size = page.stat().st_size
            print(f"{program:<28} {size:>9} {wall:>7.1f} {spent:>6.1f} {paint:>9.0f} {ready:>9.0f}")
        browser.close()


if __name__ == "__main__":
    main()
