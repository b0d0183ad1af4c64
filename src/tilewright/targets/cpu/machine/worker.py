"""A process that compiles LLVM IR to an object file or assembly: `isolated` of `compile.py` starts it.

The process reads the text from its standard input and writes the output to its standard output. Its arguments
are the output kind, the triple, the processor and its features.
"""

from __future__ import annotations

import sys

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.cpu.machine import compile as machine_compile, target as machine_target


def main(arguments: list[str]) -> int:
    """Compile the LLVM IR on standard input, and write the object file or assembly to standard output.
    `arguments` are the output kind, the triple, the processor and its features. Return 0, or `REFUSED` with
    the message on standard error if LLVM refuses the text.
    """
    product, triple, cpu, features = arguments
    text, target = sys.stdin.buffer.read().decode(), machine_target.CpuTarget(triple, cpu, features)
    try:
        made = (
            machine_compile.assembly(text, target).encode()
            if product == machine_compile.CompilerOutput.ASSEMBLY
            else machine_compile.object_code(text, target)
        )
    except DiagnosticError as error:
        print(*(diagnostic.message for diagnostic in error.diagnostics), file=sys.stderr)
        return machine_compile.REFUSED
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
