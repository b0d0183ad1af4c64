"""Runs cells of a notebook in IPython: ``python -m tools.newcomer.cells FILE``, a JSON list of their texts.

A cell with the comment ``# finds ...`` must end with a finding, each other one without an exception.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def failed(cells: list[str]) -> list[str]:
    """Run cells one after the other; return those that did not end as they say."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(history_load_length=0)
    return [cell for cell in cells if shell.run_cell(cell, store_history=True).success == ("# finds" in cell)]


def main() -> None:
    """Run the cells of a file."""
    wrong = failed(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    for cell in wrong:
        print(f"this cell ended otherwise than it says:\n{cell}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
