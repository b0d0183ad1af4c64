"""The command line of the walks."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import tools.newcomer
from tools.newcomer.marks import ENVIRONMENTS, PAGES, SOURCES
from tools.newcomer.walking import Row, Walk, told


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk in each environment from each source that is asked for; return 1 if something differs."""
    given = parser().parse_args(arguments)
    summaries: list[str] = []
    rows: list[Row] = []
    for environment in given.environment or ENVIRONMENTS:
        for source in given.source or SOURCES:
            title = f"{environment}, from the {source}"
            print(f"\n{title}", flush=True)
            began = time.monotonic()
            folder = Path(tempfile.mkdtemp(prefix=f"newcomer-{environment}-{source}-")).resolve()
            found = told(Walk(environment, source, folder), given.page or (), partial(print, flush=True))
            summaries.append(f"{title}: {counted(found)}, {time.monotonic() - began:.0f} s")
            rows += found
            if given.keep:
                print(f"kept: {folder}")
            else:
                shutil.rmtree(folder)
    print("", *summaries, sep="\n")
    return int(any(row.verdict == "differs" for row in rows))


def counted(rows: Sequence[Row]) -> str:
    """Return how many steps have each verdict."""
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("ok", "differs", "skipped"))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    found = argparse.ArgumentParser(
        prog="python -m tools.newcomer",
        description=tools.newcomer.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = partial(found.add_argument, action="append")
    add("--environment", choices=ENVIRONMENTS, help="what makes the environment (default: both)")
    add("--source", choices=SOURCES, help="what is installed (default: both)")
    add("--page", choices=[page.path for page in PAGES], help="a page (default: all)")
    found.add_argument("--keep", action="store_true", help="keep the folders of the walks, and name them")
    return found


if __name__ == "__main__":
    sys.exit(main())
