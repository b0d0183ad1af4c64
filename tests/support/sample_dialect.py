"""A small dialect for tests of the substrate: any shape of IR can be built from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import SymbolRefAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import SymbolNameKind, SymbolRefKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    optional_attr_def,
    region_def,
    variadic_operand_def,
    variadic_region_def,
    variadic_result_def,
    variadic_successor_def,
)
from tilewright.ir.declaration.traits import IsolatedFromAbove, NoTerminator, Symbol, SymbolTable, Terminator
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class TableOp(Operation, name="sample.table"):
    """A symbol table, itself a symbol if it has a name."""

    sym_name: str | None = optional_attr_def(SymbolNameKind(), "Its own name, if it has one.")
    body: Region = region_def("The symbols.")
    traits = (SymbolTable(), IsolatedFromAbove(), NoTerminator())


class FunctionOp(Operation, name="sample.function"):
    """An isolated operation with a name and a control-flow graph."""

    sym_name: str = attr_def(SymbolNameKind(), "Its name.")
    body: Region = region_def("The blocks.", single_block=False)
    traits = (IsolatedFromAbove(), Symbol(), NoTerminator())


class ValueOp(Operation, name="sample.value"):
    """Takes and makes any number of values."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Anything.")


class NestOp(Operation, name="sample.nest"):
    """Any number of regions."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    bodies: tuple[Region, ...] = variadic_region_def("Anything.", single_block=False)
    traits = (NoTerminator(),)


class BranchOp(Operation, name="sample.branch"):
    """Ends a block and goes to any of its successors."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    targets: tuple[Block, ...] = variadic_successor_def("Where control flow may go.")
    traits = (Terminator(),)


class CallOp(Operation, name="sample.call"):
    """Refers to a symbol."""

    callee: SymbolRefAttr = attr_def(SymbolRefKind(flat=False), "What is called.")


SAMPLE = Dialect(
    "sample", operations=(TableOp, FunctionOp, ValueOp, NestOp, BranchOp, CallOp), doc="IR of any shape."
)


def sample_context() -> Context:
    """A context that knows just this dialect."""
    return Context([SAMPLE])


def value(*inputs: Value, results: int = 1) -> ValueOp:
    """A ``sample.value`` with results of type i32."""
    return ValueOp(inputs, result_types=[i32] * results)


def nest(*regions: Sequence[Operation]) -> NestOp:
    """A ``sample.nest`` with one block per region, holding the given operations."""
    return NestOp((), bodies=[region(operations) for operations in regions], result_types=[])


def region(operations: Iterable[Operation]) -> Region:
    """A region of one block with the given operations."""
    block = Block()
    for op in operations:
        block.append(op)
    return Region([block])


def function(name: str, operations: Iterable[Operation] = ()) -> FunctionOp:
    """A ``sample.function`` of one block."""
    return FunctionOp(name, body=region(operations), result_types=[])


def table(*operations: Operation, name: str | None = None) -> TableOp:
    """A ``sample.table`` with the given symbols."""
    return TableOp(sym_name=name, body=region(operations), result_types=[])


def branch(*targets: Block, inputs: Sequence[Value] = ()) -> BranchOp:
    """A ``sample.branch`` to the given blocks."""
    return BranchOp(inputs, targets=targets, result_types=[])


@cache
def deep_nest() -> tuple[Operation, int]:
    """A nest and the number of operations in it, far deeper than Python recurses; not to be changed."""
    depth = 100_000
    op: Operation = value()
    for _ in range(depth):
        op = nest([op])
    return op, depth + 1
