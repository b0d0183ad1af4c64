"""Coverage-guided fuzzing of the bytecode reader: ``python fuzz/atheris_reader.py CORPUS_FOLDER`` (needs atheris).

Start the corpus from ``tests/bytecode/fixtures``.  Anything but a module or a `DiagnosticError` is a finding.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports():
    from tilewright.bytecode import read_bytecode
    from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
    from tilewright.ir.context import Context
    from tilewright.ir.diagnostic import DiagnosticError

CONTEXT = Context([CUDA_TILE])


def read_one(data: bytes) -> None:
    """Read one input."""
    try:
        read_bytecode(data, CONTEXT)
    except DiagnosticError as error:
        str(error)


if __name__ == "__main__":
    atheris.Setup(sys.argv, read_one)
    atheris.Fuzz()
