"""``python -m tilewright.reference FOLDER``: write the reference pages."""

from __future__ import annotations

import sys
from pathlib import Path

from tilewright.reference.pages import write_pages


def main(arguments: list[str]) -> int:
    """Write every page below the folder that is the only argument, print the number of changed files to
    stderr, and return 0. With any other number of arguments, print the usage and return 2.
    """
    if len(arguments) != 1:
        print("usage: python -m tilewright.reference FOLDER", file=sys.stderr)
        return 2
    changed = write_pages(Path(arguments[0]))
    print(f"{len(changed)} files changed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
