"""What all Tile IR operations share: opcode, version, chapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from tilewright.dialects.cuda_tile.version import V13_1, Version
from tilewright.ir.operation import Operation


class TileOp(Operation):
    """Base of the operations of ``cuda_tile``.

    ``opcode`` is the number in bytecode, ``since`` the first version that has the operation, ``group`` its chapter
    on the reference page, ``examples`` pieces of generic text that stand there, too.
    """

    opcode: ClassVar[int]
    since: ClassVar[Version]
    group: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()


_Class = TypeVar("_Class", bound=type[Any])


def tile_op(opcode: int, group: str, since: Version = V13_1) -> Callable[[_Class], _Class]:
    """Give an operation class its opcode, chapter and version."""

    def decorate(op_class: _Class) -> _Class:
        op_class.opcode = opcode
        op_class.group = group
        op_class.since = since
        return op_class

    return decorate
