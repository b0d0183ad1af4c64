"""Installs into the environment of the Python that runs this: `make` uses it, whatever made the environment.

    .venv/bin/python tools/install.py -e ".[dev]"

Takes the environment's pip.  Environments that `uv venv` makes have none: for these it takes uv, and where uv is not on
the path any more, the pip that Python brings.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys


def installer() -> list[str]:
    """Return the command that installs what follows it."""
    if importlib.util.find_spec("pip") is None:
        uv = shutil.which("uv")
        if uv:
            return [uv, "pip", "install", "--quiet", "--python", sys.executable]
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
    return [sys.executable, "-m", "pip", "install", "--quiet"]


def main() -> None:
    """Install what the arguments name."""
    sys.exit(subprocess.run([*installer(), *sys.argv[1:]], check=False).returncode)


if __name__ == "__main__":
    main()
