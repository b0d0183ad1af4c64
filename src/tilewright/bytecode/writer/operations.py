"""Writing function bodies: operations with nested regions, without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tilewright.bytecode.output import WriteError, WritingProblems
from tilewright.bytecode.reader.operations import MAXIMUM_REGION_DEPTH
from tilewright.bytecode.wire import PREVIEW_OPCODES
from tilewright.bytecode.writer.debug_info import DebugPool
from tilewright.bytecode.writer.encoders import Encoder, WriteScope, encoder
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.ops.control import EntryOp, GlobalOp, ModuleOp
from tilewright.ir.block import Block
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

OperationWalk: TypeAlias = "Iterator[OperationWalk]"
"""An iterator that writes a block or an operation in pieces. It yields the iterators of the blocks or
operations inside it, which the caller runs to their end before it continues.
"""
_TABLE_ONLY = (ModuleOp, EntryOp, GlobalOp)
"""Operations that are entries of tables, and may not be in a body."""


class BodyWriter:
    """Writes the operations of one function. Value numbers are given to the arguments of a block first, then
    to results in order of appearance; at the end of a block its numbers become free. Errors of an operation
    are recorded, and writing goes on, so that all errors are found.
    """

    def __init__(self, scope: WriteScope, debug: DebugPool, problems: WritingProblems) -> None:
        self._scope = scope
        self._version = scope.attributes.version
        self._debug = debug
        self._problems = problems
        self._rows: list[int] = []
        self._encoders: dict[OperationKind, Encoder] = {}
        self._visible: list[Value] = []
        self._pending: list[OperationWalk] = []
        """The iterators of the blocks and operations that are being written, outermost first."""

    def write(self, block: Block, rows: list[int]) -> None:
        """Write the body of a function, and append the numbers of its operations' locations to ``rows``."""
        self._rows = rows
        self._define(block.arguments)
        pending = self._pending = [self._operations(block)]
        while pending:
            inner = next(pending[-1], None)
            if inner is None:
                pending.pop()
            else:
                pending.append(inner)

    def _define(self, values: Sequence[Value]) -> None:
        """Assign the next numbers to values."""
        numbers, visible = self._scope.numbers, self._visible
        for value in values:
            numbers[value] = len(visible)
            visible.append(value)

    def _forget(self, count: int) -> None:
        """Remove all but the first ``count`` visible values, whose numbers become free."""
        for value in self._visible[count:]:
            del self._scope.numbers[value]
        del self._visible[count:]

    def _operations(self, block: Block) -> OperationWalk:
        for op in block:
            try:
                used = self._operation(op)
                numbered = op.results[: used.numbered]
            except WriteError as error:
                self._problems.add(error, op)
                numbered = op.results
            if op.regions:
                yield self._regions(op)
            if numbered:
                self._define(numbered)

    def _operation(self, op: Operation) -> Encoder:
        """Write an operation up to its regions, and append the number of its location to the rows; return its
        encoder. Raises `WriteError` if the version cannot represent the operation.
        """
        self._rows.append(self._debug.number(op.location))
        used = self._encoders.get(op.kind) or self._encoder(op.kind)
        for step in used.steps:
            step(self._scope, op)
        if used.regions != len(op.regions):
            raise WriteError(f"operation '{op.name}' has {len(op.regions)} regions instead of {used.regions}")
        if used.regions:
            if len(self._pending) > 2 * MAXIMUM_REGION_DEPTH:
                raise WriteError(f"regions nest deeper than {MAXIMUM_REGION_DEPTH} levels")
            self._scope.output.varint(used.regions)
        return used

    def _encoder(self, kind: OperationKind) -> Encoder:
        op_class = kind.op_class
        if not issubclass(op_class, TileOp):
            raise WriteError(f"only ops from the 'cuda_tile' dialect are allowed, found '{kind.name}'")
        if issubclass(op_class, _TABLE_ONLY):
            raise WriteError(f"operation '{kind.name}' cannot stand in a function")
        found = self._encoders[kind] = encoder(op_class, self._version)
        if op_class.opcode in PREVIEW_OPCODES:
            self._scope.attributes.preview = True
        return found

    def _regions(self, op: Operation) -> OperationWalk:
        output = self._scope.output
        for region in op.regions:
            output.varint(len(region.blocks))
            for block in region.blocks:
                values_before = len(self._visible)
                self._block_head(op, block)
                yield self._operations(block)
                self._forget(values_before)

    def _block_head(self, op: Operation, block: Block) -> None:
        """Write the argument types of a block and the number of its operations, and number the arguments. A
        type that cannot be written, or a missing terminator, is recorded as an error of ``op``.
        """
        output = self._scope.output
        output.varint(len(block.arguments))
        try:
            for argument in block.arguments:
                output.varint(self._scope.types.index(argument.type))
            if block.terminator is None:
                raise WriteError(f"a block of '{op.name}' is expected to have a terminator operation")
        except WriteError as error:
            self._problems.add(error, op)
        self._define(block.arguments)
        output.varint(sum(1 for _ in block))
