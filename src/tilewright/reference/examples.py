"""The examples of the operation pages: ``examples/GROUP.mlir``, one small module per operation.

A module follows a comment line with the mnemonic and ends at the next ``// -----``.  All of them are parsed,
verified and run by the tests.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from tilewright.ir.declaration.kind import OperationKind
from tilewright.reference.markdown import slug

SEPARATOR = "// -----"


@cache
def example_modules(group: str) -> dict[str, str]:
    """Return the modules of a group by the mnemonic of the operation that they are about; empty for unknown groups."""
    file = resources.files("tilewright.reference") / "examples" / f"{slug(group)}.mlir"
    if not file.is_file():
        return {}
    found: dict[str, str] = {}
    for part in file.read_text(encoding="utf-8").split(SEPARATOR):
        lines = part.strip().splitlines()
        start = next(number for number, line in enumerate(lines) if not line.startswith("//") and line)
        found[lines[start - 1].removeprefix("//").strip()] = "\n".join(lines[start:]) + "\n"
    return found


def example_module(kind: OperationKind) -> str | None:
    """Return the module with the example of an operation."""
    return example_modules(getattr(kind.op_class, "group", "")).get(kind.mnemonic)


def example(kind: OperationKind) -> str | None:
    """Return the lines of the operation itself, without the module around it and its indentation."""
    module = example_module(kind)
    if module is None:
        return None
    lines = module.splitlines()
    start = next(number for number, line in enumerate(lines) if f'"{kind.name}"(' in line)
    indentation = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    if lines[start].endswith("({"):
        closing = " " * indentation + "}) : "
        end = next(n for n in range(start, len(lines)) if lines[n].startswith(closing)) + 1
    return "\n".join(line[indentation:] for line in lines[start:end])
