"""Compiles a corpus with one state of the compiler and with another, and compares the bytes: proof of a refactoring.

    python -m tools.replay collect build/corpus                 # modules of the examples, and 200 generated ones
    python -m tools.replay emit build/corpus build/before       # with the one state of the sources
    python -m tools.replay emit build/corpus build/after        # with the other one
    python -m tools.replay compare build/before build/after

The corpus is bytecode, so both states read the same modules whatever their generators draw.  ``emit`` takes names of
stages, too: ``emit CORPUS OUT tileaa tileas llvm``; the stage ``llvm`` alone is the default.
"""

from __future__ import annotations

import filecmp
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import tilewright
from tests.support.corpora.frontend_corpus import corpus
from tilewright.bytecode.writer.module import write_bytecode
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.testing.execution import entries, observe
from tilewright.testing.strategies import sample_module

GENERATED = 200
STAGES = ("llvm",)


def collect(folder: Path, generated: int = GENERATED) -> None:
    """Write the bytecode of each example's kernels and of generated modules, every result of which is stored."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in [*example_kernels(), *generated_kernels(generated)]:
        (folder / f"{name}.tileirbc").write_bytes(content)


def example_kernels() -> Iterator[tuple[str, bytes]]:
    """Names and bytecode of each specialisation that the examples launch, in the newest version."""
    newest = [(name, content) for name, _, content in corpus(str(LATEST))]
    for number, (name, content) in enumerate(newest):
        yield f"{name.partition('.')[0]}.{number}", content  # whole names are too long for files


def generated_kernels(count: int) -> Iterator[tuple[str, bytes]]:
    """Names and bytecode of generated modules."""
    for number in range(count):
        yield generated_kernel(number)


def generated_kernel(number: int) -> tuple[str, bytes]:
    """Name and bytecode of a generated module."""
    module = sample_module(number, seed="replay")
    for kernel in entries(module):
        for op in list(kernel.walk())[1:]:
            observe(op)
    return f"generated.{number}", write_bytecode(module)


def emit(modules: Path, out: Path, stages: Sequence[str]) -> None:
    """Write stages of every module of a corpus; a module that is refused gives its diagnostics instead."""
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(modules.glob("*.tileirbc")):
        artifact = tilewright.compile(path)
        for stage in stages:
            try:
                text = artifact.asm[stage]
            except DiagnosticError as error:
                text = "\n".join(str(diagnostic) for diagnostic in error.diagnostics)
            content = text.encode() if isinstance(text, str) else text
            (out / f"{path.stem}.{stage}").write_bytes(content)


def compare(before: Path, after: Path) -> int:
    """Print names of files that differ or are on one side only; answers how many."""
    names = {path.name for folder in (before, after) for path in folder.iterdir()}
    same, different, missing = filecmp.cmpfiles(before, after, sorted(names), shallow=False)
    for name in (*different, *missing):
        print(name)
    print(
        f"{len(same)} the same, {len(different)} different, {len(missing)} on one side only", file=sys.stderr
    )
    return len(different) + len(missing)


def main(arguments: Sequence[str]) -> int:
    """Run the command that the first argument names."""
    match arguments:
        case ["collect", folder]:
            collect(Path(folder))
        case ["emit", modules, out, *stages]:
            emit(Path(modules), Path(out), stages or STAGES)
        case ["compare", before, after]:
            return min(compare(Path(before), Path(after)), 1)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
