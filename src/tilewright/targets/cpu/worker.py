"""A process that turns LLVM IR into an object file: `isolated` of `compile.py` starts it.

It reads the text from its input and writes the object file to its output; the arguments are the triple, the processor
and its features.
"""

from __future__ import annotations

import sys

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.cpu.compile import object_code
from tilewright.targets.cpu.target import CpuTarget


def main(arguments: list[str]) -> int:
    """Make one object file; returns the exit status."""
    triple, cpu, features = arguments
    text = sys.stdin.buffer.read().decode()
    try:
        made = object_code(text, CpuTarget(triple, cpu, features))
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
