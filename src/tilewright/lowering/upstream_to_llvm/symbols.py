"""Functions and globals that a conversion needs in the module around it."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.block import Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.declaration.traits import SymbolTable
from tilewright.ir.operation import Operation
from tilewright.rewrite.rewriter import Rewriter


def enclosing_table(op: Operation) -> Operation:
    """Return the nearest operation around ``op`` that is a table of symbols."""
    table = op
    for table in op.ancestors():
        if table.has_trait(SymbolTable):
            return table
    return table


def find_symbol(table: Operation, name: str) -> Operation | None:
    """Return the operation of a name directly inside of a table."""
    for op in table.regions[0].blocks[0]:
        attribute = op.held_attributes.get("sym_name")
        if isinstance(attribute, StringAttr) and attribute.value == name:
            return op
    return None


def free_name(table: Operation, stem: str) -> str:
    """Return the first unused name of ``stem``, ``stem_0``, ``stem_1``, ..."""
    name, number = stem, 0
    while find_symbol(table, name) is not None:
        name, number = f"{stem}_{number}", number + 1
    return name


def add_symbol(rewriter: Rewriter, table: Operation, make: Callable[[], Operation]) -> Operation:
    """Insert an operation at the start of a table."""
    with rewriter.at(InsertionPoint.at_start(table.regions[0].blocks[0])):
        return rewriter.insert(make())


def declare_function(rewriter: Rewriter, op: Operation, name: str, type: LLVMFunctionType) -> str:
    """Declare a function in the module around ``op`` unless it is declared; return its name."""
    table = enclosing_table(op)
    if find_symbol(table, name) is None:
        add_symbol(rewriter, table, lambda: LLVMFuncOp(sym_name=name, function_type=type, body=Region()))
    return name
