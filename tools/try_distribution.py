"""Installs each distribution of a folder into a fresh environment, and tries it out: `make dist` runs this."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "out_of_tree"
KERNEL = """
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<i32>):
    %y = "clamp.clampi"(%x, %x, %x) <{signedness = #cuda_tile.signedness<signed>}>
      : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.print_tko"(%y) <{str = "%i", operandSegmentSizes = array<i32: 1, 0>}>
      : (!cuda_tile.tile<i32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
"""A kernel that prints its parameter; it needs the example package."""


def tried(distribution: Path, folder: Path) -> None:
    """Install a distribution and the example package, and use them.  Raises `CalledProcessError`."""
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(scripts / "python")
    kernel = folder / "kernel.mlir"
    kernel.write_text(KERNEL)

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout

    def tilewright(*words: str) -> str:
        return run(str(scripts / "tilewright"), *words)

    run(python, "-m", "pip", "install", "--quiet", f"{distribution}[cpu]")
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", str(EXAMPLE))
    run(python, "-m", "pip", "check")
    tilewright("doctor")
    tilewright("opt", "kernel.mlir", "--lower-clamp", "-o", "lowered.mlir")
    tilewright("verify", "lowered.mlir")
    tilewright("compile", "lowered.mlir", "--emit=bytecode,object", "-o", "kernel")
    printed = [tilewright("run", f"kernel.{end}", "--arg", "42") for end in ("tileirbc",)]
    printed.append(
        run(python, "-m", "tilewright", "run", "lowered.mlir", "--arg", "42", "--target", "interp")
    )
    if any("42" not in text for text in printed):
        raise SystemExit(f"the kernel printed {printed}")
    tilewright("explore", "lowered.mlir", "-o", "page.html")
    if "Permission is hereby granted" not in (folder / "page.html").read_text(encoding="utf-8"):
        raise SystemExit("the explorer's page lacks the licences of what is in it")


def tried_by_uvx(wheel: Path) -> None:
    """Run the command of a wheel without installing it.  Raises `CalledProcessError`."""
    uv = shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if uv is None:
        raise SystemExit("uv is not installed: pip install uv")
    command = [uv, "tool", "run", "--from", str(wheel), "tilewright", "--version"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    if wheel.name.split("-")[1] not in done.stdout:
        raise SystemExit(f"uvx printed {done.stdout!r}")


def main() -> None:
    """Try every distribution in the folder that is named."""
    found = sorted(Path(sys.argv[1]).resolve().iterdir())
    if {path.suffix for path in found} != {".whl", ".gz"}:
        raise SystemExit(
            f"a wheel and a source distribution are expected, not {[str(path) for path in found]}"
        )
    for distribution in found:
        with tempfile.TemporaryDirectory() as folder:
            tried(distribution, Path(folder))
        if distribution.suffix == ".whl":
            tried_by_uvx(distribution)
        print(f"{distribution.name}: works")


if __name__ == "__main__":
    main()
