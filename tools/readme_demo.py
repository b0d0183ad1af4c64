"""Puts the real output of the demo into the README: ``python tools/readme_demo.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN = "<!-- demo output: written by `python tools/readme_demo.py` -->\n"
END = "<!-- end of demo output -->\n"


def demo_output() -> str:
    """What ``python -m examples.demo`` prints; raises CalledProcessError when a result is wrong."""
    command = [sys.executable, "-m", "examples.demo"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def replaced(document: str, output: str) -> str:
    """The document with ``output`` between the markers."""
    before, _, rest = document.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError("the document has no place for the demo's output")
    return f"{before}{BEGIN}```text\n{output.rstrip()}\n```\n{END}{after}"


def main() -> None:
    """Rewrite the README."""
    readme = ROOT / "README.md"
    readme.write_text(replaced(readme.read_text(encoding="utf-8"), demo_output()), encoding="utf-8")


if __name__ == "__main__":
    main()
