"""Calls of SIMT functions, which are read and written but cannot be run: the diagnostic for them."""

from __future__ import annotations

from tilewright.bytecode.codes import PREVIEW
from tilewright.dialects.cuda_tile.ops.preview import CallOp
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation

WAY_OUT = (
    "write what the function does in tiles; or compile the kernel for a GPU with NVIDIA's tileiras, "
    "which links the library that holds the function (`-l`)"
)


def refuse_calls(kernel: Operation) -> None:
    """Raise `DiagnosticError` at the first call of a SIMT function in a kernel, with a note at each further
    call. Do nothing if there is none.
    """
    calls = [op for op in kernel.walk() if isinstance(op, CallOp)]
    if not calls:
        return
    first, *others = calls
    text = f"'{first.name}' op calls @{first.callee}: functions of SIMT code, which no module holds, cannot be run"
    notes = [(f"@{op.callee} is called here", op.location) for op in others]
    raise failure(PREVIEW, text, first.location, hint=WAY_OUT, notes=notes)
