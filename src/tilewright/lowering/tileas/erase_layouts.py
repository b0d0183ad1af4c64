"""`nv-tileas-erase-layouts`: removes the layouts from the types of tiles, the inverse of
`nv-tileas-assign-layouts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp
from tilewright.ir.operation import Operation
from tilewright.lowering.tileas.encodings import encode
from tilewright.passes.pass_ import Pass, PassState


def erase_layouts(root: Operation) -> int:
    """Remove the layouts from the types of tiles, and the operations that convert layouts; return the number
    of values whose type changed.
    """
    for op in [op for op in root.walk() if isinstance(op, ConvertLayoutOp)]:
        op.result.replace_all_uses_with(op.source)
        op.erase()
    return encode(root, lambda _: None)


@dataclass(frozen=True)
class EraseLayouts(Pass):
    """Removes the layouts from the types of tiles, and the conversions between layouts.

    The result can be compiled for one thread that owns whole tiles: if a pass over layouts preserved the
    meaning of a kernel, the results are bit-identical.
    """

    name: ClassVar[str] = "nv-tileas-erase-layouts"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-changed", erase_layouts(op))
